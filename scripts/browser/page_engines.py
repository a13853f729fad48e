"""The engines of one page.  Each has a role and a thread, and is closed with the page.

If no thread can be started, as in a browser (site.py), work() serves the page's searches.

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
from protocol.moves import variation
from protocol.records.record import Evaluation, Record
from scripts.arena.client import Client, evaluation_of
from scripts.arena.engines import Participant, Slot
from scripts.browser.review import Review, ReviewStopped
from scripts.browser.watching import Follower
from scripts.pages.notes import named, plain_note
from scripts.report.verdicts import read_line
from search.interpreter import start_thread
from search.limits import Limits

SHOWN = ("hint", "analysis", "second")  # roles whose lines the page shows
ROLES = ("0", "1", *SHOWN, "review")
# Seconds that an engine has to obey a stop before it is killed.
STOP_GRACE = 3.0
# Limits for a search that must be answered at once.
AT_ONCE = Limits(movetime=0.05)
# Minimum seconds between two events with the lines of a search.
PACE = 0.15
# Options that not every engine has.
OPTIONAL = ("MultiPV", "Threads", "Hash")
# Maximum number of moves of a line to show.
LONGEST_LINE = 16
# If an engine may vary its moves, a move may lose this much of the expected score.
ABOUT_AS_GOOD = 0.02
# The generation of a closed engine.
END = math.inf

Event = dict[str, Any]


class PageEngines:
    """The engines of a page, one for each role, and the events that they send.

    engines: descriptions by arguments.read_player.  record: the path of a tournament's record to
    watch, or None.
    by_role: {role: PageEngine}.  send(event): sends an event to the page.
    """

    def __init__(self, engines: Sequence[Participant], record: str | None = None) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._follower = None if record is None else Follower(record)
        self.send = self._events.put
        self.by_role = {role: PageEngine(engines) for role in ROLES}
        self.closed = False

    def next_event(self, seconds: float) -> Event | None:
        """Return the next event, or None if none comes within `seconds`."""
        for search in [self.by_role[role].search for role in SHOWN]:
            if search is not None:
                search.flush()
        if self._events.empty() and self._follower is not None:
            news = self._follower.look()
            if news is not None:
                return news
        with contextlib.suppress(queue.Empty):
            return self._events.get(timeout=seconds)
        return None

    def work(self) -> None:
        """If engines have no threads, serve all searches, even those that arrive meanwhile."""
        while any([engine.work() for engine in self.by_role.values()]):
            pass

    def close(self) -> None:
        """Close all engines."""
        self.closed = True
        for engine in self.by_role.values():
            engine.close()


class PageEngine:
    """One engine and its thread; the latest search replaces all earlier ones.

    Each search has a ticket, a number.  The generation, a number that never falls, says which
    searches are still wanted.  A search with ticket t goes on while the generation is at most 2t.
    At 2t + 1 the search must be answered at once.  Above 2t + 1 it gets no answer.  stop() raises
    the generation at once, so it also stops a search that arrives later.  close() raises the
    generation to END.

    search: the Search that is being served, or None.
    """

    def __init__(self, engines: Sequence[Participant]) -> None:
        self._engines = engines
        self._slot = Slot()
        # The analysis that runs or can be resumed.
        self._review: Review | None = None
        self.search: Search | None = None
        self._asked: queue.SimpleQueue[Search | None] = queue.SimpleQueue()  # None ends the thread
        self._generation: float = 0
        self._lock = threading.Lock()
        start_thread(self._run)

    def ask(self, search: Search) -> None:
        """Make this the next search, unless it was stopped or a higher ticket has come already."""
        self._asked.put(search)
        self._raise_to(2 * search.ticket)

    def stop(self, ticket: int, move: bool = False) -> None:
        """Stop the search with this ticket and all earlier ones, even if it has yet to arrive.

        move: whether the stopped search is answered with its best move so far, or not at all.
        """
        self._raise_to(2 * ticket + (1 if move else 2))

    def close(self) -> None:
        """Close the engine."""
        self._raise_to(END)
        self._asked.put(None)

    def _wants(self, search: Search) -> bool:
        return self._generation <= 2 * search.ticket + 1

    def _goes_on(self, search: Search) -> bool:
        return self._generation <= 2 * search.ticket

    def _raise_to(self, generation: float) -> None:
        """Raise the generation; stop the search if it is outdated or must be answered now.

        Kill the engine if the search is outdated and goes on for STOP_GRACE seconds.
        """
        with self._lock:
            self._generation = max(self._generation, generation)
        client, search = self._slot.client, self.search
        if client is None or search is None or self._goes_on(search):
            return
        client.move_now()
        if not self._wants(search):
            start_thread(self._kill, client, search)

    def _kill(self, client: Client, search: Search) -> None:
        time.sleep(STOP_GRACE)
        if self.search is search:
            client.kill()

    def _run(self) -> None:
        for search in iter(self._asked.get, None):
            self._serve(search)
        self._slot.close(grace=0.3)

    def work(self) -> bool:
        """Serve the next search of an engine without a thread; return whether there was one."""
        search = None if self._asked.empty() else self._asked.get()
        if search is not None:
            self._serve(search)
        return search is not None

    def _serve(self, search: Search) -> None:
        """Carry out a search if it is still wanted."""
        if not self._wants(search):
            return
        try:
            client = self._slot.ready(self._engines[search.engine], search.options, OPTIONAL)
            self.search = search
            if search.whole:
                self._analyse(client, search)
            else:
                self._think(client, search)
        except EngineError as error:
            self._slot.close(grace=0.0)
            if self._wants(search):
                search.tell("failed", error=f"{error.kind}: {error}")
        finally:
            self.search = None

    def _think(self, client: Client, search: Search) -> None:
        def on_info(info: Info) -> None:
            if not self._goes_on(search):
                client.move_now()
            search.take(info)

        search.begun = time.perf_counter()
        limits = search.limits if self._goes_on(search) else AT_ONCE
        answer = client.think(search.record.start, search.record.moves, limits, on_info)
        if self._wants(search):
            search.flush(at_once=True)
            search.tell("move", **search.choice(answer.move))

    def _analyse(self, client: Client, search: Search) -> None:
        """Analyse a whole game, or resume its stopped analysis."""
        if self._review is None or not self._review.is_of(search.record, search.limits):
            self._review = Review(search.record, search.limits, client)
        with contextlib.suppress(ReviewStopped):  # self._review resumes at the next call
            self._review.run(client, search.tell, lambda: not self._wants(search))
            self._review = None


@dataclass
class Search:
    """A search that a page asks for; the page gets its lines at most once per PACE seconds.

    send(event): sends an event to the page.
    ticket: a number from the page, higher than the tickets of all earlier searches.
    engine: the engine's index.  record: the game with the position to search at its end.
    limits: the Limits for Client.think().
    options: {name: value, None for the engine's default}.
    vary: play any move that is about as good as the best.  whole: analyse every position of the
    game, each with `limits`.
    begun: when the engine began (perf_counter seconds).
    """

    send: Callable[[Event], None]
    role: str
    ticket: int
    engine: int
    record: Record
    limits: Limits
    options: dict[str, int | None]
    vary: bool = False
    whole: bool = False
    begun: float = 0.0

    def __post_init__(self) -> None:
        self.position = self.record.final()
        self._lines: dict[int, Info] = {}
        self._nodes: int | None = None
        self._due: float | None = None  # when to send the stored lines
        self._lock = threading.Lock()

    def tell(self, type: str, **more: Any) -> None:
        """Send an event about this search."""
        self.send({"type": type, "role": self.role, "ticket": self.ticket, **more})

    def take(self, info: Info) -> None:
        """Store an Info for the next event."""
        with self._lock:
            self._nodes = info.nodes or self._nodes
            if info.pv and not (info.bound and info.multipv in self._lines):
                self._lines[info.multipv] = info
                if self._due is None:
                    self._due = time.perf_counter() + PACE

    def flush(self, at_once: bool = False) -> None:
        """Send all lines in one event if any is new and the event is due.

        at_once: send it even if it isn't due yet.
        """
        now = time.perf_counter()
        with self._lock:
            if self._due is None or (now < self._due and not at_once):
                return
            self._due = None
            seconds = now - self.begun
            speed = None if not self._nodes or seconds < 0.001 else round(self._nodes / seconds)
            lines = [self._plain(info) for _, info in sorted(self._lines.items())]
            self.tell("lines", lines=lines, nodes=self._nodes, speed=speed)

    def _plain(self, info: Info) -> dict[str, Any]:
        """Return an Info as the page holds it, with its line up to the first invalid move."""
        line = variation(self.position, read_line(self.position, info.pv, LONGEST_LINE), named)
        return {**self._note(info), "line": line}

    def choice(self, move: int | None) -> dict[str, str | None]:
        """Return {move, words} of `move` or, if moves may vary, of a random move about as good."""
        if move is None:
            return {"move": None, "words": None}
        lines = [info for _, info in sorted(self._lines.items())]
        if self.vary and len(lines) > 1:
            line = read_line(self.position, secrets.choice(self._good(lines)).pv, 1)
            move = line[0] if line else move
        return {**named(self.position, move)}

    def _good(self, lines: Sequence[Info]) -> list[Info]:
        """Return the lines that are about as good as the first.

        They lose at most ABOUT_AS_GOOD of the expected score, and at most one ply of depth.
        """
        shares = [self._note(info)["share"] for info in lines]
        lost = [(shares[0] - share) * (1 - 2 * self.position.side) for share in shares]
        least_depth = (lines[0].depth or 0) - 1
        return [
            info
            for info, each in zip(lines, lost)
            if each <= ABOUT_AS_GOOD and (info.depth or 0) >= least_depth
        ]

    def _note(self, info: Info) -> dict[str, Any]:
        """Return an Info's evaluation as the page holds it."""
        note = evaluation_of(info, self.position.side) or Evaluation(0, depth=info.depth)
        return plain_note(note, self.position)
