"""Three Men's Morris: both players place three men, then move them; three in a row win."""

from games.base import Game, Outcome, Position, PositionError
from games.grid import count_bits, read_position, square_name, write_rows
from games.keys import zobrist
from games.looks import MARKS, MOVE, PLACE, WOOD, Looks

# Men per player; the game is a draw after DRAW_AFTER moves without a placement.
MEN, DRAW_AFTER = 3, 30
CELLS = range(9)
ROWS = 0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124
KEYS, TURN = (zobrist(1, 9), zobrist(2, 9)), zobrist(3, 1)[0]


def _beside(cell):
    """Return the cells next to a cell along the lines of the board."""
    return [
        to
        for to in CELLS
        if 4 in (cell, to) or abs(cell % 3 - to % 3) + abs(cell // 3 - to // 3) == 1
    ]


LINES = [
    ((cell % 3, cell // 3), (to % 3, to // 3))
    for cell in CELLS
    for to in _beside(cell)
    if cell < to
]


class Morris(Game):
    name = "morris"
    colours = ("X", "O")
    looks = Looks(MARKS, WOOD, row=3, lines=LINES)
    alternates = True
    repetition = True
    symmetries = ("mirror", "transpose", "swap")
    counter_words = 1

    def start(self, options):
        return MorrisPosition(self, [0, 0], 0, 0)

    def parse(self, text, options):
        """Read rows from the top, the side to move, and the number of moves of men."""
        *words, moves = [*text.split(), ""]
        if len(words) == 3:
            moves = words.pop()
        rows, side = read_position(" ".join(words), 3, 3)
        men = [sum(1 << cell for cell in CELLS if "".join(rows)[cell] == mark) for mark in "XO"]
        counts = tuple(map(count_bits, men))
        possible = [(MEN, MEN)] + [(men + more, men) for men in range(MEN) for more in (0, 1)]
        if counts not in possible or side != (counts[0] - counts[1] if counts[1] < MEN else side):
            raise PositionError(text, "expected as many men of x as of o, or one more if o moves")
        if side is None or moves and not (moves.isascii() and moves.isdigit()):
            raise PositionError(text, "expected rows, the side to move and a number of moves")
        if int(moves[:3] or 0) > (DRAW_AFTER if counts[1] == MEN else 0):
            raise PositionError(moves, "too many moves of men for this position")
        if any(men[side] & row == row for row in ROWS):
            raise PositionError(text, "the side to move has three in a row")
        return MorrisPosition(self, men, side, int(moves[:3] or 0))


class MorrisPosition(Position):
    """A position.  men: the cells of each player's men.

    A move is the cell of a new man, or 9 * (start cell + 1) + end cell.
    """

    def __init__(self, game, men, side, moves):
        self.game, self.men, self.side, self.moves, self.past = game, men, side, moves, []

    @property
    def key(self):
        key = TURN * self.side
        for player, own in enumerate(self.men):
            for cell in CELLS:
                key ^= KEYS[player][cell] if own >> cell & 1 else 0
        return key

    def entry(self):
        return MOVE if count_bits(self.men[self.side]) == MEN else PLACE

    def _all_moves(self):
        own, taken = self.men[self.side], self.men[0] | self.men[1]
        empty = [cell for cell in CELLS if not taken >> cell & 1]
        if self.entry() == PLACE:
            return empty
        starts = [cell for cell in CELLS if own >> cell & 1]
        return [9 * (start + 1) + to for start in starts for to in _beside(start) if to in empty]

    def legal_moves(self):
        return [] if self.outcome() else self._all_moves()

    def make(self, move):
        self.past.append((self.men[:], self.moves))
        start, to = divmod(move, 9)
        self.men[self.side] ^= 1 << to
        if start:
            self.men[self.side] ^= 1 << start - 1
            self.moves += 1
        self.side ^= 1

    def undo(self):
        self.men, self.moves = self.past.pop()
        self.side ^= 1

    def outcome(self):
        last = self.side ^ 1
        if any(self.men[last] & row == row for row in ROWS):
            return Outcome(last, "three in a row")
        if self.moves >= DRAW_AFTER:
            return Outcome(None, "nobody has three in a row")
        return None if self._all_moves() else Outcome(last, "no man can move")

    def board(self):
        first, second = self.men
        marks = "".join(
            "X" if first >> cell & 1 else "O" if second >> cell & 1 else "." for cell in CELLS
        )
        return [marks[row : row + 3] for row in (0, 3, 6)]

    def text(self):
        return f"{write_rows(self.board()[::-1])} {'xo'[self.side]} {self.moves}"

    def placement(self, move):
        return (move % 3, move // 3) if move < 9 else None

    def move_text(self, move):
        start, to = divmod(move, 9)
        cells = [start - 1, to] if start else [to]
        return "".join(square_name(cell % 3, cell // 3) for cell in cells)


GAMES = [Morris()]
