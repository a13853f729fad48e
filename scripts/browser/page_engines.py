"""The engines of one page.  Each has a seat (its role) and a thread, and ends with the page.

A seat sends events (plain data) to the page:

    {"type": "engine", "seat", "name", "skill", "elo"}      the engine runs; skill: does it have
                                                            Skill Level?  elo: its bounds or null
    {"type": "lines", "seat", "ticket", "lines", ...}       its lines up to now, best first
    {"type": "move", "seat", "ticket", "move", ...}         its move; null: it resigns
    {"type": "failed", "seat", "ticket", "error"}           the engine failed, and why
"""

from __future__ import annotations

import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from games.base import Position
from plyglot import EngineError, Info, Refusal
from protocol.records.record import Evaluation
from scripts.arena.client import Client, evaluation_of
from scripts.arena.pool import Player, open_player
from scripts.browser.review import Review, Stopped
from scripts.pages.fields import Line
from scripts.pages.notes import plain_line, plain_note
from scripts.report.verdicts import read_line
from search.limits import Limits

SEATS = ("0", "1", "hint", "analysis", "second", "review")  # roles of a page's engines
STOP_GRACE = 3.0  # seconds to obey a stop before the engine is killed
LATE = 3.0  # seconds beyond the time of a move before the engine is told to move at once
STALL = 20.0  # further seconds before it counts as stalled
PACE = 0.15  # seconds of an engine's output that are gathered into one event
LONGEST_LINE = 16  # moves of a line to show
ABOUT_AS_GOOD = 0.02  # margin in expected score within which an engine may vary its moves
MOST_EVENTS = 2_000  # waiting events after which a page counts as gone


Event = dict[str, Any]


class Job:
    """A request to a seat.

    ticket: the page's number of the request.  engine: the engine's index.  line: the position to
    search (fields.py).  limits: as in Client.think.  options: {name: value} for the engine.
    vary: play any move that is about as good as the best.  whole: analyse the whole line, with
    `limits` for each position.
    """

    def __init__(
        self, ticket: int, engine: int, line: Line, limits: Limits, options: dict[str, Any]
    ) -> None:
        self.ticket, self.engine, self.line, self.limits = ticket, engine, line, limits
        self.options, self.vary, self.whole = options, False, False
        self.now = False  # answer at once with the best move so far?


class PageEngines:
    """The engines of a page, one for each seat (its role).

    engines: descriptions by arguments.read_player.  events: the queue that the page reads.
    """

    def __init__(self, engines: Sequence[Player]) -> None:
        self._engines, self._lock = engines, threading.Lock()
        self._seats: dict[str, Seat] = {}
        self.events: queue.Queue[Event] = queue.Queue(MOST_EVENTS)
        self.closed = False

    def think(self, seat: str, job: Job) -> None:
        """Start a search by the engine of a seat; it replaces the current one."""
        with self._lock:
            if self.closed:
                return
            if seat not in self._seats:
                self._seats[seat] = Seat(seat, self._engines, self._tell)
            self._seats[seat].ask(job)

    def stop(self, seat: str, ticket: int, move: bool = False) -> None:
        """Stop a seat's search.  move: play the best move so far.

        Jobs with a higher ticket go on, since requests may overtake each other on their way.
        """
        with self._lock:
            if seat in self._seats:
                self._seats[seat].stop(ticket, move)

    def _tell(self, event: Event) -> None:
        try:
            self.events.put_nowait(event)
        except queue.Full:
            self.close()

    def close(self) -> None:
        """Close all engines."""
        with self._lock:
            self.closed = True
            for seat in self._seats.values():
                seat.close()


class Seat:
    """One engine and its thread; the latest job replaces all earlier ones."""

    def __init__(self, name: str, engines: Sequence[Player], tell: Callable[..., None]) -> None:
        self._name, self._engines, self._say = name, engines, tell
        self._client: Client | None = None
        self._running: int | None = None  # the running engine's index
        self._set: dict[str, Any] = {}  # options that were set
        self._wanted: Job | None = None
        self._current: Job | None = None
        self._busy: Job | None = None
        self._reviewed: Review | None = None  # running or stopped
        self._leaving = False
        self._oldest = 0  # the lowest valid ticket
        self._changed = threading.Condition()
        threading.Thread(target=self._run, daemon=True).start()

    def ask(self, job: Job) -> None:
        """Replace the current job by `job`, unless a later one has overtaken it."""
        with self._changed:
            if job.ticket < self._oldest:
                return
            self._oldest = job.ticket
            self._wanted = self._current = job
            self._changed.notify()
        self._interrupt()

    def stop(self, ticket: int, move: bool = False) -> None:
        """Stop all jobs up to a ticket; discard their answer unless a move is wanted."""
        with self._changed:
            if ticket < self._oldest:
                return
            self._oldest = ticket + (not move)
            self._wanted = None
            if not move:
                self._current = None
            job = self._current
        if job is None:
            self._interrupt()
        else:
            job.now = True
            self._move_now()

    def close(self) -> None:
        """Close the engine."""
        with self._changed:
            self._leaving, self._wanted, self._current = True, None, None
            self._changed.notify()
        self._interrupt()

    def _move_now(self) -> None:
        client = self._client
        if client is not None:
            client.move_now()

    def _interrupt(self) -> None:
        """Stop the current search; kill the engine if it doesn't obey in STOP_GRACE seconds."""
        client, job = self._client, self._busy
        if job is not None and job is self._current:
            return  # the thread has already begun what was just asked
        self._move_now()
        if client is None or job is None:
            return

        def end() -> None:
            if self._busy is job:
                client.kill()

        timer = threading.Timer(STOP_GRACE, end)
        timer.daemon = True
        timer.start()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._leaving or self._wanted is not None)
                job, self._wanted = self._wanted, None
                if self._leaving or job is None:
                    break
            try:
                if job.whole:
                    self._review(job)
                else:
                    self._think(job)
            except EngineError as error:
                self._end(grace=0.0)
                if self._current is job:
                    self._tell(job, type="failed", error=f"{error.kind}: {error}")
        self._end(grace=0.3)

    def _end(self, grace: float) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close(grace)

    def _tell(self, job: Job, **event: Any) -> None:
        self._say({"seat": self._name, "ticket": job.ticket, **event})

    # ---- thinking --------------------------------------------------------------------

    def _think(self, job: Job) -> None:
        client = self._open(job)
        self._set_options(client, job.options)
        reporter = Reporter(job, lambda **event: self._tell(job, **event))

        def on_info(info: Info) -> None:
            if self._current is not job or job.now:
                client.move_now()
            if self._current is job:
                reporter.take(info)

        if self._current is not job:
            return
        movetime = job.limits.movetime
        due, patience = (None, None) if movetime is None else (movetime + LATE, STALL)
        self._busy = job
        try:
            answer = client.think(
                *job.line.start.for_engine(job.line.moves), job.limits, due, patience, on_info
            )
        finally:
            self._busy = None
        if self._current is job:
            reporter.finish()
            self._tell(job, type="move", **reporter.choice(answer.move), seconds=answer.seconds)

    def _review(self, job: Job) -> None:
        """Analyse a whole game, or resume its stopped analysis."""
        client = self._open(job)
        self._set_options(client, job.options)
        wanted = Review(job.line, job.limits)
        if self._reviewed is None or self._reviewed.key != wanted.key:
            self._reviewed = wanted
        self._busy = job
        try:
            self._reviewed.run(
                client, lambda **event: self._tell(job, **event), lambda: self._current is not job
            )
            self._reviewed = None
        except Stopped:
            pass  # self._reviewed keeps the results for the next time
        finally:
            self._busy = None

    def _set_options(self, client: Client, options: dict[str, Any]) -> None:
        """Set the options that differ from those set before.

        Raises Refusal if the Elo is outside the engine's bounds.
        """
        low, high = getattr(client, "bounds", {}).get("uci_elo", (None, None))
        if low is not None and not low <= options.get("UCI_Elo", low) <= high:
            raise Refusal(f"the Elo must be {low} to {high}, not {options['UCI_Elo']}")
        for name, value in options.items():
            wanted = name.lower() in client.options or name != "MultiPV"
            if wanted and self._set.get(name, 1 if name == "MultiPV" else None) != value:
                client.set_option(name, value)
                self._set[name] = value

    def _open(self, job: Job) -> Client:
        """Return the running client of the job's engine.

        An engine with options set that this job doesn't mention is restarted, since not every
        protocol reports default values.
        """
        fits = self._running == job.engine and self._set.keys() <= job.options.keys()
        if self._client is not None and fits:
            return self._client
        self._end(grace=0.3)
        player = self._engines[job.engine]
        client = open_player(player)
        self._client, self._running, self._set = client, job.engine, {}
        skill, elo = "skill level" in client.options, getattr(client, "bounds", {}).get("uci_elo")
        name = client.name or player["name"]
        self._tell(job, type="engine", name=name, skill=skill, elo=elo)
        return client


class Reporter:
    """A converter of an engine's output to events, no more often than a page can show them.

    position: the searched position.
    """

    def __init__(self, job: Job, tell: Callable[..., None]) -> None:
        self.position, self._vary = job.line.position, job.vary
        self._tell, self._begun, self._lock = tell, time.perf_counter(), threading.Lock()
        self._lines: dict[int, Info] = {}
        self._nodes: int | None = None
        self._timer: threading.Timer | None = None

    def take(self, info: Info) -> None:
        """Store an Info and schedule an event."""
        with self._lock:
            self._nodes = info.nodes or self._nodes
            if info.pv and not (info.bound and info.multipv in self._lines):
                self._lines[info.multipv] = info
                if self._timer is None:
                    self._timer = threading.Timer(PACE, self.finish)
                    self._timer.daemon = True
                    self._timer.start()

    def finish(self) -> None:
        """Send an event about everything stored since the last one."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
                self._report()

    def choice(self, move: int | None) -> dict[str, str | None]:
        """Return {move, words} of the move to play: the engine's, or one about as good."""
        with self._lock:
            lines = [self._lines[rank] for rank in sorted(self._lines)]
        shares = [self._note(info)["share"] for info in lines]
        sign = 1 if self.position.side == 0 else -1
        good = [
            info
            for info, share in zip(lines, shares)
            if sign * (shares[0] - share) <= ABOUT_AS_GOOD
            and (info.depth or 0) >= (lines[0].depth or 0) - 1
        ]
        if self._vary and move is not None and len(good) > 1:
            found = plain_pv(self.position, secrets.choice(good))
            if found:
                return dict(found[0])
        if move is None:
            return {"move": None, "words": None}
        return dict(plain_line(self.position, [move])[0])

    def _report(self) -> None:
        seconds = time.perf_counter() - self._begun
        speed = None if not self._nodes or seconds < 0.001 else round(self._nodes / seconds)
        lines = [
            {"rank": rank, **self._note(info), "line": plain_pv(self.position, info)}
            for rank, info in sorted(self._lines.items())
        ]
        self._tell(type="lines", lines=lines, nodes=self._nodes, speed=speed, seconds=seconds)

    def _note(self, info: Info) -> dict[str, Any]:
        """Return an Info's evaluation as the page holds it."""
        note = evaluation_of(info, self.position.side) or Evaluation(0, depth=info.depth)
        return plain_note(note, self.position)


def plain_pv(position: Position, info: Info) -> list[dict[str, str]]:
    """Return [{move, words}] of an engine's line, up to the first invalid move."""
    return plain_line(position, read_line(position, info.pv, LONGEST_LINE))
