"""The front end's side of the Universal Chess Interface, for any game, without I/O.

A Conversation holds the state of the engine.  The owner of the pipe sends the lines that it
passes to write() and gives the engine's lines to receive().  Exchanges of several lines (greet,
ready, ...) are coroutines that await them, so the synchronous and the asynchronous engine share
them: at_once() runs a coroutine whose read() blocks.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from plyglot.errors import EngineError, Flood, Refusal, Stall
from plyglot.infos import Info, Result, read_info
from plyglot.options import Option, read_option

if TYPE_CHECKING:
    from plyglot.lines import Stamped

    Clocks = Sequence[float | None]
    # read(until): awaits the next line, as Process.read() does.
    Read = Callable[[float | None], Awaitable[Stamped]]

Value = TypeVar("Value")


class Limits(TypedDict, total=False):
    """The limits of a search, all optional.  Times are in seconds.

    depth: in plies.  mate: in moves.  movetime: time for this move.
    clocks, increments: for the first player, then the second.
    moves_to_go: moves until the next time control.  searchmoves: the only moves to consider.
    infinite: search until stop().
    ponder: search until stop() or ponderhit(), which starts the clock.
    """

    depth: int | None
    nodes: int | None
    mate: int | None
    movetime: float | None
    clocks: Clocks
    increments: Clocks
    moves_to_go: int | None
    searchmoves: Sequence[str] | None
    infinite: bool
    ponder: bool


PATIENCE = 30.0  # seconds to wait for an answer that needs no search
MAX_OPTIONS = 10_000  # an engine with more is writing without end
LONGEST_NAME = 200
LONGEST_GREETING = 4096  # characters to read of each line that answers the greeting
LONGEST_SEARCH = 1e9  # seconds; more is not a time
_COMPLAINT = re.compile(r"info string error: (.*)")


def at_once(work: Coroutine[Any, Any, Value]) -> Value:
    """Run a coroutine that never suspends and return its result."""
    try:
        work.send(None)
    except StopIteration as done:
        value: Value = done.value
        return value
    raise RuntimeError("the coroutine waits for an event loop")


class Search:
    """A search of an engine.

    seconds: time until its deadline, None for no deadline.
    waits: does ponderhit() start the clock?
    until: the deadline on time.perf_counter()'s clock.  result: the Result, None while it runs.
    """

    def __init__(
        self, uci: Conversation, seconds: float | None = None, waits: bool = False
    ) -> None:
        self._uci, self._seconds = uci, seconds
        self._begun = time.perf_counter()
        self.until = None if seconds is None or waits else self._begun + seconds
        self._infos: dict[int, Info] = {}  # the latest with a score, by rank
        self.result: Result | None = None

    @property
    def infos(self) -> list[Info]:
        """Return the latest Info of each line, best first."""
        return [self._infos[rank] for rank in sorted(self._infos)]

    @property
    def running(self) -> bool:
        """Is this search still running?"""
        return self._uci.search is self

    def stop(self) -> None:
        """Stop the search, which then returns its result at once.  Any thread may call it."""
        if self.running:
            with contextlib.suppress(EngineError):  # the engine has ended: the next read reports it
                self._uci.stop()

    def ponderhit(self) -> None:
        """Tell a search that ponders that the expected move was played: its clock starts."""
        if self.running:
            if self._seconds is not None:
                self.until = time.perf_counter() + self._seconds
            self._uci.ponderhit()

    async def next_event(self) -> Info | Result | None:
        """Await a line of the engine and return its meaning.

        If the line is late, stop the search and raise Stall; the engine can still be used.
        The search stops, too, if the wait for it is interrupted or cancelled.
        """
        try:
            return self._uci.receive(*await self._uci.read(self.until))
        except Refusal:  # another task waits for this search
            raise
        except BaseException as error:
            self.stop()
            if isinstance(error, Stall) and not isinstance(error, Flood):
                seconds = time.perf_counter() - self._begun
                raise Stall(f"no bestmove in {seconds:.1f} s") from None
            raise

    async def end(self, on_info: Callable[[Info], object] | None = None) -> Result:
        """Await the end of the search and return its Result.

        on_info: called with each Info when it arrives.
        """
        while self.running:
            event = await self.next_event()
            if on_info is not None and isinstance(event, Info):
                on_info(event)
        if self.result is None:
            raise Refusal("ended this search for another command")
        return self.result

    def take(self, when: float, line: str, on_info: Callable[[Info], object] | None) -> None:
        """Take a line of the engine that comes while end(on_info) waits."""
        event = self._uci.receive(when, line)
        if on_info is not None and isinstance(event, Info):
            on_info(event)

    def receive(self, when: float, line: str) -> Info | Result | None:
        """Record a line of the engine and return its meaning."""
        words = line.split()
        if words[:1] == ["bestmove"]:
            ponder = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None
            move = words[1] if len(words) > 1 else ""
            self.result = Result(move, ponder, self.infos, when - self._begun)
            return self.result
        if words[:1] != ["info"]:
            return None
        info = read_info(line)
        if info.score is not None or info.mate is not None:
            self._infos[info.multipv] = info
        return info


class Conversation:
    """The state of an engine: its name, its options and its search.

    write: called to send lines.  read(until): awaits the next line, as Process.read() does.
    patience: seconds to wait for an answer that needs no search.
    """

    def __init__(self, write: Callable[..., None], read: Read, patience: float = PATIENCE) -> None:
        self._write, self.read, self.patience = write, read, patience
        self.name = self.author = ""
        self.options: dict[str, Option] = {}  # by lower-case name
        self.search: Search | None = None  # the running search
        self._unready = 0  # number of unanswered `isready`
        self._complaint = ""
        self.greeted = False  # has it answered the greeting in full?
        self.refused = ""  # why there is no position to search, if the last one was refused

    # ---- the beginning ---------------------------------------------------------------

    async def greet(self) -> None:
        """Read the engine's name and options.  Raises Refusal if it doesn't speak UCI."""
        self._write("uci")
        with self._awaiting("answer") as until:
            while not self.greeted:
                line = (await self.read(until))[1][:LONGEST_GREETING].strip()
                self.greeted = line == "uciok"
                if is_foreign(line, "uci"):
                    raise Refusal(f"does not speak UCI: it answered {line[:60]}")
                self._read_greeting(line)

    def _read_greeting(self, line: str) -> None:
        words = line.split()
        if words[:2] == ["id", "name"]:
            self.name = " ".join(words[2:])[:LONGEST_NAME]
        elif words[:2] == ["id", "author"]:
            self.author = " ".join(words[2:])[:LONGEST_NAME]
        elif words[:1] == ["option"]:
            option = read_option(line)
            if option is not None:
                self.options[option.name.lower()] = option
            if len(self.options) > MAX_OPTIONS:
                raise Refusal(f"has more than {MAX_OPTIONS:,} options")

    async def ready(self) -> None:
        """Wait until the engine has carried out all commands.

        Raises Refusal if it reports an `info string error:`, as Plyglot does.
        """
        self._complaint = ""
        self._unready += 1
        self._write("isready")
        with self._awaiting("readyok") as until:
            while self._unready:
                self.receive(*await self.read(until))
        if self._complaint:
            raise Refusal(self._complaint)

    async def set_up(self, fen: str | None, moves: Sequence[str]) -> None:
        """Set the position and wait until it is set; no search begins after one that is refused."""
        try:
            self.position(fen, moves)
            await self.ready()
        except EngineError as error:
            self.refused = str(error)
            raise
        self.refused = ""

    # ---- commands --------------------------------------------------------------------

    def set_option(self, name: str, value: object = None) -> None:
        """Set an option, or press it if it is a button.

        Raises Refusal if there is no such option or the value is invalid, since few engines
        report it.
        """
        option = self.options.get(name.lower())
        if option is None:
            raise Refusal(f"has no option {name}")
        words = f"setoption name {option.name}"
        self._write(words if option.kind == "button" else f"{words} value {option.text(value)}")

    def choose(self, game: str, *aliases: str) -> None:
        """Set the variant; chess needs none.  Raises Refusal if the engine doesn't declare it."""
        option = self.options.get("uci_variant")
        names = (game, *aliases)
        known = () if option is None else option.choices
        name = next((name for name in names if name in known), None)
        if name is not None:
            self.set_option("UCI_Variant", name)
        elif game != "chess":
            raise Refusal(f"does not play {game} by UCI")

    def new_game(self) -> None:
        """Tell the engine that the next position belongs to a new game."""
        self._write("ucinewgame")

    def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position after `moves` from `fen`, by default from the game's start."""
        played = " ".join(["", "moves", *moves]) if moves else ""
        self._write(f"position {'startpos' if fen is None else 'fen ' + fen}{played}")

    def go(self, words: Iterable[str], search: Search | None = None) -> Search:
        """Start a search and return it.

        words: the words after `go` (go_words).  search: a new one without a deadline by default.
        """
        if self.search is not None:
            raise Refusal("is searching already")
        if self.refused:
            raise Refusal(f"has no position to search: {self.refused}")
        self._write(" ".join(["go", *words]))
        self.search = search or Search(self)
        return self.search

    def stop(self) -> None:
        """Stop the running search, which then returns its result at once."""
        if self.search is not None:
            self.search.until = time.perf_counter() + self.patience
        self._write("stop")

    def ponderhit(self) -> None:
        """Tell the engine that the expected move was played: the clock starts."""
        self._write("ponderhit")

    async def settle(self) -> None:
        """Stop the running search, if any, and wait for its end."""
        if self.search is not None:
            self.stop()
            with self._awaiting("bestmove") as until:
                while self.search is not None:
                    self.receive(*await self.read(until))

    # ---- the engine's lines ----------------------------------------------------------

    def receive(self, when: float, line: str) -> Info | Result | None:
        """Record a line of the engine and return its meaning for the search."""
        if line.strip() == "readyok":
            self._unready = max(self._unready - 1, 0)
            return None
        complaint = _COMPLAINT.match(line)
        if complaint and not self._complaint:
            self._complaint = complaint[1][:LONGEST_NAME]
        if self.search is None:
            return None
        event = self.search.receive(when, line)
        if isinstance(event, Result):
            self.search = None
        return event

    @contextlib.contextmanager
    def _awaiting(self, answer: str) -> Iterator[float]:
        """Yield the deadline of an answer; name the answer in the error if it is missed."""
        try:
            yield time.perf_counter() + self.patience
        except Flood:
            raise
        except Stall:
            raise Stall(f"no {answer} in {self.patience:g} s") from None


def go_words(limits: Limits) -> list[str]:
    """Return the words after `go`.

    Raises TypeError if a limit is none of those in Limits, Refusal if a time is not one.
    """
    for name in limits.keys() - Limits.__optional_keys__:
        raise TypeError(f"unknown limit of a search: {name}")
    words = [word for word in ("ponder", "infinite") if limits.get(word)]
    numbers: dict[str, int | str | None] = {"movetime": _milliseconds(limits.get("movetime"))}
    clocks, increments = limits.get("clocks", ()), limits.get("increments", ())
    for letter, clock, increment in zip_longest("wb", clocks, increments):
        numbers[f"{letter}time"] = _milliseconds(clock)
        numbers[f"{letter}inc"] = None if clock is None else _milliseconds(increment or None)
    numbers["movestogo"] = limits.get("moves_to_go") or None
    numbers.update(depth=limits.get("depth"), nodes=limits.get("nodes"), mate=limits.get("mate"))
    for word, number in numbers.items():
        words += [] if number is None else [word, str(number)]
    searchmoves = limits.get("searchmoves")
    return words + ([] if searchmoves is None else ["searchmoves", *searchmoves])


def due(limits: Limits, patience: float) -> float | None:
    """Return the seconds after which a search with these limits is late, None for never."""
    if limits.get("infinite"):
        return None
    clocks = limits.get("clocks") or ()
    times = [clock for clock in (limits.get("movetime"), *clocks) if clock is not None]
    return max(times) + patience if times else None


def check_end(limits: Limits) -> None:
    """Raise ValueError if a search doesn't end by itself."""
    if limits.get("infinite") or limits.get("ponder"):
        raise ValueError("go() waits for a search that ends by itself: use search()")


def _milliseconds(seconds: float | None) -> int | None:
    if seconds is None:
        return None
    if not abs(seconds) <= LONGEST_SEARCH:  # NaN, too
        raise Refusal(f"can't search by a clock of {seconds} seconds")
    return max(round(seconds * 1000), 1)


def is_foreign(line: str, *greeting: str) -> bool:
    """Does this answer to a greeting show that the program doesn't know the protocol?

    Such programs answer with an error of their own or repeat the greeting.
    """
    word = line.strip()
    refusals = ("?", "=", "error", "unknown", "illegal move")
    return word.lower().startswith(refusals) or word in greeting
