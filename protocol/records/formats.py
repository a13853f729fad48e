"""The formats of records: detection, reading game by game, and writing."""

from __future__ import annotations

import os
import re
from array import array
from contextlib import suppress
from itertools import chain, count

from games import registry
from protocol.base import printable
from protocol.records import archives, csa, ggf, json_lines, kif, lists, pdn, pgn, psq, sgf
from protocol.records.record import RecordError, shown
from protocol.records.text import HEAD, decode_as, one_line, read_file, tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Game
    from protocol.records.record import Format, Record, Start


# All formats, in the order in which they are recognised.
FORMATS: tuple[Format, ...] = (
    json_lines.FORMAT,
    lists.OBF,
    *(module.FORMAT for module in (pdn, pgn, ggf, sgf, psq, kif, csa)),
    lists.EPD,
    *archives.ARCHIVES,
    lists.MOVES,
)
BY_NAME = {each.name: each for each in FORMATS}
WRITTEN = tuple(each.name for each in FORMATS if each.writable)
SUFFIXES = {each.name: each.suffixes[0] for each in FORMATS if each.suffixes}
KNOWN = ", ".join(each.title for each in FORMATS)  # for messages and help
KNOWN_GAMES = ", ".join(f"{each.title} ({each.games})" for each in FORMATS)
_BY_SUFFIX = {suffix: each.name for each in FORMATS for suffix in each.suffixes}
# Signs of a list of moves: squares, castling, or lines of Connect Four's columns.
_MOVE = re.compile(r"(?m)[A-Za-z]\d|O-O|0-0|^\d(?: +\d)* *$")
MAX_PROBLEMS = 1000  # Maximum number of problems to list for a text.

_LONGEST_REASON = 300  # Maximum number of characters of a problem.


def guess(text: str) -> Format:
    """Return the format of a text; a text in no known format counts as a list of moves."""
    head = text[:HEAD].lstrip("\ufeff \t\r\n")
    certain = (each for each in FORMATS if each.sign.search(head))
    likely = (each for each in FORMATS if each.hint.search(head))
    return next(chain(certain, likely), lists.MOVES)


def looks_like_moves(text: str) -> bool:
    """May a text in no known format be a list of moves?"""
    return _MOVE.search(text[:HEAD]) is not None


def named_format(path: str) -> str | None:
    """Return the name of the format that has a file's suffix, or None."""
    return _BY_SUFFIX.get(os.path.splitext(path)[1].lower())


class Collection:
    """The games of a text, read one by one on demand.  An archive becomes a text.

    kind: the format, or its name.  problems: messages about the games that have been read, at most
    MAX_PROBLEMS, and then one that says that there are more.
    number: the number of the last game read, from 1.
    game_name: the game of plain moves and of records that don't name one.
    path: the file; the other files of an archive are expected beside it.
    Raises UnknownGame if game_name is unknown, RecordError if the data is neither text nor a known
    archive.
    """

    def __init__(
        self,
        data: bytes | str,
        kind: str | Format | None = None,
        game_name: str | None = None,
        path: str | None = None,
    ) -> None:
        known = BY_NAME[kind] if isinstance(kind, str) else kind
        notice = None
        if isinstance(data, str):
            self.text = tidy(data.lstrip("\ufeff"))
        elif unpacked := next(filter(None, (each.unpack(data, path) for each in FORMATS)), None):
            known = None
            self.text, notice = unpacked
        else:
            archives.check_is_text(data)
            known = None if known in archives.ARCHIVES else known
            look = known or guess(data[:HEAD].decode("latin-1"))
            self.text, encoding = decode_as(data, look)
            notice = encoding and f"the encoding is not named: read as {encoding}"
        self.format = known or guess(self.text)
        # number, _begin: the number of the last game read, and its offset.
        # _spans: begin and end of each game found.
        # _line: the number of a line, and an offset in this line.
        self.number = self._begin = 0
        self._spans = array("q")
        self._line = (1, 0)
        self.problems: list[str] = []
        if notice is not None:
            self._report(0, notice)
        self._game = None if game_name is None else registry.canonical(game_name)
        self._unseen = self.format.split(self.text, self._game)  # the games not found yet

    def _games(self, first: int = 0) -> Iterator[tuple[int, str]]:
        """Yield (offset, text) of each game from the index `first` on."""
        for index in count(first):
            while 2 * index >= len(self._spans):
                game = next(self._unseen, None)
                if game is None:
                    return
                self._spans.extend((game[0], game[0] + len(game[1])))
            begin, end = self._spans[2 * index : 2 * index + 2]
            yield begin, self.text[begin:end]

    def __iter__(self) -> Iterator[Record]:
        """Yield the readable games; report the others in `problems`."""
        end = 0
        for number, (offset, text) in enumerate(self._games(), 1):
            self._pass_over(end, offset)
            end = offset + len(text)
            record = self._read(number, offset, text)
            if record is not None:
                yield record
        self._pass_over(end, len(self.text))

    def heads(self) -> Iterator[tuple[float, Record | None]]:
        """Yield (share of the text read so far, 0 to 1; head of the game) for each game.

        The head (Format.head) is None if it can't be read.
        """
        for offset, text in self._games():
            head = None
            with suppress(RecordError):
                head = self.format.head(text, self._game)
            yield (offset + len(text)) / len(self.text), head

    def count(self) -> int:
        """Return the number of games without reading them."""
        return sum(1 for _ in self._games())

    def game(self, number: int) -> Record | None:
        """Return game `number`, from 1, or None if it can't be read (see problems).

        Raises RecordError if there are fewer games.
        """
        for offset, text in self._games(number - 1):
            return self._read(number, offset, text)
        games = self.count()
        raise RecordError(f"there is no game {number}, only {games} game{'s' * (games != 1)}")

    def first(self) -> Record:
        """Return the first readable game; raise RecordError if there is none."""
        for record in self:
            return record
        raise RecordError(self.reason())

    def _read(self, number: int, offset: int, text: str) -> Record | None:
        self.number, self._begin = number, offset
        record, errors = None, []
        try:
            record = self.format.read(text, self._game)
            errors = record.errors
        except RecordError as error:
            errors.append(error)
        blank = len(text) - len(text.lstrip())
        for problem in errors:
            self.refuse(str(problem), blank if problem.offset is None else problem.offset)
        return None if record is None or record.fault and not record.line else record

    # ---- problems --------------------------------------------------------------------

    def reason(self) -> str:
        """Return the reason why no game is readable."""
        if self.format is lists.MOVES and not looks_like_moves(self.text):
            return f"no game found; supported formats: {KNOWN}"
        problems = self.problems or ["no games found"]
        return problems[0].removeprefix("game 1, ") if len(problems) == 1 else problems[0]

    def refuse(self, reason: str, offset: int = 0) -> None:
        """Report a problem of the last game read, at a place in its text."""
        self._report(self._begin + offset, reason, f"{self.format.unit} {self.number}, ")

    def _pass_over(self, begin: int, end: int) -> None:
        """Pass over the text between two games, and report it if it belongs to no game."""
        text = self.text[begin:end]
        # the Othello server GGS puts numbers between games
        if self.format.between and not re.fullmatch(r"[\d\s]*", text):
            self._report(end - len(text.lstrip()), f'"{shown(one_line(text))}" belongs to no game')

    def _report(self, offset: int, reason: str, game: str = "") -> None:
        """Add a message that names the line of `offset`."""
        line, known = self._line
        ends = self.text.count("\n", min(known, offset), max(known, offset))
        line += ends if known < offset else -ends
        self._line = line, offset
        reason = printable(one_line(reason), _LONGEST_REASON)
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"{game}line {line}: {reason}")
        elif len(self.problems) == MAX_PROBLEMS:
            self.problems.append("more problems are not listed")


def open_file(path: str, game_name: str | None = None) -> Collection:
    """Return the games of a file, whose name or content determines the format.

    Raises RecordError if the file can't be read.
    """
    return Collection(read_file(path), named_format(path), game_name, path)


# ---- writing -------------------------------------------------------------------------


def usual_format(game: Game, annotated: bool = False) -> Format | None:
    """Return the usual format for records of a game, or None.

    annotated: must the format have a place for variations?
    """
    usual = (each for each in FORMATS if each.writable and each.usual(game))
    return next((each for each in usual if each.variations or not annotated), None)


def writing_format(record: Record, form: Format | None = None) -> Format:
    """Return the format for an annotated record: `form` if it can hold the record.

    Otherwise return the usual format of the game.

    form: the format that the record was read from.
    """
    if form is not None and form.writable and form.variations and form.holds(record.start):
        return form
    return usual_format(record.start.game, annotated=True) or json_lines.FORMAT


def holds(kind: str, start: Start) -> bool:
    """Can the format of this name record a game with this start?"""
    return BY_NAME[kind].writable and BY_NAME[kind].holds(start)


def write_record(record: Record, kind: str) -> str:
    """Return the text of a record; raise RecordError if the format can't record its game."""
    if not holds(kind, record.start):
        raise RecordError(f"{BY_NAME[kind].title} can't record {record.start.game.name}")
    return BY_NAME[kind].write(record)
