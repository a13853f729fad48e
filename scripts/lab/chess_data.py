#!/usr/bin/env python3
"""Make labelled chess positions for scripts/lab/twin/fit.cpp.

    scripts/lab/chess_data.py OUT [GAMES] [NODES] [TEACHER] [--static] [--game VARIANT]

A UCI engine, the teacher, plays games against itself.  They begin with random moves that
leave the game even, and some later moves are random, so that unequal positions occur too.
Each position of a game is judged, and so is a position one random move later, since a search meets
many positions after bad moves.  The quiet ones (the side to move isn't in check, and the best
move is neither a capture nor a promotion) become lines of OUT:

    board side | score in centipawns for the side to move | result for White: 1 0.5 0

With --static the positions of OUT resemble those inside a search.  They are up to four random moves
away from a position of the game; where captures exist, half of these moves are captures.  They need
not be quiet.  Their score is the teacher's static evaluation, so the teacher must support
Stockfish's command `eval`.  A static evaluation says less than a search, but takes so little time
that OUT can have many times as many positions.  Some positions in which one side has lost much
material are added, scored by material alone: games between equals don't reach them, but searches
do.

Each game has its own seed and ends with the line `# SEED`.  The same command again plays the
games missing from OUT.  The games may be played on other machines: see --executor.
"""

from __future__ import annotations

import pathlib
import random
import shlex
import shutil
import sys
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.chess.tables import EN_PASSANT, LETTERS, PIECE_VALUES, PROMOTION_SHIFT  # noqa: E402
from plyglot.errors import EngineError  # noqa: E402
from plyglot.process import Process  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.jobs.command import add_options, run_script  # noqa: E402
from scripts.jobs.run import RunError  # noqa: E402
from scripts.jobs.worker import JobData, ResultData  # noqa: E402
from scripts.lab._self_play import make_positions  # noqa: E402

if TYPE_CHECKING:
    from games.base import Game

SCRIPT = "scripts/lab/chess_data.py"
Judgement = tuple[int, str]  # score in centipawns for the side to move, best move's text

RANDOM_PLIES = (4, 5, 6, 7, 8, 9, 10)
# Number of games in progress per teacher, enough to keep both processes busy.
AT_ONCE = 32
# Number of extra positions, one random move later, for each position of a game.
STRAYS = 1
# Largest score in centipawns after the opening, in chess and in variants.
EVEN = 100, 500
# Share of the moves after the opening that are random.
STRAY = 0.02
# With --static, WALKS random walks of at most LONGEST_WALK plies start at each position of a game.
WALKS, LONGEST_WALK = 13, 4
# With --static, a lopsided position is made from this share of a game's positions.  The lead in
# material is at least MIN_AHEAD centipawns.  VALUE is the score per centipawn of lead; the score is
# at most MAX_AHEAD.
LOPSIDED = 0.5
MIN_AHEAD, MAX_AHEAD = 1400, 2900
VALUE = 0.85
# Score in centipawns at which a game is resigned, in chess and in variants.
CLEAR = 1000, 2500
LONGEST = 220  # maximum number of plies of a game


class Teacher:
    """A UCI engine that returns scores and moves."""

    def __init__(self, command: str, nodes: int, variant: str) -> None:
        self.nodes = nodes
        self._process = Process(shlex.split(command))
        self._process.write("uci", f"setoption name UCI_Variant value {variant}", "isready")
        self._read("readyok")

    def _read(self, last: str, wanted: str = " score ") -> tuple[str, str]:
        """Read lines until one begins with the text `last`.

        Return (this line, the latest line that contains the text `wanted`, or "").
        """
        found = line = ""
        while not line.startswith(last):
            line = self._process.read()[1]
            if wanted in line:
                found = line
        return line, found

    def close(self) -> None:
        """Stop the engine."""
        self._process.close(["quit"])

    def judge(self, fens: list[str]) -> list[Judgement]:
        """Return [(score in centipawns for the side to move, best move's text)].

        All questions are sent before the first answer is read, so neither process waits.
        """
        for fen in fens:
            self._process.write(f"position fen {fen}", f"go nodes {self.nodes}")
        return [self._judgement(*self._read("bestmove")) for _ in fens]

    def evaluate(self, fens: list[str]) -> list[int | None]:
        """Return [static evaluation in centipawns for the side to move, or None if in check]."""
        for fen in fens:
            self._process.write(f"position fen {fen}", "eval", "isready")
        return [self._evaluation(fen) for fen in fens]

    def _evaluation(self, fen: str) -> int | None:
        _, found = self._read("readyok", "Final evaluation")
        words = found.split()
        if len(words) < 3 or "in check" in found:
            return None
        score = round(100 * float(words[2]))  # from White's point of view
        return -score if fen.split()[1] == "b" else score

    @staticmethod
    def _judgement(last: str, scored: str) -> Judgement:
        words = scored.split()
        at = words.index("score")
        number = int(words[at + 2])
        return number if words[at + 1] == "cp" else 3000 if number > 0 else -3000, last.split()[1]


class Play:
    """One self-play game of a teacher.

    wanted: the positions to be judged next; if it is empty, the game is over.
    around: with --static, the positions to be evaluated next.
    kept: [(board and side, score)] collected so far.  result: White's points, 1, 0.5 or 0.
    """

    def __init__(self, game: Game, seed: int, static: bool) -> None:
        self.result, self.static = 0.5, static
        self._even, self._clear = EVEN[game.name != "chess"], CLEAR[game.name != "chess"]
        self.around: list[str] = []
        self.kept: list[tuple[str, int]] = []
        self.wanted: list[str] = []
        self._rng = random.Random(seed)
        self._place = game.start({})
        self._plies = 0
        for _ in range(self._rng.choice(RANDOM_PLIES)):
            moves = self._place.legal_moves()
            if not moves:
                return
            self._place.make(self._rng.choice(moves))
        self._ask()

    def _ask(self) -> None:
        """Request judgements of the position and of the positions after some random moves."""
        place, outcome = self._place, self._place.outcome()
        if outcome:
            self.result = 0.5 if outcome.winner is None else 1.0 - outcome.winner
            return
        moves = place.legal_moves()
        if self.static:
            self.around = [self._walk() for _ in range(WALKS)]
        strays = 0 if self.static or not self._plies else min(STRAYS, len(moves))
        self._strays = self._rng.sample(moves, strays)
        self.wanted = [place.text()]
        for stray in self._strays[:]:
            place.make(stray)
            if place.outcome():
                self._strays.remove(stray)
            else:
                self.wanted.append(place.text())
            place.undo()

    def _walk(self) -> str:
        """Return the text of a position a few random moves away from the current one."""
        place: Any = self._place
        made = 0
        for _ in range(self._rng.randint(1, LONGEST_WALK)):
            moves = place.legal_moves()
            captures = [move for move in moves if place.squares[move >> 6 & 63]]
            if captures and self._rng.random() < 0.5:
                moves = captures
            if not moves:
                break
            place.make(self._rng.choice(moves))
            made += 1
        text: str = place.text()
        for _ in range(made):
            place.undo()
        return text

    def take_evaluations(self, found: list[int | None]) -> None:
        """Collect the positions of `around` whose evaluation is not decisive; clear `around`.

        Some lopsided positions are collected, too.
        found: the evaluations of `around`, None for a position in check.
        """
        self.kept += [
            (" ".join(fen.split()[:2]), score)
            for fen, score in zip(self.around, found)
            if score is not None and abs(score) < 2 * self._clear
        ]
        self.around = []
        if self._rng.random() < LOPSIDED:
            self._keep_lopsided()

    def _keep_lopsided(self) -> None:
        """Remove pieces of one side; collect the position if the other side is then far ahead."""
        board, side = self._place.text().split()[:2]
        white, share = self._rng.random() < 0.5, self._rng.uniform(0.3, 1.0)
        left, ahead = "", 0
        for char in board:
            weak = char.isupper() != white
            if char.isalpha() and char not in "Kk" and weak and self._rng.random() < share:
                char = "1"
            if char.isalpha():
                ahead += PIECE_VALUES[LETTERS.index(char) & 7] * (-1 if weak else 1)
            left += char
        if ahead >= MIN_AHEAD:
            score = min(round(VALUE * ahead), MAX_AHEAD)
            self.kept.append((f"{left} {side}", score if (side == "w") == white else -score))

    def go_on(self, judged: list[Judgement]) -> None:
        """Keep the judged positions that are quiet; then make a move, unless the game ends."""
        self.wanted = []
        place, (score, text) = self._place, judged[0]
        if not self._plies and abs(score) > self._even:
            return
        move = self._keep(score, text)
        if abs(score) >= self._clear:
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

    def text(self) -> str:
        """Return the lines of OUT for a finished game."""
        return "".join(f"{text} | {score} | {self.result}\n" for text, score in self.kept)

    def _keep(self, score: int, text: str) -> int:
        """Add the position to `kept` if it is quiet; return the best move, parsed from `text`.

        With --static nothing is added here.
        """
        place: Any = self._place  # a position of chess or a variant
        move: int = place.parse_move(text)
        noisy = move & EN_PASSANT or move >> PROMOTION_SHIFT & 7 or place.squares[move >> 6 & 63]
        if not noisy and not self.static and not place.in_check():
            self.kept.append((" ".join(place.text().split()[:2]), score))
        return move


def play_batch(job: JobData) -> ResultData:
    """Play the games of a job.  Its settings are game, teacher (a command), nodes and static."""
    settings = job["settings"]
    game = registry.get(settings["game"])
    teacher = Teacher(settings["teacher"], settings["nodes"], game.name)
    try:
        games = [Play(game, int(seed), settings["static"]) for seed in job["seeds"]]
        while any(play.wanted for play in games):
            for play in games:
                if play.around:
                    play.take_evaluations(teacher.evaluate(play.around))
            judged = iter(teacher.judge([fen for play in games for fen in play.wanted]))
            for play in games:
                if play.wanted:
                    play.go_on([next(judged) for _ in play.wanted])
    except EngineError as error:
        raise RunError(f"the teacher {error}") from None
    finally:
        teacher.close()
    return {"id": job["id"], "texts": [play.text() for play in games]}


def main() -> None:
    """Play the games that are missing from OUT."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("OUT", "file for the positions", type=pathlib.Path)
    parser.add("[GAMES]", "total number of games in OUT", 1000)
    parser.add("[NODES]", "the teacher's nodes for each position", 800)
    parser.add("[TEACHER]", "the teacher's command", "stockfish")
    static = "take positions around those of the games, with the teacher's static evaluation"
    parser.add("--static", static)
    parser.add("--game VARIANT", "chess or a variant that the teacher plays", "chess")
    add_options(parser.add, f"batches of {AT_ONCE} games")
    found = parser.parse_args()
    if not found.executor and shutil.which(shlex.split(found.teacher)[0]) is None:
        parser.error(f"engine not found: {found.teacher}")
    settings = {
        "game": found.game,
        "teacher": found.teacher,
        "nodes": found.nodes,
        "static": found.static,
    }
    seeds = map(str, range(found.games))
    make_positions(found.out, found, play_batch, seeds, settings, AT_ONCE)


if __name__ == "__main__":
    from scripts.lab import chess_data  # workers can't import functions of __main__

    run_script(SCRIPT, chess_data.main)
