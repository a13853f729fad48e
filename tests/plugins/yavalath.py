"""Yavalath: on a hexagon of 61 cells four in a row win, but three in a row lose."""

from games.base import Game, Outcome, Position, PositionError
from games.grid import read_rows, square_name, write_rows
from games.keys import zobrist
from games.looks import DISCS, HEXAGONS, HOLE, Looks

SIZE = 9
PLACES = [(column, row) for row in range(SIZE) for column in range(SIZE)]
# Row 1 is at the top; each row begins half a cell further right.  The corners are cut off.
CELLS = [place for place, (column, row) in enumerate(PLACES) if 4 <= column + row <= 12]
KEYS = zobrist(1, len(PLACES)), zobrist(2, len(PLACES))
MARKS = {"x": "X", "o": "O", ".": ".", HOLE: HOLE}


def _lines(length):
    """Return the sets of `length` cells in a row, as ints with a bit for each cell."""
    found = []
    for column, row in PLACES:
        for across, down in ((1, 0), (0, 1), (1, -1)):
            line = [(column + across * step, row + down * step) for step in range(length)]
            if all(cell in PLACES and PLACES.index(cell) in CELLS for cell in line):
                found.append(sum(1 << PLACES.index(cell) for cell in line))
    return found


FOURS, THREES = _lines(4), _lines(3)


class Yavalath(Game):
    name = "yavalath"
    colours = ("Red", "Blue")
    looks = Looks(DISCS, HEXAGONS, rank_one_on_top=True)
    alternates = True
    symmetries = ("turn swap",)
    max_plies = len(CELLS)
    bench = ((None, 2),)

    def start(self, options):
        return YavalathPosition(self, [0, 0])

    def parse(self, text, options):
        rows = text.split("/")
        board = "".join(read_rows([row.strip() for row in rows], SIZE, MARKS, text))
        holes = {place for place, mark in enumerate(board) if mark == HOLE}
        more = board.count("X") - board.count("O")
        if len(rows) != SIZE or more not in (0, 1) or holes != {*range(81)} - {*CELLS}:
            raise PositionError(text, "expected 9 rows with * off the board; x moves first")
        stones = [sum(1 << place for place in CELLS if board[place] == mark) for mark in "XO"]
        return YavalathPosition(self, stones)


class YavalathPosition(Position):
    """A position.  stones: the cells of each player's stones, as an int with a bit for each."""

    def __init__(self, game, stones):
        self.game, self.stones, self.past, self.key = game, stones, [], 0
        self.side = bin(stones[0] | stones[1]).count("1") & 1
        for player, cells in enumerate(stones):
            for place in CELLS:
                self.key ^= KEYS[player][place] if cells >> place & 1 else 0

    def legal_moves(self):
        taken = self.stones[0] | self.stones[1]
        return [] if self.outcome() else [place for place in CELLS if not taken >> place & 1]

    def make(self, move):
        self.past.append(move)
        self.stones[self.side] |= 1 << move
        self.key ^= KEYS[self.side][move]
        self.side ^= 1

    def undo(self):
        self.side ^= 1
        move = self.past.pop()
        self.stones[self.side] ^= 1 << move
        self.key ^= KEYS[self.side][move]

    def outcome(self):
        for player, stones in enumerate(self.stones):
            if any(stones & line == line for line in FOURS):
                return Outcome(player, "four in a row")
        for player, stones in enumerate(self.stones):
            if any(stones & line == line for line in THREES):
                return Outcome(player ^ 1, "three in a row lose")
        full = bin(self.stones[0] | self.stones[1]).count("1") == len(CELLS)
        return Outcome(None, "the board is full") if full else None

    def board(self):
        first, second = self.stones
        marks = [
            "X"
            if first >> place & 1
            else "O"
            if second >> place & 1
            else "."
            if place in CELLS
            else HOLE
            for place in range(len(PLACES))
        ]
        return ["".join(marks[row : row + SIZE]) for row in range(0, len(PLACES), SIZE)]

    def text(self):
        return write_rows(self.board())

    def move_text(self, move):
        return square_name(*PLACES[move])

    def placement(self, move):
        return PLACES[move]


GAMES = [Yavalath()]
