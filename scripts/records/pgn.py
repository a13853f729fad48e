"""PGN, the format of chess games: several games in a text, comments, variations and marks skipped when read."""
from __future__ import annotations

import re
import textwrap

from games.base import MAX_SCORE
from scripts.arena.start import Start
from scripts.records.record import RESULTS, MoveReader, RecordError
from scripts.records.san import read_san, write_san

_TAG = re.compile(r'\[\s*([A-Za-z0-9_+#=:-]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(r"\{[^}]*\}?|;[^\n]*|[()]|\$\d+|[^\s(){};$]+")
_NUMBER = re.compile(r"\d+\.+")
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
NAGS = {"?!": "$6", "?": "$2", "??": "$4"}


def read_pgn(text):
    """The GameRecords of a PGN text; RecordError where one can't be read."""
    records = [_read_game(tags, moves) for tags, moves in _games(text)]
    if not records:
        raise RecordError("there is no game in this PGN")
    return records


def _games(text):
    """[(tags, movetext)], split where tags follow moves."""
    lines = [line for line in text.lstrip("\ufeff").splitlines() if not line.startswith("%")]
    tags, body, depth = {}, [], 0
    for line in lines:
        tag = _TAG.match(line.strip()) if not depth else None
        if tag is None:
            body.append(line)
            depth = max(depth + line.count("{") - line.count("}"), 0)
            continue
        if "".join(body).strip():
            yield tags, "\n".join(body)
            tags = {}
        body = []
        tags[tag.group(1)] = re.sub(r"\\(.)", r"\1", tag.group(2))
    if tags or "".join(body).strip():
        yield tags, "\n".join(body)


def _read_game(tags, movetext):
    variant = tags.get("Variant", "").lower().replace(" ", "").replace("-", "")
    if variant not in ("", "standard", "normal", "chess", "chess960", "fischerandom", "fischerrandom", "fromposition"):
        raise RecordError(f"the variant {tags['Variant']} is none that is played here")
    options = {"UCI_Chess960": True} if "960" in variant or "fischer" in variant else {}
    reader, depth, result = MoveReader(Start("chess", tags.get("FEN"), options), read_san), 0, tags.get("Result")
    for token in _TOKEN.findall(movetext):
        if token in "()":
            depth += 1 if token == "(" else -1
        elif depth > 0 or token[0] in "{;$":
            continue
        elif token in RESULTS:
            result = token
            break
        else:
            word = _NUMBER.sub("", token, count=1) if token[0].isdigit() and not token.startswith("0-0") else token
            if word.strip(".!?"):
                reader.play(word)
    known = {name: value for name, value in tags.items() if name not in ("White", "Black", "Result")}
    return reader.record([tags.get(name, "").strip("?") for name in ("White", "Black")], result, known)


def write_pgn(record, notes=None, annotator=None):
    """The PGN of a record; notes: a Note or None for each move, written as marks, comments and variations."""
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", **record.tags}
    tags.update(White=record.players[0] or "?", Black=record.players[1] or "?", Result=record.result)
    if annotator:
        tags["Annotator"] = annotator
    if record.start.text is not None:
        tags.update(SetUp="1", FEN=record.start.text)
    if record.start.options.get("UCI_Chess960"):
        tags["Variant"] = "Chess960"
    order = list(_ROSTER) + sorted(name for name in tags if name not in _ROSTER)
    head = "".join('[{} "{}"]\n'.format(name, tags[name].replace("\\", "\\\\").replace('"', '\\"')) for name in order)
    words, numbered = [], False
    for index, (position, move) in enumerate(record.positions()):
        note = notes[index] if notes else None
        words += _number(position, numbered) + [write_san(position, move)]
        remarks = _annotated(position, note) if note is not None else []
        words += remarks
        numbered = not remarks
    body = textwrap.fill(" ".join(words + [record.result]), 100, break_long_words=False, break_on_hyphens=False)
    return f"{head}\n{body}\n"


def _number(position, follows):
    """[the move's number], where one is due."""
    number = position.text().split()[5]
    return [f"{number}."] if position.side == 0 else [] if follows else [f"{number}..."]


def _annotated(position, note):
    words = [NAGS[note.mark]] if note.mark else []
    comment = [f"[%eval {pgn_eval(note)}]"] if note.mate or note.mate is None and note.score is not None else []
    comment += [f"[%clk {_clock(note.clock)}]"] if note.clock is not None else []
    comment += [f"[%emt {_clock(note.seconds)}]"] if note.seconds is not None else []
    if comment:
        words.append("{" + " ".join(comment) + "}")
    if note.best:
        words += ["("] + line_words(position, note.best) + [")"]
    return words


def _clock(seconds):
    """Seconds as PGN's comments have them: `0:01:02.345`."""
    minutes, rest = divmod(max(round(seconds, 3), 0.0), 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02}:{rest:06.3f}"


def line_words(position, line):
    """A line of moves in SAN with its numbers, from `position` on, which is left as it was."""
    words = []
    for index, move in enumerate(line):
        words += _number(position, index > 0) + [write_san(position, move)]
        position.make(move)
    for _ in line:
        position.undo()
    return words


def pgn_eval(note):
    """The evaluation as PGN viewers read it: pawns, or #N for mate; White's view."""
    if note.mate is not None:
        return f"#{note.mate}"
    score = max(-MAX_SCORE, min(MAX_SCORE, note.score or 0))
    return f"{score / 100:.2f}" + (f",{note.depth}" if note.depth else "")
