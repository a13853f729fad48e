"""Jumps, English draughts with the notation of chess: captures are forced, and whoever can't move has lost.

A man moves and captures diagonally forward, a king in all four directions.  A piece that
captures goes on capturing while it can: the whole sequence is one move.  A man that reaches the far
row becomes a king, and its move ends.  Forty moves of each side without a capture or a man's move
are a draw.
"""

from games.base import Game, Outcome, Position, PositionError
from games.grid import LETTERS, read_rows, split_text, square_name
from games.keys import zobrist
from games.looks import CHEQUERS, DRAUGHTSMEN, MOVE, Looks

SIZE, CELLS = 8, range(64)  # Cell 0 is a1, cell 1 is b1.
MEN, KINGS = "Mm", "Kk"  # The letters of the pieces, indexed by the side.
FORWARD = ((1, 1), (1, -1)), ((-1, 1), (-1, -1))  # Steps (rows, columns), indexed by the side.
FAR_ROW = (7, 0)
DRAW_AFTER = 80  # plies
VALUES = {"M": 100, "K": 160, "m": -100, "k": -160}
KEYS = {piece: zobrist(seed, 64) for seed, piece in enumerate("MKmk")}
(TURN,) = zobrist(9, 1)


def on_board(row, column):
    return 0 <= row < SIZE and 0 <= column < SIZE


def _steps(directions, reach):
    """Return a list per cell: the cell `reach` steps away in each direction; None if off the board."""
    found = []
    for cell in CELLS:
        ends = [(cell // 8 + reach * up, cell % 8 + reach * aside) for up, aside in directions]
        found.append([8 * row + column if on_board(row, column) else None for row, column in ends])
    return found


# For each piece: its directions, and the cells one and two steps away from each cell.
DIRECTIONS = {"M": FORWARD[0], "m": FORWARD[1], "K": sum(FORWARD, ()), "k": sum(FORWARD, ())}
NEXT = {piece: _steps(directions, 1) for piece, directions in DIRECTIONS.items()}
BEHIND = {piece: _steps(directions, 2) for piece, directions in DIRECTIONS.items()}


class Checkers(Game):
    name = "jumps"
    title = "Jumps"
    colours = ("Black", "White")
    looks = Looks(DRAUGHTSMEN, CHEQUERS, MOVE)
    alternates = True
    symmetries = ("turn swap",)
    reductions = True
    repetition = True
    counter_words = 1
    bench = ((None, 6),)

    def start(self, options):
        rows = ["1m1m1m1m", "m1m1m1m1", "1m1m1m1m", "8", "8", "M1M1M1M1", "1M1M1M1M", "M1M1M1M1"]
        return self.parse("/".join(rows) + " b 0", options)

    def parse(self, text, options):
        """Read rows from the top, the side to move (b or w), and the plies since a capture or a man's move."""
        rows, rest = split_text(text)
        board = read_rows(rows, SIZE, {letter: letter for letter in "MKmk."}, text)[::-1]
        side, plies, *more = [*rest, "0"] if len(rest) == 1 else [*rest, "", ""]
        if len(board) != SIZE or side not in ("b", "w") or any(more):
            raise PositionError(text, "expected 8 rows, the side to move b or w, and a number")
        if not (plies.isascii() and plies.isdigit() and int(plies[:4]) <= DRAW_AFTER):
            raise PositionError(plies, f"the number of plies must be 0 to {DRAW_AFTER}")
        cells = list("".join(board))
        for cell, piece in enumerate(cells):
            far = FAR_ROW[piece.islower()] == cell // 8
            if piece != "." and (light(cell) or piece in MEN and far):
                where = square_name(cell % 8, cell // 8)
                raise PositionError(text, f"no {'man' if far else 'piece'} can stand on {where}")
        if cells.count(".") == 64:
            raise PositionError(text, "the board is empty")
        return CheckersPosition(self, cells, "bw".index(side), int(plies[:4]))

    def arrange(self, rows, side, rights="", hands=""):
        return f"{write_board(rows[::-1])} {'bw'[side]} 0"


def light(cell):
    return (cell // 8 + cell) % 2


def write_board(rows):
    text = "/".join(rows)
    for run in range(8, 0, -1):
        text = text.replace("." * run, str(run))
    return text


class CheckersPosition(Position):
    """A position.  cells: the pieces, `.` for an empty cell.

    plies: number of plies since the last capture or move of a man.
    A move is start << 12 | number << 6 | end.  The number is 0 if nothing is captured; the captures
    from a start cell have the numbers 1, 2, ...
    """

    def __init__(self, game, cells, side, plies):
        self.game, self.cells, self.side, self.plies = game, cells, side, plies
        self.past = []  # per move made: ([(changed cell, its old piece)], old plies, old key)
        self.key = TURN * side
        for cell, piece in enumerate(cells):
            if piece != ".":
                self.key ^= KEYS[piece][cell]

    # ---- the rules -------------------------------------------------------------------

    def paths(self, start):
        """Return the captures from a cell, each as a list of cells: start, landing, landing, ..."""
        cells, piece = self.cells, self.cells[start]
        theirs = (MEN[self.side ^ 1], KINGS[self.side ^ 1])
        found = []

        def jump(path, captured):
            more = False
            for over, behind in zip(NEXT[piece][path[-1]], BEHIND[piece][path[-1]]):
                if behind is None or cells[over] not in theirs or over in captured:
                    continue
                if cells[behind] != "." and behind != start:
                    continue
                more = True
                if piece in MEN and behind // 8 == FAR_ROW[self.side]:
                    found.append([*path, behind])
                else:
                    jump([*path, behind], captured | {over})
            if not more and len(path) > 1:
                found.append(path)

        jump([start], frozenset())
        return found

    def own_cells(self):
        own = (MEN[self.side], KINGS[self.side])
        return [cell for cell in CELLS if self.cells[cell] in own]

    def captures(self):
        return [
            start << 12 | number << 6 | path[-1]
            for start in self.own_cells()
            for number, path in enumerate(self.paths(start), 1)
        ]

    def moves(self):
        """Return the moves, even in a drawn game: the captures if there are any, else the steps."""
        return self.captures() or [
            start << 12 | to
            for start in self.own_cells()
            for to in NEXT[self.cells[start]][start]
            if to is not None and self.cells[to] == "."
        ]

    def legal_moves(self):
        return [] if self.drawn() else self.moves()

    def way(self, move):
        """Return the cells of a move, from its start to its end."""
        start, number = move >> 12, move >> 6 & 63
        return self.paths(start)[number - 1] if number else [start, move & 63]

    def make(self, move):
        path, piece = self.way(move), self.cells[move >> 12]
        change = {path[0]: "."}
        if move >> 6 & 63:
            change.update({(here + there) // 2: "." for here, there in zip(path, path[1:])})
        crowned = piece in MEN and path[-1] // 8 == FAR_ROW[self.side]
        change[path[-1]] = KINGS[self.side] if crowned else piece
        self.past.append(([(cell, self.cells[cell]) for cell in change], self.plies, self.key))
        for cell, new in change.items():
            self.key ^= KEYS[self.cells[cell]][cell] if self.cells[cell] != "." else 0
            self.key ^= KEYS[new][cell] if new != "." else 0
            self.cells[cell] = new
        self.plies = 0 if len(change) > 2 or piece in MEN else self.plies + 1
        self.side ^= 1
        self.key ^= TURN

    def undo(self):
        before, self.plies, self.key = self.past.pop()
        for cell, piece in before:
            self.cells[cell] = piece
        self.side ^= 1

    def drawn(self):
        return self.plies >= DRAW_AFTER

    def outcome(self):
        if self.drawn():
            return Outcome(None, "forty moves without a capture or a man's move")
        return None if self.moves() else Outcome(self.side ^ 1, "no move left")

    def final_value(self):
        return 0 if self.drawn() else None

    # ---- texts -----------------------------------------------------------------------

    def board(self):
        return ["".join(self.cells[row : row + 8]) for row in range(0, 64, 8)]

    def text(self):
        return f"{write_board(self.board()[::-1])} {'bw'[self.side]} {self.plies}"

    def move_text(self, move):
        names = [LETTERS[cell % 8] + str(cell // 8 + 1) for cell in self.way(move)]
        return ("x" if move >> 6 & 63 else "").join(names)

    # ---- knowledge -------------------------------------------------------------------

    def evaluate(self):
        """Return a score from the numbers of pieces and how far the men have advanced."""
        score = 0
        for cell, piece in enumerate(self.cells):
            if piece != ".":
                score += VALUES[piece]
                score += {"M": cell // 8, "m": cell // 8 - 7}.get(piece, 0)
        return -score if self.side else score

    def noisy_moves(self):
        return [] if self.drawn() else self.captures()


GAMES = [Checkers()]
