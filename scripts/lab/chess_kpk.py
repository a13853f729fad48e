#!/usr/bin/env python3
"""Compute games/chess/kpk.bin: which positions of king and pawn against king are won.

games/chess/endgames.py describes the layout.  The value of a position follows from the values after
each move: White wins if a move leads to a won position, Black draws if a move leads to a drawn one.
This is repeated for all positions until nothing changes.
"""

from __future__ import annotations

import pathlib
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.chess.endgames import KPK_FILE, kpk_index  # noqa: E402
from games.chess.tables import KING_LEAPS, PAWN_ATTACKS  # noqa: E402
from games.data import path_of  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.jobs.files import replace  # noqa: E402

IMPOSSIBLE, OPEN, DRAWN, WON = range(4)


def first_look(side: int, pawn: int, white: int, black: int) -> int:
    """Return the value of a position without looking ahead."""
    if white == black or pawn in (white, black) or black in KING_LEAPS[white]:
        return IMPOSSIBLE
    if side == 0:
        if black in PAWN_ATTACKS[0][pawn]:
            return IMPOSSIBLE
        goal = pawn + 8
        if (
            goal >= 56
            and goal not in (white, black)
            and (goal not in KING_LEAPS[black] or goal in KING_LEAPS[white])
        ):
            return WON
        return OPEN
    moves = [
        to
        for to in KING_LEAPS[black]
        if to not in KING_LEAPS[white] and to not in PAWN_ATTACKS[0][pawn] and to != white
    ]
    if not moves or pawn in KING_LEAPS[black] and pawn not in KING_LEAPS[white]:
        return DRAWN
    return OPEN


def look_ahead(known: Any, side: int, pawn: int, white: int, black: int) -> int:
    """Return the value of a position from its successors; OPEN if they don't decide it yet."""
    if side == 0:
        after = [known[kpk_index(1, pawn, to, black)] for to in KING_LEAPS[white] if to != pawn]
        if pawn < 48 and pawn + 8 not in (white, black):
            after.append(known[kpk_index(1, pawn + 8, white, black)])
            if pawn < 16 and pawn + 16 not in (white, black):
                after.append(known[kpk_index(1, pawn + 16, white, black)])
        if WON in after:
            return WON
        return OPEN if OPEN in after else DRAWN
    after = [known[kpk_index(0, pawn, white, to)] for to in KING_LEAPS[black] if to != pawn]
    if DRAWN in after:
        return DRAWN
    return OPEN if OPEN in after else WON


def main() -> None:
    """Compute the table and write it."""
    Parser("scripts/lab/chess_kpk.py", __doc__).parse_args()
    places = [
        (side, rank * 8 + file, white, black)
        for side in range(2)
        for rank in range(1, 7)
        for file in range(4)
        for white in range(64)
        for black in range(64)
    ]
    known = [IMPOSSIBLE] * (2 * 24 * 64 * 64)
    for place in places:
        known[kpk_index(*place)] = first_look(*place)
    rest = [place for place in places if known[kpk_index(*place)] == OPEN]
    before = None
    while before != len(rest):
        before, still = len(rest), []
        for place in rest:
            found = known[kpk_index(*place)] = look_ahead(known, *place)
            if found == OPEN:
                still.append(place)
        rest = still
        print(f"{before - len(rest)} decided, {len(rest)} undecided", file=sys.stderr)
    bits = bytearray(len(known) // 8)
    for index, value in enumerate(known):
        if value == WON:
            bits[index >> 3] |= 1 << (index & 7)
    replace(path_of(KPK_FILE), [bytes(bits)])


if __name__ == "__main__":
    main()
