"""The page beyond moves: saved games, analysis of a game, positions, annotations, links."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import sys

import chromium
import pytest
from board_server import (
    ANALYSED,
    LATEST,
    PGN,
    QUESTION,
    ROOT,
    BoardServer,
    choose_nodes,
    hold,
    new_game,
    paste,
    play,
    ply,
    state,
)
from conftest import there

from scripts.report.analysis import cost
from search.limits import Limits

# Record the left edge of the graph's area at each change during an analysis of the whole game.
WATCH_GRAPH = """(() => {
  window.edges = [];
  new MutationObserver(() => {
    const area = document.querySelector("#graph .second");
    if (area && document.querySelector("#review").textContent === "Stop")
      window.edges.push(Number(area.getAttribute("x")));
  }).observe(document.querySelector("#graph"), { childList: true });
})()"""

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")

MOVES = "[...document.querySelectorAll('#moves button')].map(each => each.textContent)"
SAVED = "Object.keys(localStorage).filter(key => key.startsWith('plyglot/game/'))"
BLUNDERS = '[White "One"]\n[Black "Two"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
WATCH_SHIFTS = """(() => {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    const searching = document.querySelector("#accuracy").hidden; // later shifts don't count
    if (searching) window.shifts.push(...entry.sources.map(({ node }) => node?.outerHTML.slice(0, 200)));
  })).observe({ type: "layout-shift", buffered: false });
})()"""
# Record each new text of the button that starts and stops an analysis.
WATCH_BUTTON = """(() => {
  const button = document.querySelector("#review");
  window.texts = [];
  new MutationObserver(() => window.texts.push(button.textContent)).observe(button, { childList: true });
})()"""
# Press the button #review when the progress bar first moves; record each value of the bar.
STOP_AT_PROGRESS = """(() => {
  const bar = document.querySelector("#progress");
  window.done = [];
  new MutationObserver(() => {
    if (bar.value > 0 && window.done.push(bar.value) === 1) document.querySelector("#review").click();
  }).observe(bar, { attributeFilter: ["value"] });
})()"""


def wait_until_saved(page):
    """Wait until the latest saved game is the one on the board, at the ply that is shown."""
    game, ply, length = page.evaluate(
        f"[document.body.dataset.game, document.body.dataset.ply, {MOVES}.length]"
    )
    wanted = f"game.game === '{game}' && game.line.length === {length} && at.length === {ply}"
    page.wait(f"(({{ game, at }}) => {wanted})({LATEST})")


# ---- saved games -----------------------------------------------------------------------------------------


def test_an_opened_record_survives_a_reload_and_a_change_of_game(page):
    """A reload also keeps the tab, the flipped board and the players' names."""
    page.click("#tab-analyse")
    paste(page, '[White "Ann"]\n[Black "Ben"]\n\n1. e4 *')
    page.wait(f"{MOVES}.join() === 'e4'")
    page.press("End")
    ply(page, 1)
    page.click("#flip")
    wait_until_saved(page)
    page.wait(f"{LATEST}.flipped")
    page.reload()
    page.wait("document.body.dataset.tab === 'analyse' && document.body.dataset.ply === '1'")
    page.choose("#game", "tictactoe")
    ply(page, 0)
    page.choose("#game", "chess")
    ply(page, 1)
    assert [page.text(f"#player-{place} .name") for place in ("top", "bottom")] == ["Ann", "Ben"]
    assert page.evaluate(f"{MOVES}.join()") == "e4"


def test_a_game_against_a_removed_engine_goes_on_against_the_first_engine(browser, tmp_path):
    command = f"cmd={sys.executable} {ROOT / 'engine.py'}"
    first = BoardServer("--engine", "name=Second", command, state=tmp_path)
    page = browser.open(first.address, fresh=True)
    state(page, "yours")
    page.click("#new")
    page.choose("#you", "0")
    page.choose("[data-engine='1']", 1)
    page.choose("#time", "move 0.2")
    page.click("#begin")
    page.wait_text("#banner-words", "You – Second, 0.2 s per move")
    page.type("#typed", "e4")
    page.press("Enter")
    ply(page, 2)
    wait_until_saved(page)
    first.stop()
    second = BoardServer(state=tmp_path)
    page.reload()
    page.wait_text("#banner-words", "You – Plyglot, 0.2 s per move")
    page.type("#typed", "d4")
    page.press("Enter")
    ply(page, 4)
    page.close()
    second.stop()


def test_pieces_outside_the_board_stand_out_in_dark_mode(page):
    """Black pieces have light outlines in the editor and where a pawn is promoted."""
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.call("Emulation.setEmulatedMedia", features=dark)
    outline = "getComputedStyle(document.querySelector('{} .chessman')).stroke"
    try:
        new_game(page, "chess", you=(True, True), start="4k3/8/8/8/8/8/p7/4K3 b - - 0 1")
        text = page.evaluate("getComputedStyle(document.body).color")
        page.click("[data-cell=a2]")
        page.click("[data-cell=a1]")
        page.wait(f"{outline.format('#ask-choices')} === '{text}'")
        page.press("Escape")
        page.click("#editor")
        page.wait(f"{outline.format('#brushes')} === '{text}'")
        page.press("Escape")
    finally:
        page.call("Emulation.setEmulatedMedia", features=[])


def test_comment_that_is_being_typed_survives_a_reload(page):
    new_game(page, "othello", you=(True, True))
    play(page, "d3")
    page.evaluate("document.querySelector('#comment').closest('details').open = true")
    page.type("#comment", "a start")
    page.reload()
    page.wait_text("#moves .comment", "a start")
    page.click("#recent")
    assert page.text("#recent-games small").startswith("1 move ·")
    assert page.text("#player-top").strip().endswith("discs: 1")


def test_a_game_survives_a_reload_a_change_of_game_and_a_server_restart(browser, tmp_path):
    first = BoardServer(state=tmp_path)
    page = browser.open(first.address, fresh=True)
    state(page, "yours")
    new_game(page, "chess", you=(True, True))
    play(page, "e4", "c5", "Nf3")
    wait_until_saved(page)
    page.reload()
    page.wait(f"{MOVES}.join() === 'e4,c5,Nf3'")
    page.choose("#game", "tictactoe")
    ply(page, 0)
    page.click("[data-cell=b2]")
    page.wait(f"{MOVES}.length > 0")
    page.choose("#game", "chess")
    page.wait(f"{MOVES}.join() === 'e4,c5,Nf3'")
    wait_until_saved(page)
    page.close()
    first.stop()
    second = BoardServer(state=tmp_path)
    assert second.address == first.address
    again = browser.open(second.address)
    again.wait(f"{MOVES}.join() === 'e4,c5,Nf3'")
    again.click("#recent")
    assert "Chess" in again.text("#recent-games li")
    assert again.evaluate("document.querySelectorAll('#recent-games li').length") == 2
    third = BoardServer(state=tmp_path)
    assert third.port != second.port and third.token != second.token, "the usual port is in use"
    again.close()
    third.stop()
    second.stop()


def test_a_game_that_was_opened_twice_is_listed_once(page):
    paste(page, "1. e4 e5 *")
    page.wait(f"{SAVED}.length === 1")
    page.click("#annotate summary")
    page.type("#comment", "mine")
    for _ in range(7):
        paste(page, "1. e4 e5 *")
        assert "as you left it" in page.text("#status")
    assert "mine" in page.text("#moves")
    paste(page, "1. e4 {a comment} e5 *")
    page.wait(f"{SAVED}.length === 2")
    page.click("#recent")
    assert page.count("#recent-games li") == 2


ODD_ENTRIES = """(() => {
  const odd = ["5", "null", "{", "{}", '{"id":"x","game":{}}', '{"id":"x","game":{"game":"chess",'
    + '"players":["",""],"result":"*","line":[{}]},"at":[],"sides":[],"time":"","clocks":[0,0]}'];
  odd.forEach((text, number) => localStorage.setItem(`plyglot/game/odd${number}`, text));
  localStorage.setItem("plyglot/liked", '{"sides": 5, "time": {}, "sound": "x", "last": 7}');
  localStorage.setItem("plyglot/current/chess", "[]");
  return odd.length;
})()"""


def test_invalid_entries_of_the_storage_are_ignored_and_kept(page):
    """A newer version of the page may have written such entries."""
    page.evaluate(ODD_ENTRIES)
    page.reload()
    state(page, "yours")
    new_game(page, "chess", you=(True, True))
    play(page, "e4")
    page.click("#recent")
    page.wait("document.querySelector('#recent-box').open")
    assert page.text("#recent-games small").startswith("1 move ·")
    assert page.count("#recent-games li") == 1
    assert (
        page.evaluate("Object.keys(localStorage).filter(key => key.includes('/odd')).length") == 6
    )


COPY_GAME = """(key => {
  const record = JSON.parse(localStorage[key]);
  for (const id of Array.from({ length: 59 }, () => crypto.randomUUID()))
    localStorage['plyglot/game/' + id] = JSON.stringify({ ...record, id });
})(Object.keys(localStorage).find(key => key.startsWith('plyglot/game/')))"""


def test_newest_game_is_kept_if_the_clock_is_set_back(page):
    paste(page, "1. e4 *")
    page.wait(f"{SAVED}.length === 1")
    page.evaluate(COPY_GAME)
    assert page.evaluate(f"{SAVED}.length") == 60
    page.evaluate("(now => { Date.now = () => now() - 1e11 })(Date.now.bind(Date))")
    paste(page, "1. d4 *")
    page.wait(f"{MOVES}.join() === 'd4'")
    page.click("#recent")
    assert page.count("#recent-games li") == 60
    page.click("#recent-games button")
    page.wait(f"{MOVES}.join() === 'd4'")


def test_page_reconnects_to_a_restarted_server(browser, tmp_path):
    first = BoardServer(state=tmp_path)
    page = browser.open(first.address, fresh=True)
    state(page, "yours")
    new_game(page, "chess", you=(True, True))
    play(page, "e4")
    first.stop()
    page.wait_part("#status.error", "The server has stopped")
    second = BoardServer(state=tmp_path)
    page.wait("!document.querySelector('#status.error')")
    play(page, "e5")
    page.close()
    second.stop()


def test_second_tab_continues_a_copy_of_the_game(server, browser):
    one = browser.open(server.address, fresh=True)
    state(one, "yours")
    new_game(one, "chess", you=(True, True))
    play(one, "e4")
    wait_until_saved(one)
    other = browser.open(server.address)
    other.wait("document.querySelector('#status').textContent.includes('another tab')")
    play(other, "e5")
    one.call("Page.bringToFront")
    play(one, "c5")
    one.wait(f"{SAVED}.length === 2")
    words = "JSON.parse(localStorage[key]).game.line.map(step => step.words).join()"
    lines = f"{SAVED}.map(key => {words}).sort().join(';')"
    one.wait(f"{lines} === 'e4,c5;e4,e5'")
    one.close()
    other.close()


# Grant a lock only when letGo() is called.
HOLD_LOCKS = """navigator.locks.request = (name, options, grant) => new Promise((go) => {
  window.letGo = () => go(grant());
})"""


def test_new_game_replaces_a_saved_game_that_still_waits_for_its_lock(page):
    """A page that locks a second game unlocks the first."""
    claims = "import('./store.js').then(async ({ claim }) => (claim('one'), claim('two'), [await claim('one'), await claim('two')]))"
    assert page.evaluate(claims) == [True, True]
    new_game(page, "chess", you=(True, True))
    play(page, "e4")
    wait_until_saved(page)
    new_game(page, "tictactoe", you=(True, True))
    play(page, "b2")
    wait_until_saved(page)
    page.evaluate(HOLD_LOCKS)
    page.choose("#game", "chess")
    page.wait("Boolean(window.letGo)")
    page.click("#new")
    page.click("#begin")
    page.wait("document.querySelectorAll('#board .piece').length === 32")
    page.evaluate("letGo()")
    play(page, "d4")
    assert page.evaluate(f"{MOVES}.join()") == "d4"


def test_full_browser_storage_is_reported(page):
    page.evaluate(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
    )
    new_game(page, "chess", you=(True, True))
    page.click("[data-cell=e2]")
    page.click("[data-cell=e4]")
    page.wait(
        "document.querySelector('#status.error').textContent.startsWith('This browser\\'s storage is full')"
    )


# ---- analysis of a game ----------------------------------------------------------------------------------


def test_game_is_analysed_and_its_mistakes_are_tried_again(page, browser, tmp_path):
    browser.save_to(tmp_path)
    paste(page, BLUNDERS)
    page.wait(f"{MOVES}.length === 4")
    page.press("End")
    page.wait("document.querySelector('#bar-first').style.transform === 'scaleY(0)'")
    page.click("#engine-on")
    page.choose("#effort", "movetime 0.1")
    assert cost(Limits(movetime=0.1), 5) == 2 and page.text("#review-cost") == "Takes at most 2 s."
    page.evaluate(WATCH_GRAPH)
    page.click("#review")
    page.wait("!document.querySelector('#progress').hidden")
    page.frames()  # wait for the layout shifts that the click causes
    page.evaluate(WATCH_SHIFTS)
    page.wait("!document.querySelector('#accuracy').hidden")
    assert page.evaluate("document.querySelector('#graph .first') !== null")
    assert page.evaluate("window.shifts") == [], "the layout must not shift while a search runs"
    edges = page.evaluate("window.edges")
    assert edges == sorted(edges, reverse=True) and edges[0] > edges[-1], (
        "the graph fills from the end"
    )
    assert "One" in page.text("#accuracy")
    assert page.count("#moves .variation") >= 1
    assert page.text("#moves .variation b") in ("1.", "1…", "2.")
    page.press("p")
    page.wait_text("#moves [aria-current]", "g4??")
    page.click("#try")
    page.wait_text("#status", "Find a better move for White than 2. g4")
    assert "g4" not in page.text("#moves")
    assert page.evaluate("document.querySelector('.arrow')") is None
    page.drag("[data-cell=g2]", "[data-cell=g4]")
    page.wait_part("#status", "That move was played in the game")
    page.drag("[data-cell=a2]", "[data-cell=a3]")
    page.wait("/^(Right|a3 also loses)/.test(document.querySelector('#status').textContent)")
    page.click("#save")
    page.click("#ask-choices [value=html]")
    page.wait_text("#status", "Saved as chess.html")
    report = browser.open(f"file://{there(tmp_path / 'chess.html')}")
    report.wait(
        "document.querySelectorAll('#moves .blunder').length > 0 && !document.querySelector('#accuracy').hidden"
    )
    assert report.errors == []
    report.close()


def analyse_whole_game(page):
    page.evaluate(WATCH_BUTTON)
    page.click("#review")
    page.wait("texts.includes('Stop') && texts.at(-1) === 'Analyse again'")


def test_an_analysis_replaces_the_variations_of_an_earlier_analysis(page):
    paste(page, "1. f3 e5 2. g4 Nc6 3. e4 Qh4# 0-1")
    page.wait(f"{MOVES}.length === 6")
    for nodes in (1200, 400):
        choose_nodes(page, nodes)
        analyse_whole_game(page)
        marked = page.count("#moves .turn :is(.blunder, .mistake, .inaccuracy)")
        assert page.count("#moves .variation") == marked > 0
    page.click("#moves .variation button")
    page.wait("document.querySelector('#moves .variation [aria-current]')")
    page.evaluate("document.querySelector('#annotate').open = true")
    page.type("#comment", "mine")
    page.press("Tab")
    page.wait_part("#moves .variation", "mine")
    analyse_whole_game(page)
    assert "mine" in page.text("#moves"), "a line that the user changed stays"


def test_stopped_analysis_is_resumed(page):
    paste(page, PGN)
    page.wait(f"{MOVES}.length === 12")
    page.choose("#effort", "movetime 0.5")
    width = page.evaluate("document.querySelector('#review').offsetWidth")
    page.evaluate(STOP_AT_PROGRESS)
    page.click("#review")
    page.wait_text("#review", "Go on")
    assert page.evaluate("document.querySelector('#review').offsetWidth") == width
    page.choose("#effort", "movetime 0.5")
    page.click("#review")
    page.wait("done.length > 2")
    done = page.evaluate("done")
    assert done == sorted(done), "nothing is searched again"
    page.click("#review")


def test_engine_lines_expand_without_layout_shifts_and_end_with_their_position(page):
    page.choose("[data-setting=limit]", "")
    page.click("#tab-analyse")
    page.click("#engine-on")
    page.wait("document.querySelectorAll('#engine-lines .pv button').length > 6")
    page.frames()  # wait for the layout shifts that the click causes
    page.evaluate(WATCH_SHIFTS)
    for _ in range(3):
        nodes = page.text("#analysis-head")
        page.wait(f"document.querySelector('#analysis-head').textContent !== {nodes!r}")
    page.frames()
    assert page.evaluate("window.shifts") == []
    heights = "[...document.querySelectorAll('#engine-lines li')].map(row => row.offsetHeight)"
    assert len(set(page.evaluate(heights))) == 1
    assert page.text("#analysis-head").startswith("Plyglot · depth ")
    page.click("#engine-lines .more")
    assert page.evaluate("document.querySelector('#engine-lines li').classList.contains('open')")
    page.click("#engine-lines .more")
    page.wait("document.querySelector('.arrow.best')")
    page.click("#engine-on")
    page.wait("document.querySelector('#engine-on').getAttribute('aria-pressed') === 'false'")
    page.click("[data-cell=e2]")
    page.click("[data-cell=e4]")
    ply(page, 1)
    assert page.text("#engine-lines") == "▾▾"
    assert page.evaluate("document.querySelector('.arrow')?.outerHTML") is None
    assert page.text("#bar-text") == ""
    assert page.evaluate("document.querySelector('#bar-first').style.transform") == "scaleY(0.5)"


# ---- positions -------------------------------------------------------------------------------------------

FEN = "8/P6k/8/8/8/8/8/K7 w - - 0 1"


def test_position_is_pasted_and_refused_text_stays_in_the_box(page):
    paste(page, "8/8 w")
    page.wait_part("#paste-error", "8 rows")
    assert page.evaluate("document.querySelector('#pasted').value") == "8/8 w"
    assert page.evaluate("document.querySelector('#paste-box').open")
    page.evaluate("document.querySelector('#pasted').value = ''")
    page.type("#pasted", FEN)
    page.click("#paste-open")
    page.wait(
        f"document.querySelector('#position').value === '{FEN}' && !document.querySelector('#paste-box').open"
    )


def test_editor_sets_up_a_position_and_reports_faults(page):
    page.click("#editor")
    page.wait_count("#edit-board .cell", 64)
    page.wait(
        "document.querySelector('#edit-text').textContent && !document.querySelector('#edit-done').disabled"
    )
    assert page.evaluate(
        "(document.querySelector('#edit-clear').click(), document.querySelector('#edit-done').disabled)"
    ), "an empty board must be checked before it can be used"
    page.wait_part("#edit-error", "one king")
    page.click("#edit-usual")
    page.wait_part("#edit-text", "RNBQKBNR w KQkq -")
    page.evaluate("document.querySelector('#edit-clear').click()")
    page.wait_part("#edit-error", "one king")
    assert page.evaluate("document.querySelector('#edit-done').disabled")
    for brush, cell in (("K", "a1"), ("k", "h7"), ("P", "a7")):
        page.click(f"[data-brush={brush}]")
        page.click(f"#edit-board [data-cell={cell}]")
    page.wait(
        f"document.querySelector('#edit-text').textContent === '{FEN}' && document.querySelector('#edit-error').textContent === ''"
    )
    page.click("#edit-done")
    page.wait(f"document.querySelector('#position').value === '{FEN}'")


# ---- notes and links -------------------------------------------------------------------------------------


def test_comments_and_marks_are_edited_and_variations_promoted_or_deleted(page):
    paste(page, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")
    page.wait(f"{MOVES}.length === 5")
    page.evaluate(
        "[...document.querySelectorAll('#moves button')].find(each => each.textContent === 'c5').click()"
    )
    ply(page, 2)
    page.click("#annotate summary")
    page.click("#marks [value='!?']")
    page.type("#comment", "the Sicilian")
    page.evaluate("document.activeElement.blur()")
    page.wait_part("#moves .variation", "c5!?the Sicilian")
    page.click("#promote")
    page.wait_text("#moves .variation", "1…e52.Nf3")
    page.click("#delete")
    page.click("#ask-choices [value=yes]")
    page.wait(f"{MOVES}.join() === 'e4,e5,Nf3'")


def test_link_opens_a_position_with_its_moves(server, browser, page):
    other = browser.open(f"{server.address}#game=chess&moves=e2e4+e7e5+g1f3")
    other.wait(f"{MOVES}.join() === 'e4,e5,Nf3' && document.body.dataset.ply === '3'")
    other.evaluate("location.hash = '#game=othello&moves=f5+d6'")
    other.wait(
        "document.querySelector('#game').value === 'othello' && document.body.dataset.ply === '2'"
    )
    other.evaluate("location.hash = '#tree=((3 5) (6 9)) min'")
    other.wait(
        "document.body.dataset.tab === 'learn' && document.querySelectorAll('#tree-picture .node').length === 7"
    )
    other.evaluate("location.hash = '#game=chess&moves=e2e5'")
    other.wait("document.querySelector('#tree-error.error').textContent.startsWith('move 1')")
    assert other.errors == []
    other.close()


def test_link_has_the_whole_game_and_the_place_in_it(page):
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.click("#flip")
    paste(page, "1. e4 e5 2. Nf3 *")
    page.wait(f"{MOVES}.length === 3")
    assert page.evaluate(WHITE_IS_BELOW), "an opened game is not flipped"
    page.press("ArrowRight")
    ply(page, 1)
    page.click("#link")
    link = page.wait("window.copied")
    assert link.endswith("#game=chess&moves=e2e4+e7e5+g1f3&at=1")
    page.press("End")
    ply(page, 3)
    page.evaluate(f"location.hash = {link.partition('#')[2]!r}")
    ply(page, 1)
    assert page.evaluate(f"{MOVES}.join()") == "e4,e5,Nf3"
    page.click("#recent")
    assert page.text("#recent-games small").startswith("2 moves ·")


WHITE_IS_BELOW = """document.querySelector("[data-cell=a1]").getBoundingClientRect().y
  > document.querySelector("[data-cell=a8]").getBoundingClientRect().y"""


def test_new_game_has_the_usual_start_and_a_game_chosen_in_learn_shows_its_tree(page):
    new_game(page, "chess", "7k/8/8/8/8/8/4P3/K7 w - - 0 1", you=(True, True))
    page.click("#new")
    page.click("#begin")
    page.wait_count("#board .piece", 32)
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    page.choose("#game", "connect4")
    page.wait_part("#tree-picture .level", "YELLOW")
    assert page.evaluate("document.body.dataset.tab") == "learn"


# ---- input: premoves, mouse, keys and taps ---------------------------------------------------------------


def test_premove_is_played_as_soon_as_it_is_legal(page):
    new_game(page, "chess", "7k/8/8/8/8/8/4P3/K7 b - - 0 1", you=(True, False), time="move 20")
    page.wait("document.body.dataset.state === 'theirs'")
    page.click("[data-cell=e2]")
    page.click("[data-cell=e4]")
    assert page.count(".premoved") == 2
    page.click("#now")
    page.wait(f"{MOVES}[1] === 'e4'")


def test_mouse_wheel_right_drag_and_rematch_work_after_a_game(page):
    new_game(page, "tictactoe", you=(True, True))
    for number, cell in enumerate(("a1", "b1", "a2", "b2", "a3"), 1):
        page.click(f"[data-cell={cell}]")
        ply(page, number)
    assert page.text("#banner-title") == "1–0"
    assert page.text("#banner-words") == "X wins: three in a row"
    x, y = page._middle("[data-cell=b2]")
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-120)
    ply(page, 4)
    to_x, to_y = page._middle("[data-cell=c3]")
    page.call(
        "Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="right", clickCount=1
    )
    page.call(
        "Input.dispatchMouseEvent",
        type="mouseReleased",
        x=to_x,
        y=to_y,
        button="right",
        clickCount=1,
    )
    page.wait_count(".arrow.own", 1)
    page.press("ArrowRight")
    ply(page, 5)
    assert page.evaluate("document.querySelector('.arrow.own')") is None
    page.click("#rematch")
    ply(page, 0)


def test_arrow_keys_step_unless_a_field_has_the_focus(page):
    new_game(page, "chess", you=(True, True))
    play(page, "e4", "e5")
    assert page.text("#news").startswith("Black played e5")
    page.press("ArrowLeft")
    assert page.evaluate("document.body.dataset.ply") == "2", (
        "in a field the arrow keys move the caret"
    )
    for selector in ("#moves", "#flip", "#tab-play", "[data-cell=e2]"):
        page.click(selector) if selector != "#moves" else page.evaluate(
            "document.querySelector('#moves').focus()"
        )
        if selector == "[data-cell=e2]":
            page.press("Escape")
        page.press("ArrowLeft")
        ply(page, 1)
        page.press("ArrowRight")
        ply(page, 2)


def test_small_cell_needs_a_second_tap(page):
    page.resize(320, 600)
    new_game(page, "gomoku", you=(True, True))
    x, y = page._middle("[data-cell=h8]")
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    for taps in (1, 2):
        page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        if taps == 1:
            page.wait("document.querySelector('.arrow.aim')")
            assert page.evaluate("document.body.dataset.ply") == "0"
    ply(page, 1)


# ---- puzzles ---------------------------------------------------------------------------------------------

PUZZLES = "JSON.parse(localStorage['plyglot/puzzles'])"


def next_puzzle(page):
    """Put the next puzzle on the board."""
    page.evaluate("document.querySelector('#news').textContent = ''")
    page.click("#puzzle")
    page.wait_text("#news", QUESTION)  # the status may have shown the same question before
    assert page.text("#status") == QUESTION


def keep_puzzles(page):
    paste(page, ANALYSED)
    page.wait(f"{MOVES}.length === 5")  # the game's four moves, and the variation 2. d4
    page.click("#puzzle-add")
    page.wait_text("#status", "1 new puzzle from 1 mistake")
    page.click("#puzzle-add")
    page.wait_text("#status", "0 new puzzles from 1 mistake")
    page.wait_text("#puzzle", "Puzzles (1)")
    next_puzzle(page)
    assert page.texts("#moves button") == ["f3", "e5"]
    assert page.evaluate("document.querySelector('.arrow')") is None
    assert page.evaluate(f"{MOVES}.join()") == "f3,e5", "moves are in the game's notation"


def days_left(page):
    return round(page.evaluate(f"({PUZZLES}[0].due - Date.now()) / 86400000"))


def test_mistakes_become_puzzles_that_come_back_after_days(page):
    keep_puzzles(page)
    for days in (1, 3, 7, 21):
        page.drag("[data-cell=d2]", "[data-cell=d4]")
        page.wait_text("#news", "Right. 0 puzzles left")
        assert days_left(page) == days
        page.click("#puzzle")
        page.wait_part("#status", "The next puzzle is due on ")
        page.evaluate(
            f"localStorage.setItem('plyglot/puzzles', JSON.stringify({PUZZLES}.map(each => ({{...each, due: 0}}))))"
        )
        next_puzzle(page)
    page.drag("[data-cell=d2]", "[data-cell=d4]")
    page.wait(f"{PUZZLES}.length === 0")
    page.click("#puzzle")
    page.wait_part("#status", "There are no puzzles yet")
    assert page.evaluate(f"{SAVED}.length") == 1, "puzzles are not among the saved games"


def test_puzzle_answered_wrong_comes_back_tomorrow(page):
    keep_puzzles(page)
    page.evaluate(
        f"localStorage.setItem('plyglot/puzzles', JSON.stringify({PUZZLES}.map(each => ({{...each, solved: 2}}))))"
    )
    next_puzzle(page)
    page.drag("[data-cell=g2]", "[data-cell=g4]")
    page.wait_part("#status", "That move was played in the game")
    assert days_left(page) == 1 and page.evaluate(f"{PUZZLES}[0].solved") == 0
    page.drag("[data-cell=d2]", "[data-cell=d4]")
    page.wait_part("#status", "Right: d4 is better")
    assert page.evaluate(f"{PUZZLES}[0].solved") == 0


def test_a_puzzle_fits_a_phone_and_ignores_moves_while_it_loads(page):
    page.resize(390, 844)
    page.click("#tab-analyse")
    keep_puzzles(page)
    top, bottom = page.evaluate(
        "(({ top, bottom }) => [top, bottom])(document.querySelector('#table').getBoundingClientRect())"
    )
    assert top > -1 and bottom < 845
    page.resize(1100, 820)
    hold(page, "line")
    page.click("#puzzle")
    page.wait("held.length === 1")
    page.drag("[data-cell=g2]", "[data-cell=g4]")
    page.wait_text("#status", "Another game is being opened")
    page.evaluate("document.querySelector('#news').textContent = '', letGo()")
    page.wait_text("#news", QUESTION)
    assert page.texts("#moves button") == ["f3", "e5"]
    page.drag("[data-cell=d2]", "[data-cell=d4]")
    page.wait_part("#status", "Right: d4 is better")
    assert page.evaluate(f"{PUZZLES}[0].solved") == 1


def test_opening_is_shown_above_the_moves_and_the_book_on_the_analyse_tab(page):
    paste(page, "1. e4 e5 2. Nf3 d6 *")
    page.wait(f"{MOVES}.length === 4")
    page.press("End")
    page.wait_text("#opening", "C41 Philidor Defense")
    page.press("Home")
    page.wait_text("#opening", "")
    page.click("#tab-play")
    new_game(page, "connect4")
    page.click("#tab-analyse")
    page.wait_part("#book", "4 wins in 21")
    assert "1 loses in 20" in page.text("#book")
