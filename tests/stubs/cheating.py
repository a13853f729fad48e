"""An engine whose second move repeats a move of its opponent."""

from honest import Honest


class Cheating(Honest):
    def on_position(self, words):
        super().on_position(words)
        self.last = words[-1]

    def answer(self, move):
        super().answer(self.last if self.moves_made else move)


if __name__ == "__main__":
    Cheating().run()
