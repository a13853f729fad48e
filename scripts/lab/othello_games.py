#!/usr/bin/env python3
"""Play games for the Othello evaluation: labelled positions, one per line, appended to a file.

    pypy3 scripts/lab/othello_games.py SAMPLES [--weights FILE] [--games N] [--depth N]
                                           [--random-plies N] [--stray SHARE]
                                           [--solved-from N] [--seed N]

Each game begins with random moves, continues with searches of a fixed depth, and is solved once
few squares are empty.  With --stray, only a share of the first moves is random, and the others are
searched; with a larger --random-plies, mistakes then occur late in a game, too.  From the solved
position, random moves lead to further samples, which no player would reach.  A line is

    OWN OPP SCORE       discs of the side to move and of the other side (hexadecimal, bit
                        8 * row + column), and the disc difference for the side to move

Each game ends with the line `# SEED/NUMBER`.  The same command again plays the games that
are missing from SAMPLES; more --games or another --seed add games.  They may be played on other
machines: see --executor.
"""

from __future__ import annotations

import pathlib
import random
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.geometry import bitboard  # noqa: E402
from games.othello import solver  # noqa: E402
from games.othello.lanes import squares_in  # noqa: E402
from games.othello.patterns import evaluation  # noqa: E402
from games.othello.position import OthelloPosition  # noqa: E402
from games.types import Move, Side  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.jobs.command import add_options, run_script  # noqa: E402
from scripts.jobs.worker import JobData, ResultData  # noqa: E402
from scripts.lab._self_play import make_positions  # noqa: E402
from scripts.lab.othello_match import Variant  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.table import Table  # noqa: E402

Boards = tuple[int, int]  # discs of the side to move and of the other side

SCRIPT = "scripts/lab/othello_games.py"
EXTRA_LABELS = 4  # positions per game that random moves reach after the first solved position
MIN_RANDOM_PLIES = 2
STRAY_FROM = 56  # with more empty squares than this, all moves are random, despite --stray
HASH_MEGABYTES = 8


class Player:
    """A player that plays a game and labels its positions.

    settings: {weights, depth, random_plies, solved_from, stray} as in the command line.
    """

    def __init__(self, seed: str, settings: dict[str, Any]) -> None:
        evaluate = evaluation(settings["weights"] or "").evaluate
        self.game = Variant(evaluate)
        self.solver = solver.EndgameSolver(Table(HASH_MEGABYTES, packed=True), evaluate)
        self.limits, self.random = Limits(depth=settings["depth"]), random.Random(seed)
        self.memory: dict[str, Any] = {}
        self.random_plies = MIN_RANDOM_PLIES, settings["random_plies"]
        self.solved_from, self.stray = settings["solved_from"], settings["stray"]

    def first_move(self, position: OthelloPosition) -> Move:
        """Return a move for the opening, where positions get no labels."""
        if position.empties > STRAY_FROM or self.random.random() < self.stray:
            return self.random.choice(position.legal_moves())
        return self.best(position)

    def best(self, position: OthelloPosition) -> Move:
        """Return the move of a search at fixed depth."""
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return ask(position, self.limits, {}, self.memory, HASH_MEGABYTES).best_move

    def solve(self, position: OthelloPosition) -> int:
        """Return the exact disc difference for the side to move."""
        return self.solver.value(
            position.own, position.opp, -64, 64, lambda nodes: nodes + (1 << 60)
        )

    def samples(self) -> list[tuple[int, int, int]]:
        """Play a game; return [(own, opp, score)] of its labelled positions."""
        position = self.game.parse(self.game.start_text, {})
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
    own, opp = squares_in(position.own), squares_in(position.opp)
    return bitboard(own), bitboard(opp)


def play_games(job: JobData) -> ResultData:
    """Play the games of a job."""
    texts = [
        "".join(f"{own:x} {opp:x} {score}\n" for own, opp, score in player.samples())
        for player in (Player(seed, job["settings"]) for seed in job["seeds"])
    ]
    return {"id": job["id"], "texts": texts}


def main() -> None:
    """Play the games that are missing from SAMPLES."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("SAMPLES", "file for the positions")
    parser.add("--weights FILE", "weights to play with (default: the engine's own)")
    parser.add("--games N", "total number of games", 1000)
    parser.add("--depth PLIES", "depth of the search for each move", 3)
    parser.add("--random-plies N", "maximum number of random plies at the start of a game", 21)
    parser.add("--solved-from N", "number of empty squares from which games are solved", 12)
    parser.add("--stray SHARE", "share of random moves at the start; the others are searched", 1.0)
    parser.add("--seed N", "random seed", 1)
    add_options(parser.add, "games")
    found = parser.parse_args()
    if found.random_plies < MIN_RANDOM_PLIES:
        parser.error(f"--random-plies must be at least {MIN_RANDOM_PLIES}")
    settings = {
        name: getattr(found, name)
        for name in ("weights", "depth", "random_plies", "solved_from", "stray")
    }
    seeds = (f"{found.seed}/{number}" for number in range(1, found.games + 1))
    make_positions(found.samples, found, play_games, seeds, settings)


if __name__ == "__main__":
    from scripts.lab import othello_games  # workers can't import functions of __main__

    run_script(SCRIPT, othello_games.main)
