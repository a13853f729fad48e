"""VCF, victory by continuous fours: every move makes a four, which leaves one reply.

Chains are searched depth first.  A chain ends with five, with an open four or with two fours
at once; if the reply makes a four itself, the next move must block it and make a four
again.
"""

from __future__ import annotations

from games.gomoku.maps import LANE, LANE_MASK, cells_of, first_cell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.gomoku.board import ThreatBoard
    from games.gomoku.maps import Packed
    from games.types import Key, Move, Side, Square

    # attack(side, packed, key, fours left, fours that linked() leaves alone)
    Attack = Callable[[Side, Packed, Key, int, int], "list[Move] | None"]

# The most fours in a chain; a longer one hardly ever exists if no shorter one does.
_LONGEST = 24
_MOST_KNOWN = 1 << 17


class VCF:
    """A search for chains of fours on a ThreatBoard whose search has begun."""

    def __init__(self, board: ThreatBoard) -> None:
        self._left = 0  # fours that may still be tried
        self._linked = False
        self._lost: dict[Key, int] = {}  # fours left in the last search that failed
        self._fruitless: set[Key] = set()  # the same, by linked()
        self._attack = self._build(board)

    def win(
        self, side: Side, packed: Packed, key: Key, budget: int, longest: int = _LONGEST
    ) -> list[Move] | None:
        """Return the moves of a won chain, both players', up to the five; None if none is found.

        budget: number of fours that may be tried.
        longest: greatest number of fours in the chain.
        """
        if len(self._lost) > _MOST_KNOWN:
            self._lost.clear()
        self._left, self._linked = budget, False
        return self._attack(side, packed, key, longest, 0)

    def linked(self, side: Side, packed: Packed, key: Key, budget: int) -> list[Move] | None:
        """Search as win(), but only chains in which each four was made possible by the last one.

        There are fewer of these chains, and they are soon tried.
        """
        if key in self._fruitless:
            return None
        self._left, self._linked = budget, True
        line = self._attack(side, packed, key, _LONGEST, 0)
        if line is None and self._left >= 0:
            if len(self._fruitless) > _MOST_KNOWN:
                self._fruitless.clear()
            self._fruitless.add(key)
        return line

    def shortest(self, side: Side, packed: Packed, key: Key, budget: int) -> list[Move] | None:
        """Search as win(), with the fewest fours that the budget, one for all lengths, can find."""
        best, longest = None, _LONGEST
        while longest > 0 and budget > 0:
            line = self.win(side, packed, key, budget, longest)
            budget = self._left
            if line is None:
                break
            best, longest = line, len(line) // 2 - 1
        return best

    def exhausted(self) -> bool:
        """Did the budget end the last search before all chains were tried?"""
        return self._left < 0

    def _build(self, board: ThreatBoard) -> Attack:
        """Return the search as closures: names bound once make it fast."""
        maps, keys = board.maps, board.lines.keys
        play, take_back = board.play, board.take_back
        forbidden, restricted = board.forbidden, board.restricted
        lanes, fives, fours = maps.lanes, maps.fives, maps.fours
        count, check = board.count, board.check

        def attack(
            side: Side, packed: Packed, key: Key, left: int, before: int
        ) -> list[Move] | None:
            """Return the rest of a chain that wins for `side`, to move, with `left` fours.

            before: the fours that could be made before the last one, as a map.
            """
            made = packed >> fives[side] & lanes
            if made:
                return [first_cell(made)]
            blocks = packed >> fives[1 - side] & lanes
            options = packed >> fours[side] & lanes
            if not options:
                return None
            if left <= 0 or not blocks and self._lost.get(key, -1) >= left:
                return None
            if blocks:
                block = first_cell(blocks)
                # Two fives to block, or the block makes no four.
                if blocks >> LANE * (block + 1) or not options >> LANE * block & LANE_MASK:
                    return None
                moves = [block]
            else:
                # An open four or two fours at once win: no other move is needed.
                fresh = options & ~before
                moves = cells_of(fresh & maps.twice) if side != restricted else []
                moves = moves or cells_of(fresh)
            if self._linked:
                before = options
            for move in moves:
                if side == restricted and forbidden(side, move, packed):
                    continue
                self._left -= 1
                if self._left < 0:
                    return None
                after = play(side, move, packed)
                line = after_four(side, after, key ^ keys[side][move], left, before)
                take_back(side, move)
                if line:
                    return [move] + line
            # A chain that the budget cut short is not known to fail.
            if not blocks and not self._linked and self._left >= 0:
                self._lost[key] = left
            return None

        def after_four(
            side: Side, packed: Packed, key: Key, left: int, before: int
        ) -> list[Move] | None:
            """Return the reply to the four just made by `side`, and the win after it."""
            opponent = 1 - side
            count[0] += 2
            if count[0] >= count[1]:
                count[1] = check(count[0])
            made = packed >> fives[side] & lanes
            reply: Square = first_cell(made)
            if opponent == restricted and forbidden(opponent, reply, packed):
                return [board.any_other(reply, packed), reply]
            rest = made >> LANE * (reply + 1)
            if rest:
                return [reply, reply + 1 + first_cell(rest)]
            after = play(opponent, reply, packed)
            line = attack(side, after, key ^ keys[opponent][reply], left - 1, before)
            take_back(opponent, reply)
            return [reply] + line if line else None

        return attack
