"""The search of every position of a game, and the judgement of its moves.

Positions are searched from last to first and the engine keeps its table, so it knows the position
after a move when it searches the one before.  A jump of the score is only a suspicion.  A mark is
a claim, so it is checked first: the positions after the move played and after the better one are
searched apart, deeper, until the difference between them is stable.  The largest jumps come first.
A move whose check does not fit into the game's budget gets no mark.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.base import Position
from plyglot.errors import EngineError
from plyglot.infos import Info
from protocol.notation import move_words
from protocol.records.record import Record
from scripts.arena.client import Answer, Client
from scripts.report.verdicts import (
    LONGEST_LINE,
    Note,
    Verdict,
    counts_points,
    final_verdict,
    judge,
    lost_by,
    notes,
)
from search.limits import Limits

# A move that seems to lose this much of the expected score is checked.
SUSPECT = 0.05
# A check goes on while its last two iterations differ by more than STABLE, or while the loss is
# close to the bounds of the marks.
STABLE, CLOSE = 0.05, (0.08, 0.3)

# The effort of a position's first search, as a share of that for a position, and of each search of
# a check, as a multiple of the first search.
FIRST = 1 / 3
CHECKS = (4, 8, 16)
DEEPER = (2, 3)  # additional plies of a check, if depth is what limits the searches
COST = 2  # the budget of a game, as a multiple of the effort for its positions

STALL = 60.0  # seconds beyond the limits after which an engine has stalled


def cost(limits: Limits, positions: int) -> float | None:
    """Return the budget for a game's positions, in seconds or nodes; None if only depth counts."""
    each = limits.movetime or limits.nodes
    return each and COST * each * positions


class Budget:
    """The Limits of one game's searches, and the seconds or nodes left for them.

    limits: for one position.  positions: their number.  rounds: most rounds of a check.
    """

    def __init__(self, limits: Limits, positions: int) -> None:
        self._limits = limits
        self.left = cost(limits, positions)
        self.rounds = len(DEEPER if self.left is None else CHECKS)

    def spend(self, answer: Answer, limits: Limits, seconds: float) -> None:
        """Deduct a search with `limits` that took `seconds`."""
        if self.left is not None:
            self.left -= seconds if limits.movetime else answer.nodes or limits.nodes or 0

    def first(self) -> Limits:
        """Return the Limits of the first search of a position."""
        return self._bounds(FIRST, 0)

    def check(self, step: int) -> Limits | None:
        """Return the Limits of a round's searches; None if two of them exceed what is left."""
        limits = self._bounds(FIRST * CHECKS[step], DEEPER[min(step, len(DEEPER) - 1)])
        needed = 2 * (limits.movetime or limits.nodes or 0)
        return None if self.left is not None and needed > self.left else limits

    def _bounds(self, share: float, plies: int) -> Limits:
        known = self._limits
        return Limits(
            depth=known.depth and known.depth + plies,
            nodes=known.nodes and max(int(known.nodes * share), 1),
            movetime=known.movetime and known.movetime * share,
        )


class Trial(NamedTuple):
    """The search of the position after a move.

    verdict: its result.  chances: the first player's expected scores in the last two iterations.
    """

    verdict: Verdict
    chances: Sequence[float]


class Analysis:
    """The analysis of a record by an engine (a scripts.arena Client).

    limits: for each position; see Budget.
    progress(words): called with the current step.
    on_verdict(position, ply, verdict): called with each new Verdict, preliminary ones included.
    share: the share of the work that is done, 0 to 1.
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
        self.share = 0.0
        self._unseen = total
        self._verdicts = [Verdict(0, None, 0.5)] * total
        # The losses that were checked or need no check; None for all others.
        self.losses: list[float | None] = [None] * len(record.moves)

    def run(self) -> tuple[list[Verdict], list[Note]]:
        """Return (Verdicts of all positions, the last one included; Notes of all moves).

        If `progress` raises an exception, another call resumes the analysis.
        """
        self.engine.new_game()
        total = len(self._verdicts)
        while self._unseen:
            self._progress(f"position {total + 1 - self._unseen} of {total}")
            self._look(self._unseen - 1)
            self._unseen -= 1
            self.share = 0.5 * (1 - self._unseen / total)
        self._check_all()
        self.share = 1.0
        return self._verdicts, notes(self._record, self._verdicts, self.losses)

    def _position(self, ply: int) -> Position:
        return self._record.start.position(self._record.moves[:ply])

    def _judged(self, position: Position, ply: int, verdict: Verdict) -> None:
        self._verdicts[ply] = verdict
        self._on_verdict(position, ply, verdict)

    def _look(self, ply: int) -> None:
        """Judge a position by its first search; later positions are judged already."""
        position, moves = self._position(ply), self._record.moves
        last = ply == len(moves)
        if last and position.outcome() is not None:
            return self._judged(position, ply, final_verdict(position))
        if not last and len(position.legal_moves()) == 1:
            return self._judged(position, ply, self._backed_up(position, ply))
        found = self._search(position, moves[:ply], self.budget.first())
        self._judged(position, ply, found[-1])
        if not last and self._lost(position, ply) < 0:
            self._judged(position, ply, self._backed_up(position, ply))
        return None

    # ---- checks ----------------------------------------------------------------------

    def _check_all(self) -> None:
        """Check suspicious moves, the largest loss first, as long as the budget lasts."""
        done = 0
        while True:
            suspects = self._suspects()
            if not suspects or self.budget.check(0) is None:
                return
            ply = max(suspects, key=lambda ply: (suspects[ply], ply))
            position = self._position(ply)
            self._progress(f"checking {move_words(position, self._record.moves[ply])}")
            self._check(position, ply)
            done += 1
            self.share = max(self.share, 0.5 + 0.5 * done / (done + len(suspects)))

    def _suspects(self) -> dict[int, float]:
        """Return {ply: loss} of the moves to check, and note the losses that are certain."""
        found = {}
        for ply, (position, _) in enumerate(self._record.positions()):
            lost = self._lost(position, ply)
            before, after = self._verdicts[ply : ply + 2]
            if before.certain and after.certain:
                self.losses[ply] = max(lost, 0.0)
            elif self.losses[ply] is None and lost >= SUSPECT and len(position.legal_moves()) > 1:
                found[ply] = lost
        return found

    def _check(self, position: Position, ply: int) -> None:
        """Compare a move with a better one; the loss is 0 if it can't be confirmed."""
        move, sign = self._record.moves[ply], 1 - 2 * position.side
        better = self._better(position, ply)
        self.losses[ply] = 0.0
        for step in range(self.budget.rounds):
            limits = self.budget.check(step)
            if better is None or limits is None:
                return
            ours, other = (self._try(position, ply, each, limits) for each in (move, better))
            losses = [sign * (b - a) for a, b in zip(ours.chances, other.chances)]
            lost = sum(losses) / len(losses)
            self._take(position, ply, lost, (move, ours), (better, other))
            stable = abs(losses[0] - losses[1]) <= STABLE and not CLOSE[0] < lost < CLOSE[1]
            if stable or max(losses) < CLOSE[0] or step == self.budget.rounds - 1:
                self.losses[ply] = max(lost, 0.0)
                return

    def _take(
        self,
        position: Position,
        ply: int,
        lost: float,
        ours: tuple[int, Trial],
        other: tuple[int, Trial],
    ) -> None:
        """Keep the verdicts of a check; each of `ours` and `other` is (move, Trial)."""
        position.make(ours[0])
        self._judged(position, ply + 1, ours[1].verdict)
        position.undo()
        move, trial = other if lost > 0 else ours
        self._judged(position, ply, self._backed_up(position, ply, move, trial.verdict))

    def _better(self, position: Position, ply: int) -> int | None:
        """Return the move to compare with the one played; None if the engine has no other."""
        move = self._record.moves[ply]
        line = self._verdicts[ply].line
        for others in (None, [each for each in position.legal_moves() if each != move]):
            if line and line[0] != move:
                return line[0]
            limits = self.budget.check(0)
            if limits is None or (others and self.engine.protocol != "uci"):
                return None  # UCI is the only protocol that can restrict the moves
            limits.moves = others
            line = self._search(position, self._record.moves[:ply], limits)[-1].line
        return line[0] if line and line[0] != move else None

    def _try(self, position: Position, ply: int, move: int, limits: Limits) -> Trial:
        """Search the position after a move; scores count by the curve of the one before."""
        known = self._verdicts[ply + 1]
        position.make(move)
        if position.outcome() is not None:
            found = [final_verdict(position)]
        elif move == self._record.moves[ply] and known.certain:
            found = [known]
        else:
            found = self._search(position, [*self._record.moves[:ply], move], limits)
        position.undo()
        chances = [each.worth(position) for each in (found[0], found[-1])]
        return Trial(found[-1], chances)

    # ---- verdicts --------------------------------------------------------------------

    def _lost(self, position: Position, ply: int) -> float:
        """Return the expected score that the move loses; negative if it gains."""
        return lost_by(position, self._verdicts[ply], self._verdicts[ply + 1])

    def _search(self, position: Position, moves: Sequence[int], limits: Limits) -> list[Verdict]:
        """Return the engine's Verdicts on `position` from its last two iterations."""
        begun, due = time.monotonic(), limits.movetime
        infos: list[Info] = []
        answer = self.engine.think(
            *self._record.start.for_engine(moves),
            limits,
            due and due + 1.0,
            due and STALL,
            infos.append,
        )
        self.budget.spend(answer, limits, time.monotonic() - begun)
        if answer.score is None and answer.mate is None:
            raise EngineError("the engine reports no score, so it can't analyse")
        solved = counts_points(position.game) or position.game.textbook
        exact = solved and not was_stopped(answer, limits)
        return judge(position, answer, exact, infos)

    def _backed_up(
        self, position: Position, ply: int, move: int | None = None, after: Verdict | None = None
    ) -> Verdict:
        """Return the Verdict of a position from the one after its best move.

        move, after: a move and the Verdict after it; by default those of the move played.
        """
        move = self._record.moves[ply] if move is None else move
        after = self._verdicts[ply + 1] if after is None else after
        mate = after.mate
        if mate is not None and position.side == (after.chance < 0.5):
            mate += 1 if after.chance > 0.5 else -1
        line = [move, *after.line][:LONGEST_LINE]
        exact = after.exact and len(position.legal_moves()) == 1
        return Verdict(after.score, mate, after.worth(position), line, after.depth, exact)


def was_stopped(answer: Answer, limits: Limits) -> bool:
    """Did the limits end the search, as far as is known?  If not, its result is exact."""
    if limits.nodes is not None:
        return answer.nodes is None or answer.nodes >= limits.nodes
    if limits.depth is not None:
        return answer.depth is None or answer.depth >= limits.depth
    return limits.movetime is None or answer.seconds >= 0.9 * limits.movetime
