"""Termination signals as an exception in the main thread."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NoReturn

_SIGNALS = [each for each in signal.Signals if each.name in ("SIGINT", "SIGTERM", "SIGHUP")]

# For each running held(): the signals that it defers.
_held: list[list[int]] = []


class Interrupted(KeyboardInterrupt):
    """Raised by a termination signal.  status: the exit status.  words: a message for the user."""

    words = "interrupted; repeat the command to continue"

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def listen() -> None:
    """Let a termination signal raise Interrupted here, but end a forked process at once."""
    owner = os.getpid()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if os.getpid() != owner:
            if number != signal.SIGINT:  # the parent process handles Ctrl-C
                os._exit(128 + number)
        elif _held:
            _held[-1].append(number)
        else:
            _end(number)

    _set(interrupt)


def ignore() -> None:
    """Ignore signals from now on, since the process is ending."""
    _set(signal.SIG_IGN)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Return a context manager that defers signals to the end of its block."""
    waiting: list[int] = []
    _held.append(waiting)
    try:
        yield
    finally:
        _held.pop()
    if waiting:
        _end(waiting[-1])


@contextlib.contextmanager
def interrupts_to(handle: Callable[[], bool]) -> Iterator[None]:
    """Return a context manager that makes Ctrl-C call handle().

    If handle() returns False, Ctrl-C acts as usual.

    handle() may run between any two steps of the main thread, even within a write, so it must
    not write.
    """
    usual: Any = signal.getsignal(signal.SIGINT)

    def taken(number: int, frame: FrameType | None) -> None:
        if not handle():
            usual(number, frame)

    signal.signal(signal.SIGINT, taken)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is taken:  # an ending process ignores it
            signal.signal(signal.SIGINT, usual)


def _end(number: int) -> NoReturn:
    """Raise Interrupted; ignore all later signals, since the process is ending."""
    ignore()
    raise Interrupted(number)


def _set(handler: Any) -> None:
    for number in _SIGNALS:
        signal.signal(number, handler)
