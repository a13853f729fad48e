"""MyGame: four in a row, column or diagonal, on a board of five columns and four rows.

Played by:  python3 engine.py --plugin mygame.py --game mygame
Tested by:  PLYGLOT_PLUGINS=mygame.py scripts/test tests/test_contract.py -k mygame
docs/adding-a-game.md walks through a game like this; games/base.py is the contract.
"""

from games.base import Game, Outcome, Position, PositionError
from games.grid import lines_along, read_position, square_name, write_rows
from games.keys import zobrist

# Change this for another game: its board, and what wins.  A cell is a number, row by row from
# a1 (0), b1 (1), ...
COLUMNS, ROWS = 5, 4
IN_A_ROW = 4
CELLS = COLUMNS * ROWS

# Every set of cells that wins, as an int with a bit for each cell.
LINES = [
    sum(1 << cell for cell in line[first : first + IN_A_ROW])
    for across, up in ((1, 0), (0, 1), (1, 1), (-1, 1))
    for line in lines_along(COLUMNS, ROWS, across, up)
    for first in range(len(line) - IN_A_ROW + 1)
]

# A position's key is the exclusive or of random numbers, one for each stone on its cell.  Here the
# stones show whose turn it is; if they don't in your game, the side to move needs a number, too.
KEYS = [zobrist(player, CELLS) for player in (0, 1)]


class MyGame(Game):
    """The facts about the game, and how its positions are made."""

    name = "mygame"  # the game's name in front ends: lower case, no spaces
    aliases = ()
    # The colours of player 0, who moves first, and of player 1.
    colours = ("X", "O")
    # Players take turns; leave this line out if a player may move twice.
    alternates = True
    # The symmetries of the rules, for scripts/learn.
    symmetries = ("mirror", "flip", "swap")
    # Maximum number of plies of a game; leave this line out if there is none.
    max_plies = CELLS

    def start(self, options):
        return MyGamePosition(self, 0, 0)

    def parse(self, text, options):
        rows, side = read_position(text, COLUMNS, ROWS)
        cells = "".join(rows)
        stones = [sum(1 << cell for cell in range(CELLS) if cells[cell] == mark) for mark in "XO"]
        more = cells.count("X") - cells.count("O")
        if more not in (0, 1) or side not in (more, None):
            raise PositionError(text, "x moves first, and players take turns")
        return MyGamePosition(self, *stones)


class MyGamePosition(Position):
    """A position.  stones: [cells of player 0, of player 1], each an int with a bit per cell."""

    def __init__(self, game, first, second):
        self.game = game
        self.stones = [first, second]
        self._past = []
        self.side = bin(first | second).count("1") & 1
        self.key = 0
        for player, stones in enumerate(self.stones):
            for cell in range(CELLS):
                if stones >> cell & 1:
                    self.key ^= KEYS[player][cell]

    def legal_moves(self):
        taken = self.stones[0] | self.stones[1]
        return [] if self.outcome() else [cell for cell in range(CELLS) if not taken >> cell & 1]

    def make(self, move):
        self._past.append(move)
        self.stones[self.side] |= 1 << move
        self.key ^= KEYS[self.side][move]
        self.side ^= 1

    def undo(self):
        self.side ^= 1
        move = self._past.pop()
        self.stones[self.side] ^= 1 << move
        self.key ^= KEYS[self.side][move]

    def outcome(self):
        for player, stones in enumerate(self.stones):
            if any(stones & line == line for line in LINES):
                return Outcome(player, f"{IN_A_ROW} in a row")
        full = self.stones[0] | self.stones[1] == (1 << CELLS) - 1
        return Outcome(None, "the board is full") if full else None

    def text(self):
        return write_rows(self.board()[::-1]) + " " + "xo"[self.side]

    def move_text(self, move):
        return square_name(*self.placement(move))

    # ---- knowledge: all of it is optional, and each part makes the engine stronger ----

    def board(self):
        first, second = self.stones
        cells = "".join(
            "X" if first >> cell & 1 else "O" if second >> cell & 1 else "."
            for cell in range(CELLS)
        )
        return [cells[first : first + COLUMNS] for first in range(0, CELLS, COLUMNS)]

    def placement(self, move):
        return move % COLUMNS, move // COLUMNS

    def evaluate(self):
        own, other = self.stones[self.side], self.stones[self.side ^ 1]
        own_open = sum(not line & other for line in LINES)
        return 10 * (own_open - sum(not line & own for line in LINES))


GAMES = [MyGame()]
