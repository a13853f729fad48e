"""Files beside the record that show spectators the games in progress, move by move.

The folder NAME.live holds a JSON lines file for each running game: the game as in the
record (id, game, options, start, players, moves of the opening), then {move, score} for
each move.  The file is removed when its game ends, and the folder when the tournament ends.
A killed run leaves the folder behind, and the next run removes it first.  The games don't depend on
the folder: a worker on a machine that does not see it plays without it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any, Union

from scripts.jobs.files import FileError, is_held, json_line

# Takes a move's text and its score, as in a result.
OnMove = Callable[[str, Union[int, str, None]], None]

_NAMES = "?" * 32 + ".jsonl"  # matches the names of the games' files


def folder_of(record: str | pathlib.Path) -> pathlib.Path:
    """Return the path of the folder beside a record."""
    return pathlib.Path(f"{pathlib.Path(record)}.live")


def make_folder(record: str | pathlib.Path) -> pathlib.Path:
    """Make an empty folder for a tournament that this process runs, and return its path.

    Raise FileError if the path is a link, OSError if the folder can't be made.
    """
    folder = folder_of(record).absolute()
    if folder.is_symlink():  # the folder that the link points to may hold other people's files
        raise FileError(f"{folder} is a link; remove it, or name another record")
    remove_folder(record)
    folder.mkdir(exist_ok=True)
    return folder


def remove_folder(record: str | pathlib.Path) -> None:
    """Remove the files of games, and the folder if nothing else is in it."""
    folder = folder_of(record)
    if folder.is_symlink():
        return
    with contextlib.suppress(OSError):
        for path in folder.glob(_NAMES):
            path.unlink()
        folder.rmdir()


@contextlib.contextmanager
def shown(job: dict[str, Any]) -> Iterator[OnMove]:
    """Return a context manager that keeps a live file during the game of a job (game.py).

    The context manager yields a function that adds a move to the file.  If writing fails, as when
    this machine doesn't see the folder, the game goes on without the file.
    """
    name = hashlib.sha256(job["id"].encode()).hexdigest()[:32] + ".jsonl"
    path = pathlib.Path(job["live"], name)

    def write(value: dict[str, Any], mode: str = "a") -> None:
        with contextlib.suppress(OSError), open(path, mode, encoding="utf-8", newline="\n") as file:
            file.write(json_line(value))

    head = {name: job.get(name) for name in ("id", "game", "options", "start")}
    players = [player["name"] for player in job["players"]]
    write({**head, "moves": job.get("opening", []), "players": players}, "w")
    try:
        yield lambda move, score: write({"move": move, "score": score})
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def read_running(record: str | pathlib.Path) -> list[dict[str, Any]]:
    """Return the running games of a tournament as unfinished results, sorted by id.

    A game has id, game, options, start, players, moves, opening and scores; malformed files are
    skipped.  Return [] if the tournament isn't running, even if a killed run left files.
    """
    games: list[dict[str, Any]] = []
    if not is_held(record):
        return games
    with contextlib.suppress(OSError):
        for path in folder_of(record).glob(_NAMES):
            with contextlib.suppress(OSError, ValueError, RecursionError, KeyError, TypeError):
                games.append(_read(path))
    return sorted(games, key=lambda game: [len(game["id"]), game["id"]])


def _read(path: pathlib.Path) -> dict[str, Any]:
    """Return the game of a file; raise ValueError, KeyError or TypeError if it is malformed."""
    # leave out the last line if it is incomplete
    whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
    head, *moves = [json.loads(line) for line in whole.splitlines()]
    return {
        **head,
        "id": str(head["id"]),
        "options": head["options"] or {},
        "moves": head["moves"] + [move["move"] for move in moves],
        "opening": len(head["moves"]),
        "scores": [move["score"] for move in moves],
    }
