"""What an engine can do wrong, as exceptions."""

from __future__ import annotations


class EngineError(Exception):
    """The base of all errors of an engine.

    kind: the word for it in records.
    greeted: whether the engine had answered the greeting of its protocol; False means that it
    could not be started as the engine that it was taken for.
    """

    kind = "error"
    greeted = True

    def __init__(self, text: str) -> None:
        # an engine's own words may hold anything
        shown = "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
        super().__init__(shown)


class Crash(EngineError):
    """The engine ended by itself."""

    kind = "crash"


class Missing(Crash):
    """There is no such command, or it may not be started."""

    greeted = False


class Stall(EngineError):
    """The engine did not answer in time."""

    kind = "stall"


class Flood(Stall):
    """The engine writes without end."""


class Refusal(EngineError):
    """The engine rejected a command, or its protocol can't express what was asked."""

    kind = "refusal"
