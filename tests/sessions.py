"""Random sessions of front ends: sensible lines of a protocol, with the moves of a legal game.

The lines are drawn from data/sessions.txt.
"""

import pathlib
import re
from typing import Callable, NamedTuple

from games import registry
from games.draughts.position import DraughtsPosition
from protocol import moves

GAMES = [name for name in registry.built_in() if name != "tree"]
_TEXT = (pathlib.Path(__file__).with_name("data") / "sessions.txt").read_text(encoding="utf-8")
# {name: [(weight, text)]}
TABLES = {
    name: [row.strip().split(" ", 1) for row in re.sub(r"\n {3,}", " ", rows).splitlines()]
    for name, rows in re.findall(r"^(\w.*)\n((?: .*\n)+)", _TEXT, re.MULTILINE)
}


def alternatives(text):
    """Return the parts of a text that vertical bars separate."""
    return [part.strip() for part in text.split("|")]


class Walk:
    """A random game.

    notation(position, move): returns a move's text, as the protocol writes it.
    """

    def __init__(self, dice, name, notation=moves.drop):
        self._dice, self.name, self._notation = dice, name, notation
        self.restart()

    def restart(self):
        """Go back to the start; return "", since nothing is sent."""
        game = registry.get(self.name)
        self.position = game.start({option.name: option.default for option in game.options})
        self.words = []
        return ""

    def game(self):
        """Begin another game and return its name."""
        self.name = self._dice.choice(GAMES)
        self.restart()
        return self.name

    def move(self):
        """Play a legal move and return its text; if the game is over, begin a new one first."""
        if not self.position.legal_moves():
            self.restart()
        move = self._dice.choice(self.position.legal_moves())
        text = self._notation(self.position, move)
        self.words.append(text)
        self.position.make(move)
        return text

    def walked(self):
        """Play some moves; return the texts of all moves since the start."""
        for _ in range(self._dice.choice((1, 1, 2, 7))):
            self.move()
        return " ".join(self.words)

    def legal(self):
        """Return all playable moves in UCI notation."""
        return {moves.drop(self.position, move) for move in self.position.playable_moves()}

    def text(self):
        """Return the text of the position."""
        return self.position.text()

    def colour(self):
        """Return GTP's colour of the side to move."""
        return "bw"[self.position.side]


def _point(position, move):
    return "{},{}".format(*moves.coordinates(position, position.placement(move)))


def _nboard(position, move):
    return "PA" if move == position.game.pass_move else position.move_text(move).upper()


class Wire(NamedTuple):
    """A protocol from the front end's side.

    greeting: the lines to send first; they keep later searches short.
    stop: lines that end one search each time they are sent.
    question: a line that the engine answers with `answer` once all earlier lines are carried out.
    """

    name: str
    greeting: str
    stop: str
    question: str
    answer: str
    farewell: str = "quit"
    game: str = "chess"
    notation: Callable = moves.drop

    def lines(self, dice, count):
        """Yield a session of about `count` lines."""
        walk, table = Walk(dice, self.game, self.notation), TABLES[self.name]
        weights = [int(weight) for weight, _ in table]
        for _, text in dice.choices(table, weights, k=count):
            drawn = re.sub(r"<([^<>]*)>", lambda found: dice.choice(alternatives(found[1])), text)
            yield from (
                re.sub(r"\$(\w+)", lambda found: getattr(walk, found[1])(), drawn)
                .replace("\\n", "\n")
                .splitlines()
            )


WIRES = [
    Wire("uci", "uci", "stop", "sync", "info string error: unknown command: sync"),
    Wire(
        "gtp",
        "plyglot-param Genmove_Nodes 50",
        "# interrupt",
        "77 sync",
        "?77 unknown command",
        notation=moves.vertex,
    ),
    Wire("cecp", "xboard\nsd 2", "?\nexit", "ping 77777", "pong 77777"),
    Wire(
        "gomocup",
        "START 15\nINFO timeout_turn 20",
        "YXSTOP",
        "sync",
        "UNKNOWN sync",
        "END",
        "gomokufreestyle",
        _point,
    ),
    Wire(
        "nboard",
        "nboard 2\nset depth 2",
        "",
        "ping 77777",
        "pong 77777",
        "quit",
        "othello",
        _nboard,
    ),
    Wire(
        "hub",
        "hub\nlevel depth=2",
        "stop",
        "ping",
        "pong",
        game="draughts",
        notation=DraughtsPosition.hub_move,
    ),
    Wire("usi", "usi", "stop", "sync", "info string error: unknown command: sync", game="shogi"),
]
