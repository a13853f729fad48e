"""Chess and Chess960: the facts.  The rules and the search are imported when a position is wanted."""
from __future__ import annotations

from games.base import Game
from games.options import BOOK_FILE, CHESS960, OWN_BOOK

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Chess(Game):
    """Chess by the rules of FIDE, with castling for all Chess960 set-ups."""

    name = "chess"
    aliases = ("standard", "normal")
    options = (CHESS960, OWN_BOOK, BOOK_FILE)
    reductions = True
    repetition = True
    colours = ("White", "Black")

    def start(self, options):
        return self.parse(START_FEN, options)

    def parse(self, text, options):
        from games.chess.fen import read

        return read(self, text, bool(options.get("UCI_Chess960")))


GAMES = [Chess()]
