#!/usr/bin/env python3
"""Self-play for the Othello evaluation: labelled positions, one a line, appended to a file.

    pypy3 scripts/lab/othello_games.py SAMPLES [--weights FILE] [--games N] [--depth N]
                                           [--random-plies N] [--seed N]

Each game begins with random moves, is played at a fixed depth down to the last empties, and is
solved from there; further random moves out of the solved position give positions that nobody would
play.  A line is

    OWN OPP SCORE       discs of the side to move and of the other side (hexadecimal, bit
                        8 * row + column), and the disc difference that the side to move reaches

Run it again to append more games: every run that finds samples in the file takes another seed.
"""
from __future__ import annotations

import os
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.othello import endgame, kernel, patterns  # noqa: E402
from games.othello.lanes import LANES  # noqa: E402
from games.root_moves import best_root_move  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from search.pvs import TreeSearch  # noqa: E402
from search.table import Table  # noqa: E402

SOLVED_FROM = 12        # empties from which the solver labels
EXTRA_LABELS = 4        # positions a game that random moves lead to
RANDOM_PLIES = (2, 21)  # fewest, and most unless told otherwise
HASH_MEGABYTES = 8
INFINITY = 10 ** 6


class NoLimit:
    """A budget that never ends."""

    def check(self, nodes):
        return nodes + (1 << 60)


class Player:
    """Plays one game after another and labels its positions."""

    def __init__(self, weights, depth, random_plies, seed):
        self.game = registry.get("othello")
        self.evaluate = patterns.load(weights).evaluate
        self.solver = endgame.Solver(Table(HASH_MEGABYTES), self.evaluate)
        self.depth, self.random, self.context = depth, random.Random(seed), NoLimit()
        self.table = Table(HASH_MEGABYTES / 2)
        self.random_plies = RANDOM_PLIES[0], random_plies

    def _kernel(self, position, context, tree):
        return kernel.build(position, tree, self.evaluate)

    def best(self, position):
        """The move of a search at fixed depth."""
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        core = TreeSearch(position, self._kernel, self.table, self.context)
        for depth in range(1, self.depth + 1):
            core.begin(depth)
            _, choice = best_root_move(moves, -INFINITY, INFINITY, lambda move, number, alpha, beta: core.try_move(
                move, number, depth - 1, alpha, beta))
            moves.sort(key=lambda move: move != choice)
        return choice

    def solve(self, position):
        """The exact disc difference for the side to move."""
        return self.solver.value(position.own, position.opp, -64, 64, self.context.check)

    def samples(self):
        """[(own, opp, score)] of one game."""
        LANES.trim()
        position, seen = self.game.start({}), []
        for _ in range(self.random.randint(*self.random_plies)):
            if not position.legal_moves():
                return []
            position.make(self.random.choice(position.legal_moves()))
        while position.empties > SOLVED_FROM and position.legal_moves():
            seen.append((bits(position), position.side))
            position.make(self.best(position))
        score = self.solve(position)
        side = position.side
        found = [board + (score if mover == side else -score,) for board, mover in seen]
        found.append(bits(position) + (score,))
        for _ in range(EXTRA_LABELS):
            moves = position.legal_moves()
            if not moves:
                break
            position.make(self.random.choice(moves))
            found.append(bits(position) + (self.solve(position),))
        return found


def bits(position):
    """(own, opp) as 64-bit ints."""
    black, white = (sum(1 << square for square in squares) for squares in position.discs())
    return (white, black) if position.side else (black, white)


def main():
    parser = Parser("scripts/lab/othello_games.py", description=__doc__.splitlines()[0])
    parser.add_argument("samples")
    parser.add_argument("--weights")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--random-plies", type=int, default=RANDOM_PLIES[1])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.random_plies < RANDOM_PLIES[0]:
        parser.error(f"--random-plies must be {RANDOM_PLIES[0]} at least")
    done = os.path.getsize(args.samples) if os.path.exists(args.samples) else 0
    player = Player(args.weights, args.depth, args.random_plies, args.seed + done)
    start, positions = time.time(), 0
    for number in range(1, args.games + 1):
        found = player.samples()
        positions += len(found)
        with open(args.samples, "a") as file:
            file.writelines(f"{own:x} {opp:x} {score}\n" for own, opp, score in found)
        if number % 20 == 0:
            rate = number / (time.time() - start)
            print(f"{number} of {args.games} games, {positions} positions, {rate:.2f} games/s", flush=True)


if __name__ == "__main__":
    main()
