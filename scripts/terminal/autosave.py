"""The game in progress, kept in a file after each move, so that no closed terminal loses it."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scripts.jobs.files import replace, state_folder

if TYPE_CHECKING:
    from scripts.terminal.match import Match

PERSON = "you"  # how a person is called in it
_SETTINGS = "settings"


def path(environment: Mapping[str, str] = os.environ) -> pathlib.Path:
    """The file that keeps the game."""
    return state_folder(environment) / "game.jsonl"


def keep(text: str, settings: dict[str, Any]) -> str | None:
    """Keep a record, a JSON line, and how it is played; the reason if it can't be, else None.

    settings: plain data, as taken_settings() returns it.
    """
    target = path()
    text = json.dumps({**json.loads(text), _SETTINGS: settings}) + "\n"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(target, [text.encode()])
    except OSError as error:
        return f"The game is not kept: {target}: {error.strerror}"
    return None


def taken_settings(match: Match) -> dict[str, Any]:
    """Return the settings of a match that was kept, which is without them from here on."""
    try:
        found = json.loads(match.tags.pop(_SETTINGS, "{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def drop() -> None:
    """The game is over: there is nothing to go on with."""
    try:
        path().unlink()
    except OSError:  # it was never there, or could not be kept either
        pass
