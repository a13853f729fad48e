"""Nim with a kernel of its own, as games/kernel.py describes it: a small example to copy."""

from nim import Nim

from games.base import WIN
from games.kernel import ALPHA, BETA, TABLE_MOVE, Kernel


class FastNim(Nim):
    name = "fastnim"
    aliases = ()

    def kernel(self, position, context, tree):
        return nim_kernel(position)


def nim_kernel(position):
    """Return the Kernel of a search.

    A state is (key, 0, 0, False, side to move): Nim has no evaluation, move counter or checks.
    The heaps stay outside the state, as a large board would: moves change them in place.
    """
    heaps = position.heaps

    def state_of(side):
        key = 1
        for heap in heaps:
            key = key << 4 | heap
        return key << 1 | side, 0, 0, False, side

    def root_state():
        return state_of(position.side)

    def successors(state, depth, ply, node):
        side = state[4]
        sizes = list(enumerate(heaps))
        moves = [heap << 4 | count for heap, size in sizes for count in range(1, size + 1)]
        moves.sort(key=lambda move: move != node[TABLE_MOVE])  # try the table's move first
        for move in moves:
            heaps[move >> 4] -= move & 15
            yield move, state_of(side ^ 1), depth - 1, 0
            heaps[move >> 4] += move & 15
            if node[ALPHA] >= node[BETA]:
                return  # a cutoff; never leave without taking the move back

    def early_return(state, depth, alpha, beta, ply, null_allowed):
        return None if any(heaps) else ply - WIN  # the opponent took the last stone

    def frontier(state, depth, alpha, beta, ply, static, table_depth):
        return 0  # at the horizon nothing is known

    kernel = Kernel(position)
    kernel.root_state, kernel.successors = root_state, successors
    kernel.early_return, kernel.carries_static = early_return, True
    kernel.frontier, kernel.frontier_depth = frontier, 0
    kernel.proves = True
    return kernel


GAMES = [FastNim()]
