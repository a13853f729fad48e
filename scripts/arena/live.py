"""The games that are being played, move by move, for those who watch: files beside the record.

The folder NAME.live holds a file for each running game, JSON lines again: the game as
in the record (id, game, options, start, players, moves of the opening), then {move,
score} for each move.  The file goes when its game ends, the folder when the
tournament does.  Nothing depends on it: a run that was killed leaves it behind, and
the next one begins by clearing it away.  A worker on a machine that does not see the
folder plays its games unwatched.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import pathlib
import re
from typing import Any, TextIO

from scripts.jobs.lock import is_held

_NAME = re.compile(r"[0-9a-f]{32}\.jsonl")


def folder_of(record: str | pathlib.Path) -> pathlib.Path:
    """The folder beside the record at this path."""
    path = pathlib.Path(record)
    return path.with_name(path.name + ".live")


class Folder:
    """The folder of a tournament that is run by this process; OSError where it can't be made."""

    def __init__(self, record: str | pathlib.Path) -> None:
        self.path = folder_of(record).resolve()
        self.close()
        self.path.mkdir(exist_ok=True)

    def close(self) -> None:
        """Nobody plays any more: the folder goes, unless there is something else in it."""
        with contextlib.suppress(OSError):
            for path in self.path.glob("*.jsonl"):
                if _NAME.fullmatch(path.name):
                    path.unlink()
            self.path.rmdir()


class Game:
    """The file of the game of a job (job.py); a context manager that removes it at the end.

    No trouble with the file stops the game: then it is played unwatched.
    """

    def __init__(self, job: dict[str, Any]) -> None:
        self._path: pathlib.Path | None = None
        self._file: TextIO | None = None
        folder = job.get("live")
        if folder is None:
            return
        name = hashlib.sha256(job["id"].encode()).hexdigest()[:32] + ".jsonl"
        path = pathlib.Path(folder, name)
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)  # a worker that was given up may still write there
            self._file = open(path, "x", encoding="utf-8", newline="\n")
            self._path = path
            self._write(
                {
                    "id": job["id"],
                    "game": job["game"],
                    "options": job.get("options") or {},
                    "start": job.get("start"),
                    "moves": list(job.get("opening") or ()),
                    "players": [player["name"] for player in job["players"]],
                }
            )

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()

    def tell(self, move: str, score: int | str | None) -> None:
        """A move was made; score: as in a result (job.py)."""
        with contextlib.suppress(OSError):
            self._write({"move": move, "score": score})

    def _write(self, value: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(value, separators=(",", ":")) + "\n")
            self._file.flush()


def read_running(record: str | pathlib.Path) -> list[dict[str, Any]]:
    """The games in the folder beside a record, each as a result without an end, by their ids.

    id, game, options, start, players, moves, opening, scores; what is no such file is
    left out.  None are running where the tournament is not, whatever a run that was
    killed has left.
    """
    games: list[dict[str, Any]] = []
    if not is_held(record):
        return games
    with contextlib.suppress(OSError):
        for path in folder_of(record).glob("*.jsonl"):
            with contextlib.suppress(OSError, ValueError, RecursionError, KeyError, TypeError):
                games.append(_read(path))
    return sorted(games, key=lambda game: [len(game["id"]), game["id"]])


def _read(path: pathlib.Path) -> dict[str, Any]:
    """One game; ValueError, KeyError or TypeError where the file holds none."""
    # the last line may be half a one
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
    head, *moves = [json.loads(line) for line in whole.splitlines()]
    opening = [str(move) for move in head["moves"]]
    return {
        "id": str(head["id"]),
        "game": str(head["game"]),
        "options": dict(head["options"]),
        "start": head["start"],
        "players": [str(name) for name in head["players"]],
        "moves": opening + [str(each["move"]) for each in moves],
        "opening": len(opening),
        "scores": [each["score"] for each in moves],
    }
