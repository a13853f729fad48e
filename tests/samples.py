"""The samples of records in tests/data/records.txt."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any, NamedTuple

_FILE = pathlib.Path(__file__).with_name("data") / "records.txt"
_ESCAPED = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")


class Sample(NamedTuple):
    """The bytes of a file, and what is expected of its games by name."""

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
