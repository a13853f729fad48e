"""Engines in this process, as in a browser, where neither threads nor processes can start."""

import json
import textwrap

import pytest
from conftest import ROOT, run_python

import plyglot

# This code makes the system look like a browser to the code that follows.
BROWSER = """
import json, sys
sys.platform = "emscripten"
from search import interpreter
interpreter.do_without_threads()
import plyglot
"""


def run(code):
    """Return what the code prints, one JSON value per line."""
    done = run_python("-c", BROWSER + textwrap.dedent(code), cwd=ROOT)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("game, moves", [("othello", ["d3"]), ("chess", ["e2e4"])])
def test_an_engine_in_place_searches_like_one_in_a_process(game, moves):
    code = f"""
    with plyglot.Engine(game={game!r}, options={{"Hash": 4}}) as engine:
        engine.position(moves={moves})
        result = engine.go(depth=5)
        print(json.dumps([result.move, result.ponder, result.best.nodes, engine.name]))
    """
    with plyglot.Engine(game=game, options={"Hash": 4}) as engine:
        engine.position(moves=moves)
        result = engine.go(depth=5)
        assert run(code) == [[result.move, result.ponder, result.best.nodes, engine.name]]


def test_infos_arrive_during_the_search():
    [deepest, depths, answer] = run("""
    with plyglot.Engine(game="othello") as engine:
        seen = []
        engine.position(moves=["d3"])
        def on_info(info):
            seen.append(info.depth)
            assert engine.searching
        result = engine.go(depth=4, on_info=on_info)
        print(result.best.depth)
        print(json.dumps(seen))
        print(json.dumps(result.move))
    """)
    assert deepest == 4 and depths[:4] == [1, 2, 3, 4] and answer


def test_an_endless_search_gives_its_lines_to_a_listener():
    [refusal, depths, move, again] = run("""
    with plyglot.Engine(game="othello") as engine:
        seen = []
        with engine.search(infinite=True) as search:
            try:
                next(iter(search))
            except plyglot.Refusal as error:
                print(json.dumps(str(error)))
        def on_info(info):
            seen.append(info.depth or 0)  # 0: this info only names the root move being searched
            if seen[-1] >= 9:
                search.stop()
        search = engine.search(infinite=True)
        move = search.wait(on_info).move
        print(json.dumps(seen))
        print(json.dumps(move))
        print(json.dumps(engine.go(depth=1).move))
    """)
    assert refusal == "can't be read here during a search without a limit: use on_info"
    assert sorted({*depths} - {0})[:9] == list(range(1, 10))
    assert move.startswith("P@") and again.startswith("P@")


def test_ponderhit_starts_the_clock_of_a_search_in_place():
    [depths, move] = run("""
    with plyglot.Engine(game="othello") as engine:
        seen = []
        def on_info(info):
            seen.extend([info.depth] if info.depth else [])
            if info.depth == 7:
                search.ponderhit()
        search = engine.search(ponder=True, clocks=(1, 1))
        move = search.wait(on_info).move
        print(json.dumps(seen))
        print(json.dumps(move))
    """)
    assert 7 in depths and depths == sorted(depths) and move.startswith("P@")


def test_a_search_without_a_listener_may_write_any_number_of_lines():
    tree = "(" + " ".join(map(str, range(12_000))) + ")"
    assert run(f"""
    with plyglot.Engine(game="tree", options={{"Trace": True}}) as engine:
        engine.position({tree!r})
        with engine.search() as search:
            print(sum("visit" in (info.string or "") for info in search))
    """) == [12_001]


def test_errors_are_the_same_in_place_and_in_a_process():
    assert run("""
    def fault(work):
        try:
            work()
        except (plyglot.EngineError, ZeroDivisionError) as error:
            print(json.dumps([type(error).__name__, str(error)[:14]]))
    engine = plyglot.Engine(game="tictactoe")
    fault(lambda: engine.position(moves=["a1", "a1"]))
    engine.position()
    fault(lambda: engine.go(depth=3, on_info=lambda info: 1 / 0))
    fault(lambda: engine.set_option("Hash", 0))
    print(json.dumps(bool(engine.go(depth=3).move)))
    engine.close()
    fault(lambda: engine.go(depth=1))
    fault(lambda: plyglot.Engine("stockfish"))
    fault(lambda: plyglot.Engine(game="poker"))
    othello = plyglot.Engine(game="othello")
    fault(lambda: othello.go(depth=60, timeout=0.2))
    fault(lambda: plyglot.Engine(plugins=["nowhere.py"]))
    fault(lambda: plyglot.Engine(5))
    fault(lambda: othello.position(moves=["a1\\ud800"]))
    othello.position()
    fault(lambda: othello.go(depth=1, on_info=lambda info: othello.go(depth=1)))
    print(json.dumps(bool(othello.go(depth=1).move)))
    """) == [
        ["Refusal", '"a1": this cel'],
        ["ZeroDivisionError", "division by ze"],
        ["Refusal", "does not accep"],
        True,
        ["Crash", "was closed"],
        ["Missing", "can't start an"],
        ["Refusal", "does not play "],
        ["Stall", "no bestmove in"],
        ["Missing", "can't load a p"],
        ["Missing", "can't start an"],
        ["Refusal", "can't receive "],
        ["Refusal", "is in use by a"],
        True,
    ]


def test_a_plugin_is_loaded():
    nim = str(ROOT / "tests" / "plugins" / "nim.py")
    assert run(f"""
    with plyglot.Engine(game="nim", plugins=[{nim!r}]) as engine:
        print(json.dumps(bool(engine.go(depth=2).move)))
    """) == [True]


def test_an_engine_in_place_refuses_asyncio():
    assert run("""
    import asyncio
    async def main():
        try:
            await plyglot.AsyncEngine().start()
        except plyglot.Missing as error:
            print(json.dumps(str(error)))
    asyncio.run(main())
    """) == ["AsyncEngine is not available in a browser: use plyglot.Engine"]


# ---- the page's commands ----------------------------------------------------------------------------------

# A page with a list of (condition, command, body).  The page sends each command as soon as the
# worker's messages so far meet the condition.
PAGE = """
from scripts.browser.worker import Page

class End(Exception):
    pass

told = []
def read(seconds):
    while script:
        wanted, command, body = script[0]
        if not wanted(told):
            assert seconds is not None, told
            return None
        script.pop(0)
        return json.dumps({"id": len(script), "command": command, "body": body}).encode()
    raise End

def kinds(told):
    return [each.get("type") for each in told]

def run():
    try:
        Page(lambda text: told.append(json.loads(text)), read).run()
    except End:
        pass
always = lambda told: True
"""


def test_a_worker_answers_commands_while_its_engine_searches():
    found = run(
        textwrap.dedent(PAGE)
        + textwrap.dedent("""
    analysis = {"role": "analysis", "ticket": 1, "game": "chess", "moves": []}
    deep = lambda told: any(each.get("lines", [{}])[0].get("depth", 0) >= 3 for each in told)
    script = [
        (always, "think", analysis),
        (deep, "position", {"game": "othello", "moves": ["d3"]}),
        (always, "stop", {"role": "analysis", "ticket": 1, "move": True}),
        (lambda told: "move" in kinds(told), "position", {"game": "othello", "moves": ["a1"]}),
        (always, "stop", {"role": "analysis", "ticket": 1}),
    ]
    run()
    for each in told:
        if each.get("type") != "lines":
            print(json.dumps(each))
    """)
    )
    assert found[0] == {"type": "hello"} and found[1]["answer"] == {}
    assert found[2]["answer"]["name"] == "othello" and found[3]["answer"] == {}
    assert found[4]["type"] == "move" and found[4]["ticket"] == 1 and found[4]["move"]
    assert found[5]["answer"] == {"error": 'ply 1: "a1" is not a legal move here'}


def test_a_search_waits_until_a_search_of_another_role_ends():
    found = run(
        textwrap.dedent(PAGE)
        + textwrap.dedent("""
    game = {"game": "chess", "moves": []}
    moves = lambda count: lambda told: kinds(told).count("move") == count
    script = [
        (always, "think", {"role": "1", "ticket": 1, "depth": 1, **game}),
        (moves(1), "think", {"role": "hint", "ticket": 2, **game}),
        (lambda told: told[-1].get("role") == "hint", "think", {"role": "1", "ticket": 3, "depth": 1, **game}),
        (always, "stop", {"role": "hint", "ticket": 2, "move": True}),
        (moves(3), "stop", {"role": "1", "ticket": 3}),
    ]
    run()
    print(json.dumps([each["ticket"] for each in told if each.get("type") == "move"]))
    """)
    )
    assert found == [[1, 2, 3]]


def test_a_later_search_replaces_an_endless_search():
    found = run(
        textwrap.dedent(PAGE)
        + textwrap.dedent("""
    endless = {"role": "analysis", "ticket": 1, "game": "gomoku", "moves": []}
    script = [
        (always, "think", endless),
        (lambda told: "lines" in kinds(told), "think",
            {"role": "analysis", "ticket": 2, "game": "tictactoe", "moves": ["b2"], "depth": 2}),
        (lambda told: "move" in kinds(told), "think",
            {"role": "review", "whole": True, "ticket": 3, "game": "tictactoe", "moves": ["b2", "a1"], "movetime": 0.05}),
        (lambda told: "reviewed" in kinds(told), "stop", {"role": "hint", "ticket": 9}),
    ]
    run()
    print(json.dumps([each["ticket"] for each in told if each.get("type") in ("move", "reviewed")]))
    """)
    )
    assert found == [[2, 3]]
