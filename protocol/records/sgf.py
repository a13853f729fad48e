"""SGF (FF[4]): records of games of stones, with all properties of their nodes.

GM[2] is Othello, GM[4] is Gomoku and Renju.  Other games whose moves are placements on a
board are recorded under their names in GN (GoGui writes GM[1] for every game).

Rows count from the top of the picture.  Othello's picture has row 1 at the top in most
programs and at the bottom in GoGui, so we take the orientation in which all moves are legal.
"""

from __future__ import annotations

from games import registry
from games.base import GameError
from games.grid import board_of
from protocol.records.builder import best_of
from protocol.records.record import (
    Record,
    RecordError,
    Start,
    name_headers,
)
from protocol.records.sgf_board import COLOURS, Board, size_of
from protocol.records.sgf_text import (
    parse,
    properties_text,
    root_text,
    values_of,
)
from protocol.records.sgf_text import split as split
from protocol.records.sgf_tree import DERIVED, Reader, line_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from games.base import Game, Position
    from protocol.records.sgf_text import Node, Properties

# SGF's numbers of games, and the games that they stand for, the default one first.
_GAMES = {"2": ("othello", "flipello"), "4": ("gomoku", "gomokufreestyle", "renju")}
_NUMBERS = {name: number for number, names in _GAMES.items() for name in names}
_RULES = {"renju": "renju", "gomokufreestyle": "freestyle"}
_IDENTIFIED = {"othello", "gomoku", *_RULES}  # by number and rules; other games need GN


def has_number(game: Game) -> bool:
    """Does SGF have a number for this game?"""
    return game.name in _NUMBERS


# ---- reading -------------------------------------------------------------------------


def read(
    text: str, game_name: str | None = None, values: Mapping[str, Any] | None = None
) -> Record:
    """Return the Record of a game; raise RecordError if no part of it is readable.

    game_name: the game, if the record doesn't name it.
    values: values of options that the record doesn't give, by name.
    """
    nodes, fault = parse(text)
    if not nodes:
        raise fault or RecordError("the game has no nodes")
    root = nodes[0].properties
    game = registry.get(_game_of(root, game_name))
    options, rows = size_of(root, game, values or {})
    ways = [True, False] if root.get("GM") == ["2"] else [False, True]
    boards = [
        Board(game, options, rows, way) for way in (ways if game.rank_one_on_top else [False])
    ]
    record = best_of(_read_on(board, nodes, fault) for board in boards)
    for name in _unfit(record):  # the caller's game overrides them
        record.tags.pop(name, None)
        record.said.pop(name, None)
    for name, value in _identity(game).items():
        if value and record.tags.get(name) == value:
            record.tags.pop(name)
    record.tags = name_headers(record.tags, "sgf")
    return record


def _read_on(board: Board, nodes: list[Node], fault: RecordError | None) -> Record:
    """Return the Record of a main line on a board."""
    try:
        start = board.start(node.properties for node in nodes)
    except GameError as error:
        raise RecordError(str(error)) from None
    return Reader(board, start, nodes).read(fault, _read_result)


def _unfit(record: Record) -> tuple[str, ...]:
    """Return the headers that name the game if they name a different one than the record's."""
    game = record.start.game
    root = {name: [value] for name, value in _identity(game).items()}
    for name in ("RU", "GN"):
        root[name] = values_of(record, name) or root[name]
    try:
        return () if _game_of(root, None) == game.name else ("RU", "GN")
    except RecordError:
        return ("RU", "GN")


def _identity(game: Game) -> dict[str, str]:
    """Return the properties that identify a game, "" for those that aren't needed."""
    title = "" if game.name in _IDENTIFIED else game.name
    return {"GM": _NUMBERS.get(game.name, ""), "RU": _RULES.get(game.name, ""), "GN": title}


def _game_of(root: Properties, preferred: str | None) -> str:
    """Return the game's name, or `preferred`; raise RecordError if there is neither."""
    number, rules = (root.get(name, [""])[0].strip().lower() for name in ("GM", "RU"))
    names = _GAMES.get(number)
    if preferred is not None and (names is None or preferred in names):
        return preferred
    title = root.get("GN", [""])[0].strip().lower()
    if title in (names or registry.names()):
        return title
    if names is None:
        raise RecordError(f"unsupported game: GM[{number}] (2 is Othello, 4 is Gomoku)")
    if number == "4" and "renju" in rules:
        return "renju"
    return "gomokufreestyle" if number == "4" and "free" in rules else names[0]


def _read_result(text: str) -> str | None:
    word = text.strip().upper()
    if word in ("0", "DRAW", "JIGO"):
        return "1/2-1/2"
    return {"B+": "1-0", "W+": "0-1"}.get(word[:2], "*") if word else None


# ---- writing -------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return a record as SGF."""
    start, game = record.start, record.start.game
    empty = Start(game, None, start.options).position()
    rows = board_of(empty)
    board = Board(game, start.options, len(rows), game.rank_one_on_top)
    columns, identity = str(len(rows[0])), _identity(game)
    first = {
        "GM": identity["GM"],
        "FF": "4",
        "CA": "UTF-8",
        "SZ": columns if len(rows[0]) == len(rows) else f"{columns}:{len(rows)}",
        "RU": identity["RU"],
        "PB": record.players[0],
        "PW": record.players[1],
        "RE": _result_text(record),
        "GN": identity["GN"],
    }
    root = root_text(record, "sgf", first, {*DERIVED, "C", *_unfit(record)}, _read_result)
    if start.position().text() != empty.text():
        stones = _set_up(start.position(), empty, board)
        root += properties_text(stones)
    return f"(;{root}{line_text(board, start.position(), record.line)})\n"


def _set_up(position: Position, usual: Position, board: Board) -> Properties:
    """Return the properties that set up a position.  usual: the game's own start."""
    found = {"PL": [COLOURS[position.side]]}
    usual_board = board_of(usual)
    for row, cells in enumerate(board_of(position)):
        for column, cell in enumerate(cells):
            if cell in "XO" or usual_board[row][column] != ".":
                name = {"X": "AB", "O": "AW"}.get(cell, "AE")
                found.setdefault(name, []).append(board.point((column, row)))
    return found


def _result_text(record: Record) -> str:
    outcome = record.final().outcome()
    won = {"1-0": "B+", "0-1": "W+"}.get(record.result)
    if won is None:
        return "0" if record.result == "1/2-1/2" else "" if outcome is None else "?"
    return won + (str(abs(outcome.margin)) if outcome is not None and outcome.margin else "")
