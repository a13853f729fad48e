"""The formats of records: detection, reading game by game, and writing."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from functools import cached_property
from itertools import islice

from games import registry
from protocol.base import printable
from protocol.records import archives, ggf, json_lines, lists, pgn, psq, sgf
from protocol.records.pgn_text import DASHES
from protocol.records.record import RecordError, Start, shown
from protocol.records.sgf_board import is_recordable
from protocol.records.text import decode_as, read_file, tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from protocol.records.record import Record

    Split = Callable[[str], Iterator[tuple[int, str]]]
    Read = Callable[..., Record]  # takes a text, its game's name, and an opening's options


# Format -> functions that split a text into games, and that read one game.
_READERS: dict[str, tuple[Split, Read]] = {
    "pgn": (pgn.split, pgn.read),
    "sgf": (sgf.split, sgf.read),
    "ggf": (ggf.split, ggf.read),
    "psq": (psq.split, psq.read),
    "json": (json_lines.split, json_lines.read),
    "epd": (lists.split_lines, lists.read_epd),
    "obf": (lists.split_discs, lists.read_discs),
    "moves": (lists.split, lists.read),
    "openings": (lists.split_openings, lists.read_line),
}
_WRITERS = {"pgn": pgn.write, "sgf": sgf.write, "ggf": ggf.write, "json": json_lines.write}
WRITTEN = tuple(_WRITERS)
_KINDS = {f".{kind}": kind for kind in ("pgn", "sgf", "ggf", "psq", "json", "epd", "obf")}
_KINDS[".jsonl"] = "json"  # the usual suffix
SUFFIXES = {kind: suffix for suffix, kind in _KINDS.items()}
_WORDS = rf"\s(?:[ND]|mate|ch|dbl|e\.p\.|1/2|[01] ?[:{DASHES}] ?[01]|[01] - [01])(?!\S)"
# The formats and the patterns of their texts, in the order in which they are tried.
_PATTERNS = (
    ("json", r'(?s)\A\{.{0,18}"'),
    ("pgn", r"\A[\[%;{]"),
    ("ggf", r"\(\s*;\s*GM\s*\[\s*[A-Za-z]"),
    ("sgf", r"\(\s*;\s*(?:[A-Za-z]+\s*\[|[;(])"),
    ("psq", r"\APiskvorky "),
    ("pgn", r'(?m)^[ \t]*\[\s*\w+\s*"[^"\n]*"\s*\]'),
    # Numbered moves with comments, variations, glyphs, words or other spellings of results, which
    # plain lists of moves never have.
    ("pgn", r"\A\d{1,6}\s+\."),
    (
        "pgn",
        r"\A\d{1,6}\.(?:[^{($#]|(?<=\S)#)*?"
        rf"(?:[{{(\u00b1\u2213\u221e\u2a71\u2a72\u00bd]|\$\d|\+/-|-/\+|{_WORDS})",
    ),
    # A single game whose moves have marks: in a list of moves each line is a game, and there are no
    # marks.
    ("pgn", r"(?s)\A1\.(?!.*\n\s*1\.).*\w[!?]"),
    ("epd", rf"\A(?:#.*\n\s*)*{lists.FEN.pattern}(?!.* moves )"),
    ("obf", rf"\A{lists.DISCS.pattern}"),
)
_WITH_TEXT_BETWEEN = ("pgn", "sgf", "ggf")  # their games have a clear end
# What lists of moves have: squares, castling, or lines of Connect Four's columns.
_MOVE = re.compile(r"(?m)[A-Za-z]\d|O-O|0-0|^\d(?: +\d)* *$")
_KNOWN = "PGN, SGF, GGF, PSQ, JSON lines, EPD, WTHOR, RenLib, RenjuNet and lists of moves"
_HEAD = 64 << 10  # characters that guess() looks at
_LONGEST_REASON = 300  # characters


def guess(text: str) -> str:
    """Return the format of a text: pgn, sgf, ggf, psq, json, epd, obf or moves."""
    head = text[:_HEAD].lstrip("\ufeff \t\r\n")
    return next((kind for kind, pattern in _PATTERNS if re.search(pattern, head)), "moves")


def looks_like_moves(text: str) -> bool:
    """May a text in no known format be a list of moves?"""
    return _MOVE.search(text[:_HEAD]) is not None


def named_format(path: str) -> str | None:
    """Return the format that a file's suffix names, or None."""
    return _KINDS.get(os.path.splitext(path)[1].lower())


class Collection:
    """The games of a text, read one by one on demand.

    kind: the format.  problems: messages about the games that have been read.
    game_name: the game of plain moves and of records that don't name one.
    options: values of the game's options for openings.
    path: the file; the other files of an archive are expected beside it.
    Raises RecordError if there is no such game, or the data is neither text nor a known archive.
    """

    def __init__(
        self,
        data: bytes | str,
        kind: str | None = None,
        game_name: str | None = None,
        options: Mapping[str, Any] | None = None,
        path: str | None = None,
    ) -> None:
        encoding = None
        if isinstance(data, str):
            self.text = tidy(data.lstrip("\ufeff"))
        else:
            archive = archives.converted(data, path)
            kind = kind if archive is None else guess(archive)
            look = kind or guess(data[:_HEAD].decode("latin-1"))
            self.text, encoding = (archive, None) if archive else decode_as(data, look)
        self.kind = kind or guess(self.text)
        self._options = [options] if kind == "openings" else []
        self._what = "opening" if kind == "openings" else "game"
        self._at = (0, 0)  # the number of the last game read, and its offset
        self.problems: list[str] = []
        if encoding is not None:
            self._report(0, f"the encoding is not named: read as {encoding}")
        try:
            self._game = None if game_name is None else registry.canonical(game_name)
        except registry.UnknownGame as error:
            raise RecordError(str(error)) from None

    def _games(self) -> Iterator[tuple[int, str]]:
        """Return (offset, text) of each game."""
        if self.kind == "moves":
            return lists.split(self.text, self._game)
        split, _ = _READERS[self.kind]
        return split(self.text)

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

    def count(self) -> int:
        """Return the number of games without reading them."""
        return sum(1 for _ in self._games())

    def game(self, number: int) -> Record | None:
        """Return game `number`, from 1, or None if it can't be read (see problems).

        Raises RecordError if there are fewer games.
        """
        for offset, text in islice(self._games(), number - 1, number):
            return self._read(number, offset, text)
        count = self.count()
        raise RecordError(f"there is no game {number}, only {count} game{'s' * (count != 1)}")

    def first(self) -> Record:
        """Return the first readable game; raise RecordError if there is none."""
        for record in self:
            return record
        raise RecordError(self.reason())

    def _read(self, number: int, offset: int, text: str) -> Record | None:
        self._at = number, offset
        record, errors = None, []
        try:
            _, read = _READERS[self.kind]
            record = read(text, self._game, *self._options)
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
        if self.kind == "moves" and not looks_like_moves(self.text):
            return f"no game found; supported formats: {_KNOWN}"
        problems = self.problems or ["no games found"]
        return problems[0].removeprefix("game 1, ") if len(problems) == 1 else problems[0]

    def refuse(self, reason: str, offset: int = 0) -> None:
        """Report a problem of the last game read, at a place in its text."""
        number, begin = self._at
        self._report(begin + offset, reason, f"{self._what} {number}, ")

    def _pass_over(self, begin: int, end: int) -> None:
        """Report the text between two games."""
        text = self.text[begin:end]
        words = text.split()
        # GGS puts numbers between games
        if self.kind in _WITH_TEXT_BETWEEN and not all(map(str.isdigit, words)):
            reason = f'"{shown(" ".join(words))}" belongs to no game'
            self._report(begin + text.index(words[0]), reason)

    def _report(self, offset: int, reason: str, game: str = "") -> None:
        """Add a message that names the line of `offset`."""
        line = 1 + bisect_left(self._line_ends, offset)
        reason = printable(" ".join(reason.split()), _LONGEST_REASON)
        self.problems.append(f"{game}line {line}: {reason}")

    @cached_property
    def _line_ends(self) -> list[int]:
        return [found.start() for found in re.finditer("\n", self.text)]


def open_file(path: str, game_name: str | None = None) -> Collection:
    """Return the games of a file, whose name or content determines the format.

    Raises RecordError if the file can't be read.
    """
    return Collection(read_file(path), named_format(path), game_name, None, path)


# ---- writing -------------------------------------------------------------------------


def own_format(record: Record) -> str:
    """Return the usual format of a record's game."""
    game = record.start.game
    return "pgn" if game.san else "sgf" if game.name in sgf.NUMBERS else "json"


def writing_format(kind: str, record: Record) -> str:
    """Return the format for an annotated record: `kind` if it can hold it, else the game's own.

    kind: the format that the record was read from.
    """
    is_enough = kind != "ggf" and holds(kind, record.start)  # GGF has no variations
    return kind if is_enough else own_format(record)


def holds(kind: str, start: Start) -> bool:
    """Can a format record a game with this start?"""
    if kind == "sgf":
        return is_recordable(Start(start.game, None, start.options).position())
    games = {"pgn": start.game.san, "ggf": start.game.name == "othello", "json": True}
    return games.get(kind, False)


def write_record(record: Record, kind: str) -> str:
    """Return the text of a record; raise RecordError if the format can't record its game."""
    if not holds(kind, record.start):
        raise RecordError(f"{kind.upper()} can't record {record.start.game.name}")
    return _WRITERS[kind](record)
