"""A position of Gomoku or Renju: the rules, and the doors through which a search asks for knowledge.

Moves are cells, numbered row by row from rank 1: cell = row * size + column.
"""
from __future__ import annotations

from games import base
from games.base import MoveError, Outcome
from games.gomoku.facts import EXACTLY_FIVE
from games.gomoku.field import Field
from games.gomoku.lines import FIRST, has_exact_five, has_five_or_more, lines_of
from games.gomoku.pick import Pick
from games.gomoku.renju import forbidden_cells, is_forbidden
from games.gomoku.solver import solve
from games.grid import read_square, square_name, write_rows

_EMPTY = 2      # in `cells`; players are 0 and 1


class Position(base.Position):
    """A square board with the stones of two players.

    cells: 0, 1 or 2 (empty) for each cell.  codes: the code of each line (lines.py).
    winner: the player who has five, or None.
    """

    def __init__(self, game, size):
        self.game, self.size = game, size
        self.lines = lines_of(size)
        self.cells = [_EMPTY] * (size * size)
        self.codes = [0] * len(self.lines.lines)
        self.side = self.key = 0
        self.stones = 0
        self.winner = None
        self._played = []
        self._known = None              # the Field of the position that a search asked about last

    def set_up(self, stones, side):
        """Put the stones (two lists of cells) on an empty board; `side` is to move."""
        for player, cells in enumerate(stones):
            for cell in cells:
                self.cells[cell] = player
                self.key ^= self.lines.keys[player][cell]
                self._change_codes(cell, 1 << player)
        self.stones = len(stones[0]) + len(stones[1])
        self.side = side
        self.winner = next((player for player in (0, 1) if self.won_by(player)), None)

    def won_by(self, player):
        """Does any line hold the row that wins for `player`?"""
        return any(self.wins_in(code, player) for code in self.codes)

    def wins_in(self, code, player):
        """Does the line `code` hold the row that wins for `player`?"""
        stones = code >> player & FIRST
        return (has_exact_five if self.game.wins[player] == EXACTLY_FIVE else has_five_or_more)(stones) != 0

    def _change_codes(self, cell, stone):
        codes = self.codes
        for line, index in self.lines.through[cell]:
            codes[line] += stone << 2 * index

    # ---- owed -------------------------------------------------------------------------------------------

    def legal_moves(self):
        if self.winner is not None:
            return []
        cells = self.cells
        moves = [cell for cell in self.lines.order if cells[cell] == _EMPTY]
        if self.game.forbidden and self.side == 0:
            closed = set(forbidden_cells(self.lines, self.codes))
            moves = [cell for cell in moves if cell not in closed]
        return moves

    def make(self, move):
        side = self.side
        self.cells[move] = side
        self._change_codes(move, 1 << side)
        if any(self.wins_in(self.codes[line], side) for line, _ in self.lines.through[move]):
            self.winner = side
        self.key ^= self.lines.keys[side][move]
        self.side = 1 - side
        self.stones += 1
        self._played.append(move)

    def undo(self):
        move = self._played.pop()
        self.side = side = 1 - self.side
        self.cells[move] = _EMPTY
        self._change_codes(move, -1 << side)
        self.key ^= self.lines.keys[side][move]
        self.stones -= 1
        self.winner = None

    def outcome(self):
        if self.winner is not None:
            return Outcome(self.winner, f"{self.game.colours[self.winner]} has five in a row")
        if self.stones == len(self.cells):
            return Outcome(None, "the board is full")
        if self.game.forbidden and self.side == 0 and not self.legal_moves():
            return Outcome(None, "every empty point is forbidden to Black")
        return None

    def final_value(self):
        if self.winner is not None:
            return base.WIN if self.winner == self.side else -base.WIN
        return 0 if self.stones == len(self.cells) else None

    def text(self):
        return f"{write_rows(self.board()[::-1])} {'xo'[self.side]}"

    def move_text(self, move):
        row, column = divmod(move, self.size)
        return square_name(column, row)

    # ---- what a front end may want ----------------------------------------------------------------------

    def parse_move(self, text):
        column, row = read_square(text, self.size, self.size)
        move = row * self.size + column
        if self.winner is not None:
            raise MoveError(text, "the game is over")
        if self.cells[move] != _EMPTY:
            raise MoveError(text, "is occupied")
        if self.game.forbidden and self.side == 0 and is_forbidden(self.lines, self.codes, move):
            raise MoveError(text, "is forbidden to Black")
        return move

    def placement(self, move):
        return move % self.size, move // self.size

    def board(self):
        size = self.size
        marks = "".join(["XO."[player] for player in self.cells])
        return [marks[start:start + size] for start in range(0, size * size, size)]

    def notes(self):
        """Renju: the points that are forbidden to Black now."""
        if not self.game.forbidden or self.winner is not None:
            return []
        points = [self.move_text(cell) for cell in sorted(forbidden_cells(self.lines, self.codes))]
        return ["Forbidden: " + " ".join(points)] if points else []

    # ---- knowledge --------------------------------------------------------------------------------------

    def field(self):
        """The maps of this position, made when they are first asked for."""
        if self._known is None or self._known.key != self.key:
            self._known = Field(self)
        return self._known

    def search_moves(self):
        """The legal moves worth searching, likely good ones first; on the empty board its middle alone."""
        if self.stones == 0:
            return [self.lines.order[0]]
        field = self.field()
        return Pick(field).moves(field.side, field.packed) or self.legal_moves()

    def opening_moves(self, context):
        """The middle of the empty board, then the neighbours of the first stone."""
        if self.stones > 1:
            return []
        first = self.lines.order[0] if self.stones == 0 else self._only_stone()
        near = [cell for cell in self.lines.order if self._distance(cell, first) <= 1]
        return [cell for cell in near if self.cells[cell] == _EMPTY]

    def _only_stone(self):
        return next(cell for cell, player in enumerate(self.cells) if player != _EMPTY)

    def _distance(self, cell, other):
        """The larger of the distances in columns and in rows."""
        row, column = divmod(cell, self.size)
        other_row, other_column = divmod(other, self.size)
        return max(abs(row - other_row), abs(column - other_column))

    def evaluate(self):
        field = self.field()
        return field.evaluate(field.side, field.packed)

    def evaluation_terms(self):
        field = self.field()
        return field.terms(field.side, field.packed)

    def solve(self, context):
        """A proven win by threats, where one is found soon."""
        return solve(self.field(), context)
