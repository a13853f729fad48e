"""A simulated fleet: an executor whose workers fail, hang, queue, come late, send wrong answers, leave and return.

A seed determines all random choices.  A healthy worker's answer depends only on the job, so the record of a tournament
must be the same with any fleet as on one machine, game by game:

    python3 tests/fleet.py --workers 200 --games 20000 --seed 1
"""

import argparse
import concurrent.futures
import heapq
import json
import pathlib
import queue
import random
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from scripts.arena import arguments  # noqa: E402
from scripts.arena.display import Display  # noqa: E402
from scripts.arena.tournament import Tournament  # noqa: E402
from scripts.jobs.run import Run  # noqa: E402
from scripts.lab.coordinator import answer  # noqa: E402

LOST_AFTER = 0.4  # seconds; a healthy worker answers far sooner
# Faults of workers, and their number in 1000 jobs.
FAULTS = {"fail": 20, "vanish": 10, "hang": 2, "late": 2, "lie": 20, "cancel": 5}
SICK = 0.1  # share of workers that fail at every job
GONE = 0.3  # share of the time that a worker is away


class Worker:
    """A worker of the fleet.  speed: jobs per unit of simulated time."""

    def __init__(self, number, dice):
        self.name = f"host{number // 4}/{number}"
        self.speed = dice.uniform(0.2, 5.0)
        self.sick = number > 0 and dice.random() < SICK
        self.back = 0.0  # when it is available again


class Fleet(concurrent.futures.Executor):
    """An executor of simulated workers.  faults: {fault: number in 1000 jobs}."""

    def __init__(self, workers=20, seed=1, faults=None, do=answer):
        self._dice, self._faults, self._do = (
            random.Random(seed),
            FAULTS if faults is None else faults,
            do,
        )
        self._idle = [Worker(number, self._dice) for number in range(workers)]
        self._news, self._waiting = queue.SimpleQueue(), []
        self._busy = []  # (simulated time, number, worker, future, job, fault)
        self._now, self._count, self._late = 0.0, 0, []
        self.happened = dict.fromkeys([*FAULTS, "sick", "broken"], 0)
        threading.Thread(target=self._live, daemon=True).start()

    def submit(self, call, /, argument):
        self._count += 1
        if self._faults and self._count % 997 == 0:
            self.happened["broken"] += 1
            raise concurrent.futures.BrokenExecutor("the connection to the fleet is broken")
        json.dumps(argument)  # plain data
        future = concurrent.futures.Future()
        self._news.put((future, argument["job"]))
        return future

    def shutdown(self, wait=True, cancel_futures=False):
        """Do nothing, since a run that abandons this fleet as broken is given it again."""

    def close(self):
        self._news.put(None)

    def _live(self):
        while self._listen():
            while self._waiting and self._idle:
                self._begin(
                    self._idle.pop(self._dice.randrange(len(self._idle))), *self._waiting.pop(0)
                )
            if self._busy:
                self._now, _, worker, *done = heapq.heappop(self._busy)
                self._end(worker, *done)
                self._idle.append(worker)
            while self._late and self._late[0][0] <= time.monotonic():
                _, _, future, value = heapq.heappop(self._late)
                future.set_result(value)

    def _listen(self):
        """Take the submitted jobs; return False at the end."""
        try:
            while True:
                idle = not (self._busy or self._late or self._waiting)
                found = self._news.get(timeout=None if idle else 0.0002)
                if found is None:
                    return False
                self._waiting.append(found)
        except queue.Empty:
            return True

    def _begin(self, worker, future, job):
        fault = self._fault(worker)
        if fault != "cancel" and not future.set_running_or_notify_cancel():
            self._idle.append(worker)
            return
        away = self._dice.random() < GONE and self._dice.expovariate(1.0)
        when = max(self._now, worker.back) + away + self._dice.expovariate(worker.speed)
        heapq.heappush(self._busy, (when, self._dice.random(), worker, future, job, fault))

    def _fault(self, worker):
        """Return the fault at a worker's next job, or None."""
        draw = self._dice.randrange(1000)
        if self._faults and worker.sick:
            return "sick"
        for name, often in self._faults.items():
            draw -= often
            if draw < 0:
                return name
        return None

    def _end(self, worker, future, job, fault):
        """End a job, with or without a fault."""
        if fault:
            self.happened[fault] += 1
        value = {
            "worker": worker.name,
            "result": None if fault in ("hang", "sick") else self._do(job),
        }
        if fault == "hang":
            return
        if fault == "late":
            heapq.heappush(
                self._late, (time.monotonic() + 2 * LOST_AFTER, self._dice.random(), future, value)
            )
        elif fault == "cancel":
            future.cancel()
        elif fault == "fail":
            future.set_exception(ConnectionError(f"{worker.name} is gone"))
        elif fault == "vanish":
            worker.back = self._now + self._dice.expovariate(0.2)
            future.set_exception(concurrent.futures.BrokenExecutor("a worker died"))
        elif fault == "sick":
            future.set_result({"worker": worker.name, "lost": "b: can't start /opt/none/engine"})
        elif fault == "lie":
            future.set_result(self._lie(value))
        else:
            future.set_result(value)

    def _lie(self, value):
        """Return an invalid answer, in one of many ways."""
        result = value["result"]
        game = result["games"][-1]
        lies = [
            None,
            {},
            {"worker": 5},
            {**value, "result": None},
            {**value, "result": {**result, "id": "other"}},
            {**value, "result": {**result, "games": []}},
            {**value, "result": {**result, "games": [game] * 3}},
        ]
        for change in (
            {"players": game["players"][::-1]},
            {"result": "2-0"},
            {"moves": 5},
            {"id": "9/a-b/1"},
            {"moves": ["a9", *game["moves"][1:]]},
            {"scores": []},
            {"seconds": [float("nan")]},
            {"fault": 2},
        ):
            lies.append(
                {
                    **value,
                    "result": {**result, "games": [*result["games"][:-1], {**game, **change}]},
                }
            )
        return self._dice.choice(lies)


def coordinate(record, executor, games, *words, concurrency=64, lost_after=LOST_AFTER):
    """Run a tournament with an executor; return the lines that it shows."""
    lines = []
    configuration = arguments.parse(
        [
            "--game",
            "connect4",
            "--engine",
            "name=a",
            "--engine",
            "name=b",
            "--depth",
            "1",
            "--random-plies",
            "6",
            "--rounds",
            str(games // 2),
            "--record",
            str(record),
            *words,
        ]
    )[0]
    tournament = Tournament(configuration, Display(lines.append, changes=False))
    runner = Run(
        "scripts.arena.job:play",
        lambda: executor,
        concurrency,
        lost_after,
        lines.append,
        ("game", "played"),
        tournament.fits,
    )
    try:
        tournament.play(runner)
        lines += tournament.summary()
    finally:
        tournament.close()
        runner.close()
    return lines


def results(record):
    """Return {id: game} of a record, in which no game may occur twice."""
    lines = [json.loads(line) for line in pathlib.Path(record).read_text().splitlines()]
    games = [line for line in lines if "id" in line]
    found = {game["id"]: game for game in games}
    assert len(found) == len(games)
    return found


def main():
    parser = argparse.ArgumentParser(
        description="A tournament by a simulated fleet, held against one machine's."
    )
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--games", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    found = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        alone, together = (pathlib.Path(folder, name) for name in ("alone.jsonl", "together.jsonl"))
        fleet = Fleet(found.workers, found.seed)
        begun = time.process_time()
        lines = coordinate(together, fleet, found.games, concurrency=found.workers)
        print(f"fleet: {time.process_time() - begun:.0f} s of the processor, {fleet.happened}")
        print("\n".join(line for line in lines if "lost" in line)[-1500:])
        coordinate(alone, Fleet(1, 0, {}), found.games)
        assert results(together) == results(alone), "the records differ"
        print(f"{found.games} games, equal one by one")


if __name__ == "__main__":
    main()
