"""A tree and its search, step by step, as plain data."""

from __future__ import annotations

import random
from typing import Any

from games import looks
from games.base import Position
from scripts.drawing.board import Board
from scripts.drawing.figure import Figure, FigureError, Item, Snapshot
from scripts.drawing.reasons import owners, reasons
from scripts.pages import fields
from scripts.pages.fields import Wrong
from scripts.pages.trees import MAX_NODES, Texts, plain_tree

MAX_PLIES = 8
MAX_BOARDS = 120  # boards in one picture
# difficulty -> (plies, maximum number of children, lowest and highest value, probability of an
# early leaf, probability that a leaf is a win or loss)
DIFFICULTIES = {
    "easy": (2, 3, 1, 9, 0.0, 0.0),
    "medium": (3, 3, 1, 20, 0.1, 0.0),
    "hard": (4, 3, -20, 20, 0.2, 0.1),
}
_LARGEST_SEED = 999_999

# (name, tree), as lectures show them.
EXAMPLES = (
    ("The lecture's tree", "((((4 5) (3 2)) ((6 7) (8 9))) (((1 10) (2 11)) ((12 13) (14 14))))"),
    ("Two moves each", "((3 5) (6 9) (1 2)) min"),
    ("Named nodes", "(A:(D:(3 5) E:(6 9)) B:(F:(1 2) G:(0 -1)))"),
    ("Best order: the most is pruned", "(((8 7) (9 6)) ((4 3) (5 2)))"),
    ("Worst order: nothing is pruned", "(((1 2) (3 4)) ((5 6) (7 8)))"),
    ("Wins and losses", "((W L) L (L W W))"),
    ("A deep cut", "(5 ((3 (4 (1 8))) 7))"),
    ("Uneven branches", "(((1 5 6) (8 3)) (L (1 W)))"),
)


def lesson(body: fields.Body) -> fields.Body:
    """Return a search for the page: nodes with their places, and one step per visit.

    body: tree (a text), or game, options, start, moves and depth; algorithm: alphabeta or
    minimax.  A step has the visited node, the state of each node (current, best, gone, seen or
    unseen), the known values, the pruned branches, the nodes that set its bounds, and the reasons
    as sentences.
    """
    figure = _figure(body)
    names = [name.capitalize() for name in looks.players_of(figure.position.game)]
    steps = _steps(figure, names)
    values: Texts = {}
    for step in steps:
        for number, text in step["values"].items():
            values.setdefault(number, []).append(text)
    end = figure.snapshot()
    windows = {item.number: end.window_words(item) for item in figure.items}
    board = _board(figure) if body.get("boards") is True else None
    plain = plain_tree(figure, values, windows, board)
    plain.update(colours=names, steps=steps, total=len(figure.items), truth=_truth(figure))
    return plain


def random_tree(body: fields.Body) -> fields.Body:
    """Return {"tree": text} of a random tree; the same seed gives the same tree.

    body: seed, 0 to 999999; difficulty: easy, medium or hard.
    """
    difficulty = fields.text(body, "difficulty", "medium", 20)
    if difficulty not in DIFFICULTIES:
        raise Wrong("difficulty must be one of " + " ".join(DIFFICULTIES))
    plies, most, least, greatest, early, decided = DIFFICULTIES[difficulty]
    draw = random.Random(f"{difficulty} {fields.count(body, 'seed', 0, _LARGEST_SEED, 0)}")

    def node(depth: int) -> str:
        if depth == plies or 0 < depth and draw.random() < early:
            if draw.random() < decided:
                return draw.choice("WL")
            return str(draw.randint(least, greatest))
        children = [node(depth + 1) for _ in range(draw.randint(2, most))]
        return f"({' '.join(children)})"

    return {"tree": node(0) + draw.choice(("", " min"))}


def _figure(body: fields.Body) -> Figure:
    """Return the searched tree that a body describes."""
    position, depth = _position(body)
    algorithm = fields.text(body, "algorithm", "alphabeta", 20)
    if algorithm not in ("alphabeta", "minimax"):
        raise Wrong("algorithm must be alphabeta or minimax")
    try:
        figure = Figure(position, depth, algorithm == "alphabeta", MAX_NODES)
    except FigureError as error:
        words = str(error).replace(" (a smaller --depth?)", ": choose a smaller depth")
        raise Wrong(words) from None
    if len(figure.items) == 1:
        raise Wrong("nothing to search: the game is over in this position")
    return figure


def _board(figure: Figure) -> Board:
    """Return the drawer of the boards at nodes; raise Wrong if there are none or too many."""
    if len(figure.items) > MAX_BOARDS:
        raise Wrong(
            f"too many nodes to show boards: {len(figure.items)}, at most {MAX_BOARDS}: "
            "choose a smaller depth"
        )
    if figure.root.board is None:
        raise Wrong("this game has no boards to show")
    return Board(figure.game, 13.0)


def _truth(figure: Figure) -> dict[int, str]:
    """Return {number of a node: its minimax value} for the whole tree, pruned parts included."""
    values: dict[int, int] = {}
    for item in reversed(figure.items):
        if item.value is not None:
            values[item.number] = item.value
        else:
            choose = max if item.maximises else min
            values[item.number] = choose(values[child.number] for child in item.children)
    return {number: figure.value_text(value) for number, value in values.items()}


def _position(body: fields.Body) -> tuple[Position, int | None]:
    """Return (position, depth) of a tree's text or of the game on the board."""
    if body.get("tree") is not None:
        tree = (fields.text(body, "tree", "") or "").strip() or "()"
        line = fields.line({"game": "tree", "start": None if tree == "startpos" else tree})
        return line.position, None
    depth = fields.count(body, "depth", 1, MAX_PLIES, 2)
    line = fields.line(body)
    return line.position, None if line.start.game.textbook else depth


def _steps(figure: Figure, names: list[str]) -> list[dict[str, Any]]:
    """Return one step per visit, and a last one for the end of the search."""
    shots = [figure.snapshot(count) for count in range(1, len(figure.visits) + 1)]
    shots.append(figure.snapshot())
    before = [None, *shots]
    return [_step(former, shot, names) for former, shot in zip(before, shots)]


def _step(before: Snapshot | None, shot: Snapshot, names: list[str]) -> dict[str, Any]:
    """Return what the page shows of a Snapshot.  before: the one of the step before."""
    items = shot.figure.items
    return {
        "node": None if shot.current is None else shot.current.number,
        "states": [_state(item, shot) for item in items],
        "values": {item.number: shot.value_words(item) for item in shot.bounds},
        "cut": sorted(item.number for item in shot.cut),
        "words": shot.words(),
        "why": reasons(before, shot, names),
        "owners": [item.number for item in owners(before, shot)],
    }


def _state(item: Item, shot: Snapshot) -> str:
    if item is shot.current:
        return "current"
    if item in shot.line:
        return "best"
    if item in shot.pruned:
        return "gone"
    return "seen" if item in shot.windows else "unseen"
