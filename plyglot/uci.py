"""UCI as text: an engine's declarations, the words of `go`, and the engine's answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from operator import index
from typing import Optional, TypedDict

from plyglot.errors import Refusal

Clocks = Sequence[Optional[float]]

# MAX_OPTIONS: maximum number of options, in case an engine declares options without end.
# LONGEST_NAME: maximum number of characters to keep of a name or an error message.
# LONGEST_GREETING: maximum number of characters to read of a line that answers the greeting.
MAX_OPTIONS = 10_000
LONGEST_NAME = 200
LONGEST_GREETING = 4096
_EMPTY = "<empty>"

LONGEST_SEARCH = 1e9  # longest time to send, in seconds

MAX_RANKS = 1_000  # highest rank of a line (multipv); a higher one is read as 1

# Word before a number in an info line -> the field of Info.
_NUMBERS = {name: name for name in "depth seldepth multipv nodes nps hashfull tbhits".split()}
_NUMBERS.update(currmovenumber="currmovenumber", cp="score", mate="mate")
# Words that begin the next part of an info line.
_KEYS = {*_NUMBERS, "time", "score", "lowerbound", "upperbound", "pv", "currmove", "wdl", "string"}
# Words that end the variation before them; their own values aren't read.
_KEYS |= {"cpuload", "refutation", "currline"}

# Numbers must be below these limits: larger ones are an engine's fault, and would spoil sums.
_TOO_LARGE = 10**9
_TOO_LARGE_OF = {"mate": 10**6, "nodes": 10**13, "nps": 10**13, "time": 10**13}


# ---- the greeting: the engine's name and options ----------------------------------------


@dataclass(frozen=True)
class Option:
    """An option that an engine declares.

    kind: check, spin, combo, string or button.  default: as a string, None for a button.
    lowest, highest: range of a spin, None if undeclared.  choices: the values of a combo.
    """

    name: str
    kind: str
    default: str | None = None
    lowest: int | None = None
    highest: int | None = None
    choices: tuple[str, ...] = ()

    def text(self, value: object) -> str:
        """Return a value in UCI's form.  Raises Refusal if the option doesn't allow it."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words = ("true", "false") if self.kind == "check" else self.choices
        if words and text.lower() not in map(str.lower, words):
            raise Refusal(f"does not accept {self.name}={text}: it must be {' or '.join(words)}")
        number = parse_number(text)
        low, high = self.lowest, self.highest
        if low is not None and high is not None and (number is None or not low <= number <= high):
            raise Refusal(f"does not accept {self.name}={text}: it must be {low} to {high}")
        if self.kind == "string" and not text:
            return _EMPTY
        return text


@dataclass
class Declaration:
    """The answer of an engine to the greeting of its protocol.

    greeting: the protocol's name, which is sent.  The last line of the answer is this word
        followed by `ok`, such as `uciok`.
    own_game: the game that every engine of the protocol plays by default.
    name, author: as the engine reports them.  options: {lower-case name: Option}.
    complete: has the engine answered in full?
    """

    greeting: str = "uci"
    own_game: str = "chess"
    name: str = ""
    author: str = ""
    options: dict[str, Option] = field(default_factory=dict)
    complete: bool = False

    def read(self, line: str) -> None:
        """Read a line of the answer.  Raises Refusal if the engine doesn't speak the protocol."""
        line = line[:LONGEST_GREETING].strip()
        check_answer(self.greeting, line, self.greeting)
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
        self.complete = line == f"{self.greeting}ok"

    def setting(self, name: str, value: object = None) -> str:
        """Return the line that sets an option, or presses it if it is a button.

        Raises Refusal if there is no such option or the value is invalid: few engines report
        that themselves.
        """
        option = self.options.get(str(name).lower())
        if option is None:
            raise Refusal(f"has no option {name}")
        words = f"setoption name {option.name}"
        return words if option.kind == "button" else f"{words} value {option.text(value)}"

    def choice(self, game: str, *aliases: str) -> list[str]:
        """Return the lines that set UCI_Variant to the first of these names that the option lists.

        If it lists none of them, or there is no such option, own_game needs no lines: return [].
        For any other game, raise Refusal.
        """
        variant = f"{self.greeting}_variant"
        known = self.options[variant].choices if variant in self.options else ()
        for name in (game, *aliases):
            if name in known:
                return [self.setting(variant, name)]
        if game != self.own_game:
            raise Refusal(f"does not play {game} over {self.greeting.upper()}")
        return []


def read_option(line: str) -> Option | None:
    """Return the Option that a line `option name ...` declares, None if it is malformed."""
    head, separator, rest = line.replace("\t", " ").partition(" type ")
    name = " ".join(head.split()[2:])
    kind, _, rest = rest.strip().partition(" ")
    if not (separator and name and kind):
        return None
    if kind == "string":
        text = rest.strip().removeprefix("default").strip()
        return Option(name, kind, "" if text == _EMPTY else text)
    first, *parts = f" {' '.join(rest.split())} ".split(" var ")
    if kind == "combo":
        choices = tuple(part.strip() for part in parts)
        return Option(name, kind, first.strip().removeprefix("default").strip(), choices=choices)
    given = dict(zip(rest.split(), rest.split()[1:]))
    lowest, highest = (parse_number(given.get(bound, "")) for bound in ("min", "max"))
    return Option(name, kind, given.get("default"), lowest, highest)


def parse_number(text: str) -> int | None:
    """Parse an engine's number and drop its fraction; return None if the text isn't a number."""
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return None


def check_answer(protocol: str, line: str, *greeting: str) -> bool:
    """Return True if `line` may belong to the protocol's answer to a greeting; else raise Refusal.

    A program that doesn't know the protocol answers with an error or repeats the greeting.
    greeting: the lines that were sent, except any that an engine of the protocol may repeat.
    """
    word = line.strip()
    refusals = ("?", "=", "error", "unknown", "illegal move")
    if word.lower().startswith(refusals) or word in greeting:
        raise Refusal(f"does not speak {protocol.upper()}: it answered {word[:60]}")
    return True


# ---- go ------------------------------------------------------------------------------


class GoLimits(TypedDict, total=False):
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


def go_words(limits: GoLimits, players: str = "wb") -> list[str]:
    """Return the words after `go` for these limits.

    players: the letters of the first and of the second player's clock.
    Raises TypeError if a limit is unknown, Refusal if its value is invalid.
    """
    for name in limits.keys() - GoLimits.__optional_keys__:
        raise TypeError(f"unknown search limit: {name}")
    words = [word for word in ("ponder", "infinite") if limits.get(word)]
    numbers = {"movetime": _milliseconds(limits.get("movetime"))}
    clocks = _pair("clocks", limits.get("clocks"))
    increments = _pair("increments", limits.get("increments"))
    for letter, clock, increment in zip(players, clocks, increments):
        numbers[f"{letter}time"] = _milliseconds(clock)
        numbers[f"{letter}inc"] = None if clock is None else _milliseconds(increment or None)
    numbers["movestogo"] = limits.get("moves_to_go") or None
    numbers.update(depth=limits.get("depth"), nodes=limits.get("nodes"), mate=limits.get("mate"))
    for word, number in numbers.items():
        words += [] if number is None else [word, _count(word, number)]
    searchmoves = limits.get("searchmoves")
    return words if searchmoves is None else [*words, "searchmoves", *move_texts(searchmoves)]


def due(limits: GoLimits, patience: float) -> float | None:
    """Return the seconds after which a search with these limits is late, None for never."""
    if limits.get("infinite"):
        return None
    clocks = limits.get("clocks") or ()
    times = [clock for clock in (limits.get("movetime"), *clocks) if clock is not None]
    return max(times) + patience if times else None


def move_texts(moves: Iterable[str]) -> list[str]:
    """Return moves as a list.  Raises Refusal if they aren't strings."""
    words = None if isinstance(moves, str) or not isinstance(moves, Iterable) else list(moves)
    if words is None or not all(isinstance(word, str) for word in words):
        raise Refusal(f"can't read these moves: {moves!r:.60} (expected a list of strings)")
    return words


def _pair(name: str, values: Clocks | None) -> Sequence[float | None]:
    """Return the first and the second player's value.  Raises Refusal if there are more."""
    values = () if values is None else values
    if isinstance(values, str) or not isinstance(values, Sequence) or len(values) > 2:
        raise Refusal(f"invalid {name}: {values!r:.60} (expected a pair of times in seconds)")
    return (*values, None, None)[:2]


def _count(name: str, number: int) -> str:
    try:
        return str(index(number))
    except TypeError:
        raise Refusal(f"invalid {name}: {number!r:.60} (expected a whole number)") from None


def _milliseconds(seconds: float | None) -> int | None:
    if seconds is None:
        return None
    check_seconds("time", seconds)
    if abs(seconds) > LONGEST_SEARCH:
        raise Refusal(f"invalid time: {seconds} (expected at most {LONGEST_SEARCH:.0f} seconds)")
    return max(round(seconds * 1000), 1)


def check_seconds(name: str, seconds: float | None) -> None:
    """Raise Refusal if `seconds` is neither a number nor None, or if it is NaN."""
    if seconds is not None and not (isinstance(seconds, Real) and seconds == seconds):
        raise Refusal(f"invalid {name}: {seconds!r:.60} (expected a number of seconds)")


# ---- info and bestmove ---------------------------------------------------------------


@dataclass
class Info:
    """An engine's report during a search; a field is None if the engine doesn't report it.

    depth, seldepth: in plies.  score: in the game's unit (centipawns in chess), for the side to
    move.  mate: in moves of the winner, negative if the side to move loses.  bound: "lower" or
    "upper" if the score is a bound.  wdl: win, draw and loss in thousandths.  pv: a line of best
    play, in the engine's notation.  multipv: the rank of this line, from 1.  seconds: since the
    search began.
    """

    depth: int | None = None
    score: int | None = None
    mate: int | None = None
    nodes: int | None = None
    pv: list[str] = field(default_factory=list)
    multipv: int = 1
    bound: str = ""
    seldepth: int | None = None
    seconds: float | None = None
    nps: int | None = None
    hashfull: int | None = None
    tbhits: int | None = None
    wdl: tuple[int, int, int] | None = None
    currmove: str | None = None
    currmovenumber: int | None = None
    string: str | None = None


@dataclass
class Result:
    """The result of a search.

    move: in the engine's notation; "(none)" if no move is legal.  ponder: the expected reply.
    infos: the latest Info of each rank, the best first.  seconds: from `go` to the answer.
    """

    move: str
    ponder: str | None = None
    infos: list[Info] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        return self.move

    @property
    def best(self) -> Info:
        """Return the Info of the best line, an empty one if the engine reported nothing."""
        return self.infos[0] if self.infos else Info()


def read_number(name: str, text: str) -> int | None:
    """Return the whole number that an engine reports for a field of `info`, such as "nodes".

    Return None if the text isn't a number, or if the number is too large to be true.
    """
    number = parse_number(text)
    limit = _TOO_LARGE_OF.get(name, _TOO_LARGE)
    return number if number is not None and abs(number) < limit else None


def read_info(line: str) -> Info:
    """Return the Info of a line `info ...`; skip whatever is malformed."""
    info, parts = Info(), _parts(line)
    first = {word: words[0] for word, words in parts.items() if words}
    for word in first.keys() & _NUMBERS.keys():
        setattr(info, _NUMBERS[word], read_number(word, first[word]))
    milliseconds = read_number("time", first.get("time", ""))
    info.seconds = None if milliseconds is None else milliseconds / 1000
    numbers = [read_number("wdl", text) for text in parts.get("wdl", ())[:3]]
    known = [number for number in numbers if number is not None]
    if len(known) == 3:
        info.wdl = known[0], known[1], known[2]
    for word in parts.keys() & {"lowerbound", "upperbound"}:
        info.bound = word[:5]
    info.pv = parts.get("pv", [])
    info.currmove = first.get("currmove")
    if "string" in parts:
        info.string = line.partition("string")[2].strip()
    if info.multipv not in range(1, MAX_RANKS + 1):
        info.multipv = 1
    return info


def _parts(line: str) -> dict[str, list[str]]:
    """Return {keyword: the words after it, up to the next keyword} of an info line."""
    parts: dict[str, list[str]] = {}
    words: list[str] = []
    for word in line.split():
        if word in _KEYS:
            words = parts[word] = []
        else:
            words.append(word)
        if word == "string":
            break
    return parts
