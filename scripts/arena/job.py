"""A game to be played, and its result, as plain data: what travels to an executor and back.

A job:

    id          names the game within its tournament
    game        name in the registry;  options: {name: value} of the game
    plugins     files or modules of games that are not built in
    start       text of the position, None for the game's own;  opening: canonical texts of the
                moves played already
    players     two engines, player 0 (who moves first in the game) first:
                name, command, protocol (None: guessed), directory, options, first_lines, restart,
                terms (terms.py)
    adjudication    rules (adjudicate.py), None for none
    patience, longest_move      seconds until a stall (referee.py)
    live        a folder that shows the game while it is played (live.py), None for none

A result: id, game, options, start, opening (number of plies), moves (canonical texts,
the opening included), players (names), result (1-0: player 0 won), termination
(normal, adjudication, resignation, illegal move, time forfeit, crash, stall,
refusal), reason, fault (the player at fault or None), margin (points, where the game
counts them), seconds, scores, depths and nodes (of each move after the opening, for
its player), date, elapsed.
"""
from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from plyglot.errors import EngineError
from protocol.records.record import Start
from scripts.arena import live
from scripts.arena.engines import load_plugins
from scripts.arena.pool import ENGINES
from scripts.arena.referee import LONGEST_MOVE, PATIENCE, Referee, Verdict, played
from scripts.jobs.run import Closed

if TYPE_CHECKING:
    from scripts.arena.client import Client
    from scripts.jobs.run import Job

# Faults after which an engine's process is not used again: its answers may belong to
# the game before.
_SPOILING = ("crash", "stall", "time forfeit", "illegal move", "refusal", "error")


def play(job: Job) -> dict[str, list[str] | str]:
    """Play the game of `job` with engines of this process; its result.

    Closed where the engines were taken away.
    """
    begun = time.perf_counter()
    load_plugins(job.get("plugins") or ())
    start = Start(job["game"], job.get("start"), job.get("options"))
    opening = read_moves(start, job.get("opening") or ())
    engines: list[Client] = []
    verdict = referee = None
    names = [player["name"] for player in job["players"]]
    try:
        for index, player in enumerate(job["players"]):
            try:
                engines.append(ENGINES.borrow(player))
            except EngineError as error:
                verdict = Verdict.against(index, player["name"], error)
                break
        else:
            referee = Referee(start, opening, engines, names,
                              [player["terms"] for player in job["players"]],
                              job.get("adjudication"), job.get("patience", PATIENCE),
                              job.get("longest_move", LONGEST_MOVE))
            with live.Game(job) as watched:
                verdict = referee.play(watched.tell)
    finally:
        _return(job, engines, verdict)
    if ENGINES.closed:
        raise Closed
    return played(job, verdict, referee, begun)


def read_moves(start: Start, texts: list[str] | tuple[Any, ...]) -> list[int]:
    """The moves of canonical texts from `start` on; MoveError where one is none."""
    position, moves = start.position(), []
    for text in texts:
        move = position.parse_move(text)
        position.make(move)
        moves.append(move)
    return moves


def _return(job: Job, engines: list[Client], verdict: Verdict | None) -> None:
    for index, (player, engine) in enumerate(zip(job["players"], engines)):
        spoilt = verdict is None or (verdict.termination in _SPOILING and verdict.fault == index)
        if spoilt:
            ENGINES.discard(engine)
        else:
            ENGINES.give_back(player, engine)
