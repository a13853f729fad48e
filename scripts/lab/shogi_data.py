#!/usr/bin/env python3
"""Make labelled positions of shogi or minishogi for scripts/lab/twin/fit_shogi.cpp.

    scripts/lab/shogi_data.py OUT [GAMES] [NODES] [TEACHER] [--game NAME]

A UCI engine, the teacher, plays games against itself.  They begin with random moves that leave the
game even, and some later moves are random.  OUT gets each position of a game.  It also gets
positions up to four random moves away, since a search meets many positions after bad moves; many of
these moves are captures.  A line of OUT is

    SFEN | score in centipawns for the side to move | the teacher's best move

Positions in check are left out.  Each game has its own seed and ends with the line `# SEED`; the
same command again plays the games missing from OUT.
"""

from __future__ import annotations

import pathlib
import random
import shlex
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from plyglot.process import Process  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.jobs.command import add_options, run_script  # noqa: E402
from scripts.jobs.worker import JobData, ResultData  # noqa: E402
from scripts.lab._self_play import make_positions  # noqa: E402

SCRIPT = "scripts/lab/shogi_data.py"
RANDOM_PLIES = range(2, 17)
# Share of opening moves that a short search chooses, and the nodes of this search.
FAIR, FAIR_NODES = 0.5, 60
# Largest score after the opening, in centipawns.
EVEN = 500
# Share of the moves after the opening that are random.
STRAY = 0.03
# In centipawns: the score at which a player resigns, and the score of a mate.
CLEAR, MATE = 2500, 3000
# Maximum number of plies of a game.
LONGEST = 200
# From each position, WALKS random walks start, whose lengths in plies are drawn from STEPS.  A
# search of WALK_NODES nodes labels the end of a walk.
WALKS = 6
WALK_NODES = 100
STEPS = 0, 1, 1, 2, 2, 3, 4
# Shares of a walk's moves that are chosen among captures, and among moves on the board.
CAPTURES, MOVES = 0.45, 0.3


class Teacher:
    """A UCI engine that returns scores and moves."""

    def __init__(self, command: str, variant: str) -> None:
        self._process = Process(shlex.split(command))
        self._process.write("uci", f"setoption name UCI_Variant value {variant}", "isready")
        while self._process.read()[1] != "readyok":
            pass

    def search(self, fens: list[str], nodes: int) -> list[tuple[int, str]]:
        """Return [(score for the side to move, best move)].

        All questions are sent before the first answer is read, so neither process waits.
        """
        for fen in fens:
            self._process.write(f"position fen {fen}", f"go nodes {nodes}")
        return [self._answer() for _ in fens]

    def _answer(self) -> tuple[int, str]:
        score = 0
        while not (line := self._process.read()[1]).startswith("bestmove"):
            words = line.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                score = int(number) if kind == "cp" else MATE if int(number) > 0 else -MATE
        return score, line.split()[1]

    def close(self) -> None:
        """Stop the engine."""
        self._process.close(["quit"])


def walk(position: Any, dice: random.Random) -> tuple[str, str] | None:
    """Return (SFEN, FEN for the teacher) after random moves, None if that position is in check."""
    made = 0
    for _ in range(dice.choice(STEPS)):
        moves, share = position.legal_moves(), dice.random()
        if not moves:
            break
        captures = [move for move in moves if position.squares[move >> 7 & 127]]
        on_board = [move for move in moves if position.dropped(move) is None]
        wanted = captures if share < CAPTURES else on_board if share < CAPTURES + MOVES else moves
        position.make(dice.choice(wanted or moves))
        made += 1
    found = None if position.in_check() else (position.text(), position.fairy_text())
    for _ in range(made):
        position.undo()
    return found


def play(teacher: Teacher, game: str, seed: int, nodes: int) -> str:
    """Return the lines of a game; "" if its opening is not even."""
    dice, position = random.Random(seed), registry.get(game).start({})
    lines: list[str] = []
    around: list[tuple[str, str]] = []
    opening = dice.choice(RANDOM_PLIES)
    for ply in range(LONGEST):
        moves = position.legal_moves()
        if not moves:
            break
        fair = ply >= opening or dice.random() < FAIR
        [(score, best)] = teacher.search(
            [position.fairy_text()], nodes if ply >= opening else FAIR_NODES
        )
        if ply == opening and abs(score) > EVEN:
            return ""
        if ply >= opening:
            if abs(score) >= CLEAR:
                break
            if not position.in_check():
                lines.append(f"{position.text()} | {score} | {best}\n")
            around += filter(None, [walk(position, dice) for _ in range(WALKS)])
            fair = dice.random() >= STRAY
        position.make(position.parse_move(best) if fair else dice.choice(moves))
    labels = teacher.search([fen for _, fen in around], WALK_NODES)
    lines += [f"{text} | {score} | {best}\n" for (text, _), (score, best) in zip(around, labels)]
    return "".join(lines)


def play_batch(job: JobData) -> ResultData:
    """Play the games of a job.  Its settings are game, teacher (a command) and nodes."""
    settings = job["settings"]
    teacher = Teacher(settings["teacher"], settings["game"])
    try:
        texts = [
            play(teacher, settings["game"], int(seed), settings["nodes"]) for seed in job["seeds"]
        ]
    finally:
        teacher.close()
    return {"id": job["id"], "texts": texts}


def main() -> None:
    """Play the games that are missing from OUT."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("OUT", "file for the positions", type=pathlib.Path)
    parser.add("[GAMES]", "total number of games in OUT", 1000)
    parser.add("[NODES]", "the teacher's nodes for each position of a game", 1500)
    parser.add("[TEACHER]", "the teacher's command", "fairy-stockfish")
    parser.add("--game NAME", "shogi or minishogi", "shogi")
    add_options(parser.add, "batches of 20 games")
    found = parser.parse_args()
    settings = {"game": found.game, "teacher": found.teacher, "nodes": found.nodes}
    seeds = map(str, range(found.games))
    make_positions(found.out, found, play_batch, seeds, settings, 20)


if __name__ == "__main__":
    from scripts.lab import shogi_data  # workers can't import functions of __main__

    run_script(SCRIPT, shogi_data.main)
