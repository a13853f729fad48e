"""SGF (FF[4]): records of games of stones, with all properties of their nodes.

GM[2] is Othello, GM[4] is Gomoku and Renju.  Other games whose moves are placements on a
board are recorded under their names in GN (GoGui writes GM[1] for every game).

Rows count from the top of the picture.  Othello's picture has row 1 at the top in most
programs and at the bottom in GoGui, so we take the orientation in which all moves are legal.
"""

from __future__ import annotations

import re

from games import registry
from games.grid import board_of
from protocol.records.builder import best_of
from protocol.records.record import Record, RecordError, Start, game_of_rules, starting
from protocol.records.sgf_text import COLOURS, parse, properties_text
from protocol.records.sgf_tree import (
    Board,
    Reader,
    TreeFormat,
    header_of,
    is_recordable,
    line_text,
    size_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.records.sgf_text import Properties

# SGF's numbers of games -> the games that they stand for, the default game first.
_GAMES = {"2": ("othello", "flipello"), "4": ("gomoku", "gomokufreestyle", "renju")}
_NUMBERS = {name: number for number, names in _GAMES.items() for name in names}
_RULES = {"renju": "renju", "gomokufreestyle": "freestyle"}


class Sgf(TreeFormat):
    """SGF, the Smart Game Format."""

    title = "SGF"
    games = "Othello, Gomoku, Renju, other games of stones"
    suffixes = (".sgf",)
    sign = re.compile(r"\(\s*;\s*(?:[A-Za-z]+\s*\[|[;(])")
    declared = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([\w.:-]{1,40})\s*\]")
    evaluations = False
    usual_for = _NUMBERS
    results = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "0"}
    ends = {"": "", "time forfeit": "T", "rules infraction": "F", "abandoned": "F"}
    margin = "{}"

    def holds(self, start: Start) -> bool:
        return is_recordable(Start(start.game, None, start.options).position())

    def read(self, text: str, game_name: str | None = None) -> Record:
        header = header_of(parse(text))
        number = header.get("GM", [""])[0].strip()
        # the caller's game, if the header allows it
        is_possible = game_name in _GAMES.get(number, (game_name,))
        name = game_name if game_name and is_possible else _named(header)
        if name is None:
            raise RecordError(f"unsupported game: GM[{number}] (2 is Othello, 4 is Gomoku)")
        game = registry.get(name)
        start, rows = size_of(header, game)
        dropped = self.derived if _named(header) == game.name else {*self.derived, "RU", "GN"}
        # row 1 may be at the top of the picture, which is likelier in GM[2]
        ways = sorted({False, game.looks.rank_one_on_top}, reverse=header.get("GM") == ["2"])
        boards = [Board(start, rows, way) for way in ways]
        with starting():
            return best_of(
                Reader(board, board.start(header), header).read(parse(text), self, dropped)
                for board in boards
            )

    def own(self, record: Record) -> dict[str, str]:
        game = record.start.game
        rows = board_of(Start(game, None, record.start.options).position())
        columns = str(len(rows[0]))
        return {
            "GM": _NUMBERS.get(game.name, ""),
            "RU": _RULES.get(game.name, ""),
            # the properties GM and RU identify these games
            "GN": "" if game.name in ("othello", "gomoku", *_RULES) else game.name,
            "FF": "4",
            "CA": "UTF-8",
            "SZ": columns if len(rows[0]) == len(rows) else f"{columns}:{len(rows)}",
            "RE": self.result_text(record),
        }

    def write(self, record: Record) -> str:
        start, game = record.start, record.start.game
        usual = Start(game, None, start.options)
        board = Board(usual, len(board_of(usual.position())), game.looks.rank_one_on_top)
        root = self.root(board, record, self.derived)
        if _named(root) != game.name:  # the headers name another game
            root = self.root(board, record, {*self.derived, "RU", "GN"})
        if start.position().text() != usual.position().text():
            root.update(_set_up(start.position(), usual.position(), board))
        return f"(;{properties_text(root)}{line_text(board, start.position(), record.line)})\n"


def _named(root: Properties) -> str | None:
    """Return the name of the game that a header identifies; None if it identifies none."""
    number, rules, title = (root.get(name, [""])[0].strip().lower() for name in ("GM", "RU", "GN"))
    names = _GAMES.get(number)
    if title in (names or registry.names()):
        return title
    named = game_of_rules(rules)
    return None if names is None else named if named in names else names[0]


def _set_up(position: Position, usual: Position, board: Board) -> Properties:
    """Return the properties that set up a position.  usual: the game's own start."""
    properties = {"PL": [COLOURS[position.side]]}
    usual_board = board_of(usual)
    for row, cells in enumerate(board_of(position)):
        for column, cell in enumerate(cells):
            if cell in "XO" or usual_board[row][column] != ".":
                name = {"X": "AB", "O": "AW"}.get(cell, "AE")
                properties.setdefault(name, []).append(board.point((column, row)))
    return properties


FORMAT = Sgf()
