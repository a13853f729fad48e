"""A search, event by event: a node is entered, a leaf reached, a value returned, a bound narrowed.

A `Replay` carries the state of a search from one event to the next.  The terminal, the animated
pictures and the page show the same events, with the same sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.base import INFINITY, WIN
from scripts.drawing.figure import Bounds, Figure, Item, Visit, value_text

UNKNOWN: Bounds = (-INFINITY, INFINITY)
# The states of a node: each is also a class name in the SVG.
CURRENT = "current"
LINE = "line"
PRUNED = "pruned"
VISITED = "visited"
UNSEEN = "unseen"


class Event(NamedTuple):
    """A step of a search.

    kind: "enter", "leaf", "return", "better", "cut" or "end".
    words: a sentence about it.  owners: the items whose values are the bounds in the sentence.
    """

    kind: str
    item: Item
    words: str
    owners: Sequence[Item] = ()


class Look(NamedTuple):
    """The look of a node: its state, value and window, and whether the edge above it is cut."""

    state: str
    value: str = ""
    window: str = ""
    cut: bool = False


class Replay:
    """The state of a search.

    visited: {item: its last visit}.  visits: number of visits.
    bounds: {item: (low, high)}, the known bounds of each item's value.
    best: {item: the best value that its player has found in its last visit}, infinite if none.
    cut: the pruned items; everything below them is pruned, too.
    open: the items from the root to the one being searched.
    current: the item of the last event; None before the search and after it.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.visited: dict[Item, Visit] = {}
        self.visits = 0
        self.bounds: dict[Item, Bounds] = {}
        self.best: dict[Item, int] = {}
        self.cut: set[Item] = set()
        self.open: list[Item] = []
        self.current: Item | None = None

    def events(self) -> Iterator[Event]:
        """Carry out the search; yield each event after updating this object."""
        for visit in self.figure.visits:
            item = self.figure.item(visit.path)
            while self.open and self.open[-1] is not item.parent:
                yield from self._leave()
            yield self._enter(item, visit)
        while self.open:
            yield from self._leave()
        self.current = None
        yield Event("end", self.figure.root, f"The search is over: {self.words()}.")

    # ---- the events ------------------------------------------------------------------

    def _enter(self, item: Item, visit: Visit) -> Event:
        again = item in self.visited
        self.visited[item], self.current = visit, item
        self.visits += 1
        self.best[item] = UNKNOWN[item.side] if visit.stand is None else visit.stand
        self.cut.difference_update(item.subtree())
        self.open.append(item)
        if item.value is not None:
            self.bounds[item] = self._returned(item)
            note = f" ({visit.note})" if visit.note else ""
            words = f"{_capital(item)} is worth {self._bounds_words(item)}{note}"
            return Event("leaf", item, f"{words}{self._no_better(item)}.")
        mover = self.figure.players[item.side]
        words = f"{mover} moves {'again ' if again else ''}at {item}"
        words += f", {visit.note}" if visit.note else ""
        if visit.stand is not None:
            self.bounds[item] = self._so_far(item)
            words += f", and may stand pat for {value_text(visit.stand)}"
        return Event("enter", item, f"{words}{self._question(item)}", self._owners())

    def _leave(self) -> Iterator[Event]:
        """Leave the innermost open item; yield its events, any of "cut", "return" and "better"."""
        item = self.current = self.open[-1]
        self.bounds[item] = self._returned(item)
        unvisited = [child for child in item.children if child not in self.visited]
        alpha, beta = self.window(item)
        if unvisited and alpha >= beta:
            self.cut.update(unvisited)
            yield Event("cut", item, self._cut_words(item, unvisited), self._owners())
        self.open.pop()
        if not self.open:
            return
        if item.children:
            words = f"{_capital(item)} returns {self._bounds_words(item)}{self._no_better(item)}."
            yield Event("return", item, words)
        parent = self.open[-1]
        if self._improves(item, parent):
            before, self.best[parent] = self.best[parent], self.bounds[item][parent.side]
            self.bounds[parent] = self._so_far(parent)
            self.current = parent
            yield Event("better", parent, self._better_words(parent, before), [parent])

    # ---- the state -------------------------------------------------------------------

    def _so_far(self, item: Item) -> Bounds:
        """Return the bounds of an item's value that follow from its children's bounds."""
        known = [self.bounds.get(child, UNKNOWN) for child in item.children]
        stand = self.visited[item].stand
        if stand is not None:
            known.append((stand, stand))
        low, high = map(item.choose, zip(*known))
        return low, high

    def _returned(self, item: Item) -> Bounds:
        """Return the bounds of an item's value that its finished search has proven."""
        visit = self.visited[item]
        value = item.value if visit.value is None else visit.value
        if value is None:
            return self._so_far(item)
        alpha, beta = visit.window
        exact = not item.children and not visit.stored
        low = value if exact or value > alpha else -INFINITY
        return low, value if exact or value < beta else INFINITY

    def window(self, item: Item) -> Bounds:
        """Return the current window of a visited item: the best value so far narrows it."""
        alpha, beta = self.visited[item].window
        if not self.figure.prune:
            return alpha, beta
        best = self.best[item]
        return (max(alpha, best), beta) if item.side == 0 else (alpha, min(beta, best))

    def _owner(self, side: int) -> Item | None:
        """Return the node whose value is alpha (side 0) or beta (1) of the innermost open node.

        Return None if this bound is infinite or belongs to a null window.
        """
        bound = self.window(self.open[-1])[side]
        for item in reversed(self.open):
            if self.window(item)[side] != bound:
                break
            if self.visited[item].window[side] != bound:
                return item
        return None

    def _owners(self) -> list[Item]:
        """Return the nodes whose values are the bounds of the innermost open node's window."""
        return [owner for owner in dict.fromkeys(map(self._owner, (0, 1))) if owner is not None]

    def _improves(self, item: Item, parent: Item) -> bool:
        """Does an item's value improve its parent's best value so far?"""
        best, value = self.best[parent], self.bounds[item][parent.side]
        return parent.choose(best, value) != best

    # ---- sentences -------------------------------------------------------------------

    def words(self) -> str:
        """Return the result of the search as text: value, number of visited nodes, best line."""
        figure = self.figure
        names = " ".join(item.label or item.name for item in figure.way(figure.line)[1:])
        line = f", best line {names}" if names else ""
        value = self.value_words(figure.root)
        return f"value {value}, {self.visits} of {len(figure.items)} nodes visited{line}"

    def _question(self, item: Item) -> str:
        """Return the end of a sentence that says which values matter at an item."""
        alpha, beta = self.window(item)
        if not self.figure.prune:
            return "."
        if (alpha, beta) == UNKNOWN:
            return ": no bound is known yet, so any value matters."
        if beta == INFINITY:
            return f": only a value above {value_text(alpha)} matters."
        if alpha == -INFINITY:
            return f": only a value below {value_text(beta)} matters."
        if beta - alpha == 1:  # a null window only asks whether the value is better
            if item.parent and item.parent.side == 0:
                return f": is it worth more than {value_text(alpha)}?"
            return f": is it worth less than {value_text(beta)}?"
        return f": only a value between {value_text(alpha)} and {value_text(beta)} matters."

    def _cut_words(self, item: Item, unvisited: list[Item]) -> str:
        """Return the reason why the rest of an item's children is cut off."""
        mover, opponent = self.figure.players[:: 1 - 2 * item.side]
        cut = " and ".join(map(str, unvisited))
        if len(unvisited) > 2:
            cut = f"the other {len(unvisited)} moves"
        why, owner = ", which answers the question of the null window", self._owner(1 - item.side)
        if owner is not None:
            bound = value_text(self.window(item)[1 - item.side])
            why = f"; {opponent} already has {bound} at {owner}"
        return f"{mover} has {value_text(self.best[item])} at {item}{why}, so {cut} cannot matter."

    def _bounds_words(self, item: Item) -> str:
        return self.value_words(item).replace("≥", "at least ").replace("≤", "at most ")

    def _no_better(self, item: Item) -> str:
        """Return the remark that an item doesn't improve its parent's value; "" if it does."""
        parent = item.parent
        if parent is None or self._improves(item, parent):
            return ""
        mover, best = self.figure.players[parent.side], self.best[parent]
        if abs(best) == INFINITY:
            return f", which does not help {mover} at {parent}"
        return f", no better than the {value_text(best)} that {mover} has at {parent}"

    def _better_words(self, item: Item, before: int) -> str:
        mover, best = self.figure.players[item.side], value_text(self.best[item])
        if abs(before) == INFINITY:
            words = f"{mover} has {best} at {item}"
        else:
            words = f"{mover} now has {best} at {item}, instead of {value_text(before)}"
        if not self.figure.prune:
            return f"{words}."
        window = self.window(item)
        if window[0] >= window[1]:
            return f"{words}; now its window is empty."
        verb = "stays" if window == self.visited[item].window else "narrows to"
        return f"{words}; the window {verb} {_window_text(window)}."

    # ---- what is drawn ---------------------------------------------------------------

    def look(self, item: Item) -> Look:
        """Return the look of an item, with its window if it is open."""
        known = self.figure.prune and item.children and item in self.open
        window = _window_text(self.window(item)) if known else ""
        return Look(self.state(item), self.node_words(item), window, item in self.cut)

    def final_look(self, item: Item) -> Look:
        """Return the look of an item, with the window of its last visit."""
        visit = self.visited.get(item)
        return self.look(item)._replace(window=_window_text(visit.window) if visit else "")

    def state(self, item: Item) -> str:
        """Return an item's state: CURRENT, LINE, PRUNED, VISITED or UNSEEN."""
        if item is self.current:
            return CURRENT
        if item in self.visited:
            in_line = item.path == tuple(self.figure.line[: len(item.path)])
            return LINE if in_line and self.current is None else VISITED
        ancestors = self.figure.way(item.path)
        return UNSEEN if self.cut.isdisjoint(ancestors) else PRUNED

    def node_words(self, item: Item) -> str:
        """Return the text in a node: a leaf's value, or the known bounds of an inner node's value.

        An equals sign precedes a value from the table.
        """
        if item in self.visited and self.visited[item].stored:
            return f"= {self.value_words(item)}"
        return value_text(item.value) if item.value is not None else self.value_words(item)

    def value_words(self, item: Item) -> str:
        """Return the known bounds of an item's value: `4`, `≥6`, `≤2`, `2..5`, or ""."""
        low, high = self.bounds.get(item, UNKNOWN)
        if low == high or low == WIN:
            return value_text(low)
        if low == -INFINITY:
            return "" if high == INFINITY else ("" if high == -WIN else "≤") + value_text(high)
        if high == INFINITY:
            return f"≥{value_text(low)}"
        return f"{value_text(low)}..{value_text(high)}"


def _window_text(window: Bounds) -> str:
    return "({}, {})".format(*map(value_text, window))


def _capital(item: Item) -> str:
    return str(item)[0].upper() + str(item)[1:]
