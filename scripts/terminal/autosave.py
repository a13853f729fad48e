"""The game in progress, kept in a file after each move, so that no closed terminal loses it."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping

from scripts.jobs.files import replace

PERSON = "you"      # how a person is called in it


def path(environment: Mapping[str, str] = os.environ) -> pathlib.Path:
    """The file that keeps the game.

    It lies in the folder for the state of programs (https://specifications.freedesktop.org/basedir-spec).
    """
    base = environment.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local",
                                                             "state")
    return pathlib.Path(base) / "plyglot" / "game.jsonl"


def keep(text: str) -> str | None:
    """Keep the text of a record; the reason in words where it can't be, else None."""
    target = path()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(target, [text.encode()])
    except OSError as error:
        return f"The game is not kept: {target}: {error.strerror}"
    return None


def drop() -> None:
    """The game is over: there is nothing to go on with."""
    try:
        path().unlink()
    except OSError:     # it was never there, or could not be kept either
        pass
