#!/usr/bin/env python3
"""Games of the Connect Four engine from random two-ply starts, each of its moves judged by the exact solver.

    python3 scripts/connect4_match.py --games 20 --seconds 1

Half of the games are against itself, half against random moves.  A move is a mistake if it changes the value of
the game: a win that is no longer one, or a draw that is lost.  A judge's answer that takes too many nodes is
counted as not judged.
"""
import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from games import registry  # noqa: E402
from games.connect4.solver import Solver  # noqa: E402
from search.clock import Clock  # noqa: E402
from search.context import Context  # noqa: E402
from search.deepening import think  # noqa: E402
from search.limits import Limits  # noqa: E402

GAME = registry.get("connect4")


class TooLong(Exception):
    """The judge gives up."""


class Judge:
    """Says whether a move keeps the value of a position: 1 win, 0 draw, -1 loss."""

    def __init__(self, megabytes, most_nodes):
        self._solver, self._most = Solver(megabytes), most_nodes
        self.judged = self.skipped = 0

    def is_mistake(self, pos, move):
        """Does `move` give away what the position is worth?  False where that takes too long to find out."""
        try:
            before, after = self._value(pos), self._value_of_move(pos, move)
        except TooLong:
            self.skipped += 1
            return False
        self.judged += 1
        return after < before

    def _value(self, pos):
        return max(self._value_of_move(pos, move) for move in pos.legal_moves())

    def _value_of_move(self, pos, move):
        self._solver.begin(self._limit)
        if self._solver.move_bound(pos.stones, pos.mask, move, 0) > 0:
            return 1
        return 0 if self._solver.move_bound(pos.stones, pos.mask, move, -1) > -1 else -1

    def _limit(self, nodes):
        if nodes >= self._most:
            raise TooLong
        return min(nodes + 10000, self._most)


def engine_move(pos, seconds, memory):
    """The engine's move in the time of a game."""
    limits = Limits(movetime=seconds)
    own = GAME.parse(pos.text(), {})
    context = Context(limits, Clock(limits, pos.side), {"OwnBook": True}, memory, 64, own.legal_moves())
    return think(own, context, lambda report: None)[0].moves[0]


def play_game(number, judge, seconds, rng):
    """Play one game; the texts of the positions where the engine made a mistake."""
    pos, mistakes, memory = GAME.start({}), [], {}
    for _ in range(2):
        pos.make(rng.choice(pos.legal_moves()))
    against_itself, side = number % 2 == 0, number // 2 % 2
    while pos.legal_moves():
        if against_itself or pos.side == side:
            move = engine_move(pos, seconds, memory)
            if judge.is_mistake(pos, move):
                mistakes.append(f"{pos.text()} move {pos.move_text(move)}")
        else:
            move = rng.choice(pos.legal_moves())
        pos.make(move)
    return mistakes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judge-nodes", type=int, default=5_000_000, help="per question")
    parser.add_argument("--judge-megabytes", type=int, default=256)
    arguments = parser.parse_args()
    judge, rng = Judge(arguments.judge_megabytes, arguments.judge_nodes), random.Random(arguments.seed)
    mistakes = []
    for number in range(arguments.games):
        mistakes += play_game(number, judge, arguments.seconds, rng)
        print(f"{number + 1} games, {judge.judged} moves judged, {judge.skipped} not, {len(mistakes)} mistakes",
              flush=True)
    print("\n".join(mistakes))
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
