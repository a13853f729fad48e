"""GTP: game records in SGF.

GM[2] is Othello and GM[4] Gomoku; a record of another kind (GoGui writes GM[1] for every game) is one of the game
that is chosen.  Rows count from the top of the picture.  Othello's picture has row 1 at the top in other programs
and at the bottom in GoGui: the way round in which all moves are legal is the one that was meant.
"""
from __future__ import annotations

import os

from games import registry
from games.base import GameError, MoveError
from games.grid import read_square, write_rows
from games.options import BOARD_SIZE
from protocol import moves, sgf
from protocol.base import PRODUCT, VERSION, CommandError, command
from protocol.gtp_game import GtpGame
from protocol.gtp_play import integer
from search.session import Session, SessionError

_CANNOT_LOAD = "cannot load file"

# The numbers that SGF has for games, and the games that they stand for; the first is the default.
_GAMES = {"2": ("othello", "flipello"), "4": ("gomoku", "gomokufreestyle", "renju")}
_NUMBERS = {name: number for number, names in _GAMES.items() for name in names}


def recordable(position):
    """Has SGF a text for the moves of this game: are they placements on a board?"""
    moves_now = position.legal_moves()
    return position.board() is not None and bool(moves_now) and position.placement(moves_now[0]) is not None


class Record:
    """The commands over SGF."""

    def __init__(self, game):
        self._game, self._session = game, game.session

    @command("loadsgf", "loadsgf FILE [N]: the position before move N of a record, or at its end")
    def _loadsgf(self, words):
        words = list(words)
        before = integer([words.pop()], 0, 1) if len(words) > 1 and words[-1].isdigit() else None
        path = " ".join(words).strip('"')
        try:
            if not os.path.isfile(path):        # a device might never end, or be the engine's own input
                raise CommandError(_CANNOT_LOAD)
            with open(path, encoding="utf-8", errors="replace") as file:
                nodes = sgf.parse(file.read())
        except (OSError, ValueError):
            raise CommandError(_CANNOT_LOAD) from None
        self._game.adopt(self._replay(nodes, None if before is None else before - 1))

    def _replay(self, nodes, count):
        """A GtpGame after `count` moves (None: all) of the record; CommandError where it can't be one."""
        name = self._game_of(nodes[0])
        ways = (False,)
        if registry.get(name).rank_one_on_top:
            ways = (True, False) if nodes[0].get("GM") == ["2"] else (False, True)
        for mirrored in ways:
            try:
                return _Replay(name, self._session.values, nodes, mirrored).play(count)
            except (CommandError, GameError, SessionError):
                continue
        raise CommandError(_CANNOT_LOAD)

    def _game_of(self, root):
        chosen = self._session.game.name
        names = _GAMES.get(root.get("GM", ["1"])[0].strip())
        name = chosen if names is None or chosen in names else names[0]
        if not recordable(registry.get(name).start(self._session.values)):
            raise CommandError(_CANNOT_LOAD)
        return name

    @command("printsgf", "the game so far as SGF")
    def _printsgf(self, words):
        if not recordable(self._session.game.start(self._session.values)):
            raise CommandError("there is no SGF for this game")
        return sgf.write(_nodes(self._session, self._game.shape()))


class _Replay:
    """A record played on a session of its own.

    mirrored: the record's rows are the other way round than GoGui draws them.
    """

    def __init__(self, name, values, nodes, mirrored):
        self._session = Session(name)
        self._session.values.update(values)
        self._game = GtpGame(self._session)
        self._nodes, self._mirrored = nodes, mirrored
        self._rows = self._read_size(nodes[0].get("SZ"))

    def _read_size(self, values):
        """The rows that the record's points count; CommandError where the board can't have its size."""
        if values is None:
            return self._game.shape()[1]
        columns, _, rows = values[0].partition(":")
        size = integer([columns], 0), integer([rows or columns], 0)
        if BOARD_SIZE in self._session.game.options and size[0] == size[1]:
            self._session.set_option(BOARD_SIZE.name, str(size[0]))
            self._session.new_game()
        shape = self._game.shape()
        if size not in (shape, (max(shape), max(shape))):
            raise CommandError(_CANNOT_LOAD)
        return size[1]

    def play(self, count):
        """The GtpGame after `count` moves (None: all)."""
        played = 0
        for node in self._nodes:
            if node.keys() & {"AB", "AW", "AE", "PL"}:
                if played:
                    raise CommandError(_CANNOT_LOAD)
                self._set_up(node)
            for colour in ("B", "W"):
                if colour in node:
                    if played == count:
                        return self._game
                    self._game.play(self._game.player(colour), self._word(node[colour][0]))
                    played += 1
        return self._game

    def _word(self, text):
        """The vertex of a point; `pass`, or the text itself where it is none."""
        if not text or text == "tt" and max(self._game.shape()) < 20:
            return "pass"
        cell = self._cell(text)
        return moves.VERTEX_LETTERS[cell[0]] + str(cell[1] + 1) if cell else text

    def _cell(self, text):
        """(column, row) of a point on the board, of two letters or of a square's name; else None."""
        columns, rows = self._game.shape()
        cell = sgf.cell(text, self._rows)
        if cell is None:
            try:
                return read_square(text, columns, rows)
            except MoveError:
                return None
        column, row = cell
        if self._mirrored:
            row = rows - 1 - row
        if not (0 <= column < columns and 0 <= row < rows):
            raise CommandError(_CANNOT_LOAD)
        return column, row

    def _set_up(self, node):
        """Add stones to the position, and say whose turn it is."""
        position = self._session.position
        board = [list(row) for row in position.board()]
        for key, mark in (("AB", "X"), ("AW", "O"), ("AE", ".")):
            for text in node.get(key, ()):
                cell = self._cell(text)
                if cell is None:
                    raise CommandError(_CANNOT_LOAD)
                board[cell[1]][cell[0]] = mark
        rows = ["".join(row) for row in board]
        side = self._game.player(node["PL"][0]) if "PL" in node else self._first_to_move(position.side)
        if rows != position.board() or side != position.side:
            self._session.setup(_position_text(self._session.game, rows, side))

    def _first_to_move(self, otherwise):
        """The player of the first move, who is to move where the record does not say it."""
        for node in self._nodes:
            for colour in ("B", "W"):
                if colour in node:
                    return self._game.player(colour)
        return otherwise


def _position_text(game, rows, side):
    """The position text of stones (row 1 first), in the form that the game reads; GameError where there is none."""
    texts = (f"{write_rows(rows[::-1])} {'xo'[side]}",
             f"{''.join(rows if game.rank_one_on_top else rows[::-1]).replace('.', '-')} {'XO'[side]}")
    for text in texts:
        try:
            game.parse(text, {})
            return text
        except GameError as error:
            found = error
    raise found


def _nodes(session, shape):
    """The nodes of the game so far."""
    game, position = session.game, session.base_position()
    columns, rows = shape
    from_top = game.rank_one_on_top

    def point(column, row):
        return sgf.point(column, rows - 1 - row if from_top else row, rows)

    root = {"FF": ["4"], "CA": ["UTF-8"], "AP": [f"{PRODUCT}:{VERSION}"], "GN": [game.name],
            "SZ": [str(columns) if columns == rows else f"{columns}:{rows}"]}
    if game.name in _NUMBERS:
        root["GM"] = [_NUMBERS[game.name]]
    if position.text() != game.start(session.values).text():
        cells = [(point(column, row), mark) for row, marks in enumerate(position.board())
                 for column, mark in enumerate(marks)]
        root.update((key, [name for name, mark in cells if mark == wanted])
                    for key, wanted in (("AB", "X"), ("AW", "O"), ("AE", ".")) if wanted in dict(cells).values())
        root["PL"] = ["BW"[position.side]]
    nodes = [root]
    for move in session.moves:
        cell = position.placement(move)
        nodes.append({"BW"[position.side]: [point(*cell) if cell else ""]})
        position.make(move)
    return nodes
