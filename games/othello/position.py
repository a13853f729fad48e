"""The rules of Othello, computed with the lanes of lanes.py, and the texts of its positions.

A text is 64 characters and the side to move, as in test suites, or Fairy-Stockfish's FEN.
"""

from __future__ import annotations

from games.base import PASSES, MoveError, Outcome, Position, PositionError
from games.grid import count_bits, read_position, read_rows, shown_lines, square_name, write_rows
from games.othello.lanes import FULL, PASS, ROW, ROWS, key_of, moves_of, play, spread
from games.othello.shallow import final_difference
from games.solver import SOLVER_SHARE
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from games.base import Game
    from games.othello.lanes import Discs
    from games.solver import Line
    from games.types import Cell, Context, Key, Move, MovesLeft, Score, Side, Square


# The lead that wins three games in four: _SURE on a full board, plus _UNSURE per empty square.
_SURE, _UNSURE = 200, 22

# XORed into the key if White is to move.
_KEY_SIDE = 0x17A6E5D4C3B29180


_ROWS, _OFFSETS = shown_lines(8), tuple(range(0, 8 * ROW, ROW))


def can_move(own: Discs, opp: Discs) -> bool:
    """Can the side with the discs `own` flip discs?"""
    return (opp + ((own << 1) & opp)) & FULL & ~(own | opp) != 0


class OthelloPosition(Position):
    """A position: the lanes of the side to move (`own`) and of the other side (`opp`)."""

    solver_share = SOLVER_SHARE

    def __init__(
        self, game: Game, black: Iterable[Square], white: Iterable[Square], side: Side
    ) -> None:
        """Make a position.  black, white: the squares of the two sides."""
        self.game, self.side = game, side
        self.own = spread(white if side else black)
        self.opp = spread(black if side else white)
        self.stack: list[tuple[Discs, Discs]] = []

    @property
    def key(self) -> Key:  # type: ignore[override]     # computed on demand
        """Return the key of discs and side to move, below 2**62."""
        return key_of(self.own, self.opp) ^ (_KEY_SIDE if self.side else 0)

    @property
    def empties(self) -> int:
        """Return the number of empty squares."""
        return 64 - count_bits((self.own | self.opp) & ROWS)

    def legal_moves(self) -> list[Move]:
        """Return the squares where a disc flips others.

        Return [PASS] if only the opponent has such squares, and [] if neither side has any.
        """
        return moves_of(self.own, self.opp) or ([PASS] if can_move(self.opp, self.own) else [])

    def make(self, move: Move) -> None:
        self.stack.append((self.own, self.opp))
        self.side ^= 1
        self.own, self.opp = play(self.own, self.opp, move)

    def undo(self) -> None:
        self.own, self.opp = self.stack.pop()
        self.side ^= 1

    def copy(self) -> Position:
        return self.with_own("stack")

    def discs(self) -> tuple[Discs, Discs]:
        """Return (discs of Black, discs of White), as bits."""
        own, opp = self.own & ROWS, self.opp & ROWS
        return (opp, own) if self.side else (own, opp)

    def outcome(self) -> Outcome | None:
        if can_move(self.own, self.opp) or can_move(self.opp, self.own):
            return None
        black, white = map(count_bits, self.discs())
        if black == white:
            return Outcome(None, "drawn with equal discs", 0)
        margin = final_difference(black - white, self.empties)
        winner = int(margin < 0)
        return Outcome(winner, f"{self.game.colours[winner]} wins by {abs(margin)}", margin)

    def win_scale(self) -> Score:
        """Return the lead that wins three games in four, which is larger earlier in the game.

        It is eleven discs with 40 empty squares, five with 13.  Fitted to games between
        equal players with 6000 nodes per move: docs/lab/othello.md.
        """
        return max(self.game.scores.win_scale, _SURE + _UNSURE * self.empties)

    def text(self) -> str:
        """Return the canonical text: a line in Othello, a FEN in flipello."""
        rows = self.board()
        if self.game.looks.rank_one_on_top:
            return "".join(rows).replace(".", "-") + (" O" if self.side else " X")
        text = write_rows(rows[::-1]).replace("o", "p").replace("x", "P")
        # Passes are not counted, since the board does not show them.
        placed = 64 - self.empties - _MIN_DISCS
        hands = "P" * (_HAND - (placed + 1) // 2) + "p" * (_HAND - placed // 2)
        return f"{text}[{hands}] {'wb'[self.side]} - - 0 {placed // 2 + 1}"

    def _rank(self, row: int) -> int:
        """Convert a row counted from the top to a rank (from 0), or back."""
        return row if self.game.looks.rank_one_on_top else 7 - row

    def move_text(self, move: Move) -> str:
        cell = self.placement(move)
        return "pass" if cell is None else square_name(*cell)

    def parse_move(self, text: str) -> Move:
        """Return the legal move that a text means: `d3`, a drop `P@d3`, a pass (also as `a1a1`)."""
        word = text.strip().lower()
        if word in PASSES or (len(word) == 4 and word[:2] == word[2:]):
            move = PASS
        else:
            column, rank = Squares(8, 8).read(word[2:] if word.startswith("p@") else word)
            move = 8 * self._rank(rank) + column
        if move not in self.legal_moves():
            raise MoveError(text, "is not a legal move here")
        return move

    def placement(self, move: Move) -> Cell | None:
        return None if move == PASS else (move & 7, self._rank(move >> 3))

    def board(self) -> list[str]:
        black, white = self.discs()
        rows = [_ROWS[black >> offset & 255, white >> offset & 255] for offset in _OFFSETS]
        return rows if self.game.looks.rank_one_on_top else rows[::-1]

    def counts(self) -> tuple[str, str]:
        black, white = map(count_bits, self.discs())
        return f"discs: {black}", f"discs: {white}"

    def notes(self) -> list[str]:
        players = zip(self.game.colours, map(count_bits, self.discs()))
        counts = ", ".join(f"{colour} {count}" for colour, count in players)
        return [f"Discs: {counts}; empty squares count for the winner in the end"]

    def evaluate(self) -> Score:
        from games.othello.patterns import evaluation

        final = self.final_value()
        return evaluation().evaluate(self.own, self.opp, self.empties) if final is None else final

    def evaluation_terms(self) -> list[tuple[str, Score]]:
        from games.othello.patterns import evaluation

        final = self.final_value()
        if final is not None:
            return [("discs", final)]
        return evaluation().terms(self.own, self.opp, self.empties)

    def moves_left(self, played: int, seconds: float, memory: Mapping[str, Any]) -> MovesLeft:
        """Return (moves until the endgame can be solved, maximum until the end of the game)."""
        from games.othello.root import moves_to_solution

        empties = self.empties
        return moves_to_solution(empties, seconds, memory), empties // 2 + 1

    def solve(self, context: Context) -> Iterable[Line]:
        from games.othello.root import solve

        return solve(self, context)


# ---- position texts ------------------------------------------------------------------


_LINE_CELLS = {"x": "X", "*": "X", "b": "X", "o": "O", "w": "O", "-": ".", ".": "."}
# The game begins with four discs, and no disc leaves the board.
_MIN_DISCS = 4
# Discs in each side's hand at the start; Fairy-Stockfish needs them, since its moves are drops.
_HAND = 60


def read_text(text: str) -> tuple[list[Square], list[Square], Side]:
    """Return (black squares, white squares, side) of a text; raise PositionError if malformed."""
    line = text.split(";", 1)[0]  # test suites write the scores of the moves after a semicolon
    cells, side = (_read_fen if "/" in line else _read_line)(line)
    black, white = ([square for square, cell in enumerate(cells) if cell == disc] for disc in "XO")
    if len(black) + len(white) < _MIN_DISCS:
        raise PositionError(text.strip(), "a board of Othello has at least four discs")
    return black, white, side


def _read_line(text: str) -> tuple[str, Side]:
    """Return (64 cells from the top left, side) of a text such as `---XO--- X`."""
    joined = "".join(text.split()).lower()
    (cells,) = read_rows([joined[:-1]], 64, _LINE_CELLS, text)
    side = "XO".find(_LINE_CELLS.get(joined[-1], "?"))
    if side < 0:
        raise PositionError(text.strip(), f'"{joined[-1]}" is not a side to move')
    return cells, side


def _read_fen(text: str) -> tuple[str, Side]:
    """Return (64 cells from the top left, side) of a FEN with 2 to 6 fields."""
    rows, side = read_position(text, 8, 8)
    if side is None:
        raise PositionError(text.strip(), "the side to move, w or b, is missing")
    return "".join(rows[::-1]), side
