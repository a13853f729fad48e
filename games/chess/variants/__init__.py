"""Variants of chess.  Each variant's file has what differs; the rest is inherited from chess.

rules, texts        each variant's own file; position.py (ends of the game, evaluation), hands.py
                    (pieces in hand)
thinking            kernel.py: chess's kernel, with the variant's own ends of the game
"""

from __future__ import annotations

from games.base import PositionError, Strength
from games.chess import NODES, START_FEN, Chess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from games.chess.position import ChessPosition
    from games.kernel import Kernel
    from games.types import Context, Options, Tree


class Variant(Chess):
    """A variant of chess: the facts that all variants have in common."""

    bench = ()
    openings = ""
    strength = Strength(NODES)

    def parse(self, text: str, options: Options) -> ChessPosition:
        """Return the position of a FEN.

        If chess's start position is invalid in the variant, the FEN of that position means the
        variant's own start: some records of variants contain this FEN by mistake.
        """
        try:
            return super().parse(text, options)
        except PositionError:
            if text.split()[:1] != START_FEN.split()[:1]:
                raise
            return super().parse(self.start_text, options)

    def check_board(self, board: list[int], text: str) -> None:
        """Raise PositionError if no game can be played on the board.

        A side may have more pieces than it begins with.
        """
        from games.chess import fen

        fen.check_kings(board, text)
        fen.check_pawns(board, text)

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        from games.chess.variants.kernel import variant_kernel
        from games.chess.variants.position import VariantPosition

        assert isinstance(position, VariantPosition)
        return variant_kernel(position, context, tree)
