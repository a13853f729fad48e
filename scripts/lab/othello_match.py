#!/usr/bin/env python3
"""Play a match between two evaluations of Othello, all else being equal.

    python3 scripts/lab/othello_match.py FILE FILE [--pairs N] [--plies N] [--seed N]
                                           [--movetime SECONDS | --depth N] [--plain]

FILE: weights that scripts/lab/othello_fit.py fitted or set by hand; with --plain also those
that scripts/learn learned (NAME.weights).  --plain: the plain search, no kernel, no solver.

Each random opening is played twice, with colours changed.  The score is that of the
first file.
"""

from __future__ import annotations

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.base import Position  # noqa: E402
from games.kernel import Kernel  # noqa: E402
from games.othello import Othello, kernel, patterns, root  # noqa: E402
from games.othello.position import OthelloPosition  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.learning import match  # noqa: E402
from search import context_of  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.root import think  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.othello.patterns import Evaluate
    from games.types import Context as GameContext
    from games.types import Move, Score, Tree

MEGABYTES = 16
GAME = registry.get("othello")


class Variant(Othello):
    """Othello with another evaluation, or without ProbCut."""

    def __init__(self, evaluate: Evaluate | None = None, probcut: bool = True) -> None:
        self._evaluate, self._probcut = evaluate, probcut

    def kernel(self, position: Position, context: GameContext, tree: Tree) -> Kernel:
        """Return the midgame kernel of this variant."""
        assert isinstance(position, OthelloPosition)
        return kernel.build(position, tree, self._evaluate, self._probcut)


class Side:
    """One evaluation with its own memory."""

    def __init__(self, path: str, limits: Limits) -> None:
        self._evaluate, self._limits = patterns.load(path).evaluate, limits
        self._memory: dict[str, Any] = {}
        self._game = Variant(self._evaluate)

    def move(self, played: list[Move]) -> Move:
        """Return the move of a search after the moves played."""
        position = self._game.start({})
        for move in played:
            position.make(move)
        context = context_of(position, self._limits, {}, self._memory, MEGABYTES)
        root.solver_of(context, self._evaluate)
        return think(position, context, lambda report: None)[0].moves[0]


def plain_side(path: str, limits: Limits) -> match.Player:
    """Return one evaluation for the plain search."""
    if not path.endswith(".bin"):
        return match.Player(GAME, pathlib.Path(path).read_bytes(), lambda: limits)
    evaluate = patterns.load(path).evaluate

    def score(position: Position) -> Score:
        assert isinstance(position, OthelloPosition)
        return evaluate(position.own, position.opp, position.empties)

    return match.Player(GAME, score, lambda: limits)


def play(black: Side | match.Player, white: Side | match.Player, opening: list[Move]) -> int:
    """Return Black's margin in one game."""
    position, played = GAME.start({}), opening[:]
    for move in opening:
        position.make(move)
    outcome = position.outcome()
    while outcome is None:
        mover = white if position.side else black
        moves = position.legal_moves()
        played.append(moves[0] if len(moves) == 1 else mover.move(played))
        position.make(played[-1])
        outcome = position.outcome()
    return outcome.margin or 0


def random_opening(rng: random.Random, plies: int) -> list[Move]:
    """Return random legal moves from the start that do not end the game."""
    while True:
        position = GAME.start({})
        moves: list[Move] = []
        while len(moves) < plies and position.legal_moves():
            moves.append(rng.choice(position.legal_moves()))
            position.make(moves[-1])
        if position.outcome() is None:
            return moves


def main() -> None:
    """Play the pairs of games, and print the score after each."""
    parser = Parser("scripts/lab/othello_match.py", description=__doc__.splitlines()[0])
    parser.add("FILE", "weights", nargs=2)
    parser.add("--plain", "use the plain search, no kernel and no solver")
    parser.add("--pairs N", "pairs of games", 20)
    parser.add("--movetime SECONDS", "time for each move", type=float)
    parser.add("--depth PLIES", "depth without --movetime (default 4)", type=int)
    parser.add("--plies N", "length of the openings", 8)
    parser.add("--seed N", "random seed", 1)
    args = parser.parse_args()
    limits = Limits(movetime=args.movetime, depth=args.depth or (None if args.movetime else 4))
    first, second = ((plain_side if args.plain else Side)(path, limits) for path in args.file)
    rng, won, drawn, discs = random.Random(args.seed), 0, 0, 0
    for pair in range(1, args.pairs + 1):
        opening = random_opening(rng, args.plies)
        for margin in (play(first, second, opening), -play(second, first, opening)):
            won, drawn, discs = won + (margin > 0), drawn + (margin == 0), discs + margin
        games = 2 * pair
        share = 100 * (won + drawn / 2) / games
        tell(
            f"{games} games: +{won} ={drawn} -{games - won - drawn}, {share:.1f} %, "
            f"{discs / games:+.1f} discs a game"
        )


if __name__ == "__main__":
    main()
