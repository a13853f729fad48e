"""The server's port and token, stored for the next run.

A browser finds its saved games only if the address stays the same.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import secrets
import tempfile

from scripts.jobs import files

_TOKEN = re.compile("[A-Za-z0-9_-]{20,}")


def _file() -> pathlib.Path:
    return files.state_folder() / "board.json"


def remembered() -> tuple[int, str]:
    """Return (port, token) of the last run, or (0, a new token) if none are stored."""
    try:
        known = json.loads(_file().read_text(encoding="utf-8"))
        port, token = known["port"], known["token"]
        if isinstance(port, int) and 0 < port < 65536 and _TOKEN.fullmatch(token):
            return port, token
    except (OSError, ValueError, KeyError, TypeError):  # there is no such file, or it is malformed
        pass
    return 0, secrets.token_urlsafe()


def remember(port: int, token: str) -> str | None:
    """Store port and token in a file that only this user can read.

    Return an error message, or None.
    """
    target = _file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # mkstemp() makes a file that only this user can read
        private, new = tempfile.mkstemp(prefix=f"{target.name}.", dir=target.parent)
        with open(private, "w", encoding="utf-8", newline="\n") as file:
            json.dump({"port": port, "token": token}, file)
        os.replace(new, target)
    except OSError as error:
        return f"can't save the address for the next run: {target}: {error.strerror}"
    return None
