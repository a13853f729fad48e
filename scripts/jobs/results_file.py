"""The results of unfinished work as JSON lines."""

from __future__ import annotations

import json
from typing import Any

from scripts.jobs.files import FileError, GrowingFile, PathLike, json_line, parse_json_line

_BEGINNING = 40  # bytes of the first line that prove a torn file to be ours


class ResultsFile:
    """Results of jobs in a file of JSON lines, so that a rerun continues the work.

    The first line holds the terms of the work (plain data), each other one a job's result
    with its id.

    done: {id of a job: its result}, including jobs of earlier runs.
    force: ignore content that isn't ours or belongs to other work.
    Raises FileError if the file belongs to work on other terms.
    """

    def __init__(self, path: PathLike, terms: dict[str, Any], force: bool = False) -> None:
        self.done: dict[str, dict[str, Any]] = {}
        self._first: dict[str, Any] = json.loads(json.dumps(terms))
        self._file = GrowingFile(
            path, begins=json_line(self._first).encode()[:_BEGINNING], force=force
        )
        try:
            self._read(self._first)
        except FileError:
            if not force:
                self.close()
                raise
            self.done.clear()
            self._file.restart()
        except BaseException:
            self.close()
            raise

    def _read(self, terms: dict[str, Any]) -> None:
        lines = enumerate(self._file.lines(), 1)
        values = [parse_json_line(self._file.path, number, line) for number, line in lines]
        if not values:
            return
        different = sorted(
            name for name in {*values[0], *terms} if values[0].get(name) != terms.get(name)
        )
        if different or len(values) == 1 and values[0] != terms:
            raise FileError(
                f"{self._file.path} holds other work (different: "
                f"{', '.join(different)}); name another file, "
                "or replace it with --force"
            )
        for number, value in enumerate(values[1:], 2):
            if not isinstance(value.get("id"), str):
                raise FileError(f"{self._file.path}, line {number}: has no id")
            self.done[value["id"]] = value

    def add(self, result: dict[str, Any]) -> None:
        """Store the result of a job; raise WriteError if that fails."""
        text = json_line(result)
        self._file.add(text if self._file.holds_blocks else json_line(self._first) + text)
        self.done[result["id"]] = result

    def remove(self) -> None:
        """Close and remove the file: the work is finished."""
        self._file.remove()

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()
