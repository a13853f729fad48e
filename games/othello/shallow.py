"""The shallow solver: the last empty squares, without a table, in a fixed order of moves.

The order is by parity: squares in quadrants with an odd number of empty squares come first,
since the player who moves there first also moves there last.  The order depends on the empty
squares alone, so it is cached for each set of them, together with everything that the loops need.

All values are gains: the growth of the disc difference of the side to move until the end of
the game.  All searches use a null window below `beta` and are fail-soft.  Boards lack
the pattern lanes of lanes.py.
"""

from __future__ import annotations

from games.data import Lazy
from games.grid import count_bits
from games.othello.lanes import BARE_FLIPS, ROWS, SQUARE_ORDER, STEP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.othello.lanes import Discs

    # The moves on a set of empty squares, in their order.  A move is (step, flips, the Moves for
    # the other empty squares); with two empty squares it is (step, flips, step of the other square,
    # flips of the other square).
    Moves = tuple[Any, ...]
    # search(own, opp, moves, beta): see shallow_search().
    Search = Callable[[Discs, Discs, Moves, int], int]

# The number of empty squares at which this solver takes over.
SHALLOW = 5
# Smaller than every gain.
_NONE = -999

# The quadrant of each square, as a bit.
_QUADRANT = [1 << (square >> 5 << 1 | square >> 2 & 1) for square in range(64)]


def _moves_of(free: int) -> Moves:
    """Return the Moves on a set of empty squares.  free: bit s is set if square s is empty."""
    squares = [square for square in SQUARE_ORDER if free >> square & 1]
    odd = 0
    for square in squares:
        odd ^= _QUADRANT[square]
    squares.sort(key=lambda square: not odd & _QUADRANT[square])
    if len(squares) == 2:
        return tuple(
            (STEP[one], BARE_FLIPS[one], STEP[other], BARE_FLIPS[other])
            for one, other in (squares, squares[::-1])
        )
    return tuple(
        (STEP[square], BARE_FLIPS[square], MOVES[free ^ 1 << square]) for square in squares
    )


# {set of empty squares: its Moves}, about 600 bytes each.
MOVES = Lazy(_moves_of, most=50_000)


def final_difference(difference: int, empties: int) -> int:
    """Return the final disc difference: the empty squares go to the winner."""
    return difference + empties if difference > 0 else difference - empties if difference else 0


def final_gain(own: Discs, empties: int) -> int:
    """Return the gain of the side with `own` when nobody can move any more."""
    difference = 2 * count_bits(own & ROWS) - 64 + empties
    return empties if difference > 0 else -empties if difference else 0


def shallow_search() -> tuple[Search, Callable[[], int]]:
    """Return (search, count).

    search(own, opp, MOVES[free], beta): the gain of the side with `own`.  free: the set of the
    SHALLOW empty squares.
    count(): the number of positions visited.
    """
    nodes = 0

    def count() -> int:
        return nodes

    def solve_2(own: Discs, opp: Discs, moves: Moves, beta: int, passed: bool = False) -> int:
        """Return the gain with two empty squares.

        After a move, the last square goes to the opponent if it can move there, else to the mover
        if it can.
        """
        nonlocal nodes
        nodes += 1
        value: int
        best = _NONE
        for step, flips, other_step, other_flips in moves:
            key = (opp + (opp & step)) & own
            if key:
                nodes += 1
                flipped, added, value = flips[key]
                child_own, child_opp = opp ^ flipped, own | added
                key = (child_opp + (child_opp & other_step)) & child_own
                if key:
                    value -= other_flips[key][2]
                else:
                    key = (child_own + (child_own & other_step)) & child_opp
                    value += other_flips[key][2] if key else final_gain(child_opp, 1)
                if value > best:
                    if value >= beta:
                        return value
                    best = value
        if best > _NONE:
            return best
        return final_gain(own, 2) if passed else -solve_2(opp, own, moves, 1 - beta, True)

    def solver(empties: int, below: Callable[..., int]) -> Callable[..., int]:
        """Return the search for `empties` empty squares, at least three.

        below: the search for one empty square fewer.
        """

        def search(own: Discs, opp: Discs, moves: Moves, beta: int, passed: bool = False) -> int:
            nonlocal nodes
            nodes += 1
            value: int
            best = _NONE
            for step, flips, other_moves in moves:
                key = (opp + (opp & step)) & own
                if key:
                    flipped, added, difference = flips[key]
                    value = difference - below(
                        opp ^ flipped, own | added, other_moves, difference - beta + 1
                    )
                    if value > best:
                        if value >= beta:
                            return value
                        best = value
            if best > _NONE:
                return best
            return final_gain(own, empties) if passed else -search(opp, own, moves, 1 - beta, True)

        return search

    search: Callable[..., int] = solve_2
    for empties in range(3, SHALLOW + 1):
        search = solver(empties, search)

    return search, count
