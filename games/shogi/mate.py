"""Mates by checks alone, found by df-pn (Nagai 2002).

The attacker's goal is a mate, the defender's is to avoid it.  The proof number of a node is the
minimum number of leaves that must still be solved to prove that its side to move reaches the goal;
the disproof number is the minimum to disprove this.  One good move is enough, so a proof number is
the minimum of the children's disproof numbers, and a disproof number is the sum of their proof
numbers.  The search goes to the most-proving leaf, and leaves a subtree as soon as another subtree
looks easier.
"""

from __future__ import annotations

from games.base import WIN
from games.data import Lazy
from games.ordering import MOVE_MASK
from games.shogi.movegen import NO_HISTORY, move_tables
from games.shogi.ordering import check_masks
from games.solver import BudgetSpent, Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.shogi.position import ShogiPosition
    from games.types import Context, Key, Move

_SOLVED = 1 << 40  # exceeds the proof and disproof numbers of all unsolved nodes
# (proof number, disproof number, plies to the mate if there is one).
_UNKNOWN = (1, 1, 0)
_PROVEN = (0, _SOLVED, 0)
_DISPROVEN = (_SOLVED, 0, 0)
# A line of this number of plies counts as no mate.
_LONGEST = 80
# The number of positions whose moves are remembered.
_MAX_ENTRIES = 400_000
# A search gives up at this number of nodes, since its table would become too large.
_MAX_NODES = 2_000_000
# The search for mates before each ordinary search may take this share of the planned time or nodes,
# and at most this number of nodes.
_SHARE, _ROOT_NODES = 0.03, 1000


def solve(position: ShogiPosition, context: Context) -> Iterator[Line]:
    """Yield the Line of a mate by checks that a short search finds.

    Yields nothing if several lines are requested, if the mating move is not a root move, or if the
    mate takes more moves than requested.
    """
    mate = context.limits.mate
    if context.options.get("MultiPV", 1) > 1:
        return
    effort = (1.0, _MAX_NODES) if mate else (_SHARE, _ROOT_NODES)
    search = MateSearch(position, context, *effort)
    line = search.line()
    context.watch.nodes = search.nodes
    if line and line[0] in context.root_moves and (not mate or len(line) <= 2 * mate - 1):
        yield Line(WIN - len(line), line, len(line), exact=True)


class MateSearch:
    """A search for mates that the side to move gives by checks alone.

    nodes: number of positions visited.
    """

    def __init__(
        self, position: ShogiPosition, context: Context, share: float = 1.0, most: int = _MAX_NODES
    ) -> None:
        """Prepare a search from `position`.

        share: of the remaining time and nodes.  most: the maximum number of nodes.
        """
        self._position = position.copy()
        self._attacker, self._check = position.side, context.budget(share, most=most).check
        self._next_check = 0
        self._table: dict[Key, tuple[int, int, int]] = {}
        self._children = Lazy(self._find_children, _MAX_ENTRIES)
        self._path: set[Key] = set()
        self.nodes = 0

    def line(self) -> list[Move] | None:
        """Return the moves of a mate, [] if there is none, None if BudgetSpent ends the search."""
        try:
            self._visit(_SOLVED, _SOLVED, True)
        except BudgetSpent:
            return None
        prove, disprove, _ = self._table[self._position.key]
        if prove:
            return None if disprove else []
        # The attacker chooses the shortest mate, the defender the longest defence.
        line: list[Move] = []
        attacking = True
        while children := self._children[self._position.key]:
            entries = [(self._table.get(key, _UNKNOWN), move) for move, key in children]
            proven = [(entry[2], move) for entry, move in entries if not entry[attacking]]
            _, move = min(proven) if attacking else max(proven)
            line.append(move)
            self._position.make(move)
            attacking = not attacking
        return line

    def _find_children(self, key: Key) -> list[tuple[Move, Key]]:
        """Return (move, key after it) for each check of the attacker or each move of the defender.

        key: the key of the current position.
        """
        position, rules, side = self._position, self._position.rules, self._position.side
        moves = checks(position) if side == self._attacker else position.playable_moves()
        return [(move, rules.key_after(key, side, rules.change_of(move, side))) for move in moves]

    def _visit(self, most_to_prove: int, most_to_disprove: int, attacking: bool) -> None:
        """Search until the position's proof or disproof number reaches its limit."""
        self.nodes += 1
        if self.nodes >= self._next_check:
            self._next_check = self._check(self.nodes)
        key = self._position.key
        table = self._table
        path = self._path
        children = self._children[key]
        if not children or len(path) >= _LONGEST:
            table[key] = _DISPROVEN if attacking or not children else _PROVEN
            return
        path.add(key)
        # A line that repeats a position counts as no mate.
        repeated = _PROVEN if attacking else _DISPROVEN
        while True:
            entries = [repeated if at in path else table.get(at, _UNKNOWN) for _, at in children]
            disproofs = [entry[1] for entry in entries]
            least, second = [*sorted(disproofs), _SOLVED][:2]
            best = disproofs.index(least)
            total = min(sum([entry[0] for entry in entries]), _SOLVED)
            longest = max([entry[2] for entry in entries if not entry[attacking]], default=0)
            table[key] = least, total, longest + 1
            if least >= most_to_prove or total >= most_to_disprove or not least or not total:
                break
            to_prove = most_to_disprove - total + entries[best][0]
            to_disprove = min(most_to_prove, second + 1)
            self._position.make(children[best][0])
            self._visit(to_prove, to_disprove, not attacking)
            self._position.undo()
        path.discard(key)


def checks(position: ShogiPosition) -> list[Move]:
    """Return the legal moves that give check; promotions that lose nothing are always made."""
    rules, side, occupied = position.rules, position.side, position.occupied()
    king, movers = position.kings[side ^ 1], move_tables(position.geometry, useful=True)
    moves = rules.captures(side, occupied, movers)
    moves += rules.quiets(side, NO_HISTORY, occupied, movers)
    moves += rules.drops(side, NO_HISTORY, check_masks(position.geometry, king))
    out = []
    for entry in moves:
        move = entry & MOVE_MASK
        start, to, _, placed, _ = rules.change_of(move, side)
        if position.attacks.gives_check(king, start, to, placed, side) and not position.fault(move):
            out.append(move)
    return out
