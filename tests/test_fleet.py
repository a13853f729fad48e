"""Tournaments on many machines: workers that fail in every way, and SPRT verdicts that stay."""
# Not in the fast part of scripts/test.

import collections
import concurrent.futures
import json
import os
import re
import shlex
import sys
import threading
import types

import fleet
import pexpect
import pytest
from conftest import NEEDS_TERMINAL
from fleet import Fleet, coordinate, results
from tournaments import ROOT, SCRIPT, STUBS, games, processes, run, stub, wait_until

from games import registry
from scripts.arena import fitness, pulse
from scripts.arena.elo import Sprt
from scripts.arena.job import CORES
from scripts.arena.openings import RandomOpenings
from scripts.arena.pool import Pool
from scripts.arena.standings import Standings
from scripts.arena.terms import scaled
from scripts.browser import watching
from scripts.jobs import run as runs
from scripts.jobs import worker
from scripts.jobs.files import FileError
from scripts.jobs.run import Run, RunError
from scripts.jobs.worker import Closed, Unfit
from scripts.lab.coordinator import answer

TWO = ["--engine", "name=a", "--engine", "name=b"]


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    monkeypatch.setattr(runs, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(runs, "LONGEST_WAIT", 0.05)


# ---- a fleet ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fleet_writes_the_same_record_as_one_machine(tmp_path, seed):
    many = Fleet(20, seed, {name: 5 * often for name, often in fleet.FAULTS.items()})
    coordinate(tmp_path / "many", many, 300)
    assert sum(many.happened.values()) > 20 and many.happened["lie"] > 5
    coordinate(tmp_path / "one", Fleet(1, 0, {}), 300, concurrency=1)
    assert (
        results(tmp_path / "many") == results(tmp_path / "one")
        and len(results(tmp_path / "one")) == 300
    )


def test_a_run_gives_up_when_nothing_succeeds_anywhere(tmp_path, monkeypatch):
    monkeypatch.setattr(fleet, "SICK", 0.0)  # otherwise the last loss may be a sick worker's
    with pytest.raises(RunError, match="was lost 5 times, last by ConnectionError: host"):
        coordinate(tmp_path / "record", Fleet(5, 1, {"fail": 1000}), 20)
    assert not results(tmp_path / "record")


def test_failing_workers_do_not_end_the_run_and_are_reported_once(tmp_path, monkeypatch):
    monkeypatch.setattr(fleet, "SICK", 1.0)  # all but the first
    many = Fleet(3, 1, {"none": 0})
    lines = coordinate(tmp_path / "record", many, 60, concurrency=3)
    assert len(results(tmp_path / "record")) == 60 and many.happened["sick"] > 5
    told = [line for line in lines if "can't start /opt/none/engine" in line]
    assert len(told) == 2 and "host0/1: " in told[0] + told[1] and "host0/2: " in told[0] + told[1]


def test_games_are_exported_as_their_workers_wrote_them(tmp_path):
    def write(job):
        result = answer(job)
        for game in result["games"]:
            game["export"] = f"{game['id']}\n"
        return result

    lines = coordinate(tmp_path / "x.jsonl", Fleet(2, 1, {}, write), 6, "--game", "chess")
    exported = (tmp_path / "x.pgn").read_text().split()
    assert lines and sorted(exported) == sorted(results(tmp_path / "x.jsonl"))


class ByHand(concurrent.futures.Executor):
    """An executor whose jobs end only by finish().

    futures: (future, job) of each submission.  submitted(number): called with their number after each.
    avoided: the workers that submit_elsewhere() was asked to avoid.
    """

    def __init__(self, submitted):
        self.futures, self.avoided, self.submitted = [], [], submitted

    def submit(self, call, /, argument):
        self.futures.append((concurrent.futures.Future(), argument["job"]))
        self.submitted(len(self.futures))
        return self.futures[-1][0]

    def submit_elsewhere(self, avoid, call, argument):
        self.avoided.append(avoid)
        return self.submit(call, argument)

    def run(self, index):
        self.futures[index][0].set_running_or_notify_cancel()

    def finish(self, index, name="host/1", **answer):
        future, job = self.futures[index]
        future.set_result({"worker": name, **(answer or {"result": {"id": job["id"]}})})


def by_hand(submitted, lost_after=None, count=2, concurrency=2, note=lambda line: None, **more):
    """Return (executor, run, its results) of jobs "0", "1", ...

    submitted(executor, number): called with the number of submissions after each.
    """
    executor = ByHand(lambda number: submitted(executor, number))
    runner = Run("module:function", lambda: executor, concurrency, lost_after, note, **more)
    return executor, runner, runner.batches(iter([{"id": str(number)} for number in range(count)]))


@pytest.fixture
def hours(monkeypatch):
    """Replace a run's clock by one that the test sets; each reading advances it by `step` seconds."""
    clock = types.SimpleNamespace(now=0.0, step=0.01)

    def monotonic():
        clock.now += clock.step
        return clock.now

    monkeypatch.setattr(runs, "time", types.SimpleNamespace(monotonic=monotonic))
    monkeypatch.setattr(runs, "POLL", 0.001)
    return clock


def test_a_late_result_counts_and_its_job_is_not_repeated(hours):
    def submitted(executor, number):  # the first attempt runs until the second has begun
        executor.run(0) if number == 1 else executor.finish(0)

    executor, _, found = by_hand(submitted, lost_after=0.1, count=1)
    assert [[job["id"] for job, _ in batch] for batch in found] == [["0"]]
    assert len(executor.futures) == 2 and all(future.done() for future, _ in executor.futures)


def test_a_lost_job_goes_to_another_worker_if_the_executor_can_choose(hours):
    def submitted(executor, number):
        executor.finish(-1, f"host/{number}", **({} if number == 3 else {"lost": "no plugin"}))

    executor, _, found = by_hand(submitted, count=1)
    assert len(list(found)) == 1 and executor.avoided == [["host/1"], ["host/1", "host/2"]]


def test_jobs_waiting_for_a_worker_are_not_lost(hours):
    """Thirty jobs on two workers take longer than the limit for one job."""

    def submitted(executor, number):
        if number == 30:
            executor.finish(0, "host/0")
            executor.finish(1, "host/1")

    lines = []
    executor, _, found = by_hand(submitted, 10.0, 30, 30, lines.append)
    done = 0
    for batch in found:
        done += len(batch)
        hours.now += 8.0
        for index in range(done, min(done + 2, 30)):
            executor.finish(index, f"host/{index % 2}")
    assert done == 30 and len(executor.futures) == 30 and not lines and hours.now > 100


@pytest.mark.parametrize("attempts", [40, 999])
def test_a_run_waits_for_a_slow_worker_while_another_is_sick(hours, attempts):
    """Job 0 takes 100 s, job 2 may also take as long at its second attempt, and job 1 is lost every 4 s."""
    count = collections.Counter()

    def submitted(executor, number):
        job = executor.futures[-1][1]["id"]
        count[job] += 1
        if job == "0":
            hours.now += 100.0
            executor.finish(-1)
        elif job == "1" and count["1"] == attempts:
            executor.finish(-1)
            executor.finish(
                next(i for i, (future, _) in enumerate(executor.futures) if not future.done())
            )
        elif job != "2" or count["2"] != 2:
            hours.now += 4.0
            executor.finish(-1, "host/2", lost="no plugin")

    _, _, found = by_hand(submitted, count=3)
    if attempts == 40:
        assert len([job for batch in found for job in batch]) == 3
    else:
        with pytest.raises(RunError, match=r"job 1 was lost \d\d times, last by host/2: no plugin"):
            list(found)
        assert 300 < hours.now < 330


@pytest.mark.parametrize("lost_after", [0.1, None])
def test_jobs_that_hang_after_the_verdict_are_abandoned(hours, lost_after):
    lines = []

    def submitted(executor, number):
        executor.run(-1)
        if number == 2:
            hours.now += 1000.0
            executor.finish(0)

    _, runner, found = by_hand(submitted, lost_after, note=lines.append)
    assert len(next(found)) == 1
    found.close()
    begun, hours.step = hours.now, 10.0 if lost_after is None else 0.01
    assert list(runner.rest()) == []
    if lost_after is None:
        assert 2000 <= hours.now - begun < 2100
        assert lines == ["1 jobs are abandoned: no worker answers"]
    else:
        assert hours.now - begun < 10 and not lines


def test_missing_answers_are_reported(monkeypatch):
    monkeypatch.setattr(runs, "POLL", 0.01)
    monkeypatch.setattr(runs, "SILENCE", 0.01)
    executor, lines = ByHand(lambda number: None), []

    def note(line):
        lines.append(line)
        executor.finish(0)

    runner = Run("module:function", lambda: executor, 2, None, note, remote=True)
    assert len(list(runner.results(iter([{"id": "0"}])))) == 1
    assert len(lines) == 1 and re.fullmatch(
        r"waiting for a worker: no answer for \d+ s to 1 jobs \(none has answered yet\)", lines[0]
    )


def test_the_end_of_a_run_ends_the_jobs_on_its_workers():
    def submitted(executor, number):
        executor.run(0) if number == 1 else executor.finish(1)

    executor, runner, found = by_hand(submitted)
    ended = []
    executor.everywhere = ended.append
    assert len(next(found)) == 1
    runner.close()
    assert ended == [worker.close]


def test_jobs_are_unpickled_without_plyglot():
    import pickle
    import pickletools

    call, argument = worker.task("scripts.lab.coordinator:answer", {"id": "x"})
    names = {
        text
        for _, text, _ in pickletools.genops(pickle.dumps((call, argument), 0))
        if isinstance(text, str)
    }
    assert not any("scripts " in name for name in names)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        raise_lost(call({"work": "no_such_module:x", "job": {}}))


def raise_lost(answered):
    assert answered["worker"] == worker.name()
    raise ModuleNotFoundError(answered["lost"])


# ---- the sequential test ----------------------------------------------------------------


class Holding(concurrent.futures.Executor):
    """An executor of games that the first engine wins or draws; it holds back its first 30 pairs until finish()."""

    def __init__(self):
        self.held = []

    def submit(self, call, /, argument):
        future = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        if len(self.held) < 30:
            self.held.append((future, argument["job"]))
        else:
            self._finish(future, argument["job"], "1/2-1/2", "1-0")
        return future

    def finish(self):
        """End the games that were held back as losses of the first engine."""
        for future, job in self.held:
            self._finish(future, job, "1-0", "0-1")

    def _finish(self, future, job, *points):
        result = answer(job)
        for game in result["games"]:
            game["result"] = points[game["players"][0] == "a"]
        future.set_result({"worker": "host/1", "result": result})


def test_first_crossing_of_a_bound_stays_the_verdict(tmp_path):
    record, bounds, executor = tmp_path / "record.jsonl", ["--sprt", "0", "50"], Holding()

    def verdicts():
        found = [json.loads(line) for line in record.read_text().splitlines()]
        return [line["verdict"] for line in found if "verdict" in line]

    def finish():
        wait_until(lambda: record.exists() and verdicts())
        executor.finish()

    threading.Thread(target=finish, daemon=True).start()
    lines = coordinate(record, executor, 600, *bounds, concurrency=40, lost_after=None)
    (verdict,) = verdicts()
    assert verdict["accepted"] == "H1" and verdict["ratio"] >= 2.94
    played = results(record)
    assert 2 * (verdict["pairs"] + 30) <= len(played) < 600, "games in progress are recorded, too"
    standings = Standings(["a", "b"])
    standings.begin_test(Sprt(0, 50))
    for game in played.values():
        standings.add(game)
    assert standings.ratio() < -2.94, "all games together decide otherwise"
    shown = f"at least 50 Elo, decided after {verdict['pairs']} pairs by LLR "
    assert any(shown in line for line in lines)
    again = coordinate(record, Fleet(40, 1, {}), 1000, *bounds)
    assert any(shown in line for line in again) and results(record) == played, (
        "a resume plays no more"
    )
    with pytest.raises(
        FileError, match="holds another test: --sprt 0 50 .* --sprt-model logistic; give the same"
    ):
        coordinate(record, Fleet(1, 1, {}), 600, "--sprt", "0", "5")
    assert shown in run(tmp_path, "--table", "record.jsonl", "--html", "page.html")
    assert shown in (tmp_path / "page.html").read_text()
    assert any(shown in line for line in watching.Follower(record).look()["lines"])
    # without the test the tournament continues, and the verdict stays
    more = coordinate(record, Fleet(4, 1, {}), len(played) + 20)
    assert any(shown in line for line in more) and len(results(record)) > len(played)


# ---- workers ------------------------------------------------------------------------------


def test_an_engine_that_can_not_be_started_loses_no_game(tmp_path):
    said = run(
        tmp_path,
        "--game",
        "tictactoe",
        "--engine",
        "name=a",
        "--engine",
        "name=b",
        "cmd=/opt/none/engine",
        "proto=uci",
        "--depth",
        "1",
        "--rounds",
        "3",
        "--executor",
        "concurrent.futures:ThreadPoolExecutor",
        status=1,
    )
    assert (
        "b: can't start /opt/none/engine" in said
        and "was lost 5 times" in said
        and games(tmp_path) == []
    )
    assert said.count("is played again") == 1


def job(**more):
    players = {name: {"name": name, "command": None, "terms": {"depth": 1}} for name in "ab"}
    return {"game": "tictactoe", "players": players, **more}


def test_a_worker_that_differs_is_refused_with_both_values():
    ours = fitness.plyglot()
    assert ours == fitness.plyglot() and len(ours["digest"]) == 16
    other = {**ours, "digest": "0" * 16}
    with pytest.raises(
        Unfit, match=f"Plyglot is .* {ours['digest']} on this worker and .* {'0' * 16} elsewhere"
    ):
        fitness.check(job(expected={"plyglot": other}))
    there = {"engines": {"a": "Stockfish 15"}, "benches": {"a": 5}}
    fitness.differ(there, {"engines": {}, "benches": {}})
    with pytest.raises(
        Unfit, match="the engine a is 'Stockfish 15' on this worker and 'Stockfish 16' elsewhere"
    ):
        fitness.differ(there, {"engines": {"a": "Stockfish 16"}})
    with pytest.raises(Unfit, match="the bench of a is 5 on this worker and 6 elsewhere"):
        fitness.differ(there, {"engines": there["engines"], "benches": {"a": 6}})


def test_a_worker_is_compared_with_the_first_one(tmp_path):
    def do(work):
        result = answer(work)
        other = work["id"].startswith("7/") and work["id"] not in seen
        seen.add(work["id"])
        result["there"] = {
            "plyglot": {},
            "engines": {"a": "A", "b": "B 2" if other else "B 1"},
            "benches": {},
        }
        return result

    seen, executor = set(), Fleet(1, 1, {}, do)
    configuration = [
        "--executor",
        "concurrent.futures:ThreadPoolExecutor",
    ]  # by name, so that workers are compared
    lines = coordinate(tmp_path / "record", executor, 20, *configuration, concurrency=1)
    assert "b: B 1, depth 1" in lines and len(results(tmp_path / "record")) == 20
    assert any("the engine b is 'B 2' on this worker and 'B 1' elsewhere" in line for line in lines)


def test_bench_returns_the_node_count_of_an_engine(tmp_path):
    (tmp_path / "engine.py").write_text(
        "import sys\nprint('Total: 1\\nNodes searched  : 4711\\nNodes/second: 9' "
        "if sys.argv[-1] == 'bench' else '')\n"
    )
    assert fitness.bench({"command": [sys.executable, str(tmp_path / "engine.py")]}) == 4711
    assert fitness.bench({"command": [sys.executable, "-c", "pass"]}) is None
    assert fitness.bench({"command": "/opt/none/engine"}) is None


def test_results_name_host_and_process(tmp_path):
    run(
        tmp_path,
        "--game",
        "tictactoe",
        *TWO,
        "--depth",
        "1",
        "--executor",
        "concurrent.futures:ProcessPoolExecutor",
        "--scale",
        "--movetime",
        "0.05",
    )
    first, second = games(tmp_path)
    assert (
        first["host"] == second["host"] and first["process"] == second["process"] != os.getpid()
    ), "a pair is one job"
    assert 0.1 <= first["scale"] <= 10 and first["cores"] == CORES
    run(
        tmp_path, "--game", "tictactoe", *TWO, "--depth", "1", "--movetime", "0.05", "--rounds", "2"
    )
    assert "scale" not in games(tmp_path)[-1] and len(games(tmp_path)) == 4


def test_clocks_are_scaled():
    assert scaled({"tc": "40/60+0.5", "depth": 9}, 1.5) == {"tc": "40/90.0000+0.7500", "depth": 9}
    assert scaled({"movetime": 2.0}, 0.5) == {"movetime": 1.0} and scaled({"tc": "inf"}, 2) == {
        "tc": "inf"
    }


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process can be stopped here")
def test_game_is_replayed_after_a_forfeit_during_a_pause(tmp_path):
    words = [
        "--engine",
        "name=stopping",
        f"cmd='{sys.executable}' '{STUBS / 'stopping.py'}' '{tmp_path / 'mark'}'",
        "proto=uci",
    ]
    said = run(tmp_path, "--game", "tictactoe", *words, *stub("honest"), "--movetime", "1")
    assert (
        (tmp_path / "mark").exists()
        and "stood still for " in said
        and "no fault of the engine" in said
    )
    assert [game["termination"] for game in games(tmp_path)] == ["normal"] * 2


def test_pauses_of_the_process_and_of_the_machine_are_detected(monkeypatch):
    for stopped in (
        (100.0, 100.0),
        (0.0, 100.0),
    ):  # on a suspended machine the clock may have stopped
        now = [0.0, 1e9]
        monkeypatch.setattr(pulse.time, "monotonic", lambda: now[0])
        monkeypatch.setattr(pulse.time, "time", lambda: now[1])
        watch = pulse.Pulse()
        for _ in range(5):
            now[:] = now[0] + 0.5, now[1] + 0.5
            watch._look()
        assert watch.stood_still == 0
        now[:] = now[0] + stopped[0], now[1] + stopped[1]
        watch._look()
        assert 99 < watch.stood_still <= 100


def test_games_can_be_played_after_an_interruption(tmp_path):
    pool = Pool()
    player = {
        "command": [sys.executable, str(STUBS / "honest.py"), str(tmp_path)],
        "protocol": "uci",
    }
    engine = pool.borrow(player)
    before = pool.generation
    assert pool.interrupt() == 1 and pool.generation != before
    wait_until(lambda: not processes(tmp_path))
    pool.give_back(player, engine)
    again = pool.borrow(player)
    assert again is not engine
    pool.close()
    with pytest.raises(Closed):
        pool.borrow(player)


# ---- openings -----------------------------------------------------------------------------


def test_openings_differ_until_exhausted_even_after_a_resume(monkeypatch):
    game = registry.get("tictactoe")
    openings = RandomOpenings(game, 2, 1)
    found = [openings[number] for number in range(100)]
    keys = [openings.key(number) for number in range(100)]
    assert openings.end == len(set(keys)) == 72 and found[72:] == found[:28]
    again = RandomOpenings(game, 2, 1)
    for number in (
        *range(50, 60),
        *range(40),
        *range(72, 90),
    ):  # whatever their order in the record
        again.remember(number, keys[number])
    drawn, attempt = [], again._attempt
    monkeypatch.setattr(again, "_attempt", lambda number: drawn.append(number) or attempt(number))
    assert [again[number] for number in (*range(40, 50), *range(60, 72), 95)] == [
        *found[40:50],
        *found[60:72],
        found[95],
    ]
    assert not set(drawn) & set(range(50, 60))
    assert RandomOpenings(game, 2, 1)[60] == found[60] and RandomOpenings(game, 2, 2)[0] != found[0]


def test_repeated_openings_are_reported(tmp_path):
    said = run(
        tmp_path,
        "--game",
        "tictactoe",
        *TWO,
        "--depth",
        "1",
        "--random-plies",
        "1",
        "--rounds",
        "10",
    )
    assert "all 9 distinct openings have been played: from round 10 on they are repeated" in said


# ---- what is shown ------------------------------------------------------------------------


def test_the_same_program_on_another_interpreter_is_the_same_player(tmp_path):
    words = ["--game", "tictactoe", *TWO, "--depth", "1"]
    run(tmp_path, *words)
    terms = json.loads((tmp_path / "tournament.jsonl").read_text().splitlines()[0])["tournament"]
    assert sys.executable not in json.dumps(terms) and str(STUBS.parent.parent) not in json.dumps(
        terms
    )


def test_the_first_command_of_the_manual_works(tmp_path):
    page = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
    command = (
        page[page.index("scripts/tournament --game") :]
        .split("\n")[0]
        .replace("--rounds 10", "--rounds 1")
    )
    words = shlex.split(command)[1:]
    assert all(not word.startswith("cmd=") for word in words)
    assert "deep" in run(tmp_path, *words) and len(games(tmp_path)) == 2


@NEEDS_TERMINAL
def test_progress_is_one_line_in_a_terminal_and_a_line_a_game_elsewhere(tmp_path):
    words = ["--game", "tictactoe", *TWO, "--depth", "1", "--random-plies", "2", "--rounds", "3"]
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
    }
    screen = pexpect.spawn(
        SCRIPT[0],
        [SCRIPT[1], *words],
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=60,
        dimensions=(24, 50),
        env=environment,
    )
    screen.expect(pexpect.EOF)
    lines = [
        line.split("\x1b[K")[-1] for line in screen.before.split("\r\n")
    ]  # the lines that stay on the screen
    assert [line for line in lines if re.match(r"\d/6 ", line)] == [
        line for line in lines if line.startswith("6/6 ")
    ]
    shown = re.findall(r"\x1b\[K([^\r]*)", screen.before)
    assert (
        len(shown) == 6
        and max(map(len, shown)) < 50
        and all(line.endswith(" left") for line in shown)
    )
    said = run(tmp_path, *words, "--record", "other.jsonl")
    assert re.findall(r"^(\d)/6 ", said, re.M) == list("123456") and "\x1b" not in said


def test_more_games_at_a_time_than_cores_warn_once(tmp_path):
    words = ["--game", "tictactoe", *TWO, "--concurrency", "999"]
    said = run(tmp_path, *words, "--movetime", "0.01", "--margin", "30")
    assert said.count("games at a time on") == 1 and " plays 999 games at a time on " in said
    assert "at a time on" not in run(tmp_path, *words, "--depth", "1", "--record", "x.jsonl")
