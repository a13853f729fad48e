"""Othello, and the same game under Fairy-Stockfish's notation (flipello).

Reading order: lanes.py (the board as ints), position.py (the rules and the texts);
patterns.py (the evaluation), kernel.py (the search); shallow.py, solver.py and root.py (the
exact solver, from its innermost part).
"""

from __future__ import annotations

import re

from games.base import Game, Scores, Strength
from games.looks import CLOTH, DISCS, Looks
from games.options import SEED, VARIETY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from games.kernel import Kernel
    from games.othello.position import OthelloPosition
    from games.types import Context, Options, Side, Tree

_MOVE = re.compile("[a-h][1-8]|pass|pa|ps|--")
_TRANSCRIPT = re.compile(f"(?:{_MOVE.pattern}){{2,999}}")

# Positions of `bench`, with forty and with fourteen empty squares.
_MIDGAME = "---------------------OO---OXXO---OXXOO---XOXX----OOOX----X------ X"
_ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


class Othello(Game):
    """Othello with a1 at the top left, as players write it."""

    name = "othello"
    options = (VARIETY, SEED)
    margin_unit = 100
    scores = Scores(best=6400, win_scale=300)
    strength = Strength(carelessness=(2.86, 1.97, 1.38, 1.03, 0.62), varied_stones=16)
    alternates = True
    bench: tuple[tuple[str | None, int], ...] = ((None, 9), (_MIDGAME, 8), (_ENDGAME, 14))
    # At most 60 discs are placed, and the game ends before two passes in a row.
    max_plies = 120
    # The value of PASS in lanes.py, which is imported only with the first position.
    pass_move = 64
    start_text = "---------------------------OX------XO--------------------------- X"
    openings = "othello/openings.bin"
    symmetries = ("turn", "transpose", "mirror swap")
    looks = Looks(DISCS, CLOTH, rank_one_on_top=True)

    def parse(self, text: str, options: Options) -> OthelloPosition:
        """Return the position of a text: 64 characters and the side to move, or a FEN with `/`."""
        from games.othello.position import OthelloPosition, read_text

        return OthelloPosition(self, *read_text(text))

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        """Return the text of a position: 64 characters from the top left, and the side to move."""
        from_top = rows if self.looks.rank_one_on_top else rows[::-1]
        return f"{''.join(from_top).replace('.', '-')} {'XO'[side]}"

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        """Return the kernel of the midgame."""
        from games.othello.kernel import othello_kernel
        from games.othello.position import OthelloPosition

        assert isinstance(position, OthelloPosition)
        return othello_kernel(position, tree)

    def split_moves(self, text: str) -> list[str]:
        """Split a transcript such as f5d6c3 into its moves; return any other word whole.

        A word with one square twice (`a1a1`) is a single move, Fairy-Stockfish's pass.
        """
        word = text.strip().lower()
        if not _TRANSCRIPT.fullmatch(word) or word[:2] == word[2:]:
            return [text]
        return _MOVE.findall(word)


class Flipello(Othello):
    """Othello with ranks counted from the bottom and Fairy-Stockfish's FEN."""

    name = "flipello"
    title = "Othello, ranks from below"
    bench = ((None, 6),)
    looks = Looks(DISCS, CLOTH)


GAMES = [Othello(), Flipello()]
