"""Quiescence search of games with kings; each game supplies its noisy moves and plays them.

A node stands pat, probes the table, lets the game play its noisy moves, and stores the result.
Moves are pseudo-legal here: if a move leaves the king in check, the reply captures the king.
"""

from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.entry import (
    DEPTH_MASK,
    DEPTH_SHIFT,
    EXACT,
    LOWER,
    MOVE_SHIFT,
    SCORE_BIAS,
    SCORE_SHIFT,
    UPPER,
)
from games.pruning import LAST_PLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from games.types import Move, Score, State, Tree

    Quiesce = Callable[[Any, Score, Score, int], Score]
    # generate(state): the noisy moves, each plus its ordering score.
    Generate = Callable[[Any], list[int]]
    # play(state, moves, alpha, beta, ply): search `moves`, which are sorted best first; return
    # (best score, its move), with -1 for the move if none beats standing pat.
    Play = Callable[[Any, list[int], Score, Score, int], tuple[Score, Move]]

ILLEGAL = WIN + 500  # score of a side that can capture the king


def quiescence(
    tree: Tree, board: list[int], kings: Sequence[int], shift: int, generate: Generate, play: Play
) -> Quiesce:
    """Return the kernel's `quiesce` (see games/kernel.py) for one search.

    board: the piece on each square.  kings: both pieces that are kings.
    shift: number of bits of a square in a move.  The lowest bits of a move are its start square,
    the next bits its target square.
    """
    squares = (1 << shift) - 1
    count = tree.count
    check = tree.check
    lines = tree.lines
    table_keys = tree.table.keys
    table_data = tree.table.data
    slot_mask = tree.table.mask

    def quiesce(state: State, alpha: Score, beta: Score, ply: int) -> Score:
        """Return the fail-soft score after noisy moves are played out."""
        count[0] += 1
        if count[0] >= count[1]:
            count[1] = check(count[0])
        # Stand pat: the side to move need not capture.
        best = state[1]
        if best >= beta:
            return best
        pv_node = beta - alpha > 1
        if pv_node:
            lines[ply] = []
        # Every entry of the table is deep enough here.
        key = state[0]
        slot = key & slot_mask
        entry = table_data[slot]
        if entry and not pv_node and table_keys[slot] ^ entry == key:
            score = (entry >> SCORE_SHIFT) - SCORE_BIAS
            if -MAX_SCORE < score < MAX_SCORE:
                if score >= beta:
                    if entry & LOWER:
                        return score
                elif score <= alpha and entry & UPPER:
                    return score
        moves = generate(state)
        if not moves:
            return best
        moves.sort(reverse=True)
        # If a king can be captured, that capture comes first.
        if board[moves[0] >> shift & squares] in kings:
            return ILLEGAL - ply
        if ply > count[3]:
            count[3] = ply
        if ply > LAST_PLY:
            return best
        best, best_move = play(state, moves, alpha, beta, ply)
        # Don't replace another position's entry if it comes from a deeper search.
        if -MAX_SCORE < best < MAX_SCORE and (
            table_keys[slot] ^ table_data[slot] == key
            or not table_data[slot] >> DEPTH_SHIFT & DEPTH_MASK
        ):
            entry = (
                best + SCORE_BIAS << SCORE_SHIFT
                | best_move + 1 << MOVE_SHIFT
                | (LOWER if best >= beta else EXACT if best > alpha else UPPER)
            )
            table_keys[slot] = key ^ entry
            table_data[slot] = entry
        return best

    return quiesce
