"""What protocols share in which the engine thinks while more commands come in."""

from __future__ import annotations

from protocol.base import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from games.base import Position
    from protocol.output import Writer
    from search.limits import Limits
    from search.root import Report
    from search.session import Session
    from search.worker import Result


# At most this share of a time for one move stays back for the overhead.
_OVERHEAD_SHARE = 0.1
# The overhead is the worst case: this share of it is usual.
_USUAL_LOSS = 0.25


def turn_time(session: Session, seconds: float) -> float:
    """Seconds to search if a game is lost by a move that takes longer than `seconds`."""
    overhead: int = session.values["Move Overhead"]
    return seconds - min(overhead / 1000, seconds * _OVERHEAD_SHARE)


def lost_time(session: Session) -> float:
    """Seconds that a move usually costs on the front end's clock beside the engine's own count.

    For front ends that never say what their clock shows.
    """
    overhead: int = session.values["Move Overhead"]
    return overhead / 1000 * _USUAL_LOSS


class _Task:
    """A search, and whether it was dropped."""

    dropped = False


class ThinkingProtocol(Protocol):
    """A Protocol whose searches can be stopped with their answer, or dropped without one.

    The callbacks of `think` run in the search's thread.  They may change the
    session's position, so whatever command reads or changes it has to call
    `stop_and_wait` or `drop` before.
    """

    def __init__(self, session: Session, write: Writer) -> None:
        super().__init__(session, write)
        self._task = _Task()

    def think(
        self,
        limits: Limits,
        on_report: Callable[[Report, Position], None],
        on_done: Callable[[Result], None],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Search the position; both callbacks fall silent once the search is dropped.

        options: {name: value} for this search alone.
        """
        task = self._task = _Task()

        def report(found: Report, position: Position) -> None:
            if not task.dropped:
                on_report(found, position)

        def done(result: Result) -> None:
            if not task.dropped:
                on_done(result)

        self.session.start(limits, report, done, options=options)

    def stop_and_wait(self) -> None:
        """End the running search, if there is one, with its answer."""
        self.session.stop()
        self.session.wait()

    def dropped(self) -> bool:
        """Was the search that was started last dropped?"""
        return self._task.dropped

    def silence(self) -> None:
        """Let the running search, if there is one, fall silent; it is not ended."""
        self._task.dropped = True

    def drop(self) -> None:
        """End the running search, if there is one, without an answer."""
        self.silence()
        self.stop_and_wait()
