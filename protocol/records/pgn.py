"""PGN, the format of chess games.

A text may hold several games; comments, variations and marks are kept as they stand,
and not looked into, when it is read.
"""
from __future__ import annotations

import re
import textwrap

from games.options import CHESS960
from protocol.options import wire_name
from protocol.records.record import (
    RESULTS,
    MoveReader,
    RecordError,
    Start,
    read_numbered,
)
from protocol.records.san import line_words, move_number, read_san, write_san
from protocol.records.steps import write_evaluation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from games.base import Position
    from protocol.records.record import GameRecord, Note

_TAG = re.compile(r'\[\s*([A-Za-z0-9_+#=:-]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|[()]|\$\d+|[^\s(){};$]+")
_NUMBER = re.compile(r"^\d+\.+")
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_STANDARD = ("", "standard", "normal", "chess", "fromposition")
_CHESS960 = ("chess960", "fischerandom", "fischerrandom")
_CHESS960_OPTION = wire_name(CHESS960.name)
NAGS = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
# On a line: a comment to its end, or one in braces, which may go on.
_COMMENT = re.compile(r";.*|\{[^}]*(\}?)")
_SUFFIX = re.compile(r"[!?]+$")
EVALUATION = re.compile(r"\[%eval ([^\]]*)\]\s*")


def read_pgn(text: str) -> list[GameRecord]:
    """The GameRecords of a PGN text; RecordError where one can't be read."""
    return read_games(text, lambda game: read_game(*game))


def read_games(text: str, read: Callable[[tuple[dict[str, str], str]], Any]) -> list[Any]:
    """What read((tags, movetext)) makes of each game; RecordError where there is none, too."""
    found = read_numbered(read, _games(text))
    if not found:
        raise RecordError("there is no game in this PGN")
    return found


def _games(text: str) -> Iterator[tuple[dict[str, str], str]]:
    """(tags, movetext) of each game: tags that follow moves begin another one.

    RecordError where a comment does not end: it would swallow the games after it.
    """
    tags: dict[str, str] = {}
    body: list[str] = []
    begun = 0       # the line where a comment began that goes on: its lines may look like tags
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if line.startswith("%"):
            continue
        tag = None if begun else _TAG.match(line.strip())
        if tag is None:
            body.append(line)
            begun = (begun or number) if _goes_on(line, begun > 0) else 0
            continue
        if "".join(body).strip():
            yield tags, "\n".join(body)
            tags = {}
        body = []
        tags[tag.group(1)] = re.sub(r"\\(.)", r"\1", tag.group(2))
    if begun:
        raise RecordError(f"the comment that begins in line {begun} does not end: }} is missing")
    if tags or "".join(body).strip():
        yield tags, "\n".join(body)


def _goes_on(line: str, within: bool) -> bool:
    """Is a comment open at the end of a line?  within: it was at its beginning."""
    if within:
        _, end, line = line.partition("}")
        if not end:
            return True
    return any(found[1] == "" for found in _COMMENT.finditer(line))


def read_game(tags: Mapping[str, str], movetext: str) -> GameRecord:
    """The GameRecord of a game; RecordError where it can't be read."""
    reader, result = MoveReader(_start(tags), read_san), tags.get("Result")
    remarks: dict[int, list[str]] = {}
    variation: list[str] = []
    depth = 0       # of variations
    for token in TOKEN.findall(movetext):
        if token[0] in "{;":
            token = _comment(token)
        kept = remarks.setdefault(len(reader.moves), [])
        if token == "(" or depth > 0:
            depth += {"(": 1, ")": -1}.get(token, 0)
            variation.append(token)
            if depth == 0:
                kept.append(" ".join(variation))
                variation = []
        elif token[0] in "{$":
            kept.append(token)
        elif token in RESULTS:
            result = token
            break
        elif token != ")":
            word = token if token.startswith("0-0") else _NUMBER.sub("", token, count=1)
            if word.strip(".!?"):
                reader.play(word)
            mark = _SUFFIX.search(word)
            if mark and mark.group() in NAGS:
                remarks.setdefault(len(reader.moves), []).append(NAGS[mark.group()])
    players = [tags.get(name, "").strip("?") for name in ("White", "Black")]
    known = {name: value for name, value in tags.items()
             if name not in ("White", "Black", "Result")}
    record = reader.record(players, result, known)
    record.remarks = {ply: kept for ply, kept in remarks.items() if kept}
    return record


def _comment(token: str) -> str:
    """A comment in braces, on one line."""
    return "{" + " ".join(token.strip("{};").replace("}", "").split()) + "}"


def _start(tags: Mapping[str, str]) -> Start:
    variant = tags.get("Variant", "").lower().replace(" ", "").replace("-", "")
    if variant in _CHESS960:
        return Start("chess", tags.get("FEN"), {_CHESS960_OPTION: True})
    if variant not in _STANDARD:
        raise RecordError(f"the variant {tags['Variant']} is none that is played here")
    return Start("chess", tags.get("FEN"))


def write_pgn(record: GameRecord, notes: Sequence[Note | None] | None = None,
              annotator: str | None = None) -> str:
    """The PGN of a record.

    notes: a Note or None for each move, written as marks, comments and variations.
    """
    tags = _tags(record, annotator)
    order = list(_ROSTER) + sorted(name for name in tags if name not in _ROSTER)
    head = "".join(f'[{name} "{_escape(tags[name])}"]\n' for name in order)
    words, numbered = list(record.remarks.get(0, ())), False
    for index, (position, move) in enumerate(record.positions()):
        note = notes[index] if notes else None
        words += move_number(position, numbered) + [write_san(position, move)]
        remarks = _merged(record.remarks.get(index + 1, []),
                          _remarks(position, note) if note is not None else [])
        words += remarks
        numbered = not remarks
    body = textwrap.fill(" ".join([*words, record.result]), 100, break_long_words=False,
                         break_on_hyphens=False)
    return f"{head}\n{body}\n"


def _tags(record: GameRecord, annotator: str | None) -> dict[str, str]:
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", **record.tags}
    white, black = record.players
    tags.update(White=white or "?", Black=black or "?", Result=record.result)
    if annotator:
        tags["Annotator"] = annotator
    if record.start.text is not None:
        tags.update(SetUp="1", FEN=record.start.text)
    if record.start.options.get(_CHESS960_OPTION):
        tags["Variant"] = "Chess960"
    return tags


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _merged(kept: Sequence[str], new: Sequence[str]) -> list[str]:
    """The words that stand at a move already, and new ones.

    A mark that was given before is not given another one, an evaluation is that of
    the new words, and a line that is there already is not written twice.
    """
    marks = {*kept} & {*NAGS.values()}
    new = [word for word in new if word not in NAGS.values() or not marks]
    if any("[%eval " in word for word in new):
        kept = [EVALUATION.sub("", word) if word[0] == "{" else word for word in kept]
    kept = [word for word in kept if word != "{}"]
    for line in [word for word in kept if word[0] == "("]:
        words = line.split()
        if new[-len(words):] == words:
            new = new[:-len(words)]
    signs = [word for word in kept if word[0] == "$"] + [word for word in new if word[0] == "$"]
    comments = [word for word in kept if word[0] == "{"] + [word for word in new if word[0] == "{"]
    rest = [word for word in kept if word[0] == "("]
    return signs + comments + rest + [word for word in new if word[0] not in "${"]


def _remarks(position: Position, note: Note) -> list[str]:
    """A note as a mark, a comment and a variation."""
    words = [NAGS[note.mark]] if note.mark else []
    comment = []
    if note.mate or note.mate is None and note.score is not None:
        comment.append(f"[%eval {write_evaluation(note)}]")
    if note.clock is not None:
        comment.append(f"[%clk {_clock(note.clock)}]")
    if note.seconds is not None:
        comment.append(f"[%emt {_clock(note.seconds)}]")
    if comment:
        words.append("{" + " ".join(comment) + "}")
    if note.best:
        words += ["(", *line_words(position, note.best), ")"]
    return words


def _clock(seconds: float) -> str:
    """Seconds as PGN's comments have them: `0:01:02.345`."""
    minutes, rest = divmod(max(round(seconds, 3), 0.0), 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02}:{rest:06.3f}"
