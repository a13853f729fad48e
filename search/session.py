"""The session: everything that a front end can do with the engine, in no particular protocol.

    session = Session("tictactoe")
    session.setup(moves=["b2", "a1"])
    session.start(Limits(depth=9), on_report, on_done)      # returns at once
    session.stop(); session.wait()                          # on_done(Result) comes exactly once

Call `close()` if `Threads` was set and the process outlives the session.

Call the session from one thread; callbacks run in the search's thread.  A search uses
the position and the options as they are when it is requested, so both may be changed
while it runs or waits for an earlier one.
"""

from __future__ import annotations

from os import cpu_count
from time import perf_counter

from games import notices, registry
from games.options import plain_name
from search import warm_up
from search.game import GameInProgress, SessionError
from search.options import OPTIONS
from search.worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random
    from typing import Any

    from games.options import Option
    from search.context import Context
    from search.limits import Deadlines, Limits
    from search.report import OnDone, OnReport
    from search.threads.team import Team


class Session(GameInProgress):
    """A game in progress (search/game.py) with its options, and a worker (search/worker.py).

    worker: the Worker that does its searches and other jobs.
    values: {option name: value}.
    """

    def __init__(self, game: str = "chess") -> None:
        self._more_options: list[Option] = []
        values: dict[str, Any] = {option.name: option.default for option in self.options()}
        self._memory: dict[str, Any] = {}
        self._team: Team | None = None  # the helper processes
        self._random: Random | None = None
        self._loaded = ""  # the last game whose search was loaded
        self.worker = Worker()
        super().__init__(registry.get("chess"), values)
        self.choose_game(game)

    # ---- options ---------------------------------------------------------------------

    def options(self) -> list[Option]:
        """Return every Option that can be set: the session's, all games', then the protocol's."""
        return [*OPTIONS, *registry.options(), *self._more_options]

    def add_options(self, options: Sequence[Option]) -> None:
        """Add the options of a protocol, which mean nothing to the session."""
        self._more_options += options
        self.values.update({option.name: option.default for option in options})

    def find_option(self, name: str) -> Option:
        """Return the option of this name; case, blanks, underscores and hyphens don't matter.

        Raises SessionError if the name is unknown.
        """
        wanted = plain_name(name)
        for option in self.options():
            if wanted == plain_name(option.name):
                return option
        near = registry.hint(name, (option.name for option in self.options()))
        raise SessionError(f"no such option: {name.strip()[:80]}{near}")

    def set_option(self, name: str, text: str = "") -> None:
        """Set an option from its text.

        Raises SessionError if its name is unknown (find_option) or the value invalid.
        """
        option = self.find_option(name)
        try:
            value = option.read(text)
        except ValueError as error:
            raise SessionError(str(error)) from None
        self.set_value(option, value)

    def set_value(self, option: Option, value: Any) -> None:
        """Set an option to a valid value (Option.read).

        A button has no value; its action is carried out.
        """
        if option.kind != "button":
            self.values[option.name] = value
        if option.on_change is not None:
            option.on_change(self)
        else:
            self.option_changed(option.name)

    def set_within(self, name: str, value: int) -> None:
        """Set a spin option to `value`, clamped to its bounds.

        Threads gets no more than the number of processors.
        Does nothing if the option already has this value, since front ends send values repeatedly.
        """
        option = self.find_option(name)
        highest = (cpu_count() or 1) if name == "Threads" else option.high
        value = min(max(value, option.low), highest)
        if value != self.values[name]:
            self.set_value(option, value)

    def clear_memory(self) -> None:
        """Forget what earlier searches found; running and waiting searches keep their tables."""
        self.worker.release(self._memory)
        self._memory = {}

    def forget_random(self) -> None:
        """Restart the random choices from the seed."""
        self._random = None

    def start_helpers(self) -> None:
        """Start new helpers as the options Threads and Hash require, in place of the old ones."""
        self.close()
        self.clear_memory()
        requested, processors = self.values["Threads"], cpu_count() or 1
        if requested > processors:
            notices.report(
                f"Threads: {requested} is more than this machine's {processors} processors"
            )
            self.values["Threads"] = processors
        if self.values["Threads"] > 1:
            from search.threads.team import new_team

            self._team = new_team(self.values["Threads"] - 1, self.values["Hash"])

    def close(self) -> None:
        """End the helper processes."""
        if self._team is not None:
            self._team.close()
            self._team = None

    # ---- the game --------------------------------------------------------------------

    def choose_game(self, name: str) -> None:
        """Switch to another game's start position; raise UnknownGame if its name is unknown."""
        self.game = registry.get(name)
        for option in self.game.options:
            self.values.setdefault(option.name, option.default)
        self.new_game()

    def new_game(self) -> None:
        """Go back to the start position and forget what earlier searches found."""
        self.clear_memory()
        self.to_start()

    # ---- thinking --------------------------------------------------------------------

    def start(
        self,
        limits: Limits,
        on_report: OnReport,
        on_done: OnDone,
        on_trace: Callable[[tuple[Any, ...]], None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Search the position in the search's thread, after the jobs requested before.

        Raises SessionError if the running search is endless and was not stopped.
        on_report(Report, position), then exactly once on_done(Result), are called in that
        thread; they must not change the position.
        options: {name: value} that override the session's options for this search.
        """
        start = perf_counter()
        self._load()
        from random import Random  # these are imported late, since the start-up doesn't need them

        from search.context import Context
        from search.job import SearchJob
        from search.root import deepen
        from search.think import chosen_search

        # Front ends send `go` right after the position, so the clock ran during the setup.
        deadlines = self._deadlines(limits, start - self.setup_seconds)
        self.setup_seconds = 0.0
        position = self.copy_position()
        root_moves = limits.choice(position.playable_moves())
        values = {**self.values, **(options or {})}
        search = chosen_search(position, values)
        helpers = self._team if search is deepen else None
        megabytes = self.values["Hash"]  # size of all tables, shared with the helpers or not
        context = Context(deadlines, values, self._memory, megabytes, root_moves, helpers)
        context.setup = dict(self.for_others(), hash=megabytes)
        context.random = self._random = self._random or Random(self.values.get("Seed") or None)
        context.on_trace = on_trace
        self.worker.add(SearchJob(context, position, search, on_report, on_done))

    def _deadlines(self, limits: Limits, start: float) -> Deadlines:
        """Return the Deadlines of a search of the position; start: when the move's time began."""
        from search.limits import Deadlines

        position = self.position
        pauses = self.worker.pauses
        count = len(self.moves)
        pauses.update()
        overhead = self.values["Move Overhead"] / 1000 + pauses.usual
        on_clock, moves_left = limits.clock_of(position.side), None
        if on_clock is not None:
            moves_left = position.moves_left(count, on_clock, self._memory)
        return Deadlines(
            limits, position.side, overhead, start, pauses.worst, moves_left, count // 2
        )

    def stop(self) -> None:
        """End the running search (or other job) soon; see Worker.stop()."""
        self.worker.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all searches (and other jobs) have answered; return whether they have."""
        return self.worker.wait(seconds)

    def warm_up(self) -> None:
        """Load what the first search of this game needs, before a clock runs.

        Front ends wait for this without starting a clock.  So the time that the last setup took
        isn't deducted from the next move's time.
        """
        self._load()
        self.setup_seconds = 0.0

    def _load(self) -> None:
        if self._loaded == self.game.name or self.worker.searching:
            return
        self._loaded = self.game.name
        warm_up(self.game, self.values)

    def run(
        self,
        work: Callable[[Context], Any],
        on_done: Callable[[Any], None],
        limits: Limits | None = None,
    ) -> None:
        """Run result = work(context) in the search's thread, then on_done(result).

        The result is None if the work was stopped.  This is for perft, the benchmark and the search
        for a mate, which have no best move.  Like a search, the job waits for earlier jobs, can be
        refused (SessionError) and can be stopped.  limits: none by default.
        """
        from search.context import Context
        from search.job import Job
        from search.limits import Deadlines, Limits

        limits = limits or Limits()
        context = Context(Deadlines(limits, 0), dict(self.values), {}, self.values["Hash"])
        self.worker.add(Job(context, work, on_done))
