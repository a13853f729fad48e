"""Five in a row: Gomoku by exactly five, by five or more, and Renju.

Rules:     rules.py (lines as ints, rows that win, forbidden points), position.py.
Knowledge: network.py (the learned weights), patterns.py (what a line's stones threaten), maps.py
           (the threats on a board, updated with each move), board.py (the board of a search, and
           the moves worth trying).
Search:    threats.py (wins by continuous fours, by continuous threats), root.py (such wins at
           the root, and how a decided game ends), kernel.py (the search below the root).
"""

from __future__ import annotations

import re

from games.base import Game, Scores, Strength
from games.gomoku.rules import MAX_PLIES, NEARLY_DECIDED, PASS
from games.grid import arrange
from games.looks import DISCS, WOOD, Looks
from games.options import BOARD_SIZE, SEED, VARIETY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games import base
    from games.gomoku.position import GomokuPosition
    from games.kernel import Kernel
    from games.types import Context, Options, Tree


_SQUARE = re.compile("[A-Ta-t][0-9]{1,2}")
_TRANSCRIPT = re.compile(f"(?:{_SQUARE.pattern}){{2,999}}")


class Gomoku(Game):
    """The game in which exactly five in a row win; six do not.

    exact: for each player, must a row have exactly five stones to win?
    forbidden: does the first player have forbidden points?
    """

    name = "gomoku"
    title = "Gomoku, exactly five"
    options = (BOARD_SIZE, VARIETY, SEED)
    strength = Strength(carelessness=(0.53, 0.37, 0.26, 0.17, 0.1), varied_stones=3)
    max_plies = MAX_PLIES
    symmetries: tuple[str, ...] = ("mirror", "transpose", "swap")
    looks = Looks(DISCS, WOOD, row=5)
    scores = Scores(decided=NEARLY_DECIDED - MAX_PLIES)
    alternates = True
    reductions = True
    exact = (True, True)
    forbidden = False
    arrange = staticmethod(arrange)

    def start(self, options: Options) -> GomokuPosition:
        """Return an empty board of BoardSize rows."""
        from games.gomoku.position import GomokuPosition

        return GomokuPosition(self, options.get(BOARD_SIZE.name, BOARD_SIZE.default))

    def parse(self, text: str, options: Options) -> GomokuPosition:
        """Return the position of a text, which has the rows of the board and the side to move."""
        from games.gomoku.position import position_of

        return position_of(self, text)

    def split_moves(self, text: str) -> list[str]:
        """Split a word such as h8h9i8 into its moves; return any other word whole."""
        return _SQUARE.findall(text) if _TRANSCRIPT.fullmatch(text) else [text]

    def kernel(self, position: base.Position, context: Context, tree: Tree) -> Kernel:
        """Return the kernel, which searches on threat maps."""
        from games.gomoku.kernel import gomoku_kernel

        return gomoku_kernel(position, tree)


class GomokuFreestyle(Gomoku):
    """The game in which five or more in a row win."""

    name = "gomokufreestyle"
    title = "Gomoku, freestyle"
    exact = (False, False)


class Renju(Gomoku):
    """The game in which Black wins by exactly five, White by five or more.

    Black has forbidden points.
    """

    name = "renju"
    title = "Renju"
    exact = (True, False)
    forbidden = True
    pass_move = PASS
    openings = "gomoku/openings.bin"
    symmetries = ("mirror", "transpose")


GAMES = [Gomoku(), GomokuFreestyle(), Renju()]
