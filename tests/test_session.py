"""The session: positions are given as whole games, and set up completely or not at all."""

import gc
import sys
import threading
from time import perf_counter

import pytest
from tables import rows

from games import registry
from games.base import GameError
from protocol import moves
from search.game import SessionError
from search.limits import Deadlines, Limits
from search.session import Session

PATIENCE = 60  # seconds; an awaited event takes only a moment


def search(session, limits, on_report=lambda report, position: None, on_done=lambda result: None):
    """Search the session's position; call on_done(Result), then return the Result."""
    found = []
    session.start(limits, on_report, lambda result: (on_done(result), found.append(result)))
    assert session.wait(PATIENCE)
    return found[0]


def state(session):
    return (
        session.position.text(),
        session.position.key,
        list(session.moves),
        session.copy_position().key,
    )


@pytest.mark.parametrize(
    "name, game", rows("session.a_game_set_up_move_by_move_equals_the_game_set_up_in_one_call")
)
def test_a_game_set_up_move_by_move_equals_the_game_set_up_in_one_call(name, game):
    words = game.split()
    session, other = Session(name), Session(name)
    for end in list(range(len(words) + 1)) + [2, 3, len(words)]:
        session.setup(None, words[:end], moves.read)
        other.new_game()
        other.setup(None, words[:end], moves.read)
        assert state(session) == state(other)


def test_an_illegal_last_move_changes_nothing():
    session = Session("chess")
    session.setup(None, ["e2e4", "e7e5"], moves.read)
    before = state(session)
    for words in (["e2e4", "e7e5", "g1f3", "e5e4", "a1a8"], ["e2e4", "e7e6", "e1e8"], ["e2e5"]):
        with pytest.raises(GameError):
            session.setup(None, words, moves.read)
        assert state(session) == before
    session.setup(None, ["e2e4", "e7e5", "g1f3"], moves.read)
    assert len(session.moves) == 3


def test_moves_played_or_undone_between_two_setups_do_not_affect_the_second():
    session = Session("chess")
    session.setup(None, ["e2e4", "e7e5"], moves.read)
    session.play(session.position.parse_move("g1f3"))
    session.setup(None, ["e2e4", "e7e5", "b1c3"], moves.read)
    assert [session.position.text().split()[0], len(session.moves)] == [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR",
        3,
    ]
    session.undo(2)
    session.setup(None, ["e2e4", "e7e5", "b1c3", "g8f6"], moves.read)
    assert len(session.moves) == 4


def test_an_option_changed_between_two_setups_affects_the_second():
    session = Session("chess")
    fen = "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"
    session.setup(fen, ["a1a2"], moves.read)
    session.set_option("UCI_Chess960", "true")
    session.setup(fen, ["a1a2", "e8h8"], moves.read)
    session.undo(1)
    castling = next(
        move
        for move in session.position.legal_moves()
        if session.position.move_text(move) == "e8h8"
    )
    assert session.position.move_text(castling) == "e8h8"


def test_the_first_search_of_a_game_loads_its_code_once(monkeypatch):
    loaded = []
    monkeypatch.setattr("search.session.warm_up", lambda game, *more: loaded.append(game.name))
    session = Session("tictactoe")
    for game in ("chess", "tictactoe", "tictactoe"):
        session.choose_game(game)
        search(session, Limits(depth=1))
    session.warm_up()
    assert loaded == ["chess", "tictactoe"]


def test_a_queued_search_gets_its_full_time():
    session, answered = Session("chess"), []
    for _ in range(3):
        session.start(
            Limits(movetime=0.2),
            lambda *report: None,
            lambda result: answered.append(perf_counter()),
        )
    assert session.wait(PATIENCE)
    assert answered[1] - answered[0] > 0.1 and answered[2] - answered[1] > 0.1


def test_a_search_disables_garbage_collection_only_if_python_counts_references():
    collected = set()
    search(Session("chess"), Limits(depth=3), lambda *report: collected.add(gc.isenabled()))
    assert collected == {sys.implementation.name != "cpython"}
    assert gc.isenabled()


def test_a_search_is_refused_if_an_infinite_search_is_already_queued():
    session, queued, refused = Session("tictactoe"), threading.Event(), threading.Event()

    def answer(result):
        queued.wait(PATIENCE)
        with pytest.raises(SessionError, match="an infinite search is running"):
            session.start(Limits(depth=1), print, print)
        refused.set()

    session.start(Limits(depth=1), lambda *report: None, answer)
    session.start(Limits(infinite=True), lambda *report: None, lambda result: None)
    queued.set()
    assert refused.wait(PATIENCE)
    session.stop()
    assert session.wait(PATIENCE)


def test_garbage_collection_is_suspended_near_the_deadline(monkeypatch):
    session, asked = Session("chess"), []
    session.warm_up()
    monkeypatch.setattr(
        "search.interpreter.is_close",
        lambda left, whole: asked.append((left, whole)) or left < whole / 2,
    )
    for seconds in (0.05, 0.5, 5.0):  # on a busy machine a short search may check too late
        asked.clear()
        search(session, Limits(movetime=seconds), on_done=lambda _: asked.append(gc.isenabled()))
        collects = asked.pop()
        assert gc.isenabled()
        assert all(whole == pytest.approx(asked[0][1]) for _, whole in asked)
        if len(asked) > 1 and asked[-1][0] < asked[0][1] / 2:
            break
    assert len(asked) > 1 and asked[-1][0] < asked[0][1] / 2 and not collects


def nodes_of(session, text, depth):
    """Return the number of nodes that a search of a position visits."""
    nodes = []
    session.setup(text)
    search(session, Limits(depth=depth), lambda report, position: nodes.append(report.nodes))
    return nodes[-1]


@pytest.mark.parametrize("name, text, other, depth", rows("session.a_new_game_clears_the_memory"))
def test_a_new_game_clears_the_memory(name, text, other, depth):
    session = Session(name)
    session.set_option("OwnBook", "false")
    session.set_option("Hash", "2")
    first = nodes_of(session, text, depth)
    assert nodes_of(session, text, depth) != first, "the table's entries are reused"
    for forget, *words in (
        (session.new_game,),
        (session.set_option, "Clear Hash"),
        (session.set_option, "Hash", "2"),
    ):
        nodes_of(session, other, depth)
        forget(*words)
        assert nodes_of(session, text, depth) == first


def test_a_search_does_not_replay_the_game(monkeypatch):
    kind, read = type(registry.get("connect4")), []
    parse = kind.parse
    monkeypatch.setattr(
        kind, "parse", lambda game, *words: read.append(words) or parse(game, *words)
    )
    session, words, texts = Session("connect4"), [], []
    for word in ("d1", "d2", "d3", "e1"):
        words.append(word)
        session.setup(moves=words)
        result = search(session, Limits(depth=3), lambda _, shown: texts.append(shown.text()))
        assert not read
        assert session.position.text() == result.position.text() == texts[-1]


def test_a_running_search_keeps_its_position_when_the_session_changes():
    session, texts, told = Session("gomoku"), set(), threading.Event()
    session.setup(moves=["h8", "h9"])
    searched = session.position.text()

    def report(report, position):
        texts.add(position.text())
        told.set()

    session.start(Limits(infinite=True), report, lambda found: texts.add(found.position.text()))
    assert told.wait(PATIENCE)
    session.play(session.position.parse_move("a1"))
    session.undo(2)
    session.setup(moves=["h8", "h9", "j9"])
    moved_on = session.position.text()
    session.stop()
    assert session.wait(PATIENCE)
    assert texts == {searched}
    assert session.position.text() == moved_on == session.copy_position().text()


def test_an_answer_may_be_played_in_the_session_at_once():
    session, texts = Session("othello"), []
    for _ in range(4):
        search(session, Limits(depth=2), on_done=lambda result: session.play(result.best_move))
        texts.append(session.position.text())
    assert len(session.moves) == len(set(texts)) == 4
    assert session.copy_position().text() == texts[-1]


def test_a_pause_is_remembered_and_decays(monkeypatch):
    """After a pause the session reserves more time; each further search reduces this reserve.

    For a fixed time per move it remembers the pause longer.
    """
    expected, late = [], [0.0]

    class Noting(Deadlines):
        def __init__(self, limits, side, overhead, start, pause, *more):
            super().__init__(limits, side, overhead, start, pause, *more)
            expected.append((overhead, pause))

    def searches(count, *report):
        for _ in range(count):
            search(session, Limits(depth=3), *report)
        return expected[-1]

    def pause(told, position):
        if told.line and told.line.depth == 2:
            late[0] = 0.5

    monkeypatch.setattr("search.limits.perf_counter", lambda: perf_counter() + late[0])
    session = Session("chess")
    session.warm_up()
    monkeypatch.setattr("search.limits.Deadlines", Noting)
    before = searches(2)
    searches(1, pause)
    after = searches(1)
    assert after[0] > before[0] + 0.3 and after[1] > before[1] + 1
    later = searches(30)
    assert later[0] < before[0] + 0.3 and before[1] + 0.3 < later[1] < after[1]


def test_more_moves_than_any_game_has_are_refused_at_once():
    session = Session("chess")
    session.setup(None, ["e2e4"])
    with pytest.raises(SessionError, match="at most 12000 moves"):
        session.setup(None, ["g1f3", "g8f6", "f3g1", "f6g8"] * 3001)
    assert session.position.move_text(session.moves[0]) == "e2e4" and len(session.moves) == 1
