"""The page when another game is opened: puzzles, quizzes and analyses end, records stay."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import re

import chromium
import pytest
from board_server import (
    ANALYSED,
    LATEST,
    QUESTION,
    choose_nodes,
    enter,
    hold,
    new_game,
    paste,
    play,
    ply,
    state,
)
from conftest import there

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")

MOVES = "[...document.querySelectorAll('#moves button')].map(each => each.textContent).join()"
TAB = "document.body.dataset.tab"
ENGINE = "/depth/.test(document.querySelector('#analysis-head').textContent)"
MASTERS = '[White "Ann"]\n[Black "Ben"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n'


def try_it(page):
    page.click("#moves [data-ply='3']")
    ply(page, 3)
    page.click("#try")
    page.wait_text("#status", QUESTION)


def puzzle(page):
    page.click("#puzzle")
    page.wait_text("#status", QUESTION)


def test_a_puzzle_ends_when_another_game_opens(page):
    new_game(page, "othello", you=(True, True))
    play(page, "d3")
    page.click("#tab-analyse")
    paste(page, ANALYSED)
    page.wait_count("#moves button", 5)
    page.click("#puzzle-add")
    page.click("#engine-on")
    ways = {
        "recent": lambda: (page.click("#recent"), page.click("#recent-games .open")),
        "paste": lambda: paste(page, "1. d4 d5 2. c4 *"),
        "link": lambda: page.evaluate("location.hash = '#game=chess&moves=e2e4+c7c5'"),
        "game": lambda: page.choose("#game", "othello"),
    }
    for name, change in ways.items():
        for ask in (puzzle, try_it):
            page.evaluate("location.hash = ''")
            paste(page, ANALYSED)
            page.wait("document.querySelector('#moves [data-ply=\"3\"]')")
            ask(page)
            change()
            page.wait("!document.querySelector('#status').textContent.startsWith('Find')")
            page.wait(ENGINE)
            assert page.evaluate("document.querySelector('#try').ariaPressed") == "false", name
    page.click("[data-cell='c3']")
    ply(page, 2)
    page.click("#engine-on")


def test_premoves_hints_and_analyses_end_with_their_game(page):
    new_game(page, "chess", time="move 20")
    enter(page, "e4")
    state(page, "theirs")
    page.click("[data-cell=d2]")
    page.click("[data-cell=d4]")
    page.wait_count(".premoved", 2)
    page.evaluate("location.hash = '#game=chess&moves=e2e4+e7e5'")
    ply(page, 2)
    assert page.count(".premoved") == 0
    page.click("#tab-analyse")
    paste(page, MASTERS)
    page.wait_count("#moves button", 5)
    page.press("t")  # the engine searches for a threat in this position
    choose_nodes(page, 100_000)
    page.click("#review")
    page.wait_text("#review", "Stop")
    page.click("#annotate summary")
    page.type("#comment", "about the masters")
    page.evaluate("location.hash = '#game=chess&moves=d2d4'")
    page.wait(f"{MOVES} === 'd4'")
    page.wait_text("#review", "Analyse the whole game")
    assert page.evaluate("document.querySelector('#comment').value") == ""
    assert page.count(".arrow.threat") == 0


def test_a_quiz_ends_when_another_tree_is_requested(page):
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    page.click("#quiz")
    page.choose("#plies", 4)
    page.choose("#game", "chess")  # its tree is too large to draw
    page.wait_part("#tree-error", "400")
    assert page.text("#quiz") == "Start the quiz"


def test_playing_on_from_a_record_begins_a_new_game(page, browser, tmp_path):
    browser.save_to(tmp_path)
    paste(page, MASTERS)
    page.wait_count("#moves button", 5)
    page.press("ArrowRight")
    ply(page, 1)
    page.click("#tab-play")
    page.wait_text("#status", "Black to move. Play from here?")
    assert page.text("#banner-words") == "Ann – Ben 1-0"
    assert [page.text(f"#player-{place} .name") for place in ("bottom", "top")] == ["Ann", "Ben"]
    page.click("[data-cell=c7]")
    page.click("[data-cell=c5]")
    page.wait_text("#setup-title", "Play from here?")
    page.choose("#you", "both")
    page.click("#begin")
    page.wait(f"{MOVES} === 'e4,c5'")
    assert page.texts("#moves .comment") == ["From Ann – Ben 1-0 after 1. e4"]
    play(page, "Nf3")
    page.click("#save")
    page.click("#ask-choices [value=pgn]")
    text = there(tmp_path / "chess.pgn").read_text()
    assert "From Ann - Ben" in text or "From Ann – Ben 1-0 after 1. e4" in text
    assert '[White "Ann"]' not in text and "Bb5" not in text
    paste(page, MASTERS)
    page.wait(f"{TAB} === 'analyse' && {MOVES} === 'e4,e5,Nf3,Nc6,Bb5'")


def test_changes_to_a_record_are_variations_and_its_original_can_be_restored(page):
    paste(page, MASTERS)
    page.wait_count("#moves button", 5)
    page.press("End")
    ply(page, 5)
    assert page.evaluate("document.querySelector('#original').hidden")
    for number, text in enumerate(("a6", "Ba4"), 6):
        enter(page, text)
        ply(page, number)
    assert page.text("#moves .variation") == "3.Bb5a64.Ba4", "the file's main line ends there"
    assert page.count("#moves .turn button") == 5
    page.click("#annotate summary")
    page.click("#promote")
    page.wait_count("#moves .turn button", 7)
    page.wait("!document.querySelector('#original').hidden")
    page.reload()
    ply(page, 7)
    page.click("#original")
    page.click("#ask-choices [value=yes]")
    page.wait_count("#moves button", 5)
    page.wait("document.querySelector('#original').hidden")


def test_the_key_for_the_next_mistake_works_in_a_variation_and_after_an_answer(page):
    moves = "1. f3 $2 (1. e4 e5) e5 2. a3 $4 (2. e4 Nf6) Nc6 3. a4 $2 (3. e4 Nf6) Nf6 *"
    paste(page, moves)
    page.wait_count("#moves button", 12)
    page.click("#moves .variation:nth-of-type(2) button")
    page.wait("document.querySelector('#moves .variation [aria-current]')")
    page.press("n")
    page.wait_text("#moves [aria-current]", "a3??")
    page.click("#try")
    page.wait_part("#status", "Find a better move for White than 2. a3")
    page.drag("[data-cell=e2]", "[data-cell=e4]")
    page.wait_part("#status", "Right: e4 is better")
    page.press("n")
    page.wait_text("#moves [aria-current]", "a4?")
    page.press("p")
    page.wait_text("#moves [aria-current]", "a3??")
    page.click("#try")  # nothing in the file says how good another answer is
    page.wait_part("#status", "Find a better move")
    page.drag("[data-cell=d2]", "[data-cell=d4]")
    page.wait("/^(Right: d4|d4 also loses)/.test(document.querySelector('#status').textContent)")


def test_moves_taken_back_are_not_saved_and_move_numbers_follow_from_the_position(
    page, browser, tmp_path
):
    browser.save_to(tmp_path)
    new_game(page, "chess", you=(True, True))
    play(page, "e4", "e5", "Nf3")
    page.click("#back")
    ply(page, 2)
    page.click("#next")
    ply(page, 3)
    page.click("#back")
    ply(page, 2)
    play(page, "d4")
    assert page.evaluate(MOVES) == "e4,e5,d4"
    page.click("#back")
    ply(page, 2)
    page.click("#save")
    page.click("#ask-choices [value=pgn]")
    text = there(tmp_path / "chess.pgn").read_text()
    assert "1. e4 e5 *" in text and "d4" not in text and "Nf3" not in text
    start = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    paste(page, f'[FEN "{start}"]\n\n3... Bc5 4. c3 Nf6 *')
    page.wait_count("#moves button", 3)
    assert page.text("#moves").startswith("3.…Bc54.c3Nf6")
    page.click("#tab-play")
    new_game(page, "chess", start, you=(True, True))
    play(page, "Bc5")
    assert page.text("#moves") == "3.…Bc5"


def copied(page, button):
    """Return the words of the link that a button copies."""
    page.evaluate("window.copied = null")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.click(button)
    return page.wait("window.copied").partition("#")[2]


def shown_tree(page):
    return page.evaluate(
        "['#tree-count', '#tree-words', '#tree-why'].map(name => document.querySelector(name).textContent)"
    )


def test_a_link_in_learn_opens_what_is_shown_and_is_selected_if_it_cannot_be_copied(page):
    page.evaluate("navigator.clipboard.writeText = undefined")
    page.click("#link")
    page.wait("document.querySelector('#ask').open")
    assert page.evaluate("getSelection().toString() || document.activeElement.value").endswith(
        "#game=chess"
    )
    page.press("Escape")
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    page.evaluate("document.querySelector('#tree').value = '(not shown'")
    links = []
    page.choose("#algorithm", "minimax")
    page.wait_part("#tree-why", "Max moves at node 0.")
    page.click("#tree-next")
    links.append((copied(page, "#tree-link"), shown_tree(page)))
    page.wait_text("#tree-error", "Link copied")
    page.choose("#example", "Move ordering")
    page.wait_count("#pictures button", 3)
    page.evaluate("document.activeElement.blur()")
    page.press("3")
    page.wait_text("#tree-picture [data-node='15'] .value", "13")
    page.press("End")
    links.append((copied(page, "#tree-link"), shown_tree(page)))
    page.choose("#game", "tictactoe")
    page.wait_part("#tree-picture .level", "X")
    page.choose("#plies", 1)
    page.click("#from-board")
    page.wait_count("#tree-picture .node", 10)
    links.append((copied(page, "#tree-link"), shown_tree(page)))
    assert "step=1" in links[0][0] and "search=minimax" in links[0][0]
    assert "lesson=Move+ordering&picture=3" in links[1][0]
    assert "game=tictactoe&depth=1" in links[2][0]
    for link, shown in links:
        page.evaluate(f"location.hash = {link!r}")
        page.wait(f"document.querySelector('#tree-why').textContent === {shown[2]!r}")
        assert shown_tree(page) == shown
    page.evaluate("location.hash = '#lesson=Nothing'")
    page.wait_text("#tree-error.error", 'there is no lesson "Nothing"')


STUDY = """[White "Ann"]
[Black "Ben"]
[WhiteElo "2100"]
[BlackTitle "IM"]
[Event "Club match"]
[Date "2024.05.06"]

1. e4 {[%csl Gd4][%cal Re4e5] [%clk 0:09:58]} e5 {[%clk 0:09:30]} 2. Nf3 {[%clk 0:09:13]} Nc6 1-0
"""


def test_a_records_arrows_clocks_ratings_and_times_are_shown_and_saved(page, browser, tmp_path):
    browser.save_to(tmp_path)
    paste(page, STUDY)
    page.wait_count("#moves button", 4)
    assert page.text("#player-bottom .name") == "Ann (2100)"
    assert page.text("#player-top .name") == "IM Ben"
    assert page.text("#caption") == "Club match · 2024.05.06"
    page.press("ArrowRight")
    ply(page, 1)
    shapes = "[...document.querySelectorAll('.arrow.own')].map(each => each.getAttribute('class'))"
    assert page.evaluate(shapes) == ["arrow own own0", "arrow own own1"]
    for key in ("ArrowRight", "ArrowRight"):
        page.press(key)
    ply(page, 3)
    assert page.text("#player-bottom .clock") == "09:13"
    assert page.text("#player-top .clock") == "09:30"
    assert page.text("#status") == "Black to move. Nf3 took 0:45"
    x, y = page._middle("[data-cell=f3]")
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="right", modifiers=1)
    page.click("#save")
    page.click("#ask-choices [value=pgn]")
    text = there(tmp_path / "chess.pgn").read_text()
    for part in ("[%csl Gd4]", "[%cal Re4e5]", "[%csl Bf3]", "[%clk 0:09:13]", '[WhiteElo "2100"]'):
        assert part in text, part
    paste(page, "1. d4 *")
    page.wait_count("#moves button", 1)
    paste(page, text)
    page.wait_count("#moves button", 4)
    page.press("ArrowRight")
    ply(page, 1)
    assert page.count(".arrow.own") == 2


def test_keys_pressed_while_a_position_loads_are_obeyed(page):
    pawns = [f"{file}{rank}" for file in "abcdefgh" for rank in (3, 6)]
    paste(page, " ".join([*pawns, *"a4 a5 b4 b5 c4 c5".split()]))
    page.wait_count("#moves button", 22)
    page.evaluate("document.activeElement.blur()")
    hold(page, "position")
    for _ in range(20):
        page.press("ArrowRight")
    page.evaluate("letGo()")
    ply(page, 20)
    page.press("l")
    page.wait("document.querySelector('#engine-lines .pv button')")
    assert re.match(r"11\.$", page.evaluate("document.querySelector('.pv button').dataset.number"))
    page.press("l")
    page.wait("document.querySelector('#engine-on').ariaPressed === 'false'")
    best = page.text("#engine-lines .pv button")
    page.press(" ")
    page.wait_text("#moves [aria-current]", best)


def test_premoves_are_dragged_and_dropped(page):
    new_game(page, "chess", time="move 20")
    enter(page, "e4")
    state(page, "theirs")
    page.drag("[data-cell=d2]", "[data-cell=d4]")
    page.wait_count(".premoved", 2)
    x, y = page._middle("[data-cell=h5]")
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="right")
    assert page.count(".premoved") == 0 and page.count(".arrow.own") == 0
    page.drag("[data-cell=h2]", "[data-cell=h3]")
    page.click("#now")
    page.wait(f"{MOVES}.includes('h3')")


def test_a_reload_returns_to_the_lesson_and_its_step(page):
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    for example in ("Move ordering", "Two moves each"):
        page.choose("#example", example)
        shown = "document.querySelector('#tree-count').textContent"
        page.wait(f"{shown}.startsWith('{example}: 1 of')")
        page.evaluate("document.activeElement.blur()")
        for _ in range(3):
            page.press("ArrowRight")
        step = page.wait("Number(document.querySelector('#tree-where').value) || ''")
        words = page.text("#tree-why")
        page.reload()
        page.wait(f"{shown}.startsWith('{example}:')")
        page.wait(f"document.querySelector('#tree-where').value === '{step}'")
        assert page.text("#tree-why") == words and page.evaluate(TAB) == "learn"


def test_a_puzzle_is_the_users_own_mistake_and_shows_its_game_and_answer(page):
    both = '[White "Ann"]\n[Black "Ben"]\n\n' + ANALYSED.replace("e5 {", "e5 $2 {").replace(
        "} 2. g4", "} ( 1... d5 ) 2. g4"
    )
    paste(page, both)
    page.wait_count("#moves button", 6)
    page.click("#puzzle-add")
    page.click("#ask-choices [value=Ann]")
    page.wait_text("#status", "1 new puzzle from 1 mistake")
    page.click("#puzzle-add")  # the page asks only once who the user is
    page.wait_text("#status", "0 new puzzles from 1 mistake")
    paste(page, MASTERS)
    page.wait_count("#moves button", 5)
    page.click("#puzzle-add")
    wanted = "No mistake by Ann with a better move is marked: analyse the game first"
    page.wait_text("#status", wanted)
    paste(page, "1. c4 *")
    enter(page, "d4")  # the record is changed
    page.wait("!document.querySelector('#original').hidden")
    puzzle(page)
    assert page.evaluate("document.querySelector('#original').hidden"), "a puzzle has no file"
    assert page.texts("#moves .comment") == ["From Ann – Ben 0-1"]
    page.wait_text("#better", "Show the answer")
    page.click("#better")
    page.wait_text("#status", "The answer: d4")
    stored = "JSON.parse(localStorage['plyglot/puzzles'])"
    assert page.evaluate(f"{stored}[0].solved") == 0
    page.evaluate(
        f"localStorage['plyglot/puzzles'] = JSON.stringify([...{stored}, {{ odd: 1 }}]), 1"
    )
    page.reload()
    page.wait("document.body.dataset.state && !document.querySelector('[inert]')")
    page.click("#tab-analyse")
    paste(page, ANALYSED)
    page.wait_count("#moves button", 5)
    page.click("#puzzle-add")
    page.wait_part("#status", "from 1 mistake")
    assert page.evaluate(f"{stored}.some(({{ odd }}) => odd)"), (
        "an entry that the page doesn't understand is kept"
    )


def test_all_parts_of_quizzes_and_lessons_are_visible_in_full_screen(page, browser, tmp_path):
    page.resize(1280, 720)
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    assert page.evaluate("document.querySelector('#example').value") == "The lecture's tree"
    page.evaluate("document.activeElement.blur()")
    page.press("n")
    page.wait_count("#pictures button", 3)
    page.press("n")
    page.wait_count("#position-shown [data-cell]", 64)
    assert page.evaluate("document.documentElement.scrollHeight") == 720
    page.press("f")
    page.wait("document.fullscreenElement")
    seen = "['#course-text', '#position-shown', '#check'].map(name => document.querySelector(name).checkVisibility())"
    assert page.evaluate(seen) == [True, True, False]
    page.press("f")
    page.wait("!document.fullscreenElement")
    page.choose("#example", "Two moves each")
    page.wait_text("#tree-count", "Two moves each: 1 of 10 nodes visited, 0 pruned")
    assert page.evaluate("document.querySelector('#position-shown').hidden")
    page.click("#quiz")
    page.evaluate("document.activeElement.blur()")
    page.press("f")
    page.wait("document.fullscreenElement")
    assert page.evaluate(seen)[2]
    x, y = page.evaluate(MIDDLE_OF_EDGE)
    for kind in ("mousePressed", "mouseReleased"):  # a click less than 12 pixels from the branch
        page.call("Input.dispatchMouseEvent", type=kind, x=x + 8, y=y, button="left", clickCount=1)
    page.wait_text("#tree-words", "1 node selected")
    page.click("#check")
    page.wait_part("#tree-words", "All right: 1 of 10")
    page.press("f")
    page.wait("!document.fullscreenElement")


MIDDLE_OF_EDGE = """(() => {
  const path = document.querySelector('#tree-picture [data-edge="7"] path.hit');
  const { x, y } = path.getPointAtLength(path.getTotalLength() * 0.7).matrixTransform(path.getScreenCTM());
  return [x, y];
})()"""


def test_the_page_asks_before_it_saves_a_worksheet_too_small_to_read(page, browser, tmp_path):
    browser.save_to(tmp_path)
    page.click("#tab-learn")
    page.choose("#random-plies", 6)
    page.wait_count("#tree-picture .node", 127)
    page.click("#worksheet")
    page.wait_part("#ask-title", "points high: too small to read")
    page.click("#ask-choices [value=Cancel]")
    page.choose("#random-plies", 3)
    page.wait_count("#tree-picture .node", 15)
    page.click("#worksheet")
    there(tmp_path / "worksheet.html")


def test_the_list_of_a_files_games_survives_a_reload_and_is_searched(page):
    new_game(page, "othello", you=(True, True))
    play(page, "d3")
    page.click("#tab-analyse")
    chapter = '[Event "Study: Chapter {}"]\n\n1. {} *\n\n'
    paste(page, MASTERS + "\n" + chapter.format(1, "d4") + chapter.format(2, "c4"))
    page.wait_count("#chosen option", 3)
    assert page.texts("#chosen option")[1:] == ["2. Study: Chapter 1", "3. Study: Chapter 2"]
    page.choose("#chosen", 2)
    page.wait(f"{MOVES} === 'c4'")
    page.type("#find", "ann")
    page.wait_count("#chosen option", 1)
    page.evaluate("document.querySelector('#find').value = ''")
    page.wait(f"{LATEST}.inFile?.at === 2")
    page.reload()
    page.wait_count("#chosen option", 3)
    page.wait("document.querySelector('#chosen').value === '2'")
    page.choose("#game", "othello")
    page.wait("document.querySelector('#which-game').hidden")
    page.click("#recent")
    page.click("#recent-games li:nth-child(2) .open")
    page.wait("document.querySelector('#chosen').value === '2'")
