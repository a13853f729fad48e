"""The page of scripts/board in a real browser, if one is installed."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import contextlib
import random

import chromium
import pytest
from board_server import (
    PGN,
    BoardServer,
    check_phone_layout,
    enter,
    hold,
    new_game,
    paste,
    play,
    play_out,
    play_tournament,
    ply,
    state,
)
from conftest import there
from sessions import Walk

from protocol.records.formats import FORMATS
from scripts.arena import live
from scripts.browser.lesson import LESSONS
from scripts.browser.lesson import lesson as drawn
from scripts.jobs.files import GrowingFile

pytest_plugins = ["page_fixtures"]
pytestmark = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")


def test_chess_is_played_by_click_drag_keyboard_and_text(page):
    new_game(page, "chess", you=(True, True))
    page.click("[data-cell=e2]")
    assert page.evaluate(
        "[...document.querySelectorAll('.target')].map(dot => dot.parentNode.dataset.cell)"
    ) == ["e4", "e3"]
    page.click("[data-cell=e4]")
    ply(page, 1)
    assert page.evaluate(
        "[...document.querySelectorAll('.cell')].every(cell => /^[a-h][1-8], /.test(cell.getAttribute('aria-label')))"
    )
    page.drag("[data-cell=e7]", "[data-cell=e5]")
    ply(page, 2)
    enter(page, "nf3")
    ply(page, 3)
    page.evaluate("document.querySelector('#open-settings').focus()")
    page.press("Tab")
    assert page.evaluate("document.activeElement.dataset.cell") == "a1"
    for key in (
        ["ArrowRight"] + 7 * ["ArrowUp"] + ["Enter", "ArrowRight", "ArrowDown", "ArrowDown", " "]
    ):
        page.press(key)
    ply(page, 4)
    assert page.texts("#moves button") == ["e4", "e5", "Nf3", "Nc6"]
    page.click("#back")
    ply(page, 3)
    page.click("#next")
    ply(page, 4)
    page.click("#flip")
    assert page.evaluate(
        "document.querySelector('[data-cell=h1]').getBoundingClientRect().x < "
        "document.querySelector('[data-cell=a8]').getBoundingClientRect().x"
    )
    page.click("#resign")
    page.click("#ask-choices [value=yes]")
    page.wait_text("#status", "White resigns: Black wins")
    assert state(page, "over")


def test_promotion_check_and_mate_are_shown(page):
    new_game(page, "chess", "7k/P5pp/8/8/8/8/8/K7 w - - 0 1")
    page.drag("[data-cell=a7]", "[data-cell=a8]")
    page.wait("document.querySelector('#ask').open")
    page.click("#ask-choices [aria-label=queen]")
    assert state(page, "over") and page.text("#status") == "White wins: checkmate"
    assert page.evaluate("document.querySelector('.checked').parentNode.dataset.cell") == "h8"
    assert page.text("#moves button") == "a8=Q#"


STARTS = {
    "chess": "7k/8/6KP/8/8/8/8/8 w - - 98 80",
    "connect4": "xoxoxo1/xoxoxo1/xoxoxo1/oxoxox1/oxoxox1/oxoxoxx o",
    "tictactoe": "xo1/1o1/2x x",
    "gomoku": "5/xxoox/ooxxo/xxoox/ooxxo x",
    "tree": "",
    "nim": "",
    "othello": "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOXXXXXXO- X",
}


def test_each_game_is_played_to_its_end_against_the_engine(page):
    for game, start in STARTS.items():
        page.click("#tab-play")
        new_game(page, game, start)
        assert play_out(page) == page.text("#banner-words")
        assert page.text("#banner-title") in ("1–0", "0–1", "½–½")
        assert page.text("#moves button")
        page.evaluate("document.querySelector('#previous').click()")
        page.click("#to-analyse")


def test_two_engines_play_and_moves_can_be_taken_back_and_a_forced_pass_has_a_button(page):
    new_game(page, "tictactoe", "xo1/1x1/o2 x", you=(False, False))
    assert state(page, "over")
    assert page.text("#player-bottom .name") == page.text("#player-top .name") == "Plyglot"
    last = int(page.evaluate("document.body.dataset.ply"))
    page.press("ArrowLeft")
    page.wait(
        f"document.body.dataset.ply === '{last - 1}' && document.body.dataset.state === 'theirs'"
    )
    page.click("#now")
    assert state(page, "over")
    new_game(page, "othello", "-OX-----" + "--------" * 6 + "-----OX- O", you=(True, True))
    assert state(page, "yours")
    play_out(page)


def test_hint_and_clock_are_shown_and_error_texts_escaped(page):
    set_time(page, 0)
    new_game(page, "tictactoe", you=(True, False), time="clock 60 1")
    page.click("#hint")
    page.wait(
        "document.querySelector('.arrow.hint') && /^Hint: [abc][123]$/.test(document.querySelector('#status').textContent)"
    )
    set_time(page, 9)
    page.wait_text("#player-bottom .clock", "0:51")
    page.click("#new")
    page.type("#start", "<img src=x onerror=alert(1)>")
    page.click("#begin")
    page.wait_part("#setup-error", "<img")
    assert page.count("#setup-error img") == 0


def test_analysis_shows_lines_bar_and_graph(page):
    page.click("#tab-analyse")
    page.click("#engine-on")
    page.wait_count("#engine-lines li", 2)
    paste(page, PGN)
    page.wait_count("#moves button", 12)
    assert "2.Nf3Nc6usual(2…Nf63.Nxe5)3.Bb5!" in page.text("#moves .variation")
    assert page.texts("#moves .comment")[0] == "the king's pawn"
    assert page.count("#moves i, #moves .comment *") == 0
    for number in range(1, 6):
        page.press("ArrowRight")
        ply(page, number)
    line = page.wait(
        "document.querySelector('.arrow.best') && document.querySelector('#engine-lines .value').textContent"
    )
    assert line[0] in "+-WB"
    page.wait("!['', 'scaleY(0.5)'].includes(document.querySelector('#bar-first').style.transform)")
    known = "document.querySelector('#graph .second')"
    assert (
        page.evaluate(f"Number({known}.getAttribute('x')) + Number({known}.getAttribute('width'))")
        < 900
    )
    page.wait(PLAY_LINE)
    page.wait(
        "document.body.dataset.ply === '7' && document.querySelectorAll('#moves .variation').length === 2"
    )
    page.press("Home")
    ply(page, 0)
    page.choose("#lines", 5)
    page.wait_count("#engine-lines li", 5)
    page.choose("#second", 0)
    page.wait_count("#second-lines li", 5)
    x, y = page._middle("#graph")
    page._mouse("mousePressed", x, y, clickCount=1)
    drawn = "document.querySelector('#graph svg')"
    # Replace the graph during the click, as new lines of the engine do.
    page.evaluate(f"{drawn}.replaceWith({drawn}.cloneNode(true))")
    page._mouse("mouseReleased", x, y, clickCount=1)
    page.wait("document.body.dataset.ply > 1")
    page.wait("document.querySelector('.arrow')")
    page.click("#engine-on")
    page.click("#play-here")
    page.click("#begin")
    page.wait("document.body.dataset.tab === 'play' && !document.querySelector('.arrow')")


# Find an engine's line that doesn't begin with the game's move, and click its second move before
# new lines replace it.
PLAY_LINE = """(() => {
  const lines = [...document.querySelectorAll("#engine-lines .pv")].map((each) => [...each.children]);
  const other = lines.find(([first, second]) => second && first.textContent !== "Nf6");
  other?.[1].click();
  return Boolean(other);
})()"""
# Choose an example, then an algorithm while the example is still being loaded.
CHOOSE_BOTH = """[["#example", "Two moves each"], ["#algorithm", "alphabeta"]].forEach(([name, value]) => {
  const box = document.querySelector(name);
  box.value = value;
  box.dispatchEvent(new Event("change"));
})"""


def test_lesson_is_stepped_through_and_a_quiz_asks_for_pruned_nodes(page):
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    assert "visit 1 of 18" in page.text("#tree-words")
    page.evaluate("document.activeElement.blur()")
    for _ in range(3):
        page.press("ArrowRight")
    page.wait("document.querySelector('.node.current').dataset.node === '7'")
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert page.text("#tree-why") == "Min has 4 at node 7; the window narrows to (−∞, 4)."
    assert page.text("[data-node='7'] .window") == "(−∞, 4)"
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    page.press("ArrowLeft")
    page.wait("document.querySelector('.node.current').dataset.node === '3'")
    page.click("#tree-last")
    page.wait_text("#tree-count", "18 of 31 nodes visited, 13 pruned (42 % saved)")
    assert page.count(".node.line") == 5
    page.choose("#algorithm", "minimax")
    page.wait_text("#tree-why", "Max moves at node 0.")
    page.click("#tree-last")
    page.wait_part("#tree-count", "31 of 31")
    page.evaluate(CHOOSE_BOTH)
    page.wait_text("#tree-count", "Two moves each: 1 of 10 nodes visited, 0 pruned")
    assert page.count("#tree-picture .node") == 10
    page.choose("#speed", 20)
    page.click("#tree-play")
    page.wait("document.querySelector('.node.line')")
    page.click("#quiz")
    page.click("[data-node='1']")
    page.wait_text("#tree-words", "3 nodes selected")
    page.press(" ")  # the focus is on node 1
    page.wait_text("#tree-words", "0 nodes selected")
    page.click("[data-node='7']")
    page.click("#check")
    page.wait_part("#tree-words", "All right: 1 of 10")
    why = "Max has 6 at node 2; Min already has 5 at node 0, so leaf 7 cannot matter."
    assert page.text("#tree-why") == why and page.count("[data-node='7'].right") == 1
    page.click("#quiz")
    page.evaluate("document.querySelector('#tree').value = ''")
    page.type("#tree", "((1 <b>")
    page.press("Enter")
    page.wait_part("#tree-error", "<b>")
    page.choose("#game", "chess")
    page.wait("document.body.dataset.game === 'chess'")
    page.click("#from-board")  # the tree of one ply is small enough to draw
    page.wait_count("#tree-picture .node", 21)
    page.choose("#plies", 2)
    page.click("#from-board")
    page.wait_part("#tree-error", "400")


def test_two_searches_are_stepped_through_side_by_side(page):
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    page.choose("#algorithm", "both")
    page.wait_count("#other-picture .node", 31)
    for _ in range(8):
        page.click("#tree-next")
    assert page.text("#tree-why") == "Minimax visits leaf 18, which alpha-beta pruned."
    assert (
        page.evaluate("document.querySelector('#other-picture .node.current').dataset.node") == "18"
    )
    page.click("#tree-next")
    assert page.text("#tree-why") == (
        "Min has 3 at node 8; now its window is empty. Min has 3 at node 8; Max already has 4 at node 3, so leaf 18 cannot "
        "matter. Node 8 returns at most 3, no better than the 4 that Max has at node 3. Node 3 returns 4. Min has 4 at node 1; "
        "the window narrows to (−∞, 4). Max moves at node 4: only a value below 4 matters."
    )
    owners = "[...document.querySelectorAll('#tree-picture .node.owner')].map(node => node.dataset.node).join()"
    assert page.evaluate(owners) == "1"
    assert page.text("#tree-picture .current .name") == "4"
    page.click("#tree-last")
    assert page.text("#tree-count").startswith("Alpha-beta: 18 of 31")
    assert page.text("#other-count").startswith("Minimax: 31 of 31")
    page.resize(390, 844)
    page.click("#fit")
    assert page.evaluate(
        "document.querySelector('#tree-picture').scrollWidth <= document.querySelector('#tree-picture').clientWidth"
    )


def answer(page, *texts):
    for field, text in zip(("#answer-low", "#answer-high"), texts):
        page.type(field, text)
    page.press("Enter")


def test_quizzes_ask_for_values_and_windows(page):
    page.click("#tab-learn")
    page.choose("#example", "Two moves each")
    page.wait_count("#tree-picture .node", 10)
    page.choose("#quiz-kind", "values")
    page.click("#quiz")
    assert page.text("#question") == "1 of 4: what is node 3 worth, with Max to move?"
    for invalid in ("abc", "", "∞", "4.5"):
        answer(page, invalid)
        assert page.text("#tree-words") == "Answer with a number, W or L.", invalid
    answer(page, "2")
    assert page.text("#tree-words") == "Right: node 3 has 2."
    assert page.text("#tree-why") == "Max takes the greatest of 1, 2."
    answer(page, "6")
    assert page.text("#tree-words") == "Wrong: node 2 has 9."
    answer(page, "5")
    answer(page, "2")
    assert page.text("#tree-words") == "Right: node 0 has 2. 3 of 4 right."
    assert page.count(".node.right") == 3
    page.choose("#quiz-kind", "windows")
    assert page.text("#question") == "1 of 2: what is the window of node 2?"
    answer(page, "abc", "5")
    assert page.text("#tree-words").startswith("Answer with two bounds")
    answer(page, "5", "")
    assert page.text("#tree-words") == "Wrong: node 2 has (−∞, 5)."
    answer(page, "-inf", "5")
    assert page.text("#tree-words") == "Right: node 3 has (−∞, 5). 1 of 2 right."
    page.click("#quiz")
    assert not page.evaluate("document.querySelector('#tree-play').disabled")


def test_random_tree_is_repeatable_and_printed_as_a_worksheet(page, browser, tmp_path):
    page.click("#tab-learn")
    page.wait("document.querySelector('#tree-picture .node')")
    page.choose("#seed", "7")
    page.wait_part("#tree-count", "Random tree 7")
    browser.save_to(tmp_path)
    page.click("#worksheet")
    text = there(tmp_path / "worksheet.html").read_text(encoding="utf-8")
    assert text.count("Random tree 7") == 3 and text.count("(___, ___)") == 7
    trees = []
    for number in ("7", "7", "8"):
        page.evaluate("document.querySelector('#tree').value = ''")
        page.choose("#seed", number)
        page.wait("document.querySelector('#tree').value")
        trees.append(page.evaluate("document.querySelector('#tree').value"))
    assert trees[0] == trees[1] != trees[2]
    page.click("#random")
    page.wait_part("#tree-count", "Random tree 9: 1 of 15")
    page.click("#quiz")
    assert page.text("#tree-count") == "Random tree 9", "a quiz says which tree it shows"
    page.choose("#children", 3)
    page.wait_count("#tree-picture .node", 40)
    hold(page, "random_tree")
    page.choose("#seed", "11")
    page.choose("#seed", "12")
    page.wait("held.length === 2")
    page.evaluate("held[1]()")
    page.wait_part("#tree-count", "Random tree 12")
    later = page.evaluate("document.querySelector('#tree').value")
    page.evaluate("performance.clearResourceTimings(), letGo()")
    page.wait(
        "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('random_tree'))"
    )
    page.evaluate("new Promise((go) => setTimeout(go))")
    assert page.evaluate("document.querySelector('#tree').value") == later, "the later tree stays"


def test_boards_are_drawn_at_the_nodes_of_a_game_tree(page):
    new_game(page, "tictactoe", "xo1/1x1/o2 x", you=(True, True))
    page.click("#tab-learn")
    page.wait("document.querySelector('#tree-picture .node')")
    page.choose("#plies", 1)
    page.click("#boards")
    page.click("#from-board")
    page.wait_count("#tree-picture .node > g", 6)
    assert page.evaluate(OVERLAPS) == []


LONG_TREE = "((knight-takes:1234567 pawn-takes:-7654321) queen-takes-rook:(first-of-all:1000001 second:9999999) 5)"
# Return the texts and shapes that overlap another node's, and the values wider than their node.
OVERLAPS = """(() => {
  const parts = [...document.querySelectorAll('#tree-picture .node')].flatMap((node) =>
    [...node.querySelectorAll(':scope > rect, :scope > text, :scope > g')].filter((part) => part.getBBox().width)
      .map((part) => ({ node, part, box: part.getBoundingClientRect() })));
  const apart = ({ box: a }, { box: b }) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const within = ({ part, box }) => part.tagName !== 'text' || part.matches('.name, .window')
    || box.width < part.parentNode.querySelector('rect').getBoundingClientRect().width;
  return parts.filter((one) => !within(one) || parts.some((other) => other.node !== one.node && !apart(one, other)))
    .map(({ part }) => part.textContent || part.tagName);
})()"""


def test_no_text_of_a_tree_overlaps_another_or_is_crossed_by_an_edge(page):
    page.click("#tab-learn")
    page.wait("document.querySelector('#tree-picture .node')")
    page.evaluate("document.querySelector('#tree').value = ''")
    page.type("#tree", LONG_TREE)
    page.press("Enter")
    page.wait_count("#tree-picture .node", 8)
    for button in ("#tree-first", *["#tree-next"] * 7):
        page.click(button)
        assert page.evaluate(OVERLAPS) == [], page.text("#tree-words")
    page.evaluate("document.querySelector('#speed').value = 0")
    page.click("#tree-play")
    page.wait("document.querySelector('#speed:invalid')")
    assert page.text("#tree-play") == "Play"
    page.evaluate("document.querySelector('#tree').value = ''")
    page.type("#tree", "(1 (2 (3 4 5) 6 7) (a:8 b:(c:9 d:10) e:11 f:12) 13 (14 15))")
    page.press("Enter")
    page.wait_count("#tree-picture .node", 21)
    for _ in range(36):
        assert page.evaluate(CROSSED) == [], page.text("#tree-why")
        page.click("#tree-next")


def test_connect_four_players_are_named_after_their_discs(page):
    new_game(page, "connect4", "7/7/7/7/ooo4/xxx4 x", you=(True, True))
    page.click("#to-analyse")
    page.click("#engine-on")
    page.wait_text("#engine-lines .value", "Yellow wins in 1")
    page.click("#tab-learn")
    page.click("#from-board")
    page.wait_text("#tree-picture .level", "YELLOW")
    label = page.evaluate(
        "(box => [box.left, box.right])(document.querySelector('.level').getBoundingClientRect())"
    )
    assert label[1] < page.evaluate(
        "Math.min(...[...document.querySelectorAll('.node')].map(node => node.getBoundingClientRect().left))"
    )


BOXES = """Object.fromEntries(["svg.board", "#moves", "#engine-lines", "#graph", "#files"].map((name) => {
  const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
  return [name, [left, top, right, bottom]];
}))"""


def test_all_parts_of_the_page_fit_a_laptop(page):
    sizes = [(1280, 720, 500), (1366, 768, 550), (1920, 1080, 800)]
    overflow = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    for tab in ("play", "analyse"):
        page.click(f"#tab-{tab}")
        page.wait(f"document.body.dataset.tab === '{tab}'")
        for width, height, _ in sizes:
            page.resize(width, height)
            assert page.evaluate(overflow) == [width, height]
    paste(page, " ".join(["Nf3 Nf6 Ng1 Ng8"] * 10))
    page.wait_count("#moves .turn", 20)
    for width, height, side in sizes:
        page.resize(width, height)
        boxes = page.evaluate(BOXES)
        for left, top, right, bottom in boxes.values():
            assert 0 <= left < right <= width and 0 <= top < bottom <= height
        left, _, right, _ = boxes["svg.board"]
        assert right - left >= side
        tops = "[...document.querySelectorAll('#files button')].map(each => each.offsetTop)"
        page.evaluate("document.querySelector('#original').hidden = false")
        assert len(set(page.evaluate(tops))) == 2, "the panel above has room for its table"
        row = page.evaluate("document.querySelector('#moves .turn').offsetHeight")
        assert page.evaluate("document.querySelector('#moves').clientHeight") >= 12 * row


def test_phone_layout_fits_and_is_legible(page):
    check_phone_layout(page, ("play", "analyse", "watch", "learn"))


@contextlib.contextmanager
def running_game(record):
    """Show a running game of the tournament in `record`; yield a function that plays a move."""
    file, walk = GrowingFile(record), Walk(random.Random(1), "chess")
    job = {"id": "1/A-B/1", "game": "chess", "players": [{"name": "A"}, {"name": "B"}]}
    job["live"] = str(live.make_folder(record))
    with live.shown(job) as on_move:
        yield lambda: on_move(walk.move(), 10)
    file.close()


def test_running_game_goes_on_while_it_is_stepped_through_and_analysed(browser, tmp_path):
    record = tmp_path / "trial.jsonl"
    running = BoardServer("--watch", record)
    with running_game(record) as move:
        move()
        move()
        page = browser.open(running.address)
        ply(page, 2)
        hold(page, "replay")
        move()
        page.wait("held.length === 1")
        page.press("ArrowLeft")  # the next move is still being loaded
        ply(page, 1)
        page.evaluate("letGo()")
        page.wait_count("#moves button", 3)
        assert page.evaluate(PLY) == "1"
        hold(page, "position")
        page.press("End")
        page.wait("held.length === 1")
        move()
        page.wait("held.length === 2")  # the last position and the next one are being loaded
        page.evaluate("letGo()")
        ply(page, 4)  # the page shows each new move again
        page.click("#tab-analyse")
        page.wait("/depth/.test(document.querySelector('#analysis-head').textContent)")
        move()
        ply(page, 5)
        page.click("#pause")
        page.wait("document.querySelector('#pause').ariaPressed === 'true'")
        page.click("#tab-watch")
        page.wait("document.body.dataset.tab === 'watch'")
        hold(page, "replay")
        move()
        move()
        page.wait_part("#watch-running", " 4 moves so far")
        assert page.evaluate("held.length") == 0 and page.count("#moves button") == 5
        page.evaluate("letGo()")
        page.click("#pause")
        ply(page, 7)
        assert page.errors == []
        page.close()
    running.stop()


def test_finished_tournament_is_shown_and_opened_as_a_file_of_games(page, browser, tmp_path):
    play_tournament(tmp_path / "trial.jsonl")
    page.give_file("#file", tmp_path / "trial.jsonl", "#open")
    page.wait_count("#chosen option", 2)
    assert page.text("#chosen option").startswith("1. A – <i>B<i>")
    running = BoardServer("--watch", tmp_path / "trial.jsonl")
    page = browser.open(running.address)
    page.wait_count("#watch-games li", 2)
    assert "Elo" in page.text("#standings") and page.text("#watch-title") == "trial.jsonl: 2 games"
    page.wait("document.querySelectorAll('#moves button').length > 4")
    page.click("#watch-games li:last-child button")
    page.wait("document.querySelector('#watch-games li:last-child [aria-current]')")
    page.press("ArrowLeft")
    page.wait(
        r"/to move\. (A|<i>B<i>) \((X|O)\) reported /.test(document.querySelector('#status').textContent)"
    )
    page.wait("document.querySelector('#graph .first')")
    page.close()
    running.stop()


def test_saved_game_opens_again(page, browser, tmp_path):
    browser.save_to(tmp_path)
    page.click("#tab-analyse")
    paste(page, PGN)
    page.wait_count("#moves button", 12)
    saved = save(page, tmp_path, "pgn")
    page.wait_text("#status", "Saved as chess.pgn")
    page.choose("#game", "othello")
    page.wait_count("#moves button", 0)
    page.give_file("#file", saved, "#open")
    page.wait_count("#moves button", 12)
    comments = page.texts("#moves .comment")
    assert comments[:2] == ["the king's pawn", "usual"]


def save(page, folder, kind, suffix=None):
    """Save the game in a format; return the file."""
    page.click("#save")
    page.click(f"#ask-choices [value={kind}]")
    game = page.evaluate("document.querySelector('#game').value")
    return there(folder / f"{game}.{suffix or kind}")


def test_latin_1_file_of_many_games_is_read(page, tmp_path):
    file = tmp_path / "many.pgn"
    file.write_bytes(
        '[White "Grünfeld"]\n\n1. d4 *\n\n'.encode("latin-1") * 200 + b'[White "Last"]\n\n1. e4 *\n'
    )
    page.click("#tab-analyse")
    page.give_file("#file", file, "#open")
    page.wait_part("#chosen", "1. Grünfeld")
    assert page.count("#chosen option") == 200
    assert page.text("#left-out") == "of 201"
    page.choose("#number", 201)
    page.wait_text("#player-bottom .name", "Last")
    page.choose("#game", "othello")  # a game that is not in the file
    page.wait("document.querySelector('#which-game').hidden")


def drop(page, path):
    """Drop a file on the board, as if dragged from another window."""
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page.call("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)


def test_file_that_is_dropped_on_the_page_is_opened(page, tmp_path):
    (tmp_path / "game.pgn").write_text(PGN)
    page.click("#paste")
    drop(page, tmp_path / "game.pgn")
    page.wait_count("#moves button", 12)
    assert page.evaluate("document.querySelector('dialog[open]')") is None
    (tmp_path / "other.sgf").write_text("(;GM[4]SZ[15];B[hh])")
    drop(page, tmp_path / "other.sgf")
    page.wait("document.querySelector('#game').value === 'gomoku'")


def test_a_long_file_is_uploaded_in_pieces_and_its_titles_appear_gradually(page, tmp_path):
    """The page keeps the file: if the server has forgotten the file, the page uploads it again."""
    game = '[White "Ann {}"]\n\n1. e4 {} *\n\n'
    games = [game.format(number, "") for number in range(1, 301)]
    games[1] = game.format(2, "{" + "long " * 700_000 + "}")
    (tmp_path / "long.pgn").write_text("".join(games))
    page.evaluate(COUNT_COMMANDS)
    page.give_file("#file", tmp_path / "long.pgn", "#open")
    page.wait_text("#player-bottom .name", "Ann 1")
    page.wait_text("#left-out", "of 300")
    assert page.evaluate("sent.filter(each => each.endsWith('upload')).length") == 2
    assert page.evaluate("shown.includes('3.0 of 3.5 MB read')")
    page.type("#find", "ann 29")
    page.wait("document.querySelector('#chosen').options.length === 11")
    page.evaluate("document.querySelector('#find').value = ''")
    page.evaluate(f"Promise.all([1, 2, 3, 4, 5, 6].map({UPLOAD}))")  # the server forgets the file
    page.evaluate("sent.length = 0")
    page.give_file("#file", tmp_path / "long.pgn", "#open")
    page.wait("sent.filter(each => each.endsWith('upload')).length === 2")
    page.wait("sent.filter(each => each.endsWith('titles')).length > 0")


UPLOAD = """(file) => fetch("api/upload", { method: "POST", headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ file: String(file), at: 0, data: "", last: true }) })"""
COUNT_COMMANDS = """(() => {
  const usual = fetch, sent = window.sent = [], shown = window.shown = [];
  window.fetch = (address, ...more) => (sent.push(address), usual(address, ...more));
  const status = document.querySelector("#status");
  new MutationObserver(() => shown.push(status.textContent)).observe(status, { childList: true });
})()"""


def test_dialog_for_files_offers_each_format_and_refuses_a_file_that_is_too_long(page, tmp_path):
    with open(tmp_path / "long.pgn", "wb") as file:
        file.truncate(60_000_000)
    page.give_file("#file", tmp_path / "long.pgn", "#open")
    page.wait("/has 60.0 MB, .* opens 50.0 MB/.test(document.querySelector('#status').textContent)")
    accepted = page.evaluate("document.querySelector('#file').accept").split(",")
    assert {*(suffix for each in FORMATS for suffix in each.suffixes), ".txt"} == set(accepted)


def test_chess960_starts_from_a_random_position_and_castles(page):
    new_game(page, "chess", you=(True, True), options=())
    page.click("#new")
    page.click("[data-option=UCI_Chess960]")
    page.click("#begin")
    page.wait("!document.querySelector('#setup').open")
    rank = page.evaluate(
        "'abcdefgh'.split('').map(f => document.querySelector(`[data-cell=${f}1]`).dataset.piece).join('')"
    )
    assert sorted(rank) == sorted("RNBQKBNR")
    assert rank.index("R") < rank.index("K") < rank.rindex("R")
    assert (rank.index("B") - rank.rindex("B")) % 2
    page.click("#new")
    page.evaluate("document.querySelector('#start').value = ''")
    page.type("#start", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1")
    page.click("#begin")
    page.wait_count("#board .piece", 4)
    page.click("[data-cell=e1]")
    page.click("[data-cell=g1]")
    page.wait_text("#moves button", "O-O")
    assert page.evaluate("document.querySelector('[data-cell=f1]').dataset.piece") == "R"


def test_player_out_of_time_loses(page):
    page.evaluate("document.querySelector('#time').append(new Option('a second', 'clock 1 0'))")
    new_game(page, "gomoku", you=(True, True), time="clock 1 0")
    assert state(page, "over") and page.text("#status") == "Black ran out of time: White wins"
    assert page.text("#player-bottom .clock") == "0:00.0"


# ---- failures --------------------------------------------------------------------------------------------


HELD = """Promise.all(["one", "two", "three", "four"].map((name) => new Promise((go) => {
  new EventSource(`events/${name}`).onopen = go;
}))).then(() => true)"""


def test_five_pages_play_at_the_same_time_and_a_sixth_shows_a_message(browser):
    """Four pages are only event streams, since a browser opens few connections to one server."""
    running = BoardServer("tictactoe")
    try:
        holder = browser.open(f"{running.address}icon.svg")
        holder.wait(HELD)
        page = browser.open(running.address)
        state(page, "yours")
        page.click("[data-cell=b2]")
        ply(page, 2)
        page.reload()
        ply(page, 2)
        assert page.errors == []
        sixth = browser.open(running.address)
        sixth.wait("document.querySelector('#status.error')")
        assert sixth.text("#status") == "5 pages are open already: close one, then reload this one"
        for each in (holder, page, sixth):
            each.close()
    finally:
        running.stop()


ENDED = "The server has stopped: start scripts/board again."


def test_lost_server_is_reported_and_the_position_stays(browser):
    running = BoardServer()
    page = browser.open(running.address)
    state(page, "yours")
    new_game(page, "chess", you=(True, True))
    page.click("[data-cell=e2]")
    page.click("[data-cell=e4]")
    ply(page, 1)
    running.stop()
    page.wait(f"document.querySelector('#status.error')?.textContent === {ENDED!r}")

    def told(action):
        page.evaluate("document.querySelector('#status').textContent = ''")
        action()
        page.wait(f"document.querySelector('#status.error').textContent === {ENDED!r}")
        assert page.evaluate("document.body.dataset.ply") == "1" and page.text("#moves") == "1.e4"
        assert page.evaluate("document.querySelector('#game').value") == "chess"

    told(lambda: page.drag("[data-cell=e7]", "[data-cell=e5]"))
    told(lambda: enter(page, "e5"))
    told(lambda: page.click("#hint"))
    told(lambda: page.click("#flip"))
    told(lambda: page.choose("#game", "othello"))
    told(lambda: page.click("#tab-analyse"))
    told(lambda: page.drag("[data-cell=e7]", "[data-cell=e5]"))
    told(lambda: (page.click("#save"), page.click("#ask-choices [value=pgn]")))
    assert [error for error in page.errors if error.get("source") != "network"] == []
    page.close()


KEEP_STREAM = "window.EventSource = class extends EventSource { constructor(...words) { super(...words); window.stream = this } }"


@pytest.fixture
def streamed(server, browser):
    """Yield a page whose events come from window.stream."""
    page = browser.open("about:blank")
    page.call("Page.addScriptToEvaluateOnNewDocument", source=KEEP_STREAM)
    page.call("Page.navigate", url=server.address)
    state(page, "yours")
    yield page
    assert page.errors == []
    page.evaluate("localStorage.clear()")
    page.close()


def test_an_engines_move_waits_for_a_game_that_is_being_opened(streamed):
    page = streamed
    new_game(page, "chess", time="move 20")
    enter(page, "e4")
    state(page, "theirs")
    page.evaluate(
        "stream.addEventListener('message', ({ data }) => "
        "{ window.moved ||= JSON.parse(data).type === 'move' })"
    )
    hold(page, "position")
    page.choose("#game", "othello")
    page.wait("held.length === 1")
    page.click("#now")
    page.wait("window.moved")
    page.evaluate("letGo()")
    page.wait("document.body.dataset.game === 'othello'")
    assert page.text("#moves") == ""


def test_broken_connection_is_restored(streamed):
    page = streamed
    new_game(page, "chess", you=(False, True), time="move 20")
    page.wait_text("#status", "White is thinking…")
    page.evaluate("window.former = stream; stream.onerror()")
    page.wait(
        "stream !== former && document.querySelector('#status').textContent.includes('“Move now”')"
    )
    page.click("#now")
    page.wait_text("#status", "White is thinking…")
    page.click("#now")
    state(page, "yours")


PLY = "document.body.dataset.ply"


def test_actions_during_a_pending_move_are_harmless(page):
    new_game(page, "chess", you=(True, True))
    hold(page, "position")
    for cell in ("e2", "e4", "d2", "d4"):
        page.click(f"[data-cell={cell}]")
    for key in "fhf":
        page.press(key)
    page.wait("held.length === 1")
    page.evaluate("letGo()")
    ply(page, 1)
    assert page.text("#moves") == "1.e4"
    hold(page, "position")
    page.choose("#game", "othello")
    page.click("#tab-learn")
    page.wait("document.querySelector('#tree-picture .node')")
    page.evaluate("letGo()")
    ply(page, 0)  # Othello's start position has replaced the position after 1. e4
    page.click("#from-board")
    page.wait_text("#tree-picture .level", "BLACK")


def set_time(page, seconds):
    """Freeze the page's clock.  seconds: the time that it shows, counted from the first call."""
    page.evaluate(
        "window.stopped ??= performance.now(), "
        f"performance.now = () => window.stopped + {1000 * seconds}, true"
    )


def saved(page, browser, folder, name):
    browser.save_to(folder)
    return save(page, folder, name.partition(".")[2]).read_text()


def test_resignation_applies_to_the_last_position(page, browser, tmp_path):
    new_game(page, "chess", you=(True, True))
    play(page, "e4", "e5")
    page.click("#resign")
    page.click("#ask-choices [value=yes]")
    assert state(page, "over") and page.text("#status") == "White resigns: Black wins"
    page.click("#previous")
    ply(page, 1)
    assert "to move" in page.text("#status")
    page.click("#next")
    page.wait_text("#status", "White resigns: Black wins")
    page.click("#first")
    page.click("#to-analyse")
    assert '[Result "0-1"]' in saved(page, browser, tmp_path, "chess.pgn")


def test_playing_on_from_a_record_starts_a_new_game(page, browser, tmp_path):
    page.click("#tab-analyse")
    paste(page, PGN)
    page.wait_count("#moves button", 12)
    page.click("#next")
    ply(page, 1)
    page.click("#play-here")
    page.choose("#time", "move 0.2")
    page.click("#begin")
    page.wait("document.body.dataset.tab === 'play'")
    assert (page.text("#player-bottom .name"), page.text("#player-top .name")) == ("You", "Plyglot")
    enter(page, "c5")
    ply(page, 3)
    page.click("#to-analyse")
    text = saved(page, browser, tmp_path, "chess.pgn")
    assert '[White "Plyglot"]' in text
    assert '[Black "You"]' in text
    assert '[Result "*"]' in text
    assert "lesson" not in text


def test_paused_clock_does_not_run_and_a_take_back_restores_it(page):
    set_time(page, 0)
    new_game(page, "chess", you=(True, True), time="clock 60 1")
    play(page, "e4", "e5")
    page.click("#previous")
    ply(page, 1)
    page.click("#next")
    ply(page, 2)
    set_time(page, 50)
    enter(page, "Nf3")
    page.wait_text("#player-bottom .clock", "1:02")  # one second of increment per move
    new_game(page, "gomoku", you=(True, True), time="clock 60 1")
    page.click("[data-cell=h8]")
    ply(page, 1)
    set_time(page, 120)
    assert state(page, "over") and page.text("#status") == "White ran out of time: Black wins"
    page.click("#back")
    state(page, "yours")
    page.wait_text("#player-top .clock", "1:00")
    page.click("[data-cell=h9]")
    ply(page, 2)


def test_keyboard_focus_stays_on_the_board(page):
    new_game(page, "gomoku", you=(True, True))
    page.click("[data-cell=o15]")
    ply(page, 1)
    page.evaluate("document.querySelector('[data-cell=o15]').focus()")
    page.choose("#game", "tictactoe")
    page.wait("document.querySelector('#board svg').ariaLabel.startsWith('Tic-tac-toe,')")
    assert page.evaluate("document.querySelector('.cell[tabindex=\"0\"]').dataset.cell") == "c3"
    new_game(page, "chess", "7k/P5pp/8/8/8/8/8/K7 w - - 0 1")
    page.press("Tab")
    page.evaluate("document.querySelector('[data-cell=a7]').focus()")
    for key in ("Enter", "ArrowUp", "Enter"):
        page.press(key)
    page.wait("document.querySelector('#ask').open")
    page.press("Escape")
    page.wait("!document.querySelector('#ask').open")
    page.wait("document.activeElement.dataset.cell === 'a8'")


def test_move_typed_out_of_turn_is_refused(page):
    new_game(page, "chess", time="move 20")
    enter(page, "e4")
    state(page, "theirs")
    enter(page, "d4")
    page.wait_text("#status", "It is not your turn.")


# Return the texts that an edge crosses, in the pictures of trees.
CROSSED = """(() => {
  const boxes = [...document.querySelectorAll('#trees .node text')].filter((text) => text.textContent)
    .map((text) => [text, text.getBoundingClientRect()]);
  return [...document.querySelectorAll('#trees .edge path:first-child')].flatMap((path) => {
    const length = path.getTotalLength(), there = path.getScreenCTM(), step = 2;
    const points = Array.from({ length: length / step }, (_, index) =>
      path.getPointAtLength(index * step).matrixTransform(there));
    return boxes.filter(([, box]) => points.some(({ x, y }) => x > box.left + 1 && x < box.right - 1
      && y > box.top + 3 && y < box.bottom - 3)).map(([text]) => text.textContent);
  });
})()"""


def test_tree_fills_a_projector_screen_and_is_legible(page):
    page.resize(1920, 1080)
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    page.evaluate("document.activeElement.blur()")
    page.press("f")
    page.wait("document.fullscreenElement?.id === 'learn'")
    visible = "[...document.querySelectorAll('#learn :is(button, input, select)')].filter(each => each.checkVisibility())"
    assert page.evaluate(f"{visible}.length") == 0, "no button or field is visible"
    box = "document.querySelector('#tree-picture')"
    fits = f"{box}.scrollWidth <= {box}.clientWidth && {box}.scrollHeight <= {box}.clientHeight"
    assert page.evaluate(fits)
    places = "JSON.stringify([...document.querySelectorAll('#trees .node rect')].map(each => each.getBoundingClientRect()))"
    first, sentences = page.evaluate(places), []
    for _ in range(44):
        sentences.append(page.text("#tree-why"))
        assert page.evaluate(CROSSED) == [] and page.evaluate(OVERLAPS) == [], sentences[-1]
        assert page.evaluate(places) == first, "the tree stays where it is"
        page.press("PageDown")
    assert sentences[-1].startswith("The search is over")
    sizes = (
        "[...document.querySelectorAll('#learn text, #tree-why, #tree-words, #learn figcaption')]"
        ".filter(each => each.checkVisibility() && each.textContent).map(each =>"
        " parseFloat(getComputedStyle(each).fontSize) * (each.getScreenCTM?.().a ?? 1))"
    )
    assert min(page.evaluate(sizes)) >= 24
    page.press("f")
    page.wait("!document.fullscreenElement")


def pictures(page):
    """Show each picture of each lesson; yield its caption."""
    for lesson in LESSONS:
        page.choose("#example", lesson.name)
        for number, (caption, body) in enumerate(lesson.pictures, 1):
            page.evaluate("document.activeElement.blur()")
            page.press(str(number))
            page.wait_count("#tree-picture .node", len(drawn(dict(body))["nodes"]))
            yield caption


def test_lessons_fit_a_projector_and_a_laptop(page):
    page.resize(1280, 720)
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    box = "document.querySelector('#tree-picture')"
    for caption in pictures(page):
        assert page.evaluate("document.documentElement.scrollHeight") == 720, caption
    page.resize(1920, 1080)
    page.press("f")
    page.wait(f"document.fullscreenElement && {box}.clientWidth > 1880")
    for caption in pictures(page):
        assert page.evaluate(f"{box}.scrollWidth <= {box}.clientWidth"), caption
        assert page.evaluate(f"{box}.scrollHeight <= {box}.clientHeight"), caption
        scale = page.evaluate(f"{box}.querySelector('.name').getScreenCTM().a")
        assert 13 * scale >= 24, caption


def test_lessons_show_their_pictures(page):
    page.click("#tab-learn")
    page.wait_count("#tree-picture .node", 31)
    page.choose("#example", "Horizon and quiescence")
    page.wait_count("#tree-picture .node", 12)
    assert page.text("#course-text").startswith("After Kb2 Black can't save the pawn")
    page.evaluate("document.activeElement.blur()")
    page.press("2")
    page.wait_count("#tree-picture .node", 13)
    page.press("End")
    page.wait_part("#tree-why", "value 77, 11 of 13 nodes visited, best line Kb2 Kg8 Kxb3")
    assert page.evaluate("document.querySelector('#algorithm').value") == "quiescence"
    page.press("f")
    page.wait("document.fullscreenElement")
    page.press("z")
    box = "document.querySelector('#tree-picture')"
    page.wait(f"{box}.scrollWidth <= {box}.clientWidth")  # the whole tree is visible
    page.press("f")
    page.choose("#quiz-kind", "values")
    page.click("#quiz")
    page.wait_part("#tree-words", "This quiz is about")  # some values are still unknown
    page.choose("#example", "Move ordering")
    page.wait_count("#pictures button", 3)
    page.press("3")
    page.wait_text("#tree-picture [data-node='15'] .value", "13")
    page.press("End")
    page.wait_part("#tree-count", "31 of 31 nodes visited")
    page.choose("#example", "Two moves each")
    page.wait("document.querySelector('#course').hidden")
