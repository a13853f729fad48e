"""The kernel of variants: chess's, which also sees the ends of games by a variant's own rule."""

from __future__ import annotations

from games.base import WIN
from games.chess import kernel as chess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.kernel import Quiesce, State
    from games.chess.variants.position import VariantPosition
    from games.kernel import Kernel
    from games.types import Context, Tree


def build(
    position: VariantPosition,
    context: Context,
    tree: Tree,
    quiesce: Quiesce | None = None,
    judges: bool = True,
) -> Kernel:
    """Return the Kernel of a search from `position`.

    quiesce: instead of chess's.  judges: may the evaluation alone cut a move?
    """
    value_of_end, own_quiesce = position.value_of_end, quiesce

    def adapt(quiesce: Quiesce) -> Quiesce:
        def quiesce_or_end(state: State, alpha: int, beta: int, ply: int) -> int:
            value = value_of_end(state[4])
            if value is None:
                return quiesce(state, alpha, beta, ply)
            tree.lines[ply] = []
            return value * (WIN - ply)

        return own_quiesce or quiesce_or_end

    def early_return(
        state: State, depth: int, alpha: int, beta: int, ply: int, null_allowed: bool
    ) -> int | None:
        """Return the score of a finished game."""
        value = value_of_end(state[4])
        return None if value is None else value * (WIN - ply)

    kernel = chess.build(position, context, tree, adapt, judges)
    final_of_chess = kernel.root_final

    def root_final(state: State, depth: int) -> int | None:
        value = value_of_end(state[4])
        return final_of_chess(state, depth) if value is None else value * (WIN - 1)

    kernel.early_return, kernel.root_final = early_return, root_final
    return kernel
