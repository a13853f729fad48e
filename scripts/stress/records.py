"""Damaged records; whatever is read of them must survive writing and reading again."""

from __future__ import annotations

import pathlib
import time
from random import Random
from typing import TYPE_CHECKING

from games.base import GameError
from protocol.records.formats import WRITTEN, Collection, holds, named_format, write_record
from protocol.records.json_lines import to_plain
from protocol.records.record import RecordError
from scripts.stress.case import Failure
from scripts.stress.made_records import made
from scripts.stress.sessions import words_of

if TYPE_CHECKING:
    from protocol.records.record import Record
    from scripts.stress.case import Case

BATCH = 20  # texts per case
LONGEST = 20.0  # seconds of processor time that a text of this size never needs

# Files named after the game if the text doesn't name it.
SAMPLES = sorted(pathlib.Path(__file__).with_name("samples").iterdir())
# (format, game, text)
SEEDS = [
    (
        named_format(path.name) or "moves",
        None if path.stem == "games" else path.stem,
        path.read_text(encoding="utf-8"),
    )
    for path in SAMPLES
]
_SPACED = (
    *("\n%", "[%eval ", "[%clk 0:00:01]", "\n\n", "\r", "\r\n", "\t", "\0", "\x1b[31m", "\x7f"),
    *("\u2028", "\x85", "\ufeff", "hmvc 9;", '[Variant "Chess960"]'),
    *('\n[Event "x"]\n', '\n\n[White "y"]\n'),
)
_BITS = [text.encode() for text in (*words_of("words in records"), *_SPACED)]
_BITS += [b"\xff", b"\xe9", b"\xc3", b"\x81\x5d", b"\xff\xfe"]


def run(case: Case) -> None:
    """Check a batch of damaged texts."""
    for _ in range(BATCH):
        kind, game, text = case.dice.choice(SEEDS)
        data = damaged(case.dice, text.encode())
        begun = time.process_time()
        try:
            case.count("games", check(data, case.dice.choice((kind, kind, None)), game))
        except Failure as failure:
            raise Failure(f"{failure}: {kind}, {game}: {data!r}") from None
        if time.process_time() - begun > LONGEST:
            raise Failure(f"a text of {len(data)} bytes takes too long: {kind}, {data[:500]!r}")
        check_made(case.dice)


def check_made(dice: Random) -> None:
    """Check a random record in each format that can hold it."""
    for kind, text in made(dice):
        if not check(text, kind, None):
            raise Failure(f"{kind} that was written holds no game: {text!r}")


def damaged(dice: Random, data: bytes) -> bytes:
    """Return bytes with some random errors."""
    for _ in range(dice.choice((1, 1, 2, 4, 9))):
        data = _accident(dice, data)
    return data


def _accident(dice: Random, data: bytes) -> bytes:
    at, kind = dice.randrange(len(data) + 1), dice.randrange(8)
    end = min(at + dice.choice((1, 1, 2, 5, 20, 200)), len(data))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:end] + data[at:]
    if kind == 3:
        other = dice.choice(SEEDS)[2].encode()
        return data[:at] + other[dice.randrange(len(other)) :][:200] + data[at:]
    if kind == 4:
        return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
    return data[:at] + dice.choice(_BITS) * dice.choice((1, 1, 1, 2, 60)) + data[at:]


def check(data: bytes | str, kind: str | None, game: str | None) -> int:
    """Read a text, write its games and read them again; return the number of games.

    Raise Failure if anything but a RecordError is raised, or if the second reading differs.
    """
    try:
        games = Collection(data, kind, game)
        records = list(games)
    except RecordError:
        return 0
    except Exception as error:
        raise Failure(f"reading raises {error!r}") from error
    for problem in games.problems:
        if not str(problem).isprintable():
            raise Failure(f"a problem is not printable: {str(problem)!r}")
    for record in records:
        for other in dict.fromkeys((games.kind, *WRITTEN)):
            if holds(other, record.start):
                _check_written(record, other, games.kind)
    return len(records)


def _check_written(record: Record, kind: str, own: str) -> None:
    """Write a record in a format and read it again."""
    try:
        text = write_record(record, kind)
        named = kind != "moves" and (kind != "pgn" or record.start.game.san)
        again = Collection(text.encode(), kind, None if named else record.start.game.name)
        found = list(again)
    except RecordError as error:
        if kind != own:
            return  # the format can't express it
        raise Failure(f"writing {kind} raises {error!r}") from error
    except (GameError, Exception) as error:
        raise Failure(f"{kind} that was written raises {error!r}") from error
    if not record.line and kind in ("moves", "epd") or record.line and kind == "epd":
        return
    if again.problems or len(found) != 1:
        raise Failure(
            f"{kind} that was written is read as {len(found)} games, "
            f"{list(map(str, again.problems))}: {text!r}"
        )
    if kind in (own, "json") and kind != "moves":
        _compare(to_plain(record), to_plain(found[0]), kind)
    once_more = write_record(found[0], kind)
    if once_more != text:
        raise Failure(f"{kind} written twice differs: {text!r}, {once_more!r}")


def _compare(before: dict[str, object], after: dict[str, object], kind: str) -> None:
    for name in {**before, **after}:
        if before.get(name) != after.get(name):
            raise Failure(f"{kind}: {name} was {before.get(name)!r} and is {after.get(name)!r}")
