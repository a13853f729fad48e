"""Signals that ask a script to end, as an exception in its main thread."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class _Held:
    """Has a signal to wait, and which one does?"""

    waits = False
    number: int | None = None


class Interrupted(BaseException):
    """A signal asks for the end; `status` is the exit status that says so."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def listen() -> None:
    """Raise Interrupted in this process from here on; worker processes forked from it just end."""
    owner = os.getpid()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if os.getpid() != owner:
            if number != signal.SIGINT:  # the terminal's Ctrl-C is for their parent to handle
                os._exit(128 + number)
        elif _Held.waits:
            _Held.number = number
        else:
            raise Interrupted(number)

    _set(interrupt)


def ignore() -> None:
    """The end has begun, and nothing interrupts it."""
    _set(signal.SIG_IGN)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """What is done here is done as a whole: signals wait for the end of it."""
    _Held.waits, _Held.number = True, None
    try:
        yield
    finally:
        number = _Held.number
        _Held.waits, _Held.number = False, None
    if number is not None:
        raise Interrupted(number)


@contextlib.contextmanager
def interrupts_to(handle: Callable[[], bool]) -> Iterator[None]:
    """In here a Ctrl-C calls handle(); where that is false it means what it means elsewhere.

    handle() is called between any two steps of the main thread, in the middle of a write,
    too: it may decide, and write nothing.
    """
    usual: Any = signal.getsignal(signal.SIGINT)

    def taken(number: int, frame: FrameType | None) -> None:
        if not handle():
            usual(number, frame)

    signal.signal(signal.SIGINT, taken)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _set(handler: Any) -> None:
    for name in _NAMES:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)
