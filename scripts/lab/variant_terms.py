#!/usr/bin/env python3
"""Learn the terms of a chess variant's evaluation from self-play; run it with PyPy.

    pypy3 scripts/lab/variant_terms.py OUT VARIANT [GAMES] [NODES]

The engine plays games against itself from random openings.  Each quiet position (the side to move
isn't in check, and its best move is neither a capture nor a promotion) becomes a line of OUT, with
all numbers from White's point of view:

    result | chess's evaluation, the variant's present one | the count of each term

Then the terms are fitted to the results: a logistic curve turns the sum of the terms into an
expected result (Texel's tuning method).  The search's margins fit one scale of scores, and the sum
must keep this scale: that of chess's network if the sum contains the network, otherwise that of the
present evaluation.  A tenth of the games is held out, to measure how well the present evaluation
and the learned one predict the results of unseen games.

Each game has its own seed and ends with the line `# SEED`.  The same command again plays the
games missing from OUT.
"""

from __future__ import annotations

import pathlib
import random
import sys
from math import exp, log
from typing import TYPE_CHECKING, Any, Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.chess.evaluation import network  # noqa: E402
from games.chess.tables import DROP, KING, PROMOTION_SHIFT  # noqa: E402
from games.lanes import STEPS  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.jobs.command import add_options, run_script  # noqa: E402
from scripts.jobs.worker import JobData, ResultData  # noqa: E402
from scripts.lab._self_play import make_positions  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402

if TYPE_CHECKING:
    from games.chess.variants.position import VariantPosition

    Row = list[float]
    Terms = Callable[[Any, int], list[int]]  # terms(position, side) -> the count of each term

SCRIPT = "scripts/lab/variant_terms.py"
# Minimum and maximum number of random plies at the start of a game.
OPENING = (2, 9)
# Maximum number of plies of a game.
LONGEST = 200
HASH_MEGABYTES = 8
HELD_OUT = 10  # one game in this many is not used for the fit
STEPS_OF_NEWTON, RIDGE = 8, 1.0


def _kinds(position: VariantPosition, side: int) -> list[int]:
    """Return the numbers of pawns, knights, bishops, rooks, queens and kings of `side`."""
    kinds = [min(piece & 7, KING) for piece in position.pieces[side].values()]
    return [kinds.count(kind) for kind in range(1, KING + 1)]


def _hill(position: VariantPosition, side: int) -> list[int]:
    file, rank = position.kings[side] & 7, position.kings[side] >> 3
    distance = max(3 - file, file - 4, 3 - rank, rank - 4)
    return [distance == 1, distance == 2]


def _checks(position: Any, side: int) -> list[int]:
    left = position.checks_left[side]
    return [left == 1, left == 2]


def _race(position: VariantPosition, side: int) -> list[int]:
    rank = position.kings[side] >> 3
    others = [at for at in position.pieces[side] if at != position.kings[side]]
    centre = sum(min(at & 7, 7 - (at & 7)) for at in others)
    ranks = [rank == each for each in range(1, 7)]
    return [*_kinds(position, side)[1:5], centre, sum(at >> 3 for at in others), *ranks]


def _hands(position: Any, side: int) -> list[int]:
    in_hand = [position.hand_counts[kind + 8 * side] for kind in range(1, 6)]
    return in_hand + _kinds(position, side)[:5]


# {variant: (function that counts its terms, names of the terms, whether chess's network is added)}
VARIANTS: dict[str, tuple[Terms, str, bool]] = {
    "kingofthehill": (_hill, "beside the hill, two steps away", True),
    "3check": (_checks, "one check left, two checks left", True),
    "racingkings": (_race, "NBRQ, centre, ranks, king on the ranks 2 to 7", False),
    "antichess": (_kinds, "PNBRQK", False),
    "suicide": (_kinds, "PNBRQK", False),
    "crazyhouse": (_hands, "PNBRQ in hand, PNBRQ on the board", True),
}


def _line(position: Any, terms: Terms) -> str:
    """Return the line of OUT for a position, without the result of its game."""
    net = network()
    chess = net.output(net.accumulate(position.pieces)) / STEPS
    present = position.evaluate() - position.network().tempo
    counts = [one - other for one, other in zip(terms(position, 0), terms(position, 1))]
    counts.append(1 - 2 * position.side)
    present = -present if position.side else present
    return f"{chess:.0f} {present} | {' '.join(map(str, counts))}"


def _is_quiet(position: Any, move: int) -> bool:
    """Is `move` neither a capture nor a promotion, and the side to move not in check?"""
    noisy = position.squares[move >> 6 & 63] or move >> PROMOTION_SHIFT and move & DROP != DROP
    return not (noisy or position.in_check())


def _play(seed: int, settings: dict[str, Any]) -> str:
    """Play one game; return its positions as lines of data."""
    rng, memory = random.Random(seed), dict[str, Any]()
    position: Any = registry.get(settings["variant"]).start({})
    terms = VARIANTS[settings["variant"]][0]
    lines: list[str] = []
    opening = rng.randint(*OPENING)
    for ply in range(LONGEST):
        legal = position.legal_moves()
        if not legal:
            break
        if ply < opening:
            position.make(rng.choice(legal))
            continue
        limits = Limits(nodes=settings["nodes"])
        move = ask(position, limits, {}, memory, HASH_MEGABYTES).lines[0].moves[0]
        if _is_quiet(position, move):
            lines.append(_line(position, terms))
        position.make(move)
    outcome = position.outcome()
    winner = None if outcome is None else outcome.winner
    result = 0.5 if winner is None else 1 - winner
    return "".join(f"{result} | {line}\n" for line in lines)


def play_games(job: JobData) -> ResultData:
    """Play the games of a job."""
    return {"id": job["id"], "texts": [_play(int(seed), job["settings"]) for seed in job["seeds"]]}


# ---- the fit -------------------------------------------------------------------------


def fit(rows: list[Row], results: Row) -> Row:
    """Return the coefficients of the logistic regression of results on rows, by Newton's method."""
    size = len(rows[0])
    found = [0.0] * size
    for _ in range(STEPS_OF_NEWTON):
        gradient = [-RIDGE * each for each in found]
        hessian = [[RIDGE * (row == column) for column in range(size)] for row in range(size)]
        for row, result in zip(rows, results):
            chance = _chance(row, found)
            weight, error = chance * (1 - chance), result - chance
            for one, value in enumerate(row):
                if value:
                    gradient[one] += error * value
                    line = hessian[one]
                    for other in range(size):
                        line[other] += weight * value * row[other]
        found = [old + step for old, step in zip(found, _solve(hessian, gradient))]
    return found


def _chance(row: Row, coefficients: Row) -> float:
    total = sum(map(float.__mul__, row, coefficients))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def _solve(matrix: list[Row], right: Row) -> Row:
    """Solve a system of linear equations by elimination; the matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for at, pivot in enumerate(rows):
        pivot[:] = [value / pivot[at] for value in pivot]
        for row in rows:
            if row is not pivot:
                factor = row[at]
                row[:] = [value - factor * other for value, other in zip(row, pivot)]
    return [row[-1] for row in rows]


def loss(rows: list[Row], results: Row, coefficients: Row) -> float:
    """Return the mean cross-entropy of the results."""
    total = 0.0
    for row, result in zip(rows, results):
        chance = _chance(row, coefficients)
        total -= result * log(chance) + (1 - result) * log(1 - chance)
    return total / len(rows)


def report(path: pathlib.Path, variant: str) -> None:
    """Fit the terms to the positions of a file, and print them."""
    _, names, with_chess = VARIANTS[variant]
    sets: list[tuple[list[Row], list[Row], Row]] = [([], [], []), ([], [], [])]
    games = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line[0] == "#":
            games += 1
            continue
        result, scores, counts = line.split(" | ")
        chess, present = (int(score) / 100 for score in scores.split())
        *terms, side = map(float, counts.split())
        old, new, results = sets[games % HELD_OUT == 0]
        old.append([present, side])
        new.append([chess if with_chess else 0.0, side, *terms])
        results.append(float(result))
    (old, new, results), (old_unseen, new_unseen, unseen) = sets
    before, after = fit(old, results), fit(new, results)
    scale = (after if with_chess else before)[0] / 100
    tell(
        f"{games} games, {len(results)} positions; loss on unseen games: "
        f"{loss(old_unseen, unseen, before):.4f} with the present terms, "
        f"{loss(new_unseen, unseen, after):.4f} with the learned ones"
    )
    tell(f"{names}: {', '.join(f'{each / scale:.0f}' for each in after[2:])}")
    tell(
        f"the right to move: {after[1] / scale:.0f}; "
        f"score that wins three games in four: {log(3) / scale:.0f}"
    )


def main() -> None:
    """Play the games that are missing from OUT, and fit the terms."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("OUT", "file for the positions", type=pathlib.Path)
    parser.add("VARIANT", "variant whose terms to learn", choices=sorted(VARIANTS))
    parser.add("[GAMES]", "total number of games in OUT", 1000)
    parser.add("[NODES]", "nodes for each move", 400)
    add_options(parser.add, "batches of games")
    found = parser.parse_args()
    if found.games < HELD_OUT:
        parser.error(f"GAMES must be at least {HELD_OUT}, not {found.games}")
    settings = {"variant": found.variant, "nodes": found.nodes}
    seeds = map(str, range(found.games))
    make_positions(found.out, found, play_games, seeds, settings, 20)
    report(found.out, found.variant)


if __name__ == "__main__":
    from scripts.lab import variant_terms  # workers can't import functions of __main__

    run_script(SCRIPT, variant_terms.main)
