"""Elo, error bars and the sequential test, from pairs of games.

Both games of a pair start from the same opening with colours swapped, so their results
depend on each other, and only pairs are independent.  A pair scores 0, 1/2, 1, 3/2 or 2
points; everything here is computed from the five (pentanomial) counts of these scores.

The test is the generalised sequential probability ratio test (GSPRT) of Michel Van den
Bergh's paper "A Practical Introduction to the GSPRT".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

CONFIDENCE = 1.959964  # standard deviations of a two-sided 95 % interval
_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_UNSEEN = 1e-3  # replaces a count of 0, so that no score counts as impossible


def expected_score(elo: float) -> float:
    """Return the expected score (0..1) for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the Elo difference of an expected score; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return -400 * math.log10(1 / score - 1)


def _moments(counts: Sequence[float]) -> tuple[float, float, float]:
    """Return (number of pairs, mean score, variance of a pair's score)."""
    total = sum(counts)
    mean = sum(count * score for count, score in zip(counts, _SCORES)) / total
    squares = sum(count * (score - mean) ** 2 for count, score in zip(counts, _SCORES))
    return total, mean, squares / total


def score_interval(counts: Sequence[float]) -> tuple[float, float, float]:
    """Return (mean score, middle of its 95 % interval, half the width of the interval).

    This is Wilson's score interval, with the variance of the pairs instead of the binomial
    variance.  The interval is wider than 0 even if all pairs so far have the same result.
    """
    total, mean, variance = _moments(counts)
    weight = CONFIDENCE**2 / total
    error = CONFIDENCE * math.sqrt(variance / total + weight / (4 * total)) / (1 + weight)
    return mean, (mean + weight / 2) / (1 + weight), error


def elo_interval(counts: Sequence[float]) -> tuple[float, float, float] | None:
    """Return (Elo, lower end, upper end of the 95 % interval); None if no pair is complete."""
    if not sum(counts):
        return None
    mean, middle, error = score_interval(counts)
    low, high = (min(max(round(end, 9), 0.0), 1.0) for end in (middle - error, middle + error))
    return elo_of(mean), elo_of(low), elo_of(high)


def superiority(counts: Sequence[float]) -> float | None:
    """Return the likelihood of superiority, the probability that the player is the stronger one.

    Return None if no pair is complete.
    """
    if not sum(counts):
        return None
    total, mean, variance = _moments(counts)
    # the same variance as in score_interval()
    spread = variance / total + (CONFIDENCE / total) ** 2 / 4
    return 0.5 * (1 + math.erf((mean - 0.5) / math.sqrt(2 * spread)))


def _with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution over _SCORES with this mean, given observed shares.

    By Lagrange multipliers, the probability of a score is share / (1 + t (score - mean)).
    Only one t yields the mean; bisection finds it.
    """
    far = [score - mean for score in _SCORES]
    low, high = -1 / max(far), -1 / min(far)
    for _ in range(100):
        at = (low + high) / 2
        if sum(share * distance / (1 + at * distance) for share, distance in zip(shares, far)) > 0:
            low = at
        else:
            high = at
    return [share / (1 + at * distance) for share, distance in zip(shares, far)]


class Sprt(NamedTuple):
    """A sequential test that decides whether an Elo difference is at most elo0 or at least elo1.

    alpha, beta: the error rates.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def low(self) -> float:
        """Return Wald's lower bound of the log-likelihood ratio."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def high(self) -> float:
        """Return Wald's upper bound of the log-likelihood ratio."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of elo1 against elo0, from the five counts of pairs."""
        if not sum(counts):
            return 0.0
        seen = [count or _UNSEEN for count in counts]
        total = sum(seen)
        shares = [count / total for count in seen]
        means = map(expected_score, (self.elo0, self.elo1))
        under0, under1 = (_with_mean(shares, mean) for mean in means)
        scores = zip(shares, under1, under0)
        return total * sum(share * math.log(one / nought) for share, one, nought in scores)

    def accepted(self, ratio: float) -> str | None:
        """Return "H1" if the ratio accepts elo1, "H0" if it accepts elo0, None if neither."""
        return "H1" if ratio >= self.high else "H0" if ratio <= self.low else None
