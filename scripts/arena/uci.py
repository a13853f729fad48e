"""Engines that speak UCI, with UCI_Variant for games other than chess."""

from __future__ import annotations

import time

from games.base import Game, Position
from games.grid import square_name
from plyglot.errors import Refusal
from plyglot.infos import Info, Result
from plyglot.uci import Conversation, at_once, go_words
from protocol import moves
from protocol.records.record import Start
from scripts.arena.client import Client
from search.limits import Limits


class UciClient(Client):
    """The Universal Chess Interface."""

    protocol = "uci"
    urge = "stop"

    def _shake_hands(self, seconds: float) -> str:
        process = self._process
        self._uci = Conversation(process.write, process.read_at_once, seconds)
        self._variant = "chess"
        at_once(self._uci.greet())
        self.options = {key: option.name for key, option in self._uci.options.items()}
        return self._uci.name

    def set_option(self, name: str, value: object) -> None:
        self._uci.set_option(name, value)

    def prepare(self, start: Start, moves: list[int], patience: float | None = None) -> None:
        self._uci.patience = self._patience if patience is None else patience
        at_once(self._uci.settle())
        super().prepare(start, moves, patience)

    def _begin(self, start: Start, new: bool) -> None:
        self._texts: list[str] = []
        if not new:
            return
        self._choose(start.game)
        for name, value in start.values().items():
            if name.lower() in self.options and (name in start.options or name == "UCI_Chess960"):
                self.set_option(name, value)
        self._uci.new_game()
        at_once(self._uci.ready())

    def _choose(self, game: Game) -> None:
        if game.name != self._variant:
            self._uci.choose(game.name, *game.aliases)
            self._variant = game.name

    def _play(self, move: int) -> None:
        position = self._position
        if move == position.game.pass_move and "Fairy-Stockfish" in self.name:
            self._texts.append(2 * _lowest_own_square(position))  # its notation of a pass
        else:
            self._texts.append(moves.drop(position, move))

    def _synchronise(self) -> None:
        self._uci.position(self._start.text if self._start else None, self._texts)
        at_once(self._uci.ready())

    def _go(self, limits: Limits) -> None:
        words = _search_words(limits, self._position)
        self._begin_wait()
        self._uci.go(words)

    def _listen(self, line: str) -> str | None:
        event = self._uci.receive(time.perf_counter(), line)
        if isinstance(event, Info) and (event.score is not None or event.mate is not None):
            self._tell(event)
        return event.move if isinstance(event, Result) else None

    def _read_move(self, text: str) -> int:
        return moves.read(self._position, text)


def _lowest_own_square(position: Position) -> str:
    """Return the first square, rank by rank from a1, with a disc of the side to move."""
    mark = "XO"[position.side]
    for rank, row in enumerate(position.board() or ()):
        if mark in row:
            return square_name(row.index(mark), rank)
    raise Refusal("has no disc on the board, which its notation of a pass needs")


def _search_words(limits: Limits, position: Position) -> list[str]:
    """Return the words after `go` for search.limits.Limits."""
    names = None if limits.moves is None else [moves.drop(position, move) for move in limits.moves]
    return go_words(
        {
            "depth": limits.depth,
            "nodes": limits.nodes,
            "mate": limits.mate,
            "movetime": limits.movetime,
            "clocks": limits.clocks,
            "increments": limits.increments,
            "moves_to_go": limits.moves_to_go,
            "searchmoves": names,
            "infinite": limits.infinite,
        }
    )
