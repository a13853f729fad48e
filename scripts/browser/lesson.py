"""A tree and the search that walks through it, step by step, as plain data."""
from __future__ import annotations

from typing import Any

from games.base import Position
from games.looks import players_of
from scripts.browser import fields
from scripts.browser.fields import Wrong
from scripts.browser.trees import MOST_NODES, Texts, plain_tree
from scripts.drawing.figure import Figure, FigureError

MOST_PLIES = 8

# (name, tree): what lectures show.
EXAMPLES = (
    (
        "The lecture's tree",
        "((((4 5) (3 2)) ((6 7) (8 9))) (((1 10) (2 11)) ((12 13) (14 14))))",
    ),
    ("Two moves each", "((3 5) (6 9) (1 2)) min"),
    ("Named nodes", "(A:(D:(3 5) E:(6 9)) B:(F:(1 2) G:(0 -1)))"),
    ("Best order: the most is pruned", "(((8 7) (9 6)) ((4 3) (5 2)))"),
    ("Worst order: nothing is pruned", "(((1 2) (3 4)) ((5 6) (7 8)))"),
    ("Wins and losses", "((W L) L (L W W))"),
    ("A deep cut", "(5 ((4 (9 (1 8))) 7))"),
    ("Uneven branches", "(((1 5 6) (8 3)) (L (1 W)))"),
)


def lesson(body: fields.Body) -> fields.Body:
    """What a page needs to show a search: nodes with their places, then one step for each visit.

    body: tree (a text), or game, options, start, moves and depth; algorithm: alphabeta or
    minimax. A step tells which node is visited, with which window, and what is known of
    values and pruned nodes since.
    """
    position, depth = _position(body)
    algorithm = fields.text(body, "algorithm", "alphabeta", 20)
    if algorithm not in ("alphabeta", "minimax"):
        raise Wrong("algorithm must be alphabeta or minimax")
    try:
        figure = Figure(position, depth, algorithm == "alphabeta", MOST_NODES)
    except FigureError as error:
        raise Wrong(
            str(error).replace(" (a smaller --depth?)", ": a smaller depth shows fewer")
        ) from None
    if len(figure.items) == 1:
        raise Wrong("there is nothing to search: the game is over here")
    steps = _steps(figure)
    values: Texts = {}
    windows: Texts = {}
    for step in steps:
        for number, text in step["values"].items():
            values.setdefault(number, []).append(text)
        if step["node"] is not None:        # as it is when the search is over
            windows.setdefault(step["node"], []).append(step["window"])
    return {**plain_tree(figure, values, windows), "colours": players_of(position.game),
            "steps": steps, "total": len(figure.items)}


def _position(body: fields.Body) -> tuple[Position, int | None]:
    """(position, depth): of a tree's text, or of the game on the board."""
    if body.get("tree") is not None:
        tree = (fields.text(body, "tree", "") or "").strip() or "()"
        return fields.start(
            {"game": "tree", "start": None if tree == "startpos" else tree}
        ).position(), None
    start = fields.start(body)
    depth = fields.count(body, "depth", 1, MOST_PLIES, 2)
    return start.position(fields.moves(body, start)), None if start.game.textbook else depth


def _steps(figure: Figure) -> list[dict[str, Any]]:
    """One for each visit, and a last one when the search is over."""
    steps: list[dict[str, Any]] = []
    known: dict[int, str] = {}
    cut: set[int] = set()
    pruned: set[int] = set()
    for count in [*range(1, len(figure.visits) + 1), None]:
        shot = figure.snapshot(count)
        values = {item.number: shot.value_words(item) for item in shot.bounds}
        changed = {
            number: words
            for number, words in values.items()
            if known.get(number, "") != words
        }
        gone = {item.number for item in shot.pruned} - pruned
        steps.append(
            {
                "node": None if shot.current is None else shot.current.number,
                "values": changed,
                "window": "" if shot.current is None else shot.window_words(shot.current),
                "cut": sorted({item.number for item in shot.cut} - cut),
                "pruned": sorted(gone),
                "words": shot.words(),
                "line": [item.number for item in shot.line],
            }
        )
        known.update(changed)
        cut |= {item.number for item in shot.cut}
        pruned |= gone
    return steps
