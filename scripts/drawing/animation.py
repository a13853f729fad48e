"""A search step by step: a picture for each visit, or one animated SVG (SMIL, no script)."""

from __future__ import annotations

from scripts.drawing.figure import Figure, FigureError, Snapshot
from scripts.drawing.picture import Picture
from scripts.drawing.svg import element

# Nobody watches more steps, and their pictures would fill megabytes.
MAX_STEPS = 400

# The last picture is shown this many times as long as the others.
_LAST = 4


def snapshots(figure: Figure) -> list[Snapshot]:
    """Return the states after each visit, and the final one."""
    if len(figure.visits) > MAX_STEPS:
        raise FigureError(
            f"{len(figure.visits)} visits are too many to show one by one (at most {MAX_STEPS})"
        )
    steps = [figure.snapshot(count) for count in range(1, len(figure.visits) + 1)]
    return [*steps, figure.snapshot()]


def animated(picture: Picture) -> str:
    """Return one SVG that shows a visit every second, in a loop.

    Viewers without SMIL show the finished search.
    """
    frames = [picture.pieces(snapshot) for snapshot in snapshots(picture.figure)]
    length = len(frames) - 1 + _LAST
    body = []
    for index in range(len(frames[0])):
        drawn = [frame[index] for frame in frames]
        for variant in dict.fromkeys(drawn):
            shown = [text == variant for text in drawn]
            body.append(variant if all(shown) else _switched(variant, shown, length))
    return picture.document("\n".join(body))


def _switched(drawn: str, shown: list[bool], length: int) -> str:
    """Return a piece that is visible only in some frames."""
    values, times = [], []
    for frame, visible in enumerate(shown):
        if frame == 0 or visible != shown[frame - 1]:
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
    return element("g", switch + drawn, display=None if shown[-1] else "none")
