"""GGF, the Generic Game Format of NBoard and the Othello servers.

    (;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---...O*... *]B[F5//1.2]W[D6/0.5]B[PA];)

In BO `*` is Black, `O` White, `-` empty, row 1 first; the last character is the side to
move.  A move may be followed by its evaluation in discs, for the player who moves, and by
its time in seconds.  GGF has no variations, comments or marks.  Comments and marks are written
after the move all the same, as in SGF; other programs ignore them.
http://www.skatgame.net/mburo/ggsa/ggf
"""

from __future__ import annotations

import re

from protocol.records.lists import DISCS, text_of_discs
from protocol.records.record import Record, RecordError, Start, shown, walk
from protocol.records.sgf_text import COLOURS, parse, properties_text
from protocol.records.sgf_tree import Board, Reader, TreeFormat, header_of, node_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.records.record import Step
    from protocol.records.sgf_text import Node, Properties

_GAME, _SIZE = "othello", "8"
_ANTI = re.compile(r"s?\d\w*a")  # a game's type if fewer discs win: 8a
_NUMBER = re.compile(r"([+-]?)(\d[\d.]*)")


class Ggf(TreeFormat):
    """GGF, the Generic Game Format of Othello servers."""

    title = "GGF"
    games = "Othello"
    suffixes = (".ggf",)
    sign = re.compile(r"\(\s*;\s*GM\s*\[\s*[A-Za-z]")
    variations = False
    usual_for = (_GAME,)
    derived = ("GM", "PB", "PW", "BO", "C", *COLOURS)
    results = {"1-0": "+", "0-1": "-", "1/2-1/2": "0"}
    ends = {"": "1:r", "time forfeit": "1:t", "adjudication": "1:s"}  # r: resigned, s: agreed
    margin = "{}.000"

    def read(self, text: str, game_name: str | None = None) -> Record:
        root = header_of(parse(text))
        nodes = map(_split_move, parse(text))
        return Reader(_board(), _start(root), root).read(nodes, self, self.derived)

    def own(self, record: Record) -> dict[str, str]:
        cells = record.start.position().text().replace("X", "*").replace(" ", "")
        return {
            "GM": _GAME.capitalize(),
            "RE": self.result_text(record),
            "TY": _SIZE,
            "BO": " ".join([_SIZE, *(cells[row : row + 8] for row in range(0, 64, 8)), cells[64]]),
        }

    def write(self, record: Record) -> str:
        board, position = _board(), record.start.position()
        root = self.root(board, record, self.derived)
        nodes = [_node(board, position, step) for _, step in walk(position, record.line)]
        return f"(;{''.join(map(properties_text, [root, *nodes]))};)\n"


def _board() -> Board:
    return Board(Start(_GAME), int(_SIZE), row_one_on_top=True)


def _split_move(node: Node) -> Node:
    """Move the evaluation and the time of a node's move into properties; return the node."""
    for side, colour in enumerate(COLOURS):
        if colour in node.properties:
            text, evaluation, seconds = parts_of(node.properties.pop(colour)[0])
            parts = {"V": _turned(evaluation, side), "EMT": seconds}
            said = {name: [part] for name, part in parts.items() if part}
            node.properties = {colour: [text], **said, **node.properties}
    return node


def _start(root: Properties) -> Start:
    game, kind, board = (root.get(name, [""])[0].strip() for name in ("GM", "TY", "BO"))
    if game and game.lower() != _GAME:
        raise RecordError(f"GM[{shown(game)}] is not Othello")
    if _ANTI.fullmatch(kind):
        raise RecordError(f"TY[{shown(kind)}] is anti-Othello, which is not supported")
    discs = DISCS.fullmatch(board)
    if discs is None or discs[2] is None:
        raise RecordError(f"BO[{shown(board)}] is not an 8x8 board and a side to move")
    text, usual = text_of_discs(discs), Start(_GAME)
    return usual if text == usual.position().text() else Start(_GAME, text)


def parts_of(value: str) -> list[str]:
    """Return [move, evaluation, seconds] of `F5/1.20/3.4`, "" for missing ones."""
    parts = [part.strip() for part in value.split("/", 2)]
    return parts + [""] * (3 - len(parts))


def _turned(text: str, side: int) -> str:
    """Convert an evaluation from the view of player `side` to the first player's, or back."""
    match = _NUMBER.fullmatch(text)
    if side == 0 or match is None:
        return text
    return ("" if match[1] == "-" else "-") + match[2]


def _node(board: Board, position: Position, step: Step) -> Properties:
    """Return the properties of a move, whose text includes evaluation and time: B[F5/1.20/2.5]."""
    node = node_of(board, position, step)
    colour = COLOURS[position.side]
    text = "PA" if step.move == position.game.pass_move else position.move_text(step.move)
    evaluation, seconds = (_take(node, name) for name in ("V", "EMT"))
    node[colour] = ["/".join((text, _turned(evaluation, position.side), seconds)).rstrip("/")]
    return node


def _take(node: Properties, name: str) -> str:
    """Remove a property and return its value; return "" unless it has exactly one value."""
    return node.pop(name)[0].strip() if len(node.get(name, ())) == 1 else ""


FORMAT = Ggf()
