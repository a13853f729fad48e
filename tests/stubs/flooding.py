"""An engine that writes without end after one command: uci, isready or go, given as its argument."""

import sys

from honest import Honest

LINES = b"info depth 1 score cp 5 nodes 1 pv e2e4\n" * 500


class Flooding(Honest):
    def flood(self):
        while True:
            sys.stdout.buffer.write(LINES)

    def on_uci(self, words):
        if "uci" in sys.argv:
            self.flood()
        super().on_uci(words)

    def on_isready(self, words):
        if "isready" in sys.argv:
            self.flood()
        super().on_isready(words)

    def answer(self, move):
        if "go" in sys.argv:
            self.flood()
        super().answer(move)


if __name__ == "__main__":
    try:
        Flooding().run()
    except OSError:  # the reader is gone
        pass
