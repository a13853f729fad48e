"""Tournaments and runs on workers that fail in every way, and SPRT verdicts that must not change."""

import concurrent.futures
import functools
import json
import os
import pickle
import queue
import random
import socket
import sys
import threading
import types

import pytest
from conftest import play_on
from tournaments import ROOT, STUBS, run

from games import registry
from scripts.arena import arguments, game
from scripts.arena.elo import Sprt
from scripts.arena.engines import Pool
from scripts.arena.standings import Standings
from scripts.arena.tournament import Tournament
from scripts.jobs import run as runs
from scripts.jobs import worker
from scripts.jobs.files import FileError
from scripts.jobs.run import Run, RunError
from scripts.jobs.worker import Closed, Unfit

LOST_AFTER = 0.4  # seconds; a healthy worker answers far sooner

# {fault of a worker: number of times it occurs in 1000 jobs}
FAULTS = {"fail": 100, "vanish": 30, "hang": 10, "lie": 100, "cancel": 30, "sick": 100}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    monkeypatch.setattr(runs, "PAUSE", 0.001)
    monkeypatch.setattr(runs, "POLL", 0.01)


def answer(task):
    """Return a job's result (scripts/arena/game.py): a random game, seeded with the job's id."""
    dice = random.Random(task["id"])
    moves = task["opening"] + [dice.choice("abcdefg") + dice.choice("123456") for _ in range(9)]
    return {
        **{name: task[name] for name in ("id", "game", "options", "start")},
        "opening": len(task["opening"]),
        "players": [player["name"] for player in task["players"]],
        "moves": moves,
        "result": dice.choice(["1-0", "0-1", "1/2-1/2"]),
        "termination": "normal",
        "reason": "as drawn",
        "fault": None,
        "margin": None,
        "date": "2000-01-01T00:00:00Z",
        **{name: [1] * 9 for name in ("seconds", "scores", "depths", "nodes")},
    }


class Fleet(concurrent.futures.Executor):
    """An executor whose jobs end in random order and with random faults.

    faults: {fault: number in 1000 jobs}.  do(job): returns a healthy worker's answer.
    """

    def __init__(self, seed=1, faults=None, do=answer):
        self._dice, self._do, self._faults = random.Random(seed), do, faults or {}
        self._news, self._waiting = queue.SimpleQueue(), []
        self.happened = dict.fromkeys(FAULTS, 0)
        threading.Thread(target=self._live, daemon=True).start()

    def submit(self, call, /, argument):
        json.dumps(argument)  # raises TypeError unless the job is plain data
        future = concurrent.futures.Future()
        self._news.put((future, argument))
        return future

    def shutdown(self, wait=True, cancel_futures=False):
        """Do nothing: a run that abandons this fleet as broken gets the same fleet again."""

    def _live(self):
        while True:
            try:
                self._waiting.append(self._news.get(timeout=0.001 if self._waiting else None))
            except queue.Empty:
                self._end(*self._waiting.pop(self._dice.randrange(len(self._waiting))))

    def _end(self, future, task):
        """End a job, with or without a fault."""
        draw, fault = self._dice.randrange(1000), None
        for name, often in self._faults.items():
            fault = fault or (name if 0 <= draw < often else None)
            draw -= often
        self.happened.update({fault: self.happened[fault] + 1} if fault else {})
        value = {"worker": "host/1", "result": self._do(task)}
        if fault == "cancel":
            future.cancel()
        if fault == "hang" or not future.set_running_or_notify_cancel():
            return
        if fault == "fail":
            future.set_exception(ConnectionError("the worker is gone"))
        elif fault == "vanish":
            future.set_exception(concurrent.futures.BrokenExecutor("a worker died"))
        elif fault == "sick":
            future.set_result({"worker": "host/2", "lost": "b: can't start /opt/none/engine"})
        else:
            future.set_result(self._lie(value) if fault == "lie" else value)

    def _lie(self, value):
        """Return an answer that is invalid in one of many ways."""
        game = value["result"]
        changes = [
            {"id": "9/a-b/1"},
            {"players": game["players"][::-1]},
            {"result": "2-0"},
            {"moves": 5},
            {"moves": ["a9", *game["moves"][1:]]},
            {"scores": []},
            {"seconds": [{}] * 9},
            {"fault": 2},
        ]
        lies = [None, {}, {"worker": 5}, {**value, "result": None}]
        lies += [{**value, "result": {**game, **change}} for change in changes]
        return self._dice.choice(lies)


def coordinate(record, executor, count, *words, concurrency=64, lost_after=LOST_AFTER):
    """Run a tournament with an executor; return the lines that it shows."""
    lines = []
    line = "--game connect4 --engine name=a --engine name=b --depth 1 --random-plies 6 --rounds"
    request = arguments.parse([*line.split(), str(count // 2), "--record", str(record), *words])
    tournament = Tournament(request, lines.append)
    how = concurrency, lost_after, lines.append, ("game", "played"), tournament.check
    runner = Run(game.play, lambda: executor, *how)
    try:
        tournament.play(runner)
        tournament.end()
    finally:
        tournament.close()
        runner.close()
    return lines


def results(record):
    """Return {id: game} of a record, in which no game may occur twice."""
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    games = [line for line in lines if "id" in line]
    found = {game["id"]: game for game in games}
    assert len(found) == len(games)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_faulty_workers_produce_the_same_record_as_one_healthy_worker(tmp_path, seed):
    many = Fleet(seed, FAULTS)
    lines = coordinate(tmp_path / "many", many, 300)
    assert min(many.happened.values()) > 0 and many.happened["lie"] > 10
    coordinate(tmp_path / "one", Fleet(), 300, concurrency=1)
    assert results(tmp_path / "many") == results(tmp_path / "one")
    assert len(results(tmp_path / "one")) == 300
    told = [line for line in lines if "can't start /opt/none/engine" in line]
    assert len(told) == 1 and "host/2: b" in told[0], "the reason is reported once"


def test_a_run_gives_up_when_nothing_succeeds(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "GIVE_UP", 0.05)
    with pytest.raises(RunError, match="no game has succeeded for .* ConnectionError: the worker"):
        coordinate(tmp_path / "record", Fleet(1, {"fail": 1000}), 20, "--sprt", "0", "5")
    assert not (tmp_path / "record").exists(), "a record without games is removed"


def test_a_game_with_an_illegal_move_is_played_again(tmp_path):
    tried = set()

    def play(task):
        moves = [] if task["id"] in tried else ["a1a1"]
        tried.add(task["id"])
        values = {name: [1] * len(moves) for name in ("seconds", "scores", "depths", "nodes")}
        return {**answer(task), "moves": task["opening"] + moves, **values}

    lines = coordinate(tmp_path / "x.jsonl", Fleet(do=play), 6, "--game", "chess")
    assert "host/1: invalid result: game 1/a-b/1 can't be replayed: " in "\n".join(lines)
    exported = (tmp_path / "x.pgn").read_text()
    assert exported.count("[Event ") == len(results(tmp_path / "x.jsonl")) == 6


# ---- runs whose jobs the test ends ---------------------------------------------------------------


class ByHand(concurrent.futures.Executor):
    """An executor whose jobs end only by finish().

    futures: (future, job) of each submission.
    submitted(executor, number): called after each submission with its number.
    """

    def __init__(self, submitted):
        self.futures, self.submitted = [], submitted

    def submit(self, call, /, argument):
        self.futures.append((concurrent.futures.Future(), argument))
        self.submitted(self, len(self.futures))
        return self.futures[-1][0]

    def finish(self, index, **answered):
        future, task = self.futures[index]
        future.set_result({"worker": "host/1", **(answered or {"result": {"id": task["id"]}})})


def by_hand(submitted, lost_after=None, count=2, note=lambda line: None, **more):
    """Return (executor, run, iterator over its results) for jobs "0", "1", ..., two at a time."""
    executor = ByHand(submitted)
    runner = Run(game.play, lambda: executor, 2, lost_after, note, **more)
    return executor, runner, runner.results(iter([{"id": str(number)} for number in range(count)]))


@pytest.fixture
def hours(monkeypatch):
    """Replace a run's clock by one that the test sets; each reading advances it by `step` seconds."""
    clock = types.SimpleNamespace(now=0.0, step=0.01)

    def monotonic():
        clock.now += clock.step
        return clock.now

    monkeypatch.setattr(
        runs, "time", types.SimpleNamespace(monotonic=monotonic, sleep=lambda seconds: None)
    )
    monkeypatch.setattr(runs, "POLL", 0.001)
    return clock


def test_a_job_without_a_result_in_time_is_repeated(hours):
    def submitted(executor, number):
        executor.finish(-1) if number > 1 else None

    executor, _, found = by_hand(submitted, lost_after=0.1, count=1)
    assert [task["id"] for task, _ in found] == ["0"]
    assert len(executor.futures) == 2 and executor.futures[0][0].cancelled()


@pytest.mark.parametrize("healthy", [True, False])
def test_a_run_waits_for_a_long_job_while_a_worker_is_sick(hours, healthy):
    """Job 1 is lost every 4 s.  Job 0 succeeds after 200 s if `healthy`; otherwise it is lost, too."""

    def submitted(executor, number):
        if executor.futures[-1][1]["id"] == "1" and number < 50:
            hours.now += 4.0
            executor.finish(-1, lost="no plugin")
        elif number == 50:
            executor.finish(0)
            executor.finish(-1)
        elif not healthy:
            executor.finish(-1, lost="no plugin")

    executor, _, found = by_hand(submitted)
    if healthy:
        assert len([*found]) == 2
        return
    with pytest.raises(RunError, match=r"succeeded for \d\d s; .* lost: host/1: no plugin"):
        list(found)
    assert runs.GIVE_UP < hours.now < runs.GIVE_UP + 10


def test_a_worker_reports_why_it_could_not_do_a_job():
    call = pickle.loads(pickle.dumps(functools.partial(worker.perform, game.play)))
    found = call({"id": "x", "game": "no such game", "players": []})
    assert found["worker"] == worker.name() and "no such game" in found["lost"]


def participant(name, **more):
    command = [sys.executable, str(STUBS / "honest.py")]
    return {"name": name, "command": command, "protocol": "uci", "terms": {"depth": 1}, **more}


@pytest.mark.parametrize(
    "more, words",
    [
        ({"command": "/opt/none/engine"}, "b: can't start /opt/none/engine"),
        ({"options": {"Nonsense": 1}}, "b: has no option Nonsense"),
        ({"command": None, "protocol": "cecp", "terms": {"nodes": 5}}, "b: CECP can't limit nodes"),
    ],
)
def test_an_engine_that_cannot_take_part_loses_no_game(more, words):
    players = [participant("a"), participant("b", **more)]
    task = {"id": "1/a-b/1", "game": "tictactoe", "opening": [], "players": players}
    with pytest.raises(Unfit, match=words):
        game.play(task)


def test_a_game_on_a_worker_names_its_host_and_process():
    players = [participant("a"), participant("b", restart=True)]
    task = {"id": "1/a-b/1", "game": "tictactoe", "start": None, "opening": ["b2"]}
    found = game.play({**task, "players": players, "live": "no folder"})
    assert (found["host"], found["process"]) == (socket.gethostname(), os.getpid())
    position = play_on(registry.get("tictactoe").start({}), found["moves"])
    assert found["moves"][0] == "b2" and position.outcome().reason == found["reason"]


def test_a_pool_reuses_engines_unless_each_game_needs_a_new_one():
    pool, once, again = Pool(), participant("a", restart=True), participant("b")
    with pool.lent(again) as engine:
        pass
    with pool.lent(participant("c")) as same:
        assert same is engine, "the name does not matter"
    with pool.lent(once) as same:
        assert same is engine
    with pytest.raises(ZeroDivisionError), pool.lent(again) as failing:
        assert failing is not engine
        raise ZeroDivisionError
    with pool.lent(again) as fresh:
        assert fresh is not failing
    os.kill(fresh._process.pid, 9)
    fresh._process.wait()
    with pool.lent(again) as living:
        assert living is not fresh, "an engine that has ended is not lent"
    pool.close()
    with pytest.raises(Closed), pool.lent(again):
        pass


# ---- the sequential test ------------------------------------------------------------------------


def test_the_first_crossed_bound_stays_the_verdict(tmp_path):
    record, bounds = tmp_path / "record.jsonl", ["--sprt", "0", "50"]

    def points(task, first, second):
        """Return the result of a job: `first` if engine a moves first, else `second`."""
        return {**answer(task), "result": (first, second)[task["players"][0]["name"] == "b"]}

    def verdicts():
        found = [json.loads(line) for line in record.read_text().splitlines()]
        return [line["verdict"] for line in found if "verdict" in line]

    winner = Fleet(do=lambda task: points(task, "1-0", "1/2-1/2"))
    lines = coordinate(record, winner, 600, *bounds, concurrency=8, lost_after=None)
    (verdict,) = verdicts()
    assert verdict["accepted"] == "H1" and verdict["ratio"] >= 2.94
    played = results(record)
    assert 2 * verdict["pairs"] <= len(played) < 600, "games in progress are abandoned"
    shown = f"at least 50 Elo, decided after {verdict['pairs']} pairs by LLR "
    assert shown in "\n".join(lines)
    again = coordinate(record, Fleet(), 1000, *bounds)
    assert shown in "\n".join(again) and results(record) == played, (
        "a resumed tournament plays no more games"
    )
    with pytest.raises(
        FileError, match="holds another test .elo0 0.0, elo1 50.0, .* beta 0.05.; g"
    ):
        coordinate(record, Fleet(), 600, "--sprt", "0", "5")
    assert shown in run(tmp_path, "--table", "record.jsonl")
    # Without --sprt the tournament continues, and the recorded verdict stays.
    loser = Fleet(do=lambda task: points(task, "0-1", "1-0"))
    more = coordinate(record, loser, len(played) + 200)
    assert len(results(record)) > len(played) + 100 and len(verdicts()) == 1
    standings = Standings(["a", "b"])
    standings.test = Sprt(0, 50)
    for each in results(record).values():
        standings.add(each)
    assert standings.ratio() < -2.94, "all games together would give the other verdict"
    assert shown in "\n".join(more) and shown in run(tmp_path, "--table", "record.jsonl")


def test_the_first_line_of_a_record_names_no_interpreter_or_folder(tmp_path):
    coordinate(tmp_path / "record", Fleet(), 2)
    terms = (tmp_path / "record").read_text().splitlines()[0]
    assert "python" not in terms and str(ROOT) not in terms
