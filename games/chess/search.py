"""The main search of chess, in place of search/alphabeta.py: the door between the general driver and tree.py.

Scores inside are centipawns, a mate `n` plies from the root is MATE - n; here they become WIN - n.
"""
from __future__ import annotations

from array import array

from games.base import MAX_SCORE, WIN
from games.chess.history import new_history
from games.chess.tree import INFINITY, MATE, MATED_SOON, build

BYTES_AN_ENTRY = 16


class ChessSearch:
    """The door of search/context.py: searches one root move after the other."""

    def __init__(self, position, context):
        memory = context.memory
        tables = memory.get("chess.table")
        if tables is None:
            tables = memory["chess.table"] = new_table(context.megabytes)
            memory["chess.history"] = new_history()
        self._data = tables[1]
        self._try, self._lines, self._counters, self._begin = build(position, context, tables, memory["chess.history"])

    def begin(self, depth):
        """A new iteration starts."""
        self._begin()

    def try_move(self, move, depth, alpha, beta):
        """The score of a root move for its mover, the replies searched `depth` plies deep (fail-soft)."""
        return _outward(self._try(move, depth, _inward(alpha), _inward(beta)))

    def reply_line(self):
        """The principal variation after the move tried last."""
        return self._lines[1][:]

    def nodes(self):
        """Positions visited."""
        return self._counters()[0]

    def seldepth(self):
        """The deepest ply visited since begin()."""
        return self._counters()[1]

    def complete(self):
        """A search with horizon proves nothing."""
        return False

    def hashfull(self):
        """How full the table is, in permille."""
        return sum(1 for entry in self._data[:1000] if entry) * 1000 // len(self._data[:1000])


def new_table(megabytes):
    """(keys, data) of a power of two of entries within `megabytes`."""
    entries = 1 << 10
    while entries * 2 * BYTES_AN_ENTRY <= megabytes << 20:
        entries *= 2
    return array("q", bytes(8)) * entries, array("q", bytes(8)) * entries


def _inward(score):
    if score > MAX_SCORE:
        return min(score - WIN + MATE, INFINITY)
    if score < -MAX_SCORE:
        return max(score + WIN - MATE, -INFINITY)
    return max(-MATED_SOON, min(MATED_SOON, score))


def _outward(score):
    if score > MATED_SOON:
        return score - MATE + WIN
    if score < -MATED_SOON:
        return score + MATE - WIN
    return score
