#!/usr/bin/env python3
"""A match between two weights files of the Othello evaluation, all else being equal.

    python3 scripts/lab/othello_match.py WEIGHTS WEIGHTS [--pairs N] [--plies N] [--seed N]
                                           [--movetime SECONDS | --depth N]

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
from scripts.command_line import Parser  # noqa: E402
from search.clock import Clock  # noqa: E402
from search.context import Context  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.root import think  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.othello.patterns import Evaluate
    from games.types import Context as GameContext
    from games.types import Move, Tree

MEGABYTES = 16


class Trial(Othello):
    """Othello with another evaluation."""

    def __init__(self, evaluate: Evaluate) -> None:
        self._evaluate = evaluate

    def kernel(self, position: Position, context: GameContext, tree: Tree) -> Kernel:
        """The midgame's search with that evaluation."""
        assert isinstance(position, OthelloPosition)
        return kernel.build(position, tree, self._evaluate)


class Side:
    """One evaluation with its own memory."""

    def __init__(self, path: str) -> None:
        self._evaluate = patterns.load(path).evaluate
        self._memory: dict[str, Any] = {}
        self._game = Trial(self._evaluate)

    def move(self, position: Position, limits: Limits) -> Move:
        """The move of a search within `limits`."""
        position = self._game.parse(position.text(), {})
        context = Context(
            limits,
            Clock(limits, position.side, 0.0),
            {},
            self._memory,
            MEGABYTES,
            position.legal_moves(),
        )
        root.solver_of(context, self._evaluate)
        return think(position, context, lambda report: None)[0].moves[0]


def play(black: Side, white: Side, opening: list[Move], limits: Limits) -> int:
    """Black's margin in one game."""
    position = registry.get("othello").start({})
    for move in opening:
        position.make(move)
    outcome = position.outcome()
    while outcome is None:
        mover = white if position.side else black
        moves = position.legal_moves()
        copy = registry.get("othello").parse(position.text(), {})
        position.make(moves[0] if len(moves) == 1 else mover.move(copy, limits))
        outcome = position.outcome()
    return outcome.margin or 0


def random_opening(rng: random.Random, plies: int) -> list[Move]:
    """Random legal moves from the start, that do not end the game."""
    while True:
        position = registry.get("othello").start({})
        moves: list[Move] = []
        while len(moves) < plies and position.legal_moves():
            moves.append(rng.choice(position.legal_moves()))
            position.make(moves[-1])
        if position.outcome() is None:
            return moves


def main() -> None:
    """Play the pairs of games, and print the score so far after each."""
    parser = Parser("scripts/lab/othello_match.py", description=__doc__.splitlines()[0])
    parser.add_argument("weights", nargs=2)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--movetime", type=float)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--plies", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    limits = Limits(movetime=args.movetime, depth=args.depth or (None if args.movetime else 4))
    first, second = Side(args.weights[0]), Side(args.weights[1])
    rng, won, drawn, discs = random.Random(args.seed), 0, 0, 0
    for pair in range(1, args.pairs + 1):
        opening = random_opening(rng, args.plies)
        for margin in (play(first, second, opening, limits), -play(second, first, opening, limits)):
            won, drawn, discs = won + (margin > 0), drawn + (margin == 0), discs + margin
        games = 2 * pair
        share = 100 * (won + drawn / 2) / games
        print(
            f"{games} games: +{won} ={drawn} -{games - won - drawn}, {share:.1f} %, "
            f"{discs / games:+.1f} discs a game",
            flush=True,
        )


if __name__ == "__main__":
    main()
