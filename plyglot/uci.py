"""UCI's `go` command, and the answers that show that a program doesn't speak a protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from operator import index
from typing import TypedDict

from plyglot.errors import Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    Clocks = Sequence[float | None]


class GoLimits(TypedDict, total=False):
    """The limits of a search, all optional.  Times are in seconds.

    depth: in plies.  mate: in moves.  movetime: time for this move.
    clocks, increments: for the first player, then the second.
    moves_to_go: moves until the next time control.  searchmoves: the only moves to consider.
    infinite: search until stop().
    ponder: search until stop() or ponderhit(), which starts the clock.
    """

    depth: int | None
    nodes: int | None
    mate: int | None
    movetime: float | None
    clocks: Clocks
    increments: Clocks
    moves_to_go: int | None
    searchmoves: Sequence[str] | None
    infinite: bool
    ponder: bool


LONGEST_SEARCH = 1e9  # longest time to send, in seconds


def go_words(limits: GoLimits, players: str = "wb") -> list[str]:
    """Return the words after `go` for these limits.

    players: the letters of the first and of the second player's clock.
    Raises TypeError if a limit is unknown, Refusal if its value is invalid.
    """
    for name in limits.keys() - GoLimits.__optional_keys__:
        raise TypeError(f"unknown search limit: {name}")
    words = [word for word in ("ponder", "infinite") if limits.get(word)]
    numbers = {"movetime": _milliseconds(limits.get("movetime"))}
    clocks = _pair("clocks", limits.get("clocks"))
    increments = _pair("increments", limits.get("increments"))
    for letter, clock, increment in zip(players, clocks, increments):
        numbers[f"{letter}time"] = _milliseconds(clock)
        numbers[f"{letter}inc"] = None if clock is None else _milliseconds(increment or None)
    numbers["movestogo"] = limits.get("moves_to_go") or None
    numbers.update(depth=limits.get("depth"), nodes=limits.get("nodes"), mate=limits.get("mate"))
    for word, number in numbers.items():
        words += [] if number is None else [word, _count(word, number)]
    searchmoves = limits.get("searchmoves")
    return words if searchmoves is None else [*words, "searchmoves", *move_texts(searchmoves)]


def due(limits: GoLimits, patience: float) -> float | None:
    """Return the seconds after which a search with these limits is late, None for never."""
    if limits.get("infinite"):
        return None
    clocks = limits.get("clocks") or ()
    times = [clock for clock in (limits.get("movetime"), *clocks) if clock is not None]
    return max(times) + patience if times else None


def move_texts(moves: Iterable[str]) -> list[str]:
    """Return moves as a list.  Raises Refusal if they aren't strings."""
    words = None if isinstance(moves, str) or not isinstance(moves, Iterable) else list(moves)
    if words is None or not all(isinstance(word, str) for word in words):
        raise Refusal(f"can't read these moves: {moves!r:.60} (expected a list of strings)")
    return words


def _pair(name: str, values: Clocks | None) -> Sequence[float | None]:
    """Return the first and the second player's value.  Raises Refusal if there are more."""
    if values is None:
        return (None, None)
    if isinstance(values, str) or not isinstance(values, Sequence) or len(values) > 2:
        raise Refusal(f"invalid {name}: {values!r:.60} (expected a pair of times in seconds)")
    return (*values, None, None)[:2]


def _count(name: str, number: int) -> str:
    try:
        return str(index(number))
    except TypeError:
        raise Refusal(f"invalid {name}: {number!r:.60} (expected a whole number)") from None


def _milliseconds(seconds: float | None) -> int | None:
    if seconds is None:
        return None
    check_seconds("time", seconds)
    if abs(seconds) > LONGEST_SEARCH:
        raise Refusal(f"invalid time: {seconds} (expected at most {LONGEST_SEARCH:.0f} seconds)")
    return max(round(seconds * 1000), 1)


def check_seconds(name: str, seconds: float | None) -> None:
    """Raise Refusal unless `seconds` is a number, other than NaN, or None."""
    if seconds is not None and not (isinstance(seconds, Real) and seconds == seconds):
        raise Refusal(f"invalid {name}: {seconds!r:.60} (expected seconds)")


def is_foreign(line: str, *greeting: str) -> bool:
    """Does this answer to a greeting show that the program doesn't know the protocol?

    A program that doesn't know it answers with an error or repeats the greeting.
    greeting: the lines that were sent; leave them out if a repetition proves nothing.
    """
    word = line.strip()
    refusals = ("?", "=", "error", "unknown", "illegal move")
    return word.lower().startswith(refusals) or word in greeting
