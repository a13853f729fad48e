"""Settings, arrows, threats, previews, draw offers and what a screen reader hears, in a real browser."""

import re

import chromium
import pytest
from board_server import choose_nodes, enter, new_game, paste, play, ply, state
from conftest import there
from tables import rows

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
    limits = "document.querySelector('[data-setting=limit]')"
    page.evaluate(f"{limits}.append(new Option('fewer than the list offers', 'nodes 20000'))")
    page.choose("[data-setting=limit]", "nodes 20000")
    page.choose("[data-setting=hash]", "8")
    page.press("Escape")
    analyse(page, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    page.click("#engine-on")
    page.wait_part("#analysis-head", "20K nodes")


def test_a_piece_in_hand_is_dropped_as_a_premove(page):
    new_game(
        page,
        "crazyhouse",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[N] w KQkq - 0 1",
        time="move 20",
    )
    enter(page, "e4")
    state(page, "theirs")
    page.click("#player-bottom [data-hand=N]")
    page.click("[data-cell=a3]")
    page.wait_count(".premoved", 1)
    page.click("#now")
    ply(page, 3)
    assert page.evaluate("document.querySelector('[data-cell=a3]').dataset.piece") == "N"


def test_a_threat_is_shown_and_a_line_previews_its_board(page):
    analyse(page, "1. e4 e5 2. Bc4 Nc6 3. Qh5 a6")
    page.wait_count("#moves button", 6)
    page.click("#moves [data-ply='5']")
    ply(page, 5)
    page.press("t")
    page.wait_text("#status", "White threatens Qxf7#")
    page.wait_count(".arrow.threat", 1)
    page.click("#engine-on")
    page.wait("document.querySelector('#engine-lines .pv button')")
    page.click("#engine-on")
    page.evaluate("document.querySelector('#engine-lines .pv button').focus()")
    page.wait("document.querySelector('#preview .board').getBoundingClientRect().width > 0")
    page.evaluate("document.activeElement.blur()")
    page.wait("document.querySelector('#preview').getBoundingClientRect().width === 0")


def test_draw_is_agreed_or_declined(page):
    new_game(page, "chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    page.click("#resign")
    page.click("#ask-choices [value=draw]")
    page.wait_text("#status", "Draw by agreement")
    assert state(page, "over")
    new_game(page, "chess", "4k3/8/8/8/8/8/r7/6K1 w - - 0 1")
    page.click("#resign")
    page.click("#ask-choices [value=draw]")
    page.wait_part("#status", "declines the draw")
    assert state(page, "yours")


def test_promotion_is_chosen_at_its_square_and_does_not_count_as_a_capture(page):
    new_game(page, "chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", you=(True, True))
    page.click("[data-cell=a7]")
    page.click("[data-cell=a8]")
    page.wait(OPEN.format("#ask"))
    near = "Math.hypot(one.left - other.left, one.top - other.top) < 2"
    boxes = "['#ask', '[data-cell=a8]'].map(name => document.querySelector(name).getBoundingClientRect())"
    assert page.evaluate(f"(([one, other]) => {near})({boxes})")
    page.click("#ask-choices [value=a7a8q]")
    ply(page, 1)
    assert page.count(".taken") == 0 and page.text("#player-bottom .note") == " +9"


def test_glyphs_are_shown_and_set_and_the_glyph_of_a_good_move_survives_an_analysis(page):
    analyse(page, "1. e4 e5 $16 2. Nf3 *")
    page.wait("document.querySelectorAll('#moves button').length === 3")
    assert page.texts("#moves button") == ["e4", "e5 ±", "Nf3"]
    page.click("#moves [data-ply='2']")
    ply(page, 2)
    page.click("#annotate summary")
    assert page.evaluate("document.querySelector('#marks [value=\"16\"]').ariaPressed") == "true"
    page.click("#marks [value='10']")
    assert page.texts("#moves button") == ["e4", "e5 ± =", "Nf3"]
    analyse(page, "1. e4! e5 2. Bc4 Nc6 3. Qh5 Nf6! 4. Qxf7# 1-0")
    page.wait_count("#moves button", 7)
    choose_nodes(page, 2000)
    page.click("#review")
    page.wait("!document.querySelector('#accuracy').hidden")
    shown = page.texts("#moves li.turn button")
    assert shown[0] == "e4!" and shown[5] == "Nf6??"


def test_modifier_keys_choose_an_arrows_colour_and_a_screen_reader_hears_the_piece(page):
    new_game(page, "chess", you=(True, True))
    shapes = []
    for modifiers, file in ((0, "a"), (8, "b"), (1, "c"), (9, "d")):
        for kind, rank in (("mousePressed", 2), ("mouseReleased", 4)):
            x, y = page._middle(f"[data-cell={file}{rank}]")
            page.call(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="right", modifiers=modifiers
            )
        shapes.append(f"arrow own own{len(shapes)}")
        assert page.evaluate(SHAPES) == shapes
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


REASONS = rows("page_controls.reasons")


def test_screen_readers_announce_why_a_target_is_refused(page):
    told = "[...document.querySelectorAll('#news, #status')].map(each => each.textContent)"
    for fen, cells, heard in REASONS:
        new_game(page, "chess", fen, you=(True, True))
        for cell in cells.split():
            page.click(f"[data-cell={cell}]")
        page.wait(f"{told}.some(each => each.includes({heard!r}))")
    fen = "4k3/8/8/3p4/4P3/8/8/RN2K3 w - - 0 1"
    new_game(page, "antichess", fen, you=(True, True))
    page.click("[data-cell=b1]")
    page.wait_text("#status", "white knight b1: no legal move, a capture is forced")
    page.click("[data-cell=e4]")
    page.click("[data-cell=e5]")
    page.wait_text("#status", "white pawn e4 can't go to e5, a capture is forced")
    page.click("[data-cell=e4]")
    page.click("[data-cell=d5]")
    ply(page, 1)


GLYPHS = {7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+"}
GLYPHS.update({22: "⨀", 32: "⟳", 36: "↑", 40: "→", 44: "=∞", 132: "⇆", 146: "N"})
GAME = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O".split()


def test_glyphs_marks_tags_and_comments_are_saved_and_come_back(page, browser, tmp_path):
    browser.save_to(tmp_path)
    words = [f"{move} ${nag}" for move, nag in zip(GAME, GLYPHS)]
    words[1] = words[1].replace(" ", " $5 ") + " {the king's pawn}"
    analyse(page, f'[White "Me"]\n[WhiteElo "1500"]\n\n{" ".join(words)} *')
    shown = [f"{move} {sign}" for move, sign in zip(GAME, GLYPHS.values())]
    shown[1] = shown[1].replace(" ", "!? ")
    page.wait_part("#moves", "O-O N")
    assert page.texts("#moves button") == shown
    page.click("#save")
    page.click("#ask-choices [value=pgn]")
    saved = there(tmp_path / "chess.pgn")
    text = " ".join(saved.read_text().split())
    assert '[WhiteElo "1500"]' in text and '[Opening "Ruy Lopez' in text
    assert {f"${nag}" for nag in (5, *GLYPHS)} == set(re.findall(r"\$\d+", text))
    paste(page, "1. d4 *")
    page.wait_count("#moves button", 1)
    paste(page, text.replace("] ", "]\n").replace("1. e4", "\n1. e4"))
    page.wait_count("#moves button", len(GAME))
    assert page.texts("#moves button") == shown
    assert page.texts("#moves .comment") == ["the king's pawn"]


FOCUS = "document.activeElement"


def press_button(page, selector):
    page.evaluate(f'document.querySelector("{selector}").focus()')
    page.press("Enter")


def test_the_keyboards_focus_is_never_lost(page):
    page.press("Tab")
    new_game(page, "chess", you=(True, True))
    page.press("Tab")
    enter(page, "e4")
    ply(page, 1)
    press_button(page, "#back")
    page.wait(f"{FOCUS}.id === 'hint'")  # no move is left to take back, so the focus moves on
    press_button(page, "#to-analyse")
    page.wait(f"{FOCUS}.checkVisibility() && {FOCUS} !== document.body")
    paste(page, "1. e4 e5 2. Nf3 $4 (2. Bc4) Nc6 *")
    page.wait_count("#moves button", 5)
    page.press("Tab")
    press_button(page, "#moves [data-ply='3']")
    ply(page, 3)
    page.wait(f"{FOCUS}.ariaCurrent === 'true' && {FOCUS}.closest('#moves')")
    press_button(page, "#better")
    page.wait(f"{FOCUS}.id === 'next-mistake'")
    press_button(page, "#recent")
    page.press("Tab")
    press_button(page, "#recent-games [aria-label]")
    page.wait(f"{FOCUS}.closest('#recent-box')")
    page.press("Escape")
    page.wait(f"!{OPEN.format('#recent-box')} && {FOCUS}.id === 'recent'")


def test_an_engine_at_a_level_waits_before_it_moves_unless_hurried(page):
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    page.choose("#you", "0")
    page.choose("[data-strength='1']", "skill -5")
    page.choose("#time", "move 0.2")
    page.click("#begin")
    page.wait("!document.querySelector('#setup').open")
    page.evaluate(PACE)
    play(page, "e4")
    ply(page, 2)
    first, second = page.evaluate("times")
    assert second - first >= 500
    assert state(page, "yours")
    page.evaluate("window.setTimeout = (work, late) => usual(work, late > 400 ? 1e9 : late)")
    play(page, "a3")
    page.click("#now")
    ply(page, 4)
    play(page, "h3")
    page.wait("document.querySelector('#now').checkVisibility()")
    page.click("#back")  # the move that the engine has found is not played
    page.wait("document.querySelector('#hint').checkVisibility()")
    page.evaluate("(window.setTimeout = usual, new Promise((go) => usual(go, 100)))")
    assert page.evaluate("document.body.dataset.ply") == "4"


PACE = """(() => {
  const times = window.times = [];
  window.usual = setTimeout;
  new MutationObserver(() => times.push(performance.now()))
    .observe(document.body, { attributeFilter: ["data-ply"] });
})()"""


def test_a_click_on_a_move_counts_even_if_the_move_is_redrawn_meanwhile(page):
    new_game(page, "chess", you=(True, True))
    play(page, "e4", "e5", "Nf3")
    page.click("#tab-analyse")
    page.evaluate(
        "document.addEventListener('pointerup', () => document.querySelector('#flip').click(), "
        "{ capture: true, once: true })"
    )
    page.click("#moves [data-ply='1']")
    ply(page, 1)
