"""The tidy tree layout of Reingold and Tilford.

A parent is centred over its children, equal subtrees look equal wherever they are, mirrored ones
mirrored, children stay in order, and the whole is as narrow as these rules allow.  Subtrees are
put beside each other as far left as they go, then as far right, and stand in the middle.

E. Reingold, J. Tilford: Tidier Drawings of Trees, IEEE Transactions on Software
Engineering 7 (1981).
A. Kennedy: Drawing Trees, Journal of Functional Programming 6 (1996).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from scripts.drawing.figure import Item

# The left and right ends of a subtree on each level, from the centre of its root.
Contour = list[tuple[float, float]]


def tidy(
    root: Item,
    children_of: Callable[[Item], Sequence[Item]],
    ends_of: Callable[[Item], tuple[float, float]],
    gap: float,
    family_gap: float,
) -> tuple[dict[Item, float], float]:
    """Return ({item: x of its centre}, total width) of the tree of hashable items under `root`.

    ends_of(item): returns how far an item reaches left and right of its centre.
    gap: space between siblings, family_gap: between cousins on a level.
    """
    places = {root: 0.0}  # first from the centre of the parent

    def contour(item: Item) -> Contour:
        children, (left, right) = children_of(item), ends_of(item)
        below = [contour(child) for child in children]
        middles = _side_by_side(below, gap, family_gap)
        places.update(zip(children, middles))
        return [(-left, right), *_joined(list(map(_moved, below, middles)))]

    ends = contour(root)
    left, right = min(left for left, _ in ends), max(right for _, right in ends)
    places[root] = -left
    waiting = [root]
    while waiting:
        item = waiting.pop()
        for child in children_of(item):
            places[child] += places[item]
            waiting.append(child)
    return places, right - left


def _side_by_side(contours: list[Contour], gap: float, family_gap: float) -> list[float]:
    """Return the centres of subtrees' roots, measured from the middle of the first and the last."""
    mirrored = [[(-right, -left) for left, right in contour] for contour in reversed(contours)]
    from_left, from_right = (_packed(some, gap, family_gap) for some in (contours, mirrored))
    return [(one - other) / 2 for one, other in zip(from_left, reversed(from_right))]


def _packed(contours: list[Contour], gap: float, family_gap: float) -> list[float]:
    """Return the same centres if each subtree is as far left as possible."""
    places: list[float] = []
    taken: list[float] = []  # the right end of each level so far
    for contour in contours:
        rooms = itertools.chain([gap], itertools.repeat(family_gap))
        needed = [end + room - left for end, room, (left, _) in zip(taken, rooms, contour)]
        places.append(max(needed, default=0.0))
        taken[: len(contour)] = [right for _, right in _moved(contour, places[-1])]
    return [place - (places[0] + places[-1]) / 2 for place in places]


def _moved(contour: Contour, by: float) -> Contour:
    return [(left + by, right + by) for left, right in contour]


def _joined(contours: list[Contour]) -> Contour:
    """Return the common contour of several subtrees."""
    return [
        (min(left for left, _ in ends), max(right for _, right in ends))
        for level in itertools.zip_longest(*contours)
        if (ends := [each for each in level if each is not None])
    ]
