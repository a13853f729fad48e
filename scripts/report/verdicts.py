"""What an engine says of a position, and what a move gave away by it.

A move is judged by the expected score (1 for a win, 1/2 for a draw) that it gave
away: the engine's word on the position before it against its word on the position
after it, both turned into chances by the curve of search/wdl.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.base import Game, GameError, Position
from plyglot.infos import Info
from protocol.moves import read as read_move
from protocol.records.record import Evaluation, Record, Step
from protocol.scores import note_text, winrate
from scripts.arena.client import Answer
from scripts.pages.notes import MARKS

SEVERE = ("?", "??")

LONGEST_LINE = 10  # moves of a better line that are kept


class Note(Evaluation):
    """What an analysis says about one move.

    mark: "", "?!", "?" or "??".  best: the better line (ints, from the position before the
    move) if the move is marked.
    lost: the share of the expected score (0 to 1) that the move gave away.
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

    A mark that a move has already stays.  in_words: the evaluation is added to the comment,
    too, for programs that know no other place for it.
    """
    record.tags["Annotator"] = annotator
    game = record.start.game
    for step, note in zip(record.line, notes):
        if note.mate != 0:
            step.evaluation = note
            words = note_text(note, game)
            if in_words and words not in step.comment:
                step.remark(words)
        if note.mark and not step.mark:
            step.mark = note.mark
        lines = [[other.move for other in line] for line in step.variations]
        if note.best and not any(line[: len(note.best)] == note.best for line in lines):
            step.variations.append([Step(move) for move in note.best])


class Verdict:
    """What is known of one position, for the player who moves first.

    score: in the game's unit, None where it is a proven win.  mate: the winner's
    moves to it, negative where the second player wins; 0 where the game is over.
    chance: the expected score.  line: the best moves.  depth: plies.
    exact: the search had nothing left to find out.
    """

    def __init__(
        self,
        score: int | None,
        mate: int | None,
        chance: float,
        line: Iterable[int] = (),
        depth: int | None = None,
        exact: bool = False,
    ) -> None:
        self.score, self.mate, self.chance = score, mate, chance
        self.line, self.depth, self.exact = list(line), depth, exact

    @classmethod
    def of(
        cls,
        position: Position,
        score: int | None,
        mate: int | None,
        line: Iterable[int] = (),
        depth: int | None = None,
        exact: bool = False,
    ) -> Verdict:
        """The Verdict of `position` with such a score or mate, the chance worked out."""
        if mate is not None:
            return cls(None, mate, 1.0 if mate > 0 else 0.0, line, depth, exact)
        return cls(score, None, winrate(score or 0, position), line, depth, exact)

    def worth(self, position: Position) -> float:
        """The expected score of the player who moves first if `position` were judged so.

        How much a score is worth may change from move to move; what a move gave away is
        told by one curve, that of the position before it.
        """
        return self.chance if self.mate is not None else winrate(self.score or 0, position)

    def as_data(self) -> list[Any]:
        """The arguments that make it again, as plain data."""
        return [self.score, self.mate, self.chance, self.line, self.depth, self.exact]


def score_at(scores: Mapping[int, int], depth: int, game: Game) -> int:
    """The score of a search at a depth; where points are counted, the mean of two depths.

    There an evaluation favours the player who moved last, and the scores of odd and
    even depths differ by more than a move gives away.
    """
    earlier = scores.get(depth - 1) if counts_points(game) else None
    return scores[depth] if earlier is None else (scores[depth] + earlier) // 2


def judge(
    position: Position, answer: Answer, exact: bool = False, told: Sequence[Info] = ()
) -> Verdict:
    """The Verdict of an engine's Answer on `position`.

    exact: the search had nothing left to find out.  told: what the engine said before.
    """
    best, sign = answer.best, 1 if position.side == 0 else -1
    line = _read_line(position, best.pv) or ([answer.move] if answer.move is not None else [])
    mate = None if best.mate is None else sign * best.mate
    score = sign * (best.score or 0)
    if best.depth and not exact:
        scores = {
            info.depth: sign * info.score
            for info in told
            if info.depth and info.score is not None and not info.bound and info.multipv == 1
        }
        score = score_at({**scores, best.depth: score}, best.depth, position.game)
    return Verdict.of(position, score, mate, line, best.depth, exact)


def final_verdict(position: Position) -> Verdict:
    """The Verdict of a finished game.

    Points count as before the last move, which is held against them.
    """
    outcome = position.outcome()
    assert outcome is not None, "the game goes on"
    if outcome.margin is not None:
        score = outcome.margin * position.game.margin_unit
        return Verdict.of(position, score, None, exact=True)
    return (
        Verdict(0, None, 0.5, exact=True)
        if outcome.winner is None
        else Verdict(None, 0, 1.0 - outcome.winner, exact=True)
    )


def _read_line(position: Position, texts: Sequence[str]) -> list[int]:
    """The moves of an engine's principal variation, as far as they can be read."""
    line = []
    for text in texts[:LONGEST_LINE]:
        try:
            move = read_move(position, text)
        except GameError:
            break
        line.append(move)
        position.make(move)
    for _ in line:
        position.undo()
    return line


def counts_points(game: Game) -> bool:
    """Is it won by so and so many points?  Its scores change a little with every depth."""
    return game.margin_unit > 1


def lost_by(position: Position, before: Verdict, after: Verdict) -> float:
    """The expected score that a move gave away, from the Verdict of `position` to the Verdict
    after it.
    """
    lost = before.worth(position) - after.worth(position)
    return lost if position.side == 0 else -lost


def are_exact(*verdicts: Verdict) -> bool:
    """Do they leave nothing open?"""
    return all(verdict.exact for verdict in verdicts)


def notes(record: Record, verdicts: Sequence[Verdict]) -> list[Note]:
    """The Note of each move."""
    found = []
    for ply, (position, move) in enumerate(record.positions()):
        before, after = verdicts[ply], verdicts[ply + 1]
        lost = lost_by(position, before, after)
        mark = mark_of(lost, position.game)
        better = before.line if mark and before.line[:1] != [move] else ()
        found.append(Note(after.score, after.mate, mark, better, after.depth, max(lost, 0.0)))
    return found


def accuracy(own: Sequence[Note]) -> float:
    """How well a player moved, in percent, by his Notes: the mean of lichess.org's curve
    over what moves gave away.
    """
    worth = [103.1668 * math.exp(-4.354 * max(note.lost, 0.0)) - 3.1669 for note in own]
    return sum(min(max(value, 0.0), 100.0) for value in worth) / len(worth)


def mark_of(lost: float, game: Game) -> str:
    """The mark of a move that gave `lost` away.

    In explicit trees, whose values are exact, whatever is lost counts.
    """
    mark = next((mark for least, mark in MARKS if lost >= least), "")
    return mark or ("?" if game.textbook and lost > 0 else "")
