"""Checked fields of a command's JSON, which may contain anything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games import registry
from games.base import Game, GameError, Position
from games.looks import HOLE
from games.openings import opening_here
from games.types import Cell
from protocol.records.builder import legal, name_of_move, read_recorded
from protocol.records.lists import read_position
from protocol.records.record import Start, rules_of
from scripts.command_line import translated

Body = dict[str, Any]  # the JSON object of a command
LONGEST_TEXT = 20_000  # maximum number of characters of a position's text
MAX_MOVES = 2_000  # maximum number of moves of a game


class Wrong(Exception):
    """Raised if a command is invalid; the message is for the user of the page."""


def text(body: Body, name: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
    """Return a string field; raise Wrong if it isn't a string, or is longer than `longest`."""
    value = body.get(name, default)
    if not isinstance(value, str) or len(value) > longest:
        raise Wrong(f"{name} must be a string of at most {longest} characters")
    return value


def number(
    body: Body, name: str, low: float, high: float, default: float | None = None
) -> float | None:
    """Return a finite number from low to high, or None if it is absent and has no default."""
    value = body.get(name, default)
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not low <= value <= high  # false for NaN, too
    ):
        raise Wrong(f"{name} must be a number from {low} to {high}")
    return value


def count(body: Body, name: str, low: int, high: int, default: int | None = None) -> int | None:
    """Return a whole number from low to high, or None if it is absent and has no default."""
    value = number(body, name, low, high, default)
    if value is not None and value != int(value):
        raise Wrong(f"{name} must be a whole number")
    return None if value is None else int(value)


def game(body: Body) -> Game:
    """Return the Game that a command names."""
    with translated(Wrong, registry.UnknownGame):
        return registry.get(text(body, "game", longest=100))


def start(body: Body) -> Start:
    """Return the Start that the fields `game`, `options` and `start` (a text or null) describe."""
    chosen = game(body)
    options = body.get("options") or {}
    if not isinstance(options, dict) or len(options) > 20:
        raise Wrong("options must be an object of at most 20 names and values")
    with translated(Wrong, ValueError):
        values = rules_of(chosen, options)
        known = {option.name.lower() for option in chosen.options}
        for name in options:
            if name.lower() not in known:
                raise Wrong(f'{chosen.name} has no option "{name}"')
        if not body.get("start"):
            return Start(chosen, None, values)
        return read_position(chosen, text(body, "start"), values)


class GameLine:
    """A start, moves, and the position after them.

    start: a Start.  moves: ints.  position: the position after the moves.
    turns: (move number, side) of each move; the first number is the start's, and it increases when
    the turn passes from the second player to the first.
    last: the cells that the last move touches, [] before the first one.
    openings: the name of the opening at the start and after each move.
    """

    def __init__(self, begin: Start) -> None:
        self.start, self.position = begin, begin.position()
        self.moves: list[int] = []
        self.turns: list[tuple[int, int]] = []
        self.openings = [opening_here(self.position)]
        self.last: list[Cell] = []
        self._begun = _pieces(self.position)

    @property
    def number(self) -> int:
        """Return the number of the next move."""
        if not self.turns:
            return self.position.move_number() or 1
        number, before = self.turns[-1]
        return number + (self.position.side < before)

    @property
    def taken(self) -> list[list[str]]:
        """Return the pieces that each player has captured, the least valuable first.

        These are the pieces of the start that are no longer on the board, except promoted pawns.
        Both lists are empty in games whose pieces have no values or go into the hand.
        """
        own = self.start.game.looks
        if not own.worths or self.position.hands() is not None:
            return [[], []]
        now = _pieces(self.position)
        gone, more = self._begun - now, now - self._begun
        pawn = min(own.worths, key=lambda piece: own.worths[piece])
        for side, own_pawn in enumerate((pawn, pawn.lower())):
            gone[own_pawn] -= sum(more[piece] for piece in more if own.owner(piece) == side)
        pieces = [piece for piece in own.all_pieces()[::-1] for _ in range(gone[piece])]
        return [[piece for piece in pieces if own.owner(piece) == 1 - side] for side in (0, 1)]

    def play(self, move: int) -> None:
        """Play a legal move."""
        position, side = self.position, self.position.side
        self.turns.append((self.number, side))
        self.last = position.touched(move)
        position.make(move)
        self.moves.append(move)
        self.openings.append(opening_here(position, len(self.moves)) or self.openings[-1])

    def undo(self) -> None:
        """Take back the last move.  The attribute `last` changes only with the next play()."""
        self.position.undo()
        for stack in (self.moves, self.turns, self.openings):
            stack.pop()


def _pieces(position: Position) -> Counter[str]:
    """Count the cells of the board by their text."""
    return Counter(cell for row in position.board() or () for cell in row)


def line(body: Body) -> GameLine:
    """Return the GameLine of a command's start and moves."""
    texts = body.get("moves", [])
    with translated(Wrong, GameError):
        played = GameLine(start(body))
    if not isinstance(texts, list) or len(texts) > MAX_MOVES:
        raise Wrong(f"moves must be a list of at most {MAX_MOVES} strings")
    for plies, word in enumerate(texts):
        if not isinstance(word, str) or len(word) > 100:
            raise Wrong(f"move {plies + 1} must be a string of at most 100 characters")
        try:
            played.play(read_recorded(played.position, word, legal))
        except GameError as error:
            raise Wrong(f"{name_of_move(played.position, plies)}: {error}") from None
    return played


def rows(body: Body) -> list[Any]:
    """Return the rows of an edited board: lists of texts, or strings if each has one character."""
    given = body.get("rows")
    if (
        not isinstance(given, list)
        or not 0 < len(given) <= 26
        or not all(isinstance(row, (str, list)) and 0 < len(row) <= 26 for row in given)
        or len(set(map(len, given))) > 1
        or not all(cell is None or isinstance(cell, str) for row in given for cell in row)
    ):
        raise Wrong("rows must be 1 to 26 lists of the same length, of 1 to 26 strings or nulls")
    texts = [[HOLE if cell is None else cell or "." for cell in row] for row in given]
    wide = any(len(cell) > 1 for row in texts for cell in row)
    return [row if wide else "".join(row) for row in texts]
