"""Othello on 6x6, evaluated by a table of the value of a disc on each square."""

from games.base import Game, Outcome, Position, PositionError
from games.grid import read_position, square_name, write_rows
from games.keys import zobrist
from games.looks import CLOTH, DISCS, Looks

SIZE = 6
CELLS = SIZE * SIZE
DIRECTIONS = (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)  # row, column
KEYS, TURN = (zobrist(1, CELLS), zobrist(2, CELLS)), zobrist(3, 1)[0]
PASS = CELLS
HALF = [100, -20, 10, 10, -20, 100, -20, -40, -2, -2, -40, -20, 10, -2, 2, 2, -2, 10]
TABLE = HALF + HALF[::-1]


def _rays():
    """Return for each cell the cells in each direction where discs can be flipped, the nearest first."""
    found = []
    for cell in range(CELLS):
        row, column = divmod(cell, SIZE)
        rays = []
        for up, aside in DIRECTIONS:
            ray, y, x = [], row + up, column + aside
            while 0 <= y < SIZE and 0 <= x < SIZE:
                ray.append(y * SIZE + x)
                y, x = y + up, x + aside
            if len(ray) > 1:
                rays.append(ray)
        found.append(rays)
    return found


RAYS = _rays()


class Othello6(Game):
    name = "othello6"
    title = "Othello, six by six"
    looks = Looks(DISCS, CLOTH)
    alternates = True
    max_plies = 60
    margin_unit = 100
    pass_move = PASS

    def start(self, options):
        return self.parse("6/6/2ox2/2xo2/6/6 x", options)

    def parse(self, text, options):
        rows, side = read_position(text, SIZE, SIZE)
        if side is None:
            raise PositionError(text, "the side to move is needed")
        return Othello6Position(self, [".XO".index(mark) for mark in "".join(rows)], side)


class Othello6Position(Position):
    """cells: 0 empty, 1 X, 2 O."""

    def __init__(self, game, cells, side):
        self.game, self.cells, self.side, self.past = game, cells, side, []
        self.key = TURN * side
        for cell, disc in enumerate(cells):
            if disc:
                self.key ^= KEYS[disc - 1][cell]

    def _flips(self, cell, mine):
        """Return the discs that a disc of that colour flips there."""
        cells, flips = self.cells, []
        for ray in RAYS[cell]:
            if cells[ray[0]] == 3 - mine:
                for index, other in enumerate(ray):
                    disc = cells[other]
                    if disc != 3 - mine:
                        if disc:
                            flips += ray[:index]
                        break
        return flips

    def _moves(self, mine):
        return [cell for cell in range(CELLS) if not self.cells[cell] and self._flips(cell, mine)]

    def legal_moves(self):
        return self._moves(self.side + 1) or ([PASS] if self._moves(2 - self.side) else [])

    def make(self, move):
        mine, flips = self.side + 1, []
        self.key ^= TURN
        if move != PASS:
            flips = self._flips(move, mine)
            self.cells[move] = mine
            self.key ^= KEYS[mine - 1][move]
            for cell in flips:
                self.cells[cell] = mine
                self.key ^= KEYS[0][cell] ^ KEYS[1][cell]
        self.past.append((move, flips))
        self.side ^= 1

    def undo(self):
        self.side ^= 1
        move, flips = self.past.pop()
        self.key ^= TURN
        if move != PASS:
            self.cells[move] = 0
            self.key ^= KEYS[self.side][move]
            for cell in flips:
                self.cells[cell] = 2 - self.side
                self.key ^= KEYS[0][cell] ^ KEYS[1][cell]

    def final_value(self):
        if 0 in self.cells and self.legal_moves():
            return None
        return self.value_of(self._result())

    def outcome(self):
        return None if self.legal_moves() else self._result()

    def _result(self):
        margin = self.cells.count(1) - self.cells.count(2)
        return Outcome(None if not margin else int(margin < 0), "nobody can move", margin)

    def board(self):
        marks = [".XO"[disc] for disc in self.cells]
        return ["".join(marks[row : row + SIZE]) for row in range(0, CELLS, SIZE)]

    def counts(self):
        return tuple(f"discs: {self.cells.count(disc)}" for disc in (1, 2))

    def text(self):
        return write_rows(self.board()[::-1]) + " " + "xo"[self.side]

    def move_text(self, move):
        return "pass" if move == PASS else square_name(move % SIZE, move // SIZE)

    def placement(self, move):
        return None if move == PASS else (move % SIZE, move // SIZE)

    def evaluate(self):
        worth = sum(
            value if disc == 1 else -value for disc, value in zip(self.cells, TABLE) if disc
        )
        return 10 * (-worth if self.side else worth)


GAMES = [Othello6()]
