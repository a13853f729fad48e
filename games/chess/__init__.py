"""Chess and Chess960: the facts.  The rest is imported when a position is needed.

The files of this package, by subject:

    rules       tables (squares, pieces, moves, geometry, Zobrist keys), movegen, moves, position
    text        fen, san
    thinking    kernel (for search/pvs.py), successors, quiescence, ordering (with
                static exchanges), evaluation (the network), endgames, book
    data        network.bin, kpk.bin and kbnk.bin (endgames), polyglot.bin (keys of books),
                openings.bin (names of openings)
"""

from __future__ import annotations

from games.base import Game, Strength
from games.looks import CHEQUERS, MEN, MOVE, Looks
from games.options import BOOK_FILE, CHESS960, OWN_BOOK
from games.texts import write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from games.chess.position import ChessPosition
    from games.kernel import Kernel
    from games.types import Context, Options, Side, Tree

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Strength.nodes: with the default (250 at the lowest level), there would often be only one move to
# choose from.
NODES = 800, 87_100
# Fitted to games against Stockfish limited to a UCI_Elo: docs/lab/chess.md.
_RATINGS = (
    *(1250, 1290, 1330, 1370, 1420, 1490, 1560, 1610, 1670, 1720),
    *(1760, 1790, 1820, 1850, 1890, 1930, 1960, 1980, 2000, 2020, 2150),
)


class Chess(Game):
    """Chess by the rules of FIDE, with castling for all Chess960 set-ups."""

    name = "chess"
    start_text = START_FEN
    title = "Chess"
    options = (CHESS960, OWN_BOOK, BOOK_FILE)
    reductions = True
    alternates = True
    repetition = True
    colours = ("White", "Black")
    symmetries: tuple[str, ...] = ("flip swap",)
    looks = Looks(MEN, CHEQUERS, MOVE, rights="KQkq")
    san = True
    openings = "chess/openings.bin"
    strength = Strength(NODES, (0.78, 0.645, 0.505, 0.385, 0.29), _RATINGS)
    counter_words = 2
    bench: tuple[tuple[str | None, int], ...] = (
        (None, 8),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 7),
        ("2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23", 8),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 10),
    )

    def parse(self, text: str, options: Options) -> ChessPosition:
        from games.chess.fen import read

        chess960 = bool(options.get(CHESS960.name))
        position = self.position_class(self, chess960, *read(self, text, chess960))
        position.validate()
        return position

    @property
    def position_class(self) -> type[ChessPosition]:
        """Return the class of this game's positions."""
        from games.chess.position import ChessPosition

        return ChessPosition

    def check_board(self, board: list[int], text: str) -> None:
        """Raise PositionError if no game can be played on the board.

        text: the field of the FEN that describes the board, for the error.
        """
        from games.chess import fen

        fen.check_kings(board, text)
        fen.check_pawns(board, text)
        fen.check_counts(board, text)

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        """Return the FEN of an edited position, with move number 1; see Game.arrange()."""
        return f"{write_board(rows[::-1])} {'wb'[side]} {rights or '-'} - 0 1"

    def options_for(self, text: str) -> Options:
        """Return the option Chess960 if the castling rights aren't possible in standard chess."""
        position = self.parse(text, {CHESS960.name: True})
        white, black = position.castling.moves
        usual = all(king & 7 == 4 and rook & 7 in (0, 7) for _, king, rook, _, _ in white + black)
        return {} if usual else {CHESS960.name: True}

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        from games.chess.kernel import chess_kernel
        from games.chess.position import ChessPosition

        assert isinstance(position, ChessPosition)
        return chess_kernel(position, context, tree)


GAMES = [Chess()]
