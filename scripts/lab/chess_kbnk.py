#!/usr/bin/env python3
"""Compute games/chess/kbnk.bin: the length of the mate with bishop and knight.

The method is retrograde analysis of all positions in which White mates with a bishop on the dark
squares.  Positions lost in n plies (Black to move) lead back to positions won in n + 1 plies (White
to move), and these lead back to the next lost positions.

The file has a number for each placement of both kings and the knight, with Black to move: the plies
to mate, as a minimum over all squares of the bishop.  The search itself finds the one or two moves
to the bishop's best square.  With the mean instead of the minimum, the search gets stuck in local
minima: at 4000 nodes per move against the best defence, it won only 15 of 60 positions.
games/chess/endgames.py describes the layout.
"""

from __future__ import annotations

import pathlib
import sys
import zlib
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.chess.endgames import KBNK_FILE, kbnk_views  # noqa: E402
from games.chess.tables import BISHOP, CHESS, KING_LEAPS, KNIGHT_LEAPS  # noqa: E402
from games.data import path_of  # noqa: E402
from scripts.command_line import Parser  # noqa: E402
from scripts.jobs.files import replace  # noqa: E402

NEAR = [
    bytes(1 if to in KING_LEAPS[square] or to == square else 0 for to in range(64))
    for square in range(64)
]
JUMP = [bytes(to in KNIGHT_LEAPS[square] for to in range(64)) for square in range(64)]
UNKNOWN = 255
NO_MATE = 70  # the file's value if no square of the bishop leads to mate


# BETWEEN[square]: {another square on a diagonal: the squares between the two}
BETWEEN: Any = [
    {to: ray[:place] for ray in CHESS.rays[BISHOP][square] for place, to in enumerate(ray)}
    for square in range(64)
]


def index(black: int, white: int, knight: int, bishop: int) -> int:
    """Return the index of a position in the tables.

    The bishop stands on a dark square, so half of its square's number identifies it.
    """
    return ((black << 6 | white) << 6 | knight) << 5 | bishop >> 1


def sees(bishop: int, to: int, white: int, knight: int) -> Any:
    """Does the bishop attack `to`, with neither the white king nor the knight between them?"""
    way = BETWEEN[bishop].get(to)
    return way is not None and white not in way and knight not in way


def lost(wins: Any, black: int, white: int, knight: int, bishop: int) -> Any:
    """Return the plies to mate with Black to move, or None if `wins` doesn't prove a loss yet.

    wins: plies to mate with White to move, by index().
    """
    longest, moves = 0, 0
    for to in KING_LEAPS[black]:
        if NEAR[white][to]:
            continue
        if to == knight:
            if not sees(bishop, to, white, knight):
                return None
        elif to == bishop:
            if not JUMP[knight][to]:
                return None
        elif not (JUMP[knight][to] or sees(bishop, to, white, knight)):
            found = wins[index(to, white, knight, bishop)]
            if found == UNKNOWN:
                return None
            moves += 1
            longest = max(longest, found)
    if not moves:
        return 0 if JUMP[knight][black] or sees(bishop, black, white, knight) else None
    return longest + 1


def before_white(black: int, white: int, knight: int, bishop: int) -> Any:
    """Yield the positions from which a move of White leads to this one.

    Some of them are illegal, since Black is in check.
    """
    for start in KING_LEAPS[white]:
        if start not in (knight, bishop) and not NEAR[black][start]:
            yield black, start, knight, bishop
    for start in KNIGHT_LEAPS[knight]:
        if start not in (white, bishop, black):
            yield black, white, start, bishop
    for ray in CHESS.rays[BISHOP][bishop]:
        for start in ray:
            if start in (white, knight, black):
                break
            yield black, white, knight, start


def legal_for_white(black: int, white: int, knight: int, bishop: int) -> Any:
    """Is the position legal with White to move, that is, is Black not in check?"""
    return not (JUMP[knight][black] or sees(bishop, black, white, knight))


def solve() -> Any:
    """Return (plies to mate with Black to move, plies with White to move), both by index().

    Positions that White does not win have the number UNKNOWN.
    """
    losses, wins = bytearray([UNKNOWN]) * (1 << 23), bytearray([UNKNOWN]) * (1 << 23)
    dark = [square for square in range(64) if (square ^ square >> 3) & 1 == 0]
    frontier = [
        (black, white, knight, bishop)
        for black in range(64)
        for white in range(64)
        if not NEAR[white][black]
        for knight in range(64)
        if knight not in (black, white)
        for bishop in dark
        if bishop not in (black, white, knight) and lost(wins, black, white, knight, bishop) == 0
    ]
    for place in frontier:
        losses[index(*place)] = 0
    plies = 0
    while frontier:
        won = []
        for place in frontier:
            for earlier in before_white(*place):
                if wins[index(*earlier)] == UNKNOWN and legal_for_white(*earlier):
                    wins[index(*earlier)] = plies + 1
                    won.append(earlier)
        frontier = []
        for black, white, knight, bishop in won:
            for start in KING_LEAPS[black]:
                if NEAR[white][start] or start in (knight, bishop):
                    continue
                at = index(start, white, knight, bishop)
                if losses[at] == UNKNOWN and lost(wins, start, white, knight, bishop) == plies + 2:
                    losses[at] = plies + 2
                    frontier.append((start, white, knight, bishop))
        plies += 2
        print(f"mate in {plies // 2}: {len(won)} positions", file=sys.stderr)
    return losses, wins


def main() -> None:
    """Compute the distances and write them."""
    Parser("scripts/lab/chess_kbnk.py", __doc__).parse_args()
    losses, _ = solve()
    rows = {
        first: black for black, (first, view) in enumerate(kbnk_views()) if view[black] == black
    }
    out = bytearray()
    for _, black in sorted(rows.items()):
        for white in range(64):
            for knight in range(64):
                first = index(black, white, knight, 0)
                known = [plies for plies in losses[first : first + 32] if plies != UNKNOWN]
                out.append(min(known, default=NO_MATE))
    replace(path_of(KBNK_FILE), [zlib.compress(bytes(out), 9)])


if __name__ == "__main__":
    main()
