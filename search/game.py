"""The game in progress: its rules, its position and the moves that led there."""

from __future__ import annotations

from itertools import chain, islice
from time import perf_counter

from games import registry
from games.base import MoveError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from games.base import Game, Position
    from games.types import Move

    # read(position, text) returns a legal move or raises MoveError.
    ReadMove = Callable[[Position, str], Move]

# Maximum number of moves to set up.  No game is that long: even chess ends earlier by the
# fifty-move rule.  No command is read during the set-up, so its length must be limited: this many
# moves take a fraction of a second.
_MAX_MOVES = 12_000


class SessionError(Exception):
    """Raised if a request can't be carried out; the message says why."""


def position_of(setup: Mapping[str, Any]) -> Position:
    """Return a new position from what GameInProgress.for_others() returned."""
    position = registry.get(setup["game"]).parse(setup["base"], setup["base_options"])
    for move in setup["played"]:
        position.make(move)
    return position


class GameInProgress:
    """A game and the moves played; positions are set up completely or not at all.

    game: the Game.  values: {option name: value}, read whenever a position is created.
    moves: those played since the base position.
    refused: the reason why the front end's last position could not be set up; empty if it could.
        If there is a reason, `position` is still the previous one.
    setup_seconds: time that the last setup took, in seconds; a search deducts it from its own
        time and sets it to 0.
    """

    def __init__(self, game: Game, values: dict[str, Any]) -> None:
        self.game, self.values = game, values
        self.setup_seconds = 0.0
        # _source: the arguments `text` and `read` of setup().
        # _words: the texts of `moves`; None if not all of them were read from texts.
        # _base: the text of the position that `moves` started from.
        # _base_options: the options with which that position was set up.
        self._source: tuple[str | None, ReadMove | None] = (None, None)
        self._words: list[str] | None = None
        self._base = ""
        self._base_options: dict[str, Any] = {}
        self.to_start()

    def to_start(self) -> None:
        """Go back to the start position."""
        self._position: Position | None = None
        self.moves: list[Move] = []
        self.refused = ""

    def option_changed(self, name: str) -> None:
        """Create the start position again if it may depend on the option and no move was played."""
        if not self.moves and self._source[0] is None:
            if any(own.name == name for own in self.game.options):
                self._position = None

    @property
    def position(self) -> Position:
        """Return the position as front ends see it: the start position until another is set up.

        It is created on first use, since a game's rules are loaded only when needed.
        """
        if self._position is None:
            self._replace_position(None, [], None)
        assert self._position is not None
        return self._position

    def setup(
        self, text: str | None = None, moves: Iterable[str] = (), read: ReadMove | None = None
    ) -> None:
        """Set the position of `text` (None: the start) and play `moves`; all or nothing.

        read(position, text) returns a legal move or raises MoveError; by default it is the
        position's own parse_move.  Raises PositionError or MoveError, which name the offending
        text, and SessionError if there are more moves than any game has.
        """
        try:
            self._replace_position(text, [*islice(moves, _MAX_MOVES + 1)], read)
        except Exception as error:
            self.refuse(str(error))
            raise
        self.refused = ""

    def refuse(self, why: str = "it can't be read") -> None:
        """Store why the front end's position can't be set up; the next set-up clears the reason."""
        self.refused = why

    def _replace_position(self, text: str | None, words: list[str], read: ReadMove | None) -> None:
        began = perf_counter()
        if len(words) > _MAX_MOVES:
            raise SessionError(f"a game has at most {_MAX_MOVES} moves here")
        if self._goes_on(text, words, read):
            new = words[len(self._words or ()) :]
            self.moves = self.moves + self._play_words(self.position, new, read)
        else:
            position = self.game.position(text, self.values)
            base, options = text or position.text(), dict(self.values)
            self.moves = self._play_words(position, words, read)
            self._position = position
            self._base = base
            self._base_options = options
        self._source, self._words = (text, read), words
        self.setup_seconds = perf_counter() - began

    def _goes_on(self, text: str | None, words: list[str], read: ReadMove | None) -> bool:
        """Do `text` and `words` describe the game that is already set up, or a continuation?"""
        return (
            self._position is not None
            and self._words is not None
            and self._source == (text, read)
            and self._base_options == self.values
            and words[: len(self._words)] == self._words
        )

    def _play_words(
        self, position: Position, words: Sequence[str], read: ReadMove | None
    ) -> list[Move]:
        """Play the moves of `words` and return them; play none if one can't be played."""
        played: list[Move] = []
        read, passing = read or type(position).parse_move, self.game.pass_move
        try:
            for text in chain.from_iterable(map(self.game.split_moves, words)):
                try:
                    move = read(position, text)
                except MoveError:  # the front end may have omitted a pass
                    if passing is None or position.legal_moves() != [passing]:
                        raise
                    position.make(passing)
                    played.append(passing)
                    move = read(position, text)
                position.make(move)
                played.append(move)
        except Exception:
            for _ in played:
                position.undo()
            raise
        return played

    def play_word(self, word: str, read: ReadMove) -> None:
        """Play the move that `word` means, and before it a forced pass that the front end left out.

        Raises MoveError, and plays nothing, if the move is illegal.  read: as in setup().
        """
        self.moves = self.moves + self._play_words(self.position, [word], read)
        self._words = None

    def play(self, move: Move, known_legal: bool = False) -> None:
        """Play a move; raise MoveError if it is illegal.

        known_legal: skip the check, for a move that the position itself has parsed.
        """
        if not known_legal and move not in self.position.playable_moves():
            raise MoveError(str(move), "is not a legal move here")
        self.position.make(move)
        self.moves.append(move)
        self._words = None

    def undo(self, count: int = 1) -> None:
        """Take back `count` moves, no more than were played."""
        position = self.position
        for _ in range(count):
            position.undo()
            self.moves.pop()
        self._words = None

    def copy_position(self) -> Position:
        """Return a private copy of the position, with the history needed to detect repetitions."""
        return self.position.copy() or position_of(self.for_others())

    def base_position(self) -> Position:
        """Return a private copy of the position that `moves` started from."""
        options = self.base_options()
        return self.game.parse(self._base, options)

    def base_options(self) -> dict[str, Any]:
        """Return the option values with which base_position() was set up."""
        if self._position is None:
            self._replace_position(None, [], None)
        return self._base_options

    def for_others(self) -> dict[str, Any]:
        """Return what position_of() needs to set up the position and its history in any process."""
        base = dict(base=self._base, base_options=self._base_options)
        return dict(base, game=self.game.name, played=list(self.moves))
