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


def schedule(
    names: Sequence[str],
    rounds: int,
    kind: str = ROUND_ROBIN,
) -> Iterator[tuple[str, int, list[tuple[str, tuple[str, str]]]]]:
    """Yield (id, round from 0, [(id of a game, (player 0, player 1))]) of every pair of games.

    They come in the order of play.
    """
    for number in range(rounds):
        for one, other in pairings(len(names), kind):
            pair = f"{number + 1}/{names[one]}-{names[other]}"
            yield (
                pair,
                number,
                [
                    (f"{pair}/1", (names[one], names[other])),
                    (f"{pair}/2", (names[other], names[one])),
                ],
            )


def round_of(identity: str) -> int:
    """The round, from 0, of a game by its id `ROUND/ONE-OTHER/GAME`.

    Rounds are counted from 1; in game 1 ONE moves first, in game 2 OTHER does.
    """
    return int(identity.partition("/")[0]) - 1
