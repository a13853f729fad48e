"""Three-check: chess in which giving check for the third time wins, too."""

from __future__ import annotations

from games.base import PositionError, Strength
from games.chess import NODES
from games.chess.variants import Variant
from games.chess.variants.kernel import variant_kernel
from games.chess.variants.position import VariantPosition
from games.keys import zobrist
from games.looks import CHEQUERS, MEN, MOVE, Looks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from games.base import Position
    from games.chess.kernel import State
    from games.kernel import Kernel
    from games.quiescence import Quiesce
    from games.types import Context, Moves, NodeData, Options, Side, Tree

_CHECKS = 3
# Centipawns by the number of checks that a side still has to give, learned by
# scripts/lab/variant_terms.py.
_VALUES = 0, 574, 318, 0
# _KEYS[side][checks left].
_KEYS = [[*zobrist(30 + side, _CHECKS), 0] for side in (0, 1)]


class ThreeCheckPosition(VariantPosition):
    """A position.  checks_left: [White's, Black's] number of checks still to give."""

    end_reason = "three checks"

    def __init__(self, *setup: Any) -> None:
        super().__init__(*setup)
        self.checks_left = [_CHECKS, _CHECKS]
        self._checked: list[bool] = []  # for each move made: did it give check?

    def set_checks(self, left: list[int]) -> None:
        """Set checks_left, and update the key."""
        for side in (0, 1):
            self.key ^= _KEYS[side][self.checks_left[side]] ^ _KEYS[side][left[side]]
        self.checks_left = left

    def extra(self) -> int:
        white, black = self.checks_left
        return self.network().bonus(_VALUES[white] - _VALUES[black])

    def make(self, move: int) -> None:
        super().make(move)
        player, left = self.side ^ 1, self.checks_left[self.side ^ 1]
        self._checked.append(move != 0 and self.in_check())
        if self._checked[-1]:
            self.key ^= _KEYS[player][left] ^ _KEYS[player][left - 1]
            self.checks_left[player] -= 1

    def undo(self) -> None:
        super().undo()
        self.checks_left[self.side] += self._checked.pop()

    def copy(self) -> ThreeCheckPosition:
        twin = super().copy()
        twin.checks_left, twin._checked = self.checks_left[:], self._checked[:]
        return twin

    def value_of_end(self, side: int) -> int | None:
        left = self.checks_left
        return -1 if not left[side ^ 1] else 1 if not left[side] else None

    def can_win(self, side: int) -> bool:
        return len(self.pieces[side]) > 1

    def text(self) -> str:
        fields = super().text().rsplit(" ", 2)
        return " ".join([fields[0], "{}+{}".format(*self.checks_left), *fields[1:]])

    def counts(self) -> tuple[str, str]:
        white, black = (f"checks left: {left}" for left in self.checks_left)
        return white, black

    def notes(self) -> list[str]:
        return ["Checks left: White {}, Black {}".format(*self.checks_left)]


class ThreeCheck(Variant):
    """Three-check."""

    name = "3check"
    title = "Three-check"
    strength = Strength(NODES, (1.13, 0.86, 0.66, 0.49, 0.33))
    looks = Looks(MEN, CHEQUERS, MOVE, rights="KQkq", counters="Checks left")
    position_class = ThreeCheckPosition

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        *fields, rule50, number = super().arrange(rows, side, rights).split()
        return " ".join([*fields, hands or f"{_CHECKS}+{_CHECKS}", rule50, number])

    def parse(self, text: str, options: Options) -> ThreeCheckPosition:
        fields, left = text.partition(";")[0].split(), [_CHECKS, _CHECKS]
        for field in [field for field in fields[3:] if "+" in field][:1]:
            fields.remove(field)
            left = _read_checks(field)
        position = super().parse(" ".join(fields), options)
        assert isinstance(position, ThreeCheckPosition)
        position.set_checks(left)
        return position

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        assert isinstance(position, ThreeCheckPosition)
        left, net, extra = position.checks_left, position.network(), position.extra
        is_attacked, kings = position.attacks.is_attacked, position.kings

        def counted(child: State) -> State:
            """Count the check in `child`, and return the state with its new key and evaluation."""
            key, _, rule50, _, other, acc, rights, ep, previous = child
            side = other ^ 1
            acc -= extra()
            left[side] -= 1
            acc += extra()
            key ^= _KEYS[side][left[side] + 1] ^ _KEYS[side][left[side]]
            return key, net.score(acc, other), rule50, True, other, acc, rights, ep, previous

        def adapt(quiesce: Quiesce) -> Quiesce:
            def quiesce_counting(state: State, alpha: int, beta: int, ply: int) -> int:
                """Count a check before quiescence, which doesn't look for checks."""
                side = state[4]
                if state[3] or not is_attacked(kings[side], side ^ 1):
                    return quiesce(state, alpha, beta, ply)
                score = quiesce(counted(state), alpha, beta, ply)
                left[side ^ 1] += 1
                return score

            return quiesce_counting

        kernel = variant_kernel(position, context, tree, adapt)
        successors_of_chess = kernel.successors

        def successors(state: State, depth: int, ply: int, node: NodeData) -> Moves:
            """Yield chess's moves; a check changes the child's key and evaluation."""
            for move, child, depth_left, reduction in successors_of_chess(state, depth, ply, node):
                if child is None or not child[3]:
                    yield move, child, depth_left, reduction
                    continue
                yield move, counted(child), depth_left, reduction
                left[state[4]] += 1

        kernel.successors = successors
        return kernel


def _read_checks(field: str) -> list[int]:
    """Return checks_left from a FEN's field, which tells checks left (`3+3`) or given (`+0+0`)."""
    counts = field.lstrip("+").split("+")
    if len(counts) != 2 or not all(count in ("0", "1", "2", "3") for count in counts):
        raise PositionError(field, "checks must be written as 3+3 (left) or +0+0 (given)")
    numbers = [int(count) for count in counts]
    return [_CHECKS - number for number in numbers] if field[0] == "+" else numbers


GAMES = [ThreeCheck()]
