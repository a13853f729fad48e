#!/usr/bin/env python3
"""Make labelled positions of shogi or minishogi for scripts/lab/shogi_fit.py.

    scripts/lab/shogi_data.py OUT [GAMES] [NODES] [TEACHER] [--game NAME]

A UCI engine, the teacher, plays games against itself.  They begin with random moves that leave the
game even, and some later moves are random.  Each position of a game is searched, and so are some
positions one random move later.  A game is one line of OUT: the opening, then a word for each ply,
then the result for the first player (1, 0.5 or 0), with ` | ` between them.  A word is

    move played,score,best move[,stray move,score after it,reply]...

Scores are centipawns for the side to move.
Moves are the teacher's.  Each game has its own seed and ends with the line `# SEED`; the same
command again plays the games missing from OUT.
"""

from __future__ import annotations

import pathlib
import random
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from plyglot.process import Process  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.jobs.command import add_options, run_script  # noqa: E402
from scripts.jobs.worker import JobData, ResultData  # noqa: E402
from scripts.lab._self_play import make_positions  # noqa: E402

SCRIPT = "scripts/lab/shogi_data.py"
RANDOM_PLIES = range(2, 17)
FAIR = 0.5  # share of the opening's moves that a short search chooses
FAIR_NODES = 60
EVEN = 500  # largest score after the opening, in centipawns
STRAYS = 3  # number of positions one random move later, for each position of a game
STRAY = 0.03  # share of later moves that are random
CLEAR = 2500  # centipawns at which a game is resigned
MATE = 3000  # the score of a mate
LONGEST = 200  # maximum number of plies of a game


class Teacher:
    """A UCI engine that returns scores, moves and lists of legal moves."""

    def __init__(self, command: str, variant: str) -> None:
        self._process = Process(shlex.split(command))
        self._process.write("uci", f"setoption name UCI_Variant value {variant}", "isready")
        while self._read() != "readyok":
            pass

    def _read(self) -> str:
        return self._process.read()[1]

    def begin(self) -> None:
        """Forget the last game."""
        self._process.write("ucinewgame")

    def legal(self, moves: list[str]) -> list[str]:
        """Return the legal moves after `moves`."""
        self._process.write("position startpos moves " + " ".join(moves), "go perft 1")
        found = []
        while not (line := self._read()).startswith("Nodes searched"):
            if line.endswith(": 1"):
                found.append(line[:-3])
        return found

    def search(self, moves: list[str], nodes: int) -> tuple[int, str]:
        """Return (score for the side to move, best move); the move is "(none)" after a mate."""
        self._process.write("position startpos moves " + " ".join(moves), f"go nodes {nodes}")
        score = 0
        while not (line := self._read()).startswith("bestmove"):
            words = line.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                score = int(number) if kind == "cp" else MATE if int(number) > 0 else -MATE
        return score, line.split()[1]

    def close(self) -> None:
        """Stop the engine."""
        self._process.close(["quit"])


def play(teacher: Teacher, seed: int, nodes: int) -> str:
    """Return the line of a game; "" if its opening is not even."""
    dice = random.Random(seed)
    moves: list[str] = []
    words: list[str] = []
    teacher.begin()
    for _ in range(dice.choice(RANDOM_PLIES)):
        legal = teacher.legal(moves)
        if not legal:
            return ""
        fair = dice.random() < FAIR
        moves.append(teacher.search(moves, FAIR_NODES)[1] if fair else dice.choice(legal))
    opening, result = list(moves), 0.5
    while len(moves) < LONGEST:
        score, best = teacher.search(moves, nodes)
        if not words and abs(score) > EVEN:
            return ""
        legal = teacher.legal(moves)
        if abs(score) >= CLEAR or not legal:
            result = 1.0 if (score > 0) == (len(moves) % 2 == 0) else 0.0
            break
        move = dice.choice(legal) if dice.random() < STRAY else best
        word = [move, str(score), best]
        for stray in dice.sample(legal, min(STRAYS, len(legal))):
            after, reply = teacher.search([*moves, stray], nodes)
            word += [stray, str(after), reply]
        words.append(",".join(word))
        moves.append(move)
    return f"{' '.join(opening)} | {' '.join(words)} | {result}\n"


def play_batch(job: JobData) -> ResultData:
    """Play the games of a job.  Its settings are game, teacher (a command) and nodes."""
    settings = job["settings"]
    teacher = Teacher(settings["teacher"], settings["game"])
    try:
        texts = [play(teacher, int(seed), settings["nodes"]) for seed in job["seeds"]]
    finally:
        teacher.close()
    return {"id": job["id"], "texts": texts}


def main() -> None:
    """Play the games that are missing from OUT."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("OUT", "file for the games", type=pathlib.Path)
    parser.add("[GAMES]", "total number of games in OUT", 1000)
    parser.add("[NODES]", "the teacher's nodes for each position", 150)
    parser.add("[TEACHER]", "the teacher's command", "fairy-stockfish")
    parser.add("--game NAME", "shogi or minishogi", "shogi")
    add_options(parser, "batches of 20 games")
    found = parser.parse_args()
    settings = {"game": found.game, "teacher": found.teacher, "nodes": found.nodes}
    seeds = map(str, range(found.games))
    make_positions(found.out, found, play_batch, seeds, settings, 20)


if __name__ == "__main__":
    from scripts.lab import shogi_data  # not __main__, whose functions a worker can't import

    run_script(SCRIPT, shogi_data.main)
