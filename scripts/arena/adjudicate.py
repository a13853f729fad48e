"""Ending a game early by the scores that the engines report, on request only.

Rules are plain data; a missing rule does not apply:

    resign      {"moves": N, "score": S}: a player who has reported -S or less for N of their
                own moves loses, unless the opponent's last score contradicts
    draw        {"after": PLIES, "moves": N, "score": S}: a draw after PLIES plies once both
                players have reported scores within -S..S for N moves each
    max_plies   N: a draw after N plies
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.base import WIN

Rules = dict[str, Any]

if TYPE_CHECKING:
    from scripts.arena.client import Answer


class Adjudicator:
    """The scores of a game so far, and the rules that they are judged by."""

    def __init__(self, rules: Rules | None) -> None:
        self._rules = rules or {}
        self._scores: tuple[list[int | None], list[int | None]] = ([], [])

    def verdict(self, side: int, answer: Answer, plies: int) -> tuple[int | None, str] | None:
        """Return (winner or None for a draw, reason) after a move of `side`.

        Return None if the game goes on.
        """
        self._scores[side].append(_value(answer))
        resign, draw, most = map(self._rules.get, ("resign", "draw", "max_plies"))
        if resign and self._resigns(side, **resign):
            return 1 - side, f"a score of -{resign['score']} or worse for {resign['moves']} moves"
        if draw and plies >= draw["after"]:
            moves, score = draw["moves"], draw["score"]
            if all(self._stayed(player, moves, -score, score) for player in (0, 1)):
                return None, f"scores within {score} for {moves} moves of each"
        return (None, f"{plies} plies were played") if most and plies >= most else None

    def _resigns(self, side: int, moves: int, score: int) -> bool:
        other = self._scores[1 - side][-1:]
        agrees = not other or other[0] is None or other[0] >= score
        return agrees and self._stayed(side, moves, float("-inf"), -score)

    def _stayed(self, side: int, moves: int, low: float, high: float) -> bool:
        """Has a player reported scores from low to high for this number of moves?"""
        last = self._scores[side][-moves:]
        within = [score is not None and low <= score <= high for score in last]
        return len(last) == moves and all(within)


def _value(answer: Answer) -> int | None:
    if answer.mate is not None:
        return WIN if answer.mate > 0 else -WIN
    return answer.score
