"""A position of Gomoku or Renju: the rules, its text, and its answers to a search.

Moves are cells, numbered row by row from rank 1: cell = row * size + column.  The text
has the rows from the top with `/` between them, `x`, `o` and decimal runs of empty
cells, then the side to move.
"""

from __future__ import annotations

from games import base
from games.base import MoveError, Outcome, PositionError
from games.gomoku.board import FULL_WIDTH, WIDTH, ThreatBoard
from games.gomoku.root import solve
from games.gomoku.rules import FIRST, LINE_TEXTS, LINES_OF, PASS, has_five, is_forbidden
from games.grid import arrange, read_position, side_to_move, split_text, square_name
from games.options import BOARD_SIZE
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from games.gomoku import Gomoku
    from games.solver import Line
    from games.types import Cell, Context, Move, MovesLeft, Score, Side, Square

# The moves of a player that moves_left() expects until the game is decided: _OPEN_MOVES if the
# score is 0, one less for each _POINTS_A_MOVE of the score, but at least _MIN_OPEN_MOVES.  See
# docs/lab/gomoku.md.
_OPEN_MOVES = 9.0
_POINTS_A_MOVE = 20
_MIN_OPEN_MOVES = 3.0
# Each pass XORs this number into the key.
_PASSED = 0x1B5A7C3D9E4F6021


class GomokuPosition(base.Position):
    """A square board with the stones of two players.

    codes: the code of each line (rules.py).  winner: the player who has five, or None.
    """

    game: Gomoku

    def __init__(self, game: Gomoku, size: int) -> None:
        self.game, self.size = game, size
        self.lines = LINES_OF[size]
        self.codes = [0] * len(self.lines.cells)
        self.side = self.key = 0
        self.stones = 0
        self.winner: Side | None = None
        self._played: list[Move] = []
        self._board: ThreatBoard | None = None  # made on first use

    def set_up(self, stones: Sequence[Sequence[Square]], side: Side) -> None:
        """Put the stones of both players on the empty board.  side: the side to move."""
        for player, cells in enumerate(stones):
            for cell in cells:
                self.key ^= self.lines.keys[player][cell]
                self.lines.add(self.codes, cell, 1 << player)
        self.stones = len(stones[0]) + len(stones[1])
        self.side = side
        if (self.stones + side) & 1:  # after a pass
            self.key ^= _PASSED
        self.winner = next((player for player in (0, 1) if self.won_by(player)), None)

    def won_by(self, player: Side) -> bool:
        """Does any line have a row that wins for `player`?"""
        return any(self._wins_in(code, player) for code in self.codes)

    def _wins_in(self, code: int, player: Side) -> bool:
        return has_five(code >> player & FIRST, self.game.exact[player])

    def moves_left(self, played: int, seconds: float, memory: Mapping[str, Any]) -> MovesLeft:
        """Return an estimate fitted to the engine's games, lower for more uneven positions."""
        open_moves = max(_OPEN_MOVES - abs(self.evaluate()) / _POINTS_A_MOVE, _MIN_OPEN_MOVES)
        return open_moves, (self.size**2 - self.stones) // 2 + 1

    # ---- required by the contract ----------------------------------------------------

    def legal_moves(self) -> list[Move]:
        if self.winner is not None:
            return []
        barred = {move for move, _ in self.barred_moves()}
        return [cell for cell in self._empty_cells() if cell not in barred]

    def _empty_cells(self) -> list[Square]:
        marks = "".join(self.board())
        return [cell for cell in self.lines.order if marks[cell] == "."]

    def make(self, move: Move) -> None:
        self._played.append(move)
        side = self.side
        self.side = 1 - side
        if move == PASS:
            self.key ^= _PASSED
            return
        self.lines.add(self.codes, move, 1 << side)
        if any(self._wins_in(self.codes[line], side) for line, _, _ in self.lines.through[move]):
            self.winner = side
        self.key ^= self.lines.keys[side][move]
        self.stones += 1

    def undo(self) -> None:
        move = self._played.pop()
        self.side = side = 1 - self.side
        if move == PASS:
            self.key ^= _PASSED
            return
        self.lines.add(self.codes, move, -1 << side)
        self.key ^= self.lines.keys[side][move]
        self.stones -= 1
        self.winner = None

    def copy(self) -> base.Position:
        twin = self.with_own("codes", "_played")
        twin._board = None
        return twin

    def outcome(self) -> Outcome | None:
        if self.winner is not None:
            return Outcome(self.winner, f"{self.game.colours[self.winner]} has five in a row")
        if self.stones == self.size**2:
            return Outcome(None, "the board is full")
        if self.game.forbidden and self.side == 0 and not self.legal_moves():
            return Outcome(None, "every empty point is forbidden to Black")
        return None

    def final_value(self) -> Score | None:
        if self.winner is not None:
            return base.WIN if self.winner == self.side else -base.WIN
        return 0 if self.stones == self.size**2 else None

    def text(self) -> str:
        return arrange(self.board(), self.side)

    def move_text(self, move: Move) -> str:
        cell = self.placement(move)
        return "pass" if cell is None else square_name(*cell)

    # ---- for front ends --------------------------------------------------------------

    def parse_move(self, text: str) -> Move:
        if text.strip().lower() in base.PASSES and self.null_move() is not None:
            return PASS
        column, row = Squares(self.size, self.size).read(text)
        move = row * self.size + column
        if self.winner is not None:
            raise MoveError(text, "the game is over")
        if not self.lines.is_empty(self.codes, move):
            raise MoveError(text, "is occupied")
        if self.game.forbidden and self.side == 0 and is_forbidden(self.lines, self.codes, move):
            raise MoveError(text, "is forbidden to Black")
        return move

    def null_move(self) -> Move | None:
        """Return Renju's pass, which is allowed at any turn; None in Gomoku."""
        return self.game.pass_move if self.winner is None else None

    def placement(self, move: Move) -> Cell | None:
        return None if move == PASS else (move % self.size, move // self.size)

    def board(self) -> list[str]:
        return [LINE_TEXTS[code, self.size].upper() for code in self.codes[: self.size]]

    def notes(self) -> list[str]:
        """Return a line with the points that are forbidden to Black now; empty except in Renju."""
        points = self._forbidden()
        return ["Forbidden: " + " ".join(map(self.move_text, points))] if points else []

    def barred_moves(self) -> list[tuple[Move, str]]:
        points = [] if self.side else self._forbidden()
        return [(point, "the point is forbidden to Black") for point in points]

    def _forbidden(self) -> list[Move]:
        """Return the points that are forbidden to Black, whoever is to move."""
        if not self.game.forbidden or self.winner is not None:
            return []
        cells = self._empty_cells()
        return sorted(cell for cell in cells if is_forbidden(self.lines, self.codes, cell))

    # ---- knowledge -------------------------------------------------------------------

    def search_board(self) -> ThreatBoard:
        """Return the ThreatBoard of this position, made on first use."""
        if self._board is None or self._board.key != self.key:
            self._board = ThreatBoard(self)
        return self._board

    def search_moves(self) -> list[Move]:
        """Return the legal moves worth searching; on the empty board, only the middle cell.

        With a learned evaluation, the search calls this at each node; otherwise only at the root.
        """
        if self.stones == 0:
            return [self.lines.order[0]]
        board = self.search_board()
        width = FULL_WIDTH if self.game.learned is None else WIDTH
        return board.moves(board.side, board.packed, width) or self.legal_moves()

    def evaluation_terms(self) -> list[tuple[str, Score]]:
        return self.search_board().terms()

    def solve(self, context: Context) -> Iterator[Line]:
        """Yield the Line of a proven win by threats, if one is found within the budget."""
        return solve(self.search_board(), context)


# ---- reading a text ------------------------------------------------------------------


def position_of(game: Gomoku, text: str) -> GomokuPosition:
    """Return the position of a text.

    Raises PositionError if the text is malformed or no game can lead to the position.
    """
    size = len(split_text(text)[0])
    low, high = BOARD_SIZE.low, BOARD_SIZE.high
    if not low <= size <= high:
        raise PositionError(text, f"a board must have {low} to {high} rows, not {size}")
    rows, side = read_position(text, size, size)
    marks = "".join(rows)
    stones = [[cell for cell, char in enumerate(marks) if char == mark] for mark in "XO"]
    if side is None:
        raise PositionError(text, "the side to move, x or o, is missing")
    if game.pass_move is None:
        side_to_move(len(stones[0]), len(stones[1]), side, text)
    position = GomokuPosition(game, size)
    position.set_up(stones, side)
    if position.won_by(0) and position.won_by(1):
        raise PositionError(text, "both players have five in a row")
    return position
