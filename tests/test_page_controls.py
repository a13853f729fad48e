"""Settings, arrows, threats, previews, draw offers and what a screen reader hears, in a real browser."""

import chromium
import pytest
from board_server import enter, new_game, paste, play, ply, state

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")
OPEN = "document.querySelector('{}').open"
SHAPES = "[...document.querySelectorAll('.arrow.own')].map(each => each.getAttribute('class'))"


def analyse(page, text):
    page.click("#tab-analyse")
    page.wait("document.body.dataset.tab === 'analyse'")
    paste(page, text)


def test_settings_change_colours_and_switch_letters_off(page):
    page.press("?")
    page.wait(OPEN.format("#settings"))
    background = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(background)
    page.choose("[data-setting=colours]", "dark")
    assert page.evaluate(background) != before
    page.click("[data-setting=shortcuts]")
    page.press("Escape")
    page.wait(f"!{OPEN.format('#settings')}")
    label = "document.querySelector('#player-bottom').dataset.side"
    assert page.evaluate(label) == "0"
    page.press("f")
    assert page.evaluate(label) == "0"


def test_analysis_ends_after_a_number_of_nodes(page):
    page.click("#open-settings")
    page.choose("[data-setting=limit]", "nodes 100000")
    page.choose("[data-setting=hash]", "8")
    page.press("Escape")
    analyse(page, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    page.wait_part("#analysis-head", "100 k nodes")


def test_threat_and_board_of_a_line_are_shown(page):
    analyse(page, "1. e4 e5 2. Bc4 Nc6 3. Qh5 a6")
    page.wait_count("#moves button", 6)
    page.click("#moves [data-ply='5']")
    ply(page, 5)
    page.press("t")
    page.wait_text("#status", "White threatens Qxf7#")
    page.wait_count(".arrow.threat", 1)
    page.wait("document.querySelector('#engine-lines .pv button')")
    page.click("#engine-on")
    page.evaluate("document.querySelector('#engine-lines .pv button').focus()")
    page.wait("document.querySelector('#preview .board').getBoundingClientRect().width > 0")
    page.evaluate("document.activeElement.blur()")
    page.wait("document.querySelector('#preview').getBoundingClientRect().width === 0")


def test_draw_is_agreed_or_declined(page):
    new_game(page, "chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    page.click("#resign")
    page.click("#ask-choices [data-value=draw]")
    page.wait_text("#status", "Draw by agreement")
    assert state(page, "over")
    new_game(page, "chess", "4k3/8/8/8/8/8/r7/6K1 w - - 0 1")
    page.click("#resign")
    page.click("#ask-choices [data-value=draw]")
    page.wait_part("#status", "declines the draw")
    assert state(page, "yours")


def test_promotion_is_chosen_at_its_square_and_is_no_captured_pawn(page):
    new_game(page, "chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", you=(True, True))
    page.click("[data-cell=a7]")
    page.click("[data-cell=a8]")
    page.wait(OPEN.format("#ask"))
    near = "Math.hypot(one.left - other.left, one.top - other.top) < 2"
    boxes = "['#ask', '[data-cell=a8]'].map(name => document.querySelector(name).getBoundingClientRect())"
    assert page.evaluate(f"(([one, other]) => {near})({boxes})")
    page.click("#ask-choices [data-value=a7a8q]")
    ply(page, 1)
    assert page.count(".taken") == 0 and page.text("#player-bottom .note") == " +9"


def test_glyphs_of_a_file_are_shown_and_set(page):
    analyse(page, "1. e4 e5 $16 2. Nf3 *")
    page.wait("document.querySelectorAll('#moves button').length === 3")
    assert page.texts("#moves button") == ["e4", "e5 ±", "Nf3"]
    page.click("#moves [data-ply='2']")
    ply(page, 2)
    page.click("#annotate summary")
    assert page.evaluate("document.querySelector('#marks [value=\"16\"]').ariaPressed") == "true"
    page.click("#marks [value='10']")
    assert page.texts("#moves button") == ["e4", "e5 ± =", "Nf3"]


@pytest.mark.parametrize("modifiers, colour", [(0, 0), (8, 1), (1, 2), (9, 3)])
def test_arrows_have_the_colour_of_the_modifier(page, modifiers, colour):
    new_game(page, "chess", you=(True, True))
    for kind, cell in (("mousePressed", "e2"), ("mouseReleased", "e4")):
        x, y = page._middle(f"[data-cell={cell}]")
        page.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="right", modifiers=modifiers
        )
    assert page.evaluate(SHAPES) == [f"arrow own own{colour}"]


def test_what_is_picked_up_and_why_a_target_is_refused_is_heard(page):
    new_game(page, "chess", you=(True, True))
    page.evaluate("document.body.dataset.by = 'keyboard'")
    page.evaluate("document.querySelector('[data-cell=g1]').focus()")
    page.press("Enter")
    page.wait_text("#news", "white knight g1 picked up: to h3, f3")
    page.press("ArrowUp")
    page.press("Enter")
    page.wait_part("#news", "white pawn g2 picked up: to g")
    page.press("ArrowRight")
    page.press("ArrowUp")
    page.press("Enter")
    page.wait_text("#news", "white pawn g2 can't go to h3")
    play(page, "f3", "e5", "g4")
    enter(page, "Qh4#")
    state(page, "over")


def test_premove_drops_a_piece_in_hand(page):
    new_game(
        page,
        "crazyhouse",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[N] w KQkq - 0 1",
        time="move 1",
    )
    enter(page, "e4")
    state(page, "theirs")
    page.click("#player-bottom [data-hand=N]")
    page.click("[data-cell=e5]")
    page.wait_count(".premoved", 1)
    ply(page, 3)
    assert page.evaluate("document.querySelector('[data-cell=e5]').dataset.piece") == "N"
