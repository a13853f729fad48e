"""Hoppers: a made-up game whose squares, cells and moves differ from those of all built-in games.

Hoppers (P) stand on the dark squares of 4 columns and 6 rows, numbered from the top left.  They step
diagonally forward, or hop over enemies, several in one move: `10x7x2`.  A captured piece changes
sides and may be dropped on the first two rows: `P*11`.  A hopper that reaches the last row may
promote (`+P`) to step and hop in all directions: `3-1+`.  Whoever can't move loses.
"""

from games.base import Game, MoveError, Outcome, Position, PositionError, Squares
from games.keys import zobrist
from games.looks import CHEQUERS, MOVE, WEDGES, Looks

COLUMNS, ROWS, DRAW_AFTER = 4, 6, 60
DARK = [
    (column, row) for row in range(ROWS) for column in range(COLUMNS) if (column + row) % 2 == 0
]
PIECES = "P", "+P", "p", "+p"
KEYS = {piece: zobrist(seed, COLUMNS * ROWS) for seed, piece in enumerate(PIECES)}
HAND_KEYS, TURN = zobrist(8, 26), zobrist(9, 1)[0]


class Numbers(Squares):
    column_labels = row_labels = ()
    numbered = True

    def name(self, cell):
        column, row = cell
        return (
            ""
            if (column + row) % 2
            else str((self.rows - 1 - row) * self.columns // 2 + column // 2 + 1)
        )


class Hoppers(Game):
    name = "hoppers"
    colours = ("White", "Black")
    looks = Looks(
        WEDGES,
        CHEQUERS,
        MOVE,
        symbols={"P": "歩", "+P": "と"},
        names={"P": "hopper", "+P": "runner"},
        drop_sign="*",
    )
    squares = Numbers
    alternates = True
    repetition = True
    counter_words = 1

    def start(self, options):
        return self.parse(".p.p/p.p./..../..../.P.P/P.P. w - 0", options)

    def parse(self, text, options):
        """Read rows from the top, the side to move (w or b), the hands, and the plies since a capture."""
        rows, side, hands, plies, *more = [*text.rstrip(". ").split(), "", "", "", ""]
        cells = [_cells(line) for line in rows.split("/")[::-1]]
        hands = "" if hands == "-" else hands
        if [len(line) for line in cells] != [COLUMNS] * ROWS or side not in ("w", "b") or any(more):
            raise PositionError(
                text, "expected 6 rows of 4 cells, the side to move, the hands and a number"
            )
        if set(sum(cells, [])) - {".", *PIECES} or set(hands) - {"P", "p"} or len(hands) > 12:
            raise PositionError(text, "expected P, p, +P, +p")
        if any(
            (column + row) % 2 and cells[row][column] != "."
            for row in range(ROWS)
            for column in range(COLUMNS)
        ):
            raise PositionError(text, "no piece can stand on a light square")
        if not plies.isascii() or not plies.isdigit() or int(plies[:4]) > DRAW_AFTER:
            raise PositionError(plies, f"expected a number of plies up to {DRAW_AFTER}")
        return HoppersPosition(
            self, cells, "wb".index(side), [hands.count("P"), hands.count("p")], int(plies[:4])
        )

    def arrange(self, rows, side, rights="", hands=""):
        return "/".join("".join(row) for row in rows[::-1]) + f" {'wb'[side]} {hands or '-'} 0"


def _cells(line):
    """Return the cells of a row's text: `p.+P.`."""
    found = []
    for char in line:
        if found and found[-1] == "+":
            found[-1] += char
        else:
            found.append(char)
    return found


class HoppersPosition(Position):
    """A position.  cells: rows of texts, row 0 first.  held: the number of pieces in each hand.

    A move is an index into ways().
    """

    text_name = "Hops"

    def __init__(self, game, cells, side, held, plies):
        self.game, self.cells, self.side, self.held, self.plies, self.past = (
            game,
            cells,
            side,
            held,
            plies,
            [],
        )

    @property
    def key(self):
        found = TURN * self.side ^ HAND_KEYS[self.held[0]] ^ HAND_KEYS[13 + self.held[1]]
        for column, row in DARK:
            if self.cells[row][column] != ".":
                found ^= KEYS[self.cells[row][column]][row * COLUMNS + column]
        return found

    def at(self, cell):
        column, row = cell
        return self.cells[row][column] if 0 <= column < COLUMNS and 0 <= row < ROWS else None

    def ways(self):
        """Return all moves as [(dropped piece or "", cells, does the piece promote?)]."""
        found, own = [], [lambda text: text.isupper(), lambda text: text.islower()][self.side]
        last = (ROWS - 1, 0)[self.side]
        for start in DARK:
            piece = self.at(start)
            if own(piece):
                up = 1 - 2 * self.side
                directions = [
                    (aside, way)
                    for way in ((up, -up) if piece[0] == "+" else (up,))
                    for aside in (-1, 1)
                ]
                for cells in self._hops(directions, own, [start]):
                    promotes = piece[0] != "+" and cells[-1][1] == last
                    found += [("", cells, True)] * promotes + [("", cells, False)]
        home = (0, 1) if self.side == 0 else (ROWS - 1, ROWS - 2)
        drops = [
            cell
            for cell in DARK
            if self.held[self.side] and cell[1] in home and self.at(cell) == "."
        ]
        return found + [("Pp"[self.side], [cell], False) for cell in drops]

    def _hops(self, directions, own, way):
        """Return the moves of a piece: its steps, and its captures, which go on as long as possible."""
        found, (column, row) = [], way[-1]
        for aside, up in directions:
            beside, behind = (column + aside, row + up), (column + 2 * aside, row + 2 * up)
            over = self.at(beside)
            if over == "." and len(way) == 1:
                found.append([*way, beside])
            if (
                over not in (None, ".")
                and not own(over)
                and self.at(behind) == "."
                and behind not in way
            ):
                found += self._hops(directions, own, [*way, behind]) or [[*way, behind]]
        return found

    def legal_moves(self):
        return [] if self.plies >= DRAW_AFTER else list(range(len(self.ways())))

    def make(self, move):
        drop, cells, promotes = self.ways()[move]
        self.past.append(([row[:] for row in self.cells], self.held[:], self.plies))
        piece = drop or self.at(cells[0])
        self.plies += 1
        if drop:
            self.held[self.side] -= 1
        changes = {cells[0]: "."}
        for (column, row), (to_column, to_row) in zip(cells, cells[1:]):
            if abs(to_row - row) == 2:
                changes[(column + to_column) // 2, (row + to_row) // 2] = "."
                self.held[self.side] += 1
                self.plies = 0
        changes[cells[-1]] = "+" * promotes + piece
        for (column, row), text in changes.items():
            self.cells[row][column] = text
        self.side ^= 1

    def undo(self):
        self.cells, self.held, self.plies = self.past.pop()
        self.side ^= 1

    def outcome(self):
        if self.plies >= DRAW_AFTER:
            return Outcome(None, "nothing was captured for long")
        return None if self.ways() else Outcome(self.side ^ 1, "no move left")

    def board(self):
        return [row[:] for row in self.cells]

    def hands(self):
        return ["P"] * self.held[0], ["p"] * self.held[1]

    def text(self):
        rows, hands = (
            "/".join("".join(row) for row in self.cells[::-1]),
            "P" * self.held[0] + "p" * self.held[1],
        )
        return f"{rows} {'wb'[self.side]} {hands or '-'} {self.plies}"

    def move_text(self, move):
        drop, cells, promotes = self.ways()[move]
        names = [Numbers(COLUMNS, ROWS).name(cell) for cell in cells]
        captures = len(cells) > 1 and abs(cells[1][1] - cells[0][1]) == 2
        return f"P*{names[0]}" if drop else ("x" if captures else "-").join(names) + "+" * promotes

    def notation(self, move):
        return self.move_text(move).replace("-", " to ").replace("*", " on ")

    def fairy_move(self, move):
        drop, cells, promotes = self.ways()[move]
        plain = Squares(COLUMNS, ROWS)
        return "P@" * bool(drop) + "".join(map(plain.name, cells)) + "+" * promotes

    def fairy_text(self):
        return f"{self.text()}."

    def parse_move(self, text):
        for move in self.legal_moves():
            if text.strip().lower() in (
                self.move_text(move).lower(),
                self.fairy_move(move).lower(),
            ):
                return move
        raise MoveError(text, "is not a legal move here")

    def evaluate(self):
        material = sum(
            100 if text.isupper() else -100 if text.islower() else 0
            for row in self.cells
            for text in row
        )
        return -material if self.side else material


GAMES = [Hoppers()]
