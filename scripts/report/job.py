"""The analysis of one game as a job for an executor, with job and result as plain data.

A job:

    id          the number of the game in its file, from 1
    game, options, start, moves     as in a Start; moves are ints
    plugins     files or modules of games that are not built in
    player      the engine, as the tournament's pool describes it
    limits      depth, nodes, movetime (seconds) for one position; None: no limit
    known       the searches made before an interruption (analysis.py)

A result: id, engine (its name), verdicts (of all positions, the last one included: score, mate,
chance, line, depth, exact); or, if the engine failed, id and error (a message).
"""

from __future__ import annotations

from typing import Any

from plyglot.errors import EngineError
from protocol.records.record import Record, Start
from scripts.arena.engines import load_plugins
from scripts.arena.pool import ENGINES
from scripts.jobs.worker import Closed, Job, Result
from scripts.report.analysis import Analysis
from scripts.report.verdicts import Verdict
from search.limits import Limits


class Observer:
    """Base of observers of the analyses in this process.  number: the job's id."""

    def progress(self, number: str, analysis: Analysis, words: str) -> None:
        """Note that a step of the analysis begins."""

    def searched(self, number: str, data: list[Any]) -> None:
        """Note that a search has ended.  data: as from Analysis."""


observers: list[Observer] = []


def work(job: Job) -> Result:
    """Analyse the game of `job` with an engine of this process.

    Raises Closed if the engine was closed meanwhile.
    """
    try:
        load_plugins(job["plugins"])
        return {"id": job["id"], **_analysed(job)}
    except EngineError as error:
        if ENGINES.closed:
            raise Closed from None
        return {"id": job["id"], "error": str(error)}


def _analysed(job: Job) -> Result:
    start = Start(job["game"], job["start"], job["options"])
    engine = ENGINES.borrow(job["player"])

    def progress(words: str) -> None:
        for observer in observers:
            observer.progress(job["id"], analysis, words)

    def searched(data: list[Any]) -> None:
        for observer in observers:
            observer.searched(job["id"], data)

    try:
        analysis = Analysis(
            Record(start, job["moves"]),
            engine,
            Limits(**job["limits"]),
            progress,
            searched=searched,
            known=job.get("known", ()),
        )
        verdicts, _ = analysis.run()
    except BaseException:
        ENGINES.discard(engine)
        raise
    ENGINES.give_back(job["player"], engine)
    return {"engine": engine.name, "verdicts": [verdict.as_data() for verdict in verdicts]}


def verdicts_of(result: Result) -> list[Verdict]:
    """Return the Verdicts of a result."""
    return [Verdict(*data) for data in result["verdicts"]]
