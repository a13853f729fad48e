"""Which format a record is in, and by which format a game is written."""
from __future__ import annotations

from games import registry
from scripts.records.ggf import read_ggf, write_ggf
from scripts.records.lines import read_json_lines, read_moves, write_json_line
from scripts.records.pgn import read_pgn, write_pgn
from scripts.records.record import RecordError
from scripts.records.sgf import plays as has_sgf, read_sgf, write_sgf

SUFFIXES = {"pgn": ".pgn", "sgf": ".sgf", "ggf": ".ggf", "json": ".jsonl"}
_WRITERS = {"pgn": write_pgn, "sgf": write_sgf, "ggf": write_ggf, "json": write_json_line}


def guess(text):
    """The format of a text: pgn, sgf, ggf, json or moves."""
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith("(;"):
        return "ggf" if "GM[Othello]" in head or ";)" in head[-20:] else "sgf"
    if head.startswith("{") and '"' in head[:20]:
        return "json"
    return "pgn" if head.startswith("[") or head.startswith(("%", ";")) else "moves"


def read_records(text, kind=None, game_name=None):
    """(format, GameRecords) of a text; game_name: of plain moves (default chess) and where SGF leaves it open."""
    kind = kind or guess(text)
    if game_name is not None:
        try:
            registry.canonical(game_name)
        except KeyError:
            raise RecordError(f"no such game: {game_name} (there are: {', '.join(registry.names())})") from None
    if kind == "sgf":
        return kind, read_sgf(text, game_name)
    if kind == "moves":
        return kind, read_moves(text, game_name or "chess")
    return kind, {"pgn": read_pgn, "ggf": read_ggf, "json": read_json_lines}[kind](text)


def writing_format(kind, record):
    """The format in which a record that came in `kind` is written: its own, or the game's where that holds no notes."""
    if kind != "moves":
        return kind
    name = record.start.game.name
    return "pgn" if name == "chess" else "sgf" if has_sgf(record.start.game) else "json"


def write_record(record, kind, notes=None, annotator=None):
    """The text of a record in a format of SUFFIXES."""
    return _WRITERS[kind](record, notes, annotator)
