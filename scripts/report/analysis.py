"""The search of every position of a game, and the judgement of its moves.

Positions are searched from last to first and the engine keeps its table, so it knows the position
after a move when it searches the one before.  If the score still jumps at a move, both positions
are searched again, longer.  If the played move is even then the engine's choice, all other moves
are searched without it: the best of them shows what was available.  A jump that remains in doubt
is searched once more, longer still.

A longer search of a position may reveal a jump at the move that was played there, which is then
checked in turn.  It may also score the position below the move that was played there, judged by a
shorter search; the search after the move is then made equally long.  The time for all searches
comes from the game's Budget.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from games.base import Position
from plyglot.errors import EngineError
from plyglot.infos import Info
from protocol.notation import move_words
from protocol.records.record import Record
from scripts.arena.client import Answer, Client
from scripts.report.verdicts import (
    LONGEST_LINE,
    SEVERE,
    Note,
    Verdict,
    counts_points,
    final_verdict,
    judge,
    lost_by,
    mark_of,
    notes,
)
from search.limits import Limits

# Thresholds of the expected score that a move loses.  From SUSPECT on, the positions around the
# move are searched again, longer.  They are searched a second time if the first one changed the
# move's mark, if an unmarked move loses ALMOST or more, and if a severe mark rests on a loss below
# CLEAR.
SUSPECT, ALMOST, CLEAR = 0.04, 0.08, 0.35

STALL = 60.0  # seconds beyond the limits after which an engine has stalled


# Factors on the time or nodes of the first search, for the first and second repetition around a
# jump.
LONGER = (3, 9)
DEEPER = (2, 3)  # the same for a search to a fixed depth: additional plies

FIRST = 1 / 3  # share of the budget for the first searches of all positions
SEARCHES = 3  # searches around a jump: the position before, the one after, the other moves
LEAST_GAIN = 1.5  # smallest factor on the former time that makes a repetition worthwhile


class Budget:
    """The Limits of one game's searches, and the seconds left for them.

    The budget is the time per position, times the number of positions.  The first searches of
    all positions use a share of it (FIRST); the rest is divided among the jumps: the moves at
    which the score jumped.

    limits: for one position; there is a budget only if it has a movetime.  positions: their
    number.
    """

    def __init__(self, limits: Limits, positions: int) -> None:
        self._limits = limits
        seconds = limits.movetime
        self._first = None if seconds is None else seconds * FIRST
        self.left = None if seconds is None else seconds * positions
        self._longest = float("inf")

    def spend(self, seconds: float) -> None:
        """Deduct the time of a search."""
        if self.left is not None:
            self.left = max(self.left - seconds, 0.0)

    def share_among(self, jumps: int) -> None:
        """Limit the next searches to an equal share of the time left.  jumps: number of shares."""
        if self.left is not None:
            self._longest = self.left / (max(jumps, 1) * SEARCHES)

    def first(self) -> Limits:
        """Return the Limits of the first search of a position."""
        return self._bounds(self._first, 1, 0)

    def longer(self, step: int) -> Limits | None:
        """Return the Limits of a longer search, or None if too little time is left.

        step: index into LONGER and DEEPER.
        """
        if self._first is None or self.left is None:
            return self._bounds(None, LONGER[step], DEEPER[step])
        before = self._first * (LONGER[step - 1] if step else 1)
        seconds = min(self._first * LONGER[step], self._longest, self.left)
        return None if seconds < before * LEAST_GAIN else self._bounds(seconds, 1, 0)

    def _bounds(self, seconds: float | None, times: int, plies: int) -> Limits:
        return Limits(
            depth=self._limits.depth and self._limits.depth + plies,
            nodes=self._limits.nodes and self._limits.nodes * times,
            movetime=seconds,
        )


class Analysis:
    """The analysis of a record by an engine (a scripts.arena Client).

    limits: for each position.
    progress(words): called with the current step.
    on_verdict(position, ply, verdict): called with each new Verdict, preliminary ones included.
    """

    def __init__(
        self,
        record: Record,
        engine: Client,
        limits: Limits,
        progress: Callable[[str], None] = lambda words: None,
        on_verdict: Callable[[Position, int, Verdict], None] = lambda position, ply, verdict: None,
    ) -> None:
        self._record, self.engine = record, engine
        self._progress, self._on_verdict = progress, on_verdict
        total = len(record.moves) + 1
        self.budget = Budget(limits, total)
        plies = list(reversed(range(total)))
        self._pending = deque((visit, ply) for visit in (self._look, self._doubt) for ply in plies)
        self.steps = len(self._pending)
        self._verdicts = [Verdict(0, None, 0.5)] * total
        # For each position the number of longer searches; for each move the number of checks and
        # its mark before the last one.
        self._efforts, self._looks, self._marks = [0] * total, [0] * total, [""] * total
        self._jumps: set[int] = set()  # moves at which the score jumped in the first searches

    def run(self) -> tuple[list[Verdict], list[Note]]:
        """Return (Verdicts of all positions, the last one included; Notes of all moves).

        If `progress` raises an exception, another call resumes the analysis.
        """
        self.engine.new_game()
        while self._pending:
            visit, ply = self._pending[0]
            visit(self._record.start.position(self._record.moves[:ply]), ply)
            self._pending.popleft()
        return self._verdicts, notes(self._record, self._verdicts)

    @property
    def left(self) -> int:
        """Return the number of remaining steps, out of `steps`."""
        return len(self._pending)

    def _judged(self, position: Position, ply: int, verdict: Verdict) -> None:
        self._verdicts[ply] = verdict
        self._on_verdict(position, ply, verdict)

    def _look(self, position: Position, ply: int) -> None:
        """Judge a position by its first full search; later positions are judged already."""
        total = len(self._record.moves)
        self._progress(f"position {total + 1 - ply} of {total + 1}")
        if position.outcome() is not None and ply == total:
            self._judged(position, ply, final_verdict(position))
        elif ply < total and len(position.legal_moves()) == 1:
            self._judged(position, ply, self._backed_up(position, ply))
        else:
            self._judged(position, ply, self._ask(position, ply, self.budget.first()))
            self._raise(position, ply)
        if ply < total and self._is_doubtful(position, ply):
            self._jumps.add(ply)

    def _doubt(self, position: Position, ply: int) -> None:
        """Search again around a move at which the score jumped.

        The new score after the move may turn the next move into a jump, too.
        """
        if ply == len(self._record.moves):
            return
        self._raise(position, ply)
        move = self._record.moves[ply]
        while self._is_doubtful(position, ply):
            self.budget.share_among(sum(jump <= ply for jump in self._jumps))
            if self.budget.longer(self._looks[ply]) is None:
                return
            self._progress(f"again at move {ply + 1}: {move_words(position, move)}")
            step = self._looks[ply]
            self._looks[ply] += 1
            self._marks[ply] = mark_of(self._lost(position, ply), position.game)
            position.make(move)
            self._deepen(position, ply + 1, step)
            position.undo()
            self._deepen(position, ply, step)
            self._look_at_others(position, ply, step)
            position.make(move)
            self._doubt(position, ply + 1)
            position.undo()
            self._raise(position, ply)

    def _is_doubtful(self, position: Position, ply: int) -> bool:
        """Does a move need longer searches?  See SUSPECT and LONGER; exact verdicts don't."""
        lost, looks = self._lost(position, ply), self._looks[ply]
        if (
            lost < SUSPECT
            or looks == len(LONGER)
            or len(position.legal_moves()) == 1
            or all(verdict.exact for verdict in self._verdicts[ply : ply + 2])
        ):
            return False
        mark = mark_of(lost, position.game)
        if not looks or mark != self._marks[ply]:
            return True
        return lost < CLEAR if mark in SEVERE else not mark and lost >= ALMOST

    def _deepen(self, position: Position, ply: int, step: int) -> None:
        """Search a position longer, unless it was already or is decided.

        If there is only one legal move, search the position after it instead.
        """
        known = self._verdicts[ply]
        decided = known.mate is not None or known.exact or position.outcome() is not None
        limits = self.budget.longer(step)
        if decided or self._efforts[ply] > step or limits is None:
            return
        if ply < len(self._record.moves) and len(position.legal_moves()) == 1:
            position.make(self._record.moves[ply])
            self._deepen(position, ply + 1, step)
            position.undo()
        else:
            self._efforts[ply] = step + 1
            self._judged(position, ply, self._ask(position, ply, limits))
        self._raise(position, ply)

    def _look_at_others(self, position: Position, ply: int, step: int) -> None:
        """Search all other moves if the played move loses although the engine chose it, too."""
        move, limits = self._record.moves[ply], self.budget.longer(step)
        if (
            list(self._verdicts[ply].line[:1]) == [move]
            and self._lost(position, ply) >= SUSPECT
            and self.engine.protocol == "uci"  # the only one that can restrict the moves
            and limits is not None
        ):
            limits.moves = [other for other in position.legal_moves() if other != move]
            self._judged(position, ply, self._ask(position, ply, limits))

    def _raise(self, position: Position, ply: int) -> None:
        """Raise a position's verdict to that of the played move; copy it for an only move.

        Before taking the better of two scores, search the position after the move as long as the
        one before: else the errors of the shorter search would win.
        """
        if ply == len(self._record.moves):
            return
        if self._lost(position, ply) < 0 and self._efforts[ply + 1] < self._efforts[ply]:
            position.make(self._record.moves[ply])
            self._deepen(position, ply + 1, self._efforts[ply] - 1)
            position.undo()
        if self._lost(position, ply) < 0 or len(position.legal_moves()) == 1:
            self._judged(position, ply, self._backed_up(position, ply))

    def _lost(self, position: Position, ply: int) -> float:
        """Return the expected score that the move loses; negative if it gains."""
        return lost_by(position, self._verdicts[ply], self._verdicts[ply + 1])

    def _ask(self, position: Position, ply: int, limits: Limits) -> Verdict:
        """Return the engine's Verdict on the position before move `ply`."""
        begun, due = time.monotonic(), limits.movetime
        infos: list[Info] = []
        answer = self.engine.think(
            *self._record.start.for_engine(self._record.moves[:ply]),
            limits,
            due and due + 1.0,
            due and STALL,
            infos.append,
        )
        self.budget.spend(time.monotonic() - begun)
        if answer.score is None and answer.mate is None:
            raise EngineError("the engine reports no score, so it can't analyse")
        exact = counts_points(position.game) and not was_stopped(answer, limits)
        return judge(position, answer, exact, infos)

    def _backed_up(self, position: Position, ply: int) -> Verdict:
        """Return the Verdict of a position from the one after the played move, taken as best."""
        after, mate = self._verdicts[ply + 1], self._verdicts[ply + 1].mate
        if mate is not None and position.side == (after.chance < 0.5):
            mate += 1 if after.chance > 0.5 else -1
        line = [self._record.moves[ply], *after.line][:LONGEST_LINE]
        exact = after.exact and len(position.legal_moves()) == 1
        return Verdict(after.score, mate, after.worth(position), line, after.depth, exact)


def was_stopped(answer: Answer, limits: Limits) -> bool:
    """Did the limits end the search, as far as is known?  If not, its result is exact."""
    if limits.nodes is not None:
        return answer.nodes is None or answer.nodes >= limits.nodes
    if limits.depth is not None:
        return answer.depth is None or answer.depth >= limits.depth
    return limits.movetime is None or answer.seconds >= 0.9 * limits.movetime
