"""Five in a row: Gomoku by exactly five, by five or more, and Renju.

The facts stand here, the rules in position.py (with lines.py and notation.py) and renju.py.  What only a search
needs: segments.py and maps.py read threats and keep them along with the moves, field.py shares them, pick.py
chooses moves, fours.py and threes.py find wins by force, solver.py looks for one at the root, kernel.py is the
search below it, and ending.py shows how a decided game ends.
"""
from __future__ import annotations

from games.base import Game
from games.gomoku.facts import EXACTLY_FIVE, FIVE_OR_MORE, MOST_PLIES, NEARLY_DECIDED
from games.options import BOARD_SIZE, SEED, VARIETY


class Gomoku(Game):
    """Exactly five in a row win; six do not."""

    name = "gomoku"
    aliases = ("five",)
    options = (BOARD_SIZE, VARIETY, SEED)
    max_plies = MOST_PLIES
    decided = NEARLY_DECIDED - MOST_PLIES
    alternates = True
    reductions = True
    wins = (EXACTLY_FIVE, EXACTLY_FIVE)
    forbidden = False           # has the first player forbidden points?

    def start(self, options):
        """An empty board of BoardSize rows."""
        from games.gomoku.position import Position

        return Position(self, options.get(BOARD_SIZE.name, BOARD_SIZE.default))

    def parse(self, text, options):
        """The position of `rows side`; the number of rows is the size of the board."""
        from games.gomoku.notation import read_position

        return read_position(self, text)

    def kernel(self, position, context, tree):
        """The search on threat maps."""
        from games.gomoku.kernel import build

        return build(position, tree)


class GomokuFreestyle(Gomoku):
    """Five or more in a row win."""

    name = "gomokufreestyle"
    aliases = ("gobang",)
    wins = (FIVE_OR_MORE, FIVE_OR_MORE)


class Renju(Gomoku):
    """Black wins by exactly five and has forbidden points; White wins by five or more."""

    name = "renju"
    aliases = ()
    wins = (EXACTLY_FIVE, FIVE_OR_MORE)
    forbidden = True


GAMES = [Gomoku(), GomokuFreestyle(), Renju()]
