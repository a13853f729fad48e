"""The samples of records in tests/data/records.txt, and helpers for tests of records."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any, NamedTuple

import warm

from protocol.records.formats import Collection, named_format
from protocol.records.record import RecordError

_FILE = pathlib.Path(__file__).with_name("data") / "records.txt"
_ESCAPED = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")


class Sample(NamedTuple):
    """A file of the corpus: its bytes, and {name: value} of what is expected of its games."""

    data: bytes
    expected: dict[str, Any]


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else {"r": "\r"}.get(found[2], found[2])


def _read() -> dict[str, Sample]:
    samples = {}
    for part in _FILE.read_text(encoding="utf-8").split("\n== ")[1:]:
        heading, _, text = part.partition("\n")
        name, _, expected = heading.partition(" ")
        values = json.loads(expected)
        data = _ESCAPED.sub(_unescape, text).encode(values.get("encoding", "utf-8"))
        samples[name] = Sample(data, values)
    return samples


SAMPLES = _read()


def collection(name):
    """Return the games of a file of the corpus."""
    data, expected = SAMPLES[name]
    return Collection(data, named_format(name), expected.get("game"))


def read_records(data, kind=None, game_name=None):
    """Return (format, records) of a text; raise RecordError if any game can't be read."""
    games = Collection(data, kind, game_name)
    records = list(games)
    if len(records) < max(games.count(), 1) or any(record.fault for record in records):
        raise RecordError(games.reason())
    return games.format.name, records


def file_of(name, folder):
    """Write a file of the corpus into a folder; return its path."""
    (folder / name).write_bytes(SAMPLES[name].data)
    return folder / name


def words_of(games):
    """Return the moves of each game in the notation for people, such as SAN."""
    return [[position.notation(move) for position, move in record.positions()] for record in games]


def script(name, *words, cwd, status=0, **more):
    """Run a script, which must not print a traceback; return (output, errors)."""
    found, output, errors = warm.run(f"scripts/{name}", *words, cwd=cwd, **more)
    assert found == status and "Traceback" not in errors, errors
    return output, errors
