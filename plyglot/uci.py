"""The front end's side of the Universal Chess Interface, for any game, without I/O.

A Conversation holds the state of the engine.  The owner of the pipe sends the lines that it
passes to write() and gives the engine's lines to receive().  Exchanges of several lines (greet,
ready, ...) are generators (Steps, see process.py) that yield the deadline for the next line, so
the synchronous and the asynchronous engine share them.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from plyglot.errors import Flood, Refusal, Stall
from plyglot.infos import Info, Result, read_info
from plyglot.options import Option, read_option
from plyglot.process import Steps

if TYPE_CHECKING:
    from typing_extensions import TypedDict

    Clocks = Sequence[float | None]

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
MOST_OPTIONS = 10_000  # an engine with more is writing without end
LONGEST_NAME = 200
_COMPLAINT = re.compile(r"info string error: (.*)")


class Search:
    """The state of a search.  Times are on time.perf_counter()'s clock.

    begun: time of its start.  until: deadline of its result, None for no deadline.
    infos: the latest Info with a score, by rank.
    result: the Result, None while it runs.
    """

    def __init__(self, seconds: float | None, waits: bool) -> None:
        self.begun = time.perf_counter()
        self._seconds = seconds
        self.until = None if seconds is None or waits else self.begun + seconds
        self.infos: dict[int, Info] = {}
        self.result: Result | None = None

    def is_due(self, seconds: float | None) -> None:
        """Set the deadline: seconds from now, None for no deadline."""
        self.until = None if seconds is None else time.perf_counter() + seconds

    def ponderhit(self) -> None:
        """Start the clock of a search that ponders."""
        self.is_due(self._seconds)

    def receive(self, when: float, line: str) -> Info | Result | None:
        """Record a line of the engine and return its meaning."""
        words = line.split()
        if words[:1] == ["bestmove"]:
            ponder = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None
            infos = [self.infos[rank] for rank in sorted(self.infos)]
            self.result = Result(
                words[1] if len(words) > 1 else "", ponder, infos, when - self.begun
            )
            return self.result
        if words[:1] != ["info"]:
            return None
        info = read_info(line)
        if info.score is not None or info.mate is not None:
            self.infos[info.multipv] = info
        return info


class Conversation:
    """The state of an engine: its name, its options and its search.

    write: called to send lines.  patience: seconds to wait for an answer that needs no search.
    """

    def __init__(self, write: Callable[..., None], patience: float = PATIENCE) -> None:
        self._write, self.patience = write, patience
        self.name = self.author = ""
        self.options: dict[str, Option] = {}  # by lower-case name
        self.search: Search | None = None  # the running search
        self._unready = 0  # number of unanswered `isready`
        self._complaint = ""

    # ---- the beginning ---------------------------------------------------------------

    def greet(self) -> Steps[None]:
        """Read the engine's name and options.  Raises Refusal if it doesn't speak UCI."""
        self._write("uci")
        with self._awaiting("answer") as until:
            while True:
                line = (yield until)[1].strip()
                if line == "uciok":
                    return
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
            if len(self.options) > MOST_OPTIONS:
                raise Refusal(f"has more than {MOST_OPTIONS:,} options")

    def ready(self) -> Steps[None]:
        """Wait until the engine has carried out all commands.

        Raises Refusal if it reports an `info string error:`, as Plyglot does.
        """
        self._complaint = ""
        self._unready += 1
        self._write("isready")
        with self._awaiting("readyok") as until:
            while self._unready:
                self.receive(*(yield until))
        if self._complaint:
            raise Refusal(self._complaint)

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

    def go(self, words: Iterable[str], seconds: float | None = None, waits: bool = False) -> Search:
        """Start a search.

        words: the words after `go` (go_words).  seconds: time until its deadline.
        waits: does ponderhit() start the clock?
        """
        if self.search is not None:
            raise Refusal("is searching already")
        text = " ".join(["go", *words])
        self.search = Search(seconds, waits)
        self._write(text)
        return self.search

    def stop(self) -> None:
        """Stop the running search, which then returns its result at once."""
        if self.search is not None:
            self.search.is_due(self.patience)
        self._write("stop")

    def ponderhit(self) -> None:
        """Tell the engine that the expected move was played: the clock starts."""
        if self.search is not None:
            self.search.ponderhit()
        self._write("ponderhit")

    def settle(self) -> Steps[None]:
        """Stop the running search, if any, and wait for its end."""
        if self.search is not None:
            self.stop()
            with self._awaiting("bestmove") as until:
                while self.search is not None:
                    self.receive(*(yield until))

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


def go_words(
    *,
    depth: int | None = None,
    nodes: int | None = None,
    mate: int | None = None,
    movetime: float | None = None,
    clocks: Clocks = (),
    increments: Clocks = (),
    moves_to_go: int | None = None,
    searchmoves: Sequence[str] | None = None,
    infinite: bool = False,
    ponder: bool = False,
) -> list[str]:
    """Return the words after `go` for limits (see Limits)."""
    words = ["ponder"] * ponder + ["infinite"] * infinite
    if movetime is not None:
        words += ["movetime", _milliseconds(movetime)]
    for letter, clock, increment in zip("wb", clocks, [*increments, None, None]):
        if clock is not None:
            words += [f"{letter}time", _milliseconds(clock)]
            words += [f"{letter}inc", _milliseconds(increment)] if increment else []
    if moves_to_go:
        words += ["movestogo", str(moves_to_go)]
    for name, value in (("depth", depth), ("nodes", nodes), ("mate", mate)):
        words += [] if value is None else [name, str(value)]
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


def _milliseconds(seconds: float) -> str:
    return str(max(round(seconds * 1000), 1))


def is_foreign(line: str, *greeting: str) -> bool:
    """Does this answer to a greeting show that the program doesn't know the protocol?

    Such programs answer with an error of their own or repeat the greeting.
    """
    word = line.strip()
    refusals = ("?", "=", "error", "unknown", "illegal move")
    return word.lower().startswith(refusals) or word in greeting
