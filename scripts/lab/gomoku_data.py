#!/usr/bin/env python3
"""Make labelled Gomoku positions for scripts/lab/tune_gomoku.py; run it with PyPy.

    pypy3 scripts/lab/gomoku_data.py OUT [GAMES] [NODES] [--game GAME] [--game-nodes N]
        [--share SHARE]

The engine plays games against itself.  Each game begins with scattered stones that favour neither
side.  OUT gets random positions that the searches evaluate near the horizon.  The evaluation must
fit these positions, which are less quiet than those of the games.  Positions decided by threat maps
or by fours are left out.  Another search, of NODES nodes, judges each position.  A line of OUT:

    rows side | score for the side to move | best move

Each game has its own seed and ends with the line `# SEED`.  The same command again
plays the games that are missing from OUT.  The games may be played on other machines: see
--executor.
"""

from __future__ import annotations

import pathlib
import random
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import base  # noqa: E402
from games.gomoku import GAMES, Gomoku, GomokuFreestyle  # noqa: E402
from games.gomoku.kernel import gomoku_kernel  # noqa: E402
from games.gomoku.position import GomokuPosition  # noqa: E402
from games.gomoku.rules import FIRST  # noqa: E402
from games.grid import read_position  # noqa: E402
from games.kernel import Kernel  # noqa: E402
from games.solver import Line  # noqa: E402
from games.types import Move, Score, Side, State  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.jobs.command import add_options, run_script  # noqa: E402
from scripts.jobs.worker import JobData, ResultData  # noqa: E402
from scripts.lab._self_play import make_positions  # noqa: E402
from search import ask  # noqa: E402
from search.context import Context  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.pvs import Tree  # noqa: E402

# Stones of both players, and the side to move.
Setting = tuple[list[list[int]], Side]

SCRIPT = "scripts/lab/gomoku_data.py"
# Minimum and maximum number of stones at the start of a game.
STONES = (4, 9)
# Largest score at the start of a game.
EVEN = 50
# Maximum number of positions taken from one search.
MAX_PER_SEARCH = 20
# A game with fewer empty cells is broken off.
MIN_EMPTY = 40
# In the first STRAY_PLIES plies of a game, the share STRAY of the moves is drawn at random from the
# first six candidates.
STRAY, STRAY_PLIES = 0.125, 6
DECIDED = 9000  # scores beyond this are wins or losses
HASH_MEGABYTES = 8
SIZE = 15

BY_NAME = {game.name: game for game in GAMES}
FREESTYLE = GomokuFreestyle.name


class Sampled(Gomoku):
    """A game whose searches store a share of the positions that they evaluate."""

    def __init__(self, game: Gomoku, rng: random.Random) -> None:
        self.exact, self.forbidden = game.exact, game.forbidden
        self._rng = rng
        self.share = 0.0
        self.kept: list[Setting] = []

    def kernel(self, position: base.Position, context: Context, tree: Tree) -> Kernel:
        """Return a kernel that searches on threat maps and collects positions near the horizon."""
        assert isinstance(position, GomokuPosition)
        kernel, codes = gomoku_kernel(position, tree), position.search_board().codes
        horizon, draw = kernel.frontier, self._rng.random

        def listening(
            state: State, depth: int, alpha: Score, beta: Score, ply: int, static: Score, known: int
        ) -> Score | None:
            score = horizon(state, depth, alpha, beta, ply, static, known)
            if (
                self.share
                and draw() < self.share
                and (depth > 0 or score is None or score == static)
            ):
                self.kept.append((_stones(codes), state[4]))
            return score

        kernel.frontier = listening
        return kernel


def _stones(codes: list[int]) -> list[list[int]]:
    """Return [cells of player 0's stones, cells of player 1's].

    codes: the codes of all lines of the board, rows first.
    """
    return [
        [
            row * SIZE + column
            for row in range(SIZE)
            for column in range(SIZE)
            if (codes[row] >> player & FIRST) >> 2 * column & 1
        ]
        for player in (0, 1)
    ]


def _is_near(cell: int, stones: list[int]) -> bool:
    """Is the cell at most two rows and two columns away from a stone?"""
    row, column = divmod(cell, SIZE)
    return any(max(abs(s // SIZE - row), abs(s % SIZE - column)) <= 2 for s in stones)


class Player:
    """A player that plays a game against itself and judges positions.

    settings: {game, nodes, game_nodes, share} as in the command line.
    """

    def __init__(self, seed: int, settings: dict[str, Any]) -> None:
        self._rng = random.Random(seed)
        self._game = Sampled(BY_NAME[settings["game"]], self._rng)
        self._nodes, self._game_nodes = settings["nodes"], settings["game_nodes"]
        self._share = settings["share"]
        self._memory: dict[str, Any] = {}

    def lines(self) -> list[str]:
        """Play a game; return its lines for OUT."""
        setting = self._opening()
        found = []
        for ply in range(SIZE * SIZE):
            position = self._position(setting)
            if position.outcome() or SIZE * SIZE - position.stones < MIN_EMPTY:
                break
            self._game.share = self._share
            best = self._search(position, self._game_nodes)
            self._game.share, kept = 0.0, self._game.kept
            self._game.kept = []
            if abs(best.score) > DECIDED:
                break
            self._rng.shuffle(kept)
            found += [self._judged(other) for other in kept[:MAX_PER_SEARCH]]
            move = best.moves[0]
            if ply < STRAY_PLIES and self._rng.random() < STRAY:
                move = self._rng.choice(position.search_moves()[:6])
            stones, side = setting
            stones[side].append(move)
            setting = stones, 1 - side
        return found

    def _opening(self) -> Setting:
        """Return scattered stones that favour neither side: the score is at most EVEN."""
        rng = self._rng
        while True:
            margin = rng.randrange(4)
            middle = range(margin, SIZE - margin)
            inside = [row * SIZE + column for row in middle for column in middle]
            cells: list[int] = []
            for _ in range(rng.randint(*STONES)):
                near = [cell for cell in inside if not cells or _is_near(cell, cells)]
                cells.append(rng.choice([cell for cell in near if cell not in cells]))
            setting = [cells[0::2], cells[1::2]], len(cells) % 2
            position = self._position(setting)
            if not position.outcome() and abs(self._search(position, self._nodes).score) <= EVEN:
                return setting

    def _position(self, setting: Setting) -> GomokuPosition:
        """Build the position directly, since parse() may refuse stone counts after a null move."""
        position = GomokuPosition(self._game, SIZE)
        position.set_up(*setting)
        return position

    def _search(self, position: GomokuPosition, nodes: int) -> Line:
        return ask(position, Limits(nodes=nodes), {}, self._memory, HASH_MEGABYTES).lines[0]

    def _judged(self, setting: Setting) -> str:
        position = self._position(setting)
        text = position.text()
        line = self._search(position, self._nodes)
        return f"{text} | {line.score} | {position.move_text(line.moves[0])}\n"


def play_games(job: JobData) -> ResultData:
    """Play the games of a job."""
    players = [Player(int(seed), job["settings"]) for seed in job["seeds"]]
    return {"id": job["id"], "texts": ["".join(player.lines()) for player in players]}


def read_setting(text: str) -> tuple[list[list[Move]], Side]:
    """Parse the first part of a line: return the stones of both players, and the side to move."""
    board, side = read_position(text, SIZE, SIZE)
    cells = "".join(board)
    assert side is not None, "a line names the side to move"
    return [[cell for cell, held in enumerate(cells) if held == stone] for stone in "XO"], side


def main() -> None:
    """Play the games that are missing from OUT."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("OUT", "file for the positions", type=pathlib.Path)
    parser.add("[GAMES]", "total number of games in OUT", 1000)
    parser.add("[NODES]", "nodes of the search that judges a position", 3000)
    parser.add("--game", "the rules", FREESTYLE, choices=sorted(BY_NAME))
    parser.add("--game-nodes N", "nodes for each move of a game", 8000)
    share = f"share of positions near the horizon to judge, at most {MAX_PER_SEARCH} of one search"
    parser.add("--share SHARE", share, 0.01)
    add_options(parser.add, "games")
    found = parser.parse_args()
    settings = {name: getattr(found, name) for name in ("game", "nodes", "game_nodes", "share")}
    seeds = map(str, range(found.games))
    make_positions(found.out, found, play_games, seeds, settings)


if __name__ == "__main__":
    from scripts.lab import gomoku_data  # workers can't import functions of __main__

    run_script(SCRIPT, gomoku_data.main)
