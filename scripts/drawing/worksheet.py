"""Random trees, and worksheets: trees with blanks for values, windows and cuts, and answer keys."""

from __future__ import annotations

import random

from scripts.drawing.figure import Figure, FigureError, Item, value_text
from scripts.drawing.picture import Picture
from scripts.drawing.replay import VISITED, Look, Replay
from scripts.drawing.svg import element, escape, text_of
from scripts.drawing.tikz import tikz

MAX_LEAVES = 400
LARGEST_VALUE = 20  # largest value of a random tree's leaf; the smallest is 1
BLANK = "(___, ___)"
# Width and height of a printed picture, in points.
PRINTED = (27.7 / 2.54 * 72, 13 / 2.54 * 72)
# Height of letters in a picture, in the picture's units.
LETTERS = 13
# Smallest height of printed letters that can be read, in points.
LEGIBLE = 6.0

TASKS = (
    "Write the minimax value of each node into it, from the bottom to the top.",
    "Search the tree with alpha-beta, from left to right. Write beside each node the window "
    "(alpha, beta) with which the search enters it.",
    "Strike through each branch that the search never visits, and name the bound that cuts it off.",
)
_STYLE = """
body { font: 12pt Georgia, serif; margin: 0; }
section { padding: 1cm; break-after: page; }
section svg { width: 100%; height: auto; max-height: 13cm; }
@page { size: A4 landscape; margin: 0; }
"""


def random_tree(seed: int, children: int, plies: int) -> str:
    """Return the text of a random tree; the same arguments give the same tree.

    children: number of children of an inner node.
    Raise FigureError if there would be more than MAX_LEAVES leaves.
    """
    if children**plies > MAX_LEAVES:
        raise FigureError(f"{children**plies} leaves are too many: choose fewer children or plies")
    draw = random.Random(f"{seed} {children} {plies}")

    def node(depth: int) -> str:
        if depth == 0:
            return str(draw.randint(1, LARGEST_VALUE))
        return f"({' '.join(node(depth - 1) for _ in range(children))})"

    return node(plies)


class Worksheet:
    """A tree to solve by hand.  title: the heading.  reasons: the sentences about its cutoffs."""

    def __init__(self, figure: Figure, title: str) -> None:
        self.title = title
        self.reasons = [event.words for event in Replay(figure).events() if event.kind == "cut"]
        self.picture = Picture(figure, True, numbers=True, steps=True, window_room=BLANK)

    @property
    def points(self) -> float:
        """Return the height of the picture's letters on the printed sheet, in points."""
        scale = min(PRINTED[0] / self.picture.width, PRINTED[1] / self.picture.height)
        return LETTERS * scale

    def blank(self, item: Item) -> Look:
        """Return the look of a node whose value, window and cut are to be found."""
        if item.children:
            return Look(VISITED, "", BLANK)
        return Look(VISITED, self.picture.replay.node_words(item))

    def key(self, item: Item) -> Look:
        """Return the look of a node with its minimax value, its window and its cut."""
        look = self.picture.replay.final_look(item)._replace(value=value_text(item.minimax()))
        return look if item.children else look._replace(window="")

    def html(self) -> str:
        """Return a page to print: the task on one sheet, the answer key on the next."""
        tasks = element("ol", "".join(element("li", escape(task)) for task in TASKS))
        blank = self.picture.fragment(self.blank, "The tree to solve")
        reasons = "".join(element("li", escape(reason)) for reason in self.reasons)
        solved = self.picture.fragment(self.key, "The solved tree") + element("ul", reasons)
        result = element("p", escape(f"{self.picture.replay.words()}."))
        sheets = _sheet(self.title, tasks + blank) + _sheet(f"Key: {self.title}", solved + result)
        head = '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">'
        head += element("title", escape(self.title))
        head += element("style", _STYLE + text_of("tree.css"))
        return f"{head}\n{sheets}\n</html>\n"

    def tikz(self) -> str:
        """Return two tikzpictures: the tree to solve, and the answer key."""
        return f"{tikz(self.picture, self.blank)}\n% the key\n{tikz(self.picture, self.key)}"


def _sheet(title: str, content: str) -> str:
    return element("section", element("h1", escape(title)) + content)
