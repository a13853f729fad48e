"""The exceptions for an engine's failures."""

from __future__ import annotations


class EngineError(Exception):
    """The base of all errors of an engine.

    text: what is wrong, to be read after the engine's name: "ended with status 1".
    kind: the error's name in records.
    greeted: had the engine answered its protocol's greeting in full?  If not, it could not be
    started or isn't an engine of that protocol.
    """

    kind = "error"
    greeted = True

    def __init__(self, text: str) -> None:
        # a message of the engine may contain control characters
        shown = "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
        super().__init__(shown)


class Crash(EngineError):
    """Raised if the engine ended by itself."""

    kind = "crash"


class Missing(Crash):
    """Raised if the command doesn't exist or can't be started."""

    greeted = False


class Stall(EngineError):
    """Raised if the engine did not answer in time."""

    kind = "stall"


class Refusal(EngineError):
    """Raised if the engine rejected a command, or if its protocol can't express the request."""

    kind = "refusal"
