"""A search as one animated SVG that shows one event per second (SMIL, no script)."""

from __future__ import annotations

from scripts.drawing.figure import FigureError
from scripts.drawing.picture import Picture
from scripts.drawing.replay import Replay
from scripts.drawing.svg import element

# More events would fill megabytes, and nobody would watch them to the end.
MAX_EVENTS = 400

# Seconds for which the last picture is shown; each of the others is shown for one second.
_LAST = 4


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
    for index in range(len(frames[0])):
        drawn = [frame[index] for frame in frames]
        for variant in dict.fromkeys(drawn):
            visibility = [text == variant for text in drawn]
            body.append(variant if all(visibility) else _switched(variant, visibility, length))
    return picture.document("\n".join(body), rows)


def _switched(drawn: str, visibility: list[bool], length: int) -> str:
    """Return a part of the picture that is visible only in some frames.

    visibility: whether each frame shows the part.  length: length of the loop in seconds.
    """
    values, times = [], []
    for frame, visible in enumerate(visibility):
        if frame == 0 or visible != visibility[frame - 1]:
            values.append("inline" if visible else "none")
            times.append(f"{frame / length:.5f}".rstrip("0").rstrip("."))
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
