"""Random front-end sessions: sensible lines of each protocol along a real game.

sessions.txt has what they consist of.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from games import registry
from games.base import Position
from protocol import moves

GAMES = registry.built_in()
BOARDS = [name for name in GAMES if name != "tree"]
_TEXTS = pathlib.Path(__file__).with_name("sessions.txt").read_text(encoding="utf-8")
_TABLE = re.compile(r"^(\w.*)\n((?: .*\n)+)", re.MULTILINE)
_CHOICE, _NAME = re.compile(r"<([^<>]*)>"), re.compile(r"\$\{?(\w+)\}?")
# {name: [(weight, text)]}
TABLES = {
    name: [row.strip().split(" ", 1) for row in re.sub(r"\n {3,}", " ", rows).splitlines()]
    for name, rows in _TABLE.findall(_TEXTS)
}


def alternatives(text: str) -> list[str]:
    """Return the parts of a text between bars, without the spaces around them."""
    return [part.strip() for part in text.split("|")]


def listed(name: str) -> list[str]:
    """Return the alternatives that are the only line of a table."""
    return alternatives(TABLES[name][0][1])


def words_of(name: str) -> list[str]:
    """Return the words of the only line of a table."""
    return TABLES[name][0][1].split()


class Walk:
    """A random game of `name`: its position and the texts of its moves.

    notation(position, move): returns the text of a move for move().
    """

    def __init__(self, dice: Random, name: str, notation: moves.Notation = moves.drop) -> None:
        self._dice, self.name, self._notation = dice, name, notation
        self.restart()

    def restart(self) -> str:
        """Return to the start; return ""."""
        game = registry.get(self.name)
        self.position = game.start({option.name: option.default for option in game.options})
        self.words: list[str] = []
        return ""

    def game(self) -> str:
        """Begin another game and return its name."""
        self.name = self._dice.choice(BOARDS)
        self.restart()
        return self.name

    def move(self) -> str:
        """Play a legal move, of a new game if this one is over, and return its text."""
        if not self.position.legal_moves():
            self.restart()
        move = self._dice.choice(self.position.legal_moves())
        text = self._notation(self.position, move)
        self.words.append(moves.drop(self.position, move))
        self.position.make(move)
        return text

    def walked(self) -> str:
        """Play some moves; return those since the start."""
        for _ in range(self._dice.choice((1, 1, 2, 7))):
            self.move()
        return " ".join(self.words)

    def line(self) -> str:
        """Return UCI's line for the position."""
        return " ".join(["position startpos", *["moves"] * bool(self.words), *self.words])

    def legal(self) -> set[str]:
        """Return all playable moves in UCI notation, even after a claimable draw."""
        return {moves.drop(self.position, move) for move in self.position.playable_moves()}

    def some(self) -> str:
        """Return two legal moves."""
        return " ".join(sorted(self.legal())[:2])

    def text(self) -> str:
        """Return the text of the position."""
        return self.position.text()

    def board(self) -> str:
        """Return the board in GGF."""
        return self.text().replace("X", "*")

    def clear(self) -> str:
        """Return GTP's command for a new game if this is one."""
        return "" if self.words else "clear_board\n"

    def colour(self) -> str:
        """Return GTP's colour of the side to move."""
        return "bw"[self.position.side]

    def stones(self) -> str:
        """Play some moves and return them as lines of Gomocup's BOARD."""
        count = self._dice.randrange(9)
        return "".join(f"{self.move()},{1 + number % 2}\n" for number in range(count))


def _point(position: Position, move: int) -> str:
    cell = position.placement(move)
    assert cell is not None  # every move of Gomoku places a stone
    return "{},{}".format(*moves.coordinates(position, cell))


def _nboard(position: Position, move: int) -> str:
    return "PA" if move == position.game.pass_move else position.move_text(move).upper()


class Wire(NamedTuple):
    """A protocol from the front end's side.

    name: the protocol's.  greeting: its first line.  begin: the line that makes searches short.
    stop: lines that end one search each time they are sent.
    question, answer: a line with a number, and its answer once all earlier lines are done.
    farewell: its last line.  game: the first game.  notation: as for a Walk.
    """

    name: str
    greeting: str
    begin: str
    stop: tuple[str, ...]
    question: str
    answer: str
    farewell: str = "quit"
    game: str = "chess"
    notation: Callable[[Position, int], str] = moves.drop

    def sync(self, token: int) -> tuple[str, str]:
        """Return the question with this number, and its answer."""
        return self.question.format(token), self.answer.format(token)

    def lines(self, dice: Random, count: int) -> Iterator[str]:
        """Yield a session of `count` texts, with short searches."""
        walk, table = Walk(dice, self.game, self.notation), TABLES[self.name]
        weights = [int(weight) for weight, _ in table]
        yield self.begin
        for _, text in dice.choices(table, weights, k=count):
            drawn = _CHOICE.sub(lambda found: dice.choice(alternatives(found[1])), text)
            filled = _NAME.sub(lambda found: getattr(walk, found[1])(), drawn)
            yield from filled.replace("\\n", "\n").splitlines()


_UNKNOWN = "info string error: unknown command: sync-{}"
_PING = "ping {}", "pong {}"
_UCI = Wire("uci", "uci", "isready", ("stop", "isready"), "sync-{}", _UNKNOWN)
_GTP = Wire(
    "gtp",
    "name",
    "plyglot-param Genmove_Nodes 50",
    ("# interrupt",),
    "{} sync",
    "?{} unknown command",
)
_GOMOCUP = Wire(
    "gomocup", "START 15", "INFO timeout_turn 20", ("YXSTOP",), "sync-{}", "UNKNOWN sync-{}"
)
_NBOARD = Wire("nboard", "nboard 2", "set depth 2", (), *_PING)
WIRES = {
    "uci": _UCI,
    "gtp": _GTP._replace(notation=moves.vertex),
    "cecp": Wire("cecp", "xboard", "sd 2", ("?", "exit"), *_PING),
    "gomocup": _GOMOCUP._replace(farewell="END", game="gomokufreestyle", notation=_point),
    "nboard": _NBOARD._replace(game="othello", notation=_nboard),
}
