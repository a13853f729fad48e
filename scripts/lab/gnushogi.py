#!/usr/bin/env python3
"""GNU Shogi as a USI engine, for matches.  The arguments are its command (default: gnushogi -X).

scripts/tournament --game shogi --engine name=Plyglot --engine name=GNU proto=usi \\
    cmd=scripts/lab/gnushogi.py --depth 4 --random-plies 6

GNU Shogi keeps time limits only roughly, so `depth=` is the better limit.  It can't set up a
position, so every game begins at the start position.
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Sequence

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from plyglot.errors import EngineError  # noqa: E402
from plyglot.process import Process  # noqa: E402
from scripts.command_line import Parser, run_main  # noqa: E402

SCRIPT = "scripts/lab/gnushogi.py"

# Matches GNU Shogi's own move, as in "1. ... 3c3d".  The line that repeats the opponent's move has
# no dots.
_MOVE = re.compile(r"\d+\. \.\.\. (\S+)")
# GNU Shogi's clock is set for this number of moves.
_MOVES = 40
_DEEPEST = 29
# A command that GNU Shogi doesn't know.  The error message, which ends with this word, shows that
# all earlier output has been read.
_UNKNOWN = "ping"


def main() -> None:
    """Answer the commands on stdin up to `quit`."""
    _, command = Parser(SCRIPT, __doc__).parse_known_args()
    engine = Process(command or ["gnushogi", "-X"])
    moves: list[str] = []
    for line in sys.stdin:
        words = line.split()
        if words == ["usi"]:
            print("id name GNU Shogi\nusiok", flush=True)
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            moves = words[3:]
            if words[1] != "startpos":
                print("info string error: only the start position is possible", flush=True)
        elif words[:1] == ["go"]:
            level = level_of(words, len(moves) % 2)
            print(f"bestmove {best_move(engine, moves, level)}", flush=True)
        elif words == ["quit"]:
            break
    engine.close(["quit"])


def level_of(words: Sequence[str], side: int) -> list[str]:
    """Return GNU Shogi's commands for the limits of a `go`."""
    given = dict(zip(words[1::2], map(int, words[2::2])))
    clock, increment = (given.get("bw"[side] + name, 0) for name in ("time", "inc"))
    shared = clock // _MOVES + increment + given.get("byoyomi", 0)
    # Set the clock for _MOVES moves although only one is played, since GNU Shogi is far too slow
    # with a clock for one move.
    minutes, seconds = divmod(_MOVES * given.get("movetime", shared) // 1000, 60)
    level = [] if "depth" in given else [f"level {_MOVES} {minutes}:{seconds:02}"]
    # `depth` turns the clock off, so it comes first.
    return ["depth", str(given.get("depth", _DEEPEST)), *level]


def best_move(engine: Process, moves: Sequence[str], level: Sequence[str]) -> str:
    """Return the move of GNU Shogi after `moves`, or `resign` if it has none."""
    engine.write("new", _UNKNOWN)
    while not engine.read()[1].endswith(_UNKNOWN):  # skip the rest of the last game's output
        pass
    engine.write("force", *level, *moves, "go")  # `new` had turned `force` off
    while True:
        line = engine.read()[1]
        played = _MOVE.match(line)
        if played:
            return played[1]
        if line.endswith("mates!") or line.startswith("Illegal"):
            return "resign"


if __name__ == "__main__":
    run_main(SCRIPT, main, EngineError)
