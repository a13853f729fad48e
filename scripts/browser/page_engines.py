"""The engines of one page.  Each has a role and a thread, and is closed with the page.

If no thread can be started, as in a browser (site.py), work() serves the page's requests.

The engines send events (plain data) to the page:

    {"type": "lines", "role", "ticket", "lines", ...}       the lines found so far, best first
    {"type": "move", "role", "ticket", "move", ...}         the engine's move; null: resignation
    {"type": "failed", "role", "ticket", "error"}           the engine failed, and why
"""

from __future__ import annotations

import contextlib
import math
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plyglot import EngineError, Info
from protocol.records.record import Evaluation
from scripts.arena.client import Client, evaluation_of
from scripts.arena.engines import Participant, open_player
from scripts.browser.review import Review, ReviewStopped
from scripts.browser.watching import Follower
from scripts.pages.fields import GameLine, Wrong
from scripts.pages.notes import named, plain_line, plain_note
from scripts.report.verdicts import read_line
from search.interpreter import start_thread
from search.limits import Limits

ROLES = ("0", "1", "hint", "analysis", "second", "review")
UNSHOWN = ("0", "1")  # roles whose lines the page doesn't show
STOP_GRACE = 3.0  # seconds that an engine has to obey a stop before it is killed
AT_ONCE = Limits(movetime=0.05)  # limits for a request that must be answered at once
PACE = 0.15  # minimum seconds between two events with the output of an engine
OPTIONAL = ("MultiPV", "Threads", "Hash")  # options that not every engine has
LONGEST_LINE = 16  # maximum number of moves shown of a line
ABOUT_AS_GOOD = 0.02  # margin in expected score within which an engine may vary its moves
END = math.inf  # the generation of a closed engine
MAX_EVENTS = 2_000  # a page with this many unread events counts as closed

Event = dict[str, Any]


@dataclass
class SearchRequest:
    """A request for one of the page's engines.

    ticket: a number that the page gives the request, higher than those of all earlier requests.
    engine: the engine's index.  line: the position to search (fields.py).
    limits: the Limits for Client.think().  options: {name: value} for the engine.
    vary: play any move that is about as good as the best.  whole: analyse every position of the
    line, each with `limits`.
    """

    ticket: int
    engine: int
    line: GameLine
    limits: Limits
    options: dict[str, Any]
    vary: bool = False
    whole: bool = False


class PageEngines:
    """The engines of a page, one for each role, and the events that they send.

    engines: descriptions by arguments.read_player.  record: the path of a tournament's record to
    watch, or None.
    """

    def __init__(self, engines: Sequence[Participant], record: str | None = None) -> None:
        self._engines, self._lock = engines, threading.Lock()
        self._running: dict[str, PageEngine] = {}
        self._events: queue.Queue[Event] = queue.Queue(MAX_EVENTS)
        self._follower = None if record is None else Follower(record)
        self.closed = False

    def __getitem__(self, role: str) -> PageEngine:
        """Return the engine of a role; raise Wrong if the page was closed."""
        with self._lock:
            if self.closed:
                raise Wrong("this page has no connection for events: reload it")
            if role not in self._running:
                self._running[role] = PageEngine(role, self._engines, self.send)
            return self._running[role]

    def next_event(self, seconds: float) -> Event | None:
        """Return the next event, or None if none comes within `seconds`."""
        for role, engine in list(self._running.items()):
            if role not in UNSHOWN and engine.reporter is not None:
                engine.reporter.flush()
        if self._events.empty() and self._follower is not None:
            news = self._follower.look()
            if news is not None:
                return news
        try:
            return self._events.get(timeout=seconds)
        except queue.Empty:
            return None

    def work(self) -> None:
        """If engines have no threads, serve all requests, even those that arrive meanwhile."""
        while any([engine.work() for engine in list(self._running.values())]):
            pass

    def send(self, event: Event) -> None:
        """Send an event to the page."""
        try:
            self._events.put_nowait(event)
        except queue.Full:
            self.close()

    def close(self) -> None:
        """Close all engines."""
        with self._lock:
            self.closed = True
            for engine in self._running.values():
                engine.close()


class PageEngine:
    """One engine and its thread; the latest request replaces all earlier ones.

    The generation, a number that never falls, says which requests are still wanted.  A request with
    ticket t is wanted while the generation is at most 2t + 1; while the generation is exactly
    2t + 1, the request must be answered at once.  A stop raises the generation even if the request
    to stop arrives later.  close() raises the generation to END.
    """

    def __init__(
        self, role: str, engines: Sequence[Participant], send: Callable[[Event], None]
    ) -> None:
        self._role, self._engines, self._send = role, engines, send
        self._client: Client | None = None
        self._index: int | None = None  # index of the running engine
        self._set: dict[str, Any] = {}  # options that were set
        self._review: Review | None = None  # the analysis that runs or can be resumed
        self.reporter: Reporter | None = None  # the Reporter of the last search
        self._generation: float = 0
        self._next: SearchRequest | None = None  # the request to serve next
        self._searched: SearchRequest | None = None  # the request that the engine searches
        self._changed = threading.Condition()  # notified when the generation rises
        self._threads = start_thread(self._run)

    def ask(self, request: SearchRequest) -> None:
        """Make this the next request, unless it was stopped or a later request came first."""
        with self._changed:
            if not self._wants(request):
                return
            self._next = request
            self._raise_to(2 * request.ticket)
        self._interrupt()

    def stop(self, ticket: int, move: bool = False) -> None:
        """Stop the request with this ticket, even if it has yet to arrive, and all earlier ones.

        move: answer this request with the best move so far; otherwise it gets no answer.
        """
        with self._changed:
            self._raise_to(2 * ticket + (1 if move else 2))
        self._interrupt()

    def close(self) -> None:
        """Close the engine."""
        with self._changed:
            self._raise_to(END)
        self._interrupt()

    def _raise_to(self, generation: float) -> None:
        self._generation = max(self._generation, generation)
        self._changed.notify()

    def _wants(self, request: SearchRequest) -> bool:
        return self._generation <= 2 * request.ticket + 1

    def _goes_on(self, request: SearchRequest) -> bool:
        return self._generation <= 2 * request.ticket

    def _interrupt(self) -> None:
        """Stop the running search if its request is outdated or must be answered now.

        Kill the engine if the request is outdated and the search goes on for STOP_GRACE seconds.
        """
        client, request = self._client, self._searched
        if client is None or request is None or self._goes_on(request):
            return
        client.move_now()
        if self._threads and not self._wants(request):
            timer = threading.Timer(STOP_GRACE, self._kill, (client, request))
            timer.daemon = True
            timer.start()

    def _kill(self, client: Client, request: SearchRequest) -> None:
        if self._searched is request:
            client.kill()

    def _run(self) -> None:
        while self._generation < END:
            self.work()
            with self._changed:
                self._changed.wait_for(lambda: self._next or self._generation == END)
        self._end(grace=0.3)

    def work(self) -> bool:
        """Serve the next request if one is waiting and still wanted; else return False."""
        with self._changed:
            request, self._next = self._next, None
        if request is None or not self._wants(request):
            return False
        try:
            self._serve(request)
        except EngineError as error:
            self._end(grace=0.0)
            if self._wants(request):
                self._tell(request, type="failed", error=f"{error.kind}: {error}")
        return True

    def _end(self, grace: float) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close(grace)

    def _tell(self, request: SearchRequest, **event: Any) -> None:
        self._send({"role": self._role, "ticket": request.ticket, **event})

    # ---- thinking --------------------------------------------------------------------

    def _serve(self, request: SearchRequest) -> None:
        client = self._open(request)
        self._set_options(client, request.options)
        self._searched = request
        try:
            if not self._wants(request):
                return
            if request.whole:
                self._analyse(client, request)
            else:
                self._think(client, request)
        finally:
            self._searched = None

    def _think(self, client: Client, request: SearchRequest) -> None:
        reporter = Reporter(request, lambda **event: self._tell(request, **event))
        self.reporter = reporter

        def on_info(info: Info) -> None:
            if not self._goes_on(request):
                client.move_now()
            if self._wants(request):
                reporter.take(info)

        limits = request.limits if self._goes_on(request) else AT_ONCE
        answer = client.think(request.line.start, request.line.moves, limits, on_info)
        if self._wants(request):
            reporter.finish()
            self._tell(request, type="move", **reporter.choice(answer.move))

    def _analyse(self, client: Client, request: SearchRequest) -> None:
        """Analyse a whole game, or resume its stopped analysis."""
        line, limits = request.line, request.limits
        if self._review is None or not self._review.is_of(line, limits):
            self._review = Review(line, limits, client)
        with contextlib.suppress(ReviewStopped):  # self._review keeps the results for the next time
            self._review.run(
                client,
                lambda **event: self._tell(request, **event),
                lambda: not self._wants(request),
            )
            self._review = None

    def _set_options(self, client: Client, options: dict[str, Any]) -> None:
        """Set the options that differ from those set before."""
        for name, value in options.items():
            wanted = name.lower() in client.options or name not in OPTIONAL
            if wanted and self._set.get(name, 1 if name == "MultiPV" else None) != value:
                client.set_option(name, value)
                self._set[name] = value

    def _open(self, request: SearchRequest) -> Client:
        """Return a client of the request's engine, started if necessary.

        Restart the engine if it has options set that this request doesn't mention: they would
        have to be reset to their defaults, which not every protocol reports.
        """
        fits = self._index == request.engine and self._set.keys() <= request.options.keys()
        if self._client is not None and fits:
            return self._client
        self._end(grace=0.3)
        client = open_player(self._engines[request.engine])
        self._client, self._index, self._set = client, request.engine, {}
        return client


class Reporter:
    """A converter of one search's output to events, at most one per PACE seconds."""

    def __init__(self, request: SearchRequest, tell: Callable[..., None]) -> None:
        self._position, self._vary = request.line.position, request.vary
        self._tell, self._begun, self._lock = tell, time.perf_counter(), threading.Lock()
        self._lines: dict[int, Info] = {}
        self._nodes: int | None = None
        self._due: float | None = None  # when to send the stored lines

    def take(self, info: Info) -> None:
        """Store an Info for the next event."""
        with self._lock:
            self._nodes = info.nodes or self._nodes
            if info.pv and not (info.bound and info.multipv in self._lines):
                self._lines[info.multipv] = info
                if self._due is None:
                    self._due = time.perf_counter() + PACE

    def flush(self) -> None:
        """Send the stored lines as an event if one is due."""
        due = self._due
        if due is not None and time.perf_counter() >= due:
            self.finish()

    def finish(self) -> None:
        """Send all lines as an event at once, if any line is new since the last event."""
        with self._lock:
            if self._due is None:
                return
            self._due = None
            seconds = time.perf_counter() - self._begun
            speed = None if not self._nodes or seconds < 0.001 else round(self._nodes / seconds)
            lines = [self._plain(info) for _, info in sorted(self._lines.items())]
            self._tell(type="lines", lines=lines, nodes=self._nodes, speed=speed)

    def _plain(self, info: Info) -> dict[str, Any]:
        """Return an Info as the page holds it, with its line up to the first invalid move."""
        line = plain_line(self._position, read_line(self._position, info.pv, LONGEST_LINE))
        return {"rank": info.multipv, **self._note(info), "line": line}

    def choice(self, move: int | None) -> dict[str, str | None]:
        """Return {move, words} of `move`; if moves may vary, of a random move about as good."""
        if move is None:
            return {"move": None, "words": None}
        lines = [info for _, info in sorted(self._lines.items())]
        if self._vary and len(lines) > 1:
            line = read_line(self._position, secrets.choice(self._good(lines)).pv, 1)
            move = line[0] if line else move
        return {**named(self._position, move)}

    def _good(self, lines: Sequence[Info]) -> list[Info]:
        """Return the lines that are about as good as the first.

        They lose at most ABOUT_AS_GOOD of the expected score, and at most one ply of depth.
        """
        shares = [self._note(info)["share"] for info in lines]
        lost = [(shares[0] - share) * (1 - 2 * self._position.side) for share in shares]
        least_depth = (lines[0].depth or 0) - 1
        return [
            info
            for info, each in zip(lines, lost)
            if each <= ABOUT_AS_GOOD and (info.depth or 0) >= least_depth
        ]

    def _note(self, info: Info) -> dict[str, Any]:
        """Return an Info's evaluation as the page holds it."""
        note = evaluation_of(info, self._position.side) or Evaluation(0, depth=info.depth)
        return plain_note(note, self._position)
