"""What the protocols share in which the engine plays on its own board: a search can be hurried or dropped."""
from __future__ import annotations

from protocol.base import Protocol


class _Task:
    """A search and whether anybody still wants to hear of it."""

    dropped = False


class Thinker(Protocol):
    """A Protocol whose commands may come while it thinks.

    The callbacks of `think` run in the search's thread.  They may change the session's position, so whatever
    command reads or changes it has to call `hurry` or `drop` before.
    """

    def __init__(self, session, write):
        super().__init__(session, write)
        self._task = _Task()

    def think(self, limits, on_report, on_done, options=None):
        """Search the position; on_report(Report, position) and on_done(Result) fall silent once it is dropped.

        options: {name: value} for this search alone.
        """
        task = self._task = _Task()

        def report(found, position):
            if not task.dropped:
                on_report(found, position)

        def done(result):
            if not task.dropped:
                on_done(result)

        self.session.start(limits, report, done, options=options)

    def hurry(self):
        """End the running search, if there is one, with its answer."""
        self.session.stop()
        self.session.wait()

    def dropped(self):
        """Does nobody want to hear of the search that was started last?"""
        return self._task.dropped

    def drop_task(self):
        """Let the running search, if there is one, fall silent; it is not ended."""
        self._task.dropped = True

    def drop(self):
        """End the running search, if there is one, without an answer."""
        self.drop_task()
        self.hurry()
