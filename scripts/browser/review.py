"""The analysis of a whole game by scripts/analyse, reported to the page as it proceeds.

Events, besides those of page_engines.py:

    {"type": "review", "role", "ticket", "share", "words", "positions"}
        share: the part of the work that is done, 0 to 1
        positions: {ply: {share, score, eval, depth, line}} of the newly analysed positions;
            here share is the first player's expected score
    {"type": "reviewed", "role", "ticket", "game"}
        game: the analysed game, as from plain_analysis() in scripts/report/page.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.base import Position
from protocol.records.record import Record
from scripts.arena.client import Client
from scripts.report.analysis import GameAnalysis
from scripts.report.page import Analysed, plain_analysis, verdict_note
from scripts.report.verdicts import Verdict, annotate
from search.limits import Limits


class ReviewStopped(Exception):
    """Raised when the page stops the analysis."""


class Review:
    """The analysis of all positions of a record; it can be stopped and resumed.

    limits: the Limits for each position.
    """

    def __init__(self, record: Record, limits: Limits, client: Client) -> None:
        self._record, self._limits = record, limits
        self._news: dict[int, dict[str, Any]] = {}
        self._run: tuple[Callable[..., None], Callable[[], bool]]
        self._analysis = GameAnalysis(self._record, client, limits, self._progress, self._note)

    def is_of(self, record: Record, limits: Limits) -> bool:
        """Is this the analysis of the same game with the same limits?"""
        game = self._record.start, self._record.moves, vars(self._limits)
        return game == (record.start, record.moves, vars(limits))

    def run(self, client: Client, tell: Callable[..., None], stopped: Callable[[], bool]) -> None:
        """Analyse the game, sending events; raise ReviewStopped once `stopped` returns True."""
        self._run = tell, stopped
        self._analysis.engine = client
        verdicts, notes = self._analysis.run()
        self._progress("done")
        annotate(self._record, notes, client.name, in_words=False)
        game = Analysed(self._record, verdicts, notes)
        tell("reviewed", game=plain_analysis(game, client.name, self._effort()))

    def _effort(self) -> str:
        nodes, seconds = self._limits.nodes, self._limits.movetime
        return f"{nodes:,} nodes per position" if nodes else f"{seconds:g} s per position"

    def _progress(self, words: str) -> None:
        """Send progress and new positions; raise ReviewStopped if the page stopped the analysis."""
        tell, stopped = self._run
        if stopped():
            raise ReviewStopped
        tell("review", share=self._analysis.share, words=words, positions=self._news)
        self._news = {}

    def _note(self, position: Position, ply: int, verdict: Verdict) -> None:
        self._news[ply] = verdict_note(position, verdict)
