"""Engines that speak UCI, with UCI_Variant for games other than chess."""

from __future__ import annotations

import time
from typing import Any

from games.base import Position
from games.grid import square_name
from plyglot import Engine, uci
from plyglot.command import Command
from plyglot.errors import Refusal, Stall
from protocol import moves
from protocol.records.record import Start
from scripts.arena.client import HAND_SHAKE, Client
from search.limits import Limits

# The limits that have the same name and meaning in plyglot.Engine.
_SHARED = ("depth", "nodes", "mate", "movetime", "clocks", "increments", "moves_to_go", "infinite")


class UciClient(Client):
    """The Universal Chess Interface, as plyglot.Engine speaks it."""

    protocol = "uci"
    urge = "stop"

    def _connect(self, command: Command, directory: str | None) -> str:
        self._engine = Engine(command, directory=directory, patience=HAND_SHAKE)
        self._process, self._game = self._engine.process, "chess"
        self.options = {name.lower(): name for name in self._engine.options}
        return self._engine.name

    def set_option(self, name: str, value: object) -> None:
        self._engine.set_option(name, value)

    def prepare(self, start: Start, moves: list[int], patience: float | None = None) -> None:
        self._engine.patience = self._patience if patience is None else patience
        super().prepare(start, moves, patience)

    def _begin(self, start: Start, new: bool) -> None:
        self._texts: list[str] = []
        if not new:
            return
        game = start.game
        if game.name != self._game:
            self._engine.choose(game.name, *game.aliases)
            self._game = game.name
        for name, value in start.values().items():
            if name.lower() in self.options and (name in start.options or name == "UCI_Chess960"):
                self.set_option(name, value)
        self._engine.new_game()

    def _play(self, move: int) -> None:
        position = self._position
        if move == position.game.pass_move and "Fairy-Stockfish" in self.name:
            # Fairy-Stockfish writes a pass as a move of a disc to its own square
            self._texts.append(2 * _lowest_own_square(position))
        else:
            self._texts.append(moves.drop(position, move))

    def _synchronise(self) -> None:
        self._engine.position(self._start.text if self._start else None, self._texts)

    def _search(
        self, limits: Limits, due: float | None, patience: float | None
    ) -> tuple[str, float]:
        seconds = patience if due is None else due
        search = self._engine.search(timeout=seconds, **_limits(limits))
        try:
            result = search.wait(self._tell)
        except Stall:  # the search was told to stop: wait for its answer
            if due is None:
                raise
            search.until = None if patience is None else time.perf_counter() + patience
            result = search.wait(self._tell)
        return result.move, result.seconds

    def _read_move(self, text: str) -> int:
        return moves.read(self._position, text)


def _lowest_own_square(position: Position) -> str:
    """Return the first square, rank by rank from a1, with a disc of the side to move."""
    mark = "XO"[position.side]
    for rank, row in enumerate(position.board() or ()):
        if mark in row:
            return square_name(row.index(mark), rank)
    raise Refusal("UCI can't write this pass: the side to move has no disc on the board")


def _limits(limits: Limits) -> uci.Limits:
    """Convert search.limits.Limits into the limits of plyglot.Engine."""
    given: Any = {name: getattr(limits, name) for name in _SHARED}
    return given  # type: ignore[no-any-return]  # of the fields
