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

# Evaluation of a window by the stones in it; no other set tried was better (docs/strength-gomoku.md).
WINDOW_SCORES = (0, 1, 6, 22, 60, 0)
# A finished five, beyond every sum of windows.
FIVE_SCORE = 1 << 24
# What a window with so many stones adds to the charm of its empty cells, and how much one line may give.
_WINDOW_CHARM = (0, 1, 4, 9, 31)
_MOST_CHARM = 31

_COUNT = [bin(window).count("1") for window in range(32)]


class Segment:
    """The meaning of the stones `mask` (bit i: cell i) on `length` cells.

    exact: six do not win.  cells: tuples (cell, charm, five, four, three) where any of the four is not 0.
    """

    __slots__ = ("score", "cells")

    def __init__(self, length, mask, exact):
        windows = _windows(length, mask, exact)
        counts = [_COUNT[window] for _, window in windows]
        self.score = sum(WINDOW_SCORES[count] for count in counts)
        if FIVE in counts:
            self.score += FIVE_SCORE
        charm = _charm(length, windows)
        fours = _completions(length, windows, 3)
        self.cells = []
        for cell in range(length):
            if mask >> cell & 1:
                continue
            five = int(any(_COUNT[window] == 4 and not window >> cell - start & 1
                           for start, window in windows if start <= cell < start + FIVE))
            four = min(len(fours[cell]), 2)
            three = 0 if four else _makes_three(length, mask, exact, cell)
            if exact and _longest(mask | 1 << cell, cell) > FIVE:
                three = 2
            if charm[cell] or five or four or three:
                self.cells.append((cell, charm[cell], five, four, three))


def _windows(length, mask, exact):
    """(first cell, stones in its five cells) of each window that is not void."""
    found = []
    for start in range(length - FIVE + 1):
        if exact and (mask << 1 >> start & 1 or mask >> start + FIVE & 1):
            continue
        found.append((start, mask >> start & 31))
    return found


def _charm(length, windows):
    """The charm of each cell."""
    charm = [0] * length
    for start, window in windows:
        count = _COUNT[window]
        if 0 < count < FIVE:
            for cell in range(start, start + FIVE):
                charm[cell] += _WINDOW_CHARM[count]
    return [min(value, _MOST_CHARM) for value in charm]


def _completions(length, windows, stones):
    """For each cell the set of cells that complete a window with `stones` stones after a stone there."""
    found = [set() for _ in range(length)]
    for start, window in windows:
        if _COUNT[window] == stones:
            empty = [start + i for i in range(FIVE) if not window >> i & 1]
            for cell in empty:
                found[cell].update(other for other in empty if other != cell)
    return found


def _makes_three(length, mask, exact, cell):
    """Does a stone on `cell` leave a cell that makes an open four together with it?  1 or 0."""
    mask |= 1 << cell
    fours = [set() for _ in range(length)]
    for start, window in _windows(length, mask, exact):
        if _COUNT[window] == 3 and start <= cell < start + FIVE:
            empty = [start + i for i in range(FIVE) if not window >> i & 1]
            fours[empty[0]].add(empty[1])
            fours[empty[1]].add(empty[0])
    return int(any(len(completions) > 1 for completions in fours))


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
