"""The Universal Chess Interface from a front end's side, for any game, without a pipe.

Conversation holds what is known of the engine and what it does now.  Whoever owns the pipe passes
on what write() is called with and gives the engine's lines to receive().  What takes several lines
(greet, ready, ...) is a generator (Steps, see process.py): it yields the moment until which it
waits for the next line.  The synchronous engine and the asynchronous one are both led by it.
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

        depth: in plies.  mate: in moves.  movetime: of the move.
        clocks, increments: of the first player, then of the second.
        moves_to_go: until more time comes.  searchmoves: the only moves to consider.
        infinite: until stop().  ponder: until ponderhit(), which starts the clock, or stop().
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


PATIENCE = 30.0  # seconds for what an engine answers at once
MOST_OPTIONS = 10_000  # more are no list but a flood
LONGEST_NAME = 200
_COMPLAINT = re.compile(r"info string error: (.*)")


class Search:
    """What a running search has said.

    begun: when it was started, on the clock of time.perf_counter().
    until: when its result is due; None if it has no such time.
    infos: the last Info of each rank that has a score.
    result: the Result, None while it runs.
    """

    def __init__(self, seconds: float | None, waits: bool) -> None:
        self.begun = time.perf_counter()
        self._seconds = seconds
        self.until = None if seconds is None or waits else self.begun + seconds
        self.infos: dict[int, Info] = {}
        self.result: Result | None = None

    def is_due(self, seconds: float | None) -> None:
        """Await the result within so many seconds from now, or None for ever."""
        self.until = None if seconds is None else time.perf_counter() + seconds

    def ponderhit(self) -> None:
        """The clock of a search that pondered begins to run."""
        self.is_due(self._seconds)

    def receive(self, when: float, line: str) -> Info | Result | None:
        """Note a line of the engine, and return what it means."""
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
    """An engine's name and options, and the search that it runs.

    write: sends lines to the engine.  patience: seconds for what it answers at once.
    """

    def __init__(self, write: Callable[..., None], patience: float = PATIENCE) -> None:
        self._write, self.patience = write, patience
        self.name = self.author = ""
        self.options: dict[str, Option] = {}  # by lower-case name
        self.search: Search | None = None  # the one that runs
        self._unready = 0  # `isready` without an answer
        self._complaint = ""

    # ---- the beginning ---------------------------------------------------------------

    def greet(self) -> Steps[None]:
        """Learn the engine's name and options.  Raises Refusal if it speaks no UCI."""
        self._write("uci")
        with self._awaiting("answer") as until:
            while True:
                line = (yield until)[1].strip()
                if line == "uciok":
                    return
                if is_foreign(line, "uci"):
                    raise Refusal(f"speaks no UCI: it answered {line[:60]}")
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
        """Wait until the engine has carried out what it was sent.

        Raises Refusal if it complains of it by an `info string error:`, as Plyglot does.
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

        Raises Refusal if there is no such option, or if it takes no such value: few engines tell.
        """
        option = self.options.get(name.lower())
        if option is None:
            raise Refusal(f"has no option {name}")
        words = f"setoption name {option.name}"
        self._write(words if option.kind == "button" else f"{words} value {option.text(value)}")

    def choose(self, game: str, *aliases: str) -> None:
        """Set the variant; every engine plays chess."""
        option = self.options.get("uci_variant")
        names = (game, *aliases)
        known = () if option is None else option.choices
        name = next((name for name in names if name in known), None)
        if name is not None:
            self.set_option("UCI_Variant", name)
        elif game != "chess":
            raise Refusal(f"does not play {game} by UCI")

    def new_game(self) -> None:
        """What comes belongs to another game."""
        self._write("ucinewgame")

    def position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position that `moves` lead to from `fen`, or from the game's own start."""
        played = " ".join(["", "moves", *moves]) if moves else ""
        self._write(f"position {'startpos' if fen is None else 'fen ' + fen}{played}")

    def go(self, words: Iterable[str], seconds: float | None = None, waits: bool = False) -> Search:
        """Start a search.

        words: what comes after `go` (go_words).  seconds: when its result is due.
        waits: the clock runs from ponderhit() on.
        """
        if self.search is not None:
            raise Refusal("is searching already")
        text = " ".join(["go", *words])
        self.search = Search(seconds, waits)
        self._write(text)
        return self.search

    def stop(self) -> None:
        """End the search that runs; its result comes at once."""
        if self.search is not None:
            self.search.is_due(self.patience)
        self._write("stop")

    def ponderhit(self) -> None:
        """The expected move was played: the search goes on by the clock."""
        if self.search is not None:
            self.search.ponderhit()
        self._write("ponderhit")

    def settle(self) -> Steps[None]:
        """End the search that runs, if any, and wait for that."""
        if self.search is not None:
            self.stop()
            with self._awaiting("bestmove") as until:
                while self.search is not None:
                    self.receive(*(yield until))

    # ---- what comes ------------------------------------------------------------------

    def receive(self, when: float, line: str) -> Info | Result | None:
        """Note a line of the engine, and return what it means for the search."""
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
        """The moment until which an answer has to come, and the error if it does not."""
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
    """The words after `go` for limits (see Limits)."""
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
    """Seconds after which a search within limits is late; None for never."""
    if limits.get("infinite"):
        return None
    clocks = limits.get("clocks") or ()
    times = [clock for clock in (limits.get("movetime"), *clocks) if clock is not None]
    return max(times) + patience if times else None


def check_end(limits: Limits) -> None:
    """Raise ValueError for a search that does not end by itself."""
    if limits.get("infinite") or limits.get("ponder"):
        raise ValueError("go() waits for a search that ends by itself: use search()")


def _milliseconds(seconds: float) -> str:
    return str(max(round(seconds * 1000), 1))


def is_foreign(line: str, *greeting: str) -> bool:
    """Does a program that answers a greeting so not know the protocol?

    Such programs answer by an error of their own, or by the greeting.
    """
    word = line.strip()
    refusals = ("?", "=", "error", "unknown", "illegal move")
    return word.lower().startswith(refusals) or word in greeting
