"""Analyse games: search every position with an engine, write an annotated record and a report.

Writes two files next to the record, or to the place that -o names (with or without a suffix).  The
first holds the games in their own format, with evaluations, marks and better lines.  The second is
an HTML page to step through the games: board, evaluation graph, moves, better lines, and each
player's accuracy.

Records: {formats}.

Before a move gets a mark, the positions before and after it are searched again, deeper.  So a game
may take up to four times the sum of its positions' limits of time or nodes.

[options]

examples:
  scripts/analyse game.pgn               (writes game-analysed.pgn and game-analysed.html)
  scripts/analyse tournament.jsonl --number 7 --movetime 2    the seventh game of a tournament
  scripts/analyse game.pgn --engine stockfish --depth 16 -o /tmp/report
  echo "f5 d6 c3 d3 c4" | scripts/analyse - --game othello --depth 8 -o othello
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import closing
from typing import NoReturn

from games import registry
from games.base import GameError
from games.openings import opening_text
from plyglot.command import plugin_path
from plyglot.errors import EngineError
from protocol.moves import line_text
from protocol.records.formats import (
    KNOWN_GAMES,
    SUFFIXES,
    Collection,
    open_file,
    write_record,
    writing_format,
)
from protocol.records.record import Format, Record, RecordError
from protocol.records.text import read_stream
from protocol.scores import note_text
from scripts.arena.engines import ENGINES, WITH_CLIENT
from scripts.command_line import (
    Parser,
    add_limits,
    clean,
    limits_of,
    limits_text,
    positive,
    translated,
    warn,
)
from scripts.jobs import command as jobs
from scripts.jobs.files import FileError, Output, ResultsFile, check_distinct
from scripts.jobs.worker import ResultData
from scripts.pages import embed
from scripts.pages.notes import NAMES
from scripts.pages.records import add_opening, record_title
from scripts.report.batch import analysed, as_job
from scripts.report.page import Analysed, plain_analysis
from scripts.report.verdicts import Note, Verdict, annotate, notes

_DEFAULT_SECONDS = 1.0
# The end of a report: digests of the games, of the annotated record and of the report itself.  With
# these a later run recognises the files that this script wrote.
_SIGNATURE = "<!-- scripts/analyse %s %s %s -->\n"
_SIGNED = re.compile(rb"(.*)<!-- scripts/analyse (\w{64}) (\w{64}) (\w{64}) -->\n", re.DOTALL)
UNFINISHED = ".part"  # suffix of the file that keeps results until the report is written


def run_script() -> NoReturn:
    """Run scripts/analyse."""
    wrong = RecordError, GameError, EngineError, registry.PluginError, ValueError
    jobs.run_script("scripts/analyse", main, *wrong)


def main() -> None:
    """Analyse what the command line selects."""
    try:
        _run(_parser().read())
    finally:
        ENGINES.close()


def _parser() -> Parser:
    text = __doc__.replace("{formats}", KNOWN_GAMES)
    parser = Parser("scripts/analyse", text, "scripts/analyse [options] RECORD")
    add = parser.add
    add("RECORD", "a file of games, or - for the standard input")
    output = "write BASE.html and BASE with the record's suffix (default: RECORD-analysed)"
    add("-o --output BASE", output)
    add("--number N", "analyse only game N of the file (default: all)", type=positive)
    parser.add_game_option("the game, if RECORD is a plain list of moves (default: chess)")
    add("--engine COMMAND", "engine to use (default: Plyglot)")
    add("--protocol", "the engine's protocol", "uci", choices=WITH_CLIENT)
    add("--option NAME=VALUE", "set an option of the engine", [], action="append", type=_setting)
    add_limits(parser.alternatives(), "per position", _DEFAULT_SECONDS)
    parser.add_plugin_option()
    parser.add_force_option()
    jobs.add_options(add, "games")
    return parser


def _setting(text: str) -> tuple[str, str]:
    """Parse NAME=VALUE, the setting of an engine's option."""
    name, sign, value = text.partition("=")
    if not sign:
        raise ArgumentTypeError(f'must be NAME=VALUE, not "{text}"')
    return name, value


def _run(arguments: Namespace) -> None:
    limits = limits_of(arguments, seconds=_DEFAULT_SECONDS)
    effort = limits_text(limits, "position")
    form, records = _read(arguments)
    written = writing_format(records[0], form)
    base = _base(arguments)
    options, plugins = dict(arguments.option), list(map(plugin_path, arguments.plugin))
    player = {"command": arguments.engine, "protocol": arguments.protocol, "options": options}
    common = {"player": player, "plugins": plugins, "limits": vars(limits)}
    work = [as_job(number, record, common) for number, record in enumerate(records, 1)]
    identity = _digest(json.dumps([[job["start"], job["moves"]] for job in work]).encode())
    # Refuse an existing file before the analysis, as an error in the command line.
    with translated(ValueError, FileError):
        report, annotated = _outputs(arguments, base, written.suffixes[0], identity)
    with closing(ResultsFile(base + UNFINISHED, {"analysis": work}, arguments.force)) as kept:
        results = analysed(arguments, work, kept)
        name = next(result["engine"] for result in results if "error" not in result) or "the engine"
        games = _annotated(records, results, f"{name}, {effort}", in_words=not written.evaluations)
        texts = [write_record(game.record, written.name) for game in games]
        data = written.separator.join(texts).encode("utf-8", "surrogateescape")
        page = embed.page([plain_analysis(game, name, effort) for game in games])
        html = page.encode("utf-8", "surrogateescape")
        report.write([html, _SIGNATURE % (identity, _digest(data), _digest(html))])
        annotated.write([data])
        kept.remove()
    for result in results:
        if "error" in result:
            reason = f"game {result['id']}: not analysed: {result['error']}"
            warn("scripts/analyse", f"{arguments.record}: {reason}")
    for number, game in enumerate(games, 1):
        if len(games) > 1:
            print(clean(f"game {number}: {record_title(game.record)}"))
        opening = opening_text(game.record.start.position(), game.record.moves)
        if opening:
            print(clean(f"opening: {opening}"))
        if game.verdicts:
            _summarise(game.record, game.notes)
    print(clean(f"written: {report.path}, {annotated.path}"))


def _annotated(
    records: Sequence[Record], results: Sequence[ResultData], annotator: str, in_words: bool
) -> list[Analysed]:
    """Return the analysed games, whose records now have marks and better lines."""
    games = []
    for record, result in zip(records, results):
        verdicts = [Verdict(*data) for data in result.get("verdicts", ())]
        judged = notes(record, verdicts, result.get("losses", ()))
        if verdicts:
            annotate(record, judged, annotator, in_words=in_words)
        add_opening(record)
        games.append(Analysed(record, verdicts, judged))
    return games


def _base(arguments: Namespace) -> str:
    """Return the path of the output files without their suffixes."""
    if arguments.output:
        if os.path.basename(arguments.output) in ("", os.curdir, os.pardir):
            raise ValueError(f"-o {arguments.output} names a folder: add a file name")
        base, suffix = os.path.splitext(arguments.output)
        return base if suffix in (".html", *SUFFIXES.values()) else str(arguments.output)
    record = "game" if arguments.record == "-" else arguments.record
    return str(pathlib.Path(record).with_suffix("")) + "-analysed"


def _outputs(arguments: Namespace, base: str, suffix: str, identity: str) -> tuple[Output, Output]:
    """Return Outputs for the report and for the annotated record.

    identity: the digest of the games.  Raises FileError if either file exists, unless --force is
    given or the file is this script's own unedited output for the same games.
    """
    report, record = pathlib.Path(base + ".html"), pathlib.Path(base + suffix)
    outputs = ("the report", report), ("the annotated record", record)
    check_distinct(("RECORD", arguments.record), *outputs)
    signed = _SIGNED.fullmatch(report.read_bytes()) if report.is_file() else None
    ours = signed.groups()[2:] if signed and signed[2].decode() == identity else ()

    def is_ours(path: pathlib.Path) -> bool:
        data = path.read_bytes()
        page = _SIGNED.fullmatch(data)
        return _digest(page[1] if page else data).encode() in ours

    return Output(report, arguments.force, is_ours), Output(record, arguments.force, is_ours)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read(arguments: Namespace) -> tuple[Format, list[Record]]:
    """Return (format, the requested Records)."""
    path = arguments.record
    with translated(RecordError, RecordError, registry.UnknownGame, path=path):
        if path == "-":
            games = Collection(read_stream(sys.stdin.buffer), None, arguments.game)
        else:
            games = open_file(path, arguments.game)
        chosen = games if arguments.number is None else [games.game(arguments.number)]
        records = [record for record in chosen if record is not None]
    if not records:
        raise RecordError(f"{path}: {games.reason()}")
    for problem in games.problems:
        warn("scripts/analyse", f"{path}: {problem}")
    return games.format, records


def _summarise(record: Record, notes: Sequence[Note]) -> None:
    """Print the mistakes, one per line."""
    for (position, move), note, (turn, side) in zip(record.positions(), notes, record.turns()):
        if note.mark:
            number = f"{turn}{'.' if side == 0 else '...'}"
            better = f"; better: {line_text(position, note.best)}" if note.best else ""
            text = f"{number} {position.notation(move)}{note.mark} {NAMES[note.mark]}, "
            score = note_text(note.evaluation.score, note.evaluation.mate, position.game)
            print(clean(f"{text}{score}{better}"))
    if not any(note.mark for note in notes):
        print("no mistakes found")
