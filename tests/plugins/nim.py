"""Nim: take any number of stones from one heap; the last stone wins.  An example of a plugin."""

from games.base import Game, Outcome, Position, PositionError


class Nim(Game):
    name = "nim"
    aliases = ("heaps",)
    bench = ((None, 6),)
    alternates = True

    def start(self, options):
        return NimPosition(self, [3, 4, 5], 0)

    def parse(self, text, options):
        words = text.split()
        if len(words) != 2 or words[1] not in ("x", "o"):
            raise PositionError(text, "must be heaps such as 3,4,5, then the side to move, x or o")
        try:
            heaps = [int(heap[:4]) for heap in words[0].split(",")]
        except ValueError:
            raise PositionError(words[0], "heaps must be numbers") from None
        if not all(0 <= heap < 16 for heap in heaps) or len(heaps) > 8:
            raise PositionError(words[0], "at most 8 heaps of 0 to 15 stones")
        return NimPosition(self, heaps, "xo".index(words[1]))


class NimPosition(Position):
    def __init__(self, game, heaps, side):
        self.game, self.heaps, self.side, self.history = game, heaps, side, []

    @property
    def key(self):
        key = 1
        for heap in self.heaps:
            key = key << 4 | heap
        return key << 1 | self.side

    def legal_moves(self):
        return [
            heap << 4 | count
            for heap, stones in enumerate(self.heaps)
            for count in range(1, stones + 1)
        ]

    def make(self, move):
        self.history.append(move)
        self.heaps[move >> 4] -= move & 15
        self.side ^= 1

    def undo(self):
        move = self.history.pop()
        self.heaps[move >> 4] += move & 15
        self.side ^= 1

    def outcome(self):
        return None if any(self.heaps) else Outcome(self.side ^ 1, "took the last stone")

    def text(self):
        return ",".join(map(str, self.heaps)) + " " + "xo"[self.side]

    def move_text(self, move):
        return f"{move >> 4}-{move & 15}"


GAMES = [Nim()]
