"""Draws in draughts: rules that count moves without progress, and repetition.

A rule is (pattern, plies, what is counted, the reason).  KINGS counts the moves of kings since the
last capture or move of a man, ANY_MOVE all moves since the last capture.

A rule applies if its pattern, a regular expression, matches the beginning of a text such as
`K KKm`: the pieces of one player, then those of the other, kings (K) before men (m).  The text ends
with ` /` if only the first of the two players has a piece on the long diagonal.
"""

from __future__ import annotations

import re
from functools import cache

from games.grid import count_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.draughts.rules import State
    from games.draughts.squares import Bits

    # The pieces of one player: (men, kings, does one of them stand on the long diagonal?).
    Pieces = tuple[int, int, bool]
    Rule = tuple[str, int, int, str]

KINGS, ANY_MOVE = range(2)

DRAWS: dict[str, tuple[Rule, ...]] = {
    "international": (
        ("", 50, KINGS, "25 moves of kings alone"),
        (r"K K\w\w\b", 32, KINGS, "16 moves of a king against three pieces"),
        (r"K K\w?\b", 10, KINGS, "5 moves of a king against one or two pieces"),
    ),
    "english": (("", 80, KINGS, "40 moves of kings alone"),),
    "russian": (
        ("", 30, KINGS, "15 moves of kings alone"),
        # both players have the same pieces, with at least one king
        (r"(?=\w{4,5} )(K\w*) \1\b", 60, ANY_MOVE, "30 moves without a capture"),
        (r"(?=\w{6,7} )(K\w*) \1\b", 120, ANY_MOVE, "60 moves without a capture"),
        (r"K K\w\w /", 10, ANY_MOVE, "5 moves of a king on the long diagonal"),
        (r"K K\w\b", 10, ANY_MOVE, "5 moves of a king against two pieces"),
    ),
    "frisian": (
        (r"K KK\b", 14, KINGS, "7 moves of a king against two kings"),
        (r"K K\b", 4, KINGS, "2 moves of a king against a king"),
    ),
    "repetition": (),
    "none": (),
}
# In games with these rules of draws, a position that occurs for the third time is a draw.
REPETITION = "international", "english", "russian", "repetition"


def all_pieces(state: State, diagonal: Bits) -> list[Pieces]:
    """Return the pieces of both players in a state of rules.py.

    diagonal: the squares of the long diagonal.
    """
    return [
        (count_bits(men), count_bits(kings), (men | kings) & diagonal != 0)
        for men, kings in (state[5:7], state[7:9])
    ]


def drawn(rules: tuple[Rule, ...], pieces: Sequence[Pieces], counts: Sequence[int]) -> str:
    """Return the reason why the game is drawn, "" if it isn't.

    pieces: the pieces of both players.  counts: the plies without progress, by KINGS and by
    ANY_MOVE.
    """
    for _, plies, counted, reason in _applying(rules, *pieces):
        if counts[counted] >= plies:
            return reason
    return ""


@cache
def _applying(rules: tuple[Rule, ...], one: Pieces, other: Pieces) -> list[Rule]:
    """Return the rules that apply to the pieces of the two players."""
    texts = _text(one, other), _text(other, one)
    return [rule for rule in rules if any(re.match(rule[0], text) for text in texts)]


def _text(one: Pieces, other: Pieces) -> str:
    words = ["K" * kings + "m" * men for men, kings, _ in (one, other)]
    return " ".join([*words, "/"] if one[2] and not other[2] else words)
