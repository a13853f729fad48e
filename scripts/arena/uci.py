"""Engines that speak UCI, with UCI_Variant for games other than chess, and USI for shogi."""

from __future__ import annotations

from typing import Any

from games.base import Position
from games.grid import square_name
from games.options import plain_name
from plyglot import uci
from plyglot.client import COMPLAINT
from plyglot.errors import Refusal
from plyglot.uci import LONGEST_NAME, Declaration, Info, read_info
from protocol.moves import drop
from protocol.records.record import Start
from scripts.arena.client import Client
from search.limits import Limits

# The limits with the same name and meaning in plyglot.uci.GoLimits.
_SHARED = "depth nodes mate movetime clocks increments moves_to_go infinite".split()


class UciClient(Client):
    """The Universal Chess Interface, and the base class for protocols modelled on it.

    own_game: the game that an engine plays by default.
    position_word: the word before a position's text.
    players: the letters of the first and of the second player's clock.
    """

    protocol = "uci"
    urge = "stop"
    own_game = "chess"
    position_word = "fen"
    players = "wb"

    def _shake_hands(self, until: float) -> str:
        self._declared = Declaration(self.protocol, self.own_game)
        self._process.write(self.protocol)
        while not self._declared.complete:
            self._declared.read(self._process.read(until)[1])
        names = (option.name for option in self._declared.options.values())
        self.options = {plain_name(name): name for name in names}
        return self._declared.name

    def set_option(self, name: str, value: object) -> None:
        self._send(self._declared.setting(self._declared_name(name), value))

    def _send(self, *lines: str) -> None:
        """Send lines and wait until the engine has carried them out; raise Refusal on an error."""
        self._process.write(*lines, "isready")
        for line in self._expect(lambda line: line.strip() == "readyok"):
            if line.startswith(COMPLAINT):
                raise Refusal(line[len(COMPLAINT) :][:LONGEST_NAME])

    def _begin(self, start: Start, new: bool) -> None:
        self._origin = start.text
        if not new:
            return
        self._send(*self._declared.choice(start.game.name, *start.game.aliases))
        self._set_rules(start)
        self._send(f"{self.protocol}newgame")

    def _text(self, move: int) -> str:
        if move == self._position.game.pass_move and "Fairy-Stockfish" in self.name:
            # Fairy-Stockfish writes a pass as a move of a disc to its own square
            return 2 * _lowest_own_square(self._position)
        return drop(self._position, move)

    def _synchronise(self) -> None:
        played = ["moves", *self._texts] if self._texts else []
        words = ["startpos"] if self._origin is None else [self.position_word, self._origin]
        self._send(" ".join(["position", *words, *played]))

    def _go(self, limits: Limits) -> list[str]:
        shared: Any = {name: getattr(limits, name) for name in _SHARED}
        return [" ".join(["go", *uci.go_words(shared, self.players)])]

    def _listen(self, line: str) -> str | Info | None:
        words = line.split()
        if words[:1] == ["bestmove"]:
            return words[1] if len(words) > 1 else ""
        return read_info(line) if words[:1] == ["info"] else None


def _lowest_own_square(position: Position) -> str:
    """Return the first square, rank by rank from a1, with a disc of the side to move."""
    mark = "XO"[position.side]
    for rank, row in enumerate(position.board() or ()):
        if mark in row:
            return square_name(row.index(mark), rank)
    raise Refusal("UCI can't write this pass: the side to move has no disc on the board")


class UsiClient(UciClient):
    """The Universal Shogi Interface: UCI with other positions, moves and clocks."""

    protocol = "usi"
    own_game = "shogi"
    position_word = "sfen"
    players = "bw"
    knows_overtime = True

    def _text(self, move: int) -> str:
        return self._position.move_text(move)

    def _go(self, limits: Limits) -> list[str]:
        # Once the main time is used up, only `turn` is set.
        overtime = limits.overtime or limits.turn
        if not overtime:
            return super()._go(limits)
        others = Limits(limits.depth, limits.nodes, movetime=limits.movetime)
        first, second = (max(round(1000 * (clock or 0.0)), 0) for clock in limits.clocks)
        times = f"btime {first} wtime {second} byoyomi {round(1000 * overtime)}"
        return [f"{super()._go(others)[0]} {times}"]

    def _listen(self, line: str) -> str | Info | None:
        heard = super()._listen(line)
        if isinstance(heard, Info) and heard.mate is not None:
            # USI counts plies to the mate, an Info counts the winner's moves
            heard.mate = (abs(heard.mate) + 1) // 2 * (1 if heard.mate > 0 else -1)
        return heard
