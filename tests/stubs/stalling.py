"""An engine that hangs when it has to make its second move, and can only be killed."""

import signal
import time

from honest import Honest


class Stalling(Honest):
    def answer(self, move):
        if self.moves_made:
            for number in (
                signal.SIGINT,
                signal.SIGTERM,
                getattr(signal, "SIGHUP", signal.SIGTERM),
            ):
                signal.signal(number, signal.SIG_IGN)
            while True:
                time.sleep(60)
        super().answer(move)


if __name__ == "__main__":
    Stalling().run()
