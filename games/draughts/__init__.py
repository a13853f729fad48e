"""Draughts on 10x10 and 8x8 squares: one set of rules, and facts by which eight games differ.

Reading order: squares.py (the board as bits, names of squares), rules.py (how pieces move and
capture), draws.py (when a game is drawn), texts.py (positions and moves as text), position.py;
patterns.py (the evaluation), kernel.py (the search).
"""

from __future__ import annotations

from games.base import Game, Strength
from games.draughts.rules import ANY, BLOCK, GOES_ON, KING, LOSE, MOST, PASSES, STOPS, VALUE
from games.draughts.squares import Numbers
from games.looks import CHEQUERS, DRAUGHTSMEN, MOVE, Looks
from games.options import SEED, VARIETY
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games import base
    from games.draughts.position import DraughtsPosition
    from games.kernel import Kernel
    from games.types import Context, Options, Side, Tree


class Draughts(Game):
    """International draughts on 10x10 squares; the other games say only what differs.

    columns: columns and rows of the board.  men: the rows of men at the start.
    letters: are squares named by letter and number, as in chess?  Otherwise they have numbers.
    white_first: does White, who plays upwards, move first?
    flying: does a king move any distance?  backward: do men capture backwards?
    orthogonal: do pieces capture along rows and columns, too?
    law: what must be captured.  crowning: what happens to a man on its last row.  goal: what wins.
    king_moves: how often the same king may move in succession without capturing, if its side has
    men; 0 if there is no limit.
    draws: name of the rules of draws (draws.py).
    values: of a man, of each row that it has advanced, and of a king, in hundredths of a man.
    weights: file of the weights of patterns.py; "" if there are none.
    """

    name = "draughts"
    title = "International draughts"
    options = (VARIETY, SEED)
    colours = ("White", "Black")
    looks = Looks(DRAUGHTSMEN, CHEQUERS, MOVE)
    squares: type[Squares] = Numbers
    alternates = True
    reductions = True
    repetition = True
    symmetries = ("turn swap",)
    strength = Strength(varied_stones=40)
    bench = ((None, 7),)
    columns = 10
    men = 4
    letters = False
    white_first = True
    flying = True
    backward = True
    orthogonal = False
    law = MOST
    crowning = PASSES
    goal = BLOCK
    king_moves = 0
    draws = "international"
    values = 100, 1, 300
    weights = "weights10.bin"

    def start(self, options: Options) -> DraughtsPosition:
        """Return the start position."""
        from games.draughts.position import start_position

        return start_position(self)

    def parse(self, text: str, options: Options) -> DraughtsPosition:
        """Return the position of a FEN of PDN, or of Hub's text: a letter for each square."""
        from games.draughts.position import position_of

        return position_of(self, text)

    def arrange(self, rows: Sequence[str], side: Side, rights: str = "", hands: str = "") -> str:
        """Return the FEN of an edited position."""
        from games.draughts.texts import arrange

        return arrange(self, rows, side)

    def kernel(self, position: base.Position, context: Context, tree: Tree) -> Kernel:
        """Return the kernel, which searches on bits."""
        from games.draughts.kernel import build
        from games.draughts.position import DraughtsPosition

        assert isinstance(position, DraughtsPosition)
        return build(position, context, tree)


class Checkers(Draughts):
    """English draughts: Black moves first, kings move one square, any capture may be chosen."""

    name = "checkers"
    title = "Checkers"
    bench = ((None, 6),)
    colours = ("Black", "White")
    strength = Strength(varied_stones=24)
    looks = Looks(DRAUGHTSMEN, CHEQUERS, MOVE, bottom=1)  # White
    columns, men, white_first = 8, 3, False
    flying, backward = False, False
    law, crowning = ANY, STOPS
    draws = "english"
    weights = "weights8.bin"


class Russian(Draughts):
    """Russian draughts: any capture may be chosen, and a man goes on capturing as a king."""

    name = "russian"
    title = "Russian draughts"
    bench = ((None, 4),)
    strength = Strength(varied_stones=24)
    squares = Squares
    columns, men, letters = 8, 3, True
    law, crowning = ANY, GOES_ON
    draws = "russian"
    weights = "weights8.bin"


class Brazilian(Draughts):
    """The rules of international draughts on 8x8 squares."""

    name = "brazilian"
    title = "Brazilian draughts"
    bench = ((None, 4),)
    strength = Strength(varied_stones=24)
    squares = Squares
    columns, men, letters = 8, 3, True
    draws = "russian"
    weights = "weights8.bin"


class Frisian(Draughts):
    """Frisian draughts: captures in eight directions, and the most valuable is forced."""

    name = "frisian"
    title = "Frisian draughts"
    bench = ((None, 4),)
    orthogonal = True
    law = VALUE
    king_moves = 3
    draws = "frisian"
    weights = ""


class Frysk(Frisian):
    """Frisian draughts with five men each."""

    name = "frysk"
    title = "Frysk!"
    bench = ((None, 4),)
    strength = Strength(varied_stones=10)
    men = 1


class Antidraughts(Draughts):
    """International draughts in which a player who can't move has won."""

    name = "antidraughts"
    title = "Antidraughts"
    bench = ((None, 4),)
    goal = LOSE
    draws = "repetition"
    weights = ""
    values = -100, 0, -200


class Breakthrough(Draughts):
    """International draughts in which the first king wins."""

    name = "breakthroughdraughts"
    title = "Breakthrough draughts"
    bench = ((None, 4),)
    goal = KING
    draws = "none"
    weights = ""
    values = 100, 5, 300


GAMES = [
    Draughts(),
    Checkers(),
    Russian(),
    Brazilian(),
    Frisian(),
    Frysk(),
    Antidraughts(),
    Breakthrough(),
]
