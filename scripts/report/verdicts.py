"""Evaluations of positions, and the loss by each move.

A move is judged by the expected score (1 for a win, 1/2 for a draw) that it loses: the difference
between the positions before and after it, whose engine scores the curve of search/wdl.py converts
to expected scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from games.base import Game, GameError, Position
from plyglot.infos import Info
from protocol.moves import read as read_move
from protocol.records.record import Evaluation, Record, Step
from protocol.scores import note_text, winrate
from scripts.arena.client import Answer
from scripts.pages.notes import MARKS

SEVERE = ("?", "??")
WON = 0.9  # expected score from which a game is won: a move that keeps it has no mark

LONGEST_LINE = 10  # moves of a better line


class Note(Evaluation):
    """The judgement of one move.

    mark: "", "?!", "?" or "??".  best: the better line (ints, from the position before the
    move) if the move is marked.
    lost: the expected score (0 to 1) that the move loses.
    """

    def __init__(
        self,
        score: int | None = None,
        mate: int | None = None,
        mark: str = "",
        best: Iterable[int] = (),
        depth: int | None = None,
        lost: float = 0.0,
    ) -> None:
        super().__init__(score, mate, depth)
        self.mark, self.best, self.lost = mark, list(best), lost


def annotate(record: Record, notes: Sequence[Note], annotator: str, in_words: bool) -> None:
    """Write Notes into the steps of a record: evaluations, marks, better lines.

    Existing marks stay.  in_words: also add evaluations to comments, for formats without a place
    of their own for them.
    """
    record.tags["Annotator"] = annotator
    game = record.start.game
    for step, note in zip(record.line, notes):
        if note.mate != 0:
            step.evaluation = note
            words = note_text(note.score, note.mate, game)
            if in_words and words not in step.comment:
                step.remark(words)
        if note.mark and not step.mark:
            step.mark = note.mark
        lines = [[other.move for other in line] for line in step.variations]
        if note.best and not any(line[: len(note.best)] == note.best for line in lines):
            step.variations.append([Step(move) for move in note.best])


class Verdict(NamedTuple):
    """The evaluation of one position from the first player's point of view.

    score: in the game's unit; None if a win is proven.  mate: the winner's moves to the win,
    negative if the second player wins, 0 if the game is over.  chance: the expected score.
    line: the best moves.  depth: in plies.  exact: would a deeper search change nothing?
    """

    score: int | None
    mate: int | None
    chance: float
    line: Sequence[int] = ()
    depth: int | None = None
    exact: bool = False

    @classmethod
    def of(
        cls,
        position: Position,
        score: int | None,
        mate: int | None,
        line: Sequence[int] = (),
        depth: int | None = None,
        exact: bool = False,
    ) -> Verdict:
        """Return the Verdict of `position`, its chance computed from the score or mate."""
        if mate is not None:
            return cls(None, mate, 1.0 if mate > 0 else 0.0, line, depth, exact)
        return cls(score, None, winrate(score or 0, position), line, depth, exact)

    @property
    def certain(self) -> bool:
        """Is it proven, or would a deeper search change nothing?"""
        return self.exact or self.mate is not None

    def worth(self, position: Position) -> float:
        """Return the first player's expected score by the curve of `position`.

        The curve may differ from move to move.  To measure the loss by a move, use the curve of
        the position before it for both scores.
        """
        return self.chance if self.mate is not None else winrate(self.score or 0, position)


def score_at(scores: Mapping[int, int], depth: int, game: Game) -> int:
    """Return the score of a search at a depth; if points count, the mean of the last two depths.

    In such games the evaluation favours the player who moved last, so scores of odd and even
    depths differ by more than a typical loss.
    """
    earlier = scores.get(depth - 1) if counts_points(game) else None
    return scores[depth] if earlier is None else (scores[depth] + earlier) // 2


def judge(
    position: Position, answer: Answer, exact: bool = False, infos: Sequence[Info] = ()
) -> list[Verdict]:
    """Return the Verdicts of an engine's last two iterations on `position`, the final one last.

    exact: would a deeper search change nothing?  infos: the engine's earlier Infos; without them
    there is only the final Verdict.
    """
    best, sign = answer.best, 1 if position.side == 0 else -1
    line = read_line(position, best.pv, LONGEST_LINE)
    if not line and answer.move is not None:
        line = [answer.move]
    last = best.depth or 0
    depths = {
        each.depth: each
        for each in infos
        if each.depth and each.depth < last and not each.bound and each.multipv == 1
    }
    depths[last] = best
    scores = {depth: sign * each.score for depth, each in depths.items() if each.score is not None}

    def at(depth: int) -> Verdict:
        mate = depths[depth].mate
        score = scores.get(depth, 0)
        if depth in scores and not exact:
            score = score_at(scores, depth, position.game)
        signed = None if mate is None else sign * mate
        return Verdict.of(position, score, signed, line, depth or None, exact)

    return [at(depth) for depth in sorted(depths)[-2:]]


def final_verdict(position: Position) -> Verdict:
    """Return the Verdict of a finished game.

    If points count, the result is a score in points, comparable to that before the last move.
    """
    outcome = position.outcome()
    assert outcome is not None, "the game goes on"
    if outcome.margin is not None:
        return Verdict.of(position, outcome.margin * position.game.margin_unit, None, exact=True)
    if outcome.winner is None:
        return Verdict(0, None, 0.5, exact=True)
    return Verdict(None, 0, 1.0 - outcome.winner, exact=True)


def read_line(position: Position, texts: Sequence[str], longest: int) -> list[int]:
    """Return the first moves of an engine's principal variation, up to an invalid one."""
    line: list[int] = []
    for text in texts[:longest]:
        try:
            line.append(read_move(position, text))
        except GameError:
            break
        position.make(line[-1])
    for _ in line:
        position.undo()
    return line


def counts_points(game: Game) -> bool:
    """Does the margin of a win count?  If so, scores change slightly with every depth."""
    return game.margin_unit > 1


def lost_by(position: Position, before: Verdict, after: Verdict) -> float:
    """Return the expected score that a move loses.

    before: the Verdict of `position`.  after: the Verdict after the move.
    """
    lost = before.worth(position) - after.worth(position)
    return lost if position.side == 0 else -lost


def notes(
    record: Record, verdicts: Sequence[Verdict], losses: Sequence[float | None]
) -> list[Note]:
    """Return the Note of each move.

    losses: those that are sure enough for a mark; None for a move without one.
    """
    found = []
    for ply, (position, move) in enumerate(record.positions()):
        before, after = verdicts[ply], verdicts[ply + 1]
        sure = losses[ply]
        lost = lost_by(position, before, after) if sure is None else sure
        won = WON <= (after.worth(position) if position.side == 0 else 1 - after.worth(position))
        mark = "" if sure is None or won else mark_of(lost, position.game)
        better = before.line if mark and list(before.line[:1]) != [move] else ()
        found.append(Note(after.score, after.mate, mark, better, after.depth, max(lost, 0.0)))
    return found


def accuracy(own: Sequence[Note]) -> float:
    """Return a player's accuracy in percent from their Notes: the mean of lichess.org's curve."""
    worth = [103.1668 * math.exp(-4.354 * max(note.lost, 0.0)) - 3.1669 for note in own]
    return sum(min(max(value, 0.0), 100.0) for value in worth) / len(worth)


def mark_of(lost: float, game: Game) -> str:
    """Return the mark of a move that loses `lost` of the expected score.

    In explicit trees, whose values are exact, any loss is a mistake.
    """
    mark = next((mark for least, mark in MARKS if lost >= least), "")
    return mark or ("?" if game.textbook and lost > 0 else "")
