"""A game that was played: where it started, its moves, what is known of it."""
from __future__ import annotations

from games import registry
from games.base import GameError
from protocol.moves import read as read_move
from protocol.options import own_name, wire_options
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from games.base import Game, Position
    from protocol.records.sgf_text import Branch

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class RecordError(Exception):
    """A record that can't be read, in words."""


class Start:
    """The start of a game, as plain data.

    game: the Game.  text: the canonical text of the position, None for the game's own
    start.
    options: {name on the wire: value} of the game's options that differ from their
    defaults.
    """

    def __init__(self, game: Game | str, text: str | None = None,
                 options: Mapping[str, Any] | None = None) -> None:
        self.game: Game = registry.get(game) if isinstance(game, str) else game
        self.text, self.options = text, dict(options or {})

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Start) and self.game.name == other.game.name
                and self.text == other.text and self.options == other.options)

    __hash__ = None     # type: ignore[assignment]  # the way to say that it has none

    def values(self) -> dict[str, Any]:
        """{name: value} of all of the game's options, as the game wants them."""
        own = {own_name(name): value for name, value in self.options.items()}
        return {**{option.name: option.default for option in self.game.options}, **own}

    def position(self, moves: Iterable[int] = ()) -> Position:
        """A new position: the start, then `moves` played.  PositionError where the text is none."""
        values = self.values()
        position = (self.game.start(values) if self.text is None
                    else self.game.parse(self.text, values))
        for move in moves:
            position.make(move)
        return position


def read_options(game: Game, words: Iterable[str]) -> dict[str, Any]:
    """{name on the wire: value} of `NAME=VALUE` words; ValueError in words.

    They are options that the game declares.
    """
    declared = {option.name.lower(): option for option in wire_options(game.options)}
    found = {}
    for word in words:
        name, sign, text = word.partition("=")
        option = declared.get(name.strip().lower())
        if not sign:
            raise ValueError(f"an option of the game needs NAME=VALUE, not {word}")
        if option is None:
            known = ", ".join(option.name for option in declared.values()) or "none"
            raise ValueError(f"{game.name} has no option '{name}' (its options: {known})")
        found[option.name] = option.read(text)
    return found


def read_numbered(read: Callable[[Any], Any], games: Iterable[Any]) -> list[Any]:
    """What is read of each of the games of a text; a RecordError tells which of several it was."""
    found, games = [], list(games)
    for number, game in enumerate(games, 1):
        try:
            found.append(read(game))
        except RecordError as error:
            raise RecordError(f"game {number}: {error}" if games[1:] else str(error)) from None
    return found


class GameRecord:
    """One game.

    start: a Start.  moves: ints.  players: (first, second), "" where unknown.
    result: one of RESULTS; 1-0 means that the player who moves first won.
    tags: {name: text} of what else is known (Event, Date, ...), in the record's own
    words.
    remarks: {after how many moves: words} of a PGN, ready to be written again: marks ($1),
        comments in braces, variations in brackets.
    properties: {after how many moves: {name: values}} of an SGF or GGF beside moves: comments,
        marks.
    branches: {after how many moves: branches of an SGF that go another way from there}.
    """

    def __init__(self, start: Start, moves: Iterable[int] = (),
                 players: Sequence[str] = ("", ""), result: str = "*",
                 tags: Mapping[str, str] | None = None) -> None:
        self.start, self.moves = start, list(moves)
        self.players, self.result, self.tags = tuple(players), result, dict(tags or {})
        self.remarks: dict[int, list[str]] = {}
        self.properties: dict[int, dict[str, list[str]]] = {}
        self.branches: dict[int, list[Branch]] = {}

    def positions(self) -> Iterator[tuple[Position, int]]:
        """(position, move) before each move; the position is changed in place from step to step."""
        position = self.start.position()
        for move in self.moves:
            yield position, move
            position.make(move)

    def turns(self) -> list[tuple[int, int]]:
        """[(number, side)] of each move.

        The number goes up where the first player's turn comes after the second's.
        """
        found, number, before = [], 1, 0
        for position, _ in self.positions():
            number += position.side < before
            before = position.side
            found.append((number, before))
        return found

    def final(self) -> Position:
        """A new position after the last move."""
        return self.start.position(self.moves)


class Note:
    """What an analysis says about one move.

    score: for the player who moves first, in the game's unit; None where it is a
    proven win.
    mate: the winner's moves, negative where the second player wins.
    mark: "", "?!", "?" or "??".
    best: the better line (ints, from the position before the move) where the move is
    marked.
    depth: of the search.
    lost: how much of the expected score (0 to 1) the move gave away.
    seconds: that the move took; clock: seconds that the player had left after it.  None where
        they are not known.
    """

    def __init__(self, score: int | None = None, mate: int | None = None, mark: str = "",
                 best: Iterable[int] = (), depth: int | None = None, lost: float = 0.0) -> None:
        self.score, self.mate, self.mark, self.best = score, mate, mark, list(best)
        self.depth, self.lost = depth, lost
        self.seconds: float | None = None
        self.clock: float | None = None


class MoveReader:
    """Plays move texts from a start; RecordError names the move and the text that can't be played.

    position: after the moves so far.  moves: ints, passes that the record leaves out
    included.
    plies: how many of them each move of the record is: 1; 2 with such a pass; 0 for a pass after
        the end of the game.
    """

    def __init__(self, start: Start,
                 read: Callable[[Position, str], int] = read_move) -> None:
        try:
            self.position = start.position()
        except GameError as error:
            raise RecordError(f"the start position: {error}") from None
        self.start, self._read = start, read
        self.moves: list[int] = []
        self.plies: list[int] = []

    def play(self, text: str) -> None:
        """Play one move."""
        self._play(text)
        self.plies.append(1)

    def _play(self, text: str) -> None:
        try:
            move = self._read(self.position, text)
        except GameError as error:
            raise RecordError(f"move {len(self.moves) + 1}: {error}") from None
        self.position.make(move)
        self.moves.append(move)

    def play_for(self, side: int, text: str) -> None:
        """Play a move of player `side`, and before it a pass that the record leaves out."""
        position, known = self.position, len(self.moves)
        if position.side != side and position.legal_moves() == [position.game.pass_move]:
            self._play("pass")
        if position.side != side:
            raise RecordError(f"move {known + 1}: {text}, but it is the other player's turn")
        self._play(text)
        self.plies.append(len(self.moves) - known)

    def record(self, players: Sequence[str] = ("", ""), result: str | None = None,
               tags: Mapping[str, str] | None = None) -> GameRecord:
        """The GameRecord of what was played; the rules tell the result where the record doesn't."""
        if result not in RESULTS[:3]:
            outcome = self.position.outcome()
            result = "*" if outcome is None else result_of(outcome)
        return GameRecord(self.start, self.moves, players, result, tags)
