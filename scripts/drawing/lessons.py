"""Lessons of search: one technique each, with pictures of real searches.

The page offers them, docs/how-it-thinks.md shows the same pictures.  The numbers in their texts are
tested.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Search = dict[str, Any]  # the body of the page's command `lesson`

_TICTACTOE: Search = {"game": "tictactoe"}
_NULL_WINDOWS = "((((15 10) (7 5)) ((4 11) (14 11))) (((12 13) (15 10)) ((10 9) (1 3))))"
_DEEPENING = {**_TICTACTOE, "start": "x2/2o/1xo x", "depth": 4}
_TABLE = {**_TICTACTOE, "start": "1xo/oxx/3 o", "depth": 4}
_REDUCTIONS = {**_TICTACTOE, "start": "3/x1o/oxx o", "depth": 3}
_HORIZON: Search = {"game": "chess", "start": "7k/8/8/4P3/P1p5/1pp5/1K6/8 w - - 0 1", "depth": 2}


class Lesson(NamedTuple):
    """A lesson: what to see in its pictures, [(caption, search)]."""

    name: str
    text: str
    pictures: list[tuple[str, Search]]


LESSONS = (
    Lesson(
        "Move ordering",
        "The same tree in three orders, with the same value. The better the moves that come first, "
        "the more is cut off.",
        [
            ("best order: 18 of 31 nodes", {"tree": "startpos"}),
            (
                "random order: 24 of 31 nodes",
                {
                    "tree": "((((10 1) (11 2)) ((14 14) (12 13))) (((2 3) (4 5)) ((6 7) (8 9))))",
                },
            ),
            (
                "worst order: 31 of 31 nodes",
                {
                    "tree": "((((13 12) (14 14)) ((10 1) (11 2))) (((7 6) (9 8)) ((3 2) (5 4))))",
                },
            ),
        ],
    ),
    Lesson(
        "Iterative deepening",
        "Searching depths 1, 2 and 3 first costs 60 nodes. They leave their best moves in the "
        "table, so depth 4 takes 24 nodes in place of 83.",
        [
            ("depth 4 at once: 83 nodes", {**_DEEPENING, "algorithm": "alphabeta"}),
            ("depth 4 as the last iteration: 24 nodes", {**_DEEPENING, "algorithm": "deepening"}),
        ],
    ),
    Lesson(
        "Horizon and quiescence",
        "Black's pawn has come to b2, where the king captures it, but a search of two plies ends "
        "before that. Quiescence search goes on with captures until the position is quiet. Two "
        "plies earlier the same error makes a search of four plies choose another move.",
        [
            ("two plies: −72", {**_HORIZON, "algorithm": "alphabeta"}),
            ("with quiescence search: 150", {**_HORIZON, "algorithm": "quiescence"}),
        ],
    ),
    Lesson(
        "Transposition table",
        "The same moves in another order lead to the same position. What was found there is in the "
        "table and isn't searched again.",
        [
            ("without a table: 49 nodes", {**_TABLE, "algorithm": "alphabeta"}),
            ("with a table: 42 nodes", {**_TABLE, "algorithm": "table"}),
        ],
    ),
    Lesson(
        "Null windows",
        "After its first child each node only asks whether another is better, with a window of "
        "width 1. One answer here is yes: that node is searched again.",
        [
            ("full windows: 28 nodes", {"tree": _NULL_WINDOWS}),
            ("null windows: 25 nodes", {"tree": _NULL_WINDOWS, "algorithm": "pvs"}),
        ],
    ),
    Lesson(
        "Late move reductions",
        "The fourth move of the root is searched a ply less deep. It is no better than the first, "
        "so that is all that it gets.",
        [
            ("full depth: 30 nodes", {**_REDUCTIONS, "algorithm": "alphabeta"}),
            ("the late move reduced: 23 nodes", {**_REDUCTIONS, "algorithm": "reductions"}),
        ],
    ),
)
