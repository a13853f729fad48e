"""Hub, the protocol of draughts: hand-shake, positions, levels, answers, and the arena's client."""

import sys

import pytest
from front_end import ENGINE as FILE
from front_end import InProcessEngine, run_script
from tournaments import games, run

from protocol.base import PRODUCT, VERSION
from protocol.hub import VARIANTS, arguments_of, line_of
from protocol.records.record import Start
from scripts.arena.clock import GameClock, limits
from scripts.arena.hub import HubClient
from search.limits import Limits

ENGINE = f"{sys.executable} {FILE} hub"
START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"


def test_a_session_with_hub_is_answered(start):
    run_script(
        start("hub"),
        rf"""
        > hub
        < id name=Plyglot version=\S+ author="the Plyglot authors"
        < param name=variant value=normal type=enum values="normal frisian .*"
        < param name=origin value=a1 type=enum values="a1 top"
        < param name=tt-size value=64 type=int min=1 max=4096
        ~ wait
        > set-param name=tt-size value=16
        > set-param name=variant value=frisian
        > init
        < ready
        > set-param name=variant value=normal
        > pos pos={START} moves="32-28 19-23 28x19x23"
        > level depth=3
        > go think
        < info depth=1 mean-depth=1.0 score=-?\d+\.\d\d nodes=\d+ time=\d+\.\d+ nps=\d+\.\d+ pv=.*
        ~ done move=\d+x\d+x19 ponder=\S+
        > level move-time=0.05
        > go analyze
        ~ done move=.*
        > new-game
        > pos pos=Weee
        > hello world
        > ping
        < error message=.*
        < pong
        > go think
        < error message="there is no position: .*"
        > pos pos=We{"e" * 25}b{"e" * 23}
        > go think
        < error message="there is no legal move in this position: .*"
        > pos pos={START}
        > level time=x
        < error message="level time must be a number of seconds, not 'x'"
        > set-param name=book-ply value=1
        < error message="no such option: book-ply"
        > level infinite
        > go ponder
        > ping
        ~ pong
        > level time=0.1 inc=0.1
        > stop
        ~ done move=.*
        > quit
    """,
    )


@pytest.mark.parametrize("text, arguments", [
    ('name=a value="b c" flag x="', {"name": "a", "value": "b c", "flag": "", "x": ""}),
    ("= a==b", {"a": "=b"}),
])  # fmt: skip
def test_arguments_of_a_line_are_parsed(text, arguments):
    assert arguments_of(text) == arguments


def test_only_values_that_need_quotes_are_quoted():
    line = line_of("done", move="1-6", x="", z='a "b"', f=None)
    assert line == 'done move=1-6 x="" z="a \'b\'" f'


def test_every_variant_is_played_and_ponder_hit_starts_the_clock():
    engine = InProcessEngine("hub", "draughts")
    for name in VARIANTS:
        engine.send(
            f"set-param name=variant value={name}", "pos start", "level depth=1", "go think"
        )
        assert engine.until("done move=.*")
        text = engine.session.position.hub_text()
        engine.send(f"pos pos={text}")
        assert engine.session.position.hub_text() == text and not engine.session.refused
    engine.send("level move-time=0.01", "go ponder", "ponder-hit")
    assert engine.until("done move=.*")
    engine.close()


@pytest.mark.parametrize(
    "origin, moves, answer", [("a1", "9-13 22-18", "13x22x18"), ("top", "21-17 10-14", "17x10x14")]
)
def test_russian_squares_are_numbered_from_a1_or_from_the_top(origin, moves, answer):
    engine = InProcessEngine("hub")
    engine.send(f"set-param name=origin value={origin}", "set-param name=variant value=russian")
    engine.send(f'pos start moves="{moves}"', "level depth=2", "go think")
    assert engine.until(f"done move={answer} .*")  # b4xd6 in letters
    position = engine.session.position
    assert all(
        position.read_hub(position.hub_move(move, origin), origin) == move
        for move in position.legal_moves()
    )
    engine.send("set-param name=origin value=b1")
    assert engine.until('error message="origin must be one of a1 top, not .b1.".*')
    engine.close()


def test_the_arena_plays_and_referees_hub_engines(tmp_path):
    engines = [("name=a", "nodes=50"), ("name=b", "tc=5+0.1")]
    words = [word for each in engines for word in ("--engine", *each, f"cmd={ENGINE}", "proto=hub")]
    run(tmp_path, "--game", "frisian", "--rounds", "1", *words, "--max-plies", "8")
    ends = {game["termination"] for game in games(tmp_path)}
    assert ends and ends <= {"normal", "adjudication"}


def test_the_hub_client_sends_the_time_of_an_overtime_period():
    clock = GameClock({"tc": "1,0.05"})
    clock.charge(1.0)  # uses up the main time
    with HubClient(ENGINE) as engine:
        sent, write = [], engine._process.write
        engine._process.write = lambda *lines: sent.extend(lines) or write(*lines)
        assert engine.think(Start("draughts"), [], limits([clock, clock], 0)).move is not None
    assert "level move-time=0.050" in sent


def test_the_hub_client_reads_mate_scores():
    with HubClient(ENGINE) as engine:
        assert engine.name == f"{PRODUCT} {VERSION}"
        answer = engine.think(Start("draughts", "W:W32:B28"), [], Limits(depth=3))
        assert answer.best.mate == 1 and answer.best.pv == ["32x23x28"]
        with pytest.raises(Exception, match="does not play othello over Hub"):
            engine.think(Start("othello"), [], Limits(depth=1))
