"""The search of every position of a game, and the judgement of its moves.

Positions are searched from last to first, and the engine keeps its table.  When it searches a
position, it already knows the next one.

A jump of the score only makes a move suspect.  Before a suspect move gets a mark, the positions
before and after it are searched again, deeper, until the difference between their scores is stable.
If the loss is close to the threshold of a mark, the position after the reply is searched, too.  The
largest jumps are checked first.  If the game's budget is too small for a check, the move gets no
mark.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from games.base import Position
from plyglot.errors import EngineError
from plyglot.uci import Info
from protocol.records.record import Record
from scripts.arena.client import Answer, Client
from scripts.report.verdicts import (
    LONGEST_LINE,
    Note,
    Verdict,
    allows_mate,
    counts_points,
    final_verdict,
    judge,
    lost_by,
    notes,
)
from search.limits import Limits

# A move that seems to lose this much of the expected score is checked.
SUSPECT = 0.05
# A check goes on while its last two iterations differ by more than STABLE, or while the loss lies
# in the range CLOSE, around the thresholds of the marks.
STABLE, CLOSE = 0.05, (0.08, 0.3)

# The searches of a position: the first look, the check of a suspect move, and the deciding check.
# Each is (factor for the time or nodes per position, plies to add to a depth limit).
SEARCHES = ((1 / 3, 0), (4 / 3, 2), (16 / 3, 3))
CHECKS = (1, 2)
# With this option, engines don't play from a book.
_ANALYSE = "UCI_AnalyseMode"
# A game's budget is COST * its positions * the time or nodes per position.
COST = 4


def cost(limits: Limits, positions: int) -> float | None:
    """Return the budget for a game in seconds or nodes; None if neither is limited."""
    each = limits.movetime or limits.nodes
    return each and COST * each * positions


@dataclass
class GameAnalysis:
    """The analysis of a record by an engine (a scripts.arena Client).

    limits: the Limits for each position.
    progress(words): called with the current step.
    on_verdict(position, ply, verdict): called with each new Verdict, preliminary ones included.
    share: the share of the work that is done, 0 to 1.
    budget: the seconds or nodes left for further searches; None if neither is limited.
    """

    record: Record
    engine: Client
    limits: Limits
    progress: Callable[[str], None] = lambda words: None
    on_verdict: Callable[[Position, int, Verdict], None] = lambda position, ply, verdict: None

    def __post_init__(self) -> None:
        total = len(self.record.moves) + 1
        self.budget = cost(self.limits, total)
        self.share = 0.0
        self._unseen = total
        self._verdicts = [Verdict(0, None, 0.5)] * total
        # The loss by each move if it was checked or needs no check, else None.
        self.losses: list[float | None] = [None] * len(self.record.moves)

    def run(self) -> tuple[list[Verdict], list[Note]]:
        """Return (Verdicts of all positions, the last one included; Notes of all moves).

        If `progress` raises an exception, another call resumes the analysis.
        """
        if self.engine.has_option(_ANALYSE):
            self.engine.set_option(_ANALYSE, "true")
        self.engine.new_game()
        total = len(self._verdicts)
        while self._unseen:
            self.progress(f"position {total + 1 - self._unseen} of {total}")
            self._look(self._unseen - 1)
            self._unseen -= 1
            self.share = 0.5 * (1 - self._unseen / total)
        self._check_all()
        self.share = 1.0
        return self._verdicts, notes(self.record, self._verdicts, self.losses)

    def _position(self, ply: int) -> Position:
        return self.record.start.position(self.record.moves[:ply])

    def _judged(self, position: Position, ply: int, verdict: Verdict) -> None:
        self._verdicts[ply] = verdict
        self.on_verdict(position, ply, verdict)

    def _look(self, ply: int) -> None:
        """Judge a position by its first search, after all later positions have been judged."""
        position, last = self._position(ply), ply == len(self.record.moves)
        if last and position.outcome() is not None:
            verdict = final_verdict(position)
        elif not last and len(position.legal_moves()) == 1:
            verdict = self._backed_up(position, ply)
        else:
            verdict = self._search(position, self.record.moves[:ply], 0)[-1]
        self._judged(position, ply, verdict)
        if not last and lost_by(position, *self._verdicts[ply : ply + 2]) < 0:
            self._judged(position, ply, self._backed_up(position, ply))

    # ---- checks ----------------------------------------------------------------------

    def _check_all(self) -> None:
        """Check suspicious moves, the largest loss first, as long as the budget lasts."""
        done = 0
        while (suspects := self._suspects()) and self._affords(CHECKS[0]):
            ply = max(suspects, key=lambda ply: (suspects[ply], ply))
            end = max(self.share, 0.5 + 0.5 * (done + 1) / (done + len(suspects)))
            self.losses[ply] = self._check(self._position(ply), ply, end)
            done += 1
            self.share = end

    def _suspects(self) -> dict[int, float]:
        """Return {ply: loss} of the moves to check, and store the losses that are certain."""
        suspects = {}
        for ply, (position, move) in enumerate(self.record.positions()):
            before, after = self._verdicts[ply : ply + 2]
            lost = lost_by(position, before, after)
            if before.certain and after.certain:
                self.losses[ply] = max(lost, 0.0)
            elif self.losses[ply] is None:
                suspect = lost >= SUSPECT or allows_mate(position, move, before, after)
                if suspect and len(position.legal_moves()) > 1:
                    suspects[ply] = lost
        return suspects

    def _check(self, position: Position, ply: int, end: float) -> float:
        """Search the positions before and after a move again, and return the move's loss.

        A loss that can't be confirmed counts as 0.  end: the value of `share` after the check.
        """
        move = self.record.moves[ply]
        words = f"checking {position.notation(move)}"
        for step in CHECKS:
            if not self._affords(step):
                break
            self.progress(words)
            position.make(move)
            after = self._look_again(position, ply + 1, step)
            position.undo()
            self.share += (end - self.share) / 4  # the number of steps isn't known in advance
            self.progress(words)
            before = self._look_again(position, ply, step)
            self.share += (end - self.share) / 4
            losses = [lost_by(position, *pair) for pair in zip(before, after)]
            if list(before[-1].line[:1]) == [move]:
                losses = [0.0]  # the deeper search chose this move, which thus loses nothing
            if losses[-1] <= 0:
                self._judged(position, ply, self._backed_up(position, ply))
            lost = sum(losses) / len(losses)
            if step == CHECKS[-1] and CLOSE[0] < lost < CLOSE[1]:
                lost = min(lost, self._lost_after_reply(position, ply))
            stable = abs(losses[0] - losses[-1]) <= STABLE and not CLOSE[0] < lost < CLOSE[1]
            if stable or max(losses) < CLOSE[0] or step == CHECKS[-1]:
                return max(lost, 0.0)
        return 0.0

    def _lost_after_reply(self, position: Position, ply: int) -> float:
        """Return the loss by a move, from a search of the position after the best reply.

        This search tries all answers to the reply at its root.  A search of the position before
        the move meets these answers two plies deeper, where it may have pruned the best of them.
        Return 1.0 if the position after the reply can't be searched.
        """
        before, after = self._verdicts[ply : ply + 2]
        moves = [*self.record.moves[: ply + 1], *after.line[:1]]
        reached = self.record.start.position(moves)
        if after.certain or reached.outcome() is not None or not self._affords(CHECKS[-1]):
            return 1.0
        return lost_by(position, before, self._search(reached, moves, CHECKS[-1])[-1])

    def _look_again(self, position: Position, ply: int, step: int) -> tuple[Verdict, Verdict]:
        """Search a position again, unless its Verdict is certain; return its last two Verdicts."""
        verdicts = [self._verdicts[ply]]
        if not verdicts[0].certain:
            verdicts = self._search(position, self.record.moves[:ply], step)
            self._judged(position, ply, verdicts[-1])
        return verdicts[0], verdicts[-1]

    # ---- the budget ------------------------------------------------------------------

    def _limits(self, step: int) -> Limits:
        """Return the Limits of SEARCHES[step]."""
        (share, plies), known = SEARCHES[step], self.limits
        return Limits(
            depth=known.depth and known.depth + plies,
            nodes=known.nodes and max(int(known.nodes * share), 1),
            movetime=known.movetime and known.movetime * share,
        )

    def _affords(self, step: int) -> bool:
        """Does the remaining budget cover both searches of a check?"""
        limits = self._limits(step)
        each = limits.movetime or limits.nodes or 0
        return self.budget is None or 2 * each <= self.budget

    # ---- verdicts --------------------------------------------------------------------

    def _search(self, position: Position, moves: list[int], step: int) -> list[Verdict]:
        """Search `position`, to which `moves` lead; return the last two iterations' Verdicts."""
        limits = self._limits(step)
        begun = time.monotonic()
        infos: list[Info] = []
        answer = self.engine.think(self.record.start, moves, limits, infos.append)
        if self.budget is not None:
            seconds = time.monotonic() - begun
            self.budget -= seconds if limits.movetime else answer.best.nodes or limits.nodes or 0
        if answer.best.score is None and answer.best.mate is None:
            raise EngineError("the engine reports no score, so it can't analyse")
        solved = counts_points(position.game) or position.game.textbook
        exact = solved and not was_stopped(answer, limits)
        return judge(position, answer, exact, infos)

    def _backed_up(self, position: Position, ply: int) -> Verdict:
        """Derive a Verdict from the next position's, as if the best move had been played."""
        after = self._verdicts[ply + 1]
        mate = after.mate
        if mate is not None and position.side == (after.chance < 0.5):
            mate += 1 if after.chance > 0.5 else -1
        line = [self.record.moves[ply], *after.line][:LONGEST_LINE]
        exact = after.exact and len(position.legal_moves()) == 1
        return Verdict(after.score, mate, after.worth(position), line, after.depth, exact)


def was_stopped(answer: Answer, limits: Limits) -> bool:
    """May the limits have ended the search?  If they certainly didn't, its result is exact."""
    depth, nodes = answer.best.depth, answer.best.nodes
    if limits.nodes is not None:
        return nodes is None or nodes >= limits.nodes
    if limits.depth is not None:
        return depth is None or depth >= limits.depth
    return limits.movetime is None or answer.seconds >= 0.9 * limits.movetime
