#!/usr/bin/env python3
"""A match between two evaluations of Othello by the plain search, neither kernel nor solver.

    pypy3 scripts/lab/othello_learned.py FILE FILE [--rounds N] [--depth N] [--seed N]

FILE: what scripts/learn learned (NAME.weights), or what scripts/lab/othello_fit.py fitted
or set by hand (NAME.bin).  The score is that of the first.
"""

from __future__ import annotations

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.base import Position  # noqa: E402
from games.othello import patterns  # noqa: E402
from games.othello.position import OthelloPosition  # noqa: E402
from scripts.command_line import Parser, positive  # noqa: E402
from scripts.learning import match, rules  # noqa: E402
from search.limits import Limits  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.types import Score


def evaluation(path: str) -> bytes | Callable[[Position], Score]:
    """The evaluation of a file, as match.Player takes it."""
    if not path.endswith(".bin"):
        return pathlib.Path(path).read_bytes()
    evaluate = patterns.load(path).evaluate

    def score(position: Position) -> Score:
        assert isinstance(position, OthelloPosition)
        return evaluate(position.own, position.opp, position.empties)

    return score


def main() -> None:
    """Play the pairs of games, and tell the score so far now and then."""
    parser = Parser("scripts/lab/othello_learned.py", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs=2)
    parser.add_argument("--rounds", type=positive, default=100, help="pairs of games")
    parser.add_argument("--depth", type=positive, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game = rules.game_called("othello")
    one, other = (
        match.Player(game, evaluation(path), lambda: Limits(depth=args.depth))
        for path in args.files
    )

    def tell(score: match.Score) -> None:
        if score.games % 20 == 0 or score.games == 2 * args.rounds:
            print(score, flush=True)

    match.play(game, one, other, args.rounds, args.seed, tell)


if __name__ == "__main__":
    main()
