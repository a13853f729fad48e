#!/usr/bin/env python3
"""Play a match between two evaluations of Othello, all else being equal.

    python3 scripts/lab/othello_match.py FILE FILE [--pairs N] [--seed N]
                                           [--movetime SECONDS | --depth N] [--plain]

FILE: weights that scripts/lab/othello_fit.py wrote; with --plain, also weights that scripts/learn
wrote (NAME.weights).  --plain: use the plain search, without kernel and solver.

Each random opening is played twice, with swapped colours.  The score is that of the first file.
"""

from __future__ import annotations

import pathlib
import sys
from functools import partial

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.base import Position  # noqa: E402
from games.kernel import Kernel  # noqa: E402
from games.othello import Othello, kernel, patterns, root  # noqa: E402
from games.othello.position import OthelloPosition  # noqa: E402
from games.types import Score  # noqa: E402
from protocol.records.record import Start  # noqa: E402
from scripts.command_line import Parser, positive, tell  # noqa: E402
from scripts.lab.learned_match import MEGABYTES, OWN, Player  # noqa: E402
from scripts.learning import match  # noqa: E402
from search import context_of  # noqa: E402
from search.context import Context  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.pvs import Tree  # noqa: E402

GAME = registry.get("othello")


class Variant(Othello):
    """Othello with another evaluation, or without ProbCut."""

    def __init__(self, evaluate: patterns.Evaluate | None = None, probcut: bool = True) -> None:
        self._evaluate, self._probcut = evaluate, probcut

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        """Return the midgame kernel of this variant."""
        assert isinstance(position, OthelloPosition)
        return kernel.othello_kernel(position, tree, self._evaluate, self._probcut)


class Side(Player):
    """A player with a given evaluation, and with the game's own kernel and solver."""

    def __init__(self, path: str, limits: Limits) -> None:
        self._own = patterns.evaluation(path).evaluate
        super().__init__(GAME, OWN, limits)
        self._game = Variant(self._own)

    def start(self) -> Position:
        """Return the start position; make the solver use this player's evaluation."""
        position = Start(GAME).position()
        position.game = self._game
        context = context_of(position, self._limits, {}, self._memory, MEGABYTES)
        root.solver_of(context, self._own)
        return position


class PlainSide(Player):
    """A player that uses weights of scripts/lab/othello_fit.py, without kernel and solver."""

    def __init__(self, path: str, limits: Limits) -> None:
        self._own = patterns.evaluation(path).evaluate
        super().__init__(GAME, OWN, limits)

    def start(self) -> Position:
        """Return the start position, with this player's evaluation."""
        position = super().start()
        position.evaluate = partial(self._score, position)  # type: ignore[method-assign]
        return position

    def _score(self, position: Position) -> Score:
        assert isinstance(position, OthelloPosition)
        return self._own(position.own, position.opp, position.empties)


def plain_side(path: str, limits: Limits) -> Player:
    """Return a player that uses a .bin or .weights file, without kernel and solver."""
    if path.endswith(".bin"):
        return PlainSide(path, limits)
    return Player(GAME, pathlib.Path(path).read_bytes(), limits)


def main() -> None:
    """Play the pairs of games, and print the score after each."""
    parser = Parser("scripts/lab/othello_match.py", __doc__.splitlines()[0])
    parser.add("FILE", "weights", nargs=2)
    parser.add("--plain", "use the plain search, no kernel and no solver")
    parser.add("--pairs N", "pairs of games", 20, type=positive)
    parser.add("--movetime SECONDS", "time for each move", type=float)
    parser.add("--depth PLIES", "depth without --movetime (default 4)", type=int)
    parser.add("--seed N", "random seed", 1)
    args = parser.parse_args()
    limits = Limits(movetime=args.movetime, depth=args.depth or (None if args.movetime else 4))
    first, second = ((plain_side if args.plain else Side)(path, limits) for path in args.file)

    def show(score: match.Score) -> None:
        tell(str(score))

    match.play(GAME, first.move, second.move, args.pairs, args.seed, show)


if __name__ == "__main__":
    main()
