"""The base of protocols that accept commands while the engine searches."""

from __future__ import annotations

import threading

from protocol.base import CommandError, Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from games.base import Position
    from protocol.wire import Write
    from search.limits import Limits
    from search.report import Report, Result
    from search.session import Session


# The overhead is the worst case; a usual move loses this share of it.
_USUAL_LOSS = 0.25


def lost_time(session: Session) -> float:
    """Return the seconds that a move usually takes on the front end's clock beyond the search.

    For front ends that never send the state of their clock.
    """
    return float(session.values["Move Overhead"] / 1000 * _USUAL_LOSS)


class ThinkingProtocol(Protocol):
    """A Protocol whose searches can be stopped with an answer or dropped without one.

    The callbacks of `think` run in the search's thread.  They may change the session's
    position, so every command that reads or changes it must first call `stop_and_wait` or
    `drop`.

    lock: held while a search answers, so that its answer can't start a new search after drop().
    """

    def __init__(self, session: Session, write: Write) -> None:
        super().__init__(session, write)
        self.lock = threading.RLock()
        self._task: object = object()  # stands for the latest search; None once it was dropped

    def think(
        self,
        limits: Limits,
        on_report: Callable[[Report, Position], None],
        on_done: Callable[[Result], None],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Search the position; call neither callback once the search is dropped.

        options: values of options for this search alone, by name.
        """
        task = self._task = object()

        def report(found: Report, position: Position) -> None:
            if self._task is task:
                on_report(found, position)

        def done(result: Result) -> None:
            with self.lock:
                if self._task is task:
                    on_done(result)

        self.session.start(limits, report, done, options=options)

    def require(self, place: str) -> None:
        """Raise CommandError if the front end's last position was refused.

        place: what the message calls the position, such as "board to play on".
        """
        if self.session.refused:
            raise CommandError(f"there is no {place}: the last one was refused")

    def stop_and_wait(self) -> None:
        """Stop the running search, if any, and let it answer."""
        self.session.stop()
        self.session.wait()

    def drop(self) -> None:
        """Stop the running search, if any, without an answer."""
        with self.lock:
            self._task = None
        self.stop_and_wait()
