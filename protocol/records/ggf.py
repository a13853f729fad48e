"""GGF, the Generic Game Format of NBoard and the Othello servers.

    (;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---...O*... *]B[F5//1.2]W[D6/0.5]B[PA];)

In BO `*` is Black, `O` White, `-` empty, row 1 first; the last character is the side to
move.  A move may be followed by its evaluation in discs, for the player who moves, and by
its time in seconds.  GGF has no properties for comments, marks and variations.  They follow
the move in properties of our own, which other programs ignore: C[comment], MA[mark] and
VA[B[..]W[..]…], a line that could have been played instead, with every `]` in it escaped.
http://www.skatgame.net/mburo/ggsa/ggf
"""

from __future__ import annotations

import re

from games.base import GameError, PositionError
from protocol.moves import read as read_move
from protocol.records.record import (
    MARKS,
    Builder,
    Evaluation,
    Record,
    RecordError,
    Start,
    headers,
    read_seconds,
    shown,
)
from protocol.records.sgf_text import property_text, unescape
from protocol.records.text import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.base import Position
    from protocol.records.record import Line, Step

    # (name, value, offset in the text)
    Properties = list[tuple[str, str, int]]

_SIZE = "8"
_COLOURS = ("B", "W")
_CLOCKS = {"TI": (0, 1), "TB": (0,), "TW": (1,)}  # whose clocks a property sets
_DERIVED = ("GM", "PB", "PW", "BO", "CA", *_COLOURS)
_OWN = (*_DERIVED, "C", "MA", "VA")  # of moves
_GAME = re.compile(r"\(\s*;(?=\s*[A-Za-z;])")
_PART = re.compile(r"([^\[;)]*)\[([^\]\\]*(?:\\.[^\]\\]*)*)(\])?|[^\[;)]*(;\s*\)|[;)])", re.DOTALL)
_NAME = re.compile(r"[A-Z][A-Z0-9]*")
_NUMBER = re.compile(r"(#?)([+-]?)(\d[\d.]*)")


# ---- reading -------------------------------------------------------------------------


def split(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game; skip the text before and between games."""
    found = _GAME.search(text)
    while found is not None:
        begin, at = found.start(), found.end()
        while True:
            part = _PART.match(text, at)
            at = len(text) if part is None else part.end()
            if part is not None and part[4] == ";":  # another game: the first is not closed
                at = part.start()
            if part is None or part[4]:
                break
        yield begin, text[begin:at]
        found = _GAME.search(text, max(at, begin + 2))


def _properties(text: str, at: int = 0) -> tuple[Properties, RecordError | None]:
    """Return (properties of a text from `at` on, the error that ended them early or None)."""
    found: Properties = []
    while True:
        part = _PART.match(text, at)
        if part is None or part[2] is None:
            closed = part is not None or not text[at:].strip()
            fault = (
                None
                if closed
                else RecordError(f'expected a property, found "{shown(text[at:].strip())}"', at)
            )
            return found, fault
        name = _last_name(part[1])
        if not name:
            return found, RecordError("a value without a property", part.start())
        found.append((name, unescape(part[2]), part.start(2)))
        if part[3] is None:
            return found, RecordError('unclosed value: expected "]"', part.start(2))
        at = part.end()


def _last_name(text: str) -> str:
    """Return the name at the end of a text, in capitals, or ""."""
    text = text.rstrip().upper()
    begin = len(text)
    while begin and text[begin - 1].isascii() and text[begin - 1].isalnum():
        begin -= 1
    return text[begin:].lstrip("0123456789")


def read(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a game; raise RecordError if no part of it is readable."""
    begin = _GAME.match(text)
    if begin is None:
        raise RecordError("no GGF games found: expected (; ... ;)")
    properties, fault = _properties(text, begin.end())
    record = Record(_start(properties))
    builder = Builder(record, read_move)
    first = {name: value for name, value, _ in reversed(properties)}
    record.players = (first.get("PB", ""), first.get("PW", ""))
    fault = _read_line(properties, builder, fault)
    return builder.finish(_read_result(record.tags.get("RE", "")), fault)


def read_game(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return (position text, [(player, move's text)]); raise PositionError if it isn't a game."""
    properties, fault = _properties(text.strip(), _begin(text).end())
    if fault is not None or not text.rstrip().endswith(")"):
        raise PositionError(text, "is an unclosed game: expected ;) at the end")
    try:
        start = _start(properties)
    except RecordError as error:
        raise PositionError("", str(error)) from None
    moves = [
        (_COLOURS.index(name), value.partition("/")[0].strip())
        for name, value, _ in properties
        if name in _COLOURS
    ]
    return start.position().text(), moves


def _begin(text: str) -> re.Match[str]:
    begin = _GAME.match(text.strip())
    if begin is None:
        raise PositionError(text, "is not a GGF game, which begins with (;")
    return begin


class Clocks:
    """The clocks of both players, Black's first.

    left: seconds, None for a player without a clock.  increments: seconds per move.
    """

    def __init__(self) -> None:
        self.left: list[float | None] = [None, None]
        self.increments = [0.0, 0.0]
        self._extensions = [0.0, 0.0]  # seconds, once, for a player whose time is up

    def set(self, side: int, text: str) -> None:
        """Set a player's clock to time/increment/extension; without a time there is none."""
        parts = [read_seconds(part) or 0.0 for part in text.split("/")]
        time, self.increments[side], self._extensions[side], *_ = *parts, 0.0, 0.0
        self.left[side] = time or self.increments[side] or None

    def move(self, side: int, text: str) -> None:
        """Subtract the time of a player's move, `F5/1.20/3.4`, and add the increment."""
        left, taken = self.left[side], text.split("/")[2:3]
        if left is None:
            return
        left -= (read_seconds(taken[0]) if taken else None) or 0.0
        if left < 0:
            left = max(left + self._extensions[side], 0.0)
            self._extensions[side] = 0.0
        self.left[side] = left + self.increments[side]


def read_clocks(text: str) -> Clocks:
    """Return the clocks at the end of a game that read_game can read."""
    clocks = Clocks()
    for name, value, _ in _properties(text.strip(), _begin(text).end())[0]:
        if name in _CLOCKS:
            for side in _CLOCKS[name]:
                clocks.set(side, value)
        elif name in _COLOURS:
            clocks.move(_COLOURS.index(name), value)
    return clocks


def _start(properties: Properties) -> Start:
    text = None
    for name, value, _ in properties:
        if name == "GM" and value.strip().lower() != "othello":
            raise RecordError(f"GM[{shown(value)}] is not Othello")
        if name == "BO":
            text = _read_board(value)
    if text is None:
        raise RecordError("the game has no start position BO[...]")
    try:
        text = Start("othello", text).position().text()
    except GameError as error:
        raise RecordError(f"the start position: {error}") from None
    return Start("othello", None if text == Start("othello").position().text() else text)


def _read_board(value: str) -> str:
    """Return the board `8 ---…--- *` as 64 cells, a blank and the side."""
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
        return None
    return "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2" if lead == 0 else None


def _read_line(
    properties: Properties, builder: Builder, fault: RecordError | None = None
) -> RecordError | None:
    """Read properties into the builder's line; return the error that ended it early or None."""
    record = builder.record
    for name, value, offset in properties:
        if name == "CA":  # the encoding of the file read; we write UTF-8
            continue
        try:
            if name in _COLOURS:
                _read_move(builder, name, value)
            elif name in _DERIVED and builder.line:
                raise RecordError("another game begins before this one is closed")
            elif builder.line:
                inner = _keep(builder, name, value)
                if inner is not None:
                    raise inner
            elif name == "C":
                builder.remark(value)
            elif name not in _DERIVED and not builder.depth:
                record.tags[name] = value
                if (name, value) == ("TY", _SIZE):  # the only size, so not worth a header
                    del record.tags[name]
        except RecordError as error:
            error.offset = offset
            if name in _COLOURS:
                return error
            fault = fault or error
    return fault


def _read_move(builder: Builder, name: str, value: str) -> None:
    text, _, rest = value.partition("/")
    side = _COLOURS.index(name)
    step = builder.play(text.strip(), side)
    evaluation, _, seconds = rest.partition("/")
    evaluation = _turned(_without_depth(evaluation), side)
    if evaluation:
        step.said["eval"] = [evaluation]
    if seconds.strip():
        step.said["emt"] = [seconds.strip()]


def _keep(builder: Builder, name: str, value: str) -> RecordError | None:
    """Add a property to the last step; return the error that ended a variation early or None."""
    step = builder.line[-1]
    if name == "C":
        step.remark(value)
    elif name == "MA" and value in MARKS:
        step.nags.append(MARKS.index(value) + 1)
    elif name == "MA" and re.fullmatch(r"\$\d{1,3}", value, re.ASCII):
        step.nags.append(int(value[1:]))
    elif name == "VA":
        builder.open()
        line = builder.line
        properties, fault = _properties(value)
        fault = _read_line(properties, builder, fault)
        while builder.line is not line:
            builder.close()
        builder.close()
        return fault
    else:
        step.said.setdefault(name, []).append(value)
    return None


def _without_depth(text: str) -> str:
    """Return an evaluation without the depth, which GGF can't record."""
    text = text.strip()
    return text if Evaluation.read(text) is None else text.partition(",")[0]


def _turned(text: str, side: int) -> str:
    """Convert an evaluation from the view of player `side` to the first player's, or back."""
    found = _NUMBER.fullmatch(text)
    if side == 0 or found is None:
        return text
    return found[1] + ("" if found[2] == "-" else "-") + found[3]


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return the GGF of a record of Othello."""
    cells = record.start.position().text().replace("X", "*").replace(" ", "")
    board = " ".join([_SIZE, *(cells[row : row + 8] for row in range(0, 64, 8)), cells[64]])
    head = {
        "GM": "Othello",
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": _result_text(record),
        "TY": "8",
    }
    for name, value in headers(record, "ggf").items():
        if _NAME.fullmatch(name) and name not in (*_DERIVED, "C"):
            head[name] = value
    if _read_result(head["RE"]) != (record.result if record.result != "*" else None):
        head["RE"] = _result_text(record)
    head["BO"] = board
    text = "".join(
        _property(name, value) for name, value in head.items() if value or name in record.tags
    )
    comment = _property("C", record.comment) if record.comment else ""
    return f"(;{text}{comment}{_text(record.start.position(), record.line)};)\n"


def _property(name: str, value: str) -> str:
    return property_text(name, [tidy(value)])


def _result_text(record: Record) -> str:
    outcome = record.final().outcome()
    if outcome is not None:
        return f"{outcome.margin:+d}.000"
    return {"1-0": "+1:r", "0-1": "-1:r", "1/2-1/2": "0"}.get(record.result, "")


def _text(position: Position, line: Line) -> str:
    """Return the properties of a line from `position`, which stays unchanged."""
    out = []
    for step in line:
        if step.before:
            out.append(_property("C", step.before))
        if not step.implied:
            out.append(_move(position, step))
        if step.comment:
            out.append(_property("C", step.comment))
        out += [
            _property("MA", MARKS[nag - 1] if 1 <= nag <= len(MARKS) else f"${nag}")
            for nag in step.nags
        ]
        out += [_property("MA", value) for value in step.said.get("MA", ())]
        out += [_property("VA", _text(position, variation)) for variation in step.variations]
        out += [
            _property(name, value)
            for name, values in step.said.items()
            if _NAME.fullmatch(name) and name not in _OWN
            for value in values
        ]
        position.make(step.move)
    for _ in line:
        position.undo()
    return "".join(out)


def _move(position: Position, step: Step) -> str:
    """Return a move with its evaluation and time: B[F5/1.20/2.5]."""
    text = "PA" if step.move == position.game.pass_move else position.move_text(step.move)
    evaluation = _without_depth(step.said.get("eval", [""])[0])
    seconds = step.said.get("emt", [""])[0].strip()
    known = read_seconds(seconds) if ":" in seconds else None
    parts: Sequence[str] = (
        text,
        _turned(evaluation, position.side),
        seconds if known is None else f"{known:.2f}",
    )
    return _property(_COLOURS[position.side], "/".join(parts).rstrip("/"))
