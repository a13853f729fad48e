"""A tree and its search, event by event, as plain data."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from scripts.drawing import worksheet as sheets
from scripts.drawing.figure import Figure, Item, value_text
from scripts.drawing.picture import Picture
from scripts.drawing.replay import Event, Look, Replay
from scripts.drawing.svg import text_of
from scripts.drawing.traced import ALGORITHMS, searched
from scripts.pages import fields
from scripts.pages.fields import Wrong
from scripts.pages.view import MAX_NODES

MAX_PLIES = 8
# Maximum number of children of a node of a random tree.
MAX_CHILDREN = 6
# Maximum number of boards in a picture.
MAX_BOARDS = 120
_LARGEST_SEED = 999_999


class Lesson(NamedTuple):
    """A lesson on one technique of search, with pictures of real searches.

    The page offers the lessons, and docs/how-it-thinks.md shows the same pictures.
    text: an explanation of the pictures.  pictures: [(caption, body of the command `lesson`)].
    """

    name: str
    text: str
    pictures: list[tuple[str, dict[str, Any]]]


_TAUGHT = json.loads(text_of("lessons.json"))
EXAMPLES = _TAUGHT["examples"]  # [[name, tree]] of examples that lectures often use
LESSONS = [Lesson(**each) for each in _TAUGHT["lessons"]]


def lesson(body: fields.Body) -> fields.Body:
    """Return a search for the page: a picture, its nodes, and one step per event.

    body: tree (a text), or game, options, start, moves and depth; boards: draw each node's board;
    algorithm: one of traced.ALGORITHMS.

    A step has the event's kind, node and sentence (words), and
    owners: the nodes whose values are the bounds in the sentence.
    visits: the number of visits so far.
    changes: the new appearance of changed nodes: {node's number: [state, value, window, cut]}.
    """
    figure, boards = _figure(body), body.get("boards") is True
    picture = Picture(figure, figure.prune, numbers=True, boards=boards, steps=True)
    replay = Replay(figure)
    shown: dict[Item, Look] = {}
    return {
        "picture": picture.fragment(replay.look, "the searched tree"),
        "players": figure.players,
        "nodes": [_plain(item, picture.replay) for item in figure.items],
        "steps": [_step(event, replay, shown) for event in replay.events()],
    }


def random_tree(body: fields.Body) -> fields.Body:
    """Return {"tree": text} of a random tree; the same seed gives the same tree.

    body: seed, 0 to 999999; children of each node, 2 to 6; plies, 1 to 8.
    """
    seed = fields.count(body, "seed", 0, _LARGEST_SEED) or 0
    children = fields.count(body, "children", 2, MAX_CHILDREN) or 2
    plies = fields.count(body, "plies", 1, MAX_PLIES) or 3
    return {"tree": sheets.random_tree(seed, children, plies)}


def worksheet(body: fields.Body) -> fields.Body:
    """Return a page to print: the tree with blanks, and its solution.

    The result is {"text": HTML, "warning": why the printed tree can't be read, or ""}.
    body: the fields that lesson() takes, and title.
    """
    title = fields.text(body, "title", "Worksheet", 100)
    sheet = sheets.Worksheet(_figure({**body, "algorithm": "alphabeta"}), title)
    words = f"Printed, the tree's letters are {sheet.points:.0f} points high: too small to read"
    return {"text": sheet.html(), "warning": words if sheet.points < sheets.LEGIBLE else ""}


def _figure(body: fields.Body) -> Figure:
    """Return the searched tree that a command's body describes."""
    game = body
    if body.get("tree") is not None:
        tree = fields.text(body, "tree", "").strip() or "()"
        game = {"game": "tree", "start": None if tree == "startpos" else tree}
    depth = fields.count(game, "depth", 1, MAX_PLIES) or 2
    record = fields.record(game)
    algorithm = fields.text(body, "algorithm", "alphabeta", 20)
    if algorithm not in ALGORITHMS:
        raise Wrong("algorithm must be one of " + ", ".join(ALGORITHMS))
    limit = MAX_BOARDS if body.get("boards") is True else MAX_NODES
    whole = record.start.game.textbook
    figure = searched(record.final(), None if whole else depth, algorithm, limit)
    if len(figure.items) == 1:
        raise Wrong("nothing to search: the game is over in this position")
    return figure


def _plain(item: Item, replay: Replay) -> dict[str, Any]:
    """Return the facts about a node for the page's texts and quizzes.

    truth: its minimax value, even if it was pruned; "" if the tree is incomplete.
    window: the window of the last visit to it, or "".
    """
    return {
        "number": item.number,
        "name": str(item),
        "max": item.side == 0,
        "leaf": not item.children,
        "children": [child.number for child in item.children],
        "truth": value_text(item.minimax()) if replay.figure.complete else "",
        "window": replay.final_look(item).window,
    }


def _step(event: Event, replay: Replay, shown: dict[Item, Look]) -> dict[str, Any]:
    """Return the step in which the page shows an event.

    shown: {node: its appearance before the event}; this function updates it.
    """
    changes = {}
    for item in replay.figure.items:
        look = replay.look(item)
        if shown.get(item) != look:
            shown[item] = changes[item.number] = look
    return {
        "kind": event.kind,
        "node": event.item.number,
        "words": event.words,
        "owners": [item.number for item in event.owners],
        "visits": replay.visits,
        "changes": changes,
    }
