"""Elo, error bars and the sequential test, from pairs of games.

Both games of a pair start from the same opening with colours swapped, so their
results depend on each other: the pair is the unit that is independent.  A pair scores
0, 1/2, 1, 3/2 or 2 points; how often each happened are the five (pentanomial) counts
that everything here is computed from.

The test is the generalised sequential probability ratio test: "A Practical
Introduction to the GSPRT" by Michel Van den Bergh, as Fishtest uses it, with logistic
Elo.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

CONFIDENCE = 1.959964       # standard deviations of a two-sided 95 % interval
_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_UNSEEN = 1e-3              # stands for a count of 0, so that nothing is impossible


def expected_score(elo: float) -> float:
    """The score (0..1) that a difference of `elo` gives."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference that gives `score`; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return -400 * math.log10(1 / score - 1)


def pentanomial(pairs: Iterable[Sequence[float]]) -> list[int]:
    """The five counts of pairs given as (points of game 1, points of game 2) of one player,
    points 0, 1/2 or 1.
    """
    counts = [0] * 5
    for pair in pairs:
        counts[round(2 * sum(pair))] += 1
    return counts


def _moments(counts: Sequence[float]) -> tuple[float, float, float]:
    """(number of pairs, mean score, variance of a pair's score)."""
    total = sum(counts)
    mean = sum(count * score for count, score in zip(counts, _SCORES)) / total
    squares = sum(count * (score - mean) ** 2 for count, score in zip(counts, _SCORES))
    return total, mean, squares / total


def elo_interval(counts: Sequence[float]) -> tuple[float, float, float] | None:
    """(Elo, lower end, upper end of the 95 % interval) of five counts; None without a pair.

    Wilson's score interval with the variance of the pairs in the place of the
    binomial one: it does not shrink to nothing where the few pairs so far all ended
    alike.
    """
    if not sum(counts):
        return None
    total, mean, variance = _moments(counts)
    weight = CONFIDENCE ** 2 / total
    middle = (mean + weight / 2) / (1 + weight)
    error = CONFIDENCE * math.sqrt(variance / total + weight / (4 * total)) / (1 + weight)
    low, high = (min(max(round(end, 9), 0.0), 1.0) for end in (middle - error, middle + error))
    return elo_of(mean), elo_of(low), elo_of(high)


def superiority(counts: Sequence[float]) -> float | None:
    """The likelihood of superiority: how probably the player is the stronger one.

    None without a pair.
    """
    if not sum(counts):
        return None
    total, mean, variance = _moments(counts)
    spread = variance / total + (CONFIDENCE / total) ** 2 / 4       # as wide as the interval is
    return 0.5 * (1 + math.erf((mean - 0.5) / math.sqrt(2 * spread)))


def log_likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Of "the difference is elo1" against "it is elo0", given five counts."""
    seen = [count or _UNSEEN for count in counts]
    total = sum(seen)
    shares = [count / total for count in seen]
    under0, under1 = (_constrained(shares, expected_score(elo)) for elo in (elo0, elo1))
    return total * sum(share * math.log(one / nought)
                       for share, one, nought in zip(shares, under1, under0))


def _constrained(shares: list[float], mean: float) -> list[float]:
    """The most likely distribution over _SCORES with this mean, given the shares seen.

    By Lagrange: share / (1 + t (score - mean)), with the one t for which its mean is
    right.
    """
    distances = [score - mean for score in _SCORES]
    low, high = -1 / distances[-1], -1 / distances[0]
    for _ in range(100):
        middle = (low + high) / 2
        slope = sum(share * far / (1 + middle * far) for share, far in zip(shares, distances))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return [share / (1 + low * far) for share, far in zip(shares, distances)]


class Sprt:
    """A sequential test of "at most elo0" against "at least elo1", with error rates alpha and
    beta.
    """

    def __init__(self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not elo0 < elo1:
            raise ValueError(f"elo0 must be below elo1, not {elo0:g} and {elo1:g}")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise ValueError("alpha and beta must lie between 0 and 0.5")
        self.elo0, self.elo1 = elo0, elo1
        self.low, self.high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio so far."""
        return log_likelihood_ratio(counts, self.elo0, self.elo1) if sum(counts) else 0.0

    def decision(self, counts: Sequence[float]) -> str | None:
        """"H1" (elo1 accepted), "H0" or None while it is open."""
        ratio = self.ratio(counts)
        return "H1" if ratio >= self.high else "H0" if ratio <= self.low else None
