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
        for rule in (self._resigned, self._drawn):
            found = rule(side, plies)
            if found is not None:
                return found
        if self._rules.get("max_plies") and plies >= self._rules["max_plies"]:
            return None, f"{plies} plies were played"
        return None

    def _resigned(self, side: int, plies: int) -> tuple[int | None, str] | None:
        rule = self._rules.get("resign")
        if not rule:
            return None
        own, other = self._scores[side][-rule["moves"] :], self._scores[1 - side][-1:]
        if len(own) < rule["moves"] or any(
            score is None or score > -rule["score"] for score in own
        ):
            return None
        if other and other[0] is not None and other[0] < rule["score"]:
            return None
        return 1 - side, f"a score of -{rule['score']} or worse for {rule['moves']} moves"

    def _drawn(self, side: int, plies: int) -> tuple[int | None, str] | None:
        rule = self._rules.get("draw")
        if not rule or plies < rule["after"]:
            return None
        for scores in self._scores:
            last = scores[-rule["moves"] :]
            if len(last) < rule["moves"] or any(
                score is None or abs(score) > rule["score"] for score in last
            ):
                return None
        return None, f"scores within {rule['score']} for {rule['moves']} moves of each"


def _value(answer: Answer) -> int | None:
    if answer.mate is not None:
        return WIN if answer.mate > 0 else -WIN
    return answer.score
