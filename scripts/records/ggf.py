"""GGF, the Generic Game Format of the Othello servers: `(;GM[Othello]PB[..]BO[8 ...]B[f5/0.50/1.2]W[d6]...;)`."""
from __future__ import annotations

import re

from games.base import GameError
from protocol.ggf import colour_of, read_game, text_of
from scripts.arena.start import Start
from scripts.records.record import MoveReader, RecordError

_GAME = re.compile(r"\(;.*?;\)", re.DOTALL)
_TAG = re.compile(r"([A-Z]{2})\[((?:[^\]\\]|\\.)*)\]")
_KEPT = ("PC", "DT", "TI", "TY", "TB", "TW", "RB", "RW")


def read_ggf(text):
    """The GameRecords of a GGF text; RecordError where one can't be read."""
    records = [_read_game(body) for body in _GAME.findall(text)]
    if not records:
        raise RecordError("there is no game in this GGF: (; ... ;) is missing")
    return records


def _read_game(text):
    try:
        start, moves = read_game(text)
        start = Start("othello", start).position().text()
    except GameError as error:
        raise RecordError(str(error)) from None
    reader = MoveReader(Start("othello", None if start == Start("othello").position().text() else start))
    for word in moves:
        reader.play_for(colour_of(word), text_of(word).strip())
    tags = dict(_TAG.findall(text))
    return reader.record((tags.get("PB", ""), tags.get("PW", "")), _result(tags.get("RE", "")),
                         {name: value for name, value in tags.items() if name in _KEPT})


def _result(text):
    """The result of RE's value: Black's lead in discs, then perhaps :t (time) or :r (resigned)."""
    try:
        lead = float(text.split(":")[0])
    except ValueError:
        return None
    return "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"


def write_ggf(record, notes=None, annotator=None):
    """The GGF of a record; notes: a Note or None for each move: the evaluation in discs for its player."""
    position = record.start.position()
    cells = position.text().replace("X", "*").replace(" ", "")
    board = "8 " + " ".join(cells[row:row + 8] for row in range(0, 64, 8)) + " " + cells[64]
    head = [("GM", "Othello"), *record.tags.items(), ("PB", record.players[0]), ("PW", record.players[1]),
            ("RE", _result_text(record)), ("TY", "8"), ("BO", board)]
    head = [(name, value) for index, (name, value) in enumerate(head)
            if value and name not in [known for known, _ in head[:index]]]
    out = "(;" + "".join(f"{name}[{value}]" for name, value in head)
    if annotator:
        out += f"CO[{annotator}]"
    for index, (position, move) in enumerate(record.positions()):
        text = "PA" if move == position.game.pass_move else position.move_text(move)
        note = notes[index] if notes else None
        out += f"{'BW'[position.side]}[{text}{_eval(note, position.side)}]"
    return out + ";)\n"


def _eval(note, side):
    if note is None or note.score is None and note.seconds is None:
        return ""
    score = "" if note.score is None else f"{(note.score if side == 0 else -note.score) / 100:.2f}"
    return f"/{score}" + (f"/{note.seconds:.2f}" if note.seconds is not None else "")


def _result_text(record):
    outcome = record.final().outcome()
    if outcome is not None:
        return f"{outcome.margin:+d}.000"
    return {"1-0": "+1:r", "0-1": "-1:r", "1/2-1/2": "0"}.get(record.result, "")
