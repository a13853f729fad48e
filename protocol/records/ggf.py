"""GGF, the Generic Game Format of NBoard and the Othello servers.

    (;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---...O*... *]B[F5//1.2]W[D6/0.5]B[PA];)

In BO `*` is Black, `O` White, `-` empty, row 1 first; the last character is the side to
move.  A move may be followed by its evaluation in discs, for the player who moves, and by
its time in seconds.  GGF has no properties for comments, marks and variations.  They follow
the move as in an SGF, and other programs ignore them: C[comment], TE[1], EVAL[..] and others,
and VA[(;B[..];W[..])], a line that could have been played instead, as an SGF has it.
http://www.skatgame.net/mburo/ggsa/ggf
"""

from __future__ import annotations

import re

from games import registry
from games.base import GameError
from protocol.records.record import (
    Evaluation,
    Record,
    RecordError,
    Start,
    name_headers,
    plain_seconds,
    shown,
    walk,
)
from protocol.records.sgf_board import COLOURS, Board
from protocol.records.sgf_text import (
    OWN,
    Node,
    parse,
    properties_text,
    property_text,
    root_text,
    tokens,
)
from protocol.records.sgf_text import split as split
from protocol.records.sgf_tree import Reader, line_text, node_of
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.records.record import Line, Step
    from protocol.records.sgf_text import Properties

_SIZE = "8"
_ANTI = "a"  # in the type of a game: whoever has fewer discs wins
_ROOT = ("GM", "PB", "PW", "BO")
_NUMBER = re.compile(r"(#?)([+-]?)(\d[\d.]*)")


# ---- reading -------------------------------------------------------------------------


def read(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a game; raise RecordError if no part of it is readable."""
    nodes, fault = _parse(text)
    root = nodes[0].properties
    start = _start(root)
    derived = {*_ROOT, *COLOURS}
    if root.get("TY") == [_SIZE]:
        derived.add("TY")
    record = Reader(_board(), start, nodes, derived).read(fault, _read_result)
    record.tags = name_headers(record.tags, "ggf")
    return record


def _parse(text: str) -> tuple[list[Node], RecordError | None]:
    """Return (the root and the moves of a game, the error that ended it early or None)."""
    nodes = [Node(0)]
    try:
        for name, values, offset in tokens(text, text.index(";") + 1):
            if name == "(" or name == "VA" and not all(value[:1] == "(" for value in values):
                raise RecordError("a variation must be as in VA[(;B[D3])]", offset)
            if name in ";)":
                break
            if name in _ROOT and len(nodes) > 1:
                raise RecordError("another game begins before this one is closed", offset)
            if name in COLOURS:
                nodes += [Node(offset, _move(name, value)) for value in values]
            elif name == "VA":
                for value in values:
                    line, fault = parse(value)
                    nodes[-1].variations.append(line)
                    if fault is not None:
                        raise RecordError(str(fault), offset)
            elif name in OWN and len(nodes) > 1:
                nodes[-1].properties[name] = values  # more exact than in the move
            else:
                nodes[-1].add(name, values)
    except RecordError as error:
        return nodes, error
    return nodes, None


def _move(colour: str, value: str) -> Properties:
    """Return the properties of a move, `F5/1.20/3.4`: with its evaluation in discs and its time."""
    text, evaluation, seconds = parts_of(value)
    evaluation = _turned(evaluation, COLOURS.index(colour))
    node = {colour: [text], "EVAL": [evaluation], "EMT": [plain_seconds(seconds)]}
    return {name: values for name, values in node.items() if values != [""] or name == colour}


def _board() -> Board:
    return Board(registry.get("othello"), {}, int(_SIZE), row_one_on_top=True)


def _start(root: Properties) -> Start:
    game, kind, board = (root.get(name, [""])[0].strip() for name in ("GM", "TY", "BO"))
    if game and game.lower() != "othello":
        raise RecordError(f"GM[{shown(game)}] is not Othello")
    if kind.endswith(_ANTI):
        raise RecordError(f"TY[{shown(kind)}] is anti-Othello, which is not supported")
    if not board:
        raise RecordError("the game has no start position BO[...]")
    try:
        text = Start("othello", _read_board(board)).position().text()
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
    root = root_text(record, "ggf", first, (*_ROOT, *COLOURS, "C", "VA"), _read_result)
    return f"(;{root}{_text(record.start.position(), record.line)};)\n"


def _result_text(record: Record) -> str:
    outcome = record.final().outcome()
    if outcome is not None and result_of(outcome.winner) == record.result:
        return f"{outcome.margin:+d}.000"
    unknown = "" if outcome is None else "?"
    return {"1-0": "+1:r", "0-1": "-1:r", "1/2-1/2": "0"}.get(record.result, unknown)


def _text(position: Position, line: Line) -> str:
    """Return the properties of a line from `position`, which stays unchanged."""
    out = []
    for step in walk(position, line):
        if step.before:
            out.append(property_text("C", [step.before]))
        if not step.is_omitted or step.variations:
            out.append(properties_text(_node(position, step)))
        for variation in step.variations:
            out.append(property_text("VA", [f"({line_text(_board(), position, variation)})"]))
    return "".join(out)


def _node(position: Position, step: Step) -> Properties:
    """Return the properties of a move, which has its evaluation and time: B[F5/1.20/2.5]."""
    node = node_of(_board(), position, step)
    colour = COLOURS[position.side]
    text = "PA" if step.move == position.game.pass_move else position.move_text(step.move)
    evaluations, times = node.get("EVAL", [""]), node.get("EMT", [""])
    evaluation = _turned(_without_depth(evaluations[0]), position.side)
    seconds = plain_seconds(times[0])
    value = f"{text}/{evaluation}/{seconds}" if seconds else f"{text}/{evaluation}".rstrip("/")
    known = _move(colour, value)
    exact = {name: node[name] for name in OWN if name in node and node[name] != known.get(name)}
    derived = () if "V" in step.said else ("V",)
    dropped = {colour, "VA", *derived, *_ROOT, *OWN}
    others = {name: values for name, values in node.items() if name not in dropped}
    return {colour: [value], **exact, **others}


def _without_depth(text: str) -> str:
    """Return an evaluation without its depth, "" if it can't be part of a move's value."""
    found = Evaluation.read(text)
    if found is not None:
        return re.split("[,/]", text.strip())[0]
    return "" if "/" in text else text.strip()
