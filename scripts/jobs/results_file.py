"""The results of unfinished work as JSON lines."""

from __future__ import annotations

import json
from typing import Any

from scripts.jobs.files import FileError, GrowingFile, PathLike, json_line, parse_json_line


class ResultsFile(GrowingFile):
    """Results of jobs in a file of JSON lines, so that a rerun continues the work.

    The first line holds the terms of the work (plain data).  Every other line holds the result of a
    job, with the job's id.

    done: {id of a job: its result}, including jobs of earlier runs.
    force: replace content that is malformed or has other terms.
    Raises FileError if the file has other terms.
    """

    def __init__(self, path: PathLike, terms: dict[str, Any], force: bool = False) -> None:
        self._first: dict[str, Any] = json.loads(json.dumps(terms))
        super().__init__(path, force)
        try:
            self._read()
        except FileError:
            if not force:
                self.close()
                raise
            self.size = 0
            self._read()
        # lines that the next write() puts before its own
        self._due = [] if self.size else [self._first]

    def _read(self) -> None:
        self.done: dict[str, dict[str, Any]] = {}
        for number, line in enumerate(self.lines(), 1):
            value = parse_json_line(self.path, number, line)
            if number == 1:
                self._check(value, self._first)
            elif isinstance(value.get("id"), str):
                self.done[value["id"]] = value
            else:
                raise FileError(f"{self.path}, line {number}: the result has no id")

    def _check(self, known: dict[str, Any], terms: dict[str, Any]) -> None:
        """Raise FileError if the file's terms differ from those of this command."""
        names = sorted({*known, *terms})
        different = ", ".join(name for name in names if known.get(name) != terms.get(name))
        if different:
            raise FileError(
                f"{self.path} holds results for other settings (different: {different}); "
                "name another file, or replace it with --force"
            )

    def add(self, result: dict[str, Any]) -> None:
        """Store the result of a job; raise WriteError if that fails."""
        self.write(result)
        self.done[result["id"]] = result

    def write(self, *values: dict[str, Any]) -> None:
        """Append the pending lines, then `values`; raise WriteError if that fails."""
        self.append("".join(map(json_line, [*self._due, *values])))
        self._due.clear()
