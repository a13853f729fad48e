"""Elo, normalized Elo and the sequential test, compared with independently computed figures."""

import math

import pytest

from scripts.arena import elo

# (five counts, elo0, elo1, model, log-likelihood ratio): the likelihoods maximised by a general
# solver (sequential quadratic programming) under the constraint itself.
SOLVED = [
    ([5, 15, 16, 14, 7], 0, 2, "logistic", 0.0228),
    ([1873, 2957, 10913, 3097, 1222], 0, 2, "logistic", -16.0877),
    ([1, 1, 2, 1, 1], 0, 50, "logistic", -0.147),
    ([1, 2, 3, 2, 1], -3, 1, "logistic", 0.0009),
    ([23, 49, 159, 40, 13], 0, 10, "logistic", -2.5884),
    ([2, 6, 12, 8, 4], 0, 50, "logistic", 0.3458),
    ([2, 4, 12, 5, 2], 0, 5, "logistic", 0.0184),
    ([51, 114, 191, 132, 46], 0, 2, "normalized", 0.0421),
    ([6, 14, 44, 19, 11], 0, 10, "normalized", 0.5119),
    ([5, 11, 51, 13, 8], -3, 1, "normalized", 0.1461),
    ([450, 904, 4942, 1174, 453], 0, 2, "normalized", 2.3835),
    ([1, 2, 2, 2, 1], 2, 8, "normalized", -0.004),
    ([438, 871, 1595, 1300, 538], 0, 5, "normalized", 10.2735),
    ([1, 3, 5, 2, 1], 0, 50, "normalized", -0.4431),
    ([0, 0, 0, 0, 104], 0, 5, "normalized", 2.095),
    ([0, 0, 0, 0, 10], 0, 5, "normalized", 0.2014),
    ([0, 1, 7, 4, 0], 0, 20, "normalized", 0.3134),
    ([0, 0, 0, 3, 2], 0, 30, "logistic", 0.4131),
]
# The same to two decimals, as published with fastchess for tests of Stockfish.
PUBLISHED = [
    ([365, 16618, 36229, 16974, 390], 0, 2, "normalized", 2.25),
    ([127, 4883, 10712, 5150, 104], -1.75, 0.25, "normalized", 3.01),
    ([223, 9863, 21279, 10037, 246], 0.5, 2.5, "logistic", -3.07),
    ([871, 26175, 55983, 26678, 821], 0, 2, "logistic", -4.98),
]


@pytest.mark.parametrize("counts, elo0, elo1, model, ratio", SOLVED)
def test_the_ratio_equals_that_of_a_general_solver(counts, elo0, elo1, model, ratio):
    assert elo.log_likelihood_ratio(counts, elo0, elo1, model) == pytest.approx(ratio, abs=2e-4)
    mirrored = elo.log_likelihood_ratio(counts[::-1], -elo1, -elo0, model)
    assert mirrored == pytest.approx(-ratio, abs=2e-4)


@pytest.mark.parametrize("counts, elo0, elo1, model, ratio", PUBLISHED)
def test_the_ratio_equals_that_of_other_programs(counts, elo0, elo1, model, ratio):
    assert elo.log_likelihood_ratio(counts, elo0, elo1, model) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize(
    "counts",
    [
        [0, 0, 1, 0, 0],
        [0, 0, 5000, 0, 0],
        [9, 0, 0, 0, 0],
        [0, 0, 0, 0, 3000],
        [1, 0, 2959, 0, 0],
        [0, 1, 0, 0, 0],
        [0.5, 0, 0.5, 0, 0],
    ],
)
@pytest.mark.parametrize("model", elo.MODELS)
def test_equal_results_of_all_pairs_still_give_a_ratio(counts, model):
    for elo0, elo1 in ((0, 2), (-300, 300), (200, 400)):
        assert math.isfinite(elo.log_likelihood_ratio(counts, elo0, elo1, model))


def test_normalized_elo():
    counts = [10, 90, 300, 110, 15]
    total = sum(counts)
    mean = sum(count * score for count, score in zip(counts, (0, 0.25, 0.5, 0.75, 1))) / total
    deviation = math.sqrt(
        sum(count * (score - mean) ** 2 for count, score in zip(counts, (0, 0.25, 0.5, 0.75, 1)))
        / total
    )
    expected = (mean - 0.5) / (deviation * math.sqrt(2)) * 800 / math.log(10)
    assert elo.normalized_elo(counts) == pytest.approx(expected)
    assert elo.normalized_elo([0] * 5) == elo.normalized_elo([0, 0, 4, 0, 0]) == 0
    assert elo.normalized_elo([0, 0, 0, 0, 4]) == math.inf
    assert elo.normalized_elo([1, 0, 0, 0, 0]) == -math.inf
