"""Proofs at the root: forced wins before the main search, and the last moves of decided games."""

from __future__ import annotations

from itertools import count

from games.base import MAX_SCORE, WIN
from games.gomoku.rules import NEARLY_DECIDED
from games.gomoku.threats import VCF, VCT
from games.solver import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.gomoku.board import ThreatBoard
    from games.gomoku.maps import Packed
    from games.types import Budget, Context, Key, Move, Score, Side

# The number of fours that each of the successive VCF searches may try.
_FOURS = (250, 500, 1000, 2000, 4000)
# The number of moves that a slice of a VCT search may try.
_SLICE = 50
# The root's solver may take the share _SHARE of the planned time or nodes.  If neither is limited,
# it may take _SLICES_PER_PLY slices for each ply of depth requested, up to _MAX_SLICES.
_SHARE = 0.08
_SLICES_PER_PLY, _MAX_SLICES = 2, 40
_LONGEST = 30  # maximum number of attacking moves in a VCT

# Limits of the searches that complete a won line.  A VCF search may try _FOURS_TO_SHOW fours.  A
# VCT has at most _LONGEST_TO_SHOW attacking moves, and its search may try _THREATS_TO_SHOW moves.
_FOURS_TO_SHOW = 500
_LONGEST_TO_SHOW = 7
_THREATS_TO_SHOW = 400


# ---- at the root ---------------------------------------------------------------------


def solve(board: ThreatBoard, context: Context) -> Iterator[Line]:
    """Yield the Line of a proven win if one is found; see search/context.py.

    Yields nothing if several lines are requested, or if the winning move is not a root move.
    Every second helper skips this search and fills the table by tree search instead.
    """
    if context.options.get("MultiPV", 1) > 1 or context.helpers.number % 2:
        return
    board.begin(context.check)
    budget, line = context.budget(_SHARE), _vcf(board, context.budget(_SHARE / 2))
    if line is None and not board.fives(1 - board.side, board.packed):
        line = _vct(board, context, budget)
    context.watch.nodes = board.count[0]
    if line and line[0] in context.root_moves:
        yield Line(WIN - len(line), line, len(line), exact=True)


def _vcf(board: ThreatBoard, budget: Budget) -> list[Move] | None:
    """Search for a VCF until `budget` is spent; return its moves, or None.

    Each attempt tries more fours than the one before, and takes about as long as all earlier
    ones together.
    """
    vcf, line = VCF(board), None
    for fours in _FOURS:
        line = vcf.shortest(board.side, board.packed, board.key, fours) or line
        if vcf.budget >= 0 or budget.spent(board.count[0]):
            break
    return line


def _vct(board: ThreatBoard, context: Context, budget: Budget) -> list[Move] | None:
    """Search for a VCT slice by slice until `budget` is spent; return its moves, or None.

    If several processes search, each tries the root's threats in its own order.
    """
    vct = VCT(board, VCF(board), context.helpers.number)
    asked_for = min((context.limits.depth or _MAX_SLICES) * _SLICES_PER_PLY, _MAX_SLICES)
    for _ in count() if budget.bounded else range(asked_for + 1):
        before = board.count[0]
        line = vct.win(board.side, board.packed, board.key, _LONGEST, _SLICE)
        # If a slice visited no node, all chains are known to fail, so no later slice can win.
        if line or not vct.cut or board.count[0] == before or budget.spent(board.count[0]):
            return line
    return None


# ---- how a decided game ends ---------------------------------------------------------


class RootScores:
    """The scores to report for root moves, and the moves that complete won and lost lines."""

    def __init__(self, board: ThreatBoard, vcf: VCF) -> None:
        self._board, self._vcf = board, vcf
        self._vct = VCT(board, vcf)
        self._proves_loss = bool(self._winning_cells(board.side, board.packed))

    def score(self, move: Move, line: list[Move], score: Score, alpha: Score, beta: Score) -> Score:
        """Complete the line of a root move, and return the score to report; see Kernel.root_score.

        A loss is proven only if the opponent threatens to win at the root; otherwise the
        search has left moves out.
        """
        if score == WIN - 1:
            return score
        if score < -MAX_SCORE and not self._proves_loss:
            return -NEARLY_DECIDED
        if abs(score) > MAX_SCORE and alpha < score < beta:
            return self._completed(move, line, score)
        if score > MAX_SCORE and beta <= NEARLY_DECIDED:
            # NEARLY_DECIDED suffices for a cutoff; a search with an open window finds the line.
            return NEARLY_DECIDED
        return score

    def _completed(self, move: Move, line: list[Move], score: Score) -> Score:
        """Complete the line of a decided game if possible, and return the score of `move`.

        The score has the sign of `score`.  Its absolute value is WIN - plies if the line could be
        completed, otherwise NEARLY_DECIDED.
        """
        board = self._board
        played = [move] + line
        for each in played:
            board.make(each)
        ending: list[Move] | None = []
        if not board.won(board.packed):
            wins = (score > 0) == (len(played) % 2 == 0)  # does the side now to move win?
            ending = self._finish(board.side, board.packed, board.key, wins)
        for _ in played:
            board.undo()
        if ending is not None:
            line += ending
            plies = len(line) + 1
            # If the line is shorter than the score says, the loser can resist longer.
            if plies >= WIN - abs(score):
                return WIN - plies if score > 0 else plies - WIN
        return NEARLY_DECIDED if score > 0 else -NEARLY_DECIDED

    def _finish(self, side: Side, packed: Packed, key: Key, wins: bool) -> list[Move] | None:
        """Return the remaining moves of a decided game, with the loser's longest resistance.

        None if no short proof is found.  wins: does the side to move win?
        """
        board = self._board
        if wins:
            return self._vcf.shortest(side, packed, key, _FOURS_TO_SHOW) or self._vct.win(
                side, packed, key, _LONGEST_TO_SHOW, _THREATS_TO_SHOW
            )
        threats = self._winning_cells(side, packed)
        if not threats:
            return None
        longest: list[Move] = []
        moves = board.moves(side, packed)
        for move in moves or [board.any_permitted(side, threats, packed)]:
            child = board.play(side, move, packed)
            continuation = self._finish(1 - side, child, key ^ board.lines.keys[side][move], True)
            board.take_back(side, move)
            if continuation is None:
                return None
            if len(continuation) >= len(longest):
                longest = [move] + continuation
        return longest

    def _winning_cells(self, side: Side, packed: Packed) -> list[Move]:
        """Return the cells where the opponent of `side` threatens to win."""
        board, opponent = self._board, 1 - side
        return board.fives(opponent, packed) or board.threats(opponent, packed)
