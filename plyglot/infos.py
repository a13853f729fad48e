"""The output of a UCI engine's search: its info lines and its result."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyglot.options import parse_number

MAX_RANKS = 1_000  # highest rank of a line (multipv); a higher one is read as 1
_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "currmovenumber")
# Words that begin the next part of an info line.
_KEYS = {*_NUMBERS, "time", "score", "lowerbound", "upperbound", "pv", "currmove", "wdl", "string"}
# The values of these words aren't read, but a variation ends before them.
_KEYS |= {"cpuload", "refutation", "currline"}

# Numbers must be below these limits: larger ones are an engine's fault, and would spoil sums.
_TOO_LARGE = 10**9
_TOO_LARGE_OF = {"mate": 10**6, "nodes": 10**13, "nps": 10**13, "time": 10**13}


@dataclass
class Info:
    """An engine's report during a search; a field is None if the engine doesn't report it.

    depth, seldepth: in plies.  score: in the game's unit (centipawns in chess), for the side to
    move.  mate: in moves of the winner, negative if the side to move loses.  bound: "lower" or
    "upper" if the score is a bound.  wdl: win, draw and loss in thousandths.  pv: the best
    line, in the engine's notation.  multipv: its rank, from 1.  seconds: since the search
    began.
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
    info = Info()
    words = line.split()
    at = 1
    while at < len(words):
        word, at = words[at], at + 1
        if word == "string":
            info.string = line.partition("string")[2].strip()
            break
        rest = words[at : at + 3]
        if word in _NUMBERS and rest:
            setattr(info, word, read_number(word, rest[0]))
        elif word == "time" and rest:
            milliseconds = read_number(word, rest[0])
            info.seconds = None if milliseconds is None else milliseconds / 1000
        elif word == "score" and len(rest) > 1 and rest[0] in ("cp", "mate"):
            name = "mate" if rest[0] == "mate" else "score"
            setattr(info, name, read_number(name, rest[1]))
            at += 2
        elif word in ("lowerbound", "upperbound"):
            info.bound = word[:5]
        elif word == "currmove" and rest:
            info.currmove = rest[0]
        elif word == "wdl" and len(rest) == 3:
            win, draw, loss = (read_number(word, part) for part in rest)
            if win is not None and draw is not None and loss is not None:
                info.wdl = win, draw, loss
        elif word == "pv":
            begin = at
            while at < len(words) and words[at] not in _KEYS:
                at += 1
            info.pv = words[begin:at]
    if not info.multipv or not 0 < info.multipv <= MAX_RANKS:
        info.multipv = 1
    return info
