"""Notices: problems that users should know of, which each protocol shows in its own way."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_reported: set[str] = set()


def report(text: str) -> None:
    """Pass a report, for example that a file can't be read, to the listener (by default stderr)."""
    _listener[0](text)


def report_once(name: str, text: str) -> None:
    """Report a problem with `name`, unless one was reported before."""
    if name not in _reported:
        _reported.add(name)
        report(text)


def listen(listener: Callable[[str], None]) -> None:
    """Set the function listener(text) that is called for each report, in any thread."""
    _listener[0] = listener


def on_stderr(text: str) -> None:
    """Write a report to stderr; drop it if stderr is full or closed."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # nobody reads stderr


_listener: list[Callable[[str], None]] = [on_stderr]
