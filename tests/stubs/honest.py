"""A small UCI engine for the tests of scripts/: it plays the alphabetically first legal move.

Most other stubs are this engine with a fault.  The engine ignores its command-line arguments; a test
passes a unique one to find the engine's processes.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))

from games import registry  # noqa: E402
from protocol import moves  # noqa: E402


class Honest:
    """The engine.  moves_made: number of moves it has made.  skill: the value of Skill Level."""

    def __init__(self):
        self.name = type(self).__name__
        self.game = registry.get("chess")
        self.position = self.game.start({})
        self.moves_made = 0
        self.skill = 20

    def tell(self, *lines):
        for line in lines:
            print(line, flush=True)

    def run(self):
        for line in sys.stdin:
            words = line.split()
            if not words:
                continue
            if words[0] == "quit":
                return
            handler = getattr(self, "on_" + words[0], None)
            if handler is not None:
                handler(words[1:])

    def on_uci(self, words):
        variants = "".join(f" var {name}" for name in registry.names())
        self.tell(
            f"id name {self.name}",
            "id author the tests",
            "option name Skill Level type spin default 20 min 0 max 20",
            f"option name UCI_Variant type combo default chess{variants}",
            "uciok",
        )

    def on_isready(self, words):
        self.tell("readyok")

    def on_setoption(self, words):
        if words[1] == "UCI_Variant":
            self.game = registry.get(words[3])
        elif words[1] == "Skill":
            self.skill = int(words[4])

    def on_position(self, words):
        cut = words.index("moves") if "moves" in words else len(words)
        self.position = (
            self.game.start({})
            if words[0] == "startpos"
            else self.game.parse(" ".join(words[1:cut]), {})
        )
        for word in words[cut + 1 :]:
            self.position.make(moves.read(self.position, word))

    def on_go(self, words):
        best = min(self.position.legal_moves(), key=self.position.move_text)
        self.tell(
            f"info depth 1 score cp {self.skill} nodes 1 pv {moves.drop(self.position, best)}"
        )
        self.answer(moves.drop(self.position, best))
        self.moves_made += 1

    def answer(self, move):
        self.tell(f"bestmove {move}")


if __name__ == "__main__":
    Honest().run()
