"""Which quiet moves to try first: killers, counter-moves and the history of cutoffs.

A move stands here as piece << 6 | square of arrival.  history[piece][square] is a score in multiples of SCORE,
so that move generation can add it to a move.
"""
from __future__ import annotations

from games.chess.movegen import SCORE, answers, evading, untried
from games.chess.tables import CHECKING

_LIMIT = 1 << 13                        # history scores stay below
_BONUS, _MOST = 16, 1200                # for a cutoff: times the square of the depth, but no more
# Added to the history of the first killer, the second killer and the counter-move.
_FIRST, _SECOND, _COUNTER = (1 << 16) * SCORE, (1 << 15) * SCORE, (1 << 14) * SCORE


def new_history():
    """History in which no move has done anything yet."""
    return [[0] * 64 for _ in range(16)]


def stages(position, history, plies):
    """The functions (noisy, calm, checking, reward) for a position's moves, with killers for so many plies.

    The first three generate the moves of a node for the stages of games/chess/successors.py.
    """
    captures, quiets, aimed, castlings = position.captures, position.quiets, position.aimed, position.castlings
    board = position.board_squares
    killers = [[0, 0] for _ in range(plies)]
    counter = [0] * 1024

    def ordered_quiets(side, ply, prior, seen, goals=None):
        """The quiet moves, killers and the counter-move first, then by history; only those to goals[piece] if given."""
        one, two = killers[ply]
        three = counter[prior]
        history[one >> 6][one & 63] += _FIRST
        history[two >> 6][two & 63] += _SECOND
        history[three >> 6][three & 63] += _COUNTER
        found = aimed(side, history, seen, goals) if goals else quiets(side, history, seen)
        history[one >> 6][one & 63] -= _FIRST
        history[two >> 6][two & 63] -= _SECOND
        history[three >> 6][three & 63] -= _COUNTER
        found.sort(reverse=True)
        return found

    def noisy(state, king, seen, shield):
        """Captures and promotions to a queen, best first; those that may end a check where there is a `shield`."""
        found = captures(state[4], state[7], seen)
        found.sort(reverse=True)
        return found if shield is None else answers(found, king, shield)

    def calm(state, ply, seen, shield):
        """The quiet moves; those that may end a check where there is a `shield`."""
        _, _, _, _, side, _, rights, _, prior = state
        if shield is not None:
            return ordered_quiets(side, ply, prior, seen, evading(shield))
        found = ordered_quiets(side, ply, prior, seen)
        return found + castlings(side, rights, seen) if rights else found

    def checking(state, ply, seen, foe_king, tried):
        """The quiet moves not yet tried that may give check by themselves, and castling."""
        _, _, _, _, side, _, rights, _, prior = state
        found = untried(ordered_quiets(side, ply, prior, seen, CHECKING[foe_king]), tried)
        return found + castlings(side, rights, seen) if rights else found

    def reward(depth, ply, prior, tried):
        """The last quiet move of those tried cut off: it is tried early elsewhere, the others later."""
        entries = [board[move & 63] << 6 | move >> 6 & 63 for move in tried]
        entry, killer = entries[-1], killers[ply]
        if killer[0] != entry:
            killer[1] = killer[0]
            killer[0] = entry
        counter[prior] = entry
        bonus = min(depth * depth * _BONUS, _MOST)
        for other in entries:
            worth = history[other >> 6]
            old = worth[other & 63] >> 20
            change = bonus if other == entry else -bonus
            worth[other & 63] = old + change - old * bonus // _LIMIT << 20

    return noisy, calm, checking, reward
