"""How a decided game ends: the line that shows a win or loss which the search knew without making the moves."""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.gomoku.facts import NEARLY_DECIDED

# What may be tried to show the end of a win: fours; threats in a row, and moves for them.
_FOURS, _LONGEST, _THREATS = 500, 7, 400


class Ending:
    """Tells the scores of the root moves of a Field: only what can be shown to its end is a win or a loss."""

    def __init__(self, field, fours, threes, pick):
        self._field, self._fours, self._threes, self._pick = field, fours, threes, pick
        self._proves_loss = bool(field.fives(1 - field.side, field.packed)
                                 or field.threats(1 - field.side, field.packed))

    def score(self, move, line, score, alpha, beta):
        """The score of a root move as it is told; its line is completed.

        Where the moves of a node were narrowed to the most promising a loss is not proven.
        """
        if score == WIN - 1:
            return score
        if score < -MAX_SCORE and not self._proves_loss:
            return -NEARLY_DECIDED
        if abs(score) > MAX_SCORE and alpha < score < beta:
            return self._shown(move, line, score)
        if score > MAX_SCORE and beta <= NEARLY_DECIDED:
            return NEARLY_DECIDED           # its line is known when the window is open
        return score

    def _shown(self, move, line, score):
        """The score of a game decided after `move`, as far as the line can be shown to its end."""
        ending = self._after([move] + line, score > 0)
        if ending is not None:
            line += ending
            plies = len(line) + 1
            # A shorter line is not the longest that the loser can make it.
            if plies >= WIN - abs(score):
                return WIN - plies if score > 0 else plies - WIN
        return NEARLY_DECIDED if score > 0 else -NEARLY_DECIDED

    def _after(self, line, wins):
        """The moves that finish a game after `line` that the root's side `wins`, or loses; None as in _finish."""
        field = self._field
        for move in line:
            field.make(move)
        ending = []
        if not field.won(field.packed):
            ending = self._finish(field.side, field.packed, field.key, wins == (len(line) % 2 == 0))
        for _ in line:
            field.undo()
        return ending

    def _finish(self, side, packed, key, wins):
        """The rest of a decided game, the longest that the loser can make it; `wins`: does the side to move win?

        None where no short proof is found.
        """
        field = self._field
        if wins:
            return (self._fours.shortest(side, packed, key, _FOURS)
                    or self._threes.win(side, packed, key, _LONGEST, _THREATS))
        threats = field.fives(1 - side, packed) or field.threats(1 - side, packed)
        if not threats:
            return None
        longest = None
        for move in self._pick.moves(side, packed) or [field.any_of(side, threats, packed)]:
            child = field.play(side, move, packed)
            rest = self._finish(1 - side, child, key ^ field.board.keys[side][move], True)
            field.take_back(side, move)
            if rest is None:
                return None
            if longest is None or len(rest) >= len(longest):
                longest = [move] + rest
        return longest
