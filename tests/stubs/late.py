"""An engine that answers half a second late from its second move on."""

import time

from honest import Honest


class Late(Honest):
    def on_go(self, words):
        self.seconds = int(words[words.index("movetime") + 1]) / 1000
        super().on_go(words)

    def answer(self, move):
        if self.moves_made:
            time.sleep(self.seconds + 0.5)
        super().answer(move)


if __name__ == "__main__":
    Late().run()
