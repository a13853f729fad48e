"""Kalah: six houses a side, four seeds in each; a last seed in the own store earns a further move."""

from games.base import Game, Outcome, Position, PositionError
from games.keys import zobrist

SEEDS, STORES, HOUSES = 48, (6, 13), (range(6), range(7, 13))
KEYS = [zobrist(pit, SEEDS + 1) for pit in range(14)]  # KEYS[pit][seeds]
(TURN,) = zobrist(14, 1)


class Kalah(Game):
    name = "kalah"
    colours = ("South", "North")
    margin_unit = 100
    bench = ((None, 5),)

    def start(self, options):
        return KalahPosition(self, 2 * (6 * [4] + [0]), 0)

    def parse(self, text, options):
        counts, _, side = " ".join(text.split()).partition(" ")
        words = counts.split(",")
        if (
            side not in ("s", "n")
            or len(words) != 14
            or not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words)
        ):
            raise PositionError(
                text, "wants 14 numbers, comma-separated, and the side to move, s or n"
            )
        pits = [int(word) for word in words]
        if sum(pits) != SEEDS:
            raise PositionError(text, f"has {sum(pits)} seeds and not {SEEDS}")
        return KalahPosition(self, pits, "sn".index(side))


class KalahPosition(Position):
    """pits: South's houses 0..5 and store 6, North's houses 7..12 and store 13, in the direction of sowing."""

    def __init__(self, game, pits, side):
        self.game, self.pits, self.side, self.past = game, pits, side, []

    @property
    def key(self):
        key = TURN if self.side else 0
        for pit, seeds in enumerate(self.pits):
            key ^= KEYS[pit][seeds]
        return key

    def legal_moves(self):
        return (
            [] if self.outcome() else [pit for pit in reversed(HOUSES[self.side]) if self.pits[pit]]
        )

    def make(self, move):
        self.past.append((self.pits[:], self.side))
        pits, own, other = self.pits, STORES[self.side], STORES[self.side ^ 1]
        seeds, pits[move], last = pits[move], 0, move
        while seeds:
            last = (last + 1) % 14
            if last != other:
                pits[last] += 1
                seeds -= 1
        if last in HOUSES[self.side] and pits[last] == 1 and pits[12 - last]:
            pits[own] += pits[12 - last] + 1
            pits[last] = pits[12 - last] = 0
        if last != own:
            self.side ^= 1

    def undo(self):
        self.pits, self.side = self.past.pop()

    def outcome(self):
        south, north = (sum(self.pits[houses.start : houses.stop]) for houses in HOUSES)
        if south and north:
            return None
        margin = self.pits[6] + south - self.pits[13] - north
        winner = None if margin == 0 else 0 if margin > 0 else 1
        return Outcome(winner, "one side's houses are empty", margin)

    def text(self):
        return ",".join(map(str, self.pits)) + " " + "sn"[self.side]

    def move_text(self, move):
        return str(move % 7 + 1)

    def picture(self):
        north, south = (
            " ".join(f"{self.pits[pit]:2}" for pit in houses)
            for houses in (HOUSES[1][::-1], HOUSES[0])
        )
        return [
            "    6  5  4  3  2  1   North",
            f"   {north}",
            f"{self.pits[13]:2}{self.pits[6]:20}",
            f"   {south}",
            "    1  2  3  4  5  6   South",
        ]

    def features(self):
        return self.pits

    def evaluate(self):
        lead = 100 * (self.pits[6] - self.pits[13])
        return lead if self.side == 0 else -lead


GAMES = [Kalah()]
