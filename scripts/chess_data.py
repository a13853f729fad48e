#!/usr/bin/env python3
"""Make labelled chess positions for scripts/chess_tune.py.

    scripts/chess_data.py OUT [games] [nodes] [teacher]

A UCI engine (`teacher`, default stockfish) plays games against itself from openings of random moves that leave
the game even, with a random move thrown in now and then, so that unequal positions occur too.  Each position of
the game is taken, and one that a random move makes of it, as a search meets many of those.  The quiet ones (not
in check, the best move no capture or promotion) become lines of OUT:

    board side | score in centipawns for the side to move | result for White: 1 0.5 0

Resumable: each game has its own seed, and a game whose number stands in OUT already is skipped.
"""
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from games import registry                      # noqa: E402
from games.chess.tables import EN_PASSANT, PROMOTION_SHIFT      # noqa: E402

RANDOM_PLIES = (4, 5, 6, 7, 8, 9, 10)
EVEN = 100              # centipawns after the opening
STRAY = 0.02            # share of later moves that are random
CLEAR = 1000            # centipawns at which a game is given up
LONGEST = 220           # plies


class Teacher:
    """A UCI engine that answers with a score and a move."""

    def __init__(self, command, nodes):
        self.nodes = nodes
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self._send("uci", "isready")
        self._read("readyok")

    def _send(self, *lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def _read(self, last):
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(last):
                return lines
        raise SystemExit("the teacher has gone")

    def judge(self, fen):
        """(score in centipawns for the side to move, best move's text)."""
        self._send(f"position fen {fen}", f"go nodes {self.nodes}")
        score, lines = 0, self._read("bestmove")
        for line in lines:
            words = line.split()
            if "score" in words:
                at = words.index("score")
                number = int(words[at + 2])
                score = number if words[at + 1] == "cp" else (3000 if number > 0 else -3000)
        return score, lines[-1].split()[1]


def play(game, teacher, seed):
    """One game; returns its quiet positions and White's result."""
    rng = random.Random(seed)
    place, kept = game.start({}), []
    for _ in range(rng.choice(RANDOM_PLIES)):
        moves = place.legal_moves()
        if not moves:
            return [], 0.5
        place.make(rng.choice(moves))
    if place.outcome() or abs(teacher.judge(place.text())[0]) > EVEN:
        return [], 0.5
    for _ in range(LONGEST):
        outcome = place.outcome()
        if outcome:
            return kept, 0.5 if outcome.winner is None else 1.0 - outcome.winner
        move, score = label(place, teacher, kept)
        if abs(score) >= CLEAR:
            return kept, 1.0 if (score > 0) == (place.side == 0) else 0.0
        stray = rng.choice(place.legal_moves())
        place.make(stray)
        if not place.outcome():
            label(place, teacher, kept)
        if rng.random() >= STRAY:
            place.undo()
            place.make(move)
    return kept, 0.5


def label(place, teacher, kept):
    """The teacher's (move, score) here; a quiet position is added to `kept`."""
    score, text = teacher.judge(place.text())
    move = place.parse_move(text)
    noisy = move & EN_PASSANT or move >> PROMOTION_SHIFT & 7 or place.board_squares[move >> 6 & 63]
    if not noisy and not place.in_check():
        kept.append((" ".join(place.text().split()[:2]), score))
    return move, score


def main():
    out = pathlib.Path(sys.argv[1])
    games, nodes = (int(word) for word in (sys.argv[2:4] + ["1000", "800"][len(sys.argv[2:4]):]))
    teacher = Teacher(sys.argv[4] if len(sys.argv) > 4 else "stockfish", nodes)
    game = registry.get("chess")
    done = sum(line.startswith("#") for line in out.open()) if out.exists() else 0
    begun, positions = time.monotonic(), 0
    with out.open("a") as file:
        for number in range(done, games):
            kept, result = play(game, teacher, number)
            file.writelines(f"{text} | {score} | {result}\n" for text, score in kept)
            file.write(f"# {number}\n")
            positions += len(kept)
            if number % 20 == 19:
                file.flush()
                print(f"\rgame {number + 1} of {games}, {positions} positions, "
                      f"{positions / (time.monotonic() - begun):.0f} a second", end="", file=sys.stderr)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
