"""Saving the game in progress after each move, so that closing the terminal doesn't lose it."""

from __future__ import annotations

import contextlib
import json
import pathlib
from typing import Any

from scripts.jobs.files import replace, state_folder
from scripts.terminal.match import Match

PERSON = "you"  # a person's name in the file
_SETTINGS = "settings"


def path() -> pathlib.Path:
    """Return the path of the saved game."""
    return state_folder() / "game.jsonl"


def keep(text: str, settings: dict[str, Any]) -> str | None:
    """Save a record and its settings; return a message if that fails, else None.

    text: the record as a JSON line.  settings: plain data, as taken_settings() returns it.
    """
    target = path()
    text = json.dumps({**json.loads(text), _SETTINGS: settings}) + "\n"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(target, [text.encode()])
    except OSError as error:
        return f"The game can't be saved: {target}: {error.strerror}"
    return None


def taken_settings(match: Match) -> dict[str, Any]:
    """Remove the settings from a loaded match's tags and return them."""
    try:
        found = json.loads(match.tags.pop(_SETTINGS, "{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def drop() -> None:
    """Delete the saved game: there is nothing left to resume."""
    with contextlib.suppress(OSError):  # it was never saved, or saving failed too
        path().unlink()
