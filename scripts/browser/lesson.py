"""A tree and the search that walks through it, step by step, as plain data."""

from __future__ import annotations

import random
from typing import Any

from games import looks
from games.base import Position
from scripts.drawing import animation
from scripts.drawing.board import Board, Lines, drawer
from scripts.drawing.figure import Figure, FigureError
from scripts.drawing.picture import Picture
from scripts.drawing.reasons import owners, reasons
from scripts.pages import fields
from scripts.pages.fields import Wrong
from scripts.pages.trees import MOST_NODES, Texts, plain_tree

MOST_PLIES = 8
MOST_BOARDS = 120  # at the nodes of one picture
# difficulty -> (plies, most children of a node, least and greatest value, chances of an early leaf
# and of a win or loss)
DIFFICULTIES = {
    "easy": (2, 3, 1, 9, 0.0, 0.0),
    "medium": (3, 3, 1, 20, 0.1, 0.0),
    "hard": (4, 3, -20, 20, 0.2, 0.1),
}
_LARGEST_SEED = 999_999

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
    ("A deep cut", "(5 ((3 (4 (1 8))) 7))"),
    ("Uneven branches", "(((1 5 6) (8 3)) (L (1 W)))"),
)


def lesson(body: fields.Body) -> fields.Body:
    """Return what a page needs to show a search: nodes with their places, and a step a visit.

    body: tree (a text), or game, options, start, moves and depth; algorithm: alphabeta or
    minimax. A step has the node that is visited, its window, the values and pruned nodes
    known since, the nodes that own its bounds, and the reasons in sentences.
    """
    figure = _figure(body)
    names = [name.capitalize() for name in looks.players_of(figure.position.game)]
    steps = _steps(figure, names)
    values: Texts = {}
    windows: Texts = {}
    for step in steps:
        for number, text in step["values"].items():
            values.setdefault(number, []).append(text)
        if step["node"] is not None:  # as it is when the search is over
            windows.setdefault(step["node"], []).append(step["window"])
    board = _board(figure) if body.get("boards") is True else None
    plain = plain_tree(figure, values, windows, board)
    return {
        **plain,
        "colours": names,
        "steps": steps,
        "total": len(figure.items),
        "truth": _truth(figure),
    }


def lesson_picture(body: fields.Body) -> fields.Body:
    """Return {"text": SVG} of a lesson: of one step, or all of them, animated.

    body: as of lesson, and step (from 0), windows (bool), boards (bool), animated (bool).
    """
    figure = _figure(body)
    animated = body.get("animated") is True
    picture = Picture(
        figure,
        windows=body.get("windows") is True,
        numbers=True,
        boards=body.get("boards") is True,
        caption=animated,
    )
    if animated:
        return {"text": animation.animated(picture, 1.5)}
    step = fields.count(body, "step", 0, len(figure.visits), len(figure.visits)) or 0
    over = step == len(figure.visits)
    return {"text": picture.svg(figure.snapshot(None if over else step + 1))}


def random_tree(body: fields.Body) -> fields.Body:
    """Return {"tree": text} of a tree drawn at random; the same seed draws the same tree.

    body: seed, 0 to 999999; difficulty: easy, medium or hard.
    """
    difficulty = fields.text(body, "difficulty", "medium", 20)
    if difficulty not in DIFFICULTIES:
        raise Wrong("difficulty must be one of " + " ".join(DIFFICULTIES))
    plies, most, least, greatest, early, decided = DIFFICULTIES[difficulty]
    draw = random.Random(f"{difficulty} {fields.count(body, 'seed', 0, _LARGEST_SEED, 0)}")

    def node(depth: int) -> str:
        if depth == plies or 0 < depth and draw.random() < early:
            return (
                draw.choice("WL") if draw.random() < decided else str(draw.randint(least, greatest))
            )
        children = [node(depth + 1) for _ in range(draw.randint(2, most))]
        return f"({' '.join(children)})"

    return {"tree": node(0) + draw.choice(("", " min"))}


def _figure(body: fields.Body) -> Figure:
    """The searched tree that a body asks for."""
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
    return figure


def _board(figure: Figure) -> Board | Lines:
    """What draws the boards at the nodes of a figure; Wrong if that is too much or nothing."""
    if len(figure.items) > MOST_BOARDS:
        raise Wrong(
            f"boards are shown at up to {MOST_BOARDS} nodes, and the tree has "
            f"{len(figure.items)}: choose a smaller depth"
        )
    found = None if figure.position.game.textbook else drawer(figure.position, 13.0, False)
    if found is None:
        raise Wrong("this game has no boards to show")
    return found


def _truth(figure: Figure) -> dict[int, str]:
    """{number of a node: its minimax value}, of the whole tree, whatever was searched."""
    values: dict[int, int] = {}
    for item in reversed(figure.items):
        if item.value is not None:
            values[item.number] = item.value
        else:
            choose = max if item.maximises else min
            values[item.number] = choose(values[child.number] for child in item.children)
    return {number: figure.value_text(value) for number, value in values.items()}


def _position(body: fields.Body) -> tuple[Position, int | None]:
    """(position, depth): of a tree's text, or of the game on the board."""
    if body.get("tree") is not None:
        tree = (fields.text(body, "tree", "") or "").strip() or "()"
        line = fields.line({"game": "tree", "start": None if tree == "startpos" else tree})
        return line.position, None
    depth = fields.count(body, "depth", 1, MOST_PLIES, 2)
    line = fields.line(body)
    return line.position, None if line.start.game.textbook else depth


def _steps(figure: Figure, names: list[str]) -> list[dict[str, Any]]:
    """One for each visit, and a last one when the search is over."""
    steps: list[dict[str, Any]] = []
    known: dict[int, str] = {}
    cut: set[int] = set()
    pruned: set[int] = set()
    before = None
    for count in [*range(1, len(figure.visits) + 1), None]:
        shot = figure.snapshot(count)
        values = {item.number: shot.value_words(item) for item in shot.bounds}
        changed = {
            number: words for number, words in values.items() if known.get(number, "") != words
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
                "why": reasons(before, shot, names),
                "owners": [item.number for item in owners(before, shot)],
                "line": [item.number for item in shot.line],
            }
        )
        before = shot
        known.update(changed)
        cut |= {item.number for item in shot.cut}
        pruned |= gone
    return steps
