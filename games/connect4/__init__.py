"""Connect Four: the facts of the game.  Its rules are in position.py, its solver in solver.py."""
from __future__ import annotations

from games.base import Game
from games.options import OWN_BOOK


class Connect4(Game):
    name = "connect4"
    aliases = ("cfour", "connectfour", "connect_four")
    options = (OWN_BOOK,)
    colours = ("X", "O")
    solver_share = 0.5
    max_plies = 42
    alternates = True
    bench = ((None, 8), ("7/7/3o3/3x3/2xo3/o1xox2 x", 10))

    def start(self, options):
        from games.connect4.position import Connect4Position

        return Connect4Position(self)

    def split_moves(self, text):
        """Move lists of Connect Four are usually written without blanks: `4444` is four moves."""
        return list(text) if text.isascii() and text.isdigit() else [text]

    def parse(self, text, options):
        from games.connect4.position import parse

        return parse(self, text)


GAMES = [Connect4()]
