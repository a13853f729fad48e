#!/usr/bin/env python3
"""Compare the mistakes that scripts/analyse marks with those that a stronger judge finds.

    python3 scripts/lab/compare_verdicts.py tests/data/blunders.pgn --judge stockfish
    pypy3 scripts/lab/compare_verdicts.py tests/data/blunders.ggf --judge-nodes 800000
    pypy3 scripts/lab/compare_verdicts.py tests/data/judged.txt --judged --nodes 10000

The judge is an engine that searches every position of the games much longer than the analysis.  It
is the engine of --judge, by default Plyglot itself.  The judge and the analysis each compute the
loss of a move: the expected score before the move minus the expected score after it.  The curve of
search/report.py turns scores into expected scores.  A move is a blunder if the judge finds a loss
of at least a quarter (scripts/pages/notes.py: MARKS).  A mark of the analysis is doubtful if the
judge finds a loss below 0.08.  It is false if the loss is below 0.05, the least loss that
lichess.org calls an inaccuracy.  But the mark counts as right if the judge marks the move, too,
because the move allows a forced mate.  With --judge-again the judge searches again, and longer,
around every move that the judge or the analysis calls a mistake; the second verdict counts.
--kept FILE stores the judge's scores for the next run.  --judged: RECORD has the judge's scores
already, like tests/data/judged.txt.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Optional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games.base import Position  # noqa: E402
from plyglot.errors import EngineError  # noqa: E402
from protocol.records.formats import Collection  # noqa: E402
from protocol.records.record import Evaluation, Record, RecordError  # noqa: E402
from protocol.records.text import read_file  # noqa: E402
from scripts.arena.engines import open_engine  # noqa: E402
from scripts.command_line import Parser, run_main, tell  # noqa: E402
from scripts.jobs.files import replace  # noqa: E402
from scripts.pages.notes import MARKS  # noqa: E402
from scripts.report.analysis import GameAnalysis  # noqa: E402
from scripts.report.verdicts import SEVERE, Note, Verdict, final_verdict, judge, lost_by, notes  # noqa: E402
from search.limits import Limits  # noqa: E402

SCRIPT = "scripts/lab/compare_verdicts.py"
BLUNDER, MISTAKE, _ = (least for least, _ in MARKS)
DOUBTFUL, FALSE = 0.08, 0.05


# (score, mate, nodes searched) of each position except a finished one.  Score and mate are as in a
# Verdict.
Scores = list[tuple[Optional[int], Optional[int], int]]


def judged(record: Record, engine: Any, nodes: int) -> Scores:
    """Search each position except a finished one; return the judge's scores."""
    engine.new_game()
    count = len(record.moves) + (record.final().outcome() is None)
    return [_judged(record, ply, engine, nodes) for ply in range(count)]


def judged_again(
    record: Record, scores: Scores, doubted: set[int], engine: Any, nodes: int
) -> Scores:
    """Return the scores; search the positions around each doubted move again, and longer."""
    engine.new_game()
    again = {ply + step for ply in doubted for step in (0, 1)}
    return [
        _judged(record, ply, engine, nodes) if ply in again and known[2] < nodes else known
        for ply, known in enumerate(scores)
    ]


def _judged(
    record: Record, ply: int, engine: Any, nodes: int
) -> tuple[int | None, int | None, int]:
    moves = record.moves[:ply]
    answer = engine.think(record.start, moves, Limits(nodes=nodes))
    found = judge(record.start.position(moves), answer)[-1]
    return found.score, found.mate, nodes


def judged_notes(record: Record, scores: Scores) -> list[Note]:
    """Return the judge's Notes on the moves of a game.

    If a move scores better than the position before it, that position gets the move's score.
    """
    position = record.final()
    after = _verdict(position, scores, len(record.moves))
    verdicts = [after]
    for ply in range(len(record.moves) - 1, -1, -1):
        position.undo()
        found = _verdict(position, scores, ply)
        # If the move lost nothing, the position is worth as much as the one after it.
        if lost_by(position, found, after) > 0:
            after = found
        verdicts.insert(0, after)
    losses = [
        lost_by(before, *verdicts[ply : ply + 2])
        for ply, (before, _) in enumerate(record.positions())
    ]
    return notes(record, verdicts, losses)


def _verdict(position: Position, scores: Scores, ply: int) -> Verdict:
    """Return the judge's score of a position as an exact Verdict."""
    if ply < len(scores):
        score, mate, _ = scores[ply]
        return Verdict.of(position, Evaluation(score, mate), exact=True)
    return final_verdict(position)


def read_judged(text: str) -> Iterator[tuple[Record, Scores]]:
    """Yield the games of a file like tests/data/judged.txt, each with the judge's scores."""
    for line in text.splitlines():
        if not line.startswith("#"):
            _, moves, said = line.split(" | ")
            scores: Scores = []
            for word in said.split():
                mate = int(word[1:]) if word.startswith("#") else None
                scores.append((int(word) if mate is None else None, mate, 0))
            yield Collection(moves).first(), scores


class Tally:
    """The counts over all games.

    blunders: number of moves that the judge calls blunders.
    marked: number of these blunders that the analysis marks.
    severe: number of these blunders that the analysis marks with `??` or `?`.
    said: {mark: number of moves with this mark of the analysis}.
    doubtful, false: {mark: number of moves for which this mark is doubtful, or false}.
    """

    def __init__(self) -> None:
        self.games = self.moves = 0
        self.blunders = 0
        self.marked = self.severe = 0
        self.said = {mark: 0 for _, mark in MARKS}
        self.doubtful, self.false = dict(self.said), dict(self.said)

    def add(self, record: Record, ours: list[Note], theirs: list[Note]) -> None:
        """Count a game, and print the moves on which analysis and judge differ."""
        self.games += 1
        turns = record.turns()
        for ply, (position, move) in enumerate(record.positions()):
            note, lost = ours[ply], theirs[ply].lost
            doubt = bool(note.mark) and not theirs[ply].mark
            self.moves += 1
            if lost >= BLUNDER:
                self.blunders += 1
                self.marked += bool(note.mark)
                self.severe += note.mark in SEVERE
            if note.mark:
                self.said[note.mark] += 1
                self.doubtful[note.mark] += doubt and lost < DOUBTFUL
                self.false[note.mark] += doubt and lost < FALSE
            if (lost >= BLUNDER and not note.mark) or (doubt and lost < DOUBTFUL):
                number, side = turns[ply]
                words = position.notation(move)
                tell(
                    f"  game {self.games}, {number}{'.' if side == 0 else '...'} {words}"
                    f"{note.mark}: {note.lost:.2f} lost, the judge says {lost:.2f}"
                )

    def words(self) -> str:
        """Return the figures as text."""
        marks = ", ".join(
            f"{mark} {self.doubtful[mark]} and {self.false[mark]} of {count}"
            for mark, count in self.said.items()
        )
        total = sum(self.said.values())
        doubtful, false = sum(self.doubtful.values()), sum(self.false.values())
        return (
            f"{self.games} games, {self.moves} moves: {self.marked} of the judge's "
            f"{self.blunders} blunders marked ({_percent(self.marked, self.blunders)}), "
            f"{self.severe} of them ? or ??; doubtful {doubtful} of {total} marks "
            f"({_percent(doubtful, total)}), false {false} ({_percent(false, total)}): {marks}"
        )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def main() -> None:
    """Compare the analysis with the judge, and print the figures."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("RECORD", "file of games", type=pathlib.Path)
    parser.add("--judge COMMAND", "an engine (default: Plyglot)")
    parser.add("--judge-nodes N", "nodes of each search of the judge", 1_000_000)
    parser.add("--judge-again N", "nodes for moves that judge or analysis call a mistake", type=int)
    parser.add("--nodes N", "nodes of each search of the analysis", 50_000)
    parser.add("--kept FILE", "file for the judge's scores", type=pathlib.Path)
    parser.add("--judged", "RECORD has the judge's scores", action="store_true")
    options = parser.parse_args()
    text = read_file(options.record)
    if options.judged:
        with open_engine(protocol="uci") as engine:
            tell(compare_judged(read_judged(text.decode("utf-8")), engine, options.nodes).words())
    else:
        tell(compare(list(Collection(text)), options).words())


def compare_judged(games: Iterable[tuple[Record, Scores]], engine: Any, nodes: int) -> Tally:
    """Analyse games that have the judge's scores; return the Tally."""
    tally = Tally()
    for record, scores in games:
        _, ours = GameAnalysis(record, engine, Limits(nodes=nodes)).run()
        tally.add(record, ours, judged_notes(record, scores))
    return tally


def compare(records: list[Record], options: Any) -> Tally:
    """Judge and analyse all games; return the Tally."""
    kept: list[Scores] = []
    if options.kept is not None and options.kept.exists():
        kept = json.loads(options.kept.read_text(encoding="utf-8"))
    tally = Tally()
    with open_engine(protocol="uci") as engine, open_engine(options.judge) as stronger:
        for number, record in enumerate(records):
            if number == len(kept):
                kept.append(judged(record, stronger, options.judge_nodes))
            _, ours = GameAnalysis(record, engine, Limits(nodes=options.nodes)).run()
            if options.judge_again is not None:
                doubted = mistakes(ours, judged_notes(record, kept[number]))
                nodes = options.judge_again
                kept[number] = judged_again(record, kept[number], doubted, stronger, nodes)
            if options.kept is not None:
                replace(options.kept, [json.dumps(kept).encode()])
            tally.add(record, ours, judged_notes(record, kept[number]))
    return tally


def mistakes(ours: list[Note], theirs: list[Note]) -> set[int]:
    """Return the plies of the moves that our analysis or the judge calls a mistake."""
    return {
        ply
        for ply, (own, other) in enumerate(zip(ours, theirs))
        if own.mark in SEVERE or other.lost >= MISTAKE
    }


if __name__ == "__main__":
    run_main(SCRIPT, main, ValueError, RecordError, EngineError)
