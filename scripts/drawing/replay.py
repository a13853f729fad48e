"""A search, event by event: a node is entered, a leaf reached, a value returned, a bound narrowed.

A `Replay` carries the state of a search from one event to the next.  The terminal, the animated
pictures and the page show the same events, with the same sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.base import INFINITY, WIN
from scripts.drawing.figure import Figure, Item, Visit

Bounds = tuple[int, int]
UNKNOWN: Bounds = (-INFINITY, INFINITY)
# The kinds of events, and the states of a node: each is also a class name in the SVG.
ENTER = "enter"
LEAF = "leaf"
RETURN = "return"
BETTER = "better"
CUT = "cut"
END = "end"
CURRENT = "current"
LINE = "line"
PRUNED = "pruned"
VISITED = "visited"
UNSEEN = "unseen"


class Event(NamedTuple):
    """A step of a search.

    words: a sentence about it.  owners: the items whose values are the bounds in the sentence.
    """

    kind: str
    item: Item
    words: str
    owners: list[Item]


class Look(NamedTuple):
    """The look of a node: its state, value and window, and whether the edge above it is cut."""

    state: str
    value: str = ""
    window: str = ""
    cut: bool = False


class Replay:
    """The state of a search.

    windows: {item: [alpha, beta]}, the current windows.
    bounds: {item: (low, high)}, the known bounds of each item's value.
    cut: the pruned items; everything below them is pruned, too.
    open: the items from the root to the one being searched.  over: has the search ended?
    text(value): returns a value as text.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure, self.text = figure, figure.value_text
        self.windows: dict[Item, list[int]] = {}
        self.bounds: dict[Item, Bounds] = {}
        # {item: [the item whose value is its alpha, the item whose value is its beta]}
        self._owners: dict[Item, list[Item | None]] = {}
        # {item: its last visit}
        self._visits: dict[Item, Visit] = {}
        self.cut: set[Item] = set()
        self.open: list[Item] = []
        self.current: Item | None = None
        self.over = False
        self.visits = 0

    def finish(self) -> Replay:
        """Run to the end; return self."""
        for _ in self.events():
            pass
        return self

    def events(self) -> Iterator[Event]:
        """Carry out the search; yield each event after updating this object."""
        for visit in self.figure.visits:
            item = self.figure.item(visit.path)
            while self.open and self.open[-1] is not item.parent:
                yield from self._leave()
            yield self._enter(item, visit)
        while self.open:
            yield from self._leave()
        self.current, self.over = None, True
        yield Event(END, self.figure.root, f"The search is over: {self.words()}.", [])

    # ---- the events ------------------------------------------------------------------

    def _enter(self, item: Item, visit: Visit) -> Event:
        window = [visit.alpha, visit.beta]
        self._visits[item] = visit
        again, parent = item in self.windows, self.open[-1] if self.open else None
        self.current, self.visits = item, self.visits + 1
        self.windows[item] = window
        inherited = zip(window, self.windows[parent], self._owners[parent]) if parent else ()
        owners = [owner if bound == above else None for bound, above, owner in inherited]
        self._owners[item] = owners or [None, None]
        if again:
            self.cut -= set(item.subtree())
        self.open.append(item)
        if item.value is not None:
            self._judge(item)
            note = f" ({visit.note})" if visit.note else ""
            words = f"{_capital(item)} is worth {self._bounds_words(item)}{note}"
            return Event(LEAF, item, f"{words}{self._no_better(item)}.", [])
        mover = self.figure.players[item.side]
        words = f"{mover} moves {'again ' if again else ''}at {item}"
        words += f", {visit.note}" if visit.note else ""
        if visit.stand is not None:
            self._judge(item)
            words += f", and may stand pat for {self.text(visit.stand)}"
        return Event(ENTER, item, f"{words}{self._question(item)}", self._owning(item))

    def _leave(self) -> Iterator[Event]:
        """Leave the innermost open item; yield the events CUT, RETURN and BETTER that occur."""
        item = self.open[-1]
        self.current = item
        if item.children:
            self._judge(item, ends=True)
            unvisited = [child for child in item.children if child not in self.windows]
            alpha, beta = self.windows[item]
            if unvisited and alpha >= beta:
                self.cut.update(unvisited)
                yield Event(CUT, item, self._cut_words(item, unvisited), self._owning(item))
        self.open.pop()
        if not self.open:
            return
        if item.children:
            words = f"{_capital(item)} returns {self._bounds_words(item)}{self._no_better(item)}."
            yield Event(RETURN, item, words, [])
        parent = self.open[-1]
        before = self._own(parent)
        if self._improves(item, parent):
            self._judge(parent)
            self.current = parent
            yield Event(BETTER, parent, self._better_words(parent, before), [parent])

    # ---- the state -------------------------------------------------------------------

    def _judge(self, item: Item, ends: bool = False) -> None:
        """Update an item's window, and the bounds of its value, from its children.

        ends: whether the search of the item has ended.
        """
        visit = self._visits[item]
        if not item.children or ends and visit.value is not None:
            self.bounds[item] = self._returned(item, visit)
        else:
            known = [self.bounds.get(child, UNKNOWN) for child in item.children]
            if visit.stand is not None:
                known.append((visit.stand, visit.stand))
            low, high = map(item.choose, zip(*known))
            self.bounds[item] = low, high
        own, bound = self._own(item), self.windows[item][item.side]
        if self.figure.prune and item.choose(own, bound) != bound:
            self.windows[item][item.side] = own
            self._owners[item][item.side] = item

    def _returned(self, item: Item, visit: Visit) -> Bounds:
        """Return the bounds that follow from the value of a leaf or of a fail-soft search."""
        value = item.value if visit.value is None else visit.value
        assert value is not None, "a leaf has a value"
        exact = not item.children and not visit.stored
        low = value if exact or value > visit.alpha else -INFINITY
        return low, value if exact or value < visit.beta else INFINITY

    def _own(self, item: Item) -> int:
        """Return the best value that the side to move has at an item so far, infinite if none."""
        return self.bounds.get(item, UNKNOWN)[item.side]

    def _improves(self, item: Item, parent: Item) -> bool:
        """Does an item's value improve its parent's best value so far?"""
        own, value = self._own(parent), self.bounds[item][parent.side]
        return parent.choose(own, value) != own

    def _owning(self, item: Item) -> list[Item]:
        """Return the nodes whose values are the bounds of an item's window."""
        return [owner for owner in dict.fromkeys(self._owners[item]) if owner is not None]

    # ---- sentences -------------------------------------------------------------------

    def words(self) -> str:
        """Return the result of the search as text: value, number of visited nodes, best line."""
        figure = self.figure
        line = f", best line {figure.best_line}" if figure.line else ""
        value = self.value_words(figure.root)
        return f"value {value}, {self.visits} of {len(figure.items)} nodes visited{line}"

    def _question(self, item: Item) -> str:
        """Return the end of a sentence that says which values matter at an item."""
        alpha, beta = self.windows[item]
        if not self.figure.prune:
            return "."
        if (alpha, beta) == UNKNOWN:
            return ": no bound is known yet, so any value matters."
        if beta == INFINITY:
            return f": only a value above {self.text(alpha)} matters."
        if alpha == -INFINITY:
            return f": only a value below {self.text(beta)} matters."
        if beta - alpha == 1:  # a null window only asks whether the value is better
            if item.parent and item.parent.side == 0:
                return f": is it worth more than {self.text(alpha)}?"
            return f": is it worth less than {self.text(beta)}?"
        return f": only a value between {self.text(alpha)} and {self.text(beta)} matters."

    def _cut_words(self, item: Item, unvisited: list[Item]) -> str:
        """Return the reason why the rest of an item's children is cut off."""
        own, bound = self._own(item), self.windows[item][1 - item.side]
        mover, opponent = self.figure.players[:: 1 - 2 * item.side]
        owner = self._owners[item][1 - item.side]
        cut = f"the other {len(unvisited)} moves"
        if len(unvisited) < 3:
            cut = " and ".join(map(str, unvisited))
        has = f"{mover} has {self.text(own)} at {item}"
        if owner is None:
            return f"{has}, which answers the question of the null window, so {cut} cannot matter."
        has += f"; {opponent} already has {self.text(bound)} at {owner}"
        return f"{has}, so {cut} cannot matter."

    def _bounds_words(self, item: Item) -> str:
        low, high = self.bounds[item]
        if low == high:
            return self.text(low)
        return f"at least {self.text(low)}" if high == INFINITY else f"at most {self.text(high)}"

    def _no_better(self, item: Item) -> str:
        """Return the remark that an item doesn't improve its parent's value; "" if it does."""
        parent = item.parent
        if parent is None or self._improves(item, parent):
            return ""
        mover, own = self.figure.players[parent.side], self._own(parent)
        if abs(own) == INFINITY:
            return f", which does not help {mover} at {parent}"
        return f", no better than the {self.text(own)} that {mover} has at {parent}"

    def _better_words(self, item: Item, before: int) -> str:
        mover, own = self.figure.players[item.side], self.text(self._own(item))
        if abs(before) == INFINITY:
            words = f"{mover} has {own} at {item}"
        else:
            words = f"{mover} now has {own} at {item}, instead of {self.text(before)}"
        if not self.figure.prune:
            return f"{words}."
        alpha, beta = self.windows[item]
        if alpha >= beta:
            return f"{words}; now its window is empty."
        verb = "narrows to" if item in self._owners[item] else "stays"
        return f"{words}; the window {verb} {self._window(alpha, beta)}."

    # ---- what is drawn ---------------------------------------------------------------

    def look(self, item: Item) -> Look:
        """Return the look of an item, with its window if it is open."""
        known = self.figure.prune and item.children and item in self.open
        window = self._window(*self.windows[item]) if known else ""
        return Look(self.state(item), self.node_words(item), window, item in self.cut)

    def final_look(self, item: Item) -> Look:
        """Return the look of an item, with the window of its last visit."""
        visit = self._visits.get(item)
        window = self._window(visit.alpha, visit.beta) if visit else ""
        return self.look(item)._replace(window=window)

    def state(self, item: Item) -> str:
        """Return an item's state: CURRENT, LINE, PRUNED, VISITED or UNSEEN."""
        if item is self.current:
            return CURRENT
        if self.over and item.path == tuple(self.figure.line[: len(item.path)]):
            return LINE
        if item in self.windows:
            return VISITED
        ancestors = self.figure.way(item.path)
        return UNSEEN if self.cut.isdisjoint(ancestors) else PRUNED

    def node_words(self, item: Item) -> str:
        """Return the text in a node: a leaf's value, or the known bounds of an inner node's value.

        An equals sign precedes a value from the table.
        """
        if item in self._visits and self._visits[item].stored:
            return f"= {self.value_words(item)}"
        return self.text(item.value) if item.value is not None else self.value_words(item)

    def value_words(self, item: Item) -> str:
        """Return the known bounds of an item's value: `4`, `≥6`, `≤2`, `2..5`, or ""."""
        low, high = self.bounds.get(item, UNKNOWN)
        if low == high or low == WIN:
            return self.text(low)
        if low == -INFINITY:
            return "" if high == INFINITY else ("" if high == -WIN else "≤") + self.text(high)
        if high == INFINITY:
            return f"≥{self.text(low)}"
        return f"{self.text(low)}..{self.text(high)}"

    def _window(self, alpha: int, beta: int) -> str:
        return f"({self.text(alpha)}, {self.text(beta)})"


def _capital(item: Item) -> str:
    return str(item)[0].upper() + str(item)[1:]
