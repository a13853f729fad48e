"""Signals that ask a script to end, as an exception in its main thread."""
from __future__ import annotations

import contextlib
import os
import signal

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_held = [False, None]       # whether a signal has to wait, and the one that does


class Interrupted(BaseException):
    """A signal asks for the end; `status` is the exit status that says so."""

    def __init__(self, number):
        super().__init__(number)
        self.status = 128 + number


def listen():
    """Raise Interrupted in this process from here on; worker processes forked from it just end."""
    owner = os.getpid()

    def interrupt(number, frame):
        if os.getpid() != owner:
            if number != signal.SIGINT:     # the terminal's Ctrl-C is for their parent to handle
                os._exit(128 + number)
        elif _held[0]:
            _held[1] = number
        else:
            raise Interrupted(number)

    _set(interrupt)


def ignore():
    """The end has begun, and nothing interrupts it."""
    _set(signal.SIG_IGN)


@contextlib.contextmanager
def held():
    """What is done here is done as a whole: signals wait for the end of it."""
    _held[:] = True, None
    try:
        yield
    finally:
        number = _held[1]
        _held[:] = False, None
    if number is not None:
        raise Interrupted(number)


@contextlib.contextmanager
def first_interrupt(action):
    """In here the first Ctrl-C calls action(); the next one means what it means elsewhere."""
    usual = signal.getsignal(signal.SIGINT)

    def once(number, frame):
        signal.signal(signal.SIGINT, usual)
        action()

    signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _set(handler):
    for name in _NAMES:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)
