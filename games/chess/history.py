"""Which quiet moves to try first: killers, counter-moves and the history of cutoffs.

A move stands here as piece << 6 | square of arrival.  history[piece][square] is a score in multiples of SCORE,
so that move generation can add it to a move.
"""
from __future__ import annotations

from games.chess.movegen import SCORE

_LIMIT = 1 << 13                        # history scores stay below
_BONUS, _MOST = 16, 1200                # for a cutoff: times the square of the depth, but no more
# Added to the history of the first killer, the second killer and the counter-move.
_FIRST = ((1 << 16) * SCORE, (1 << 15) * SCORE, (1 << 14) * SCORE)


def new_history():
    """History in which no move has done anything yet."""
    return [[0] * 64 for _ in range(16)]


def orderer(quiets, history, plies):
    """(ordered_quiets, reward) on these move generators, with killers for so many plies."""
    killers = [[0, 0] for _ in range(plies)]
    counter = [0] * 1024

    def ordered_quiets(side, ply, prior, seen):
        """The quiet moves, killers and the counter-move first, then by history."""
        first, second = killers[ply]
        third = counter[prior]
        for bonus, entry in zip(_FIRST, (first, second, third)):
            history[entry >> 6][entry & 63] += bonus
        found = quiets(side, history, seen)
        for bonus, entry in zip(_FIRST, (first, second, third)):
            history[entry >> 6][entry & 63] -= bonus
        found.sort(reverse=True)
        return found

    def reward(side, depth, ply, entry, prior, tried):
        """A quiet move that cut off is tried early elsewhere, those tried before it later."""
        killer = killers[ply]
        if killer[0] != entry:
            killer[1] = killer[0]
            killer[0] = entry
        counter[prior] = entry
        bonus = min(depth * depth * _BONUS, _MOST)
        for other in tried:
            worth = history[other >> 6]
            old = worth[other & 63] >> 20
            change = bonus if other == entry else -bonus
            worth[other & 63] = old + change - old * bonus // _LIMIT << 20

    return ordered_quiets, reward
