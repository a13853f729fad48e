"""Draws of draughts: rules that count moves without progress, and repetition.

A rule is (does it apply to these pieces?, plies, what is counted, the reason).  KINGS counts the
moves of kings since the last capture or move of a man, ANY_MOVE all moves since the last capture.
"""

from __future__ import annotations

from games.grid import count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.draughts.rules import State
    from games.draughts.squares import Bits

    # The pieces of one player: (men, kings, does one of them stand on the long diagonal?).
    Pieces = tuple[int, int, bool]
    Rule = tuple[Callable[[Pieces, Pieces], bool], int, int, str]

KINGS, ANY_MOVE = range(2)


def _lone_king(least: int, most: int) -> Callable[[Pieces, Pieces], bool]:
    """Return a condition: a lone king against `least` to `most` pieces with at least one king."""

    def applies(one: Pieces, other: Pieces) -> bool:
        return one[:2] == (0, 1) and other[1] > 0 and least <= other[0] + other[1] <= most

    return applies


def _even(least: int, most: int) -> Callable[[Pieces, Pieces], bool]:
    """Return a condition: both players have the same number of men and of kings.

    Each player must have a king, and `least` to `most` pieces.
    """
    return lambda one, other: (
        one[:2] == other[:2] and one[1] > 0 and least <= one[0] + one[1] <= most
    )


def _holds_diagonal(one: Pieces, other: Pieces) -> bool:
    """Does a lone king hold the long diagonal against three pieces?"""
    return _lone_king(3, 3)(one, other) and one[2] and not other[2]


def _king_against(kings: int) -> Callable[[Pieces, Pieces], bool]:
    """Return a condition: a lone king against this number of kings and no men."""
    return lambda one, other: one[:2] == (0, 1) and other[:2] == (0, kings)


def _always(one: Pieces, other: Pieces) -> bool:
    return True


DRAWS: dict[str, Sequence[Rule]] = {
    "international": (
        (_always, 50, KINGS, "25 moves of kings alone"),
        (_lone_king(3, 3), 32, KINGS, "16 moves of a king against three pieces"),
        (_lone_king(1, 2), 10, KINGS, "5 moves of a king against one or two pieces"),
    ),
    "english": ((_always, 80, KINGS, "40 moves of kings alone"),),
    "russian": (
        (_always, 30, KINGS, "15 moves of kings alone"),
        (_even(4, 5), 60, ANY_MOVE, "30 moves without a capture"),
        (_even(6, 7), 120, ANY_MOVE, "60 moves without a capture"),
        (_holds_diagonal, 10, ANY_MOVE, "5 moves of a king on the long diagonal"),
        (_lone_king(2, 2), 10, ANY_MOVE, "5 moves of a king against two pieces"),
    ),
    "frisian": (
        (_king_against(2), 14, KINGS, "7 moves of a king against two kings"),
        (_king_against(1), 4, KINGS, "2 moves of a king against a king"),
    ),
    "repetition": (),
    "none": (),
}
# The names in DRAWS of the rules by which a position that occurs for the third time is a draw.
REPETITION = "international", "english", "russian", "repetition"


def all_pieces(state: State, diagonal: Bits) -> list[Pieces]:
    """Return the pieces of both players in a state of rules.py.

    diagonal: the squares of the long diagonal.
    """
    return [
        (count_bits(men), count_bits(kings), (men | kings) & diagonal != 0)
        for men, kings in (state[5:7], state[7:9])
    ]


def drawn(rules: Sequence[Rule], pieces: Sequence[Pieces], counts: Sequence[int]) -> str:
    """Return the reason why the game is drawn, "" if it isn't.

    pieces: of both players.  counts: plies, as KINGS and ANY_MOVE count them.
    """
    for applies, plies, counted, reason in rules:
        if counts[counted] >= plies and (applies(*pieces) or applies(*reversed(pieces))):
            return reason
    return ""
