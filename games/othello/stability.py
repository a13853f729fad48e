"""Stable discs, which no move can flip any more.

A disc is stable if along each of the four axes its line is full, or ends beside it, or
has a stable disc of the same side beside it.  The search grows from the corners and the
full lines; it may miss a few stable discs but reports no false one.
"""

from __future__ import annotations

from games.othello.lanes import ROW, ROWS, board_lines, count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.othello.lanes import Discs
    from games.types import Square


def _cells(squares: Iterable[Square]) -> Discs:
    return sum(1 << ROW * (square >> 3) + (square & 7) for square in squares)


_ALL = list(range(64))
_LEFT_RIGHT = _cells(square for square in _ALL if square & 7 in (0, 7))
_TOP_BOTTOM = _cells(square for square in _ALL if square >> 3 in (0, 7))
_BORDER = _LEFT_RIGHT | _TOP_BOTTOM
# By axis: the cells where its lines end.
_ENDS = [_LEFT_RIGHT, _TOP_BOTTOM, _BORDER, _BORDER]


def _axis_of(line: list[Square]) -> int:
    return {1: 0, 8: 1, 9: 2, 7: 3}[line[1] - line[0]]


_LINES = [(_axis_of(line), _cells(line)) for line in board_lines()]


class _Anchored(dict["Discs", "tuple[Discs, ...]"]):
    """A dict {occupied cells: by axis, the cells that need no neighbour along it}."""

    def __missing__(self, occupied: Discs) -> tuple[Discs, ...]:
        anchored = _ENDS[:]
        for axis, cells in _LINES:
            if occupied & cells == cells:
                anchored[axis] |= cells
        found = self[occupied] = tuple(anchored)
        return found


_MOST_KEPT = 100_000
_anchored = _Anchored()


def stable_count(own: Discs, opp: Discs) -> int:
    """Return the number of discs of `own` that are certainly stable (both as lanes)."""
    own &= ROWS
    if len(_anchored) > _MOST_KEPT:
        _anchored.clear()
    row, column, falling, rising = _anchored[own | (opp & ROWS)]
    stable = 0
    while True:
        grown = (
            own
            & (row | stable << 1 | stable >> 1)
            & (column | stable << ROW | stable >> ROW)
            & (falling | stable << ROW + 1 | stable >> ROW + 1)
            & (rising | stable << ROW - 1 | stable >> ROW - 1)
        )
        if grown == stable:
            return count_bits(stable)
        stable = grown
