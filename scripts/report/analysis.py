"""Every position of a game through an engine, and what that says about the moves.

The game is read backwards, and the engine keeps its table: what it saw after a move
it knows when it comes to the position before it.  Where the score jumps nevertheless,
both positions are searched again, longer, and where the move that was played is still
the engine's own choice, so are all moves but that one: what the best of them is worth
is what could have been had.  A jump that is not beyond doubt then is looked at once
more, longer still.  A position that was searched longer may make a jump of the move
that was played there, which is then doubted in its turn; it may also be worth less
than the move that was played there seemed to be worth after a shorter search, which
is then made as long.  All that has its place in the time for the game (budget.py).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from games.base import Position
from plyglot.errors import EngineError
from plyglot.infos import Info
from protocol.records.record import Record
from protocol.records.san import move_words
from scripts.arena.client import Answer, Client
from scripts.report.budget import LONGER, Budget
from scripts.report.verdicts import (
    LONGEST_LINE,
    SEVERE,
    Note,
    Verdict,
    are_exact,
    counts_points,
    final_verdict,
    judge,
    lost_by,
    mark_of,
    notes,
)
from search.limits import Limits

# If a move seems to give away so much, the positions around it are searched again, longer;
# a second time if the first one changed the move's mark or almost made it one, and before
# a move is called a mistake, unless that is beyond doubt.
SUSPECT, ALMOST, CLEAR = 0.04, 0.08, 0.35

PATIENCE = 60.0  # seconds beyond the limits after which an engine has stalled


class Analysis:
    """A record on its way through an engine: a scripts.arena Client and the Limits of a search.

    progress(words) is called with what is being done; told(position, ply, verdict) with each
    Verdict, before and after it is doubted.  glance: the share of the limits of a first, quick
    pass from the beginning to the end, for those who watch; 0 for none.
    searched(data) is called with each search, as plain data: what an Analysis that is to go on
    where another one stopped is given as `known`.
    """

    def __init__(
        self,
        record: Record,
        engine: Client,
        limits: Limits,
        progress: Callable[[str], None] = lambda words: None,
        told: Callable[[Position, int, Verdict], None] = lambda position, ply, verdict: None,
        glance: float = 0.0,
        searched: Callable[[list[Any]], None] = lambda data: None,
        known: Sequence[list[Any]] = (),
    ) -> None:
        self._record, self.engine = record, engine
        self._progress, self._told = progress, told
        self._searched, self._known = searched, deque(known)
        total = len(record.moves) + 1
        self.budget = Budget(limits, total)
        self._glanced = self.budget.glance(glance)
        self._pending = deque((self._glance, ply) for ply in range(total) if glance)
        for visit in (self._look, self._doubt):
            self._pending += ((visit, ply) for ply in reversed(range(total)))
        self.steps = len(self._pending)
        self._verdicts = [Verdict(0, None, 0.5)] * total
        # How often each position was searched longer, how often each move was doubted,
        # and its mark before the last time.
        self._efforts, self._looks, self._marks = [0] * total, [0] * total, [""] * total
        self._jumps: set[int] = set()  # moves after which the score jumped at first

    def run(self) -> tuple[list[Verdict], list[Note]]:
        """(Verdicts of all positions, the last one included; Notes of all moves).

        Called again after an interruption by `progress`, it goes on from there.
        """
        self.engine.new_game()
        while self._pending:
            visit, ply = self._pending[0]
            visit(self._record.start.position(self._record.moves[:ply]), ply)
            self._pending.popleft()
        return self._verdicts, notes(self._record, self._verdicts)

    @property
    def left(self) -> int:
        """The number of steps of `steps` that are still to be done."""
        return len(self._pending)

    def _judged(self, position: Position, ply: int, verdict: Verdict) -> None:
        self._verdicts[ply] = verdict
        self._told(position, ply, verdict)

    def _glance(self, position: Position, ply: int) -> None:
        """A quick look at a position, which a longer one will replace."""
        self._progress(f"first look, {self._at(ply)}")
        if ply < len(self._record.moves) or position.outcome() is None:
            self._judged(position, ply, self._ask(position, ply, self._glanced))

    def _at(self, ply: int) -> str:
        return f"position {ply + 1} of {len(self._verdicts)}"

    def _look(self, position: Position, ply: int) -> None:
        """The first verdict on a position; those after it are known."""
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
        """Search again around a move after which the score jumped.

        What that changes after the move may make the next one a jump, too.
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
        """Has a move to be looked at longer?

        See LONGER.  What is exact needs no other look.
        """
        lost, looks = self._lost(position, ply), self._looks[ply]
        if (
            lost < SUSPECT
            or looks == len(LONGER)
            or len(position.legal_moves()) == 1
            or are_exact(*self._verdicts[ply : ply + 2])
        ):
            return False
        mark = mark_of(lost, position.game)
        if not looks or mark != self._marks[ply]:
            return True
        return lost < CLEAR if mark in SEVERE else not mark and lost >= ALMOST

    def _deepen(self, position: Position, ply: int, step: int) -> None:
        """Search a position longer, unless it was searched so long or is decided; where it has
        one move, the position after that.
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
        """What all other moves are worth, where a move that seems to lose is still the engine's
        choice.
        """
        move, limits = self._record.moves[ply], self.budget.longer(step)
        if (
            self._verdicts[ply].line[:1] == [move]
            and self._lost(position, ply) >= SUSPECT
            and takes_moves(self.engine)
            and limits is not None
        ):
            limits.moves = [other for other in position.legal_moves() if other != move]
            self._judged(position, ply, self._ask(position, ply, limits))

    def _raise(self, position: Position, ply: int) -> None:
        """A position is worth at least what the move that was played there is worth, and no
        more where there is no other.

        Of two scores the better one is taken, so it has to be the better one by searches
        of the same length: else the errors of the shorter one would win.
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
        """How much of the expected score the move gives away; below 0 where it gains."""
        return lost_by(position, self._verdicts[ply], self._verdicts[ply + 1])

    def _ask(self, position: Position, ply: int, limits: Limits) -> Verdict:
        """The engine's Verdict on the position before move number `ply`, or that of the same
        search before an interruption.
        """
        if self._known and self._known[0][0] == ply:
            _, seconds, *data = self._known.popleft()
            verdict = Verdict(*data)
        else:
            self._known.clear()  # another program's way through the game
            begun = time.monotonic()
            verdict = self._search(position, ply, limits)
            seconds = round(time.monotonic() - begun, 4)
            self._searched([ply, seconds, *verdict.as_data()])
        self.budget.spend(seconds)
        return verdict

    def _search(self, position: Position, ply: int, limits: Limits) -> Verdict:
        due = limits.movetime
        told: list[Info] = []
        answer = self.engine.think(
            *self._record.start.for_engine(self._record.moves[:ply]),
            limits,
            due and due + 1.0,
            due and PATIENCE,
            told.append,
        )
        if answer.score is None and answer.mate is None:
            raise EngineError("the engine reports no score, so it can't analyse")
        exact = counts_points(position.game) and not was_stopped(answer, limits)
        return judge(position, answer, exact, told)

    def _backed_up(self, position: Position, ply: int) -> Verdict:
        """The Verdict of a position where the move that was played is the best one, from
        the Verdict after it.
        """
        after, mate = self._verdicts[ply + 1], self._verdicts[ply + 1].mate
        if mate is not None and position.side == (after.chance < 0.5):
            mate += 1 if after.chance > 0.5 else -1
        line = ([self._record.moves[ply]] + after.line)[:LONGEST_LINE]
        exact = after.exact and len(position.legal_moves()) == 1
        return Verdict(after.score, mate, after.worth(position), line, after.depth, exact)


def analyse(
    record: Record,
    engine: Client,
    limits: Limits,
    progress: Callable[[str], None] = lambda words: None,
) -> tuple[list[Verdict], list[Note]]:
    """(Verdicts of all positions, the last one included; Notes of all moves).

    engine: a scripts.arena Client.
    """
    return Analysis(record, engine, limits, progress).run()


def was_stopped(answer: Answer, limits: Limits) -> bool:
    """Did the limits end the search, as far as the engine tells?  Else it had nothing left to
    find out.
    """
    if limits.nodes is not None:
        return answer.nodes is None or answer.nodes >= limits.nodes
    if limits.depth is not None:
        return answer.depth is None or answer.depth >= limits.depth
    return limits.movetime is None or answer.seconds >= 0.9 * limits.movetime


def takes_moves(engine: Client) -> bool:
    """Can the engine be given the moves to consider?  Only UCI has words for it."""
    return engine.protocol == "uci"
