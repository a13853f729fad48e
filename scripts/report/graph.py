"""The evaluation graph: the chances of the player who moves first over the moves, mistakes
marked.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from protocol.records.record import Record
from protocol.scores import winrate
from scripts.drawing.svg import element, escape, text
from scripts.report.scores import printed_points
from scripts.report.verdicts import Note, Verdict

COLOURS = {"?!": "#d9a400", "?": "#e67e22", "??": "#c0392b"}
_WIDTH, _HEIGHT = 900.0, 240.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 14.0, 14.0, 28.0


def graph(
    record: Record,
    verdicts: Sequence[Verdict],
    notes: Sequence[Note],
    words: Sequence[str],
) -> str:
    """The SVG.

    words: for each move what its tool tip says.  data-left and -right: where the game
    begins and ends.
    """
    total = len(notes)

    def x(ply: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * ply / total

    def y(chance: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - chance)

    curve = " ".join(
        f"{x(ply):.1f},{y(verdict.chance):.1f}" for ply, verdict in enumerate(verdicts)
    )
    parts = [
        element(
            "rect",
            x=_LEFT,
            y=_TOP,
            width=_WIDTH - _LEFT - _RIGHT,
            height=_HEIGHT - _TOP - _BOTTOM,
            fill="#454b54",
        ),
        element(
            "polygon",
            points=f"{_LEFT},{y(0):.1f} {curve} {x(total):.1f},{y(0):.1f}",
            fill="#eef1f4",
        ),
        *_levels(record, x, y),
        *_numbers(record, x, y(0)),
        element(
            "polyline",
            points=curve,
            fill="none",
            stroke="#1c5d99",
            stroke_width=2,
            stroke_linejoin="round",
        ),
    ]
    for ply, note in enumerate(notes):
        spot = element("title", escape(words[ply]))
        here = {"cx": x(ply + 1), "cy": y(verdicts[ply + 1].chance)}
        if note.mark:
            parts.append(
                element(
                    "circle",
                    spot,
                    **here,
                    r=5.5,
                    fill=COLOURS[note.mark],
                    stroke="#ffffff",
                    stroke_width=1.5,
                )
            )
        else:
            parts.append(
                element("circle", spot, **here, r=5.0, fill="#1c5d99", fill_opacity=0.001)
            )
    ends = {
        "data_left": _LEFT,
        "data_right": _WIDTH - _RIGHT,
        "data_top": _TOP,
        "data_bottom": _HEIGHT - _BOTTOM,
    }
    return element(
        "svg",
        element("title", "The expected score over the moves") + "".join(parts),
        class_="graph",
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
        **ends,
    )


def _levels(
    record: Record, x: Callable[[int], float], y: Callable[[float], float]
) -> Iterator[str]:
    """Lines across at round scores, in steps of the advantage that wins three games in four at
    the start.

    They are level unless what a score is worth changes in the course of the game.
    """
    first = record.start.position()
    scale = first.win_scale()
    steps = range(-3, 4)
    scores = [step * (round(scale, -2) or scale) for step in steps]
    shares = [[winrate(score, position) for score in scores] for position, _ in record.positions()]
    final = record.final()
    shares.append([winrate(score, final) for score in scores])
    for step, score, *worth in zip(steps, scores, *shares):
        yield element(
            "polyline",
            points=" ".join(f"{x(ply):.1f},{y(share):.1f}" for ply, share in enumerate(worth)),
            fill="none",
            stroke="#8a929c",
            stroke_width=0.5 if step else 1.4,
        )
        if abs(step) != 3:
            yield text(
                printed_points(score, first.game),
                _LEFT - 7,
                y(worth[0]) + 4,
                class_="tick",
                text_anchor="end",
            )


def _numbers(record: Record, x: Callable[[int], float], bottom: float) -> Iterator[str]:
    """The numbers of the moves below."""
    every = next(
        step
        for step in (1, 2, 5, 10, 20, 50, 100)
        if len(record.moves) / (2 * step) <= 16 or step == 100
    )
    labelled = set()
    for ply, (number, side) in enumerate(record.turns()):
        if side == 0 and number not in labelled and (number % every == 0 or number == 1):
            labelled.add(number)
            yield text(number, x(ply + 1), bottom + 18, class_="tick", text_anchor="middle")
