"""Win, draw and loss in permille."""

import pytest

from games.base import MAX_SCORE, WIN
from protocol.records.record import Start
from protocol.scores import winrate
from search.report import wdl

SCORES = [-WIN, -MAX_SCORE, -100000] + list(range(-3000, 3001, 7)) + [100000, MAX_SCORE, WIN]


@pytest.mark.parametrize("scale", [1, 150, 200, 2000])
def test_chances_add_up_and_rise_with_the_score(scale):
    chances = [wdl(score, scale) for score in SCORES]
    assert all(sum(three) == 1000 and min(three) >= 0 for three in chances)
    assert [three[0] for three in chances] == sorted(three[0] for three in chances)
    assert [three[2] for three in chances] == sorted((three[2] for three in chances), reverse=True)


def test_both_sides_get_mirrored_chances():
    for score in SCORES:
        assert wdl(score, 200) == wdl(-score, 200)[::-1]


def test_proven_results_are_certain():
    assert wdl(WIN - 3, 200) == (1000, 0, 0) and wdl(3 - WIN, 200) == (0, 0, 1000)
    win, draw, loss = wdl(0, 200)
    assert win == loss < draw


def test_the_same_lead_of_othello_is_surer_with_fewer_empty_squares():
    position, shares = Start("othello").position(), []
    while position.outcome() is None:
        shares.append(winrate(400, position))
        position.make(position.legal_moves()[0])
    assert shares == sorted(shares) and shares[0] < 0.6 and shares[-1] > 0.75
