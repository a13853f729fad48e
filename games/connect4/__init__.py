"""Connect Four: the facts of the game.

Reading order: bits.py (the board as ints), position.py (rules, texts, evaluation);
solver.py (exact scores), book.py (scores of the opening), root.py (the solver at the root).
"""

from __future__ import annotations

from games.base import Game, Strength
from games.grid import arrange
from games.looks import DISCS, DROP, RACK, Looks
from games.options import OWN_BOOK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.connect4.position import Connect4Position
    from games.types import Options


class Connect4(Game):
    """Four in a row on seven columns of six cells."""

    name = "connect4"
    title = "Connect Four"
    options = (OWN_BOOK,)
    colours = ("X", "O")
    looks = Looks(DISCS, RACK, DROP, ("Yellow", "Red"), row=4)
    strength = Strength(carelessness=(1.44, 1.07, 0.53, 0.39, 0.23))
    max_plies = 42
    alternates = True
    # Left and right can be exchanged.  The players can't be exchanged, since the first one needs
    # threats in odd rows and the second one in even rows.
    symmetries = ("mirror",)
    bench = ((None, 8), ("7/7/3o3/3x3/2xo3/o1xox2 x", 10))
    arrange = staticmethod(arrange)

    def start(self, options: Options) -> Connect4Position:
        """Return the empty board."""
        from games.connect4.position import Connect4Position

        return Connect4Position(self)

    def split_moves(self, text: str) -> list[str]:
        """Split a word like `4444` into its moves, which are usually written without spaces."""
        return list(text) if text.isascii() and text.isdigit() else [text]

    def parse(self, text: str, options: Options) -> Connect4Position:
        """Return the position of a text: rows and the side to move, or Fairy-Stockfish's FEN."""
        from games.connect4.position import parse

        return parse(self, text)


GAMES = [Connect4()]
