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
    """A sequence without end: opening number k is the same in every run.

    end: number of the first opening that repeats others, as far as that is to be told.
    """

    end: int | None = None

    def __init__(self, game: Game, options: dict[str, Any] | None = None) -> None:
        self.game, self.options = game, dict(options or {})

    def __getitem__(self, index: int) -> Opening:
        return None, []

    def key(self, index: int) -> int | None:
        """What tells this opening from others in a record; None if nothing needs to."""
        return None

    def remember(self, index: int, key: int) -> None:
        """An opening was played in an earlier run, and had this key()."""


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
    """Random moves from the start, to different positions as long as there are any.

    No game is over after them.  An opening is drawn by its number: those of rounds that
    were played, which remember() tells, are not drawn again.  Once none is new any more
    they are repeated in their order.

    end: None as long as all are new.
    """

    def __init__(self, game: Game, plies: int, seed: int,
                 options: dict[str, Any] | None = None) -> None:
        super().__init__(game, options)
        self._plies, self._seed = plies, f"{game.name}/{plies}/{seed}"
        self._owners: dict[int, int] = {}       # key of a position -> number of its opening
        self._keys: dict[int, int] = {}         # the other way round
        self._texts: dict[int, str] = {}
        self._count = 0                         # openings below are known

    def __getitem__(self, index: int) -> Opening:
        index = self._number(index)
        if index not in self._texts:        # it was played in an earlier run
            found = self._attempt(index)
            self._texts[index] = found[0] if found else ""
        return None, self._texts[index].split()

    def key(self, index: int) -> int | None:
        return self._keys[self._number(index)]

    def remember(self, index: int, key: int) -> None:
        other = self._owners.setdefault(key, index)
        if other != index:
            self._owners[key] = min(index, other)
            self.end = min(max(index, other), index if self.end is None else self.end)
        self._keys[index] = key

    def _number(self, index: int) -> int:
        """The number of the opening that is played as this one."""
        while self._count <= index and (self.end is None or self._count < self.end):
            self._learn(self._count)
            self._count += 1
        return index if self.end is None else index % self.end

    def _learn(self, index: int) -> None:
        if index in self._keys:
            return
        found = self._attempt(index)
        if found is None:
            self.end = index
        else:
            self._texts[index], self._keys[index] = found
            self._owners[found[1]] = index

    def _attempt(self, index: int) -> tuple[str, int] | None:
        """(the moves, the position's key) of an opening; None if none is new any more."""
        dice, ended = random.Random(f"{self._seed}/{index}"), True
        for _ in range(TRIES):
            position = Start(self.game, None, self.options).position()
            played: list[str] = []
            while len(played) < self._plies and position.legal_moves():
                move = self._draw(position, dice)
                if move is None:
                    break
                played.append(position.move_text(move))
                position.make(move)
            if position.outcome() is None:
                ended = False
                if self._owners.get(position.key, index) >= index:
                    return " ".join(played), position.key
        if ended:
            raise OpeningError(
                f"{self.game.name}: no game goes on after {self._plies} random plies")
        return None

    def _draw(self, position: Position, dice: random.Random) -> int | None:
        """The next move, None if the opening ends."""
        return dice.choice(sorted(position.legal_moves()))


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
        if self._draw(Start(game, None, self.options).position(), random.Random()) is None:
            raise OpeningError(f"{path}: there is no opening in it")

    def _draw(self, position: Position, dice: random.Random) -> int | None:
        if position.key not in self._known:
            self._known[position.key] = self._look_up(position)
        found, weights = self._known[position.key]
        return dice.choices(found, weights)[0] if found else None

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
