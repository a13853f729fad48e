"""Openings: from files or of random moves.

An opening is (position text or None for the start, [canonical moves]).
"""
from __future__ import annotations

import pathlib
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from games.base import GameError
from protocol.records.formats import decoded, read_records
from protocol.records.lines import moves_of
from protocol.records.record import RecordError, Start
from protocol.records.san import read_any_move

if TYPE_CHECKING:
    from games.base import Game, Position
    from scripts.jobs.files import PathLike

BOOK = ".bin"       # the suffix of Polyglot books
BOOK_PLIES = 8      # of openings out of a book, where no number is wanted
RECORDS = {".pgn": "pgn", ".sgf": "sgf", ".ggf": "ggf"}
Opening = tuple[Optional[str], list[str]]
TRIES = 200         # random openings that may be thrown away before one is repeated


class OpeningError(Exception):
    """An opening that can't be used, in words."""


class Openings:
    """A sequence without end: opening number k is the same in every run."""

    def __init__(self, game: Game, options: dict[str, Any] | None = None) -> None:
        self.game, self.options = game, dict(options or {})

    def __getitem__(self, index: int) -> Opening:
        return None, []


class FileOpenings(Openings):
    """The openings of a file, over and over; shuffled by `seed` unless that is None.

    plies: at most so many each.
    """

    def __init__(self, game: Game, path: PathLike, options: dict[str, Any] | None = None,
                 plies: int | None = None, seed: int | None = None) -> None:
        super().__init__(game, options)
        self._found = read_file(game, path, self.options, plies)
        if seed is not None:
            random.Random(f"{game.name}/{seed}").shuffle(self._found)

    def __getitem__(self, index: int) -> Opening:
        return self._found[index % len(self._found)]


class RandomOpenings(Openings):
    """Random moves from the start, in different orders as long as there are any.

    No game is over after them.
    """

    def __init__(self, game: Game, plies: int, seed: int,
                 options: dict[str, Any] | None = None) -> None:
        super().__init__(game, options)
        self._plies, self._random = plies, random.Random(f"{game.name}/{plies}/{seed}")
        self._found: list[Opening] = []
        self._keys: set[int] = set()

    def __getitem__(self, index: int) -> Opening:
        while len(self._found) <= index:
            self._found.append((None, self._next()))
        return self._found[index]

    def _next(self) -> list[str]:
        texts = None
        for _ in range(TRIES):
            position = Start(self.game, None, self.options).position()
            played: list[str] = []
            while len(played) < self._plies and position.legal_moves():
                move = self._draw(position)
                if move is None:
                    break
                played.append(position.move_text(move))
                position.make(move)
            if position.outcome() is not None:
                continue
            texts = played
            if position.key not in self._keys:
                self._keys.add(position.key)
                return texts
        if texts is None:
            raise OpeningError(
                f"{self.game.name}: no game goes on after {self._plies} random plies")
        return texts

    def _draw(self, position: Position) -> int | None:
        """The next move, None where the opening ends."""
        return self._random.choice(sorted(position.legal_moves()))


class BookOpenings(RandomOpenings):
    """Lines from a Polyglot book, each move drawn by its weight.

    They end where the book ends, or after `plies`.
    """

    def __init__(self, game: Game, path: PathLike, seed: int,
                 options: dict[str, Any] | None = None, plies: int | None = None) -> None:
        if game.name != "chess":
            raise OpeningError(f"{path}: a Polyglot book is for chess, not for {game.name}")
        super().__init__(game, plies or BOOK_PLIES, seed, options)
        self._path = path
        # key of a position -> (moves, weights) that the book has there
        self._known: dict[int, tuple[list[int], list[int]]] = {}
        if self._draw(Start(game, None, self.options).position()) is None:
            raise OpeningError(f"{path}: there is no opening in it")

    def _draw(self, position: Position) -> int | None:
        if position.key not in self._known:
            self._known[position.key] = self._look_up(position)
        found, weights = self._known[position.key]
        return self._random.choices(found, weights)[0] if found else None

    def _look_up(self, position: Any) -> tuple[list[int], list[int]]:
        from games.chess.book import book_moves  # only where chess is played

        try:
            found = sorted(book_moves(position, str(self._path)))
        except OSError as error:
            raise OpeningError(f"can't read {self._path}: {error.strerror}") from None
        return [move for move, _ in found], [weight for _, weight in found]


def is_book(path: PathLike) -> bool:
    """Is it a Polyglot book, by its name?"""
    return pathlib.Path(path).suffix.lower() == BOOK


def read_file(game: Game, path: PathLike, options: dict[str, Any] | None = None,
              plies: int | None = None) -> list[Opening]:
    """The openings of a file; OpeningError in words, with the line.

    Files named .pgn, .sgf and .ggf hold games.  In others each line is an opening: a
    position text, moves, or `TEXT moves MOVE ...`; EPD's operations, empty lines and
    lines that begin with `#` are skipped.
    """
    try:
        text = decoded(pathlib.Path(path).read_bytes())
    except OSError as error:
        raise OpeningError(f"can't read {path}: {error.strerror}") from None
    kind = RECORDS.get(pathlib.Path(path).suffix.lower())
    found = _read_games(game, text, kind, path, plies) if kind else _read_lines(game, text, path,
                                                                                options, plies)
    for start, played in found:
        _check(game, start, played, options, path)
    if not found:
        raise OpeningError(f"{path}: there is no opening in it")
    return found


def _read_games(game: Game, text: str, kind: str, path: PathLike,
                plies: int | None) -> list[Opening]:
    try:
        _, records = read_records(text, kind, game.name)
    except RecordError as error:
        raise OpeningError(f"{path}: {error}") from None
    found = []
    for record in records:
        if record.start.game.name != game.name:
            raise OpeningError(
                f"{path}: holds games of {record.start.game.name}, not of {game.name}")
        texts = [position.move_text(move) for position, move in record.positions()]
        found.append((record.start.text, texts[:plies]))
    return found


def _read_lines(game: Game, text: str, path: PathLike, options: dict[str, Any] | None,
                plies: int | None) -> list[Opening]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(read_line(game, line.strip(), options, plies))
            except GameError as error:
                raise OpeningError(f"{path}, line {number}: {error}") from None
    return found


def _check(game: Game, start: str | None, played: Sequence[str], options: dict[str, Any] | None,
           path: PathLike) -> None:
    position = Start(game, start, options).position()
    for text in played:
        position.make(position.parse_move(text))
    if position.outcome() is not None:
        raise OpeningError(f"{path}: the game is over after {' '.join(played) or start}")


def read_line(game: Game, line: str, options: dict[str, Any] | None = None,
              plies: int | None = None) -> Opening:
    """(position text or None, moves) of one line.

    GameError where it is neither a position nor moves.
    """
    words = line.split()
    if "moves" in words:
        cut = words.index("moves")
        words, tail = words[:cut], words[cut + 1:]
        start = None if words in ([], ["startpos"]) else _read_position(game, " ".join(words),
                                                                        options)
        return start, _read_moves(game, start, tail, options)[:plies]
    try:
        return None, _read_moves(game, None, words, options)[:plies]
    except GameError as no_moves:
        try:
            return _read_position(game, line, options), []
        except GameError as no_position:
            raise GameError(line, f"neither moves ({no_moves}) nor a position ({no_position})"
                            ) from None


def _read_position(game: Game, text: str, options: dict[str, Any] | None) -> Any:
    """The canonical text of a position; EPD's four fields and operations are read too."""
    fields = text.split()
    candidates = [text] + ([" ".join(fields[:4])] if len(fields) > 4 else [])
    for candidate in candidates:
        try:
            return Start(game, candidate, options).position().text()
        except GameError as error:
            failure = error
    raise failure


def _read_moves(game: Game, start: str | None, words: Sequence[str],
                options: dict[str, Any] | None) -> list[str]:
    position, found = Start(game, start, options).position(), []
    for word in words:
        for text in moves_of(game, word):
            move = read_any_move(position, text)
            found.append(position.move_text(move))
            position.make(move)
    return found
