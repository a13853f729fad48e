"""An engine that dies when it has to make its second move."""

import sys

from honest import Honest


class Crashing(Honest):
    def answer(self, move):
        if self.moves_made:
            print("the stub falls over", file=sys.stderr, flush=True)
            sys.exit(7)
        super().answer(move)


if __name__ == "__main__":
    Crashing().run()
