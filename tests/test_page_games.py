"""The page with games of their own kinds: moves of several jumps, pieces in hand, counters."""
# Not in the fast part of scripts/test.

import chromium
import pytest
from board_server import new_game

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")

TWO_JUMPS = "7m/8/3m4/8/3m4/2M5/8/8 b 0"
# A king may go round either way, and comes back to where it started.
ROUND = "7m/8/8/8/3m1m2/2K5/3m1m2/8 b 0"


def ply(page, number):
    page.wait(f"document.body.dataset.ply === '{number}'")


def piece_on(page, cell):
    return page.evaluate(f"document.querySelector('[data-cell={cell}]').dataset.piece ?? ''")


def targets(page):
    """Return the cells that are marked as targets of the chosen piece."""
    return page.evaluate(
        "[...document.querySelectorAll('.cell:has(.target, .ring)')].map(each => each.dataset.cell)"
    )


def test_a_capture_of_two_jumps_is_clicked_jump_by_jump(page):
    new_game(page, "checkers", you=(True, True), start=TWO_JUMPS)
    page.click("[data-cell=c3]")
    assert sorted(targets(page)) == ["c7", "e5"]
    page.click("[data-cell=e5]")
    ply(page, 0)
    assert targets(page) == ["c7"] and page.count(".cell > .chosen") == 2
    page.click("[data-cell=c7]")
    ply(page, 1)
    assert [piece_on(page, cell) for cell in ("c3", "d4", "d6", "c7")] == ["", "", "", "M"]
    assert page.texts("#moves button") == ["c3xe5xc7"]


@pytest.mark.parametrize("by", ["click", "drag"])
def test_the_end_of_a_capture_plays_it_if_only_one_way_leads_there(page, by):
    new_game(page, "checkers", you=(True, True), start=TWO_JUMPS)
    if by == "click":
        page.click("[data-cell=c3]")
        page.click("[data-cell=c7]")
    else:
        page.drag("[data-cell=c3]", "[data-cell=c7]")
    ply(page, 1)
    assert piece_on(page, "c7") == "M"


def test_a_king_that_jumps_round_comes_back(page):
    new_game(page, "checkers", you=(True, True), start=ROUND)
    for cell in ("c3", "e5", "g3", "e1", "c3"):
        page.click(f"[data-cell={cell}]")
    ply(page, 1)
    assert page.texts("#moves button") == ["c3xe5xg3xe1xc3"]
    assert [piece_on(page, cell) for cell in ("c3", "d4", "f2")] == ["K", "", ""]
