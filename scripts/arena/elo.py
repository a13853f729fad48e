"""Elo, error bars and the sequential test, from pairs of games.

Both games of a pair start from the same opening with colours swapped, so their results
depend on each other, and only pairs are independent.  A pair scores 0, 1/2, 1, 3/2 or 2
points; everything here is computed from the five (pentanomial) counts of these scores.

The test is the generalised sequential probability ratio test (GSPRT) of Michel Van den
Bergh's papers "A Practical Introduction to the GSPRT" (logistic Elo) and "Normalized Elo"
(sections 2.3 and 4.1 of "Normalized Elo, practical").  Logistic Elo measures the
score; normalized Elo measures it in units of its standard deviation, so that the same bounds
need about the same number of games at any draw rate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

CONFIDENCE = 1.959964  # standard deviations of a two-sided 95 % interval
_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
LOGISTIC, NORMALIZED = MODELS = ("logistic", "normalized")
_ELO_OF_T = 800 / math.log(10)  # normalized Elo of one standard deviation of a game
_T_STEP = 0.1  # of a normalized score, in standard deviations of a pair
_UNSEEN = 1e-3  # stands for a count of 0, so that nothing is impossible


def expected_score(elo: float) -> float:
    """Return the expected score (0..1) at a difference of `elo`."""
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
    """Return (mean score, middle and half of the width of its 95 % interval).

    This is Wilson's score interval with the variance of the pairs instead of the binomial
    one; it does not shrink to nothing if the first few pairs all end alike.
    """
    total, mean, variance = _moments(counts)
    weight = CONFIDENCE**2 / total
    error = CONFIDENCE * math.sqrt(variance / total + weight / (4 * total)) / (1 + weight)
    return mean, (mean + weight / 2) / (1 + weight), error


def elo_interval(counts: Sequence[float]) -> tuple[float, float, float] | None:
    """Return (Elo, lower end, upper end of the 95 % interval); None without a pair."""
    if not sum(counts):
        return None
    mean, middle, error = score_interval(counts)
    low, high = (min(max(round(end, 9), 0.0), 1.0) for end in (middle - error, middle + error))
    return elo_of(mean), elo_of(low), elo_of(high)


def superiority(counts: Sequence[float]) -> float | None:
    """Return the likelihood of superiority, the probability that the player is the stronger one.

    Return None without a pair.
    """
    if not sum(counts):
        return None
    total, mean, variance = _moments(counts)
    spread = variance / total + (CONFIDENCE / total) ** 2 / 4  # as wide as the interval
    return 0.5 * (1 + math.erf((mean - 0.5) / math.sqrt(2 * spread)))


def normalized_elo(counts: Sequence[float]) -> float:
    """Return the normalized Elo of five counts; infinite if all pairs ended alike but not drawn."""
    if not sum(counts):
        return 0.0
    _, mean, variance = _moments(counts)
    if variance <= 0:
        return 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
    return (mean - 0.5) / math.sqrt(2 * variance) * _ELO_OF_T


def log_likelihood_ratio(
    counts: Sequence[float], elo0: float, elo1: float, model: str = LOGISTIC
) -> float:
    """Return the log-likelihood ratio of elo1 against elo0, given five counts."""
    seen = [count or _UNSEEN for count in counts]
    total = sum(seen)
    shares = [count / total for count in seen]
    if model == NORMALIZED:  # a pair's standard deviation is a game's / sqrt(2)
        under0, under1 = (
            _with_t_value(shares, math.sqrt(2) * elo / _ELO_OF_T) for elo in (elo0, elo1)
        )
    else:
        under0, under1 = (_with_mean(shares, _SCORES, expected_score(elo)) for elo in (elo0, elo1))
    return total * sum(
        share * math.log(one / nought) for share, one, nought in zip(shares, under1, under0)
    )


def _with_mean(shares: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution over `scores` with this mean, given observed shares.

    By Lagrange it is share / (1 + t (score - mean)) with the only t that yields the mean,
    found by Newton's method between bounds.
    """
    far = [score - mean for score in scores]
    low, high = -1 / max(far), -1 / min(far)
    at = min(max(0.0, low), high)
    for _ in range(100):
        parts = [distance / (1 + at * distance) for distance in far]
        value = sum(share * part for share, part in zip(shares, parts))
        low, high = (at, high) if value > 0 else (low, at)
        step = value / sum(share * part * part for share, part in zip(shares, parts))
        new = at + step
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - at) <= 1e-14 * max(1.0, abs(at)):
            break
        at = new
    return [share / (1 + at * distance) for share, distance in zip(shares, far)]


def _with_t_value(shares: Sequence[float], wanted: float) -> list[float]:
    """Return the most likely distribution over _SCORES whose (mean - 1/2) / deviation is `wanted`.

    The iteration of section 4.1 reduces this to a problem of means.  It begins with 0, which
    is one already, and approaches `wanted` in steps that converge; if they don't, because
    nearly all pairs end alike, a small share is added to every result.
    """
    steps = math.ceil(abs(wanted) / _T_STEP)
    for least in (0.0, 1e-5, 1e-4, 1e-3, 1e-2):
        likely = [share * (1 - 5 * least) + least for share in shares]
        try:
            found = _with_mean(likely, _SCORES, 0.5)
            for step in range(1, steps + 1):
                found = _near_t_value(likely, found, wanted * step / steps)
            return found
        except (ArithmeticError, ValueError):  # a variance close to 0
            continue
    raise ValueError(f"no distribution has a normalized score of {wanted:g}")


def _near_t_value(shares: Sequence[float], found: list[float], wanted: float) -> list[float]:
    """Return the distribution of _with_t_value().

    found: the distribution at a nearby value, from which Newton's steps start.
    """
    for _ in range(100):
        _, mean, variance = _moments(found)
        deviation = math.sqrt(variance)
        changed = [
            score - 0.5 - wanted * deviation * (1 + ((mean - score) / deviation) ** 2) / 2
            for score in _SCORES
        ]
        before, found = found, _with_mean(shares, changed, 0.0)
        if max(abs(one - other) for one, other in zip(before, found)) < 1e-9:
            break
    return found


class Sprt:
    """A sequential test of "at most elo0" against "at least elo1".

    alpha, beta: the error rates.  model: LOGISTIC or NORMALIZED, the unit of elo0 and elo1.
    low, high: Wald's bounds of the log-likelihood ratio.
    """

    def __init__(
        self,
        elo0: float,
        elo1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        model: str = LOGISTIC,
    ) -> None:
        if not elo0 < elo1:
            raise ValueError(f"elo0 must be below elo1, not {elo0:g} and {elo1:g}")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise ValueError("alpha and beta must lie between 0 and 0.5")
        self.elo0, self.elo1, self.model = elo0, elo1, model
        self.low, self.high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
        self.terms = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model}

    def ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of the counts."""
        if not sum(counts):
            return 0.0
        return log_likelihood_ratio(counts, self.elo0, self.elo1, self.model)

    def accepted(self, ratio: float) -> str | None:
        """Return "H1" (elo1 accepted), "H0", or None if this ratio decides nothing."""
        return "H1" if ratio >= self.high else "H0" if ratio <= self.low else None
