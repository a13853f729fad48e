"""Wins by continuous threats, which leave the defender few replies or none.

VCF, victory by continuous fours: every move makes a four, which leaves one reply.  Chains are
searched depth first.  A chain ends with a five, with an open four or with two fours at once.  If
the reply makes a four, too, the next move must block it and make a four again.

VCT, victory by continuous threats: fours and open threes until fours alone win.  Each move of
the attacker must threaten a five, an open four or two fours at once.  Against a five there is
one reply; against the other threats, the defender tries every move that stops all of them, and
every four of its own, which the attacker must answer.  A win that is found is proven, since no
other reply stops the threats.  This is the threat-space idea of Allis, van den Herik and
Huntjens (Go-Moku Solved by New Search Techniques, 1996).  They let the defender play several
defences at once; here each defence is a branch of an and-or tree.
"""

from __future__ import annotations

from games.gomoku.maps import LANE_MASK, cells_of, first_cell
from games.gomoku.rules import LANE
from games.ordering import reorder_for_helper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.gomoku.board import ThreatBoard
    from games.gomoku.maps import Packed
    from games.types import Key, Move, Side, Square

    # attack(side, packed, key, depth, fours to leave out): see VCF._build().
    Attack = Callable[[Side, Packed, Key, int, int], "list[Move] | None"]


# Maximum number of fours in a chain.  If no chain up to this length wins, a longer one hardly ever
# does.
_LONGEST = 24
_MAX_FRUITLESS = 1 << 17


class VCF:
    """A search for chains of fours on a ThreatBoard, whose begin() must be called first.

    budget: number of fours that the search may still try; negative if the budget ended the last
        search before all chains were tried.
    """

    def __init__(self, board: ThreatBoard) -> None:
        self.budget = 0
        self._linked = False
        # {key: the number of fours with which a search from the position failed}.
        self._lost: dict[Key, int] = {}
        # The keys of positions where linked() failed.
        self._fruitless: set[Key] = set()
        self._attack = self._build(board)

    def win(
        self, side: Side, packed: Packed, key: Key, budget: int, longest: int = _LONGEST
    ) -> list[Move] | None:
        """Return both players' moves in a winning chain, up to the five; None if none is found.

        budget: number of fours that may be tried.  longest: maximum number of fours in the chain.
        """
        if len(self._lost) > _MAX_FRUITLESS:
            self._lost.clear()
        self.budget, self._linked = budget, False
        return self._attack(side, packed, key, longest, 0)

    def linked(self, side: Side, packed: Packed, key: Key, budget: int) -> list[Move] | None:
        """Search as win() does, but only chains in which each four makes the next one possible.

        Such chains are few, so the search is fast.
        """
        if key in self._fruitless:
            return None
        self.budget, self._linked = budget, True
        line = self._attack(side, packed, key, _LONGEST, 0)
        if line is None and self.budget >= 0:
            if len(self._fruitless) > _MAX_FRUITLESS:
                self._fruitless.clear()
            self._fruitless.add(key)
        return line

    def shortest(self, side: Side, packed: Packed, key: Key, budget: int) -> list[Move] | None:
        """Return the winning chain with the fewest fours; all lengths share the budget."""
        best, longest = None, _LONGEST
        while longest > 0 and budget > 0:
            line = self.win(side, packed, key, budget, longest)
            budget = self.budget
            if line is None:
                break
            best, longest = line, len(line) // 2 - 1
        return best

    def _build(self, board: ThreatBoard) -> Attack:
        """Return attack(), a closure, since its names are faster than attributes of self."""
        maps, keys = board.maps, board.lines.keys
        play, take_back = board.play, board.take_back

        def attack(
            side: Side, packed: Packed, key: Key, depth: int, before: int
        ) -> list[Move] | None:
            """Return the remaining moves of a winning chain of `side`, which is to move, or None.

            depth: maximum number of fours that are left in the chain.
            before: a map of the cells where `side` could already make a four before its last move;
                linked() leaves them out.
            """
            made = packed >> maps.fives[side] & maps.lanes
            if made:
                return [first_cell(made)]
            blocks = packed >> maps.fives[1 - side] & maps.lanes
            options = packed >> maps.fours[side] & maps.lanes
            if not options:
                return None
            if depth <= 0 or not blocks and self._lost.get(key, -1) >= depth:
                return None
            if blocks:
                block = first_cell(blocks)
                # The chain fails if there are two fives to block, or if the block makes no four.
                if blocks >> LANE * (block + 1) or not options >> LANE * block & LANE_MASK:
                    return None
                moves = [block]
            else:
                # An open four or two fours at once win, so no other move is needed.
                fresh = options & ~before
                moves = cells_of(fresh & maps.twice) if side != board.restricted else []
                moves = moves or cells_of(fresh)
            if self._linked:
                before = options
            for move in moves:
                if board.forbidden(side, move, packed):
                    continue
                self.budget -= 1
                if self.budget < 0:
                    return None
                after = play(side, move, packed)
                line = after_four(side, after, key ^ keys[side][move], depth, before)
                take_back(side, move)
                if line:
                    return [move] + line
            # A chain that the budget cut short is not known to fail.
            if not blocks and not self._linked and self.budget >= 0:
                self._lost[key] = depth
            return None

        def after_four(
            side: Side, packed: Packed, key: Key, depth: int, before: int
        ) -> list[Move] | None:
            """Return the reply to the four that `side` has made, and the moves after it."""
            opponent = 1 - side
            board.visit(2)
            reply, five = board.reply_to_five(side, packed >> maps.fives[side] & maps.lanes, packed)
            if five is not None:
                return [reply, five]
            after = play(opponent, reply, packed)
            line = attack(side, after, key ^ keys[opponent][reply], depth - 1, before)
            take_back(opponent, reply)
            return [reply] + line if line else None

        return attack


# The number of fours that the attacker's VCF at a node may try before other threats are tried.
_FOURS = 15
_MAX_KNOWN = 1 << 16


class VCT:
    """A search for chains of threats on a ThreatBoard, whose begin() must be called first.

    cut: did a limit end the last search before all chains were tried?
    """

    def __init__(self, board: ThreatBoard, vcf: VCF, helper: int = 0) -> None:
        """Prepare a search.

        helper: number of the helper, 0 for the main search; it determines the order at the root.
        """
        self.cut, self._helper = False, helper
        self._root: Key | None = None
        self._tries = self._stop_at = 0
        self._board = board
        self._vcf = vcf
        # {key: the largest number of threats with which a search from the position failed}.
        self._lost: dict[Key, int] = {}
        self._won: dict[Key, list[Move]] = {}

    def win(
        self, side: Side, packed: Packed, key: Key, longest: int, budget: int
    ) -> list[Move] | None:
        """Return both players' moves in a winning line, up to the five; None if none is found.

        longest: maximum number of attacking moves; after them only fours are tried.
        budget: number of moves that may be tried.
        """
        if len(self._lost) > _MAX_KNOWN:
            self._lost.clear()
            self._won.clear()
        self._stop_at, self._root = self._tries + budget, key
        for depth in range(1, longest + 1):
            self.cut = False
            line = self._attack(side, packed, key, depth)
            if line or not self.cut or self._tries >= self._stop_at:
                return line
        return None

    def _attack(self, side: Side, packed: Packed, key: Key, depth: int) -> list[Move] | None:
        """Return a line of at most `depth` threats that wins for the mover, `side`; else None."""
        if key in self._won:
            return self._won[key]
        if self._lost.get(key, -1) >= depth or self._tries >= self._stop_at:
            self.cut = True
            return None
        board = self._board
        line = self._vcf.win(side, packed, key, _FOURS)
        if line is None and depth == 0:
            self.cut = True
        elif line is None:
            moves = self._threatening(side, packed)
            if self._helper and key == self._root:
                reorder_for_helper(moves, self._helper, 0)
            for move in moves:
                self._tries += 1
                board.visit()
                after = board.play(side, move, packed)
                reply = self._defend(side, after, key ^ board.lines.keys[side][move], depth)
                board.take_back(side, move)
                if reply:
                    line = [move] + reply
                    break
        if line:
            self._won[key] = line
        elif self._tries < self._stop_at:
            self._lost[key] = depth
        return line

    def _threatening(self, side: Side, packed: Packed) -> list[Square]:
        """Return the moves of `side` that may make a threat, likeliest first."""
        board, maps = self._board, self._board.maps
        cells = board.fives(1 - side, packed)
        if len(cells) > 1:  # one move can't block several fives
            return []
        if not cells:
            made = packed >> maps.fours[side] | packed >> maps.threes[side]
            cells = cells_of(made & maps.lanes)
            cells = board.likeliest_first(side, cells, packed)
        return board.permitted(side, cells, packed)

    def _defend(self, side: Side, packed: Packed, key: Key, depth: int) -> list[Move] | None:
        """Return the longest line if `side` wins against every reply of the defender; else None."""
        board = self._board
        maps = self._board.maps
        defender = 1 - side
        if packed >> maps.fives[defender] & maps.lanes:
            return None
        made = packed >> maps.fives[side] & maps.lanes
        if made:
            replies = [board.reply_to_five(side, made, packed)[0]]
        else:
            threats = board.threats(side, packed)
            if not threats:
                return None
            replies = board.defences(defender, packed, threats) or [
                board.any_permitted(defender, threats, packed)
            ]
        longest: list[Move] = []
        for reply in replies:
            board.visit()
            after = board.play(defender, reply, packed)
            line = self._attack(side, after, key ^ board.lines.keys[defender][reply], depth - 1)
            board.take_back(defender, reply)
            if line is None:
                return None
            if len(line) >= len(longest):
                longest = [reply] + line
        return longest
