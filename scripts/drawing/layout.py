"""The tidy tree layout of Reingold and Tilford, in linear time.

A parent is centred over its children, equal subtrees look equal wherever they are, children
stay in order, and the whole is as narrow as these rules allow.

E. Reingold, J. Tilford: Tidier Drawings of Trees, IEEE Transactions on Software
Engineering 7 (1981).
C. Buchheim, M. Jünger, S. Leipert: Improving Walker's Algorithm to Run in Linear Time,
Graph Drawing 2002.

`prelim` is a node's place among its siblings, and `mod` moves its whole subtree; the contour
of a subtree follows children and, after their end, `thread`s; `shift` and `change` spread the
siblings between two that collided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scripts.drawing.figure import Item


class _Spot:
    """A node during the layout."""

    def __init__(self, item: Item, width: float, parent: _Spot | None, number: int) -> None:
        self.item, self.width, self.parent, self.number = item, width, parent, number
        self.children: list[_Spot] = []
        self.prelim = self.mod = self.shift = self.change = 0.0
        self.thread: _Spot | None = None
        self.ancestor = self

    def left_below(self) -> _Spot | None:
        """Return the next spot of the left contour."""
        return self.children[0] if self.children else self.thread

    def right_below(self) -> _Spot | None:
        """Return the next spot of the right contour."""
        return self.children[-1] if self.children else self.thread


def tidy(
    root: Item,
    children_of: Callable[[Item], Sequence[Item]],
    width_of: Callable[[Item], float],
    gap: float,
    family_gap: float,
) -> tuple[dict[Item, float], float]:
    """Return ({item: x of its centre}, total width) of the tree of hashable items under `root`.

    width_of(item): returns an item's width.  gap: space between siblings, family_gap: between
    cousins on a level.
    """
    top = _plant(root, children_of, width_of)
    _first_walk(top, gap, family_gap)
    middles: dict[Item, float] = {}
    left, right = float("inf"), float("-inf")
    waiting = [(top, 0.0)]
    while waiting:
        spot, moved = waiting.pop()
        middle = spot.prelim + moved
        middles[spot.item] = middle
        left, right = min(left, middle - spot.width / 2), max(right, middle + spot.width / 2)
        waiting += [(child, moved + spot.mod) for child in spot.children]
    return {item: middle - left for item, middle in middles.items()}, right - left


def _plant(
    root: Item, children_of: Callable[[Item], Sequence[Item]], width_of: Callable[[Item], float]
) -> _Spot:
    """Return the spots of a tree, the root first."""
    top = _Spot(root, width_of(root), None, 0)
    waiting = [top]
    while waiting:
        spot = waiting.pop()
        spot.children = [
            _Spot(item, width_of(item), spot, number)
            for number, item in enumerate(children_of(spot.item))
        ]
        waiting += spot.children
    return top


def _first_walk(spot: _Spot, gap: float, family_gap: float) -> None:
    """Place the spots below and give `spot` its preliminary place beside its left sibling."""
    default_ancestor = spot.children[0] if spot.children else None
    for child in spot.children:
        _first_walk(child, gap, family_gap)
        default_ancestor = _apportion(child, default_ancestor or child, gap, family_gap)
    middle = 0.0
    if spot.children:
        _execute_shifts(spot)
        middle = (spot.children[0].prelim + spot.children[-1].prelim) / 2
    if spot.number and spot.parent:
        sister = spot.parent.children[spot.number - 1]
        spot.prelim = sister.prelim + (sister.width + spot.width) / 2 + gap
        spot.mod = spot.prelim - middle
    else:
        spot.prelim = middle


def _apportion(spot: _Spot, default_ancestor: _Spot, gap: float, family_gap: float) -> _Spot:
    """Move the subtree of `spot` right until it clears the right contour of its left siblings."""
    if not spot.number or spot.parent is None:
        return default_ancestor
    inner_right = outer_right = spot
    inner_left, outer_left = spot.parent.children[spot.number - 1], spot.parent.children[0]
    # inner right, outer right, inner left, outer left
    sums = [spot.mod, spot.mod, inner_left.mod, outer_left.mod]
    room = gap
    while True:
        next_left, next_right = inner_left.right_below(), inner_right.left_below()
        if next_left is None or next_right is None:
            break
        inner_left, inner_right = next_left, next_right
        left, right = outer_left.left_below(), outer_right.right_below()
        assert left and right  # at least as deep as the inner contours
        outer_left, outer_right = left, right
        outer_right.ancestor = spot
        room = gap if inner_left.parent is inner_right.parent else family_gap
        half = (inner_left.width + inner_right.width) / 2
        overlap = inner_left.prelim + sums[2] + half + room - inner_right.prelim - sums[0]
        if overlap > 0:
            is_sister = inner_left.ancestor.parent is spot.parent
            _move_subtree(inner_left.ancestor if is_sister else default_ancestor, spot, overlap)
            sums[0] += overlap
            sums[1] += overlap
        for index, contour in enumerate((inner_right, outer_right, inner_left, outer_left)):
            sums[index] += contour.mod
    if next_left is not None and outer_right.right_below() is None:
        outer_right.thread = next_left
        outer_right.mod += sums[2] - sums[1]
    if next_right is not None and outer_left.left_below() is None:
        outer_left.thread = next_right
        outer_left.mod += sums[0] - sums[3]
        default_ancestor = spot
    return default_ancestor


def _move_subtree(left: _Spot, right: _Spot, distance: float) -> None:
    """Move `right` by `distance`; _execute_shifts moves the siblings between the two."""
    between = right.number - left.number
    right.change -= distance / between
    right.shift += distance
    left.change += distance / between
    right.prelim += distance
    right.mod += distance


def _execute_shifts(spot: _Spot) -> None:
    shift = change = 0.0
    for child in reversed(spot.children):
        child.prelim += shift
        child.mod += shift
        change += child.change
        shift += child.shift + change
