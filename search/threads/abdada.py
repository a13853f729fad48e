"""Marks that let processes at the same node search different moves.

This is ABDADA (Weill 1996) as simplified by Tom Kerrigan.  Before a process searches a
move, it puts a mark into shared memory, and it removes the mark afterwards.  Another
process at the same node defers a marked move: it searches the others first and then
returns to it, and by then the transposition table usually has the score.  The first move
of a node is never deferred, since the others are compared with its score.

A mark is the key of the position after the move, combined with the depth.  There are no
locks: a mark that was overwritten, or left by a search that was stopped, only causes a
search to be repeated or postponed.
"""

from __future__ import annotations

from games.kernel import ALPHA, BETA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.types import Key, Move, Moves, NodeData, State, Table

    Successors = Callable[[State, int, int, NodeData], Moves]

# Below this depth, marking a move would cost more than searching it.
DEFER_FROM = 4
_DEPTH_SHIFT = 40


class Marks:
    """The marks of the positions that the processes of a team are searching now.

    table: a packed Table that the processes share.
    words, slots: a mark is stored in words[mark % slots].
    """

    def __init__(self, table: Table) -> None:
        self.words, self.slots = table.data, table.slots

    def set(self, key: Key, depth: int) -> int:
        """Mark a position as being searched to `depth`; return the slot for `clear`."""
        mark = key ^ depth << _DEPTH_SHIFT
        slot = mark % self.slots
        self.words[slot] = mark
        return slot

    def clear(self, slot: int) -> None:
        """Remove the mark of a position that has been searched."""
        self.words[slot] = 0

    def has(self, key: Key, depth: int) -> bool:
        """Is a process searching this position at this depth?"""
        mark = key ^ depth << _DEPTH_SHIFT
        return bool(self.words[mark % self.slots] == mark)

    def deferring(self, successors: Successors) -> Successors:
        """Wrap a kernel's `successors` (games/kernel.py) so that it yields marked moves last."""

        def unmarked_first(state: State, depth: int, ply: int, node: NodeData) -> Moves:
            deferred: set[Move] = set()
            first = True
            for successor in successors(state, depth, ply, node):
                move, child, _, _ = successor
                if child is None or first:  # a child that has a score already, or the first child
                    first = first and child is None
                    yield successor
                elif self.has(child[0], depth):
                    deferred.add(move)
                else:
                    slot = self.set(child[0], depth)
                    yield successor
                    self.clear(slot)
            if deferred and node[ALPHA] < node[BETA]:
                for successor in successors(state, depth, ply, node):
                    if successor[0] in deferred:
                        yield successor

        def chosen(state: State, depth: int, ply: int, node: NodeData) -> Moves:
            if depth >= DEFER_FROM:
                return unmarked_first(state, depth, ply, node)
            return successors(state, depth, ply, node)

        return chosen
