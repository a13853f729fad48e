#!/usr/bin/env python3
"""Make labelled chess positions for scripts/lab/tune_chess.py.

    scripts/lab/chess_data.py OUT [games] [nodes] [teacher]

A UCI engine (`teacher`, default stockfish) plays games against itself from openings of random
moves that leave the game even, with a random move thrown in now and then, so that unequal
positions occur too.  Each position of the game is taken, and one that a random move makes of it,
as a search meets many of those.  The quiet ones (not in check, the best move no capture or
promotion) become lines of OUT:

    board side | score in centipawns for the side to move | result for White: 1 0.5 0

Resumable: each game has its own seed, and a game whose number stands in OUT already is skipped.
"""
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.chess.tables import EN_PASSANT, PROMOTION_SHIFT  # noqa: E402
from scripts.command_line import Parser  # noqa: E402

RANDOM_PLIES = (4, 5, 6, 7, 8, 9, 10)
AT_ONCE = 32            # games
STRAYS = 1              # positions beside each of a game, made by a random move
EVEN = 100              # centipawns after the opening
STRAY = 0.02            # share of later moves that are random
CLEAR = 1000            # centipawns at which a game is given up
LONGEST = 220           # plies


class Teacher:
    """A UCI engine that answers with scores and moves."""

    def __init__(self, command, nodes):
        self.nodes = nodes
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=-1)
        self._send("uci", "isready")
        self._read("readyok")

    def _send(self, *lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def _read(self, last):
        """(the last line of the answer, the last of those before that has a score)."""
        scored = ""
        for line in self.process.stdout:
            if " score " in line:
                scored = line
            if line.startswith(last):
                return line, scored
        raise SystemExit("the teacher has gone")

    def judge(self, fens):
        """[(score in centipawns for the side to move, best move's text)]; all are asked before the first answer is
        read, so that neither side waits for the other."""
        for fen in fens:
            self.process.stdin.write(f"position fen {fen}\ngo nodes {self.nodes}\n")
        self.process.stdin.flush()
        return [self._judgement(*self._read("bestmove")) for _ in fens]

    @staticmethod
    def _judgement(last, scored):
        words = scored.split()
        at = words.index("score")
        number = int(words[at + 2])
        return number if words[at + 1] == "cp" else 3000 if number > 0 else -3000, last.split()[1]


class Play:
    """One game: `wanted` are the positions to be judged next; `kept` and `result` (of White) stand when that is empty."""

    def __init__(self, game, seed):
        self.seed, self.kept, self.result, self.wanted = seed, [], 0.5, []
        self._rng, self._place, self._plies = random.Random(seed), game.start({}), 0
        for _ in range(self._rng.choice(RANDOM_PLIES)):
            moves = self._place.legal_moves()
            if not moves:
                return
            self._place.make(self._rng.choice(moves))
        self._ask()

    def _ask(self):
        """Want the position judged, and those that some random moves make of it."""
        place, outcome = self._place, self._place.outcome()
        if outcome:
            self.result = 0.5 if outcome.winner is None else 1.0 - outcome.winner
            return
        moves = place.legal_moves()
        self._strays = self._rng.sample(moves, min(STRAYS, len(moves))) if self._plies else []
        self.wanted = [place.text()]
        for stray in self._strays[:]:
            place.make(stray)
            if place.outcome():
                self._strays.remove(stray)
            else:
                self.wanted.append(place.text())
            place.undo()

    def go_on(self, judged):
        """Take the judgements of what was wanted, and make a move."""
        self.wanted = []
        place, (score, text) = self._place, judged[0]
        if not self._plies and abs(score) > EVEN:
            return
        move = self._keep(score, text)
        if abs(score) >= CLEAR:
            self.result = 1.0 if (score > 0) == (place.side == 0) else 0.0
            return
        for stray, judgement in zip(self._strays, judged[1:]):
            place.make(stray)
            self._keep(*judgement)
            place.undo()
        if self._rng.random() < STRAY:
            move = self._rng.choice(place.legal_moves())
        place.make(move)
        self._plies += 1
        if self._plies < LONGEST:
            self._ask()

    def _keep(self, score, text):
        """The move; a quiet position is added to `kept`."""
        place = self._place
        move = place.parse_move(text)
        noisy = move & EN_PASSANT or move >> PROMOTION_SHIFT & 7 or place.board_squares[move >> 6 & 63]
        if not noisy and not place.in_check():
            self.kept.append((" ".join(place.text().split()[:2]), score))
        return move


def arguments():
    """(path of OUT, number of games, Teacher)."""
    parser = Parser("scripts/lab/chess_data.py", description=__doc__)
    parser.add_argument("out", metavar="OUT", type=pathlib.Path)
    parser.add_argument("games", nargs="?", type=int, default=1000)
    parser.add_argument("nodes", nargs="?", type=int, default=800)
    parser.add_argument("teacher", nargs="?", default="stockfish")
    found = parser.parse_args()
    try:
        return found.out, found.games, Teacher(found.teacher, found.nodes)
    except OSError as error:
        parser.error(error)


def main():
    out, games, teacher = arguments()
    game = registry.get("chess")
    done = {int(line[1:]) for line in out.open() if line.startswith("#")} if out.exists() else set()
    seeds = iter([seed for seed in range(games) if seed not in done])
    begun, positions = time.monotonic(), 0
    with out.open("a") as file:
        running = [Play(game, seed) for seed, _ in zip(seeds, range(AT_ONCE))]
        while running:
            judged = iter(teacher.judge([fen for play in running for fen in play.wanted]))
            for slot, play in enumerate(running):
                if play.wanted:
                    play.go_on([next(judged) for _ in play.wanted])
                if not play.wanted:
                    file.writelines(f"{text} | {score} | {play.result}\n" for text, score in play.kept)
                    file.write(f"# {play.seed}\n")
                    positions += len(play.kept)
                    running[slot] = next((Play(game, seed) for seed in seeds), None)
                    if play.seed % 20 == 19:
                        file.flush()
                        print(f"\rgame {play.seed + 1} of {games}, {positions} positions, "
                              f"{positions / (time.monotonic() - begun):.0f} a second", end="", file=sys.stderr)
            running = [play for play in running if play]
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
