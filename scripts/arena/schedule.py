"""The schedule of a tournament: pairings, openings, colours and ids of the games still to play.

In each round every pairing plays two games from the same opening with colours swapped; the
round's number selects the opening.  Ids don't change when rounds are added, so they show which
games of a continued tournament were already played.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

KINDS = ROUND_ROBIN, GAUNTLET = ("round-robin", "gauntlet")


def pairings(count: int, kind: str = ROUND_ROBIN) -> list[tuple[int, int]]:
    """Return the pairs (i, j) of players who meet.

    kind: ROUND_ROBIN (all players meet) or GAUNTLET (the first player meets all others).
    """
    last = 1 if kind == GAUNTLET else count - 1
    return [(one, other) for one in range(min(last, count)) for other in range(one + 1, count)]


def schedule(
    names: Sequence[str], rounds: int, kind: str = ROUND_ROBIN, played: Container[str] = ()
) -> Iterator[tuple[str, int, tuple[str, str]]]:
    """Yield (id, round from 0, (player 0, player 1)) of the games to play, in order.

    played: ids of games to leave out.
    An id is `ROUND/ONE-OTHER/GAME`, with rounds from 1.  ONE moves first in game 1, OTHER in
    game 2.
    """
    for number in range(rounds):
        for one, other in pairings(len(names), kind):
            first, second = names[one], names[other]
            pair = f"{number + 1}/{first}-{second}"
            for game, players in ((f"{pair}/1", (first, second)), (f"{pair}/2", (second, first))):
                if game not in played:
                    yield game, number, players
