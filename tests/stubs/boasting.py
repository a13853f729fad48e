"""Plyglot with a fault: before each move it reports impossible numbers."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import engine  # noqa: E402

MANY = "9" * 5000  # more digits than int() reads
BOASTS = [
    "info depth 9e307 score cp 9e307 nodes 9e307 nps 9e307 time 9e307",
    "info depth ² score mate 9e307 nodes -9e307",
    "info score mate 9999999 nodes 99999999999999",
    f"info depth {MANY} score cp -{MANY}",
    "1 ² 3 4 e4",
    "1 --5 3 4 e4",
    f"1 {MANY} 3 {MANY} e4",
    "99999999999 10000000 3 99999999999999 e4",
    "MESSAGE depth ² ev ² n ²",
    "MESSAGE ev --5",
    f"MESSAGE depth {MANY} ev {MANY} n {MANY}",
    "MESSAGE depth 99999999999-1 ev 99999999999 n 99999999999999",
]
MOVE = re.compile(r"bestmove |move |\d+,\d+$")


class Boasting(engine.Writer):
    def __call__(self, *lines):
        mine = [line for line in BOASTS if line.startswith(self.manner)]
        super().__call__(*(mine if lines and MOVE.match(lines[0]) else []), *lines)


if __name__ == "__main__":
    protocol = sys.argv[1]
    Boasting.manner = {"uci": "info", "cecp": ("1", "9"), "gomocup": "MESSAGE"}[protocol]
    engine.Writer = Boasting
    sys.argv[1:] = ["--protocol", protocol]
    engine.run()
