"""The options of the built-in games, declared once.

They stand apart from the games because a front end is told all of them at its first line, before any game is
imported.  A game lists the ones that it obeys in its `options`.
"""
from __future__ import annotations

from games.base import Option

CHESS960 = Option("UCI_Chess960", "check", False, help="castling by king takes rook, as in Chess960")
BOARD_SIZE = Option("BoardSize", "spin", 15, 5, 20, help="rows and columns of the Gomoku board")
TRACE = Option("Trace", "check", False, help="print each visited node of a tree and the pruned ones")
ALGORITHM = Option("Algorithm", "combo", "alphabeta", choices=("alphabeta", "minimax"),
                   help="how an explicit tree is searched")
OWN_BOOK = Option("OwnBook", "check", True, help="play from the engine's own opening book where it has one")
BOOK_FILE = Option("BookFile", "string", "", help="a Polyglot opening book for chess",
                   is_file=True)
VARIETY = Option("Variety", "check", False, help="choose at random among equally good opening moves")
SEED = Option("Seed", "spin", 0, 0, 2**31 - 1, help="seed of the random choices; 0 takes a new one each time")

BUILT_IN = (CHESS960, BOARD_SIZE, TRACE, ALGORITHM, OWN_BOOK, BOOK_FILE, VARIETY, SEED)
