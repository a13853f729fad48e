"""Win, draw and loss in permille."""
import pytest

from games.base import MAX_SCORE, WIN
from search.wdl import wdl

SCORES = [-WIN, -MAX_SCORE, -100000] + list(range(-3000, 3001, 7)) + [100000, MAX_SCORE, WIN]


@pytest.mark.parametrize("scale", [1, 150, 200, 2000])
def test_chances_add_up_and_rise_with_the_score(scale):
    chances = [wdl(score, scale) for score in SCORES]
    assert all(sum(three) == 1000 and min(three) >= 0 for three in chances)
    assert [three[0] for three in chances] == sorted(three[0] for three in chances)
    assert [three[2] for three in chances] == sorted((three[2] for three in chances), reverse=True)


def test_both_sides_agree():
    for score in SCORES:
        assert wdl(score, 200) == wdl(-score, 200)[::-1]


def test_certain_results():
    assert wdl(WIN - 3, 200) == (1000, 0, 0) and wdl(3 - WIN, 200) == (0, 0, 1000)
    win, draw, loss = wdl(0, 200)
    assert win == loss < draw
