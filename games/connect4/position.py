"""A position of Connect Four: the stones of the side to move and all stones (see bits.py).

A move is the index of its column; the left column is 0.
"""

from __future__ import annotations

from games.base import MoveError, Outcome, Position, PositionError
from games.connect4.bits import (
    BOARD,
    BOTTOM_ROW,
    CENTRE_FIRST,
    COLUMN_BOTTOMS,
    COLUMN_MASKS,
    COLUMNS,
    EVEN_ROWS,
    HEIGHT,
    ODD_ROWS,
    ROWS,
    has_four,
    landing_cell,
    winning_cells,
)
from games.grid import LETTERS, arrange, count_bits, read_position, shown_lines, side_to_move
from games.solver import SOLVER_SHARE
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.base import Game
    from games.connect4.bits import Cells
    from games.solver import Line
    from games.types import Cell, Context, Move, Score

# Weights of the evaluation.  When neither side has a useful move left, the columns fill up from
# below.  The first player then fills the odd rows and the second player the even rows, so a threat
# counts more in its owner's rows.
_THREAT = 30
_THREAT_IN_OWN_ROW = 70
_LINES_THROUGH_COLUMN = (3, 4, 5, 7, 5, 4, 3)
_COLUMN_VALUE = 2

# Moves are ordered by the number of their threats, then by the number of lines through their
# column.
_THREAT_ORDER = 16

# The numbers of the columns, then their letters.
_COLUMN_NAMES = [*"1234567", *LETTERS[:COLUMNS]]

_SHOWN, _COLUMN = shown_lines(ROWS), (1 << ROWS) - 1
_OFFSETS = tuple(range(0, HEIGHT * COLUMNS, HEIGHT))


def parse(game: Game, text: str) -> Connect4Position:
    """Return the position of a text.

    Raises PositionError if the text is malformed or no game can lead to the position.
    """
    rows, side = read_position(text, COLUMNS, ROWS)
    columns = ["".join(column) for column in zip(*rows)]
    # The "." between two columns stands for the bit that each column has beyond its cells.
    bits = list(enumerate(".".join(columns)))
    stones = [sum(1 << bit for bit, char in bits if char == colour) for colour in "XO"]
    mask = stones[0] | stones[1]
    if (mask + BOTTOM_ROW) & mask:
        raise PositionError(text, "a stone has an empty cell below it")
    to_move = side_to_move(count_bits(stones[0]), count_bits(stones[1]), side, text)
    if has_four(stones[to_move]):
        raise PositionError(text, f"{'xo'[to_move]} is to move, but has four in a row already")
    return Connect4Position(game, stones[to_move], mask)


class Connect4Position(Position):
    """A position.  stones: the cells of the side to move.  mask: all stones."""

    solver_share = SOLVER_SHARE

    def __init__(self, game: Game, stones: Cells = 0, mask: Cells = 0) -> None:
        self.game = game
        self.stones, self.mask = stones, mask
        self.side = count_bits(mask) & 1
        self.key = stones + mask + BOTTOM_ROW
        self._over = has_four(stones ^ mask)  # the player who moved last has won
        self._history: list[Cells] = []

    # ---- rules -----------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        if self._over:
            return []
        mask = self.mask
        return [column for column in CENTRE_FIRST if landing_cell(mask, column)]

    def make(self, move: Move) -> None:
        mask = self.mask
        self._history.append(mask)
        self.mask = mask | mask + COLUMN_BOTTOMS[move]
        self.stones ^= mask
        self.side ^= 1
        self.key = self.stones + self.mask + BOTTOM_ROW
        self._over = has_four(self.stones ^ self.mask)

    def undo(self) -> None:
        self.mask = self._history.pop()
        self.stones ^= self.mask
        self.side ^= 1
        self.key = self.stones + self.mask + BOTTOM_ROW
        self._over = False

    def copy(self) -> Position:
        return self.with_own("_history")

    def outcome(self) -> Outcome | None:
        if self._over:
            return Outcome(self.side ^ 1, "four in a row")
        if self.mask == BOARD:
            return Outcome(None, "the board is full")
        return None

    # ---- texts -----------------------------------------------------------------------

    def text(self) -> str:
        return arrange(self.board(), self.side)

    def board(self) -> list[str]:
        first = self.stones if self.side == 0 else self.stones ^ self.mask
        second = first ^ self.mask
        columns = [
            _SHOWN[first >> offset & _COLUMN, second >> offset & _COLUMN] for offset in _OFFSETS
        ]
        return list(map("".join, zip(*columns)))

    def move_text(self, move: Move) -> str:
        return str(move + 1)

    def parse_move(self, text: str) -> Move:
        """Return the move of a text: a column's number or letter, or the cell of the stone."""
        name = text.strip().lower()
        row = None
        if name in _COLUMN_NAMES:
            move = _COLUMN_NAMES.index(name) % COLUMNS
        else:
            move, row = Squares(COLUMNS, ROWS).read(text)
        if move not in self.legal_moves():
            raise MoveError(text, "the game is over" if self.outcome() else "this column is full")
        if row is not None and (move, row) != self.placement(move):
            raise MoveError(text, "is not the cell where a stone in this column lands")
        return move

    def placement(self, move: Move) -> Cell:
        return move, count_bits(self.mask & COLUMN_MASKS[move])

    # ---- knowledge -------------------------------------------------------------------

    def solve(self, context: Context) -> Iterable[Line]:
        """Yield the book's and the solver's Lines."""
        from games.connect4.root import Root

        return context.exact_search(Root(self, context))

    def known_results(self) -> dict[Move, tuple[Score, Score]]:
        """Return the bounds for those moves whose result the book or an immediate win proves."""
        from games.connect4.book import load
        from games.connect4.root import bounded_moves
        from games.connect4.solver import to_engine

        empties = count_bits(BOARD ^ self.mask)
        columns = set(self.legal_moves())
        moves, _ = bounded_moves(self.stones, self.mask, columns, load())
        return {
            each.move: (to_engine(each.low, empties), to_engine(each.high, empties))
            for each in moves
            if each.low > 0 or each.high < 0 or each.low == each.high
        }

    def search_moves(self) -> list[Move]:
        """Return the winning moves, else those that block a threat, else the safe ones, else all.

        A move is safe if the opponent can't win on the cell above it.
        """
        landing = self.mask + BOTTOM_ROW
        cells = winning_cells(self.stones, self.mask) & landing
        if not cells:
            lost = winning_cells(self.stones ^ self.mask, self.mask)
            cells = lost & landing or landing & ~(lost >> 1)
        moves = self.legal_moves()
        return [move for move in moves if cells & COLUMN_MASKS[move]] or moves

    def order_moves(self, moves: Sequence[Move]) -> list[int]:
        mask = self.mask
        scores = []
        for move in moves:
            cell = landing_cell(mask, move)
            threats = winning_cells(self.stones | cell, mask | cell)
            scores.append(count_bits(threats) * _THREAT_ORDER + _LINES_THROUGH_COLUMN[move])
        return scores

    def evaluation_terms(self) -> list[tuple[str, Score]]:
        own, opp = self.stones, self.stones ^ self.mask
        own_threats = winning_cells(own, self.mask)
        opp_threats = winning_cells(opp, self.mask)
        own_rows, opp_rows = (EVEN_ROWS, ODD_ROWS) if self.side else (ODD_ROWS, EVEN_ROWS)
        return [
            ("threats", _THREAT * (count_bits(own_threats) - count_bits(opp_threats))),
            (
                "threats in the rows that their owner will fill",
                _THREAT_IN_OWN_ROW
                * (count_bits(own_threats & own_rows) - count_bits(opp_threats & opp_rows)),
            ),
            ("columns", _COLUMN_VALUE * (_column_value(own) - _column_value(opp))),
        ]


def _column_value(stones: Cells) -> Score:
    return sum(
        value * count_bits(stones & mask)
        for value, mask in zip(_LINES_THROUGH_COLUMN, COLUMN_MASKS)
    )
