"""A UCI engine that accepts a pass only as Fairy-Stockfish writes it: twice the square of the mover's lowest disc."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))

from games.grid import square_name  # noqa: E402
from tests.stubs.honest import Honest  # noqa: E402


class OwnSquare(Honest):
    """An engine that exits if a pass isn't written as twice the square of the mover's lowest disc."""

    def on_position(self, words):
        position = self.game.start({})
        for word in words[2:]:
            move = position.parse_move(word[2:] if word.startswith("P@") else word)
            if move == self.game.pass_move:
                rows = ["".join(row) for row in position.board()]
                discs = [
                    square_name(x, y)
                    for y in range(8)
                    for x in range(8)
                    if rows[y][x] == "XO"[position.side]
                ]
                if word != 2 * discs[0]:
                    sys.exit(1)
            position.make(move)
        self.position = position


if __name__ == "__main__":
    engine = OwnSquare()
    engine.name = sys.argv[1]
    engine.run()
