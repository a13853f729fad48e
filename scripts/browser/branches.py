"""A game with its variations, comments, marks and evaluations, as the page holds it; PGN keeps all of it.

A line is a list of steps, plain data: {move, comment, mark, note, variations}, all but the move left out where
there is nothing to tell; what is read tells words, number and side of the move too.  variations are lines that
could have been played instead of the move.  note is what an engine said of the position after it: {eval (as PGN
has it), score (in words), share (what the first player may expect, 0 to 1), depth}.
"""
from __future__ import annotations

import re
import textwrap

from games.base import GameError
from protocol.records.pgn import pgn_eval, write_pgn
from protocol.records.record import GameRecord, Note
from protocol.records.san import read_san, write_san
from protocol.scores import note_text
from scripts.browser import fields
from scripts.browser.fields import Wrong
from scripts.report.analysis import expected

MOST_STEPS = 5_000
DEEPEST = 50                # variations within variations
MARKS = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
_NAGS = {number: mark for mark, number in MARKS.items()}
_TOKEN = re.compile(r"\{[^}]*\}?|;[^\n]*|[()]|\$\d+|[^\s(){};$]+")
_WORD = re.compile(r"(?:\d+\.+)?(.*?)([!?]{0,2})")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_EVALUATION = re.compile(r"\[%eval (#?-?[\d.]+)(?:,(\d+))?\]\s*")
_COMMAND = re.compile(r"\[%\w+ [^\]]*\]\s*")


# ---- reading -----------------------------------------------------------------------------------------------

class Reader:
    """Reads the moves of a PGN game, from a Start on; Wrong names a move that can't be played."""

    def __init__(self, start):
        self._position, self.line = start.position(), []
        self._game = start.game
        self._stack = []            # what stands around the variation that is read: (line, moves played)
        self._here, self._played, self._count = self.line, [], 0

    def read(self, movetext):
        """Read all of it."""
        for token in _TOKEN.findall(movetext):
            if token == "(":
                self._open()
            elif token == ")":
                self._close()
            elif token[0] in "{;":
                self._remark(" ".join(token.strip("{};").split()))
            elif token[0] == "$":
                self._mark(_NAGS.get(token, ""))
            elif token in _RESULTS and not self._stack:
                break
            elif token not in _RESULTS:
                self._move(token)
        return self.line

    def _move(self, token):
        word, mark = _WORD.fullmatch(token).groups()
        if not word.strip("."):
            return
        self._count += 1
        if self._count > MOST_STEPS:
            raise Wrong(f"the game has more than {MOST_STEPS} moves")
        try:
            move = read_san(self._position, word)
        except GameError as error:
            raise Wrong(f"move {len(self._played) + 1}: {error}") from None
        self._here.append({"move": self._position.move_text(move), "words": write_san(self._position, move),
                           "number": int(self._position.text().split()[5]), "side": self._position.side})
        self._mark(mark)
        self._play(move)

    def _play(self, move):
        self._position.make(move)
        self._played.append(move)

    def _open(self):
        if len(self._stack) >= DEEPEST or not self._here:
            raise Wrong("a variation stands where there is no move, or too deep")
        self._stack.append((self._here, list(self._played)))
        self._here[-1].setdefault("variations", []).append([])
        self._here = self._here[-1]["variations"][-1]
        self._position.undo()
        self._played.pop()

    def _close(self):
        if not self._stack:
            raise Wrong("a bracket closes no variation")
        self._here, wanted = self._stack.pop()
        while self._played != wanted[:len(self._played)]:
            self._position.undo()
            self._played.pop()
        for move in wanted[len(self._played):]:
            self._play(move)

    def _mark(self, mark):
        if mark and self._here:
            self._here[-1]["mark"] = mark

    def _remark(self, text):
        if not self._here:
            return
        step, said = self._here[-1], _EVALUATION.search(text)
        if said:
            step["note"] = _note(said, self._game)
        words = _COMMAND.sub("", text).strip()
        if words:
            step["comment"] = " ".join(filter(None, [step.get("comment"), words]))


def _note(said, game):
    """What a [%eval] says."""
    value, depth = said.groups()
    try:
        note = Note(mate=int(value[1:])) if value[0] == "#" else Note(score=round(float(value) * 100))
    except ValueError:
        return None
    return {**plain_note(note, game), "eval": value, "depth": int(depth) if depth else None}


def plain_note(note, game):
    """A Note as the page holds it."""
    share = float(note.mate > 0) if note.mate is not None else expected(note.score, game)
    return {"eval": pgn_eval(note), "score": note_text(note, game), "share": share, "depth": note.depth}


# ---- writing -----------------------------------------------------------------------------------------------

def main_line(body, start):
    """The moves (ints) of the main line of a command's `line`."""
    line = body.get("line")
    if not isinstance(line, list):
        raise Wrong("line must be a list of steps")
    texts = [step.get("move") if isinstance(step, dict) else None for step in line]
    return fields.moves({"moves": texts}, start)


def write(record, line):
    """The PGN of a GameRecord whose main line is that of `line`, with all that it holds."""
    empty = GameRecord(record.start, [], record.players, record.result, record.tags)
    head = write_pgn(empty).partition("\n\n")[0]
    writer = Writer(record.start.position())
    words = writer.words(line)
    body = textwrap.fill(" ".join([*words, record.result]), 100, break_long_words=False,
                         break_on_hyphens=False)
    return f"{head}\n\n{body}\n"


class Writer:
    """Writes lines from a position on; it is the same position afterwards."""

    def __init__(self, position):
        self._position, self._count = position, 0

    def words(self, line, depth=0):
        """The words of a line."""
        if not isinstance(line, list) or depth > DEEPEST:
            raise Wrong("a line must be a list of steps, and not too deep")
        found, numbered, played = [], False, 0
        for step in line:
            move, remarks = self._step(step)
            number = self._position.text().split()[5]
            if self._position.side == 0 or not numbered:
                dots = ". " if self._position.side == 0 else "... "
                found.append(number + dots + write_san(self._position, move))
            else:
                found.append(write_san(self._position, move))
            for variation in step.get("variations") or ():
                remarks += ["(" + " ".join(self.words(variation, depth + 1)) + ")"]
            found += remarks
            numbered = not remarks
            self._position.make(move)
            played += 1
        for _ in range(played):
            self._position.undo()
        return found

    def _step(self, step):
        """(move, words of mark and comment) of a step."""
        self._count += 1
        if not isinstance(step, dict) or self._count > MOST_STEPS:
            raise Wrong("a step must be an object, and there must not be too many")
        try:
            move = self._position.parse_move(fields.text(step, "move", "", 20))
        except GameError as error:
            raise Wrong(str(error)) from None
        mark, comment = fields.text(step, "mark", "", 10), fields.text(step, "comment", "", 10_000)
        note = step.get("note")
        value = fields.text(note, "eval", "", 30) if isinstance(note, dict) else ""
        if not re.fullmatch(r"(#?-?[\d.]+(,\d+)?)?", value):
            raise Wrong("eval must be a number of pawns, or # and a number of moves")
        said = (f"[%eval {value}] " if value else "") + re.sub(r"[{}]", "", comment)
        remarks = [f"{{{said.strip()}}}"] if said.strip() else []
        return move, ([MARKS[mark]] if mark in MARKS else []) + remarks
