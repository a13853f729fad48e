"""The board that all parts of a Gomoku search share: line codes, threat maps, moves worth trying.

The packed value (maps.py), the key and the side to move are passed from node to node as
arguments; only the codes of the lines change in place.
"""

from __future__ import annotations

from functools import reduce
from itertools import compress
from operator import and_

from games.gomoku.maps import LANE_MASK, WINS_MASK, build_moves, cells_of, first_cell, maps_of
from games.gomoku.network import (
    OTHER_FOUR,
    OTHER_FOUR_THREE,
    OTHER_THREES,
    OWN_FOUR,
    OWN_FOUR_THREE,
    OWN_THREES,
    THREAT,
)
from games.gomoku.rules import FIRST, LANE, LINES_OF, is_forbidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.gomoku.maps import Packed
    from games.gomoku.position import GomokuPosition
    from games.types import Check, Key, Score, Side, Square


# The maximum number of quiet moves to search: FULL_WIDTH at the root and at nodes where the
# likeliest WIDTH moves all lose, WIDTH at all other nodes.
WIDTH = 12
FULL_WIDTH = 36
# Tables for bytes.translate: 1 if a cell's policy is at least a threshold, else 0.  If enough cells
# reach a threshold, cells below it need not be ranked.
_AT_LEAST = [bytes(int(policy >= low) for policy in range(256)) for low in (36, 32, 28, 24, 2)]


class ThreatBoard:
    """The board on which a search plays its moves.

    codes: the code of each line, and one more that stays 0.
    packed, key, side: the packed value, the key and the side to move at the root; make() and undo()
        change them.
    play(side, cell, packed) -> packed, take_back(side, cell): see maps.build_moves.
    count: see begin(); shared by all parts of a search.
    restricted: the player with forbidden points, -1 if neither player has any.
    facts(side, packed) -> (the facts of network.py with `side` to move, the opponent's threats()).
    """

    def __init__(self, position: GomokuPosition) -> None:
        self.lines = LINES_OF[position.size]
        self.maps = maps_of(position.size, position.game.exact)
        self.codes = [*position.codes, 0]
        self.key, self.side = position.key, position.side
        self.count = [0, 0]
        self.check: Check  # set by begin()
        self._stack: list[tuple[Packed, Key, Square]] = []
        self.play, self.take_back = build_moves(self.maps, self.codes)
        self.packed = self.maps.packed(position.codes)
        self.restricted = 0 if position.game.forbidden else -1
        self.facts = _build_facts(self)

    def begin(self, check: Check, count: list[int] | None = None) -> None:
        """Begin a search.

        check: see Check of games/types.py.
        count: [node count, count at which to call check]; if None, nodes are counted from 0.
        """
        self.count, self.check = [0, 0] if count is None else count, check

    def visit(self, nodes: int = 1) -> None:
        """Count nodes, and call `check` when it is due."""
        self.count[0] += nodes
        if self.count[0] >= self.count[1]:
            self.count[1] = self.check(self.count[0])

    def make(self, cell: Square) -> None:
        """Play a move from the root; the position after it is the new root."""
        self._stack.append((self.packed, self.key, cell))
        self.packed = self.play(self.side, cell, self.packed)
        self.key ^= self.lines.keys[self.side][cell]
        self.side = 1 - self.side

    def undo(self) -> None:
        """Take back the move that make() played."""
        self.side = 1 - self.side
        self.packed, self.key, cell = self._stack.pop()
        self.take_back(self.side, cell)

    # ---- forbidden points ------------------------------------------------------------

    def forbidden(self, side: Side, cell: Square, packed: Packed) -> bool:
        """Is `cell` forbidden to `side`?"""
        if side != self.restricted:
            return False
        # Only a stone that makes two fours, two threes or a row of six needs a closer look.
        maps = self.maps
        suspects = (packed >> maps.fours[side] | packed >> maps.threes[side]) & maps.twice
        return bool(suspects >> LANE * cell & LANE_MASK) and is_forbidden(
            self.lines, self.codes, cell
        )

    def permitted(self, side: Side, cells: list[Square], packed: Packed) -> list[Square]:
        """Return those of `cells` that Renju does not forbid to `side`."""
        if side != self.restricted:
            return cells
        return [cell for cell in cells if not self.forbidden(side, cell, packed)]

    def any_permitted(self, side: Side, cells: list[Square], packed: Packed) -> Square:
        """Return the first of `cells` that Renju does not forbid to `side`.

        If all of them are forbidden, return another legal move or, if there is none, a forbidden
        one.  `cells`: at least one empty cell.
        """
        for cell in (*cells, *self.lines.order):
            if self.lines.is_empty(self.codes, cell) and not self.forbidden(side, cell, packed):
                return cell
        return cells[0]

    def reply_to_five(self, side: Side, made: int, packed: Packed) -> tuple[Square, Square | None]:
        """Return (the opponent's reply, the cell where `side` then makes five; None if nowhere).

        The reply blocks the first five if Renju allows that.
        made: the map of the cells where `side` could make five if it were to move; not 0.
        """
        block, opponent = first_cell(made), 1 - side
        if opponent == self.restricted and self.forbidden(opponent, block, packed):
            return self.any_permitted(opponent, [block], packed), block
        others = made >> LANE * (block + 1)
        return block, block + 1 + first_cell(others) if others else None

    # ---- evaluation ------------------------------------------------------------------

    def won(self, packed: Packed) -> bool:
        """Has a player made a winning five?"""
        return bool(packed & WINS_MASK)

    def terms(self) -> list[tuple[str, Score]]:
        """Return [(name, score)] at the root; the scores add up to the evaluation."""
        side, packed, score = self.side, self.packed, self.maps.network.score
        windows, (facts, _) = score(packed, side, 0), self.facts(side, packed)
        return [("windows", windows), ("double threats", score(packed, side, facts) - windows)]

    # ---- threats ---------------------------------------------------------------------

    def fives(self, side: Side, packed: Packed) -> list[Square]:
        """Return the cells where a stone of `side` makes five."""
        return cells_of(packed >> self.maps.fives[side] & self.maps.lanes)

    def fours(self, side: Side, packed: Packed) -> list[Square]:
        """Return the cells where a stone of `side` makes a four, even those that Renju forbids."""
        return cells_of(packed >> self.maps.fours[side] & self.maps.lanes)

    def threats(self, side: Side, packed: Packed) -> list[Square]:
        """Return the cells where `side` may make an open four or two fours at once."""
        lanes = packed >> self.maps.fours[side] & self.maps.twice
        return self.permitted(side, cells_of(lanes), packed) if lanes else []

    # ---- moves worth searching -------------------------------------------------------

    def moves(self, side: Side, packed: Packed, count: int = WIDTH) -> list[Square]:
        """Return the moves worth searching for `side`, best first; empty if no move helps.

        If a move makes a five, blocks one, or makes an open four or two fours at once, only that
        move is returned.  If the opponent threatens an open four or two fours at once, the moves
        are those that stop all such threats, and the fours of `side`; without such moves, the game
        is lost.  In all other positions, the moves are those of quiet().
        """
        wins = self.fives(side, packed)
        if wins:
            return wins[:1]
        blocks = self.fives(1 - side, packed)
        if blocks:
            return self.permitted(side, blocks, packed)[:1]
        wins = self.threats(side, packed)
        if wins:
            return wins[:1]
        threats = self.threats(1 - side, packed)
        if threats:
            return self.defences(side, packed, threats)
        return self.quiet(side, packed, count)

    def quiet(self, side: Side, packed: Packed, count: int = WIDTH) -> list[Square]:
        """Return the likeliest cells by policy, at most `count`, likeliest first."""
        policy = self.maps.policy(side, packed)
        for threshold in _AT_LEAST:
            kept = policy.translate(threshold)
            if kept.count(1) < count and threshold != _AT_LEAST[-1]:
                continue
            # Equally likely cells are returned from the last cell of the board to the first.
            cells = compress(range(self.maps.cells - 1, -1, -1), kept[::-1])
            likeliest = sorted(cells, key=policy.__getitem__, reverse=True)
            # Renju may forbid some of the cells; if too few are left, lower the threshold.
            likeliest = self.permitted(side, likeliest, packed)
            if len(likeliest) >= count:
                break
        return likeliest[:count]

    def likeliest_first(self, side: Side, cells: list[Square], packed: Packed) -> list[Square]:
        """Return `cells`, likeliest first for `side`, which is to move."""
        return sorted(cells, key=self.maps.policy(side, packed).__getitem__, reverse=True)

    def defences(self, side: Side, packed: Packed, threats: Sequence[Square]) -> list[Square]:
        """Return the moves of `side` that stop all the opponent's `threats`, then its own fours."""
        stops = self.stops(side, packed, threats)
        return stops + self.other_fours(side, packed, stops)

    def stops(self, side: Side, packed: Packed, threats: Sequence[Square]) -> list[Square]:
        """Return the moves of `side` that stop all the opponent's `threats`, likeliest first."""
        near = reduce(and_, [self._lines_of_threat(1 - side, cell) for cell in threats])
        lines, codes = self.lines, self.codes
        cells = [
            cell
            for cell in cells_of(near)
            if lines.is_empty(codes, cell) and self._stops(side, packed, cell)
        ]
        return self.permitted(side, self.likeliest_first(side, cells, packed), packed)

    def other_fours(self, side: Side, packed: Packed, known: Sequence[Square]) -> list[Square]:
        """Return the cells where `side` makes a four, except those in `known`."""
        cells = [cell for cell in self.fours(side, packed) if cell not in known]
        return self.permitted(side, cells, packed)

    def _lines_of_threat(self, player: Side, cell: Square) -> int:
        """Return the lanes of the cells that may stop a four of `player` through `cell`.

        They are the cells at most four away from `cell`, on each line where a stone on `cell` can
        make a four.
        """
        cells, codes = 0, self.codes
        for line, index, near in self.lines.through[cell]:
            # A four through the cell needs three stones within four cells of it.
            stones = (codes[line] >> player & FIRST) << 8 >> 2 * index & 0x15555
            stones &= stones - 1
            if stones & stones - 1:
                cells |= near
        return cells

    def _stops(self, side: Side, packed: Packed, cell: Square) -> bool:
        """Does a stone of `side` on `cell` prevent every open four and every double four?"""
        after = self.play(side, cell, packed)
        stopped = not self.threats(1 - side, after)
        self.take_back(side, cell)
        return stopped


def _build_facts(board: ThreatBoard) -> Callable[[Side, Packed], tuple[int, list[Square]]]:
    """Return facts(side, packed): see ThreatBoard."""
    maps, threats_of = board.maps, board.threats
    # Both players' threes and fours are examined at once, with player 1's lanes above player 0's.
    first_threes, fours_above = maps.threes[0], maps.fours[0] - maps.threes[0]
    above = LANE * maps.cells
    both, sevens, eights = (mask << above | mask for mask in (maps.lanes, maps.sevens, maps.eights))
    lanes = [maps.lanes, maps.lanes << above]
    twice = [maps.twice, maps.twice << above]
    two_threes = twice[:]
    if board.restricted >= 0:
        two_threes[board.restricted] = 0  # Renju forbids two threes

    def facts(side: Side, packed: Packed) -> tuple[int, list[Square]]:
        opponent = 1 - side
        made = packed >> first_threes
        threes, fours = made & both, made >> fours_above & both
        # Adding 7 sets the top bit of each lane that isn't 0, so this marks the cells where a stone
        # makes both a four and a three.
        crossings = fours + sevens & threes + sevens & eights if fours else 0
        threats = threats_of(opponent, packed) if fours & twice[opponent] else []
        bits = THREAT if threats else 0
        if threes & two_threes[side]:
            bits |= OWN_THREES
        if threes & two_threes[opponent]:
            bits |= OTHER_THREES
        if crossings & lanes[side]:
            bits |= OWN_FOUR_THREE
        if crossings & lanes[opponent]:
            bits |= OTHER_FOUR_THREE
        if fours & lanes[side]:
            bits |= OWN_FOUR
        if fours & lanes[opponent]:
            bits |= OTHER_FOUR
        return bits, threats

    return facts
