"""Draughts on 10x10 and 8x8 squares: eight games that share their code and differ in attributes.

Reading order: squares.py (the board as bits, names of squares), rules.py (how pieces move and
capture), draws.py (when a game is drawn), texts.py (positions and moves as text), position.py;
patterns.py (the evaluation), kernel.py (the search).
"""

from __future__ import annotations

from games.base import Game, Strength
from games.draughts.position import DraughtsPosition
from games.draughts.rules import ANY, BLOCK, GOES_ON, KING, LOSE, MOST, PASSES, STOPS, VALUE
from games.draughts.squares import DraughtsBoard, Numbers, board_of
from games.draughts.texts import LETTERS, read_position, write_position
from games.looks import CHEQUERS, DRAUGHTSMEN, MOVE, Looks
from games.options import SEED, VARIETY
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games import base
    from games.kernel import Kernel
    from games.types import Context, Options, Side, Tree


class Draughts(Game):
    """Draughts on 10x10 squares; the subclasses define what differs between games.

    columns: number of columns, which is also the number of rows.
    white: the player who has the white pieces and plays upwards.  So side ^ white is the colour of
    `side`; 0 is White.
    flying: does a king move any distance?  backward: do men capture backwards?
    orthogonal: do pieces capture along rows and columns, too?
    law: which captures are forced.  crowning: what a man does on its last row.  goal: how a game is
    won.  All three are constants of rules.py.
    king_moves: how often the same king may move in succession without capturing, if its side has
    men; 0 if there is no limit.
    draws: which rules of draws apply, a key of DRAWS in draws.py.
    values: a man's value, its bonus for each row advanced, a king's value; in hundredths of a man.
    weights: file of the weights of patterns.py; "" if there are none.
    """

    options = (VARIETY, SEED)
    colours = ("White", "Black")
    looks = Looks(DRAUGHTSMEN, CHEQUERS, MOVE)
    squares: type[Squares] = Numbers
    alternates = True
    reductions = True
    repetition = True
    symmetries = ("turn swap",)
    strength = Strength(carelessness=(1.04, 0.79, 0.62, 0.48, 0.36), varied_stones=40)
    columns = 10
    start_text = "W:W31-50:B1-20"
    white: Side = 0
    flying = True
    backward = True
    orthogonal = False
    law = MOST
    crowning = PASSES
    goal = BLOCK
    king_moves = 0
    draws = "international"
    values = 100, 1, 300
    weights = ""

    @property
    def board(self) -> DraughtsBoard:
        """Return the squares of the game's board."""
        return board_of(self.columns, self.squares is Squares)

    def parse(self, text: str, options: Options) -> DraughtsPosition:
        """Parse a position: a FEN as in PDN, or Hub's text with a letter for each square."""
        return DraughtsPosition(self, *read_position(self, text))

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        """Return the FEN of an edited position."""
        letters = dict(zip("MKmk", LETTERS[self.white]))
        cells = {square: rows[rank][column] for square, (column, rank) in self.board.cell.items()}
        pieces = {square: letters[cell] for square, cell in cells.items() if cell != "."}
        return write_position(self, pieces, side)

    def kernel(self, position: base.Position, context: Context, tree: Tree) -> Kernel:
        """Return the kernel, which searches on bits."""
        from games.draughts.kernel import draughts_kernel

        assert isinstance(position, DraughtsPosition)
        return draughts_kernel(position, context, tree)


class International(Draughts):
    """International draughts: a player must capture as many pieces as possible."""

    name = "draughts"
    title = "International draughts"
    bench = ((None, 7),)
    weights = "weights10.bin"


class Brazilian(Draughts):
    """The moves of international draughts on 8x8 squares, which are named as in chess."""

    name = "brazilian"
    title = "Brazilian draughts"
    strength = Strength(carelessness=(1.6, 1.0, 0.73, 0.55, 0.42), varied_stones=24)
    squares = Squares
    columns = 8
    start_text = "W:W21-32:B1-12"
    draws = "russian"
    weights = "weights8.bin"


class Russian(Brazilian):
    """Russian draughts: any capture may be chosen, and a man goes on capturing as a king."""

    name = "russian"
    title = "Russian draughts"
    law = ANY
    crowning = GOES_ON


class Checkers(Brazilian):
    """English draughts: Black moves first, kings move one square, any capture may be chosen."""

    name = "checkers"
    title = "Checkers"
    bench = ((None, 6),)
    strength = Strength(carelessness=(1.4, 0.88, 0.64, 0.47, 0.35), varied_stones=24)
    colours = ("Black", "White")
    looks = Looks(DRAUGHTSMEN, CHEQUERS, MOVE, bottom=1)  # White is at the bottom
    squares = Numbers
    start_text = "B:W21-32:B1-12"
    white = 1
    flying = False
    backward = False
    law = ANY
    crowning = STOPS
    draws = "english"
    values = 100, 2, 140
    weights = "checkers.bin"


class Frisian(Draughts):
    """Frisian draughts: captures in eight directions, and the most valuable is forced."""

    name = "frisian"
    title = "Frisian draughts"
    strength = Strength(carelessness=(1.7, 0.92, 0.76, 0.61, 0.47), varied_stones=40)
    orthogonal = True
    law = VALUE
    king_moves = 3
    draws = "frisian"


class Frysk(Frisian):
    """Frisian draughts with five men each."""

    name = "frysk"
    title = "Frysk!"
    strength = Strength(carelessness=(1.08, 0.83, 0.66, 0.52, 0.4), varied_stones=10)
    start_text = "W:W46-50:B1-5"


class Antidraughts(Draughts):
    """International draughts in which a player who can't move has won."""

    name = "antidraughts"
    title = "Antidraughts"
    strength = Strength(carelessness=(0.91, 0.81, 0.71, 0.6, 0.51), varied_stones=40)
    goal = LOSE
    draws = "repetition"
    values = -100, 0, -200


class Breakthrough(Draughts):
    """International draughts in which the first king wins."""

    name = "breakthroughdraughts"
    title = "Breakthrough draughts"
    strength = Strength(carelessness=(1.4, 0.97, 0.74, 0.58, 0.45), varied_stones=40)
    goal = KING
    draws = "none"
    values = 100, 5, 300


_KINDS = (International, Checkers, Russian, Brazilian, Frisian, Frysk, Antidraughts, Breakthrough)
GAMES = [kind() for kind in _KINDS]
