"""SGF (FF[4]): the main line of a game record, read and written.

GM[2] is Othello and GM[4] Gomoku with Renju.  Other games whose moves are placements on a board
are recorded, too; GN tells their names (GoGui writes GM[1] for every game).

Rows count from the top of the picture.  Othello's picture has row 1 at the top in most programs
and at the bottom in GoGui: the way round in which all moves are legal is the one that was meant.
"""
from __future__ import annotations

from games import registry
from games.base import GameError, MoveError
from games.grid import board_of, cell_of, read_square, write_rows
from games.options import BOARD_SIZE
from protocol.moves import PASSES, placement_on
from protocol.moves import read as read_move
from protocol.records.record import MoveReader, RecordError, Start
from protocol.records.san import line_text
from protocol.records.sgf_text import SgfError, parse, read_point, write, write_point
from protocol.scores import note_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from games.base import Game, Position
    from protocol.moves import Cell
    from protocol.records.record import GameRecord, Note
    from protocol.records.sgf_text import Node

# The numbers that SGF has for games, and the games that they stand for; the first is the default.
_GAMES = {"2": ("othello", "flipello"), "4": ("gomoku", "gomokufreestyle", "renju")}
_NUMBERS = {name: number for number, names in _GAMES.items() for name in names}
_RULES = {"renju": "renju", "gomokufreestyle": "freestyle"}

_COLOURS = ("B", "W")
_STONES = (("AB", "X"), ("AW", "O"), ("AE", "."))
_SETUP = {"AB", "AW", "AE", "PL"}
_KEPT = ("AP", "EV", "DT", "PC", "RO", "GN")
_ROOT = ("GM", "FF", "CA", "SZ", "RU", "PB", "PW", "RE", "AN", "AB", "AW", "AE", "PL")
_MOVE_MARKS = {"BM", "DO", "IT", "TE"}
_MARKS = {"?!": ("DO", ""), "?": ("BM", "1"), "??": ("BM", "2")}

# On smaller boards `tt` is a pass, as in Go.
_NO_POINT = 20


def has_number(game: Game) -> bool:
    """Does SGF know this game by a number?"""
    return game.name in _NUMBERS


def is_recordable(position: Position) -> bool:
    """Has SGF a text for the moves of this game: are they placements on a board?"""
    legal = position.legal_moves()
    return (position.board() is not None and bool(legal)
            and position.placement(legal[0]) is not None)


# ---- games --------------------------------------------------------------------------------------


def read_sgf(text: str, game_name: str | None = None) -> list[GameRecord]:
    """[the GameRecord] of an SGF text; game_name: which rules, where the record leaves it open."""
    try:
        nodes = parse(text)
        reader = replay(nodes, game_name)
    except (SgfError, RecordError) as error:
        raise RecordError(f"this SGF can't be read: {error}") from None
    root = {name: values[0] for name, values in nodes[0].items()}
    tags = {name: value for name, value in root.items() if name in _KEPT}
    players = root.get("PB", ""), root.get("PW", "")
    record = reader.record(players, _read_result(root.get("RE", "")), tags)
    record.properties = _kept(nodes)
    return [record]


def _kept(nodes: Sequence[Node]) -> dict[int, Node]:
    """{after how many moves: what the nodes say beside moves: comments, marks, times}."""
    found: dict[int, Node] = {}
    count = 0
    for node in nodes:
        count += len(node.get("B", ())) + len(node.get("W", ()))
        known = ("B", "W") if count else (*_ROOT, *_KEPT)
        for name, values in node.items():
            if name not in known:
                found.setdefault(count, {}).setdefault(name, []).extend(values)
    return found


def replay(nodes: Sequence[Node], game_name: str | None = None,
           values: Mapping[str, Any] | None = None, count: int | None = None) -> MoveReader:
    """The MoveReader after `count` moves of a record (None: all); RecordError where it can't be.

    game_name: which rules, where the record leaves it open.
    values: {name: value} of options, where the record leaves them open.
    """
    root = nodes[0]
    game = registry.get(_game_of(root, game_name))
    options, rows = _size_of(root, game, values or {})
    ways = [False]
    if game.rank_one_on_top:
        ways = [True, False] if root.get("GM") == ["2"] else [False, True]
    faults = []
    for row_one_on_top in ways:
        try:
            return _replay(nodes, _Board(game, options, rows, row_one_on_top), count)
        except (GameError, RecordError) as error:
            faults.append(str(error))
    raise RecordError(faults[0])


def _replay(nodes: Sequence[Node], board: _Board, count: int | None) -> MoveReader:
    reader = MoveReader(board.start(nodes), board.read)
    for node in nodes:
        if reader.plies and node.keys() & _SETUP:
            raise RecordError("stones are set up in the middle of the game")
        for side, colour in enumerate(_COLOURS):
            for text in node.get(colour, ())[:1]:
                if len(reader.plies) == count:
                    return reader
                if board.is_pass(text) and reader.position.outcome() is not None:
                    reader.plies.append(0)      # as front ends agree that the game is over
                else:
                    reader.play_for(side, text)
    return reader


def _game_of(root: Node, preferred: str | None) -> str:
    """The game's name; RecordError where the record doesn't tell it and none is preferred."""
    number, rules = (root.get(name, [""])[0].strip().lower() for name in ("GM", "RU"))
    names = _GAMES.get(number)
    if preferred is not None and (names is None or preferred in names):
        return preferred
    title = root.get("GN", [""])[0].strip().lower()
    if title in (names or registry.names()):
        return title
    if names is None:
        raise RecordError(f"GM[{number}] is not played here, "
                          "only GM[2] (Othello) and GM[4] (Gomoku)")
    if number == "4" and "renju" in rules:
        return "renju"
    return "gomokufreestyle" if number == "4" and "free" in rules else names[0]


def _size_of(root: Node, game: Game, values: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """(options of the game, how many rows the record's points count)."""
    options: dict[str, Any] = {option.name: values[option.name] for option in game.options
                               if values.get(option.name, option.default) != option.default}
    text = root.get("SZ", [""])[0].strip()
    columns, _, rows = text.partition(":")
    if text and BOARD_SIZE in game.options and rows in ("", columns):
        try:
            size = BOARD_SIZE.read(columns)
        except ValueError:
            raise RecordError(f"SZ[{text}]: a board of this size is not played here") from None
        options.pop(BOARD_SIZE.name, None)
        if size != BOARD_SIZE.default:
            options[BOARD_SIZE.name] = size
    position = Start(game, None, options).position()
    if not is_recordable(position):
        raise RecordError(f"there is no SGF of {game.name}")
    board = board_of(position)
    shape = len(board[0]), len(board)
    square = str(max(shape))        # a board that is not square may lie at the bottom of one
    sizes = {"": shape[1], f"{shape[0]}:{shape[1]}": shape[1], square: max(shape)}
    sizes[f"{square}:{square}"] = max(shape)
    if text not in sizes:
        raise RecordError(f"SZ[{text}]: a board of this size is not played here")
    return options, sizes[text]


class _Board:
    """The board of a record: its points and passes.

    rows: that the record's points count.  row_one_on_top: in the record's picture.
    """

    def __init__(self, game: Game, options: Mapping[str, Any], rows: int,
                 row_one_on_top: bool) -> None:
        self._start = Start(game, None, options)
        self._position = self._start.position()
        self._rows, self._row_one_on_top = rows, row_one_on_top

    def is_pass(self, text: str) -> bool:
        """Is a move's text a pass?"""
        word = text.strip().lower()
        passes = self._start.game.pass_move is not None and word in PASSES
        return passes or not word or word == "tt" and self._rows < _NO_POINT

    def read(self, position: Position, text: str) -> int:
        """The legal move of a text; MoveError where it is none."""
        if self.is_pass(text):
            return read_move(position, "pass")
        return placement_on(position, self.cell(text), text)

    def cell(self, text: str) -> Cell:
        """The cell of a point or of a square's name; MoveError where it is none of the board."""
        word, board = text.strip().lower(), board_of(self._position)
        found = read_point(word, self._rows)
        if found is None:
            return read_square(word, len(board[0]), len(board))
        column, row = found
        if self._row_one_on_top:
            row = self._rows - 1 - row
        if not (0 <= column < len(board[0]) and 0 <= row < len(board)):
            raise MoveError(text, "is no point of this board")
        return column, row

    def point(self, cell: Cell) -> str:
        """The text of a cell."""
        column, row = cell
        if self._row_one_on_top:
            row = self._rows - 1 - row
        return write_point(column, row, self._rows)

    def start(self, nodes: Iterable[Node]) -> Start:
        """The Start with the stones that are set up before the first move."""
        board = [list(row) for row in board_of(self._position)]
        side, mover, changed = None, None, False
        for node in nodes:
            changed = changed or bool(node.keys() & _SETUP)
            for name, mark in _STONES:
                for text in node.get(name, ()):
                    column, row = self.cell(text)
                    board[row][column] = mark
            if "PL" in node:
                side = _read_colour(node["PL"][0])
            if node.keys() & set(_COLOURS):
                mover = 0 if "B" in node else 1
                break
        if side is None:
            side = mover if changed and mover is not None else self._position.side
        rows = ["".join(row) for row in board]
        if rows == list(board_of(self._position)) and side == self._position.side:
            return self._start
        return Start(self._start.game, self._text(rows, side), self._start.options)

    def _text(self, rows: Sequence[str], side: int) -> str:
        """The position text of stones, row 1 first; GameError where the game reads none."""
        game, values = self._start.game, self._start.values()
        cells = "".join(rows if game.rank_one_on_top else rows[::-1]).replace(".", "-")
        try:
            position = game.parse(f"{write_rows(rows[::-1])} {'xo'[side]}", values)
        except GameError:       # not a game of stones in rows, but one of the Othello suites
            position = game.parse(f"{cells} {'XO'[side]}", values)
        return position.text()


def _read_colour(text: str) -> int:
    """The player of a colour's name; RecordError where it is none."""
    word = text.strip().lower()
    if word not in ("b", "black", "w", "white"):
        raise RecordError(f"PL[{text}] is no colour")
    return 0 if word.startswith("b") else 1


def _read_result(text: str) -> str | None:
    word = text.strip().upper()
    if word in ("0", "DRAW", "JIGO"):
        return "1/2-1/2"
    return {"B+": "1-0", "W+": "0-1"}.get(word[:2])


def write_sgf(record: GameRecord, notes: Sequence[Note | None] | None = None,
              annotator: str | None = None) -> str:
    """The SGF of a record; notes: a Note or None for each move, as comments and marks."""
    start, game = record.start, record.start.game
    shown = Start(game, None, start.options).position()
    empty = board_of(shown)
    columns, rows = len(empty[0]), len(empty)
    board = _Board(game, start.options, rows, game.rank_one_on_top)
    more = {"GM": _NUMBERS.get(game.name), "FF": "4", "CA": "UTF-8",
            "SZ": str(columns) if columns == rows else f"{columns}:{rows}",
            "RU": _RULES.get(game.name), "PB": record.players[0], "PW": record.players[1],
            "RE": _result_text(record), "AN": annotator}
    more.update((name, value) for name, value in record.tags.items() if name in _KEPT)
    root = {name: [value] for name, value in more.items() if value}
    if start.text is not None:
        root.update(_set_up(start.position(), shown, board))
    root.update((name, values) for name, values in record.properties.get(0, {}).items()
                if name not in root)
    nodes = [root]
    for index, (position, move) in enumerate(record.positions()):
        passing = move == game.pass_move
        text = "" if passing else board.point(cell_of(position, move))
        nodes.append({_COLOURS[position.side]: [text]})
        note = notes[index] if notes else None
        new = _comment(position, note) if note is not None else {}
        nodes[-1].update(_merged(record.properties.get(index + 1, {}), new))
    return write(nodes) + "\n"


def _merged(kept: Node, new: Node) -> Node:
    """A node with a note's properties: its own mark stays, comments are joined."""
    found = {**new, **kept}
    if set(kept) & _MOVE_MARKS:
        found = {name: values for name, values in found.items()
                 if name in kept or name not in _MOVE_MARKS}
    if "C" in kept and "C" in new and new["C"][0] not in kept["C"][0]:
        found["C"] = [kept["C"][0] + "\n" + new["C"][0]]
    return found


def _set_up(position: Position, usual: Position, board: _Board) -> Node:
    """The stones and the side to move of a position, as properties; usual: the game's own start."""
    found = {"PL": [_COLOURS[position.side]]}
    usual_board = board_of(usual)
    for row, cells in enumerate(board_of(position)):
        for column, cell in enumerate(cells):
            if cell in "XO" or usual_board[row][column] != ".":
                name = {"X": "AB", "O": "AW"}.get(cell, "AE")
                found.setdefault(name, []).append(board.point((column, row)))
    return found


def _comment(position: Position, note: Note) -> Node:
    found = {}
    if note.clock is not None:
        found[_COLOURS[position.side] + "L"] = [f"{note.clock:.3f}"]
    if note.score is None and note.mate is None:
        return found
    words = note_text(note, position.game)
    if note.best:
        words += f", better: {line_text(position, note.best)}"
    found["C"] = [words]
    if note.mark:
        name, value = _MARKS[note.mark]
        found[name] = [value]
    return found


def _result_text(record: GameRecord) -> str:
    winner = {"1-0": "B+", "0-1": "W+"}.get(record.result)
    if winner is None:
        return "0" if record.result == "1/2-1/2" else ""
    outcome = record.final().outcome()
    return winner + (str(abs(outcome.margin)) if outcome is not None and outcome.margin else "")
