"""The evaluation: patterns of men, read from lanes of one int, and the squares of kings.

A pattern is a block of three rows by three dark squares; blocks overlap and cover the board.  Its
content is a number with a digit for each square: 0 for an empty square or a king, 1 for a man of
White, 2 for a man of Black.  One int, called the lanes, holds the contents of all patterns and the
number of pieces, in 16 bits each.  A move adds a difference to the lanes; an evaluation adds up the
weights of the contents.

Turning the board by 180 degrees and exchanging the colours maps a pattern to another one, whose
weights have the opposite sign.  Each weight has a value for each of three phases, from few pieces
to many; between two phases it is interpolated by the number of pieces.  The weights in the file are
differences from values set by hand; scripts/lab/twin/draughts.cpp makes them from games that it
plays against itself.
"""

from __future__ import annotations

from array import array
from operator import add, getitem
from struct import Struct

from games import data
from games.data import Lazy
from games.draughts.squares import board_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.draughts import Draughts
    from games.draughts.rules import State
    from games.draughts.squares import DraughtsBoard
    from games.types import Score, Square

    Pattern = tuple[Square, ...]
    Stage = tuple[list[array[int]], list[int], list[int], int]

# A hundredth of a man is SCALE steps of a weight; a shift by SHIFT bits divides by SCALE.
SCALE, SHIFT = 4, 2
# The rows of a pattern, and its dark squares per row.
HEIGHT, WIDTH = 3, 3
CONTENTS = 3 ** (HEIGHT * WIDTH)
PHASES = 3
# The first stage has positions with at most 4 pieces, the next with at most 8, and so on.
STAGE_PIECES = 4
# If both sides have a flying king and there are at most _DRAWISH pieces, most games are drawn.
# The score is then divided by 8, by a shift of _EIGHTH bits.
_DRAWISH, _EIGHTH = 6, 3


def patterns_of(board: DraughtsBoard) -> list[Pattern]:
    """Return a board's patterns: those of the upper half, then the same turned by 180 degrees."""
    width = board.columns // 2
    rows = [board.all[start : start + width] for start in range(0, len(board.all), width)]
    upper = [
        tuple(square for row in rows[top : top + HEIGHT] for square in row[place : place + WIDTH])
        for top in range((len(rows) - HEIGHT + 1) // 2)
        for place in range(0, width - WIDTH + 1, width - WIDTH)
    ]
    turned = dict(zip(board.all, reversed(board.all)))
    return upper + [tuple(turned[square] for square in pattern) for pattern in upper]


class DraughtsEvaluation:
    """The evaluation of one game.

    lanes[king][colour][square]: what a piece adds to the lanes; colour 0 is White.
    """

    def __init__(self, game: Draughts) -> None:
        board = self.board = board_of(game.columns)
        self.patterns = patterns_of(board)
        self._drawish = _DRAWISH if game.flying else 0
        self._values, self._weights = game.values, _weights_of(game, board)
        self._unpack = Struct(f"<{len(self.patterns) + 1}H").unpack
        self._bytes = 2 * len(self.patterns) + 2
        piece = 1 << 16 * len(self.patterns)
        white, black, kings = [0] * 64, [0] * 64, [piece] * 64
        for square in board.all:
            place = sum(
                3 ** pattern.index(square) << 16 * lane
                for lane, pattern in enumerate(self.patterns)
                if square in pattern
            )
            white[square], black[square] = place + piece, 2 * place + piece
        self.lanes = (white, black), (kings, kings)
        # The entries of these dicts are computed when first needed.  _phases[phase]: the weights,
        # with the values set by hand added.  _stages[stage]: (a table for each pattern, the weights
        # of white kings, those of black kings, the weight of the tempo).
        self._phases: Lazy[int, list[int]] = Lazy(self._phase)
        self._stages: Lazy[int, Stage] = Lazy(self._stage)

    def evaluate(self, state: State) -> Score:
        """Return the score of a state of rules.py for its side to move."""
        _, _, _, _, colour, _, kings, _, other_kings, lanes = state
        white_kings, black_kings = (other_kings, kings) if colour else (kings, other_kings)
        # the contents of all patterns, and the number of pieces
        words = self._unpack(lanes.to_bytes(self._bytes, "little"))
        tables, of_white, of_black, move = self._stages[(words[-1] - 1) // STAGE_PIECES]
        score: int = sum(map(getitem, tables, words))
        kings |= other_kings
        while kings:
            king = kings & -kings
            kings ^= king
            score += (of_white if white_kings & king else of_black)[king.bit_length() - 1]
        if white_kings and black_kings and words[-1] <= self._drawish:
            score >>= _EIGHTH
        return (move - score if colour else move + score) >> SHIFT

    def _phase(self, phase: int) -> list[int]:
        upper = self.patterns[: len(self.patterns) // 2]
        values = [value for pattern in upper for value in self._prior(pattern)]
        values += [self._values[2] * SCALE] * len(self.board.all) + [0]
        return list(map(add, values, self._weights[phase])) if self._weights else values

    def _stage(self, stage: int) -> Stage:
        board, half = self.board, len(self.patterns) // 2
        begins = len(board.all) - board.columns
        # The weights are interpolated between two phases.  Phase 0 applies alone with a tenth of
        # the pieces left, phase 1 with a half, phase 2 with nine tenths.
        place = ((stage + 0.5) * STAGE_PIECES / begins - 0.1) / 0.4
        place = min(max(place, 0.0), PHASES - 1.0)
        phase = min(int(place), PHASES - 2)
        share = round((place - phase) * 32)
        pairs = zip(self._phases[phase], self._phases[phase + 1])
        weights = array("h", [few + ((many - few) * share >> 5) for few, many in pairs])
        upper = [weights[lane * CONTENTS : (lane + 1) * CONTENTS] for lane in range(half)]
        swapped = [0]
        for place in range(HEIGHT * WIDTH):
            swapped = [content + digit * 3**place for digit in (0, 2, 1) for content in swapped]
        lower = [array("h", [-table[content] for content in swapped]) for table in upper]
        of_white, of_black = [0] * 64, [0] * 64
        for weight, square, turned in zip(weights[half * CONTENTS :], board.all, board.all[::-1]):
            of_white[square] = weight
            of_black[turned] = -weight
        return upper + lower, of_white, of_black, weights[-1]

    def _prior(self, pattern: Pattern) -> list[int]:
        """Return the value that each content of a pattern has by the values set by hand."""
        man, advance, _ = self._values
        board, prior = self.board, [0.0]
        for square in pattern:
            shares, rank = sum(square in other for other in self.patterns), board.cell[square][1]
            white = (man + advance * rank) * SCALE / shares
            black = (man + advance * (board.columns - 1 - rank)) * SCALE / shares
            prior = [value + more for more in (0.0, white, -black) for value in prior]
        return list(map(round, prior))


def _weights_of(game: Draughts, board: DraughtsBoard) -> list[array[int]] | None:
    """Return the weights of each phase; None if the game has none or its file can't be read.

    A weights file begins with a line on how the weights were made.  Compressed numbers follow: for
    each phase, the weights of the upper patterns, of a white king on each square, and of the tempo.
    """
    size = len(patterns_of(board)) // 2 * CONTENTS + len(board.all) + 1

    def unpack(content: bytes) -> list[array[int]]:
        packed = content.partition(b"\n")[2]
        numbers = data.read_numbers("h", data.unpacked(packed, 2 * size * PHASES))
        return [numbers[start : start + size] for start in range(0, size * PHASES, size)]

    without = f"{game.title} is evaluated by the pieces alone"
    return data.load(f"draughts/{game.weights}", unpack, without) if game.weights else None
