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
    alternates = True
    repetition = True
    colours = ("White", "Black")
    bench = ((None, 8), ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 7),
             ("2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23", 8),
             ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 10))

    def start(self, options):
        return self.parse(START_FEN, options)

    def parse(self, text, options):
        from games.chess.fen import read
        from games.chess.position import ChessPosition

        chess960 = bool(options.get("UCI_Chess960"))
        return read(text, lambda *facts: ChessPosition(self, *facts, chess960))

    def kernel(self, position, context, tree):
        from games.chess.kernel import build

        return build(position, context, tree)


GAMES = [Chess()]
