"""The tables of cases in tests/data/tables.txt: positions, moves, and what is expected of them."""

import json
import pathlib

_FILE = pathlib.Path(__file__).with_name("data") / "tables.txt"


def _read():
    tables = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found = tables[line[3:]] = []
        elif line and not line.startswith("#"):
            found.append(json.loads(line))
    return tables


_TABLES = _read()


def rows(name):
    """Return the rows of a table.  A row is a list of values, or a bare value if the table has one column."""
    return _TABLES[name]
