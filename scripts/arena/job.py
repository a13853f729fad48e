"""Plain data that travels to a worker and back: a pair of games to play, and its result.

A job:

    id          identifies the pair within its tournament
    games       one or two: {id, players}, players as texts, player 0 (who moves first) first
    players     {name: engine}; an engine has name, command (None: Plyglot itself), protocol
                (None: guessed), directory, options, first_lines, restart, terms (terms.py)
    game        name in the registry;  options: {name: value} of the game
    plugins     files or modules of games that are not built in
    start       text of the position, None for the game's own;  opening: canonical texts of the
                moves played already;  opening_key: openings.py
    adjudication    rules (adjudicate.py), None for none
    patience, longest_move      seconds until a stall (referee.py)
    live        a folder for the games in progress (live.py), None for none
    expected    the expected description of the worker (fitness.py), None for no check
    loop        seconds of the calibration loop on the coordinating machine, by which the
                clocks are scaled; None for no scaling
    listener    whom to report each game (scripts/jobs/worker.py)

Its result: id, games (a result each), there (the worker's description, fitness.py).  The result
of a game: id, game, options, start, opening (number of plies), moves (canonical texts,
the opening included), players (names), result (1-0: player 0 won), termination
(normal, adjudication, resignation, illegal move, time forfeit, crash, stall,
refusal), reason, fault (the player at fault or None), margin (points, where the game
counts them), seconds, scores, depths and nodes (of each move after the opening, for
its player), date, elapsed, host and process of the worker and cores of the host, scale
(the factor of the clocks, if they were scaled), opening_key (openings.py, if it has one),
export (the text for the file beside the record, which is not recorded; None without a format).
"""

from __future__ import annotations

import os
import socket
import time
from typing import Any

from plyglot.command import own_command
from plyglot.errors import EngineError
from scripts.arena import export, fitness, live
from scripts.arena.client import Client
from scripts.arena.engines import load_plugins
from scripts.arena.pool import ENGINES
from scripts.arena.pulse import Pulse
from scripts.arena.referee import Referee, Verdict
from scripts.arena.terms import scaled
from scripts.command_line import translated
from scripts.jobs.worker import Closed, Job, Result, Unfit, hand_in

# Faults after which an engine's process is not used again: its answers may belong to
# the game before.
_SPOILING = ("crash", "stall", "time forfeit", "illegal move", "refusal", "error")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
_LATE = ("stall", "time forfeit")


def play(job: Job) -> Result:
    """Play the games of `job` with engines of this process and return its result.

    Raise Unfit if this worker can't play them or its machine stood still, and Closed if the
    engines were closed meanwhile.
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
        hand_in(job, {"id": job["id"], "games": [result], "there": there})
    return {"id": job["id"], "games": games, "there": there}


def _engine(job: Job, name: str, scale: float | None) -> dict[str, Any]:
    """Return a player's engine as it runs on this worker."""
    player = job["players"][name]
    terms = player["terms"] if scale is None else scaled(player["terms"], scale)
    return dict(
        player, command=player["command"] or own_command(job.get("plugins") or ()), terms=terms
    )


def _play_game(job: Job, there: dict[str, Any]) -> Result:
    """Play one game; job: a job of this game alone, players: its two engines."""
    begun, generation = time.perf_counter(), ENGINES.generation
    engines: list[Client] = []
    verdict = None
    try:
        engines.extend(_borrow(player, there) for player in job["players"])
        referee = Referee(job, engines)
        with live.shown(job) as on_move, Pulse() as pulse:
            verdict = referee.play(on_move)
    finally:
        _return(job, engines, verdict)
    if ENGINES.closed or ENGINES.generation != generation:
        raise Closed
    if verdict.termination in _LATE and pulse.stood_still:
        raise Unfit(
            f"{verdict.reason}, while the machine or this process stood still for "
            f"{pulse.stood_still:.1f} s: no fault of the engine"
        )
    return referee.result(verdict, begun)


def _borrow(player: dict[str, Any], there: dict[str, Any]) -> Client:
    """Return an engine that has been started; raise Unfit if that fails on this worker."""
    with translated(Unfit, EngineError, before=f"{player['name']}: "):
        engine = ENGINES.borrow(player)
    there["engines"].setdefault(player["name"], engine.name)
    return engine


def _return(job: Job, engines: list[Client], verdict: Verdict | None) -> None:
    for index, (player, engine) in enumerate(zip(job["players"], engines)):
        if verdict is None or (verdict.termination in _SPOILING and verdict.fault == index):
            ENGINES.discard(engine)
        else:
            ENGINES.give_back(player, engine)
