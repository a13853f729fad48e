"""Processes that search the same node take different moves of it first.

This is ABDADA (Weill 1996) as Tom Kerrigan simplified it.  A process marks the move
that it is about to search in memory that all share, and takes the mark away
afterwards.  Another one that comes to the same node defers a marked move: it searches
the others first and then comes back, and by then the transposition table has the
score, as a rule.  The first move of a node is never deferred, since its score is what
the others are compared with.

A mark is the key of the position after the move, changed by the depth.  Nothing is
locked: a mark that was overwritten, or left behind by a search that was stopped,
costs a search that is done twice or late, and nothing else.
"""

from __future__ import annotations

from games.kernel import ALPHA, BETA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.types import Key, Move, Moves, Node, State, Table

    Successors = Callable[[State, int, int, Node], Moves]

# Below this depth a move is searched sooner than marked.
DEFER_FROM = 4
_DEPTH_SHIFT = 40


class Marks:
    """What the processes of a team are searching now.

    table: a packed Table that they share.
    words, slots: a mark stands in words[mark % slots].
    """

    def __init__(self, table: Table) -> None:
        self.words, self.slots = table.data, table.slots

    def set(self, key: Key, depth: int) -> int:
        """Mark a position, `depth` plies before the horizon; returns the slot for `clear`."""
        mark = key ^ depth << _DEPTH_SHIFT
        slot = mark % self.slots
        self.words[slot] = mark
        return slot

    def clear(self, slot: int) -> None:
        """Take a mark back: the position has been searched."""
        self.words[slot] = 0

    def has(self, key: Key, depth: int) -> bool:
        """Is a process searching this position at this depth?"""
        mark = key ^ depth << _DEPTH_SHIFT
        return bool(self.words[mark % self.slots] == mark)

    def deferring(self, successors: Successors) -> Successors:
        """The hook `successors` of a kernel (games/kernel.py), with marked moves last."""
        words, slots = self.words, self.slots

        def unmarked_first(state: State, depth: int, ply: int, node: Node) -> Moves:
            deferred: set[Move] = set()
            shift, first = depth << _DEPTH_SHIFT, True
            for successor in successors(state, depth, ply, node):
                move, child, _, _ = successor
                if child is None or first:  # its score is known, or it is the first
                    first = first and child is None
                    yield successor
                    continue
                mark = child[0] ^ shift
                slot = mark % slots
                if words[slot] == mark:
                    deferred.add(move)
                    continue
                words[slot] = mark
                yield successor
                words[slot] = 0
            if deferred and node[ALPHA] < node[BETA]:
                for successor in successors(state, depth, ply, node):
                    if successor[0] in deferred:
                        yield successor

        def chosen(state: State, depth: int, ply: int, node: Node) -> Moves:
            if depth >= DEFER_FROM:
                return unmarked_first(state, depth, ply, node)
            return successors(state, depth, ply, node)

        return chosen
