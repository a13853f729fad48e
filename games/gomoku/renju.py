"""The points that are forbidden to Black in Renju: overline, double-four and double-three.

The rules are those of the Renju International Federation.  A four is four stones that one more makes exactly
five.  A straight four is four in a row that a stone at either end makes exactly five.  A three is three stones
that one more makes a straight four, if Black may play there: not where the point makes five, and not where it
is forbidden itself, for which the same definition is asked again.  Five beats everything: a move that makes
exactly five is allowed and wins.
"""
from __future__ import annotations

from games.gomoku.lines import FIRST, FIVE, has_exact_five, has_overline

# Lines looked at lately: what their stones amount to.
_MOST_KNOWN = 1 << 15
_known = {}



def forbidden_cells(board, codes):
    """The empty cells of a board (its Lines and their codes) that are forbidden to Black, whoever is to move."""
    return [cell for cell in board.order if _is_empty(board, codes, cell) and is_forbidden(board, codes, cell)]


def _is_empty(board, codes, cell):
    line, index = board.through[cell][0]
    return not codes[line] >> 2 * index & 3


def is_forbidden(board, codes, cell):
    """Is the empty `cell` forbidden to Black?  `codes` are changed meanwhile."""
    crossing = [(line, index) for line, index in board.through[cell] if _has_company(codes[line], index)]
    if not crossing:
        return False
    for line, index in board.through[cell]:
        codes[line] += 1 << 2 * index
    answer = _breaks_rule(board, codes, crossing)
    for line, index in board.through[cell]:
        codes[line] -= 1 << 2 * index
    return answer


def _has_company(code, index):
    """Has Black two stones within four cells of the cell `index` of a line?  Less makes no three."""
    around = (code & FIRST) << 10 >> 2 * index + 2 & 0x15555
    return around & around - 1


def _breaks_rule(board, codes, crossing):
    """Does the stone just put where the lines `crossing` meet break a rule?"""
    facts = [_facts(codes[line], len(board.lines[line]), index) for line, index in crossing]
    if any(five for five, _, _, _ in facts):
        return False
    if any(six for _, six, _, _ in facts) or sum(fours for _, _, fours, _ in facts) > 1:
        return True
    if sum(1 for _, _, _, points in facts if points) < 2:
        return False
    threes = 0
    for (line, _), (_, _, _, points) in zip(crossing, facts):
        cells = board.lines[line]
        if any(_may_play(board, codes, cells[point]) for point in points):
            threes += 1
            if threes == 2:
                return True
    return False


def _facts(code, length, index):
    """Of the stone at `index` of a line: (five, overline, number of fours, points that make a straight four)."""
    key = (code << 5 | index) << 5 | length
    facts = _known.get(key)
    if facts is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        stones = code & FIRST
        facts = _known[key] = (has_exact_five(stones), has_overline(stones), _fours(code, length, index),
                               _straight_points(code, length, index))
    return facts


def _fours(code, length, index):
    """How many fours of a line hold the stone at `index`: sets of four stones that one more makes exactly five."""
    found = set()
    for start in range(max(index - FIVE + 1, 0), min(index, length - FIVE) + 1):
        missing = [i for i in range(start, start + FIVE) if not code >> 2 * i & 1]
        if len(missing) == 1 and not code >> 2 * missing[0] & 2 and _is_alone(code, start):
            found.add(tuple(i for i in range(start, start + FIVE) if i != missing[0]))
    return len(found)


def _is_alone(code, start):
    """Does no black stone adjoin the five cells that begin at `start`?"""
    return not (code << 2 >> 2 * start & 1 or code >> 2 * (start + FIVE) & 1)


def _straight_points(code, length, index):
    """The cells of a line where one more stone makes a straight four that holds the stone at `index`."""
    points = []
    # A straight four is the inside of six cells: empty, four stones, empty; no stone of Black may adjoin them.
    for start in range(max(index - 4, 0), min(index, length - 5)):
        missing = [i for i in range(start + 1, start + 5) if not code >> 2 * i & 1]
        if len(missing) != 1 or code >> 2 * missing[0] & 2 or code >> 2 * start & 3 or code >> 2 * start + 10 & 3:
            continue
        if not (code << 2 >> 2 * start & 1 or code >> 2 * start + 12 & 1):
            points.append(missing[0])
    return points


def _may_play(board, codes, cell):
    """May Black play `cell`, and does that make no five?"""
    for line, index in board.through[cell]:
        if has_exact_five(codes[line] & FIRST | 1 << 2 * index):
            return False
    return not is_forbidden(board, codes, cell)
