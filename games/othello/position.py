"""The rules of Othello on lanes."""
from __future__ import annotations

from games.base import MoveError, Outcome, Position
from games.grid import read_square, square_name
from games.othello import notation
from games.othello.lanes import LANES, key_of
from games.othello.squares import PASS, SQUARE_ORDER

PASS_WORDS = ("pass", "0000", "@@@@", "pa", "ps", "--")

_ORDERED = tuple((square, LANES.moving[square]) for square in SQUARE_ORDER)
_STEP, _FLIPS, _FULL = LANES.step, LANES.flips, LANES.full

# Added to the key when White is to move.
_KEY_SIDE = 0x17A6E5D4C3B29180


def start_position(game):
    """The start position of `game`."""
    return OthelloPosition(game, (28, 35), (27, 36), 0)


def can_move(own, opp):
    """Has the side with the discs `own` a move that turns discs?"""
    return (opp + ((own << 1) & opp)) & _FULL & ~(own | opp) != 0


class OthelloPosition(Position):
    """One position: the lanes of the side to move (`own`) and of the other side (`opp`)."""

    def __init__(self, game, black, white, side, first_ply=0):
        """black, white: the squares of the two sides.  first_ply: plies played before, for the move number."""
        self.game, self.side, self.first_ply = game, side, first_ply
        self.own, self.opp = LANES.spread(white if side else black), LANES.spread(black if side else white)
        self._stack = []

    @property
    def key(self):
        """A number below 2**62 that tells discs and side to move."""
        return key_of(self.own, self.opp) ^ (_KEY_SIDE if self.side else 0)

    @property
    def empties(self):
        """How many squares are empty."""
        return 64 - len(LANES.squares(self.own | self.opp))

    def legal_moves(self):
        """The squares that turn discs; else [PASS] where only the opponent has one; else none."""
        own, opp = self.own, self.opp
        return LANES.moves(own, opp) or ([PASS] if can_move(opp, own) else [])

    def make(self, move):
        self._stack.append((self.own, self.opp))
        self.side ^= 1
        self.own, self.opp = LANES.after(self.own, self.opp, move)

    def undo(self):
        self.own, self.opp = self._stack.pop()
        self.side ^= 1

    @property
    def ply(self):
        """Plies since the start of the game, as far as the position's text told."""
        return self.first_ply + len(self._stack)

    def discs(self):
        """(squares of Black, squares of White)."""
        own, opp = LANES.squares(self.own), LANES.squares(self.opp)
        return (opp, own) if self.side else (own, opp)

    def outcome(self):
        if can_move(self.own, self.opp) or can_move(self.opp, self.own):
            return None
        black, white = (len(squares) for squares in self.discs())
        empties = 64 - black - white
        if black == white:
            return Outcome(None, "drawn with equal discs", 0)
        winner = 0 if black > white else 1
        lead = abs(black - white) + empties
        return Outcome(winner, f"{self.game.colours[winner]} wins by {lead}", lead if winner == 0 else -lead)

    def text(self):
        return notation.write(self)

    def _rank(self, row):
        """The rank (from 0) of a row counted from the top, and the other way round."""
        return row if self.game.rank_one_on_top else 7 - row

    def move_text(self, move):
        if move == PASS:
            return "pass"
        column, rank = self.placement(move)
        return square_name(column, rank)

    def parse_move(self, text):
        """The legal move of `d3`, of a drop `P@d3`, or of a pass in any of its forms (`a1a1` too)."""
        word = text.strip().lower()
        if word in PASS_WORDS or (len(word) == 4 and word[:2] == word[2:]):
            move = PASS
        else:
            column, rank = read_square(word[2:] if word.startswith("p@") else word, 8, 8)
            move = 8 * self._rank(rank) + column
        if move not in self.legal_moves():
            raise MoveError(text, "is not a legal move here")
        return move

    def placement(self, move):
        if move == PASS:
            return None
        return move & 7, self._rank(move >> 3)

    def board(self):
        black, white = self.discs()
        cells = ["."] * 64
        for square in black:
            cells[square] = "X"
        for square in white:
            cells[square] = "O"
        rows = ["".join(cells[8 * y:8 * y + 8]) for y in range(8)]
        return rows if self.game.rank_one_on_top else rows[::-1]

    def notes(self):
        black, white = (len(squares) for squares in self.discs())
        first, second = self.game.colours
        return [f"Discs: {first} {black}, {second} {white}; empty squares count for the winner in the end"]

    def perft(self, depth):
        """Leaf count `depth` plies below, a pass being a ply."""
        return _perft(self.own, self.opp, depth)

    def evaluate(self):
        from games.othello.patterns import evaluation

        if not self.legal_moves():
            return self.final_value()
        return evaluation().evaluate(self.own, self.opp, self.empties)

    def evaluation_terms(self):
        from games.othello.patterns import evaluation

        if not self.legal_moves():
            return [("discs", self.final_value())]
        return evaluation().terms(self.own, self.opp, self.empties)

    def opening_moves(self, context):
        from games.othello.opening import near_equal

        return near_equal(self, context)

    def solve(self, context):
        from games.othello.exact import solve

        LANES.trim()
        return solve(self, context)


def _perft(own, opp, depth):
    if depth == 0:
        return 1
    empty = _FULL & ~(own | opp)
    ends = (opp + ((own << 1) & opp)) & empty
    if not ends:
        return _perft(opp, own, depth - 1) if can_move(opp, own) else 0
    moves = [square for square, mask in _ORDERED if ends & mask]
    if depth == 1:
        return len(moves)
    leaves = 0
    for square in moves:
        turned, gained, _ = _FLIPS[square][(opp + (opp & _STEP[square])) & own]
        leaves += _perft(opp ^ turned, own | gained, depth - 1)
    return leaves
