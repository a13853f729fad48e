"""A pair of games to be played, and its result, as plain data: what travels to a worker and back.

A job:

    id          names the pair within its tournament
    games       one or two: {id, players}, players as texts, player 0 (who moves first) first
    players     {name: engine}; an engine has name, command (None: Plyglot itself), protocol
                (None: guessed), directory, options, first_lines, restart, terms (terms.py)
    game        name in the registry;  options: {name: value} of the game
    plugins     files or modules of games that are not built in
    start       text of the position, None for the game's own;  opening: canonical texts of the
                moves played already;  opening_key: openings.py
    adjudication    rules (adjudicate.py), None for none
    patience, longest_move      seconds until a stall (referee.py)
    live        a folder that shows the games while they are played (live.py), None for none
    expected    what the worker has to be (fitness.py), None where that isn't looked at
    loop        seconds of the calibration loop on the machine that coordinates, by which the
                clocks are stretched; None where they are not
    listener    who is told of each game if it is in this process (listen())

Its result: id, games (a result each), there (what the worker is, fitness.py).  The result
of a game: id, game, options, start, opening (number of plies), moves (canonical texts,
the opening included), players (names), result (1-0: player 0 won), termination
(normal, adjudication, resignation, illegal move, time forfeit, crash, stall,
refusal), reason, fault (the player at fault or None), margin (points, where the game
counts them), seconds, scores, depths and nodes (of each move after the opening, for
its player), date, elapsed, host and process of the worker and cores of the host, scale
(what the clocks were stretched by, if they were), opening_key (openings.py, if it has one),
export (the text for the file beside the record, which is not recorded; None without a format).
"""

from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING, Any, Callable

from plyglot.command import own_command
from plyglot.errors import EngineError
from protocol.records.record import Start
from scripts.arena import export, fitness, live
from scripts.arena.engines import load_plugins
from scripts.arena.pool import ENGINES
from scripts.arena.pulse import Pulse
from scripts.arena.referee import (
    LONGEST_MOVE,
    PATIENCE,
    Referee,
    Verdict,
    played,
    read_moves,
)
from scripts.arena.terms import stretched
from scripts.jobs.worker import Closed, Unfit

if TYPE_CHECKING:
    from scripts.arena.client import Client
    from scripts.jobs.worker import Job, Result

# Faults after which an engine's process is not used again: its answers may belong to
# the game before.
_SPOILING = ("crash", "stall", "time forfeit", "illegal move", "refusal", "error")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
_LATE = ("stall", "time forfeit")
_listeners: dict[str, Callable[[Job, Result], None]] = {}


def listen(told: Callable[[Job, Result], None]) -> str:
    """Have told(job, result) called after each game that this process plays; the text for jobs.

    The result has that game alone.  In other processes a job's result is all that comes.
    """
    name = f"{os.getpid()}-{len(_listeners)}"
    _listeners[name] = told
    return name


def play(job: Job) -> Result:
    """Play the games of `job` with engines of this process; its result.

    Unfit if this worker can't, or its machine stood still; Closed if the engines were
    taken away.
    """
    load_plugins(job.get("plugins") or ())
    there = fitness.check(job)
    scale = fitness.scale(job)
    games = []
    for game in job["games"]:
        players = [_engine(job, name, scale) for name in game["players"]]
        result = _play_game({**job, **game, "players": players}, there)
        result.update(host=socket.gethostname(), process=os.getpid(), cores=CORES)
        if job.get("opening_key") is not None:
            result["opening_key"] = job["opening_key"]
        if scale is not None:
            result["scale"] = scale
        terms = [job["players"][name]["terms"] for name in game["players"]]
        result["export"] = export.text_of(result, terms)
        games.append(result)
        told = _listeners.get(job.get("listener") or "")
        if told is not None and (job["listener"].startswith(f"{os.getpid()}-")):
            told(job, {"id": job["id"], "games": [result], "there": there})
    return {"id": job["id"], "games": games, "there": there}


def _engine(job: Job, name: str, scale: float | None) -> dict[str, Any]:
    """The engine of a player, as it runs here."""
    player = job["players"][name]
    terms = player["terms"] if scale is None else stretched(player["terms"], scale)
    return dict(
        player, command=player["command"] or own_command(job.get("plugins") or ()), terms=terms
    )


def _play_game(job: Job, there: dict[str, Any]) -> Result:
    """Play one game; job: of it alone, its players two engines."""
    begun, generation = time.perf_counter(), ENGINES.generation
    start = Start(job["game"], job.get("start"), job.get("options"))
    opening = read_moves(start, job.get("opening") or ())
    engines: list[Client] = []
    verdict = referee = None
    names = [player["name"] for player in job["players"]]
    try:
        engines.extend(_borrow(player, there) for player in job["players"])
        referee = Referee(
            start,
            opening,
            engines,
            names,
            [player["terms"] for player in job["players"]],
            job.get("adjudication"),
            job.get("patience", PATIENCE),
            job.get("longest_move", LONGEST_MOVE),
        )
        with live.Game(job) as watched, Pulse() as pulse:
            verdict = referee.play(watched.tell)
    finally:
        _return(job, engines, verdict)
    if ENGINES.closed or ENGINES.generation != generation:
        raise Closed
    if verdict.termination in _LATE and pulse.stood_still():
        raise Unfit(
            f"{verdict.reason}, while the machine or this process stood still for "
            f"{pulse.stood_still():.1f} s: no fault of the engine"
        )
    return played(job, verdict, referee, begun)


def _borrow(player: dict[str, Any], there: dict[str, Any]) -> Client:
    """An engine that has said hello; Unfit if it can't be had here."""
    try:
        engine = ENGINES.borrow(player)
    except EngineError as error:
        raise Unfit(f"{player['name']}: {error}") from None
    there["engines"].setdefault(player["name"], engine.name)
    return engine


def _return(job: Job, engines: list[Client], verdict: Verdict | None) -> None:
    for index, (player, engine) in enumerate(zip(job["players"], engines)):
        spoilt = verdict is None or (verdict.termination in _SPOILING and verdict.fault == index)
        if spoilt:
            ENGINES.discard(engine)
        else:
            ENGINES.give_back(player, engine)
