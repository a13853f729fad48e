"""The port and the token that the page had last time, so that a browser finds its games again."""

from __future__ import annotations

import json
import os
import pathlib
import secrets

from scripts.jobs import files

_TOKEN_BYTES = 18
_TOKEN_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def _file() -> pathlib.Path:
    return files.state_folder() / "board.json"


def remembered() -> tuple[int, str]:
    """The (port, token) of last time; (0, a new token) if there is none that can be used."""
    try:
        known = json.loads(_file().read_text(encoding="utf-8"))
        port, token = known["port"], known["token"]
    except (OSError, ValueError, KeyError, TypeError):  # none yet, or not ours
        return 0, new_token()
    proper = isinstance(port, int) and 0 < port < 65536 and isinstance(token, str)
    if proper and len(token) >= 20 and set(token) <= _TOKEN_LETTERS:
        return port, token
    return 0, new_token()


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def remember(port: int, token: str) -> str | None:
    """Keep them for the next time, for this user alone; the reason in words if that fails."""
    target = _file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = target.with_name(f"{target.name}.{os.getpid()}")
        with open(
            os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600),
            "w",
            encoding="utf-8",
            newline="\n",
        ) as file:
            json.dump({"port": port, "token": token}, file)
        os.replace(new, target)
    except OSError as error:
        return f"this address can't be kept for the next time: {target}: {error.strerror}"
    return None
