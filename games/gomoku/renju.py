"""The points that are forbidden to Black in Renju: overline, double-four and double-three.

The rules are those of the Renju International Federation.  A four is four stones that one more makes exactly
five.  A straight four is four in a row that a stone at either end makes exactly five.  A three is three stones
that one more makes a straight four, if Black may play there: not where the point makes five, and not where it
is forbidden itself, for which the same definition is asked again.  Five beats everything: a move that makes
exactly five is allowed and wins.
"""
from __future__ import annotations

from games.gomoku.lines import FIRST, FIVE, has_exact_five, has_overline

_EMPTY = 2


def forbidden_cells(position):
    """The empty cells that are forbidden to Black, whoever is to move."""
    cells = position.cells
    return [cell for cell in position.lines.order if cells[cell] == _EMPTY and is_forbidden(position, cell)]


def is_forbidden(position, cell):
    """Is the empty `cell` forbidden to Black?"""
    codes = position.codes
    crossing = [(line, index) for line, index in position.lines.through[cell]
                if _has_company(codes[line], index)]
    if not crossing:
        return False
    position.cells[cell] = 0
    for line, index in position.lines.through[cell]:
        codes[line] += 1 << 2 * index
    try:
        return _breaks_rule(position, crossing)
    finally:
        position.cells[cell] = _EMPTY
        for line, index in position.lines.through[cell]:
            codes[line] -= 1 << 2 * index


def _has_company(code, index):
    """Has Black two stones within four cells of the cell `index` of a line?  Less makes no three."""
    around = (code & FIRST) << 10 >> 2 * index + 2 & 0x15555
    return around & around - 1


def _breaks_rule(position, crossing):
    """Does the stone just put where the lines `crossing` meet break a rule?"""
    codes = position.codes
    stones = [codes[line] & FIRST for line, _ in crossing]
    if any(has_exact_five(line) for line in stones):
        return False
    if any(has_overline(line) for line in stones):
        return True
    if sum(_fours(position, line, index) for line, index in crossing) > 1:
        return True
    threes = 0
    for line, index in crossing:
        if any(_may_play(position, point) for point in _straight_points(position, line, index)):
            threes += 1
            if threes == 2:
                return True
    return False


def _fours(position, line, index):
    """How many fours of a line hold the stone at `index`: sets of four stones that one more makes exactly five."""
    cells, codes = position.lines.lines[line], position.codes
    stones = codes[line] & FIRST
    found = set()
    for start in range(max(index - FIVE + 1, 0), min(index, len(cells) - FIVE) + 1):
        missing = [i for i in range(start, start + FIVE) if not stones >> 2 * i & 1]
        if len(missing) == 1 and position.cells[cells[missing[0]]] == _EMPTY and _is_alone(stones, start):
            found.add((start, missing[0]))
    return _different(found)


def _is_alone(stones, start):
    """Does no stone adjoin the five cells that begin at `start`?"""
    return not (stones << 2 >> 2 * start & 1 or stones >> 2 * (start + FIVE) & 1)


def _different(found):
    """The number of different sets of four stones among rows of five (start, the point that is missing)."""
    return len({tuple(i for i in range(start, start + FIVE) if i != point) for start, point in found})


def _straight_points(position, line, index):
    """The cells where one more stone makes a straight four that holds the stone at `index` of a line."""
    cells, code = position.lines.lines[line], position.codes[line]
    points = []
    # A straight four is the inside of six cells: empty, four stones, empty; no stone of Black may adjoin them.
    for start in range(max(index - 4, 0), min(index, len(cells) - 5)):
        inside = [i for i in range(start + 1, start + 5) if not code >> 2 * i & 1]
        if len(inside) != 1 or code >> 2 * start & 3 or code >> 2 * start + 10 & 3 or code >> 2 * inside[0] & 2:
            continue
        if code << 2 >> 2 * start & 1 or code >> 2 * start + 12 & 1:
            continue
        points.append(cells[inside[0]])
    return points


def _may_play(position, cell):
    """May Black play `cell`, and does that make no five?"""
    for line, index in position.lines.through[cell]:
        if has_exact_five(position.codes[line] & FIRST | 1 << 2 * index):
            return False
    return not is_forbidden(position, cell)
