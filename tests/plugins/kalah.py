"""Kalah: six houses per side, four seeds in each; whoever sows the last seed into their own store moves again."""

from games.base import Game, Outcome, Position, PositionError
from games.keys import zobrist

SEEDS, STORES, HOUSES = 48, (6, 13), (range(6), range(7, 13))
KEYS = [zobrist(pit, SEEDS + 1) for pit in range(14)]  # KEYS[pit][seeds]
(TURN,) = zobrist(14, 1)


class Kalah(Game):
    name = "kalah"
    colours = ("South", "North")
    margin_unit = 100
    symmetries = ("turn swap",)

    def start(self, options):
        return KalahPosition(self, 2 * (6 * [4] + [0]), 0)

    def parse(self, text, options):
        *words, side = text.replace(",", " ").split() or [""]
        numbers = all(word.isascii() and word.isdigit() and len(word) < 3 for word in words)
        if side not in ("s", "n") or len(words) != 14 or not numbers:
            raise PositionError(text, "needs 14 numbers separated by commas, then the side: s or n")
        pits = [int(word) for word in words]
        if sum(pits) != SEEDS:
            raise PositionError(text, f"expected {SEEDS} seeds, not {sum(pits)}")
        return KalahPosition(self, pits, "sn".index(side))


class KalahPosition(Position):
    """A position.  pits: seeds in South's houses 0..5, store 6, North's houses 7..12 and store 13."""

    def __init__(self, game, pits, side):
        self.game, self.pits, self.side, self.past = game, pits, side, []

    @property
    def key(self):
        key = TURN if self.side else 0
        for pit, seeds in enumerate(self.pits):
            key ^= KEYS[pit][seeds]
        return key

    def legal_moves(self):
        houses = () if self.outcome() else reversed(HOUSES[self.side])
        return [pit for pit in houses if self.pits[pit]]

    def make(self, move):
        self.past.append((self.pits[:], self.side))
        pits, own, other = self.pits, STORES[self.side], STORES[self.side ^ 1]
        last, seeds, pits[move] = move, pits[move], 0
        while seeds:
            last = (last + 1) % 14
            pits[last] += last != other
            seeds -= last != other
        if last in HOUSES[self.side] and pits[last] == 1 and pits[12 - last]:
            pits[own] += pits[12 - last] + 1
            pits[last] = pits[12 - last] = 0
        if last != own:
            self.side ^= 1

    def undo(self):
        self.pits, self.side = self.past.pop()

    def outcome(self):
        if any(self.pits[:6]) and any(self.pits[7:13]):
            return None
        margin = sum(self.pits[:7]) - sum(self.pits[7:])
        return Outcome(int(margin < 0) if margin else None, "one side's houses are empty", margin)

    def text(self):
        return ",".join(map(str, self.pits)) + " " + "sn"[self.side]

    def move_text(self, move):
        return str(move % 7 + 1)

    def picture(self):
        cells = [f"{seeds:2}" for seeds in self.pits]
        return [
            "    6  5  4  3  2  1   North",
            "   " + " ".join(cells[12:6:-1]),
            cells[13] + cells[6].rjust(20),
            "   " + " ".join(cells[:6]),
            "    1  2  3  4  5  6   South",
        ]

    def features(self):
        return self.pits

    def evaluate(self):
        return 100 * (self.pits[STORES[self.side]] - self.pits[STORES[self.side ^ 1]])


GAMES = [Kalah()]
