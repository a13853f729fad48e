"""Tic-tac-toe: three in a row on a 3x3 board.  The smallest complete game: read it first.

A position is two sets of cells, one for each player, each an int of nine bits.  The cells,
with a1 at the bottom left:

    a3 b3 c3      6 7 8
    a2 b2 c2      3 4 5
    a1 b1 c1      0 1 2

A move is the index of the cell that it fills.
"""

from __future__ import annotations

from games.base import Game, MoveError, Outcome, Position, PositionError, Strength
from games.grid import arrange, count_bits, read_position, shown_lines, side_to_move, square_name
from games.looks import MARKS, Looks
from games.options import SEED, VARIETY
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.types import Cell, Move, Options, Score

_FULL = 0o777
_LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_ROWS = shown_lines(3)
_BEST_FIRST = (4, 0, 2, 6, 8, 1, 3, 5, 7)

# Value of a line in which only one player has stones: for that player, by the number of stones.
# (Three stones win: such a position is never evaluated.)
_LINE_VALUES = (0, 10, 40, 0)


class TicTacToe(Game):
    """Tic-tac-toe."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    options = (VARIETY, SEED)
    strength = Strength(varied_stones=1)
    colours = ("X", "O")
    symmetries = ("mirror", "transpose", "swap")
    looks = Looks(MARKS, row=3)
    start_text = "3/3/3 x"
    max_plies = 9
    alternates = True
    bench = ((None, 9),)
    arrange = staticmethod(arrange)

    def parse(self, text: str, options: Options) -> TicTacToePosition:
        rows, side = read_position(text, columns=3, rows=3)
        cells = list(enumerate("".join(rows)))
        stones = [sum(1 << cell for cell, char in cells if char == stone) for stone in "XO"]
        # If o began, swap the stones: X is the player who moves first.
        if count_bits(stones[1]) == count_bits(stones[0]) + 1:
            stones.reverse()
            side = None if side is None else 1 - side
        to_move = side_to_move(count_bits(stones[0]), count_bits(stones[1]), side, text)
        if _has_line(stones[to_move]):
            raise PositionError(text, f"{'xo'[to_move]} has three in a row and is to move")
        return TicTacToePosition(self, *stones)


class TicTacToePosition(Position):
    """A position.  stones: [cells with an X, cells with an O], each a set of bits."""

    def __init__(self, game: Game, x_stones: int, o_stones: int) -> None:
        self.game = game
        self.stones = [x_stones, o_stones]
        self.side = count_bits(x_stones | o_stones) & 1
        self.key = x_stones | o_stones << 9
        self._history: list[Move] = []

    def legal_moves(self) -> list[Move]:
        if _has_line(self.stones[self.side ^ 1]):
            return []
        taken = self.stones[0] | self.stones[1]
        return [cell for cell in _BEST_FIRST if not taken >> cell & 1]

    def make(self, move: Move) -> None:
        self._history.append(move)
        self._flip(move)
        self.side ^= 1

    def undo(self) -> None:
        self.side ^= 1
        self._flip(self._history.pop())

    def _flip(self, cell: int) -> None:
        """Put a stone of the side to move on a cell, or remove it."""
        self.stones[self.side] ^= 1 << cell
        self.key ^= 1 << cell + 9 * self.side

    def copy(self) -> Position:
        return self.with_own("stones", "_history")

    def outcome(self) -> Outcome | None:
        if _has_line(self.stones[self.side ^ 1]):
            return Outcome(self.side ^ 1, "three in a row")
        if self.stones[0] | self.stones[1] == _FULL:
            return Outcome(None, "the board is full")
        return None

    def text(self) -> str:
        return arrange(self.board(), self.side)

    def board(self) -> list[str]:
        x_stones, o_stones = self.stones
        return [_ROWS[x_stones >> cell & 7, o_stones >> cell & 7] for cell in (0, 3, 6)]

    def move_text(self, move: Move) -> str:
        return square_name(*self.placement(move))

    def parse_move(self, text: str) -> Move:
        """Return the move to a square, given by name or by number: 1 to 9 from the top left."""
        name = text.strip()
        if len(name) == 1 and name in "123456789":
            row_from_top, column = divmod(int(name) - 1, 3)
            move = 3 * (2 - row_from_top) + column
        else:
            column, row = Squares(3, 3).read(text)
            move = 3 * row + column
        if move not in self.legal_moves():
            raise MoveError(text, "the game is over" if self.outcome() else "this cell is taken")
        return move

    def placement(self, move: Move) -> Cell:
        return move % 3, move // 3

    def evaluation_terms(self) -> list[tuple[str, Score]]:
        own, other = self.stones[self.side], self.stones[self.side ^ 1]
        return [
            ("lines open to the side to move", _open_lines(own, other)),
            ("lines open to the opponent", -_open_lines(other, own)),
        ]


def _has_line(stones: int) -> bool:
    for line in _LINES:
        if stones & line == line:
            return True
    return False


def _open_lines(own: int, other: int) -> Score:
    """Return the value of the lines on which `other` has no stone."""
    return sum(_LINE_VALUES[count_bits(own & line)] for line in _LINES if not other & line)


GAMES = [TicTacToe()]
