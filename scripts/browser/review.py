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
from scripts.command_line import limits_text
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
        self._news: dict[int, dict[str, Any]] = {}
        self._analysis = GameAnalysis(record, client, limits, on_verdict=self._note)

    def _note(self, position: Position, ply: int, verdict: Verdict) -> None:
        self._news[ply] = verdict_note(position, verdict)

    def is_of(self, record: Record, limits: Limits) -> bool:
        """Is this the analysis of the same game with the same limits?"""
        own = self._analysis
        game = own.record.start, own.record.moves, vars(own.limits)
        return game == (record.start, record.moves, vars(limits))

    def run(self, client: Client, tell: Callable[..., None], stopped: Callable[[], bool]) -> None:
        """Analyse the game, sending events; raise ReviewStopped once `stopped` returns True."""
        analysis = self._analysis

        def progress(words: str) -> None:
            if stopped():
                raise ReviewStopped
            tell("review", share=analysis.share, words=words, positions=self._news)
            self._news = {}

        analysis.engine, analysis.progress = client, progress
        verdicts, notes = analysis.run()
        progress("done")
        annotate(analysis.record, notes, client.name, in_words=False)
        game = Analysed(analysis.record, verdicts, notes)
        effort = limits_text(analysis.limits, "position")
        tell("reviewed", game=plain_analysis(game, client.name, effort))
