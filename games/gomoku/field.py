"""What all parts of a Gomoku search share: the lines of the position, the maps, and moves on them.

The packed value (maps.py) and the key are handed from node to node as arguments, the side to move too; only the
codes of the lines change in place.
"""
from __future__ import annotations

from games.gomoku.lines import lines_of
from games.gomoku.maps import (
    LANE,
    LANE_MASK,
    SCORE_BITS,
    SCORE_MASK,
    WON,
    cells_of,
    maps_of,
    movers,
)
from games.gomoku.renju import is_forbidden

# How the players' scores count in the evaluation, in units of 1 >> WEIGHT_BITS, and what the move is worth.
MOVER_WEIGHT, OTHER_WEIGHT, WEIGHT_BITS = 5, 4, 2
TEMPO = 8


class Field:
    """The searched board.

    codes: of the lines, and one more that stays 0.  packed, key, side: of the root, which make() and undo() change.
    play(side, cell, packed) -> packed, take_back(side, cell), peek(side, cell, packed) -> packed: see maps.movers.
    count: [nodes so far, nodes at which to call check]; all parts of a search count here.
    restricted: the player who has forbidden points, -1 where nobody has.
    """

    def __init__(self, position):
        self.game, self.size = position.game, position.size
        self.board = lines_of(position.size)
        self.maps = maps_of(position.size, position.game.wins)
        self.codes = position.codes + [0]
        self.packed = self.maps.packed(position.codes)
        self.key, self.side = position.key, position.side
        self.count, self.check = [0, 0], None
        self._stack = []
        self.play, self.take_back, self.peek = movers(self.maps, self.codes)
        self.restricted = 0 if position.game.forbidden else -1

    def begin(self, check, count=None):
        """A search begins: its nodes are counted from 0, or in `count`, and `check` is called as they grow."""
        self.count, self.check = [0, 0] if count is None else count, check

    def make(self, cell):
        """Play a move from the root: what comes after it is the root now."""
        self._stack.append((self.packed, self.key, cell))
        self.packed, self.key = self.play(self.side, cell, self.packed), self.key ^ self.board.keys[self.side][cell]
        self.side = 1 - self.side

    def undo(self):
        """Take back what make() played."""
        self.side = 1 - self.side
        self.packed, self.key, cell = self._stack.pop()
        self.take_back(self.side, cell)

    def forbidden(self, side, cell, packed):
        """Is `cell` forbidden to `side`?  Only two fours, two threes or six make a closer look worth while."""
        if side != self.restricted:
            return False
        suspects = (packed >> self.maps.fours[side] | packed >> self.maps.threes[side]) & self.maps.twice
        return bool(suspects >> LANE * cell & LANE_MASK) and is_forbidden(self.board, self.codes, cell)

    def scores(self, packed):
        """The scores of both players (segments.py)."""
        scores = packed >> self.maps.top
        return scores >> SCORE_BITS, scores & SCORE_MASK

    def won(self, packed):
        """Has a player five?"""
        return max(self.scores(packed)) >= WON

    def evaluate(self, side, packed):
        """The evaluation for `side`, to move: its chances count for more, as it is the one to use them."""
        return sum(score for _, score in self.terms(side, packed))

    def terms(self, side, packed):
        """The evaluation as [(name, score)]."""
        scores = self.scores(packed)
        total = scores[side] * MOVER_WEIGHT - scores[1 - side] * OTHER_WEIGHT >> WEIGHT_BITS
        own = scores[side] * MOVER_WEIGHT >> WEIGHT_BITS
        return [("own windows", own), ("other windows", total - own), ("tempo", TEMPO)]

    def fives(self, side, packed):
        """The cells where `side` makes five."""
        return cells_of(packed >> self.maps.fives[side] & self.maps.lanes)

    def fours(self, side, packed):
        """The cells where `side` makes a four, those that Renju forbids among them."""
        return cells_of(packed >> self.maps.fours[side] & self.maps.lanes)

    def threats(self, side, packed):
        """The cells where `side` makes an open four or two fours at once."""
        lanes = packed >> self.maps.fours[side] & self.maps.twice
        if not lanes:
            return []
        cells = cells_of(lanes)
        if side == self.restricted:
            return [cell for cell in cells if not self.forbidden(side, cell, packed)]
        return cells

    def elsewhere(self, closed, packed):
        """Any move of Black's but `closed`: its reply where the one that it needs is forbidden."""
        for cell in self.board.order:
            line, index = self.board.through[cell][0]
            if cell != closed and not self.codes[line] >> 2 * index & 3 and not self.forbidden(0, cell, packed):
                return cell
        return closed

    def any_of(self, side, cells, packed):
        """One of `cells` that is legal for `side`; where Renju forbids them all, any other move."""
        for cell in cells:
            if not self.forbidden(side, cell, packed):
                return cell
        return self.elsewhere(cells[0], packed)
