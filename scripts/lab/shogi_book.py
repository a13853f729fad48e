#!/usr/bin/env python3
"""Make the opening book of shogi from the openings of the engine's games against itself.

    pypy3 scripts/lab/shogi_book.py OUT [MINUTES] [NODES]

One player of a game, the keeper, plays the best move known.  The other plays a random move; better
moves are likelier.  A game ends at the first position that no earlier game reached, or after PLIES
plies.  In a new position, a search finds the best LINES moves.  Then the score of each move played
becomes the opponent's best score in the position after it, with the sign changed.

OUT gets the positions that at least MET games reached, with the moves that are at most NEAR
centipawns worse than the best (games/openings.py describes the format).  A file beside OUT, with
the suffix .json, gets all positions, so the same command again continues from there.
"""

from __future__ import annotations

import json
import math
import pathlib
import random
import sys
import time
import zlib
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.base import Position  # noqa: E402
from games.openings import text_without_counters  # noqa: E402
from scripts.command_line import Parser, run_main, tell  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402

SCRIPT = "scripts/lab/shogi_book.py"
PLIES = 16
LINES = 3
MET = 3
NEAR = 15
# A move this many centipawns worse than the best is chosen 1/e times as often as the best.
SPREAD = 15
MEGABYTES = 64

Scores = dict[str, int]  # {move: its score in centipawns for the side to move}


def odds_of(difference: int) -> float:
    """Return a move's odds relative to the best move; difference: its score minus the best's."""
    return math.exp(difference / SPREAD)


class Walk:
    """The positions of the games so far.

    games: number of games.
    scores: {a position's text_without_counters(): the scores of its best moves}.
    met: {a position's text_without_counters(): number of games that reached it}.
    """

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.games = 0
        self.scores: dict[str, Scores] = {}
        self.met: dict[str, int] = {}
        self.memory: dict[str, Any] = {}

    def play(self) -> None:
        """Play a game, and correct the scores of its moves."""
        keeper, dice = self.games % 2, random.Random(self.games)
        self.games += 1
        position = registry.get("shogi").start({})
        played: list[tuple[str, str]] = []
        for _ in range(PLIES):
            text = text_without_counters(position)
            self.met[text] = self.met.get(text, 0) + 1
            scores = self.scores.get(text)
            if not scores:
                self.scores[text] = self._search(position)
                break
            best = max(scores, key=lambda move: scores[move])
            odds = [odds_of(score - scores[best]) for score in scores.values()]
            move = best if position.side == keeper else dice.choices([*scores], odds)[0]
            played.append((text, move))
            position.make(position.parse_move(move))
        following = text_without_counters(position)
        for text, move in reversed(played):
            replies = self.scores.get(following)
            if replies:
                self.scores[text][move] = -max(replies.values())
            following = text

    def _search(self, position: Position) -> Scores:
        if position.outcome():
            return {}
        limits, options = Limits(nodes=self.nodes), {"MultiPV": LINES}
        lines = ask(position, limits, options, self.memory, MEGABYTES).lines
        return {position.move_text(line.moves[0]): line.score for line in lines}

    def book(self) -> str:
        """Return the text of the book."""
        lines = []
        for text, met in sorted(self.met.items()):
            moves = sorted(self.scores[text].items(), key=lambda entry: -entry[1])
            if met < MET or not moves:
                continue
            fields = [text]
            for move, score in moves:
                if score >= moves[0][1] - NEAR:
                    fields += move, str(round(100 * odds_of(score - moves[0][1])))
            lines.append("\t".join(fields) + "\n")
        return "".join(lines)


def main() -> None:
    """Play games until the time is up, and write the book after every 50 games."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("OUT", "the book to write", type=pathlib.Path)
    parser.add("[MINUTES]", "time to play", 30.0)
    parser.add("[NODES]", "nodes of a search", 20_000)
    found = parser.parse_args()
    walk = Walk(found.nodes)
    progress = found.out.with_suffix(".json")
    if progress.exists():
        walk.games, walk.scores, walk.met = json.loads(progress.read_text(encoding="utf-8"))
    end = time.time() + 60 * found.minutes
    while time.time() < end:
        walk.play()
        if walk.games % 50 == 0:
            found.out.write_bytes(zlib.compress(walk.book().encode(), 9))
            progress.write_bytes(json.dumps([walk.games, walk.scores, walk.met]).encode())
            tell(f"{walk.games} games, {len(walk.met)} positions")


if __name__ == "__main__":
    run_main(SCRIPT, main)
