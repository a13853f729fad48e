"""What the stones of one player mean on a stretch of a line without a stone of the other.

A stretch is bounded by the board's edge or by stones of the other player, so what it holds depends on its length
and its own stones alone.  A *window* is five neighbouring cells of it; where exactly five wins, a window that a
further own stone adjoins is void, since filling it makes six.  Everything is read from the windows:

    five    the cell completes a window
    four    the cell leaves one cell that completes a window (1), or two or more of them (2: an open four)
    three   the cell leaves a cell that makes an open four; or 2, where exactly five wins, for a cell that makes
            six: two threes and six are what Renju forbids
    charm   how much there is to win around the cell, for the order of moves
    score   the evaluation of the stretch, more for windows that hold more stones
"""
from __future__ import annotations

from games.gomoku.lines import FIVE

# Evaluation of a window by the stones in it; no other set tried was better (docs/lab/gomoku.md).
WINDOW_SCORES = (0, 1, 6, 22, 60, 0)
# A finished five, beyond every sum of windows.
FIVE_SCORE = 1 << 24
# What a window with so many stones adds to the charm of its empty cells, and how much one line may give.
_WINDOW_CHARM = (0, 1, 4, 9, 31, 0)
_MOST_CHARM = 31

# The maps: those of player 0, player 1's come one after each but the charm, which both share.
CHARM, THREES, FOURS, FIVES = 0, 1, 3, 5

# By the stones in a window (bit i: its cell i): the empty cells, as numbers.
_EMPTY = [tuple(cell for cell in range(FIVE) if not window >> cell & 1) for window in range(1 << FIVE)]


class Segment:
    """The meaning of the stones `mask` (bit i: cell i) on `length` cells.

    exact: six do not win.  cells: {(cell, map): value} where a value is not 0; maps are numbered as above.
    """

    __slots__ = ("score", "cells")

    def __init__(self, length, mask, exact):
        self.score, won = 0, False
        charm, threes, completions, fives = {}, {}, {}, set()
        for start in range(length - FIVE + 1):
            window = mask >> start & 31
            if not window or exact and (mask << 1 >> start & 1 or mask >> start + FIVE & 1):
                continue                            # empty, or void
            empty = [start + cell for cell in _EMPTY[window]]
            count = FIVE - len(empty)
            self.score += WINDOW_SCORES[count]
            for cell in empty:
                charm[cell] = charm.get(cell, 0) + _WINDOW_CHARM[count]
            if count == 2:
                _pair(threes, *empty)
            elif count == 3:
                _complete(completions, *empty)
            elif count == 4:
                fives.add(empty[0])
            elif count == FIVE:
                won = True
        if won:
            self.score += FIVE_SCORE
        self.cells = {(cell, CHARM): min(value, _MOST_CHARM) for cell, value in charm.items()}
        for cell in fives:
            self.cells[cell, FIVES] = 1
        for cell, others in completions.items():
            self.cells[cell, FOURS] = 2 if others & others - 1 else 1
        for (cell, _), others in threes.items():
            if others & others - 1 and cell not in completions:
                self.cells[cell, THREES] = 1
        if exact:
            for cell in _overlines(length, mask):
                self.cells[cell, THREES] = 2


def _complete(completions, first, second):
    """A window with three stones: a stone on one of its two empty cells leaves the other one."""
    completions[first] = completions.get(first, 0) | 1 << second
    completions[second] = completions.get(second, 0) | 1 << first


def _pair(threes, first, second, third):
    """A window with two stones: a stone on one of its three empty cells leaves a window with three.

    threes: {(cell, next cell): bits of the cells that complete a window after stones on both}.
    """
    for cell, one, other in ((first, second, third), (second, first, third), (third, first, second)):
        threes[cell, one] = threes.get((cell, one), 0) | 1 << other
        threes[cell, other] = threes.get((cell, other), 0) | 1 << one


def _overlines(length, mask):
    """The empty cells where a stone makes a row of six or more."""
    return [cell for cell in range(length) if not mask >> cell & 1 and _longest(mask | 1 << cell, cell) > FIVE]


def _longest(mask, cell):
    """The number of stones in the row through `cell`."""
    first = last = cell
    while first and mask >> first - 1 & 1:
        first -= 1
    while mask >> last + 1 & 1:
        last += 1
    return last - first + 1


def together(stones, length):
    """Bits 0, 2, 4 … of `stones` moved together: the mask of a stretch of `length` cells."""
    mask = 0
    for cell in range(length):
        mask |= (stones >> 2 * cell & 1) << cell
    return mask
