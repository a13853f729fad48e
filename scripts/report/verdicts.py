"""Evaluations of positions, and the expected score that each move loses.

A move is judged by the expected score (1 for a win, 1/2 for a draw) that it loses: the difference
between the positions before and after it.  The curve of search/report.py converts the engine's
scores into expected scores.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import NamedTuple

from games.base import Game, GameError, Position
from plyglot.uci import Info
from protocol.moves import read as read_move
from protocol.records.record import Evaluation, Record, Step, joined
from protocol.scores import note_text, winrate
from scripts.arena.client import Answer, evaluation_of
from scripts.pages.notes import MARKS

SEVERE = ("?", "??")
# The marks of a move that allows an avoidable forced mate: (lowest score before the move, in units
# of win_scale, mark).  In chess these scores are lichess.org's -7 and -10 pawns.
_MATED = ((-3.5, "??"), (-5.0, "?"), (-math.inf, "?!"))
WON = 0.9  # a move that keeps this expected score or more gets no mark, since the game is still won

LONGEST_LINE = 10  # maximum number of moves of a better line


class Note(NamedTuple):
    """The judgement of one move.

    evaluation: evaluation of the position after the move.  mark: "", "?!", "?" or "??".
    best: the better line (ints, from the position before the move) if the move is marked.
    lost: the expected score (0 to 1) that the move loses.
    """

    evaluation: Evaluation
    mark: str = ""
    best: Sequence[int] = ()
    lost: float = 0.0


def annotate(record: Record, notes: Sequence[Note], annotator: str, in_words: bool) -> None:
    """Write Notes into the steps of a record: evaluations, marks, better lines.

    Existing marks stay.
    in_words: also write evaluations into comments, for formats without a field for them.
    """
    record.tags["Annotator"] = annotator
    game = record.start.game
    for step, note in zip(record.line, notes):
        if note.evaluation.mate != 0:
            step.evaluation = note.evaluation
            words = note_text(note.evaluation.score, note.evaluation.mate, game)
            if in_words and words not in step.comment:
                step.comment = joined(step.comment, words)
        if note.mark and not step.mark:
            step.mark = note.mark
        lines = [[other.move for other in line] for line in step.variations]
        if note.best and not any(line[: len(note.best)] == list(note.best) for line in lines):
            step.variations.append([Step(move) for move in note.best])


class Verdict(NamedTuple):
    """The evaluation of one position from the first player's point of view.

    score: a number in the game's unit; None if a win is proven.
    mate: the winner's moves to the win, negative if the second player wins, 0 if the game is over.
    chance: the expected score.
    line: the best moves.  depth: depth of the search, in plies.
    exact: would every deeper search return the same result?
    """

    score: int | None
    mate: int | None
    chance: float
    line: Sequence[int] = ()
    depth: int | None = None
    exact: bool = False

    @classmethod
    def of(
        cls, position: Position, told: Evaluation, line: Sequence[int] = (), exact: bool = False
    ) -> Verdict:
        """Return the Verdict of `position` from an Evaluation, with its expected score."""
        chance = winrate(told.score or 0, position) if told.mate is None else float(told.mate > 0)
        return cls(told.score, told.mate, chance, line, told.depth, exact)

    @property
    def evaluation(self) -> Evaluation:
        """Return the verdict as the Evaluation that a record stores."""
        return Evaluation(self.score, self.mate, self.depth)

    @property
    def certain(self) -> bool:
        """Is the result final: proven, or the same at every greater depth?"""
        return self.exact or self.mate is not None

    def worth(self, position: Position) -> float:
        """Return the first player's expected score by the curve of `position`.

        The curve may differ from move to move.  To measure the loss by a move, use the curve of
        the position before it for both scores.
        """
        return self.chance if self.mate is not None else winrate(self.score or 0, position)


def judge(
    position: Position, answer: Answer, exact: bool = False, infos: Sequence[Info] = ()
) -> list[Verdict]:
    """Return the Verdicts of an engine's last two iterations on `position`, the final one last.

    exact: whether every deeper search would return the same result.  If the game counts points, a
    score that isn't exact is the mean of two iterations: evaluations in points favour the player
    who moved last, so scores of odd and even depths differ by more than a typical loss.
    infos: the Infos of the search; without them there is only the final Verdict.
    """
    line = read_line(position, answer.best.pv, LONGEST_LINE)
    if not line and answer.move is not None:
        line = [answer.move]
    last = answer.best.depth or 0
    iterations = {
        info.depth: info
        for info in infos
        if info.depth and info.depth < last and not info.bound and info.multipv == 1
    }
    verdicts: list[Verdict] = []
    earlier: int | None = None
    for info in (*iterations.values(), answer.best):
        evaluation = evaluation_of(info, position.side) or Evaluation(0)
        score = evaluation.score
        if counts_points(position.game) and not exact and score is not None and earlier is not None:
            score = (score + earlier) // 2
        told = Evaluation(score, evaluation.mate, info.depth)
        verdicts.append(Verdict.of(position, told, line, exact))
        earlier = evaluation.score
    return verdicts[-2:]


def final_verdict(position: Position) -> Verdict:
    """Return the Verdict of a finished game.

    If the game counts points, the Verdict has a score, comparable to the earlier positions' scores.
    """
    outcome = position.outcome()
    assert outcome is not None, "the game must be over"
    if outcome.margin is None and outcome.winner is not None:
        return Verdict(None, 0, 1.0 - outcome.winner, exact=True)
    score = (outcome.margin or 0) * position.game.margin_unit
    return Verdict.of(position, Evaluation(score), exact=True)


def read_line(position: Position, texts: Sequence[str], longest: int) -> list[int]:
    """Return the first moves of an engine's principal variation, before any invalid one."""
    line: list[int] = []
    with contextlib.suppress(GameError):
        for text in texts[:longest]:
            line.append(read_move(position, text))
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


def allows_mate(position: Position, move: int, before: Verdict, after: Verdict) -> bool:
    """Does a move let the opponent win by force although the best move doesn't?

    before: the Verdict of `position`.  after: the Verdict after the move.
    """
    holds_out = before.mate is None and list(before.line[:1]) != [move]
    return holds_out and after.mate is not None and after.chance == position.side


def notes(
    record: Record, verdicts: Sequence[Verdict], losses: Sequence[float | None]
) -> list[Note]:
    """Return the Note of each move; an empty list if there are no Verdicts.

    losses: the expected score that each move loses; None if it isn't certain enough for a mark.
    """
    judged = []
    plies = zip(record.positions(), losses, verdicts, verdicts[1:])
    for (position, move), sure, before, after in plies:
        lost = lost_by(position, before, after) if sure is None else sure
        won = WON <= (after.worth(position) if position.side == 0 else 1 - after.worth(position))
        mark = "" if sure is None or won else mark_of(lost, position.game)
        if not mark and sure is not None and allows_mate(position, move, before, after):
            worth = (before.score or 0) * (-1 if position.side else 1) / position.win_scale()
            mark = next(mark for least, mark in _MATED if worth >= least)
        better = before.line if mark and list(before.line[:1]) != [move] else ()
        judged.append(Note(after.evaluation, mark, better, max(lost, 0.0)))
    return judged


def accuracy(own: Sequence[Note]) -> float:
    """Return a player's accuracy in percent, the mean over their Notes by lichess.org's curve."""
    worth = [103.1668 * math.exp(-4.354 * max(note.lost, 0.0)) - 3.1669 for note in own]
    return sum(min(max(value, 0.0), 100.0) for value in worth) / len(worth)


def mark_of(lost: float, game: Game) -> str:
    """Return the mark of a move that loses `lost` of the expected score.

    In explicit trees, whose values are exact, any loss is a mistake.
    """
    mark = next((mark for least, mark in MARKS if lost >= least), "")
    return mark or ("?" if game.textbook and lost > 0 else "")
