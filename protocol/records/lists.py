"""Plain lists of moves, and positions in EPD.

A list is `MOVE ...`, `startpos moves MOVE ...` or `[fen] TEXT moves MOVE ...`.  Move
numbers, results, comments from `#` to the end of the line and UCI's word `position` are
skipped.  A line that ends with a result ends its game; a line that can't continue the game
before it begins another one.
"""

from __future__ import annotations

import re

from games import registry
from games.base import PositionError
from protocol.moves import canonical, variation
from protocol.records.builder import Builder
from protocol.records.record import (
    RESULTS,
    Record,
    RecordError,
    Start,
    needed_options,
    shown,
)
from protocol.records.san import read_any_move
from protocol.records.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Game

_COMMENT = re.compile(r"(?<!\S)#.*")  # but not the sign of a mate
_NUMBER = re.compile(r"(\d{1,6})[.\u2026]+")
_COORDINATES = re.compile(r"\d{1,2},\d{1,2}")
# the board and the side, and as many of the other fields of a FEN as there are
_FEN = re.compile(
    r"([pnbrqkPNBRQK1-8]{1,8}(?:/[pnbrqkPNBRQK1-8]{1,8}){7})\s+([wb])(?=\s|;|\Z)"
    r"(?:\s+(-|[KQkqA-Ha-h]{1,4})(?:\s+(-|[a-h][36])"
    r"(?:\s+([0-9]{1,6})(?:\s+([0-9]{1,6}))?)?)?(?=\s|;|\Z))?"
)
_OPERATION = re.compile(r"\s*([A-Za-z_]\w*)((?:\s+(?:\"[^\"]*\"|[^;\"]*))*);?")


# ---- lists of moves ------------------------------------------------------------------


def split(text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each game of a list."""
    game, begin = registry.get(game_name or "chess"), 0
    builder: Builder | None = None
    ended = False
    for at, line in split_lines(text):
        words = _words(line)
        if builder is not None and (ended or _begins(builder, words)):
            yield begin, text[begin:at]
            begin, builder = at, None
        builder, ended = _follow(game, builder, words)
    if builder is not None or text[begin:].strip():
        yield begin, text[begin:]


def _words(line: str) -> list[str]:
    """Return the words of a line without its comment."""
    return _COMMENT.sub("", line).split()


def _new(start: Start) -> Builder:
    return Builder(Record(start), read_any_move)


def _follow(game: Game, builder: Builder | None, words: list[str]) -> tuple[Builder, bool]:
    """Return (a builder after the legal moves of a line, does the line end the game?)."""
    start, words = _start(game, words)
    try:
        builder = builder or _new(start)
        for word in words:
            for move in moves_of(game, word):
                builder.play(move)
    except RecordError:
        return builder or _new(Start(game)), False
    return builder, words[-1:] != [] and words[-1] in RESULTS


def _begins(builder: Builder, words: list[str]) -> bool:
    """Does a line begin another game, after the game of `builder`?"""
    number = _NUMBER.match(words[0])
    if number or "moves" in words:
        return number is None or int(number[1]) == 1
    game = builder.position.game
    first = moves_of(game, words[0])
    if not first:
        return False
    fresh = _new(Start(game))
    if len(words) == 1 < len(first) and fresh.can_play(*first):
        return True
    return not builder.can_play(first[0]) and fresh.can_play(first[0])


def read(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a game of a list; raise RecordError if it has no moves."""
    game = registry.get(game_name or "chess")
    builder, result = None, None
    for at, line in split_lines(text):
        words = _words(line)
        if builder is None:
            start, words = _start(game, words)
            builder = _new(start)
        try:
            for word in words:
                result = word if word in RESULTS else result
                for move in moves_of(game, word):
                    builder.play(move)
        except RecordError as error:
            builder.fail(error, at)
            break
    if builder is None or not builder.line:
        fault = builder.record.fault if builder else None
        raise fault or RecordError("no moves found")
    return builder.finish(result)


def _start(game: Game, words: list[str]) -> tuple[Start, list[str]]:
    """Return (the start that a line names before `moves`, the words of its moves)."""
    if words[:1] == ["position"]:
        words = words[1:]
    if "moves" not in words:
        return Start(game), words[1:] if words[:1] == ["startpos"] else words
    cut = words.index("moves")
    text = " ".join(words[1:cut] if words[0] == "fen" else words[:cut])
    if text in ("", "startpos"):
        return Start(game), words[cut + 1 :]
    return Start(game, text, needed_options(game, text)), words[cut + 1 :]


def moves_of(game: Game, word: str) -> list[str]:
    """Return the moves in a word of a plain list, without a move number; there may be none."""
    if word in RESULTS or game.san and word.isdigit() and word != "0000":
        return []  # a move number needs no period
    number = _NUMBER.match(word)
    word = (word[number.end() :] if number else word).strip(".\u2026")
    if not _COORDINATES.fullmatch(word) and "," in word:
        return [move for part in word.split(",") if part for move in game.split_moves(part)]
    return game.split_moves(word) if word else []


def write(record: Record) -> str:
    """Return a record's moves and result as a list."""
    texts = variation(record.start.position(), record.moves, canonical)
    head = [] if record.start.text is None else [*record.start.text.split(), "moves"]
    return " ".join([*head, *texts, *([record.result] if record.result != "*" else [])]) + "\n"


# ---- EPD -----------------------------------------------------------------------------


def is_position(line: str) -> bool:
    """Does a line begin with a chess position?"""
    return _FEN.match(line.strip()) is not None


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Return (offset, text) of each line that is neither empty nor a comment."""
    return (found for found in lines(text) if not found[1].startswith("#"))


def read_epd(text: str, game_name: str | None = None) -> Record:
    """Return the Record of a line of EPD: a position, and its operations as tags.

    hmvc and fmvn are the move counters, the last fields of a FEN.
    """
    found = _FEN.match(text.strip())
    if found is None:
        raise RecordError(f'"{shown(text)}" is not a position')
    board, side, castling, en_passant, moves, number = found.groups()
    operations = _OPERATION.finditer(" ".join(text.strip()[found.end() :].split()))
    tags = {operation[1]: operation[2].strip() for operation in operations}
    if moves is None:
        moves, number = _count(tags.get("hmvc"), "0"), _count(tags.get("fmvn"), "1")
    fields = (board, side, castling or "-", en_passant or "-", moves, number or "1")
    game, position_text = registry.get("chess"), " ".join(fields)
    record = Record(Start(game, position_text, needed_options(game, position_text)), tags=tags)
    return Builder(record, read_any_move).finish(None)


def _count(text: str | None, missing: str) -> str:
    return text if text and re.fullmatch(r"[0-9]{1,6}", text) else missing


def write_epd(record: Record) -> str:
    """Return a record without moves as a line of EPD."""
    text = record.start.text or record.start.position().text()
    fields = text.split()
    tags = {
        name: value for name, value in record.tags.items() if re.fullmatch(r"[A-Za-z_]\w*", name)
    }
    for name, value, missing in zip(("hmvc", "fmvn"), fields[4:6], ("0", "1")):
        if value != missing or name in tags:
            tags[name] = value
    operations = [f"{name} {value};" if value else f"{name};" for name, value in tags.items()]
    return " ".join([*fields[:4], *operations]) + "\n"


def read_position(game: Game, text: str) -> Start:
    """Return the Start of a position text or a line of EPD; raise PositionError for neither."""
    if game.name == "chess" and is_position(text):
        try:
            return read_epd(text).start
        except RecordError as error:
            raise PositionError("", str(error)) from None
    start = Start(game, text, needed_options(game, text))
    return Start(game, start.position().text(), start.options)
