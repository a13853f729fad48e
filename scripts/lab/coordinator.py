#!/usr/bin/env python3
"""Measure what a tournament costs the machine that coordinates it.

    scripts/lab/coordinator.py --games 100 1000 10000 100000

An executor answers at once with random games, so only the coordinator is measured: reading
openings, jobs, the record, the table and the sequential test.  For each number of games a line
reports

    ms a game   of the whole run, and of its last tenth, and the peak of its memory
    resume      the same command when all but one round is played
    table       `scripts/tournament --table`

All times are processor times, so other work on the machine changes little.

--game chess and others that write a file of games beside the record play legal random games;
connect4 (the default) writes none.  The time for making random games doesn't count.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from games import registry  # noqa: E402
from protocol.records.record import Start  # noqa: E402
from scripts.arena import arguments, tournament  # noqa: E402
from scripts.arena.display import Display  # noqa: E402
from scripts.arena.export import format_of, text_of  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.jobs.script import open_run  # noqa: E402
from scripts.jobs.worker import Job, Result  # noqa: E402

# The sequential test never decides.
WORDS = """
    --engine name=a --engine name=b --depth 1 --random-plies 6
    --concurrency 32 --executor scripts.lab.coordinator:Instant
    --sprt -1 1 --alpha 1e-9 --beta 1e-9
"""


# The part that all results have in common.
_ALWAYS = {"fault": None, "margin": None, "elapsed": 1.0, "date": "2000-01-01T00:00:00Z"}
_ALWAYS.update(host="instant", process=1, cores=1)


class Instant(concurrent.futures.Executor):
    """An executor that answers each job at once, with games drawn from its id.

    seconds: the processor time that it has taken.
    """

    seconds = 0.0

    def submit(self, call: Any, /, *arguments: Any, **more: Any) -> concurrent.futures.Future[Any]:
        """Return a future that is done."""
        begun = time.process_time()
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_result({"worker": "instant/1", "result": answer(arguments[0]["job"])})
        Instant.seconds += time.process_time() - begun
        return future


def answer(job: Job) -> Result:
    """Return the result of a job (scripts/arena/job.py), of random games."""
    games = [
        {
            "id": game["id"],
            "game": job["game"],
            "options": job["options"],
            "start": job["start"],
            "opening": len(job["opening"]),
            "opening_key": job["opening_key"],
            "players": list(game["players"]),
            **_random_game(job, random.Random(game["id"])),
            **_ALWAYS,
        }
        for game in job["games"]
    ]
    for game in games:
        game["export"] = text_of(game, [{"depth": 1}] * 2)
    return {"id": job["id"], "games": games, "there": None}


def _random_game(job: Job, dice: random.Random) -> dict[str, Any]:
    """Return the moves of a game and its end; the moves are legal if they are replayed."""
    game = registry.get(job["game"])
    moves, result = list(job["opening"]), dice.choice(["1-0", "0-1", "1/2-1/2"])
    if format_of(game):
        position = Start(game, job["start"], job["options"]).position()
        for text in moves:
            position.make(position.parse_move(text))
        while position.outcome() is None and len(moves) < 80:
            move = dice.choice(sorted(position.legal_moves()))
            moves.append(position.move_text(move))
            position.make(move)
    else:
        moves += [dice.choice("abcdefg") + dice.choice("123456") for _ in range(36)]
    count = len(moves) - len(job["opening"])
    return {
        "moves": moves,
        "result": result,
        "termination": "normal",
        "reason": "as drawn",
        "seconds": [round(dice.random(), 4) for _ in range(count)],
        "scores": [dice.randrange(-300, 300) for _ in range(count)],
        "depths": [8] * count,
        "nodes": [dice.randrange(10**6) for _ in range(count)],
    }


def coordinate(game: str, games: int, record: str) -> dict[str, float]:
    """Play the missing games up to this number; return their costs."""
    lines: list[str] = []
    begun = time.process_time()
    words = [*WORDS.split(), "--game", game, "--rounds", str(games // 2), "--record", record]
    configuration, _, _ = arguments.parse(words)
    assert configuration is not None
    played = tournament.Tournament(configuration, Display(lines.append, changes=False))
    how: dict[str, Any] = {"note": lines.append, "fits": played.fits}
    runner = open_run(configuration, "scripts.arena.job:play", ("game", "played"), **how)
    marks, shown = [(len(played.record.results), begun)], played.count

    def count(games_played: Sequence[Result]) -> None:
        shown(games_played)
        lines.clear()
        if len(played.record.results) >= games * 9 // 10 and len(marks) == 1:
            marks.append(_spent(played))

    played.count = count  # type: ignore[method-assign,assignment]  # to read the clock
    with runner:
        played.play(runner)
        done, now = _spent(played)
    played.close()
    whole, last = (1000 * (now - then) / max(done - first, 1) for first, then in (marks * 2)[:2])
    return {"seconds": time.process_time(), "all": whole, "last": last, "memory": _peak()}


def _spent(played: tournament.Tournament) -> tuple[int, float]:
    """Return (games in the record, processor seconds of the coordinator alone)."""
    return len(played.record.results), time.process_time() - Instant.seconds


def _peak() -> float:
    """Return the peak memory of this process in megabytes."""
    import resource  # not on Windows

    factor = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * factor / 1e6


def measure(game: str, games: int, record: str) -> None:
    """Print the line of a number of games."""

    def run(*more: str) -> dict[str, Any]:
        command = [sys.executable, __file__, "--game", game, "--one", *more]
        found: dict[str, Any] = json.loads(subprocess.check_output(command).splitlines()[-1])
        return found

    whole = run(str(games), record)
    again = run(str(games + 2), record)
    before = os.times()
    subprocess.check_output([sys.executable, str(ROOT / "scripts/tournament"), "--table", record])
    table = sum(os.times()[2:4]) - sum(before[2:4])  # of child processes
    tell(
        f"{games:>7} games: {whole['all']:.3f} ms a game ({whole['last']:.3f} of the last tenth), "
        f"{whole['memory']:.0f} MB; resume {again['seconds']:.1f} s, {again['memory']:.0f} MB; "
        f"table {table:.1f} s"
    )


def main() -> None:
    """Measure as the command line says."""
    parser = Parser("scripts/lab/coordinator.py", "Measure the costs of coordinating a tournament.")
    games = "numbers of games (default 100, 1000 and 10000)"
    parser.add("--games N", games, [100, 1000, 10000], nargs="+", type=int)
    parser.add("--game", "a built-in game", "connect4", choices=registry.built_in())
    parser.add("--one GAMES RECORD", argparse.SUPPRESS)
    found = parser.parse_args()
    if found.one:
        print(json.dumps(coordinate(found.game, int(found.one[0]), found.one[1])))
        return
    for games in found.games:
        with tempfile.TemporaryDirectory() as folder:
            measure(found.game, games, str(pathlib.Path(folder, "record.jsonl")))


if __name__ == "__main__":
    main()
