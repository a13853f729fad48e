"""The page with unusual games: moves of several jumps, pieces in hand, counters."""
# Not in the fast part of scripts/test.

import chromium
import pytest
from board_server import enter, new_game, paste, ply

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")

TWO_JUMPS = "7m/8/3m4/8/3m4/2M5/8/8 b 0"
# The king can capture all four pieces either way round, and ends where it started.
ROUND = "7m/8/8/8/3m1m2/2K5/3m1m2/8 b 0"


def piece_on(page, cell):
    where = f"""document.querySelector('[data-cell="{cell}"]')"""
    return page.evaluate(where + ".dataset.piece ?? ''")


def targets(page):
    """Return the cells that are marked as targets of the chosen piece."""
    return page.evaluate(
        "[...document.querySelectorAll('.cell:has(.target, .ring)')].map(each => each.dataset.cell)"
    )


def test_captures_are_clicked_jump_by_jump_or_by_last_square_if_only_one_way_leads_there(page):
    new_game(page, "jumps", you=(True, True), start=TWO_JUMPS)
    page.click("[data-cell=c3]")
    assert sorted(targets(page)) == ["c7", "e5"]
    page.click("[data-cell=e5]")
    ply(page, 0)
    assert targets(page) == ["c7"] and page.count(".cell > .chosen") == 2
    page.click("[data-cell=c7]")
    ply(page, 1)
    assert [piece_on(page, cell) for cell in ("c3", "d4", "d6", "c7")] == ["", "", "", "M"]
    assert page.texts("#moves button") == ["c3xe5xc7"]
    for by in ("click", "drag"):
        new_game(page, "jumps", you=(True, True), start=TWO_JUMPS)
        if by == "click":
            page.click("[data-cell=c3]")
            page.click("[data-cell=c7]")
        else:
            page.drag("[data-cell=c3]", "[data-cell=c7]")
        ply(page, 1)
        assert piece_on(page, "c7") == "M"
    new_game(page, "jumps", you=(True, True), start=ROUND)
    for cell in ("c3", "e5", "g3", "e1", "c3"):
        page.click(f"[data-cell={cell}]")
    ply(page, 1)
    assert page.texts("#moves button") == ["c3xe5xg3xe1xc3"]
    assert [piece_on(page, cell) for cell in ("c3", "d4", "f2")] == ["K", "", ""]
    page.click("#editor")
    page.click("[data-brush=k]")
    page.click("#edit-board [data-cell=f4]")
    page.wait_part("#edit-text", "7m/8/8/8/5k2/2K5/8/8 w ")


# White may drop a knight or a pawn; a knight on f7 gives check to the king on h8.
HANDS = "7k/8/8/8/8/8/4K3/8[NPPq] w - - 0 1"


def drop_knight(page, by):
    if by == "drag":
        page.drag("[data-hand=N]", "[data-cell=f7]")
    elif by == "click":
        page.click("[data-hand=N]")
        assert "f7" in targets(page) and "h8" not in targets(page)
        page.click("[data-cell=f7]")
    else:
        page.evaluate("document.querySelector('[data-hand=N]').focus()")
        page.press("Enter")
        page.evaluate("document.querySelector('[data-cell=f7]').focus()")
        page.press("Enter")


def test_a_piece_in_hand_is_dropped_released_and_set(page):
    for by in ("click", "drag", "keyboard"):
        new_game(page, "crazyhouse", you=(True, True), start=HANDS)
        assert page.evaluate("document.querySelector('[data-hand=P]').textContent") == "2"
        assert page.evaluate("document.querySelector('[data-hand=q]').disabled")
        drop_knight(page, by)
        ply(page, 1)
        assert piece_on(page, "f7") == "N" and page.count("[data-hand=N]") == 0
        assert page.texts("#moves button") == ["N@f7+"]
        assert page.count(".checked") == 1
    new_game(page, "crazyhouse", you=(True, True), start=HANDS)
    page.click("[data-hand=P]")
    page.click("[data-cell=e2]")
    assert sorted(targets(page)) == ["d1", "d2", "d3", "e1", "e3", "f1", "f2", "f3"]
    page.click("#editor")
    assert page.evaluate("document.querySelector('#edit-hands').value") == "NPPq"
    page.evaluate("document.querySelector('#edit-hands').value = ''")
    page.type("#edit-hands", "rB")
    page.wait_part("#edit-text", "[Br]")
    page.click("#edit-done")
    page.wait("document.querySelector('[data-hand=B]') && document.querySelector('[data-hand=r]')")


def test_the_number_of_checks_left_is_shown_beside_the_names_and_can_be_set(page):
    new_game(page, "3check", you=(True, True), start="4k3/8/8/8/8/8/8/R3K3 w - - 2+1 0 1")
    assert "checks left: 2" in page.text("#player-bottom")
    page.click("[data-cell=a1]")
    page.click("[data-cell=a8]")
    ply(page, 1)
    assert "checks left: 1" in page.text("#player-bottom")
    assert "checks left: 1" in page.text("#player-top")
    new_game(page, "3check", you=(True, True), start="4k3/8/8/8/8/8/8/R3K3 w - - 2+1 0 1")
    page.click("#editor")
    assert page.text("#edit-hands-name") == "Checks left"
    assert page.evaluate("document.querySelector('#edit-hands').value") == "2+1"
    page.evaluate("document.querySelector('#edit-hands').value = ''")
    page.type("#edit-hands", "3+x")
    page.wait_part("#edit-error", "checks must be written as 3+3")
    page.evaluate("document.querySelector('#edit-hands').value = ''")
    page.type("#edit-hands", "1+3")
    page.wait_text("#edit-text", "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1")
    page.click("#edit-done")
    page.wait_part("#player-bottom", "checks left: 1")


def test_the_hill_and_the_finishing_rank_are_marked(page):
    marked = "[...document.querySelectorAll('.cell:has(.marked)')].map(each => each.dataset.cell)"
    new_game(page, "kingofthehill", you=(True, True))
    assert sorted(page.evaluate(marked)) == ["d4", "d5", "e4", "e5"]
    new_game(page, "racingkings", you=(True, True))
    assert sorted(page.evaluate(marked)) == [f"{file}8" for file in "abcdefgh"]


def test_sides_have_names_if_no_pieces_tell_them_apart(page):
    new_game(page, "tree", you=(True, False))
    page.wait("document.body.dataset.state")
    assert page.text("#player-bottom .name") == "You (Max)"
    assert page.text("#player-top .name") == "Plyglot (Min)"
    page.click("#tab-analyse")
    paste(page, "1. e4 {[%emt 2.1]} *")
    ply(page, 0)
    page.press("ArrowRight")
    page.wait_text("#status", "Black to move. e4 took 2.1 s")
    assert page.text("#player-bottom .name") == "White"
    for text, plies in (("nonsense", 1), ("e5", 2)):  # typed text replaces refused text
        enter(page, text)
        page.wait_part("#status", "not a move") if plies == 1 else ply(page, plies)


def test_a_capture_explodes(page):
    new_game(page, "atomic", you=(True, True), start="4k3/3nbn2/8/8/8/8/8/K3R3 w - - 0 1")
    blasts = (
        "(() => { window.blasts = 0; new MutationObserver((all) => all.forEach(({ addedNodes }) =>"
    )
    blasts += " addedNodes.forEach((node) => { window.blasts += node.querySelectorAll?.('.blast').length ?? 0; })))"
    page.evaluate(
        blasts
        + ".observe(document.querySelector('#board'), { childList: true, subtree: true }); })()"
    )
    page.click("[data-cell=e1]")
    page.click("[data-cell=e7]")
    ply(page, 1)
    pieces = [piece_on(page, cell) for cell in ("e1", "d7", "e7", "f7", "e8")]
    assert pieces == ["", "", "", "", ""]
    page.wait("window.blasts > 0")
    assert "exploded" in page.text("#status")


VARIANTS = "kingofthehill 3check antichess atomic crazyhouse horde racingkings".split()


def test_an_engine_plays_each_variant_on_the_page(page):
    for name in VARIANTS:
        new_game(page, name)
        page.click(f"[data-cell={page.evaluate(CAN)}]")
        page.click(f"[data-cell={page.evaluate(TARGET)}]")
        ply(page, 2)
    page.click("#tab-analyse")
    page.click("#engine-on")
    page.wait("document.querySelector('#engine-lines .value').textContent")


CAN = "document.querySelector('.cell.can').dataset.cell"
TARGET = "document.querySelector('.cell .target, .cell .ring').parentNode.dataset.cell"


def test_chess960_shuffles_the_pieces_of_a_variants_start(page):
    new_game(page, "horde", you=(True, True))
    page.click("#new")
    page.click("[data-option=UCI_Chess960]")
    page.click("#begin")
    page.wait("!document.querySelector('#setup').open")
    text = page.evaluate("document.querySelector('#position').value")
    rank, rest = text.split("/", 1)
    assert sorted(rank) == sorted("rnbqkbnr")
    assert rest == "pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"


def test_clicks_play_in_hexagons_but_not_in_holes(page):
    """A click near the corner of a cell plays in that cell, also on the flipped board."""
    new_game(page, "yavalath", you=(True, True))
    assert page.count(".cell .hexagon") == 61
    assert page.evaluate("document.querySelector('[data-cell=a1]')") is None
    for number, flipped in enumerate((False, True)):
        if flipped:
            page.click("#flip")
        page.click(f"[data-cell=e{5 + number}]")
        ply(page, number + 1)
        assert piece_on(page, f"e{5 + number}") == "XO"[number]
    corner = """(() => { const box = document.querySelector('[data-cell=d4] .hexagon').getBoundingClientRect();
        return [box.x + box.width / 2, box.y + 3]; })()"""
    x, y = page.evaluate(corner)
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    ply(page, 3)
    assert piece_on(page, "d4") == "X"


def test_numbered_squares_hands_and_promotion_come_from_the_game(page):
    """Nothing on the page knows the squares, pieces and moves of hoppers (tests/plugins)."""
    start = "...p/..../.p../..../.p../P... w - 0"
    new_game(page, "hoppers", you=(True, True), start=start)
    assert page.texts("#board .number") == [str(number) for number in range(1, 13)]
    assert page.count("#board .coordinate") == 0 and page.count("#board .wedge.second") == 3
    page.click('[data-cell="11"]')
    assert targets(page) == ["3", "8"]
    page.click('[data-cell="8"]')
    page.click('[data-cell="3"]')
    ply(page, 1)
    assert page.text("#player-bottom [data-hand=P] sub") == "2"
    page.click('[data-cell="2"]')
    page.click('[data-cell="4"]')
    ply(page, 2)
    page.drag("#player-bottom [data-hand=P]", '[data-cell="12"]')
    ply(page, 3)
    page.type("#typed", "4 to 5")
    page.press("Enter")
    ply(page, 4)
    page.click("#player-bottom [data-hand=P]")
    page.click('[data-cell="9"]')
    ply(page, 5)
    page.type("#typed", "5-7")
    page.press("Enter")
    ply(page, 6)
    page.click('[data-cell="3"]')
    page.click('[data-cell="1"]')
    page.wait_part("#ask", "Promote?")
    page.click("#ask-choices [aria-label=runner]")
    ply(page, 7)
    assert piece_on(page, "1") == "+P"
    assert "と" in page.texts("#board .wedge text")
    moves = ["11x8x3", "2 to 4", "P on 12", "4 to 5", "P on 9", "5 to 7", "3 to 1+"]
    assert page.texts("#moves button") == moves
    page.click("#flip")
    assert page.count("#board .board.turned") == 1
    page.click("#editor")
    page.click('[data-brush="+p"]')
    page.click('#edit-board [data-cell="4"]')
    page.wait_part("#edit-text", ".+P../..+p./")


def click_moves(page, first, *moves):
    """Click moves, each given as cells such as `7g 7f`; wait for each.  first: plies already played."""
    for number, cells in enumerate(moves, first + 1):
        for cell in cells.split():
            page.click(f"[data-cell='{cell}']")
        ply(page, number)


def test_draughts_is_clicked_jump_by_jump_and_answered(page):
    new_game(page, "draughts", you=(True, True), start="W:W33:B7,8,18,28,5")
    page.click("[data-cell='33']")
    assert sorted(targets(page)) == ["11", "22"]
    click_moves(page, 0, "22 13 2 11")
    assert page.texts("#moves button") == ["33x11"]
    assert [piece_on(page, cell) for cell in ("28", "18", "11", "5")] == ["", "", "M", "m"]
    new_game(page, "draughts")
    page.click("[data-cell='32']")
    page.click("[data-cell='28']")
    ply(page, 2)


def test_shogi_is_played_by_clicks_and_follows_the_settings_and_its_editor_fits(page):
    new_game(page, "shogi", you=(True, True))
    click_moves(page, 0, "7g 7f", "3c 3d")
    page.click("[data-cell='8h']")
    page.click("[data-cell='2b']")
    page.click("#ask-choices [value='8h2b+']")
    ply(page, 3)
    assert piece_on(page, "2b") == "+B" and page.count("[data-hand=B]") == 1
    click_moves(page, 3, "3a 2b")
    page.click("[data-hand=B]")
    click_moves(page, 4, "4e")
    assert page.texts("#moves button") == ["P-7f", "P-3d", "Bx2b+", "Sx2b", "B*4e"]
    assert page.count("[data-hand=B]") == 0 and page.count("[data-hand=b]") == 1
    drawn = "[...document.querySelectorAll('#board .piece text')].map(each => each.textContent)"
    ranks = "[...document.querySelectorAll('#board .coordinate')].map(each => each.textContent)"
    for shown, moves, king, rank in (
        ("native", ["▲７六歩", "△３四歩"], "玉", "一"),
        ("letters", ["P-7f", "P-3d"], "K", "a"),
        ("", ["P-7f", "P-3d"], "玉", "a"),
    ):
        page.click("#open-settings")
        page.choose("[data-setting=shogi]", shown)
        page.press("Escape")
        page.wait(f"{drawn}.includes('{king}') && {ranks}.includes('{rank}')")
        assert page.texts("#moves button")[:2] == moves
    page.resize(1280, 720)
    page.click("#editor")
    page.wait("document.querySelector('#edit-box').open")
    assert page.evaluate(
        "(box => box.scrollHeight <= box.clientHeight)(document.querySelector('#edit-box'))"
    )


def test_captured_pieces_overlap_neither_each_other_nor_the_number_of_checks_left(page):
    new_game(page, "3check", you=(True, True))
    moves = "e2 e4", "d7 d5", "e4 d5", "d8 d5", "b1 c3", "d5 g2", "f1 g2"
    click_moves(page, 0, *moves)
    boxes = page.evaluate(
        "[...document.querySelectorAll('#player-bottom .taken')].map((each) => "
        "[each.getBoundingClientRect().left, each.getBoundingClientRect().right])"
    )
    assert len(boxes) == 2 and boxes[0][1] - boxes[1][0] <= 2
    words = page.evaluate(WORDS)
    assert words["text"] == "checks left: 3" and words["right"] + 3 < boxes[0][0]


WORDS = """(() => {
  const { firstChild } = document.querySelector("#player-bottom .note"), range = new Range();
  range.setStart(firstChild, 0);
  range.setEnd(firstChild, firstChild.length - 1);
  return { text: range.toString(), right: range.getBoundingClientRect().right };
})()"""
