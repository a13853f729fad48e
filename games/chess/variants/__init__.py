"""Variants of chess.  Each variant's file has what differs; the rest is inherited from chess.

rules, texts        each variant's own file; position.py (ends of the game, evaluation), hands.py
                    (pieces in hand), leaps.py (kings and knights that move differently)
thinking            kernel.py: chess's kernel, with the variant's own ends of the game
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
    """A variant of chess: the facts that all variants have in common."""

    record_name = ""  # its name in PGN's tag Variant; if empty, the title
    bench = ()
    openings = ""
    ratings = ()

    @property
    def position_class(self) -> type[VariantPosition]:
        """Return the class of this variant's positions."""
        raise NotImplementedError

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        from games.chess.variants.kernel import build
        from games.chess.variants.position import VariantPosition

        assert isinstance(position, VariantPosition)
        return build(position, context, tree)
