"""GGF, the Generic Game Format of NBoard and the Othello servers.

    (;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---...O*... *]B[F5//1.2]W[D6/0.5]B[PA];)

In BO `*` is Black, `O` White, `-` empty, row 1 first; the last character is the side to
move.  A move may be followed by its evaluation in discs, for the player who moves, and by
its time in seconds.  GGF has no properties for comments, marks and variations.  They follow
the move as in an SGF, and other programs ignore them: C[comment], TE[1], EVAL[..] and others,
and VA[B[..]W[..]…], a line that could have been played instead, with every `]` in it escaped.
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
    Branch,
    properties_text,
    property_text,
    root_text,
    tokens,
)
from protocol.records.sgf_text import split as split
from protocol.records.sgf_tree import Reader, node_of
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
    tree, fault = _parse(text, text.index(";") + 1)
    root = tree.nodes[0][0] if tree.nodes else {}
    start = _start(root)
    derived = {*_ROOT, *COLOURS}
    if root.get("TY") == [_SIZE]:
        derived.add("TY")
    record = Reader(_board(), start, tree, derived).read(fault, _read_result)
    record.tags = name_headers(record.tags, "ggf")
    return record


class _Line:
    """A line of a game tree under construction.

    here: the branch that grows.  parent: the branch that it continues, where variations of its
    only move begin.
    """

    def __init__(self, branch: Branch) -> None:
        self._here, self._parent = branch, branch

    def take(self, name: str, values: list[str], offset: int) -> None:
        """Add a property to the last node, or the node of a move."""
        nodes = self._here.nodes
        if name in COLOURS:
            nodes += [(_move(name, value), offset) for value in values]
        elif name in OWN and nodes:
            nodes[-1][0][name] = values  # more exact than in the move
        else:
            if not nodes:
                nodes.append(({}, offset))
            nodes[-1][0].setdefault(name, []).extend(values)

    def vary(self, offset: int, branch: Branch) -> None:
        """Add a variation of the last move."""
        if self._here is self._parent or len(self._here.nodes) > 1:
            if not (self._here.nodes and self._here.nodes[-1][0].keys() & set(COLOURS)):
                raise RecordError("a variation must follow a move", offset)
            main = Branch()
            main.nodes.append(self._here.nodes.pop())
            self._here.branches.append(main)
            self._here, self._parent = main, self._here
        self._parent.branches.append(branch)


def _parse(text: str, at: int = 0) -> tuple[Branch, RecordError | None]:
    """Return (the tree of a game or of a variation, the error that ended it early or None)."""
    tree = Branch()
    lines = [_Line(tree)]  # the open ones, innermost last
    before_moves = at > 0  # not in a value
    try:
        for name, values, offset in tokens(text, at):
            if name in _ROOT and not before_moves:
                raise RecordError("another game begins before this one is closed", offset)
            before_moves = before_moves and name not in (*COLOURS, *"()")
            if name == "(":
                branch = Branch()
                lines[-1].vary(offset, branch)
                lines.append(_Line(branch))
            elif name == ")" and len(lines) > 1:
                lines.pop()
            elif name in ";)":
                break
            elif name == "VA":
                for value in values:
                    branch, fault = _parse(value)
                    lines[-1].vary(offset, branch)
                    if fault is not None:
                        raise RecordError(str(fault), offset)
            else:
                lines[-1].take(name, values, offset)
    except RecordError as error:
        return tree, error
    return tree, None


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


def _text(position: Position, line: Line, nested: bool = False) -> str:
    """Return the properties of a line from `position`, which stays unchanged.

    nested: is it in a value, where more variations are in brackets?  Values in values would
    need twice as many backslashes at each level.
    """
    out = []
    for step in walk(position, line):
        if step.before:
            out.append(property_text("C", [step.before]))
        if not step.is_omitted or step.variations:
            out.append(properties_text(_node(position, step)))
        for variation in step.variations:
            inner = _text(position, variation, nested=True)
            out.append(f"({inner})" if nested else property_text("VA", [inner]))
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
