"""Who plays whom, from which opening, with which colour: every game of a tournament has its place
and its id.

A round is a pair of games for each pairing, from the same opening with colours
swapped; it uses the opening of its own number.  Ids stay what they are when rounds
are added.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

ROUND_ROBIN, GAUNTLET = "round-robin", "gauntlet"
KINDS = (ROUND_ROBIN, GAUNTLET)


def pairings(count: int, kind: str = ROUND_ROBIN) -> list[tuple[int, int]]:
    """[(i, j)] of the players who meet.

    kind: everybody meets everybody, or the first player meets each of the others.
    """
    last = 1 if kind == GAUNTLET else count - 1
    return [(one, other) for one in range(min(last, count)) for other in range(one + 1, count)]


def schedule(names: Sequence[str], rounds: int,
             kind: str = ROUND_ROBIN) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Yield (id, round from 0, (player 0, player 1)) of every game in the order of play.

    Players are given by their indices.
    """
    for number in range(rounds):
        for one, other in pairings(len(names), kind):
            for game, players in enumerate(((one, other), (other, one)), 1):
                yield game_id(number, names[one], names[other], game), number, players


def game_id(number: int, one: str, other: str, game: int) -> str:
    """`ROUND/ONE-OTHER/GAME`, counted from 1; game 1: ONE moves first, game 2: OTHER does."""
    return f"{number + 1}/{one}-{other}/{game}"
