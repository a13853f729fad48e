"""The meaning of a player's stones on a segment: a part of a line without stones of the opponent.

A segment ends at the board's edge or at the opponent's stones, so its meaning depends
on its length and its own stones alone.  A *window* is five neighbouring cells of the segment.  If
six don't win, a window next to another stone of the player is void, since filling it makes six.
The windows determine what a stone on an empty cell makes, and what the segment adds to the
evaluation:

    five    1 if the stone completes a window
    four    the number of cells that then complete a window, at most 2 (an open four)
    three   1 if another stone then makes an open four; 2 if the stone makes a six that doesn't
            win, since Renju forbids a six just as it forbids two threes
    policy  how often a search finds its best move on such a cell (network.py), for each player
            to move
    view    what the segment adds to the evaluation (network.py), for each player to move
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import permutations

from games.gomoku.network import SIDES, context_of, sides
from games.gomoku.rules import FIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.gomoku.network import GomokuNetwork

# The indices of player 0's maps; the index of player 1's map is one higher.
THREES = 0
FOURS = 2
FIVES = 4

# By player: a pattern that finds the segments with room for five in the text of a line (rules.py).
SEGMENTS = re.compile("[.x]{5,}"), re.compile("[.o]{5,}")
_DIGITS = str.maketrans(".xo", "011")


def mask_of(text: str) -> int:
    """Return the stones in the text of a segment as bits: bit i for cell i."""
    return int(text[::-1].translate(_DIGITS), 2)


class Segment:
    """The meaning of a segment, given as text.

    exact: True if six don't win.  network: the GomokuNetwork that has the weights.
    mover, other: what the segment adds to the evaluation when the owner of its stones is to move,
        and when the opponent is to move.
    places[cell]: the index of a cell's policy in GomokuNetwork.policy; -1 for a cell with a stone.
    wins: 1 if there is a five, else 0.
    cells: {(cell, THREES, FOURS or FIVES): value}, without zeros.
    """

    __slots__ = ("mover", "other", "places", "wins", "cells")

    def __init__(self, text: str, exact: bool, network: GomokuNetwork) -> None:
        mask, length = mask_of(text), len(text)
        self.mover = self.other = self.wins = 0
        self.cells: dict[tuple[int, int], int] = {}
        windows, (before, after) = network.windows, sides(mask, length)
        self.places = [
            -1 if mask >> cell & 1 else one * SIDES + other
            for cell, (one, other) in enumerate(zip(before, after))
        ]
        # {(cell, next cell): bits of the cells that complete a window once both have stones}
        threes: defaultdict[tuple[int, int], int] = defaultdict(int)
        # {cell: bits of the cells that complete a window once that cell has a stone}
        fours: defaultdict[int, int] = defaultdict(int)
        void = void_windows(mask, exact)
        for start in range(length - FIVE + 1):
            window = mask >> start & 31
            if not window or void >> start & 1:
                continue
            empty = [cell for cell in range(start, start + FIVE) if text[cell] == "."]
            count = FIVE - len(empty)
            mover, other = windows[context_of(window, before[start], after[start + FIVE - 1])]
            self.mover += mover
            self.other += other
            if count == 2:
                for cell, following, last in permutations(empty):
                    threes[cell, following] |= 1 << last
            elif count == 3:
                for cell, last in permutations(empty):
                    fours[cell] |= 1 << last
            elif count == 4:
                self.cells[empty[0], FIVES] = 1
            elif count == FIVE:
                self.wins = 1
        for cell, others in fours.items():
            self.cells[cell, FOURS] = 2 if others & others - 1 else 1
        for (cell, _), others in threes.items():
            if others & others - 1 and cell not in fours:
                self.cells[cell, THREES] = 1
        if exact:
            for cell in range(length):
                if _sixes(mask | 1 << cell) != _sixes(mask):  # a stone here makes six or more
                    self.cells[cell, THREES] = 2


def void_windows(mask: int, exact: bool) -> int:
    """Return the windows that can't win, as bits: bit i for the window that begins at cell i.

    exact: True if only exactly five win.  Then a window next to another stone of the player can't
    win, since it would make six.  Otherwise every window can win.
    """
    return mask << 1 | mask >> FIVE if exact else 0


def _sixes(mask: int) -> int:
    """Return the rows of six stones, as bits: bit i for the row that begins at cell i."""
    pairs = mask & mask >> 1
    return pairs & pairs >> 2 & pairs >> 4
