"""Move ordering: killers, history, a different order for each helper, and the picker of stages.

The moves of a node come in stages, each generated only if the stage before it caused no cutoff: the
table's move, captures, quiet moves (or, if quiet moves are pruned, those that give check), captures
that lose material.  A picker hands out the stages after the first.  Moves come with an ordering
score above their bits: `entry & MOVE_MASK` is the move.
"""

from __future__ import annotations

from collections import defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Union

    from games.types import Move

    # {move: score}, or a list of scores indexed by move.
    Scores = Union[defaultdict[Move, int], list[int]]
    # The history scores of quiet moves, by piece and target square.
    PieceHistory = list[list[int]]
    # What is known of a node's moves: [quiet moves that were tried, captures that lose material,
    # occupied squares, check mask], and what a game adds.  The node's successors fill the two
    # lists, the picker the rest.
    Picked = list[Any]
    # next_stage(done, state, ply, pruned, picked): see picker().
    NextStage = Callable[[int, Any, int, bool, Picked], tuple[int, Sequence[Move]]]

MOVE_MASK = (1 << 20) - 1
# Ordering scores are multiples of this.
SCORE = MOVE_MASK + 1
# The stages.  CHECKS: quiet moves that may give check, if the other quiet moves are pruned.
TABLE_MOVE, CAPTURES, QUIETS, CHECKS, BAD_CAPTURES, DONE = range(6)
# Indices of Picked.  The check mask: the squares where a capture or a block ends the check; -1 if
# the side to move is not in check.
QUIETS_TRIED, BAD_CAPTURE_LIST, OCCUPANCY, CHECK_MASK = range(4)

# The scores of a PieceHistory lie between -_HISTORY_LIMIT and _HISTORY_LIMIT.
_HISTORY_LIMIT = 1 << 13
# A move that causes a cutoff gets a bonus of _BONUS times depth squared.  The quiet moves tried
# before it lose _MALUS times that bonus.
_BONUS = 17
_MAX_BONUS = 1400
_MALUS = 1.25
# Added to the history of the first killer, the second killer and the counter-move.
_KILLER_1, _KILLER_2, _COUNTER_MOVE = (bonus * SCORE for bonus in (1 << 16, 1 << 15, 1 << 14))


class Killers:
    """The last two moves that caused a cutoff at each ply.

    at[ply]: [the latest, the one before]; -1 if there is no such move.
    """

    def __init__(self, plies: int) -> None:
        self.at = [[-1, -1] for _ in range(plies)]

    def reward(self, move: Move, ply: int) -> None:
        """Note a move that caused a cutoff, to be tried early in sibling nodes."""
        killers = self.at[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move


class History:
    """Scores of moves for the cutoffs that they caused anywhere in the tree.

    scores: {move: score}, or a list indexed by move if all are below `size`.  All scores are
    halved when one exceeds `limit`.
    """

    def __init__(self, limit: int, size: int | None = None) -> None:
        self.scores: Scores = defaultdict(int) if size is None else [0] * size
        self._limit = limit
        self._moves: Iterable[Move] = self.scores if size is None else range(size)

    def reward(self, move: Move, depth: int) -> None:
        """Add depth squared to the score of a move that caused a cutoff with `depth` plies left."""
        scores = self.scores
        scores[move] += depth * depth
        if scores[move] > self._limit:
            for other in self._moves:
                scores[other] >>= 1


class QuietOrder:
    """The order of quiet moves by killers, counter-moves and a history by piece and square.

    A move is stored as its entry, which is piece << shift | target square.

    ordered(ply, previous, generate, *arguments): returns generate(*arguments), best first.  The
        killers come first, then the reply that last caused a cutoff after the move `previous`, then
        the others by history, which generate() adds to each move.
    reward(depth, ply, previous, entries): rewards the last of the quiet moves tried, which caused a
        cutoff, and penalises the others.
    """

    def __init__(self, history: PieceHistory, shift: int, plies: int) -> None:
        """Build the functions.  plies: number of plies for which killers are stored.

        history: the scores, multiples of SCORE, which reward() updates.
        """
        killers = [[0, 0] for _ in range(plies)]
        counter_moves = [0] * (len(history) << shift)  # for each move, the last refutation
        squares = (1 << shift) - 1

        def ordered(
            ply: int, previous: int, generate: Callable[..., list[int]], *arguments: object
        ) -> list[int]:
            one, two = killers[ply]
            three = counter_moves[previous]
            # Raise the history scores of these three while the moves are generated, which is
            # cheaper than comparing every move with them.
            history[one >> shift][one & squares] += _KILLER_1
            history[two >> shift][two & squares] += _KILLER_2
            history[three >> shift][three & squares] += _COUNTER_MOVE
            moves = generate(*arguments)
            history[one >> shift][one & squares] -= _KILLER_1
            history[two >> shift][two & squares] -= _KILLER_2
            history[three >> shift][three & squares] -= _COUNTER_MOVE
            moves.sort(reverse=True)
            return moves

        def reward(depth: int, ply: int, previous: int, entries: list[int]) -> None:
            best, killer = entries[-1], killers[ply]
            if killer[0] != best:
                killer[1] = killer[0]
                killer[0] = best
            counter_moves[previous] = best
            bonus = min(depth * depth * _BONUS, _MAX_BONUS)
            malus = int(_MALUS * bonus)
            for entry in entries:
                scores, square = history[entry >> shift], entry & squares
                old = scores[square] // SCORE
                change = bonus if entry == best else -malus
                # "Gravity": the larger the history, the less it grows.
                scores[square] = (old + change - old * abs(change) // _HISTORY_LIMIT) * SCORE

        self.ordered, self.reward = ordered, reward


def picker(
    captures: Callable[[Any, Picked], Sequence[Move]],
    quiets: Callable[[Any, int, Picked], Sequence[Move]],
    quiet_checks: Callable[[Any, int, Picked], Sequence[Move]],
) -> NextStage:
    """Return next_stage(done, state, ply, pruned, picked) of a search.

    next_stage() returns the stage after `done` and its moves, best first; after the last stage, it
    returns (DONE, ()).  pruned: are the remaining quiet moves pruned?  If so, QUIETS is empty or
    was cut short, and CHECKS follows with the pruned moves that may give check.

    captures(state, picked), quiets(state, ply, picked), quiet_checks(state, ply, picked): return
        the moves of a stage, best first; in check, only moves that may end the check.  captures()
        also fills in picked[OCCUPANCY] and picked[CHECK_MASK].
    """

    def next_stage(
        done: int, state: Any, ply: int, pruned: bool, picked: Picked
    ) -> tuple[int, Sequence[Move]]:
        if done == TABLE_MOVE:
            return CAPTURES, captures(state, picked)
        if done == CAPTURES:
            return QUIETS, () if pruned else quiets(state, ply, picked)
        if done == QUIETS and pruned:
            return CHECKS, quiet_checks(state, ply, picked)
        bad_captures = picked[BAD_CAPTURE_LIST]
        if bad_captures and done < BAD_CAPTURES:
            return BAD_CAPTURES, bad_captures
        return DONE, ()

    return next_stage


def reorder_for_helper(moves: list[Any], helper: int, kept: int = 1) -> None:
    """Reorder a sorted list of moves in place for the helper with this number (from 1).

    The first `kept` moves are not reordered.  Processes that share a table thus search different
    moves: one process begins with the next best moves, another with the last.  If all moves have to
    be refuted, each process later finds in the table the refutations by the other processes.
    """
    others = moves[kept:]
    if len(others) > 1:
        start = helper // 2 * len(others) // 4 % len(others)
        others = others[start:] + others[:start]
        moves[kept:] = others[::-1] if helper % 2 else others
