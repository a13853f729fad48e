"""The honest stub, except that its process is stopped (SIGSTOP) during its first game."""

import os
import pathlib
import signal
import sys
import time

from honest import Honest


class Stopping(Honest):
    """An engine that is stopped once; the file named by its last argument marks that it was."""

    def on_go(self, words):
        mark = pathlib.Path(sys.argv[-1])
        if not mark.exists():
            mark.touch()
            os.kill(os.getppid(), signal.SIGSTOP)
            time.sleep(1.6)  # the test needs elapsed time
            os.kill(os.getppid(), signal.SIGCONT)
        super().on_go(words)


if __name__ == "__main__":
    Stopping().run()
