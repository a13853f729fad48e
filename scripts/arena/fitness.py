"""The check of a worker before its first game.

A worker's description as plain data:

    plyglot     version, and a digest of the modules and data files that play and referee
    engines     {player's name: the engine's own name}
    benches     {player's name: node count of its `bench`}, for UCI engines that have one
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from typing import Any

from plyglot.__main__ import project_root
from plyglot.command import own_command, split_command
from plyglot.errors import EngineError, Refusal
from protocol.base import VERSION
from protocol.records.record import Start
from scripts.arena.client import Client
from scripts.arena.pool import ENGINES, Player
from scripts.arena.referee import PATIENCE
from scripts.arena.terms import Clock, limits
from scripts.calibration import loop_seconds
from scripts.command_line import translated
from scripts.environment import output_of
from scripts.jobs.worker import Job, Unfit

_FOLDERS = ("games/", "search/", "protocol/", "plyglot/", "scripts/arena/", "scripts/jobs/")
_SUFFIXES = (".py", ".bin")
_BENCH = re.compile(r"nodes searched\s*:?\s*(\d+)|(\d+) nodes\b", re.IGNORECASE)
BENCH_SECONDS = 120.0
LOOP_TURNS = 10**6
LEAST_SCALE, MOST_SCALE = 0.1, 10.0
_lock = threading.Lock()
_known: dict[str, dict[str, Any]] = {}  # players -> this worker's description


@functools.lru_cache(maxsize=1)
def plyglot() -> dict[str, str]:
    """Return the version of this process's Plyglot, and a digest of its modules and data files."""
    digest = hashlib.sha256()
    for name, data in sorted(_files(project_root())):
        digest.update(name.encode() + b"\0" + data.replace(b"\r\n", b"\n") + b"\0")
    return {"version": VERSION, "digest": digest.hexdigest()[:16]}


def _files(root: str) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of the files that play and referee, from a folder or an archive."""
    if os.path.isdir(root):
        for folder in _FOLDERS:
            for path in pathlib.Path(root, folder).rglob("*"):
                if path.suffix in _SUFFIXES:
                    yield path.relative_to(root).as_posix(), path.read_bytes()
        return
    with zipfile.ZipFile(root) as archive:
        for name in archive.namelist():
            if name.startswith(_FOLDERS) and name.endswith(_SUFFIXES):
                yield name, archive.read(name)


def check(job: Job) -> dict[str, Any]:
    """Return this worker's description; raise Unfit if the job expects another one.

    If the job (job.py) expects nothing, the worker is not checked.
    """
    expected = job.get("expected")
    if expected is None:
        return {"engines": {}}
    _compare("Plyglot", plyglot(), expected["plyglot"])
    key = json.dumps(job["players"], sort_keys=True)
    with _lock:  # one check for all threads
        if key not in _known:
            _known[key] = _look(job)
    there = _known[key]
    differ(there, expected)
    return there


def differ(there: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise Unfit if a known value differs from the expected one; the message has both."""
    for kind, shape in (("engines", "the engine {}"), ("benches", "the bench of {}")):
        for name, value in expected.get(kind, {}).items():
            _compare(shape.format(name), there.get(kind, {}).get(name), value)


def _compare(what: str, here: Any, there: Any) -> None:
    if here != there:
        raise Unfit(f"{what} is {_words(here)} on this worker and {_words(there)} elsewhere")


def _words(value: Any) -> str:
    return " ".join(map(str, value.values())) if isinstance(value, dict) else repr(value)


def _look(job: Job) -> dict[str, Any]:
    """Start each engine once; raise Unfit if one can't take part."""
    engines, benches = {}, {}
    start = Start(job["game"], job.get("start"), job.get("options"))
    for name, player in job["players"].items():
        own = player["command"] is None
        player = dict(player, command=player["command"] or own_command(job.get("plugins") or ()))
        with translated(Unfit, EngineError, before=f"{name}: "):
            engine = try_engine(player, start, [], job.get("patience", PATIENCE))
        engines[name] = engine.name
        nodes = bench(player) if engine.protocol == "uci" and not own else None
        if nodes is not None:
            benches[name] = nodes
    return {"plyglot": plyglot(), "engines": engines, "benches": benches}


def try_engine(player: Player, start: Start, opening: list[int], patience: float) -> Client:
    """Start an engine and check that it can take part; then return it to the pool.

    patience: seconds for immediate answers.

    Raise EngineError if it can't be started or doesn't accept its limits or its game.
    """
    engine = ENGINES.borrow(player)
    try:
        engine.check_limits(limits([Clock(player["terms"])] * 2, 0))
        engine.prepare(start, opening, patience)
    except Refusal:
        ENGINES.discard(engine)
        raise
    except EngineError:  # the games will meet and record it
        ENGINES.discard(engine)
        return engine
    ENGINES.give_back(player, engine)
    return engine


def bench(player: Player) -> int | None:
    """Return the node count of a UCI engine's `bench`, None if it has none."""
    try:
        command = [*split_command(player["command"]), "bench"]
        _, said = output_of(command, timeout=BENCH_SECONDS, cwd=player.get("directory"))
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    found = _BENCH.findall(said[-4000:])
    return int(found[-1][0] or found[-1][1]) if found else None


@functools.lru_cache(maxsize=1)
def loop() -> float:
    """Return the seconds of a calibration loop on this machine, the best of five."""
    return min(loop_seconds(sys.executable, "perf_counter", LOOP_TURNS) for _ in range(5))


def scale(job: Job) -> float | None:
    """Return the factor by which this worker's clocks are scaled, None without scaling."""
    seconds: float | None = job.get("loop")
    if seconds is None:
        return None
    with _lock:
        return round(min(max(loop() / seconds, LEAST_SCALE), MOST_SCALE), 3)
