#!/usr/bin/env python3
"""Play games for the evaluation of draughts: labelled positions, one per line, appended to a file.

    pypy3 scripts/lab/draughts_games.py SAMPLES [--game NAME] [--games N] [--nodes N] [--seed N]

Each game begins with random moves and continues with searches of a fixed number of nodes.  A line
of a position in which nothing can be captured is

    WHITE BLACK WHITE_KINGS BLACK_KINGS COLOUR SCORE RESULT

men and kings as hexadecimal bits (games/draughts/squares.py), the colour to move (0 is White), the
search's score in hundredths of a man, and the game's result, 1, 0 or -1, both for the side to move.
"""

from __future__ import annotations

import pathlib
import random
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402

MIN_RANDOM_PLIES, MAX_RANDOM_PLIES = 3, 14
LONGEST = 160  # plies; a longer game counts as drawn
# A game is won from this score on, in hundredths of a man, if the search keeps it for some plies.
WON, WON_PLIES = 500, 4
LIMIT = 2000  # scores are cut to this range
HASH_MEGABYTES = 4


def play(game: Any, seed: str, nodes: int) -> str:
    """Play a game; return the lines of its positions."""
    dice, position = random.Random(seed), game.start({})
    memory: dict[str, Any] = {}
    for _ in range(dice.randint(MIN_RANDOM_PLIES, MAX_RANDOM_PLIES)):
        moves = position.legal_moves()
        if not moves:
            return ""
        position.make(dice.choice(moves))
    lines: list[tuple[str, int]] = []
    result, won = 0, 0  # for player 0
    for _ in range(LONGEST):
        outcome = position.outcome()
        if outcome is not None:
            result = 0 if outcome.winner is None else 1 - 2 * outcome.winner
            break
        moves = position.legal_moves()
        if len(moves) == 1:
            position.make(moves[0])
            continue
        line = ask(position, Limits(nodes=nodes), {}, memory, HASH_MEGABYTES).lines[0]
        score = max(-LIMIT, min(LIMIT, line.score))
        if not position.must_capture():
            colour, *pieces = position.state[4:9]
            if colour:
                pieces = pieces[2:] + pieces[:2]
            words = [f"{bits:x}" for bits in (*pieces[::2], *pieces[1::2])]
            lines.append((f"{' '.join(words)} {colour} {score}", position.side))
        absolute = -score if position.side else score
        won = won + 1 if abs(absolute) >= WON else 0
        if won > WON_PLIES:
            result = 1 if absolute > 0 else -1
            break
        position.make(line.moves[0])
    return "".join(f"{text} {-result if side else result}\n" for text, side in lines)


def main() -> None:
    """Play games and append their positions to SAMPLES."""
    parser = Parser("scripts/lab/draughts_games.py", __doc__)
    parser.add("SAMPLES", "file for the positions")
    parser.add("--game NAME", "the game", "draughts")
    parser.add("--games N", "number of games", 1000)
    parser.add("--nodes N", "nodes per move", 600)
    parser.add("--seed N", "seed of the random moves", 1)
    args = parser.parse_args()
    game = registry.get(args.game)
    with open(args.samples, "a", encoding="ascii", newline="\n") as out:
        for number in range(args.games):
            out.write(play(game, f"{args.seed}/{number}", args.nodes))
            out.flush()


if __name__ == "__main__":
    main()
