"""The schedule of a tournament: pairings, openings, colours and ids of its games.

In each round every pairing plays two games from the same opening with colours swapped; the
round's number selects the opening.  Ids don't change when rounds are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

KINDS = ROUND_ROBIN, GAUNTLET = ("round-robin", "gauntlet")


def pairings(count: int, kind: str = ROUND_ROBIN) -> list[tuple[int, int]]:
    """Return [(i, j)], the players who meet.

    kind: every player meets every other, or the first player meets each of the others.
    """
    last = 1 if kind == GAUNTLET else count - 1
    return [(one, other) for one in range(min(last, count)) for other in range(one + 1, count)]


def schedule(
    names: Sequence[str], rounds: int, kind: str = ROUND_ROBIN
) -> Iterator[tuple[str, int, tuple[str, str]]]:
    """Yield (id, round from 0, (player 0, player 1)) of every game, in the order of play.

    In ids `ROUND/ONE-OTHER/GAME` rounds count from 1; in game 1 ONE moves first, in game 2
    OTHER does.
    """
    for number in range(rounds):
        for one, other in pairings(len(names), kind):
            first, second = names[one], names[other]
            pair = f"{number + 1}/{first}-{second}"
            yield f"{pair}/1", number, (first, second)
            yield f"{pair}/2", number, (second, first)
