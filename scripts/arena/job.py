"""Plain data that travels to a worker and back: a game to play, and its result.

A job:

    id          identifies the game within its tournament (schedule.py)
    players     the two engines (pool.py), player 0, who moves first, first; an engine has name,
                command (None: Plyglot itself), protocol (None: guessed), directory, options,
                first_lines, restart, terms (terms.py)
    game        name in the registry;  options: {name: value} of the game
    plugins     files or modules of games that are not built in
    start       text of the position, None for the game's own;  opening: canonical texts of the
                moves played already
    adjudication    rules (referee.py), None for none
    patience, longest_move      seconds until a stall (referee.py)
    live        a folder for the games in progress (live.py), None for none
    version     Plyglot's version() on the coordinating machine, None for no check

Its result: id, game, options, start, opening (number of plies), moves (canonical texts,
the opening included), players (names), result (1-0: player 0 won), termination
(normal, adjudication, resignation, illegal move, time forfeit, crash, stall,
refusal), reason, fault (the player at fault or None), margin (points, where the game
counts them), seconds, scores, depths and nodes (of each move after the opening, for
its player), date, elapsed, host and process of the worker and cores of the host, export
(the text for the file beside the record, which is not recorded; None without a format).
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import socket
import time
import zipfile
from collections.abc import Iterator
from typing import Any

from plyglot.__main__ import project_root
from plyglot.command import own_command
from plyglot.errors import EngineError
from protocol.base import VERSION
from scripts.arena import export, live
from scripts.arena.client import Client
from scripts.arena.engines import load_plugins
from scripts.arena.pool import ENGINES
from scripts.arena.referee import PATIENCE, Referee, Verdict, read_moves, start_of
from scripts.command_line import translated
from scripts.jobs.worker import JobData, ResultData, Unfit

# Faults after which an engine's process is not used again: its answers may belong to
# the game before.
_SPOILING = ("crash", "stall", "time forfeit", "illegal move", "refusal", "error")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
# What must be equal on all machines: the files that play and referee.
_FOLDERS = ("games/", "search/", "protocol/", "plyglot/", "scripts/arena/", "scripts/jobs/")
_SUFFIXES = (".py", ".bin")
_tried: set[str] = set()  # engines that took part here already


def play(job: JobData) -> ResultData:
    """Play the game of `job` with engines of this process and return its result.

    Raise Unfit if this worker can't play it.
    """
    begun = time.perf_counter()
    plugins = job.get("plugins") or ()
    load_plugins(plugins)
    own = own_command(plugins)
    job["players"] = [dict(player, command=player["command"] or own) for player in job["players"]]
    check(job)
    engines: list[Client] = []
    verdict = None
    try:
        for player in job["players"]:
            with translated(Unfit, EngineError, before=f"{player['name']}: "):
                engines.append(ENGINES.borrow(player))
        referee = Referee(job, engines)
        with live.shown(job) as on_move:
            verdict = referee.play(on_move)
    finally:
        _return(job, engines, verdict)
    result = referee.result(verdict, begun)
    result.update(host=socket.gethostname(), process=os.getpid(), cores=CORES)
    terms = [player["terms"] for player in job["players"]]
    return {**result, "export": export.text_of(result, terms)}


def check(job: JobData) -> None:
    """Raise Unfit if Plyglot differs here, or if an engine can't take part in its first game."""
    wanted = job.get("version")
    if wanted is None:
        return
    if wanted != version():
        raise Unfit(f"Plyglot is {version()} on this worker and {wanted} on the coordinator")
    start = start_of(job)
    moves = read_moves(start, job["opening"])
    for player in job["players"]:
        key = json.dumps(player, sort_keys=True)
        if key not in _tried:
            with translated(Unfit, EngineError, before=f"{player['name']}: "):
                ENGINES.try_out(player, start, moves, job.get("patience", PATIENCE))
            _tried.add(key)


@functools.lru_cache(maxsize=1)
def version() -> str:
    """Return the version of this process's Plyglot, and a digest of its modules and data files."""
    digest = hashlib.sha256()
    for name, data in sorted(_files(project_root())):
        digest.update(name.encode() + b"\0" + data.replace(b"\r\n", b"\n") + b"\0")
    return f"{VERSION} {digest.hexdigest()[:16]}"


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


def _return(job: dict[str, Any], engines: list[Client], verdict: Verdict | None) -> None:
    for index, (player, engine) in enumerate(zip(job["players"], engines)):
        if verdict is None or (verdict.termination in _SPOILING and verdict.fault == index):
            ENGINES.discard(engine)
        else:
            ENGINES.give_back(player, engine)
