"""UCI's text: reads `go` into Limits, writes options, searches and positions as lines."""

from __future__ import annotations

from itertools import takewhile

from games.base import DEEPEST_PERFT, WIN, MoveError
from games.grid import board_of, cell_width, picture
from games.options import is_whole
from games.registry import hint
from games.texts import squares_of
from protocol import moves
from protocol.base import printable
from protocol.scores import result_of, value_at_end
from search.wdl import mate_moves, wdl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from games.base import Option, Position
    from search.limits import Limits
    from search.report import Report

_COUNTS = ("depth", "nodes", "mate", "movestogo")
_TIMES = ("wtime", "btime", "winc", "binc", "movetime")
_FLAGS = ("infinite", "ponder")
_NUMBERS = (*_COUNTS, *_TIMES, "perft")
_KEYWORDS = frozenset((*_NUMBERS, *_FLAGS, "searchmoves"))
# A search with any of these limits ends by itself.
_BOUNDING = ("depth", "nodes", "mate", "movetime", "wtime", "btime")

_BOUNDS = {"": "", "lower": " lowerbound", "upper": " upperbound"}

# Largest number to accept: Python's recursion and the clock need bounds.  Front ends send far
# smaller numbers.
_LARGEST = 10**15

# Seconds for a search whose limits are all unreadable: the front end waits for an answer.
_INSTEAD = 0.1
# Maximum number of distinct words after `searchmoves` to read: a line may have millions.
_MAX_ROOT_WORDS = 1000


# ---- go ------------------------------------------------------------------------------


class GoRequest:
    """The words after `go`; invalid words don't stop the others from taking effect.

    limits: the Limits of the search, None for `go perft`.
    perft: the depth of `go perft`, None if it is missing or invalid.
    complaints: an error message for each keyword with an invalid number or move, and for the
        first unknown word.
    """

    def __init__(self, words: Sequence[str], position: Position) -> None:
        self._position = position
        self._found: dict[str, int] = {}
        self._moves: list[int] | None = None
        self._faults: dict[str, str] = {}  # keyword -> what is wrong with its number or moves
        self._read(words)
        self.complaints = list(self._faults.values())
        self.perft = self._found.get("perft")
        asks_perft = any(word.lower() == "perft" for word in words[:1])
        self.limits = None if asks_perft or self.perft is not None else self._limits()

    def _read(self, words: Sequence[str]) -> None:
        index = 0
        while index < len(words):
            word = words[index].lower()
            index += 1
            if word in _FLAGS:
                self._found[word] = 1
            elif word not in _NUMBERS:
                rest = list(takewhile(lambda word: word.lower() not in _KEYWORDS, words[index:]))
                index += len(rest)
                if word == "searchmoves":
                    self._read_root_moves(rest)
                else:  # skip an unknown word and all words up to the next keyword
                    fault = f"go: unknown word {printable(word, 40)}{hint(word, _KEYWORDS)}"
                    self._faults.setdefault("unknown", fault)
            elif index == len(words) or words[index].lower() in _KEYWORDS - {"infinite"}:
                self._faults[word] = f"go {word}: expected a number"
            else:
                self._read_number(word, words[index])
                index += 1

    def _read_root_moves(self, words: Sequence[str]) -> None:
        self._moves = self._moves or []
        for word in list(dict.fromkeys(words))[:_MAX_ROOT_WORDS]:
            if word == "0000" and self._position.game.pass_move is None:
                continue  # some front ends send 0000 if no move is legal
            try:
                self._moves.append(moves.read(self._position, word))
            except MoveError:
                fault = f"go searchmoves: {printable(word, 40)} is not a legal move here"
                self._faults.setdefault("searchmoves", fault)

    def _read_number(self, word: str, text: str) -> None:
        """Read a keyword's number: clamp it to its range and drop a fraction.

        Leave the keyword out if the text isn't a number.
        """
        whole, dot, fraction = text.partition(".")
        readable = is_whole(whole) and (fraction or "0").isdigit()
        if dot or not readable:
            self._faults[word] = f'go {word} must be a whole number, not "{printable(text, 40)}"'
        if not readable:
            return
        value = int(whole[:20])
        least = {"movestogo": 0, "perft": 0}.get(word, 1 if word in _COUNTS else -_LARGEST)
        most = DEEPEST_PERFT if word == "perft" else _LARGEST
        if not dot and not least <= value <= most:
            self._faults[word] = f"go {word}: out of range: {printable(text, 40)}"
            if word == "perft":
                return  # perft to another depth would be useless
        self._found[word] = min(max(value, least), most)

    def _limits(self) -> Limits:
        from search.limits import Limits

        found = self._found
        if self._faults and not any(word in found for word in _BOUNDING + _FLAGS):
            found["movetime"] = round(_INSTEAD * 1000)
        return Limits(
            depth=found.get("depth"),
            nodes=found.get("nodes"),
            mate=found.get("mate"),
            movetime=self._seconds("movetime"),
            clocks=(self._seconds("wtime"), self._seconds("btime")),
            increments=(self._seconds("winc") or 0.0, self._seconds("binc") or 0.0),
            moves_to_go=found.get("movestogo") or None,
            moves=self._moves,
            infinite="infinite" in found,
            ponder="ponder" in found,
        )

    def _seconds(self, word: str) -> float | None:
        return max(self._found[word], 0) / 1000 if word in self._found else None


# ---- options -------------------------------------------------------------------------


# Kind of an option -> what follows the kind in its declaration.
_DECLARED: dict[str, Callable[[Option], str]] = {
    "button": lambda option: "",
    "check": lambda option: f" default {str(option.default).lower()}",
    "spin": lambda option: f" default {option.default} min {option.low} max {option.high}",
    "combo": lambda option: " var ".join([f" default {option.default}", *option.choices]),
    "string": lambda option: f" default {option.default or '<empty>'}",
}


def option_line(option: Option) -> str:
    """Return the line that declares an option to UCI."""
    return f"option name {option.name} type {option.kind}{_DECLARED[option.kind](option)}"


# ---- searches ------------------------------------------------------------------------


def score_words(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """Return `cp N`, or `mate N` for N moves of the winner, negative if the side to move loses.

    line: the principal variation of the score.
    """
    mate = mate_moves(score, position, line)
    return f"cp {score}" if mate is None else f"mate {mate}"


def report_line(report: Report, position: Position, show_wdl: bool) -> str:
    """Return the info line of a Report."""
    counters = (
        f"nodes {report.nodes} nps {report.speed} hashfull {report.hashfull} tbhits 0"
        f" time {round(report.seconds * 1000)}"
    )
    line = report.line
    if line is None:
        if report.current is None:
            return f"info {counters}"
        move, number = report.current
        return f"info currmove {moves.drop(position, move)} currmovenumber {number} {counters}"
    score = score_words(line.score, position, line.moves) + _BOUNDS[line.bound]
    if show_wdl:
        score += " wdl {} {} {}".format(*wdl(line.score, position.win_scale()))
    pv = " ".join(moves.variation(position, line.moves, moves.drop))
    return (
        f"info depth {line.depth} seldepth {report.seldepth}"
        f" multipv {line.multipv} score {score} {counters} pv {pv}"
    )


def finished_line(position: Position) -> str:
    """Return the info line for `go` in a finished game."""
    value = value_at_end(position) or 0
    if value <= -WIN:
        return "info depth 0 score mate 0"
    return f"info depth 0 score {'mate 1' if value >= WIN else f'cp {value}'}"


def trace_line(event: tuple[Any, ...]) -> str:
    """Return the info string of an event of a traced tree search."""
    if event[0] == "pruned":
        return " ".join(["info string pruned", *event[1]])
    _, name, alpha, beta = event
    return f"info string visit {name} alpha {_bound(alpha, '-inf')} beta {_bound(beta, 'inf')}"


def _bound(value: int | None, open_end: str) -> str:
    if value is None:
        return open_end
    return "W" if value == WIN else "L" if value == -WIN else str(value)


# ---- positions -----------------------------------------------------------------------


def boxed_board(position: Position) -> list[str]:
    """Return the board in Stockfish's drawing, from which its clients read the pieces."""
    rows, squares = board_of(position), squares_of(position)
    wide = cell_width(rows)
    rule, lines = " +" + ("-" * (wide + 2) + "+") * len(rows[0]), []
    for label, row in reversed(list(zip(squares.row_labels, rows))):
        cells = "".join(f" {'' if cell == '.' else cell:>{wide}} |" for cell in row)
        lines += [rule, f" |{cells} {label}"]
    columns = (f" {label:>{wide}}  " for label in squares.column_labels)
    return [*lines, rule, "  " + "".join(columns).rstrip()]


def evaluation_lines(value: int, position: Position) -> list[str]:
    """Return the last lines of the answer to `eval`; games with check get Stockfish's form.

    value: for the side to move.
    """
    line, checkers = f"Evaluation: {value}", position.checkers()
    if checkers is None:
        return [line]
    if checkers:
        return ["Final evaluation: none (in check)", line]
    shown = f"{(-value if position.side else value) / 100:+.2f}"
    return [f"Final evaluation       {shown} (white side)", line]


def flipped(fen: str) -> str:
    """Return the FEN of the same chess position with the colours exchanged."""
    rows, side, rights, square, *counters = fen.split()
    rows = "/".join(reversed(rows.split("/"))).swapcase()
    square = square.translate(str.maketrans("36", "63"))
    return " ".join([rows, "b" if side == "w" else "w", rights.swapcase(), square, *counters])


def display(position: Position) -> list[str]:
    """Return the lines of `d`."""
    legal = " ".join(moves.drop(position, move) for move in position.legal_moves())
    outcome = position.outcome()
    result = "*" if outcome is None else f"{result_of(outcome.winner)} {outcome.reason}"
    checkers = position.checkers()
    names = map(squares_of(position).name, checkers or ())
    texts = {"Fen": position.fairy_text(), position.game.text_name: position.text()}
    if len(set(texts.values())) == 1:
        texts.popitem()
    return [
        *(picture(position) if checkers is None else boxed_board(position)),
        *position.notes(),
        "",
        *[f"{name}: {text}" for name, text in texts.items()],
        f"Key: {position.key:016X}",
        f"Moves: {legal}".rstrip(),
        f"Result: {result}",
        *([] if checkers is None else [" ".join(["Checkers:", *names])]),
    ]
