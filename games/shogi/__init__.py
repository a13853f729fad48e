"""Shogi and minishogi.  The modules that implement them are imported with the first position.

The files of this package, by subject:

    rules       tables (squares, pieces, moves, geometry, Zobrist keys), movegen, position
    text        texts (readers of positions and moves)
    thinking    kernel (for search/pvs.py), successors, quiescence, ordering (with static
                exchanges), evaluation (the network), mate (df-pn)
    data        shogi.bin and minishogi.bin (the networks), shogi_book.bin (the opening book)
"""

from __future__ import annotations

from games.base import Game, Strength
from games.looks import MOVE, PAPER, WEDGES, Looks
from games.options import SHOGI_BOOK
from games.texts import Squares, write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from games.kernel import Kernel
    from games.shogi.position import ShogiPosition
    from games.types import Cell, Context, Options, Side, Tree

# The lower part of a start position in which White lacks some pieces, and begins.
_BELOW = "/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"

# Letter of a piece -> (its character, the character of its promoted form, its name).
_PIECES = {
    "K": ("玉", "", "king"),
    "R": ("飛", "竜", "rook"),
    "B": ("角", "馬", "bishop"),
    "G": ("金", "", "gold"),
    "S": ("銀", "全", "silver"),
    "N": ("桂", "圭", "knight"),
    "L": ("香", "杏", "lance"),
    "P": ("歩", "と", "pawn"),
}


def _looks(letters: str) -> Looks:
    """Return the looks of a game that has the pieces with these letters."""
    symbols, names = {}, {}
    for letter in letters:
        plain, promoted, name = _PIECES[letter]
        symbols[letter], names[letter] = plain, name
        if promoted:
            symbols["+" + letter], names["+" + letter] = promoted, f"promoted {name}"
    return Looks(WEDGES, PAPER, MOVE, symbols=symbols, names=names, drop_sign="*")


class ShogiSquares(Squares):
    """Names such as 7f: the file from the right, then the row from the top."""

    @property
    def column_labels(self) -> Sequence[str]:
        return "987654321"[-self.columns :]

    @property
    def row_labels(self) -> Sequence[str]:
        return "abcdefghi"[: self.rows][::-1]

    def name(self, cell: Cell) -> str:
        column, row = cell
        return self.column_labels[column] + self.row_labels[row]


class Shogi(Game):
    """Shogi.  size: number of rows and of files.

    The start position has all pieces of a set.  The weights of the evaluation are in NAME.bin.
    """

    name = "shogi"
    strength = Strength(carelessness=(0.82, 0.66, 0.51, 0.37, 0.23))
    size = 9
    # Names in records -> start positions: the usual one, then those with a handicap.
    handicaps = {
        "平手": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "香落ち": "lnsgkgsn1/1r5b1/ppppppppp" + _BELOW,
        "右香落ち": "1nsgkgsnl/1r5b1/ppppppppp" + _BELOW,
        "角落ち": "lnsgkgsnl/1r7/ppppppppp" + _BELOW,
        "飛車落ち": "lnsgkgsnl/7b1/ppppppppp" + _BELOW,
        "飛香落ち": "lnsgkgsn1/7b1/ppppppppp" + _BELOW,
        "二枚落ち": "lnsgkgsnl/9/ppppppppp" + _BELOW,
        "三枚落ち": "lnsgkgsn1/9/ppppppppp" + _BELOW,
        "四枚落ち": "1nsgkgsn1/9/ppppppppp" + _BELOW,
        "五枚落ち": "2sgkgsn1/9/ppppppppp" + _BELOW,
        "左五枚落ち": "1nsgkgs2/9/ppppppppp" + _BELOW,
        "六枚落ち": "2sgkgs2/9/ppppppppp" + _BELOW,
        "左七枚落ち": "2sgkg3/9/ppppppppp" + _BELOW,
        "右七枚落ち": "3gkgs2/9/ppppppppp" + _BELOW,
        "八枚落ち": "3gkg3/9/ppppppppp" + _BELOW,
        "十枚落ち": "4k4/9/ppppppppp" + _BELOW,
    }
    start_text = handicaps["平手"]
    book = "shogi/shogi_book.bin"
    options = (SHOGI_BOOK,)
    reductions = True
    alternates = True
    repetition = True
    squares = ShogiSquares
    looks = _looks("KRBGSNLP")
    counter_words = 1
    bench: tuple[tuple[str | None, int], ...] = (
        (None, 7),
        ("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", 5),
    )

    def parse(self, text: str, options: Options) -> ShogiPosition:
        """Parse a position: an SFEN, Fairy-Stockfish's FEN, or a key of `handicaps`."""
        from games.shogi.position import ShogiPosition
        from games.shogi.texts import read_position

        text = self.handicaps.get(text.strip(), text)
        position = ShogiPosition(self, *read_position(self, text))
        position.validate()
        return position

    def kernel(self, position: Position, context: Context, tree: Tree) -> Kernel:
        from games.shogi.kernel import shogi_kernel
        from games.shogi.position import ShogiPosition

        assert isinstance(position, ShogiPosition)
        return shogi_kernel(position, context, tree)

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        """Return the SFEN of an edited position, with move number 1; see Game.arrange()."""
        in_hand = "".join(sorted(hands, key="RBGSNLPrbgsnlp".find))
        return f"{write_board(rows[::-1])} {'bw'[side]} {in_hand or '-'} 1"


class Minishogi(Shogi):
    """Minishogi: five by five squares, one piece of each kind per side, no lances, no knights."""

    name = "minishogi"
    strength = Strength(carelessness=(1.66, 1.24, 0.96, 0.69, 0.47))
    size = 5
    bench = ((None, 8),)
    looks = _looks("KRBGSP")
    start_text = "rbsgk/4p/5/P4/KGSBR b - 1"
    handicaps: dict[str, str] = {}
    book = ""


GAMES = [Shogi(), Minishogi()]
