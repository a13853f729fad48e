"""Sentences that explain the steps of a search.

Each step is a visit.  Its sentences begin with the nodes that the search has left since the
previous visit (values returned, branches cut) and end with the node that it enters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.base import INFINITY
from scripts.drawing.figure import Item, Snapshot

Names = Sequence[str]  # the names of the maximiser and the minimiser


def reasons(before: Snapshot | None, after: Snapshot, names: Names) -> str:
    """Return the sentences about the step from one snapshot to the next.

    before: the snapshot of the previous visit, None for the first visit.
    """
    found: list[str] = []
    for item in left_behind(before, after):
        found += _cut(item, after, names, stated=bool(found))
        if item.path:
            found.append(_returns(item, after, names))
    if after.current is None:
        found.append(f"The search is over: {after.words()}.")
    elif after.current.children:
        found.append(_enters(after.current, after, names))
    else:
        found.append(_leaf(after.current, after, names))
    return " ".join(found)


def owners(before: Snapshot | None, after: Snapshot) -> list[Item]:
    """Return the nodes whose values bound the window of this visit, or cause its cuts."""
    bounded = [item for item in left_behind(before, after) if _cut_children(item, after)]
    if after.current is not None:
        bounded.append(after.current)
    found = [owner(item, after, maximiser) for item in bounded for maximiser in (True, False)]
    return [item for item in dict.fromkeys(found) if item is not None]


def owner(item: Item, snapshot: Snapshot, maximiser: bool) -> Item | None:
    """Return the ancestor that owns alpha (of the maximiser) or beta at `item`, if any.

    The bound belongs to the topmost ancestor that has it; those below only pass it on.
    """
    bound = snapshot.windows[item][0 if maximiser else 1]
    if not snapshot.figure.prune or abs(bound) == INFINITY:
        return None
    for length in range(len(item.path)):
        ancestor = snapshot.figure.item(item.path[:length])
        if ancestor.maximises == maximiser and _best(ancestor, snapshot, item) == bound:
            return ancestor
    return None


def left_behind(before: Snapshot | None, after: Snapshot) -> Iterator[Item]:
    """Yield the inner nodes that the search has left since `before`, deepest first."""
    if before is None or before.current is None:
        return
    path = before.current.path
    here = () if after.current is None else after.current.path
    for length in range(len(path), -1, -1):
        item = after.figure.item(path[:length])
        if after.current is not None and here[:length] == path[:length]:
            return
        if item.children:
            yield item


def _best(item: Item, snapshot: Snapshot, below: Item) -> int | None:
    """Return the mover's value at `item` from the children before the one above `below`.

    Return None if they have no value yet.
    """
    values = []
    for child in item.children:
        if below.path[: len(child.path)] == child.path:
            break
        low, high = snapshot.bounds[child]
        values.append(low if item.maximises else high)
    best = (max if item.maximises else min)(values, default=INFINITY)
    return None if abs(best) == INFINITY else best


def _cut_children(item: Item, snapshot: Snapshot) -> list[Item]:
    return [child for child in item.children if child in snapshot.cut]


def _name(item: Item) -> str:
    return f"{'node' if item.children else 'leaf'} {item.name}"


def _cut(item: Item, snapshot: Snapshot, names: Names, stated: bool) -> list[str]:
    """Return a list with the reason why the rest of `item` was cut, [] if nothing was.

    stated: whether the previous sentence has stated the mover's value here.
    """
    cut = _cut_children(item, snapshot)
    bounded_by = owner(item, snapshot, not item.maximises)
    if not cut or bounded_by is None:
        return []
    text = snapshot.figure.value_text
    low, high = snapshot.bounds[item]
    own = text(low if item.maximises else high)
    other = text(snapshot.windows[item][1 if item.maximises else 0])
    rest = " and ".join(map(_name, cut)) if len(cut) < 3 else f"the other {len(cut)} moves"
    has = "" if stated else f"{names[not item.maximises]} has {own} at {_name(item)}; "
    return [
        f"{has}{names[item.maximises]} already has {other} at {_name(bounded_by)}, "
        f"so {rest} cannot matter."
    ]


def _returns(item: Item, snapshot: Snapshot, names: Names) -> str:
    """Return a sentence about the returned value of a node and its effect on the parent."""
    low, high = snapshot.bounds[item]
    text = snapshot.figure.value_text
    if low == high:
        value = text(low)
    elif high == INFINITY:
        value = f"at least {text(low)}"
    else:
        value = f"at most {text(high)}"
    return f"{_capital(_name(item))} returns {value}{_effect(item, snapshot, names)}."


def _leaf(item: Item, snapshot: Snapshot, names: Names) -> str:
    value = snapshot.figure.value_text(snapshot.bounds[item][0])
    effect = _effect(item, snapshot, names) if item.path else ""
    return f"{_capital(_name(item))} is worth {value}{effect}."


def _effect(item: Item, snapshot: Snapshot, names: Names) -> str:
    """Return the end of a sentence: the effect of an item's value on its parent."""
    parent = snapshot.figure.item(item.path[:-1])
    text, mover = snapshot.figure.value_text, names[not parent.maximises]
    low, high = snapshot.bounds[item]
    value = low if parent.maximises else high
    best = _best(parent, snapshot, item)
    if best is None:
        if abs(value) == INFINITY:
            return f", which does not help {mover} at {_name(parent)}"
        return f": {mover} has {text(value)} at {_name(parent)}"
    if (value > best) if parent.maximises else (value < best):
        return f": {mover} now has {text(value)} at {_name(parent)}, instead of {text(best)}"
    return f", no better than the {text(best)} that {mover} has at {_name(parent)}"


def _enters(item: Item, snapshot: Snapshot, names: Names) -> str:
    mover = f"{names[not item.maximises]} moves at {_name(item)}"
    if not snapshot.figure.prune:
        return mover + "."
    alpha, beta = snapshot.windows[item]
    text = snapshot.figure.value_text
    if alpha == -INFINITY and beta == INFINITY:
        return f"{mover}: no bound is known yet, so any value matters."
    if beta == INFINITY:
        return f"{mover}: only a value above {text(alpha)} matters."
    if alpha == -INFINITY:
        return f"{mover}: only a value below {text(beta)} matters."
    return f"{mover}: only a value between {text(alpha)} and {text(beta)} matters."


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
