"""plyglot.Engine and plyglot.AsyncEngine, through which Python programs use UCI engines."""
# Started early by scripts/test, since it is slow.

import asyncio
import contextlib
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from xml.etree import ElementTree

import pytest
from conftest import ROOT, wait_until
from growth import grows, seconds
from tables import rows
from tournaments import STUBS

import plyglot
from plyglot.uci import _KEYS, LONGEST_NAME, due, go_words, read_info, read_option


@pytest.fixture(scope="module")
def othello():
    with plyglot.Engine(game="othello", options={"Hash": 1}) as engine:
        yield engine


def stub(name, *words, **keywords):
    return plyglot.Engine([sys.executable, str(STUBS / f"{name}.py"), *words], **keywords)


# ---- the synchronous engine -----------------------------------------------------------------------------


def test_plyglot_itself_answers_with_a_move(othello):
    othello.new_game()
    othello.position(moves=["d3"])
    result = othello.go(depth=4)
    assert str(result) == result.move == result.best.pv[0] and result.ponder == result.best.pv[1]
    assert result.best.depth == 4 and result.seconds > 0
    assert othello.name.startswith("Plyglot") and not othello.searching


def test_infos_arrive_during_the_search(othello):
    othello.position()
    depths = []
    with othello.search(infinite=True) as search:
        for info in search:
            depths.append(info.depth)
            if info.depth == 5:
                search.stop()
        assert search.result.move == search.wait().move and search.infos[0].pv
    assert depths[:5] == [1, 2, 3, 4, 5]
    depths = []
    othello.go(depth=3, on_info=lambda info: depths.append(info.depth))
    assert depths == [1, 2, 3]


def test_another_thread_can_stop_a_search(othello):
    with othello.search(infinite=True) as search:
        next(iter(search))
        threading.Thread(target=search.stop).start()
        assert search.wait().move


def test_an_abandoned_search_ends_before_the_next_command(othello):
    with othello.search(infinite=True) as search:
        pass
    assert othello.searching and search.running
    othello.position(moves=["d3"])
    assert (
        not search.running and search.result.move and othello.go(depth=1).move != search.result.move
    )
    first = othello.search(infinite=True)
    assert othello.go(depth=1).move and not first.running


def test_ponderhit_starts_the_clock(othello):
    with othello.search(ponder=True, clocks=(0.2, 0.2)) as search:
        assert search.until is None
        search.ponderhit()
        assert search.until is not None and search.wait().move


def test_a_late_engine_raises_stall(othello):
    with pytest.raises(plyglot.Stall, match="no bestmove in"):
        othello.go(depth=60, timeout=0.05)
    assert othello.go(depth=1).move
    with stub("stalling") as engine:
        engine.go(movetime=0.01)
        engine.patience = 0.3
        with pytest.raises(plyglot.Stall, match=r"no bestmove in 0\.\d s"):
            engine.go(movetime=0.01)
        engine.kill()


@pytest.mark.parametrize(
    "limits, seconds", rows("from_python.the_deadline_is_the_sum_of_time_and_patience")
)
def test_the_deadline_is_the_sum_of_time_and_patience(limits, seconds):
    assert due(limits, 30) == seconds


class Script:
    """A stand-in for a process: at time 0 it answers each write() with the next part of its script."""

    closed = True

    def __init__(self, *script):
        self.sent, self._script, self._lines = [], [*script], []

    def write(self, *lines):
        self.sent += lines
        self._lines += self._script.pop(0).split("\n") if self._script else []

    def read(self, until, listener=None):
        if not self._lines:
            raise plyglot.Stall("no answer")
        return 0.0, self._lines.pop(0)


def scripted(monkeypatch, *script):
    """Return (an Engine whose process is a Script, that Script)."""
    process = Script(*script)
    monkeypatch.setattr("plyglot.client.start", lambda *arguments: process)
    return plyglot.Engine("x"), process


def test_a_stopped_search_gets_a_deadline_and_late_answers_do_not_count(monkeypatch):
    engine, _ = scripted(monkeypatch, "uciok", "readyok", "")
    assert engine.search(movetime=5).until > time.perf_counter()
    engine._search = None
    search = engine.search(infinite=True)
    assert search.until is None
    search.stop()
    assert search.until is not None
    # Two questions are open, and the late answer to the first must not count for the second.
    engine._unready = 2
    engine._receive(0.0, "readyok")
    assert engine._unready == 1


def test_no_search_begins_after_a_position_that_was_not_sent_in_time(monkeypatch):
    engine, _ = scripted(monkeypatch, "uciok", "readyok", "", "", "bestmove a1")
    engine.search(infinite=True)
    with pytest.raises(plyglot.Stall, match="no bestmove in 30 s"):
        engine.position(moves=["d3"])
    with pytest.raises(plyglot.Refusal, match="no position to search: no bestmove"):
        engine.go(depth=1)


def test_lines_that_nobody_awaits_are_ignored(monkeypatch):
    greeting = "id name X\nid author Y and Z\noption name Hash type spin default 1 min 1 max 9"
    engine, process = scripted(
        monkeypatch,
        f"{greeting}\nuciok\nbestmove d2d4",
        "readyok",
        "info depth 1 score cp 3 pv e2e4\nbestmove e2e4 ponder e7e5",
    )
    assert (engine.name, engine.author, [*engine.options]) == ("X", "Y and Z", ["Hash"])
    result = engine.go(depth=1)
    assert (result.move, result.ponder, result.best.score) == ("e2e4", "e7e5", 3)
    assert process.sent == ["uci", "isready", "go depth 1"]
    with pytest.raises(plyglot.Stall, match="no readyok in 30 s"):
        engine.ready()


def test_an_engine_with_endless_options_is_refused(monkeypatch):
    monkeypatch.setattr("plyglot.uci.MAX_OPTIONS", 3)
    source = "for n in range(9): print(f'option name {n} type button')\ninput(); input()"
    with pytest.raises(plyglot.Refusal, match="more than 3 options"):
        plyglot.Engine([sys.executable, "-c", source])


def test_close_stops_the_search_before_it_quits():
    source = (
        "import os\nprint('uciok', flush=True)\nlines = []\n"
        "while lines[-1:] != ['quit']:\n    lines.append(input())\n"
        "    print('readyok', flush=True)\nos._exit(len(lines) > 2 and lines[-2] == 'stop')"
    )
    engine = plyglot.Engine([sys.executable, "-c", source])
    engine.search(infinite=True)
    process = engine._process
    engine.close(grace=60)
    assert process.wait(0) == 1


def test_go_words_are_in_ucis_order_and_times_in_milliseconds():
    limits = {"clocks": (1.5, None), "increments": (0.1, 0.1), "moves_to_go": 3, "depth": 4}
    assert go_words(limits) == "wtime 1500 winc 100 movestogo 3 depth 4".split()
    assert go_words({"clocks": (-1, 0.0001)}) == "wtime 1 btime 1".split()
    assert go_words({"ponder": True, "searchmoves": ["a", "b"], "nodes": 7, "mate": 2}) == (
        "ponder nodes 7 mate 2 searchmoves a b".split()
    )


def test_options_have_kinds_and_bounds(othello):
    options = othello.options
    assert options["Hash"] == plyglot.Option("Hash", "spin", "64", 1, 4096)
    assert options["Ponder"].kind == "check" and options["Clear Hash"].kind == "button"
    assert "othello" in options["UCI_Variant"].choices and options["BookFile"].default == ""
    othello.set_option("hash", 2)
    othello.set_option("Ponder", True)
    othello.set_option("Clear Hash")
    for name, value, message in (
        ("Hash", 0, "Hash=0: it must be 1 to 4096"),
        ("Ponder", "maybe", "it must be true or false"),
        ("UCI_Variant", "halma", "does not accept UCI_Variant=halma"),
        ("Nonsense", 1, "has no option"),
    ):
        with pytest.raises(plyglot.Refusal, match=message):
            othello.set_option(name, value)


def test_errors_of_plyglot_raise_refusal(othello):
    with pytest.raises(plyglot.Refusal, match="zz"):
        othello.position(moves=["zz"])
    with pytest.raises(plyglot.Refusal, match="line break"):
        othello.position(fen="x\nquit")
    othello.position()


def test_no_search_begins_after_a_refused_position(othello):
    for bad in ({"moves": ["zz"]}, {"moves": ["d3\nquit"]}, {"moves": ["\ud800"]}):
        with pytest.raises(plyglot.EngineError):
            othello.position(**bad)
        with pytest.raises(plyglot.Refusal, match="no position to search"):
            othello.go(depth=1)
        with pytest.raises(plyglot.Refusal, match="no position to search"):
            othello.search(infinite=True)
    othello.position()
    assert othello.go(depth=1).move


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), -float("inf"), 1e300])
def test_an_invalid_time_is_refused(othello, seconds):
    for limits in ({"movetime": seconds}, {"clocks": (1, seconds)}):
        with pytest.raises(plyglot.Refusal, match="invalid time"):
            othello.go(**limits)
    assert othello.go(depth=1).move


def test_one_engine_serves_one_caller_at_a_time(othello):
    refused = []

    def use():
        try:
            othello.go(depth=1)
        except plyglot.Refusal as error:
            refused.append(str(error))

    def use_it_elsewhere(info):
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        use()

    othello.position()
    assert othello.go(depth=1, on_info=use_it_elsewhere).move
    assert refused and set(refused) == {
        "is in use by another thread, or by the search that calls on_info"
    }
    with pytest.raises(plyglot.Refusal, match="calls on_info"):
        othello.go(depth=3, on_info=lambda info: othello.ready())
    assert othello.go(depth=1).move


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork()")
def test_a_fork_cannot_use_its_parents_engine(othello):
    read_end, write_end = os.pipe()
    fork = os.fork()
    if not fork:
        for work in (othello.ready, lambda: othello.go(depth=1), othello.position):
            try:
                work()
            except plyglot.Refusal as error:
                os.write(write_end, f"{error}\n".encode())
        os._exit(0)
    os.waitpid(fork, 0)
    os.close(write_end)
    with open(read_end) as said:
        assert said.read() == 3 * "belongs to the parent process: a fork can't use it\n"
    assert othello.go(depth=1).move


@pytest.mark.parametrize(
    "use, message",
    [
        (lambda engine: engine.position(moves="e2e4"), "expected a list of strings"),
        (lambda engine: engine.position(moves=[1]), "expected a list of strings"),
        (lambda engine: engine.position(fen=5), "."),
        (lambda engine: engine.position(fen="\ud800"), "not UTF-8"),
        (lambda engine: engine.go(searchmoves=["\ud800"], depth=1), "not UTF-8"),
        (lambda engine: engine.go(searchmoves="d3", depth=1), "expected a list of strings"),
        (lambda engine: engine.go(depth="3"), "invalid depth: '3'"),
        (lambda engine: engine.go(nodes=1.5), "invalid nodes: 1.5"),
        (lambda engine: engine.go(movetime="1"), "invalid time: '1'"),
        (lambda engine: engine.go(clocks=5), "invalid clocks: 5"),
        (lambda engine: engine.go(clocks=(1, 2, 3)), "invalid clocks"),
        (lambda engine: engine.go(depth=1, timeout="1"), "invalid timeout: '1'"),
        (lambda engine: engine.set_option(None, 1), "has no option None"),
        (lambda engine: engine.set_option("BookFile", "\ud800"), "not UTF-8"),
        (lambda engine: engine.choose(5), "does not play 5"),
        (lambda engine: plyglot.Engine(5), "can't start 5"),
        (lambda engine: plyglot.Engine("\ud800"), "can't start"),
        (lambda engine: plyglot.Engine(plugins=5), "can't be started"),
        (lambda engine: plyglot.Engine(plugins=["no/such/plugin.py"]), "no/such/plugin.py"),
        (lambda engine: plyglot.Engine(options=5), "can't be started"),
        (lambda engine: plyglot.Engine(options={5: 6}), "has no option 5"),
        (lambda engine: plyglot.Engine(environment={"A": 5}), "can't start"),
        (lambda engine: plyglot.Engine(patience="long"), "invalid patience: 'long'"),
    ],
)
def test_invalid_arguments_are_engine_errors(othello, use, message):
    with pytest.raises(plyglot.EngineError, match=message):
        use(othello)
    othello.position()
    assert othello.go(depth=1).move


def test_an_unclosed_engine_warns_and_ends_when_it_is_garbage_collected():
    engine = plyglot.Engine(options={"Hash": 1})
    process = engine._process
    with pytest.warns(ResourceWarning, match="unclosed engine Plyglot"):
        del engine
        gc.collect()
    assert process.wait(0) is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plyglot.Engine(options={"Hash": 1}).close()
        gc.collect()


def test_go_refuses_an_infinite_search(othello):
    for limits in ({"infinite": True}, {"ponder": True, "clocks": (1, 1)}):
        with pytest.raises(ValueError, match="use search"):
            othello.go(**limits)
    with pytest.raises(TypeError, match="dept"):
        othello.go(dept=3)
    assert not othello.searching and othello.go(depth=1).move


def test_an_engine_loads_plugins(tmp_path):
    with plyglot.Engine(
        game="nim", plugins=[str(ROOT / "tests" / "plugins" / "nim.py")], directory=str(tmp_path)
    ) as engine:
        assert engine.go(depth=3).move


@pytest.mark.parametrize(
    "source, message, greeted", rows("from_python.engines_that_cannot_be_started_raise_errors")
)
def test_engines_that_cannot_be_started_raise_errors(source, message, greeted):
    with pytest.raises(plyglot.EngineError, match=message) as failed:
        plyglot.Engine([sys.executable, "-c", source], patience=0.2 if "0.2" in message else 60)
    assert failed.value.greeted == greeted


def test_an_unknown_game_raises_refusal():
    with pytest.raises(plyglot.Refusal, match="does not play halma"):
        plyglot.Engine(game="halma")
    with pytest.raises(plyglot.Missing, match="can't start no-such-engine"):
        plyglot.Engine("no-such-engine")


@pytest.mark.parametrize("when", ["uci", "isready", "go"])
def test_a_flood_of_output_raises_stall(when):
    with pytest.raises(plyglot.Stall):
        engine = stub("flooding", when, patience=60 if when == "go" else 0.2)
        with contextlib.closing(engine), contextlib.ExitStack() as stack:
            stack.callback(engine.kill)
            engine.patience = 0.1
            engine.go(movetime=0.01)


# ---- the asynchronous engine ------------------------------------------------------------------------------


def test_the_asyncio_engine_works_like_the_synchronous_one():
    async def main():
        async with plyglot.AsyncEngine(game="othello", options={"Hash": 1}) as engine:
            await engine.new_game()
            await engine.position(moves=["d3"])
            result = await engine.go(depth=4)
            assert result.best.depth == 4 and engine.options["Hash"].highest == 4096
            depths = []
            async with await engine.search(infinite=True) as search:
                async for info in search:
                    depths.append(info.depth)
                    if info.depth == 5:
                        search.stop()
            assert depths[:5] == [1, 2, 3, 4, 5] and search.result.move
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.go(depth=60), 0.05)
            assert (await engine.go(depth=1)).move
            with pytest.raises(plyglot.Stall):
                await engine.go(depth=60, timeout=0.05)
            async with await engine.search(ponder=True, clocks=(0.2, 0.2)) as search:
                search.ponderhit()
                assert (await search.wait()).move
            with pytest.raises(plyglot.Refusal):
                await engine.set_option("Hash", 0)
            await engine.ready()

    asyncio.run(main())


def asyncio_engine():
    return plyglot.AsyncEngine(options={"Hash": 1})


async def cancelled(task):
    """Cancel a task and wait for its end, which must be a cancellation."""
    task.cancel()
    await asyncio.wait({task}, timeout=60)
    return task.done() and task.cancelled()


def test_a_task_that_reads_many_answers_can_be_cancelled():
    async def answers(engine):
        while True:
            await engine.ready()

    async def main():
        async with asyncio_engine() as engine:
            for _ in range(20):
                task = asyncio.create_task(answers(engine))
                await asyncio.sleep(0.002)
                assert await cancelled(task)
            assert (await engine.go(depth=1)).move

    asyncio.run(main())


@pytest.mark.parametrize("reads", ["wait", "iterate", "go", "nothing yet"])
def test_a_cancelled_task_stops_its_search(reads):
    async def think(engine, begun):
        if reads == "go":
            return await engine.go(depth=60, on_info=lambda info: begun.set())
        search = await engine.search(infinite=True)
        begun.set()
        if reads == "wait":
            return await search.wait()
        async for _ in search:
            pass

    async def main():
        async with asyncio_engine() as engine:
            sent, write, loop = [], engine._process.write, asyncio.get_running_loop()
            begun, over = asyncio.Event(), threading.Event()

            def send(*lines):
                if reads == "nothing yet" and lines == ("go infinite",):
                    loop.call_soon_threadsafe(begun.set)
                    over.wait(60)
                sent.extend(lines)
                write(*lines)

            engine._process.write = send
            task = asyncio.create_task(think(engine, begun))
            await begun.wait()
            assert await cancelled(task)
            over.set()
            await asyncio.to_thread(wait_until, lambda: sent[-1:] == ["stop"])
            assert (await engine.go(depth=1)).move

    asyncio.run(main())


def test_an_error_in_on_info_stops_the_search_of_a_task():
    async def main():
        async with asyncio_engine() as engine:
            with pytest.raises(ZeroDivisionError):
                await engine.go(depth=60, on_info=lambda info: 1 // 0)
            assert (await engine.go(depth=1)).move

    asyncio.run(main())


@pytest.mark.parametrize(
    "begin", ["plyglot.Engine()", "asyncio.run(plyglot.AsyncEngine().start())"]
)
def test_a_program_exits_even_if_its_engine_is_not_closed(begin):
    program = f"import asyncio, plyglot; engine = {begin}"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=60)


def test_another_task_or_event_loop_is_refused():
    async def main():
        async with asyncio_engine() as engine:
            first = await engine.search(infinite=True)
            task = asyncio.create_task(first.wait())
            await asyncio.sleep(0)
            for work in (engine.go(depth=1), engine.position(), engine.ready(), first.wait()):
                with pytest.raises(plyglot.Refusal, match="another task"):
                    await work
            with pytest.raises(plyglot.Refusal, match="already been started"):
                await engine.start()

            def elsewhere():
                with pytest.raises(plyglot.Refusal, match="another event loop"):
                    asyncio.run(engine.go(depth=1))

            await asyncio.to_thread(elsewhere)
            assert not task.done()
            first.stop()
            assert (await task).move and (await engine.go(depth=1)).move

    asyncio.run(main())


def test_a_cancelled_start_leaves_no_engine(monkeypatch):
    processes = []

    def begin(*arguments):
        processes.append(plyglot.Process(*arguments))
        return processes[0]

    async def main():
        task = asyncio.create_task(plyglot.AsyncEngine().start())
        await asyncio.sleep(0)
        assert processes and await cancelled(task)

    monkeypatch.setattr("plyglot.client.start", begin)
    asyncio.run(main())
    assert processes[0].wait(60) == -signal.SIGKILL


def test_two_engines_think_at_the_same_time():
    async def main():
        async with asyncio_engine() as one, asyncio_engine() as other:
            first = await one.search(infinite=True)
            result = await other.go(depth=2)
            assert first.running and result.move
            first.stop()
            assert (await first.wait()).move

    asyncio.run(main())


@pytest.mark.parametrize("when", ["uci", "go"])
def test_a_flood_of_output_does_not_starve_other_tasks(when, monkeypatch):
    monkeypatch.setattr(
        "plyglot.process.MAX_LINES", 500
    )  # a short queue, since the test reads all of it

    async def main():
        turns = 0

        async def other():
            nonlocal turns
            while True:
                await asyncio.sleep(0.001)
                turns += 1

        task = asyncio.create_task(other())
        engine = plyglot.AsyncEngine(
            [sys.executable, str(STUBS / "flooding.py"), when], patience=60 if when == "go" else 0.2
        )
        with pytest.raises(plyglot.Stall):
            await engine.start()
            engine.patience = 0.1
            await engine.go(movetime=0.01)
        task.cancel()
        await engine.close(grace=0)
        assert turns > 10

    asyncio.run(main())


def test_failing_asyncio_engines_raise_errors():
    async def main():
        engine = plyglot.AsyncEngine("no-such-engine")
        for _ in range(2):
            with pytest.raises(plyglot.Missing):
                await engine.start()
        with pytest.raises(plyglot.Refusal, match="not been started"):
            await plyglot.AsyncEngine().go(depth=1)
        with pytest.raises(plyglot.Crash, match="status 7 .the stub falls over"):
            async with plyglot.AsyncEngine([sys.executable, str(STUBS / "crashing.py")]) as engine:
                await engine.go(depth=1)
                await engine.go(depth=1)

    asyncio.run(main())


# ---- parsing lines ------------------------------------------------------------------------------------------


def test_info_lines_are_parsed():
    info = read_info(
        "info depth 12 seldepth 20 multipv 2 score cp -31 upperbound wdl 100 800 100 nodes 1000 nps 5000"
        " hashfull 3 tbhits 0 time 250 pv e2e4 e7e5 currmove d2d4 string pv of old"
    )
    assert info == plyglot.Info(
        *(12, -31, None, 1000, ["e2e4", "e7e5"], 2, "upper", 20, 0.25, 5000, 3, 0),
        *((100, 800, 100), "d2d4", None, "pv of old"),
    )
    assert read_info("info pv e2e4 e7e5").pv == ["e2e4", "e7e5"]
    assert read_info("info score mate -3 nodes 9") == plyglot.Info(mate=-3, nodes=9)
    for line in rows("from_python.info_lines_are_parsed"):
        assert read_info(line) == plyglot.Info()


def test_time_to_parse_an_info_line_is_proportional_to_its_length():
    def cost(length):
        return seconds(read_info, f"info {token} " + f"{token} " * (length // len(token)))

    for token in ("pv e2e4", "score cp", "wdl 1 2 3", "e2e4", *_KEYS):
        assert not grows(cost, 1 << 15, 0.01), token


def test_option_lines_are_parsed():
    assert read_option(
        "option name Hash type spin default 16 min 1 max 33554432"
    ) == plyglot.Option("Hash", "spin", "16", 1, 33554432)
    assert read_option(
        "option name Style type combo default Very Solid var Very Solid var Risky"
    ) == plyglot.Option("Style", "combo", "Very Solid", choices=("Very Solid", "Risky"))
    assert read_option("option name Debug Log File type string default") == plyglot.Option(
        "Debug Log File", "string", ""
    )
    assert read_option("option name Type type check default true").text(False) == "false"
    assert read_option("option name X type string default <empty>").text("") == "<empty>"
    assert read_option("option name X type combo default a").text("") == ""
    for line in ("option nonsense", "option name X type", "option name type spin"):
        assert read_option(line) is None


def test_long_lines_of_the_greeting_are_cut():
    source = (
        "print('option name X type combo default a' + ' ' * 16_000 + 'var b')\n"
        "print('id name ' + 'x' * 100_000)\n"
        "print('uciok', flush=True)\nwhile True: input(); print('readyok', flush=True)"
    )
    with plyglot.Engine([sys.executable, "-c", source]) as engine:
        assert len(engine.name) == LONGEST_NAME and engine.options["X"].choices == ()


# ---- the package --------------------------------------------------------------------------------------------


def test_all_exported_names_exist():
    assert all(getattr(plyglot, name) for name in plyglot.__all__)
    assert set(plyglot.__all__) <= set(dir(plyglot))
    with pytest.raises(AttributeError, match="Nonsense"):
        print(plyglot.Nonsense)


# ---- pictures -----------------------------------------------------------------------------------------------


def test_a_notebook_shows_positions_and_trees_as_pictures():
    board = plyglot.Board("chess", moves=["e4", "e7e5"])
    assert repr(board) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert ElementTree.fromstring(board._repr_svg_()).get("width") == "321"
    assert board._repr_svg_() != plyglot.Board("chess")._repr_svg_()
    discs = plyglot.Board("othello", moves=["d3"])._repr_svg_().count("<circle")
    assert discs == plyglot.Board("othello")._repr_svg_().count("<circle") + 1
    shown = ElementTree.fromstring(plyglot.Tree("((3 5) (6 9))", windows=True)._repr_svg_())
    texts = [each.text for each in shown.iter("{http://www.w3.org/2000/svg}text")]
    assert {"3", "5", "6", "9", "MAX", "MIN"} <= set(texts)
    whole, pruned = (
        plyglot.Tree("((3 5) (2 9))", algorithm)._repr_svg_() for algorithm in ("minimax", "pvs")
    )
    assert whole != pruned


def test_an_object_without_a_picture_is_shown_as_text():
    assert plyglot.Board("tree")._repr_svg_() is None
    wide = plyglot.Tree("(" + "(1 2 3) " * 1000 + ")")
    assert wide._repr_svg_() is None and repr(wide).startswith("((1 2 3)")


@pytest.mark.parametrize(
    "make, fault",
    [
        (lambda: plyglot.Board("chess", ["e4", "e4"]), "e4"),
        (lambda: plyglot.Board("ches"), "ches"),
        (lambda: plyglot.Board("chess", position="8/8 w"), "a board has 8 rows, not 2"),
        (lambda: plyglot.Tree("((3 5) (6"), "a bracket is not closed"),
        (lambda: plyglot.Tree("(1 2)", "alpha"), 'not "alpha'),
    ],
)
def test_an_invalid_picture_is_a_value_error(make, fault):
    with pytest.raises(ValueError, match=fault):
        make()


# ---- the examples ---------------------------------------------------------------------------------------------

EXAMPLES = re.findall(
    r"^```python\n(.*?)^```$",
    (ROOT / "docs" / "from-python.md").read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)
# The pattern of each example's output; the moves may differ.
PRINTED = rows("from_python.printed")


@pytest.mark.parametrize("source, printed", list(zip(EXAMPLES, PRINTED)), ids=range(len(PRINTED)))
def test_examples_print_what_the_document_shows(source, printed, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(
        compile(source.replace("python3 ", f"'{sys.executable}' "), "docs/from-python.md", "exec"),
        {"plyglot": plyglot},
    )
    assert re.fullmatch(printed, capsys.readouterr().out)
