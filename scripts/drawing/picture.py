"""A searched tree as SVG, as a textbook draws it.

Squares are the maximiser's nodes, circles (ovals if their numbers are wide) the minimiser's, and
leaves are plain numbers; the players' names stand beside their levels.  The principal variation is
bold, pruned branches are struck through and grey, and nodes not yet visited are pale.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from scripts.drawing.figure import FigureError, Item
from scripts.drawing.layout import CAPTION, CAPTION_ROW, LEAF, VALUE, TreeLayout
from scripts.drawing.replay import Look, Replay
from scripts.drawing.svg import document, element, rect, text, text_of

LookOf = Callable[[Item], Look]

# An animation of more events would fill megabytes, and nobody would watch it to the end.
MAX_EVENTS = 400

# Seconds for which the last picture is shown; each of the others is shown for one second.
_LAST = 4


class Picture(TreeLayout):
    """A TreeLayout drawn as SVG."""

    def svg(self) -> str:
        """Return the picture of the finished search as an SVG document."""
        return self.document("\n".join(self.pieces(self.replay.final_look)))

    def document(self, body: str, rows: int = 0) -> str:
        """Return an SVG document with `body` in it.  rows: number of text lines below the tree."""
        height, title = self.height + rows * CAPTION_ROW, self.replay.words()
        return document(self.width, height, body, title, text_of("tree.css"))

    def fragment(self, look: LookOf, label: str) -> str:
        """Return the picture as an element for a page that has the styles.

        label: the picture's name for screen readers.
        """
        box = f"0 0 {self.width:.0f} {self.height:.0f}"
        size = {"viewBox": box, "width": round(self.width), "height": round(self.height)}
        body = "".join(self.pieces(look))
        return element("svg", body, class_="tree", role="group", aria_label=label, **size)

    def pieces(self, look: LookOf) -> list[str]:
        """Return the SVG elements in drawing order; their number is the same for every `look`."""
        drawn = [text(words, x, y, class_=kind) for words, x, y, kind in self.level_names()]
        for item in self.figure.items:
            drawn += [self._edge(item, child, look(child)) for child in item.children]
        return drawn + [self._node(item, look(item)) for item in self.figure.items]

    def caption(self, words: str) -> str:
        """Return the SVG element of a sentence below the picture."""
        rows = [
            text(row, self.width / 2, self.height + CAPTION_ROW * (index + 0.5), class_="caption")
            for index, row in enumerate(self.wrapped(words))
        ]
        return element("g", "".join(rows))

    def wrapped(self, words: str) -> list[str]:
        """Return the lines of a sentence below the picture."""
        return textwrap.wrap(words, max(20, int(self.width / (CAPTION * 0.6))))

    def _edge(self, parent: Item, child: Item, look: Look) -> str:
        ends = [f"{x:.1f} {y:.1f}" for x, y in self.ends(parent, child)]
        strikes = self.strikes(parent, child)
        across = "".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for a, b, c, d in strikes)
        parts = element("path", d="M" + "L".join(ends))
        if look.cut or self.steps:
            parts += element("path", d=across, class_="strike")
        kind = f"edge {look.state}" + (" cut" if look.cut else "")
        return element("g", parts, class_=kind, data_edge=child.number if self.steps else None)

    def _node(self, item: Item, look: Look) -> str:
        x, y = self.places[item]
        parts = [self._outline(item, x, y)]
        if self.board:
            left, top = x - self.board.size(item.board)[0] / 2, y - self.half_band - self.board_room
            parts.append(self.board.draw(item.board, left, top))
        if look.value or self.steps:
            parts.append(text(look.value, x, y + VALUE * 0.35, class_="value"))
        parts += [text(words, *at, class_=kind) for words, *at, kind in self.texts(item, look)]
        kind, number = f"node {item.kind} {look.state}", item.number if self.steps else None
        return element("g", "".join(parts), class_=kind, data_node=number)

    def _outline(self, item: Item, x: float, y: float) -> str:
        if item.children:
            wide, high = self.width_of_node, self.height_of_node
            look = {"class_": "shape", "rx": None if item.side == 0 else high / 2}
        else:
            wide, high = self.width_of_leaf + 4, 2 * LEAF + 2
            look = {"class_": "halo", "rx": 5.0}
        return rect(x - wide / 2, y - high / 2, wide, high, **look)


# ---- animation ----------------------------------------------------------------------


def animated(picture: Picture) -> str:
    """Return one SVG that shows an event every second, in a loop.

    Viewers without SMIL show the finished search.
    """
    replay, rows = Replay(picture.figure), 1
    frames = []
    for event in replay.events():
        rows = max(rows, len(picture.wrapped(event.words)))
        frames.append([*picture.pieces(replay.look), picture.caption(event.words)])
        if len(frames) > MAX_EVENTS:
            raise FigureError(f"too many events to animate: the limit is {MAX_EVENTS}")
    length = len(frames) - 1 + _LAST
    body = []
    for drawn in zip(*frames):
        for variant in dict.fromkeys(drawn):
            visibility = [text == variant for text in drawn]
            body.append(variant if all(visibility) else _switched(variant, visibility, length))
    return picture.document("\n".join(body), rows)


def _switched(drawn: str, visibility: list[bool], length: int) -> str:
    """Return a part of the picture that is visible only in some frames.

    visibility: for each frame, whether it shows the part.  length: length of the loop in seconds.
    """
    pairs = zip([None, *visibility], visibility)
    switches = [frame for frame, (before, now) in enumerate(pairs) if before != now]
    values = ["inline" if visibility[frame] else "none" for frame in switches]
    times = [f"{frame / length:.5f}".rstrip("0").rstrip(".") for frame in switches]
    switch = element(
        "animate",
        attributeName="display",
        calcMode="discrete",
        values=";".join(values),
        keyTimes=";".join(times),
        dur=f"{length}s",
        repeatCount="indefinite",
    )
    return element("g", switch + drawn, display=None if visibility[-1] else "none")
