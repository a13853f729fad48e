"""The sequential test, compared with independently computed figures."""

import math

import pytest
from tables import rows

from scripts.arena import elo

# Rows: (pentanomial counts, elo0, elo1, log-likelihood ratio).  A general solver (sequential
# quadratic programming) maximised each likelihood with the Elo fixed.
SOLVED = rows("elo.solved")
# Rows of the same form: tests of Stockfish, published with fastchess, with ratios to two decimals.
PUBLISHED = rows("elo.published")


@pytest.mark.parametrize("counts, elo0, elo1, ratio", SOLVED)
def test_the_ratio_equals_that_of_a_general_solver(counts, elo0, elo1, ratio):
    assert elo.log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(ratio, abs=2e-4)
    mirrored = elo.log_likelihood_ratio(counts[::-1], -elo1, -elo0)
    assert mirrored == pytest.approx(-ratio, abs=2e-4)


@pytest.mark.parametrize("counts, elo0, elo1, ratio", PUBLISHED)
def test_the_ratio_equals_that_of_other_programs(counts, elo0, elo1, ratio):
    assert elo.log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize("counts", rows("elo.equal_results_of_all_pairs_still_give_a_ratio"))
def test_equal_results_of_all_pairs_still_give_a_ratio(counts):
    for elo0, elo1 in ((0, 2), (-300, 300), (200, 400)):
        assert math.isfinite(elo.log_likelihood_ratio(counts, elo0, elo1))
