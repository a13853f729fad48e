"""The kernel of variants: chess's kernel, which also detects wins by the variant's own rule."""

from __future__ import annotations

from games.base import WIN
from games.chess.kernel import chess_kernel
from games.chess.variants.position import VariantPosition
from games.quiescence import ILLEGAL

_THREAT = 1500  # centipawns for a threat to win with the next move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.chess.kernel import State
    from games.kernel import Kernel
    from games.quiescence import Quiesce
    from games.types import Context, Moves, NodeData, Tree


def variant_kernel(
    position: VariantPosition,
    context: Context,
    tree: Tree,
    adapt: Callable[[Quiesce], Quiesce] = lambda quiesce: quiesce,
) -> Kernel:
    """Return the Kernel of a search from `position`.

    adapt(quiesce): returns the variant's quiescence search.  quiesce: chess's search, preceded by a
        test for the variant's own ends of the game.
    """
    value_of_end, winning_move = position.value_of_end, position.winning_move
    is_attacked = position.attacks.is_attacked
    kings = position.kings
    lines = tree.lines

    def decided(state: State, ply: int) -> int | None:
        """Return the score if the variant's rule has ended the game or the next move wins by it."""
        value = value_of_end(state[4])
        if value is not None:
            lines[ply] = []
            return value * (WIN - ply)
        move = winning_move(state[4])
        if move < 0:
            return None
        lines[ply] = [move]
        return WIN - ply - 1

    def ending(quiesce: Quiesce) -> Quiesce:
        def quiesce_or_end(state: State, alpha: int, beta: int, ply: int) -> int:
            score = decided(state, ply)
            if score is None:
                return quiesce(state, alpha, beta, ply)
            # Moves in quiescence are pseudo-legal: the last one may have left its king in check.
            side = state[4]
            return ILLEGAL - ply if is_attacked(kings[side ^ 1], side) else score

        return adapt(quiesce_or_end)

    kernel = chess_kernel(position, context, tree, ending)
    final_of_chess = kernel.root_final

    def root_final(state: State, depth: int) -> int | None:
        value = value_of_end(state[4])
        return final_of_chess(state, depth) if value is None else value * (WIN - 1)

    kernel.early_return = lambda state, depth, alpha, beta, ply, null_allowed: decided(state, ply)
    kernel.root_final = root_final
    root_of_chess, successors_of_chess = kernel.root_state, kernel.successors

    def root_state() -> State:
        key, static, *rest = root_of_chess()
        threat = _THREAT if winning_move(position.side ^ 1) >= 0 else 0
        return key, static - threat, *rest

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Moves:
        """Yield chess's moves; lower the child's evaluation if the mover threatens to win."""
        side = state[4]
        for move, child, depth_left, reduction in successors_of_chess(state, depth, ply, node):
            if child is not None and winning_move(side) >= 0:
                key, static, *rest = child
                child = key, static - _THREAT, *rest
            yield move, child, depth_left, reduction

    if type(position).winning_move is not VariantPosition.winning_move:
        kernel.root_state, kernel.successors = root_state, successors
    return kernel
