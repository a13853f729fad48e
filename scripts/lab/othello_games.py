#!/usr/bin/env python3
"""Play games for the Othello evaluation: labelled positions, one a line, appended to a file.

    pypy3 scripts/lab/othello_games.py SAMPLES [--weights FILE] [--games N] [--depth N]
                                           [--random-plies N] [--stray SHARE]
                                           [--solved-from N] [--seed N]

Each game begins with random moves, continues with searches of a fixed depth, and is solved once
few squares are empty.  With --stray the random moves are spread over the game, so mistakes occur
late, too.  Random moves from the solved positions add positions that no player would reach.  A
line is

    OWN OPP SCORE       discs of the side to move and of the other side (hexadecimal, bit
                        8 * row + column), and the disc difference for the side to move

Each game ends with the line `# SEED/NUMBER`.  The same command again plays the games that
are missing from SAMPLES; more --games or another --seed add games.  They may be played on other
machines: see --executor.
"""

from __future__ import annotations

import argparse
import functools
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.othello import patterns, solver  # noqa: E402
from games.othello.lanes import LANES  # noqa: E402
from games.othello.patterns import PatternEvaluation  # noqa: E402
from games.othello.position import OthelloPosition  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.jobs.files import GrowingFile  # noqa: E402
from scripts.jobs.games import ends_game  # noqa: E402
from scripts.jobs.script import add_options, open_run, run_script  # noqa: E402
from scripts.jobs.worker import Job, Result  # noqa: E402
from scripts.lab.othello_match import Trial  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.table import Table  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.types import Move, Side

    Boards = tuple[int, int]  # discs of the side to move and of the other side

SCRIPT = "scripts/lab/othello_games.py"
SOLVED_FROM = 12  # number of empties from which the solver labels, by default
EXTRA_LABELS = 4  # positions of each game that random moves lead to
RANDOM_PLIES = (2, 21)  # fewest, and most by default
STRAY_FROM = 56  # with more empty squares all moves are random
HASH_MEGABYTES = 8


class Player:
    """A player that plays a game and labels its positions."""

    def __init__(
        self,
        evaluation: PatternEvaluation,
        depth: int,
        random_plies: int,
        seed: str,
        solved_from: int,
        stray: float,
    ) -> None:
        self.game = Trial(evaluation.evaluate)
        self.solver = solver.EndgameSolver(Table(HASH_MEGABYTES), evaluation.evaluate)
        self.limits, self.random = Limits(depth=depth), random.Random(seed)
        self.memory: dict[str, Any] = {}
        self.random_plies, self.solved_from = (RANDOM_PLIES[0], random_plies), solved_from
        self.stray = stray

    def first_move(self, position: OthelloPosition) -> Move:
        """Return a move before the first position with a label."""
        if position.empties > STRAY_FROM or self.random.random() < self.stray:
            return self.random.choice(position.legal_moves())
        return self.best(position)

    def best(self, position: OthelloPosition) -> Move:
        """Return the move of a search at fixed depth."""
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return ask(position, self.limits, {}, self.memory, HASH_MEGABYTES).move

    def solve(self, position: OthelloPosition) -> int:
        """Return the exact disc difference for the side to move."""
        return self.solver.value(
            position.own, position.opp, -64, 64, lambda nodes: nodes + (1 << 60)
        )

    def samples(self) -> list[tuple[int, int, int]]:
        """Return [(own, opp, score)] of one game."""
        LANES.trim()
        position = self.game.start({})
        seen: list[tuple[Boards, Side]] = []
        for _ in range(self.random.randint(*self.random_plies)):
            if not position.legal_moves():
                return []
            position.make(self.first_move(position))
        while position.empties > self.solved_from and position.legal_moves():
            seen.append((bits(position), position.side))
            position.make(self.best(position))
        score = self.solve(position)
        side = position.side
        found = [(*board, score if mover == side else -score) for board, mover in seen]
        found.append((*bits(position), score))
        for _ in range(EXTRA_LABELS):
            moves = position.legal_moves()
            if not moves:
                break
            position.make(self.random.choice(moves))
            found.append((*bits(position), self.solve(position)))
        return found


def bits(position: OthelloPosition) -> Boards:
    """Return (own, opp) as 64-bit ints."""
    black, white = (sum(1 << square for square in squares) for squares in position.discs())
    return (white, black) if position.side else (black, white)


@functools.lru_cache(maxsize=1)
def evaluation(weights: str | None) -> PatternEvaluation:
    """Return the evaluation of a weights file, read once; for None, the engine's own."""
    return patterns.load(weights)


def play_game(job: Job) -> Result:
    """Play the game of a job; return {id, text: its lines}.

    job: {id, weights, depth, random_plies, solved_from, stray}.
    """
    player = Player(
        evaluation(job["weights"]),
        job["depth"],
        job["random_plies"],
        job["id"],
        job["solved_from"],
        job["stray"],
    )
    lines = [f"{own:x} {opp:x} {score}\n" for own, opp, score in player.samples()]
    return {"id": job["id"], "text": "".join(lines) + f"# {job['id']}\n"}


def parse_arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = Parser(SCRIPT, description=__doc__)
    add = parser.add_argument
    add("samples", metavar="SAMPLES")
    add("--weights", metavar="FILE", help="weights to play with (default: the engine's own)")
    add("--games", metavar="N", type=int, default=1000, help="total number of games (default 1000)")
    add(
        "--depth", metavar="PLIES", type=int, default=3, help="depth of a move's search (default 3)"
    )
    add(
        "--random-plies",
        metavar="N",
        type=int,
        default=RANDOM_PLIES[1],
        help=f"most random plies at the start of a game (default {RANDOM_PLIES[1]})",
    )
    add(
        "--solved-from",
        metavar="N",
        type=int,
        default=SOLVED_FROM,
        help=f"number of empty squares from which games are solved (default {SOLVED_FROM})",
    )
    add(
        "--stray",
        metavar="SHARE",
        type=float,
        default=1.0,
        help="share of random moves at the start; the others are searched (default 1)",
    )
    add("--seed", metavar="N", type=int, default=1, help="random seed (default 1)")
    add_options(parser, "games")
    found = parser.parse_args()
    if found.random_plies < RANDOM_PLIES[0]:
        parser.error(f"--random-plies must be at least {RANDOM_PLIES[0]}")
    return found


def main() -> None:
    """Play the games that are missing from SAMPLES."""
    found = parse_arguments()
    samples = GrowingFile(found.samples, ends_game)
    run = open_run(found, "scripts.lab.othello_games:play_game", ("game", "played"), True)
    try:
        done = {line[2:].decode() for line in samples.lines() if ends_game(line)}
        names = [f"{found.seed}/{number}" for number in range(1, found.games + 1)]
        jobs = (
            {
                "id": name,
                "weights": found.weights,
                "depth": found.depth,
                "random_plies": found.random_plies,
                "solved_from": found.solved_from,
                "stray": found.stray,
            }
            for name in names
            if name not in done
        )
        start, positions = time.time(), 0
        for number, (_, result) in enumerate(run.results(jobs), 1):
            samples.add(result["text"])
            positions += result["text"].count("\n") - 1
            if number % 20 == 0:
                rate = number / (time.time() - start)
                tell(f"{number} new games, {positions} positions, {rate:.2f} games/s")
    finally:
        samples.close()
        run.close()


if __name__ == "__main__":
    run_script(SCRIPT, main)
