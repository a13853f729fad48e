"""The analysis of many games by an executor.

Every analysed game is stored in a file until the report is written.  After an interruption or a
full disk, the same command resumes the analysis.

A job:

    id          the number of the game in its file, from 1
    game, options, start, moves     as in a Start; moves are ints
    plugins     files or modules of games that are not built in
    player      the engine, a Participant of scripts/arena/engines.py
    limits      the attributes of Limits for one position

A result: id, engine (its name), verdicts (of all positions, the last one included: score, mate,
chance, line, depth, exact) and losses (of the moves, null if unchecked).  If the engine failed, the
result holds only id, error (a message) and started (whether the engine could be started).
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import closing
from typing import Any

from plyglot.errors import EngineError
from protocol.base import PRODUCT
from protocol.records.record import Record, Start
from scripts.arena.engines import ENGINES, load_plugins
from scripts.command_line import clean, counted, inform
from scripts.jobs import command as jobs
from scripts.jobs.files import ResultsFile
from scripts.jobs.worker import Closed, JobData, ResultData
from scripts.report.analysis import GameAnalysis, cost
from search.limits import Limits

# Number of columns of the progress line.
_WIDTH = 78
# {process id: the progress line of that process}.  A forked process needs a line of its own.
_DISPLAYS: dict[int, _Display] = {}


def as_job(number: int, record: Record, common: dict[str, Any]) -> JobData:
    """Return the job of a game.  common: the parts that all jobs share."""
    start = record.start
    return {
        "id": str(number),
        "game": start.game.name,
        "options": start.options,
        "start": start.text,
        "moves": record.moves,
        **common,
    }


def analysed(arguments: Namespace, work: list[JobData], kept: ResultsFile) -> list[ResultData]:
    """Return the results of the jobs, in order; analyse the games whose results are missing.

    kept: the file of the results, which gets the new ones.
    Raises EngineError if no game can be analysed, or the engine can't be started.
    """
    display = _Display(work)
    _DISPLAYS[os.getpid()] = display
    missing = [job for job in work if job["id"] not in kept.done]
    failed: dict[str, ResultData] = {}
    with closing(display), jobs.open_run(arguments, analyse_game, ("game", "analysed")) as run:
        if kept.done:
            inform(f"{kept.path} already has {len(kept.done)} of {counted(len(work), 'game')}")
        positions = sum(len(job["moves"]) + 1 for job in missing)
        seconds = cost(Limits(movetime=work[0]["limits"]["movetime"]), positions)
        most = f", at most {seconds:.0f} s of search" if seconds else ""
        inform(counted(positions, "position") + most)
        for job, result in run.results(iter(missing)):
            if "error" not in result:
                kept.add(result)
            else:
                failed[job["id"]] = result
                if len(failed) == len(work) or not result["started"]:
                    raise EngineError(f"{arguments.engine or PRODUCT}: {result['error']}")
            display.progress(job["id"], 1.0, "done")
    return [kept.done.get(job["id"]) or failed[job["id"]] for job in work]


def analyse_game(job: JobData) -> ResultData:
    """Analyse the game of `job` with an engine of this process.

    Raises Closed if the engine was closed meanwhile.
    """

    def progress(words: str) -> None:
        display = _DISPLAYS.get(os.getpid())
        if display is not None:
            display.progress(job["id"], analysis.share, words)

    started = False
    try:
        load_plugins(job["plugins"])
        record = Record(Start(job["game"], job["start"], job["options"]), job["moves"])
        with ENGINES.lent(job["player"]) as engine:
            started = True
            analysis = GameAnalysis(record, engine, Limits(**job["limits"]), progress)
            verdicts, _ = analysis.run()
    except EngineError as error:
        if ENGINES.closed:
            raise Closed from None
        return {"id": job["id"], "error": str(error), "started": started}
    return {
        "id": job["id"],
        "engine": engine.name,
        "verdicts": list(map(list, verdicts)),
        "losses": analysis.losses,
    }


class _Display:
    """A progress line on the terminal: the current step, and the share of all work done."""

    def __init__(self, work: list[JobData]) -> None:
        self._shares = dict.fromkeys((job["id"] for job in work), 0.0)

    def progress(self, number: str, share: float, words: str) -> None:
        """Show the progress of a game: the share done, and the current step."""
        self._shares[number] = share
        games = len(self._shares)
        lead = f"game {number} of {games}, " if games > 1 else ""
        self._show(f"{lead}{words}, {sum(self._shares.values()) / games:.0%}")

    def close(self) -> None:
        """Clear the line."""
        self._show("", end="\r")

    def _show(self, text: str, end: str = "") -> None:
        if sys.stderr.isatty():
            print(f"\r{clean(text)[:_WIDTH]:{_WIDTH}}", end=end, file=sys.stderr, flush=True)
