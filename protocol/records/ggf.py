"""GGF, the Generic Game Format of NBoard and the Othello servers.

    (;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---...O*... *]B[F5//1.2]W[D6/0.5]B[PA];)

In BO `*` is Black, `O` White, `-` empty, row 1 first; the last character is the side to
move.  A move may be followed by its evaluation in discs, for the player who moves, and by
its time in seconds.  GGF has no properties for comments, marks and variations.  They follow
the move in properties of our own, which other programs ignore: C[comment], MA[mark],
VA[B[..]W[..]…], a line that could have been played instead, with every `]` in it escaped,
and EVAL[..] and EMT[..], an evaluation (with its depth) and a time as in an SGF.
http://www.skatgame.net/mburo/ggsa/ggf
"""

from __future__ import annotations

import re

from games.base import GameError, PositionError
from protocol.moves import read as read_move
from protocol.records.builder import Builder
from protocol.records.record import (
    MARKS,
    Evaluation,
    Record,
    RecordError,
    Start,
    name_headers,
    plain_seconds,
    read_seconds,
    shown,
    walk,
)
from protocol.records.sgf_text import (
    OWN,
    is_name,
    own_property,
    property_text,
    root_text,
    take_result,
    tokens,
    values_of,
)
from protocol.records.sgf_text import split as split
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Position
    from protocol.records.record import Line, Said, Step

    # (name, values, offset in the text) of a property; the name of a bracket is the bracket
    _Item = tuple[str, list[str], int]

_SIZE = "8"
_COLOURS = ("B", "W")
_CLOCKS = {"TI": (0, 1), "TB": (0,), "TW": (1,)}  # whose clocks a property sets
_ROOT = ("GM", "PB", "PW", "BO")
_OF_MOVES = (*_ROOT, *_COLOURS, "C", "MA", "VA")
_GAME = re.compile(r"\(\s*;")
_NAG = re.compile(r"\$0*([1-9][0-9]{0,2})")
_NUMBER = re.compile(r"(#?)([+-]?)(\d[\d.]*)")


# ---- reading -------------------------------------------------------------------------


def _properties(text: str, at: int = 0) -> tuple[list[_Item], RecordError | None]:
    """Return (properties and brackets from `at` on, the error that ended them early or None)."""
    found: list[_Item] = []
    depth = 0
    try:
        for name, value, offset in tokens(text, at):
            depth += {"(": 1, ")": -1}.get(name, 0)
            if name == ";" or depth < 0:
                break
            if found and found[-1][0] == name and name not in "()":
                found[-1][1].append(value)
            else:
                found.append((name, [value], offset))
    except RecordError as error:
        return found, error
    return found, None


def read(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a game; raise RecordError if no part of it is readable."""
    items, fault = _properties(text, text.index(";") + 1)
    record = Record(_start(items))
    first = {name: values[0] for name, values, _ in reversed(items)}
    record.players = (first.get("PB", ""), first.get("PW", ""))
    builder = Builder(record, read_move)
    _read_line(builder, iter(items))
    if fault is not None:
        builder.fail(fault)
    result = take_result(record, _read_result)
    record.tags = name_headers(record.tags, "ggf")
    return builder.finish(result)


def read_game(text: str) -> tuple[Record, Clocks]:
    """Return the Record of a whole game and its Clocks; raise PositionError if it isn't one."""
    if _GAME.match(text.strip()) is None:
        raise PositionError(text, "is not a GGF game, which begins with (;")
    try:
        record = read(text)
    except RecordError as error:
        raise PositionError("", str(error)) from None
    if record.fault is not None:
        raise PositionError("", str(record.fault))
    if not text.rstrip().endswith(")"):
        raise PositionError(text, "is an unclosed game: expected ;) at the end")
    return record, Clocks(record)


class Clocks:
    """The clocks of both players, Black's first.

    left: seconds, None for a player without a clock.  increments: seconds per move.
    """

    def __init__(self, record: Record) -> None:
        """Read the clocks at the end of a game."""
        self.left: list[float | None] = [None, None]
        self.increments = [0.0, 0.0]
        self._extensions = [0.0, 0.0]  # seconds, once, for a player whose time is up
        for name, sides in _CLOCKS.items():
            for text in values_of(record, name)[-1:]:
                for side in sides:
                    self._set(side, text)
        for step, (position, _) in zip(record.line, record.positions()):
            if not step.implied:
                self.move(position.side, step.said.get("emt", [""])[0])

    def _set(self, side: int, text: str) -> None:
        """Set a player's clock to time/increment/extension; without a time there is none."""
        parts = [read_seconds(part) or 0.0 for part in text.split("/")]
        time, self.increments[side], self._extensions[side], *_ = *parts, 0.0, 0.0
        self.left[side] = time or self.increments[side] or None

    def move(self, side: int, text: str) -> None:
        """Subtract the time of a player's move, if known, and add the increment."""
        left = self.left[side]
        if left is None:
            return
        left -= read_seconds(text) or 0.0
        if left < 0:
            left = max(left + self._extensions[side], 0.0)
            self._extensions[side] = 0.0
        self.left[side] = left + self.increments[side]


def _start(items: list[_Item]) -> Start:
    text = None
    for name, values, _ in items:
        if name == "GM" and values[0].strip().lower() != "othello":
            raise RecordError(f"GM[{shown(values[0])}] is not Othello")
        if name == "BO":
            text = _read_board(values[0])
    if text is None:
        raise RecordError("the game has no start position BO[...]")
    try:
        text = Start("othello", text).position().text()
    except GameError as error:
        raise RecordError(f"the start position: {error}") from None
    return Start("othello", None if text == Start("othello").position().text() else text)


def _read_board(value: str) -> str:
    """Return the board `8 ---…--- *` as 64 cells, a space and the side."""
    size, _, rest = value.strip().partition(" ")
    cells = "".join(rest.split())
    if size != _SIZE or len(cells) != 65:
        raise RecordError(f"BO[{shown(value)}] is not an 8x8 board and a side to move")
    return f"{cells[:64]} {cells[64]}"


def _read_result(text: str) -> str | None:
    """Return the result of RE: Black's lead in discs, with :t (time) or :r (resigned) or bare."""
    try:
        lead = float(text.split(":")[0])
    except ValueError:
        return "*" if text.strip() else None
    return "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2" if lead == 0 else "*"


def _read_line(builder: Builder, items: Iterator[_Item]) -> None:
    """Read a line up to the bracket that closes it."""
    for name, values, offset in items:
        if name == ")":
            return
        try:
            if name == "(":
                _read_variation(builder, items)
            elif name in _COLOURS:
                for value in values:
                    _read_move(builder, _COLOURS.index(name), value)
            else:
                _read_property(builder, name, values)
        except RecordError as error:
            builder.fail(error, offset)
            if name in _COLOURS:
                _skip(items)
                return


def _read_variation(builder: Builder, items: Iterator[_Item]) -> None:
    """Read a variation of the last move."""
    try:
        builder.open()
    except RecordError:
        _skip(items)
        raise
    _read_line(builder, items)
    builder.close()


def _read_move(builder: Builder, side: int, value: str) -> None:
    text, evaluation, seconds = parts_of(value)
    step = builder.play(text, side)
    for name, said in (("eval", _turned(evaluation, side)), ("emt", plain_seconds(seconds))):
        if said:
            step.said[name] = [said]


def _read_property(builder: Builder, name: str, values: list[str]) -> None:
    """Keep a property of the game or of the last move."""
    if name == "C":
        for value in values:
            builder.remark(value)
    elif not (builder.line or builder.depth):
        if name not in _ROOT and (name, values) != ("TY", [_SIZE]):
            builder.record.keep(name, values)
    elif name in _ROOT:
        raise RecordError("another game begins before this one is closed")
    elif name == "VA":
        for value in values:
            inner, fault = _properties(value)
            _read_variation(builder, iter(inner))
            if fault is not None:
                raise fault
    elif name in OWN and builder.line:
        builder.line[-1].said[OWN[name]] = values
    else:
        nags, others = _nags(values) if name == "MA" else ([], values)
        for nag in nags:
            builder.nag(nag)
        if others:
            builder.note(OWN.get(name, name), others)


def _skip(items: Iterator[_Item]) -> None:
    """Skip the rest of a line and the bracket that closes it."""
    depth = 1
    for name, _, _ in items:
        depth += {"(": 1, ")": -1}.get(name, 0)
        if not depth:
            return


def parts_of(value: str) -> list[str]:
    """Return [move, evaluation, seconds] of `F5/1.20/3.4`, "" for missing ones."""
    parts = [part.strip() for part in value.split("/", 2)]
    return parts + [""] * (3 - len(parts))


def _turned(text: str, side: int) -> str:
    """Convert an evaluation from the view of player `side` to the first player's, or back."""
    found = _NUMBER.fullmatch(text)
    if side == 0 or found is None:
        return text
    return found[1] + ("" if found[2] == "-" else "-") + found[3]


def _nags(values: list[str]) -> tuple[list[int], list[str]]:
    """Return (annotation glyphs among the values of MA, the other values)."""
    nags, others = [], []
    for value in values:
        found = _NAG.fullmatch(value)
        if found or value in MARKS:
            nags.append(int(found[1]) if found else MARKS.index(value) + 1)
        else:
            others.append(value)
    return nags, others


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return the GGF of a record of Othello."""
    cells = record.start.position().text().replace("X", "*").replace(" ", "")
    board = " ".join([_SIZE, *(cells[row : row + 8] for row in range(0, 64, 8)), cells[64]])
    first = {
        "GM": "Othello",
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": _result_text(record),
        "TY": _SIZE,
        "BO": board,
    }
    root = root_text(record, "ggf", first, (*_ROOT, *_COLOURS, "C"), _read_result)
    return f"(;{root}{_text(record.start.position(), record.line)};)\n"


def _result_text(record: Record) -> str:
    outcome = record.final().outcome()
    if outcome is not None and result_of(outcome.winner) == record.result:
        return f"{outcome.margin:+d}.000"
    unknown = "" if outcome is None else "?"
    return {"1-0": "+1:r", "0-1": "-1:r", "1/2-1/2": "0"}.get(record.result, unknown)


def _text(position: Position, line: Line, nested: bool = False) -> str:
    """Return the properties of a line from `position`, which stays unchanged.

    nested: is it in a value, where more variations are in brackets?  Values in values would
    need twice as many backslashes at each level.
    """
    out = []
    for step in walk(position, line):
        if step.before:
            out.append(property_text("C", [step.before]))
        said = _said(step)
        if not step.is_omitted or step.variations:
            out.append(_move(position, step, said))
        if step.comment:
            out.append(property_text("C", [step.comment]))
        nags, others = _nags(said.pop("MA", []))
        nags = step.nags + nags
        marks = [MARKS[nag - 1] if 1 <= nag <= len(MARKS) else f"${nag}" for nag in nags]
        out += [property_text("MA", [mark]) for mark in marks + others]
        for variation in step.variations:
            inner = _text(position, variation, nested=True)
            out.append(f"({inner})" if nested else property_text("VA", [inner]))
        out += [
            property_text(name, [value])
            for name, values in said.items()
            if is_name(name) and name not in _OF_MOVES
            for value in values
        ]
    return "".join(out)


def _said(step: Step) -> Said:
    """Return a step's annotations by the names of properties, evaluations and times first."""
    found: Said = {name: [] for name in OWN}
    for name, values in step.said.items():
        found.setdefault(own_property(name), []).extend(values)
    return {name: values for name, values in found.items() if values}


def _move(position: Position, step: Step, said: Said) -> str:
    """Return a move with its evaluation and time: B[F5/1.20/2.5].

    Removes from `said` the annotations that the move's value expresses in full.
    """
    text = "PA" if step.move == position.game.pass_move else position.move_text(step.move)
    evaluations, times = said.get("EVAL", [""]), said.get("EMT", [""])
    evaluation = _turned(_without_depth(evaluations[0]), position.side)
    seconds = plain_seconds(times[0])
    value = f"{text}/{evaluation}/{seconds}" if seconds else f"{text}/{evaluation}".rstrip("/")
    _, evaluation, spent = parts_of(value)
    if [_turned(evaluation, position.side)] == evaluations:
        said.pop("EVAL", None)
    if spent == seconds and len(times) == 1:
        said.pop("EMT", None)
    return property_text(_COLOURS[position.side], [value])


def _without_depth(text: str) -> str:
    """Return an evaluation without its depth, "" if it can't be part of a move's value."""
    found = Evaluation.read(text)
    if found is not None:
        return re.split("[,/]", text.strip())[0]
    return "" if "/" in text else text.strip()
