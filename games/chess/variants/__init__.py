"""Variants of chess, each in a file that says what differs; the rest is inherited from chess.

rules, texts        position.py (ends of the game, evaluation), hands.py (pieces in hand), leaps.py
                    (of kings and knights), and of each variant in its own file
thinking            kernel.py: chess's kernel with a variant's own ends
"""

from __future__ import annotations

from games.chess import Chess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from games.chess.variants.position import VariantPosition
    from games.kernel import Kernel
    from games.types import Context, Tree


class Variant(Chess):
    """A variant of chess: the facts that all have in common."""

    record_name = ""  # in PGN's tag Variant; without one the title
    bench = ()
    openings = ""
    rated = False

    @property
    def position_class(self) -> type[VariantPosition]:
        """Return the class of its positions."""
        raise NotImplementedError

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        from games.chess.variants.kernel import build
        from games.chess.variants.position import VariantPosition

        assert isinstance(position, VariantPosition)
        return build(position, context, tree)
