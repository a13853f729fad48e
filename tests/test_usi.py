"""USI, the protocol of shogi: hand-shake, clocks, mates, ends of games, and the arena's client."""

import sys

import pytest
from conftest import run_python
from front_end import ENGINE as FILE
from front_end import InProcessEngine, run_script
from tournaments import games, run

from protocol.records.record import Start
from scripts.arena.client import Answer
from scripts.arena.game import Referee
from scripts.arena.uci import UsiClient
from search.limits import Deadlines, Limits

ENGINE = f"{sys.executable} {FILE}"
# Black's king and 12 other pieces are in White's camp; with the pawns in hand, Black has 37 points.
ENTERED = "KGGGGSSSS/RR+B+B5/9/9/9/9/9/9/8k b 9P 1"
# It takes a long search to find out whether White can mate by checks.
UNSOLVED = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"


def test_a_session_with_usi_is_answered(start):
    run_script(
        start(),
        r"""
        > usi
        < id name Plyglot .*
        < id author .*
        ~ option name USI_Hash type spin default 64 min 1 max 4096
        ~ option name USI_Ponder type check default false
        ~ option name Move_Overhead type spin .*
        ~ option name USI_Variant type combo default shogi var shogi var minishogi
        ~ usiok
        > setoption name USI_Hash value 16
        > setoption name USI_Ponder value true
        > isready
        < readyok
        > usinewgame
        > position startpos moves 7g7f 3c3d
        > go depth 2
        ~ info depth 2 .* score cp -?\d+ .* pv \S+ \S+.*
        ~ bestmove \d[a-i]\d[a-i]\+? ponder \d[a-i]\d[a-i]\+?
        > position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G - moves
        > go depth 3
        ~ info .* score mate 1 .* pv G\*5b
        ~ bestmove G\*5b
        > gameover win
        > setoption name USI_Variant value minishogi
        > position startpos
        > go nodes 100
        ~ bestmove \d[a-e]\d[a-e].*
        > position sfen 9/9/9/9/9/9/9/9/9/9 b - 1
        < info string error: .*
        > go nodes 10
        < info string error: there is no position: .*
        < bestmove resign
        > quit
    """,
    )


def test_bestmove_is_resign_or_win_at_the_end_of_a_game():
    engine = InProcessEngine("usi", "shogi")
    engine.send(f"position sfen {MATED}", "go depth 3")
    assert engine.until("bestmove.*")[-1] == "bestmove resign"
    engine.send(f"position sfen {ENTERED}", "go byoyomi 1000")
    assert engine.line() == "bestmove win"
    engine.close()


@pytest.mark.parametrize(
    "before, answer",
    [
        ("position sfen 9/9/9/9/9/9/9/9/9/9 b - 1", "checkmate timeout"),
        ("setoption name USI_Variant value chess", "checkmate notimplemented"),
        ("position sfen 7nl/5G1k1/6ppp/9/9/9/9/9/4K4 b GS 1", "checkmate S*3a 2b1b G*2b"),
    ],
)
def test_a_search_for_a_mate_is_always_answered(before, answer):
    engine = InProcessEngine("usi", "shogi")
    engine.send(before, "go mate 5000")
    lines = engine.until("(checkmate|bestmove).*")
    assert lines[-1] == answer and "internal error" not in "".join(lines)
    assert "error: " in engine.send("go mate x").until("checkmate.*")[0]
    engine.close()


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_an_endless_search_for_a_mate_ends_with_the_process(end):
    said = run_python(FILE, input=f"usi\nposition sfen {UNSOLVED}\ngo mate infinite\n{end}")
    assert said.stdout.endswith("usiok\ncheckmate timeout\n")


def test_byoyomi_is_used_up_but_never_exceeded():
    engine = InProcessEngine("usi").send("position startpos moves 7g7f")
    (limits,) = engine.limits_of("go btime 0 wtime 0 byoyomi 1000")
    deadlines = Deadlines(limits, 1, start=0.0)
    assert 0.9 <= deadlines.soft_deadline <= deadlines.hard_deadline < 1


def test_ponderhit_may_carry_new_times():
    engine = InProcessEngine("usi", "shogi")
    engine.send("position startpos moves 7g7f", "go ponder", "ponderhit btime 0 wtime 0 byoyomi 50")
    assert engine.until("bestmove.*")[-1] != "bestmove resign"
    engine.close()


def test_the_arena_plays_and_referees_usi_engines(tmp_path):
    engines = [("name=a", "nodes=50"), ("name=b", "tc=5+0.1")]
    words = [
        word for engine in engines for word in ("--engine", *engine, f"cmd={ENGINE}", "proto=usi")
    ]
    run(tmp_path, "--game", "minishogi", "--rounds", "1", *words, "--max-plies", "8")
    ends = {game["termination"] for game in games(tmp_path)}
    assert ends and ends <= {"normal", "adjudication", "resignation"}


@pytest.mark.parametrize("answer, reason", [("win", "claimed a win"), ("resign", "resigned")])
def test_a_claim_is_judged_by_the_rules(answer, reason):
    job = {"id": "1", "game": "shogi", "players": [{"name": name, "terms": {}} for name in "ab"]}
    referee = Referee(job, ())
    verdict = referee._without_move(Answer(None, answer, 0.1), 0)
    assert verdict.winner == 1 and reason in verdict.reason
    entered = Referee({**job, "start": ENTERED}, ())
    assert entered._without_move(Answer(None, "win", 0.1), 0).winner == 0


def test_the_usi_client_converts_mates_from_plies_to_moves():
    with UsiClient(ENGINE) as engine:
        start = Start("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
        assert engine.think(start, [], Limits(depth=3)).best.mate == 1


def test_the_usi_client_sends_all_limits_with_a_period():
    with UsiClient(ENGINE) as engine:
        (line,) = engine._go(Limits(depth=3, nodes=9, clocks=(1.0, 2.0), overtime=0.5))
    assert line == "go depth 3 nodes 9 btime 1000 wtime 2000 byoyomi 500"
