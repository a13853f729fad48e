"""Candidates, the moves worth searching: replies to a threat or the likeliest cells."""

from __future__ import annotations

from itertools import compress

from games.gomoku.maps import cells_of
from games.gomoku.rules import FIRST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.gomoku.board import ThreatBoard
    from games.gomoku.maps import Packed
    from games.types import Side, Square

# The maximum number of quiet moves to search: FULL_WIDTH at the root and at nodes where the
# likeliest WIDTH moves all lose, WIDTH at all other nodes.
WIDTH = 12
FULL_WIDTH = 36
# Tables for bytes.translate: 1 if a cell's policy is at least a threshold, else 0.  If enough cells
# reach a threshold, cells below it need not be ranked.
_AT_LEAST = [bytes(int(policy >= low) for policy in range(256)) for low in (36, 32, 28, 24, 2)]


class Candidates:
    """The choice of moves on a ThreatBoard."""

    def __init__(self, board: ThreatBoard) -> None:
        self._board = board
        self._count, self._policy = board.maps.cells, board.maps.policy

    def moves(self, side: Side, packed: Packed, count: int = WIDTH) -> list[Square]:
        """Return the moves worth searching for `side`, best first; empty if no move helps.

        If a move makes a five, blocks one, or makes an open four or two fours at once, only that
        move is returned.  If the opponent threatens an open four or two fours at once, the moves
        are those that stop all such threats, and the fours of `side`; without such moves, the game
        is lost.  In all other positions, the moves are those of quiet().
        """
        board = self._board
        wins = board.fives(side, packed)
        if wins:
            return wins[:1]
        blocks = board.fives(1 - side, packed)
        if blocks:
            return board.permitted(side, blocks, packed)[:1]
        wins = board.threats(side, packed)
        if wins:
            return wins[:1]
        threats = board.threats(1 - side, packed)
        if threats:
            return self.defences(side, packed, threats)
        return self.quiet(side, packed, count)

    def quiet(self, side: Side, packed: Packed, count: int = WIDTH) -> list[Square]:
        """Return the likeliest cells by policy, at most `count`, likeliest first."""
        policy = self._policy(side, packed)
        for threshold in _AT_LEAST:
            kept = policy.translate(threshold)
            if self._count - kept.count(0) >= count:
                ranked = self._ranked(side, packed, policy, kept)
                # Renju may forbid some of the cells; if too few are left, lower the threshold.
                if len(ranked) >= count:
                    return ranked[:count]
        return self._ranked(side, packed, policy, kept)

    def _ranked(self, side: Side, packed: Packed, policy: bytes, kept: bytes) -> list[Square]:
        """Return the cells where `kept` is not 0, likeliest first."""
        # Equally likely cells are returned from the last cell of the board to the first.
        cells = compress(range(self._count - 1, -1, -1), kept[::-1])
        likeliest = sorted(cells, key=policy.__getitem__, reverse=True)
        return self._board.permitted(side, likeliest, packed)

    def likeliest_first(self, side: Side, cells: list[Square], packed: Packed) -> list[Square]:
        """Return `cells`, likeliest first for `side`, which is to move."""
        return sorted(cells, key=self._policy(side, packed).__getitem__, reverse=True)

    def defences(self, side: Side, packed: Packed, threats: Sequence[Square]) -> list[Square]:
        """Return the moves of `side` that stop all the opponent's `threats`, then its own fours."""
        stops = self.stops(side, packed, threats)
        return stops + self.fours(side, packed, stops)

    def stops(self, side: Side, packed: Packed, threats: Sequence[Square]) -> list[Square]:
        """Return the moves of `side` that stop all the opponent's `threats`, likeliest first."""
        near = -1
        for cell in threats:
            near &= self._lines_of_threat(1 - side, cell)
        lines, codes = self._board.lines, self._board.codes
        cells = [
            cell
            for cell in cells_of(near)
            if lines.is_empty(codes, cell) and self._stops(side, packed, cell)
        ]
        return self._board.permitted(side, self.likeliest_first(side, cells, packed), packed)

    def fours(self, side: Side, packed: Packed, known: Sequence[Square]) -> list[Square]:
        """Return the cells where `side` makes a four, except those in `known`."""
        cells = [cell for cell in self._board.fours(side, packed) if cell not in known]
        return self._board.permitted(side, cells, packed)

    def _lines_of_threat(self, player: Side, cell: Square) -> int:
        """Return the lanes of the cells that may stop a four of `player` through `cell`.

        They are the cells at most four away from `cell`, on each line where a stone on `cell` can
        make a four.
        """
        cells, codes = 0, self._board.codes
        for line, index, near in self._board.lines.through[cell]:
            # A four through the cell needs three stones within four cells of it.
            stones = (codes[line] >> player & FIRST) << 8 >> 2 * index & 0x15555
            stones &= stones - 1
            if stones & stones - 1:
                cells |= near
        return cells

    def _stops(self, side: Side, packed: Packed, cell: Square) -> bool:
        """Does a stone of `side` on `cell` prevent every open four and every double four?"""
        board = self._board
        after = board.play(side, cell, packed)
        stopped = not board.threats(1 - side, after)
        board.take_back(side, cell)
        return stopped
