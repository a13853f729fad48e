"""Which format a record is in, and by which format a game is written."""
from __future__ import annotations

import os
import re

from games import registry
from protocol.records.ggf import read_ggf, write_ggf
from protocol.records.ggf_steps import read_ggf_steps, write_ggf_steps
from protocol.records.json_steps import read_json_steps, write_json_steps
from protocol.records.lines import read_json_lines, read_moves, write_json_line
from protocol.records.pgn import read_pgn, write_pgn
from protocol.records.pgn_steps import read_pgn_steps, write_pgn_steps
from protocol.records.record import RecordError
from protocol.records.sgf import has_number, read_sgf, write_sgf
from protocol.records.sgf_board import is_recordable
from protocol.records.sgf_steps import read_sgf_steps, write_sgf_steps
from protocol.records.steps import main_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.records.record import GameRecord, Note
    from protocol.records.steps import Line

SUFFIXES = {"pgn": ".pgn", "sgf": ".sgf", "ggf": ".ggf", "json": ".jsonl"}
_READERS = {"pgn": read_pgn, "ggf": read_ggf, "json": read_json_lines}
_WRITERS = {"pgn": write_pgn, "sgf": write_sgf, "ggf": write_ggf, "json": write_json_line}
_STEP_READERS = {"pgn": read_pgn_steps, "sgf": read_sgf_steps, "ggf": read_ggf_steps,
                 "json": read_json_steps}
_STEP_WRITERS = {"pgn": write_pgn_steps, "sgf": write_sgf_steps, "ggf": write_ggf_steps,
                 "json": write_json_steps}
_ONLY = {"pgn": "chess", "ggf": "othello"}
# What plain moves never have: move numbers with comments, variations or NAGs among them.
_ANNOTATED = re.compile(r"\d+\..*?(?:[{(]|\$\d)", re.DOTALL)


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, else Latin-1, which PGN began with."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def guess(text: str) -> str:
    """The format of a text: pgn, sgf, ggf, json or moves."""
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith("(;"):
        return "ggf" if "GM[Othello]" in head or ";)" in head[-20:] else "sgf"
    if head.startswith("{") and '"' in head[:20]:
        return "json"
    if head.startswith(("[", "%", ";", "{")) or _ANNOTATED.match(head):
        return "pgn"
    return "moves"


def read_records(text: str, kind: str | None = None,
                 game_name: str | None = None) -> tuple[str, list[GameRecord]]:
    """(format, GameRecords) of a text.

    game_name: of plain moves (default chess) and where SGF leaves it open.
    """
    kind = kind or guess(text)
    if game_name is not None:
        try:
            registry.canonical(game_name)
        except KeyError:
            known = ", ".join(registry.names())
            raise RecordError(f"no such game: {game_name} (there are: {known})") from None
    if kind == "sgf":
        return kind, read_sgf(text, game_name)
    if kind == "moves":
        return kind, read_moves(text, game_name or "chess")
    return kind, _READERS[kind](text)


def named_format(path: str) -> str | None:
    """The format that the suffix of a file's name tells, None where it tells none."""
    suffix = os.path.splitext(path)[1].lower()
    return next((kind for kind in SUFFIXES if SUFFIXES[kind] == suffix), None)


def writing_format(kind: str, record: GameRecord) -> str:
    """The format in which a record that came in `kind` is written.

    Its own, or the game's where that holds no notes.
    """
    if kind != "moves":
        return kind
    game = record.start.game
    return "pgn" if game.san else "sgf" if has_number(game) else "json"


def read_steps(text: str, game_name: str | None = None
               ) -> tuple[str, list[tuple[GameRecord, Line, str]]]:
    """(format, [(GameRecord, its line with all that is said, the comment before it)]) of a text."""
    kind = guess(text)
    if kind == "moves":
        return kind, [(record, main_line(record), "") for record in read_moves(
            text, game_name or "chess")]
    return kind, _STEP_READERS[kind](text)


def _check_format(record: GameRecord, kind: str) -> None:
    """RecordError where a format has no words for a record's game."""
    game = record.start.game
    known = _ONLY.get(kind, game.name) == game.name
    if kind == "sgf":
        known = is_recordable(game.start(record.start.values()))
    if not known:
        raise RecordError(f"there is no {kind.upper()} of {game.name}")


def write_steps(record: GameRecord, kind: str, line: Line, comment: str = "") -> str:
    """The text of a record, whose moves are those of a line, in a format of SUFFIXES."""
    _check_format(record, kind)
    return _STEP_WRITERS[kind](record, line, comment)


def write_record(record: GameRecord, kind: str, notes: Sequence[Note | None] | None = None,
                 annotator: str | None = None) -> str:
    """The text of a record in a format of SUFFIXES."""
    _check_format(record, kind)
    return _WRITERS[kind](record, notes, annotator)
