"""The moves of a PGN with their comments, variations, marks and evaluations, read and written."""
from __future__ import annotations

import re
import textwrap

from games.base import GameError
from protocol.records.pgn import EVALUATION, NAGS, TOKEN, read_game, read_games, write_pgn
from protocol.records.record import RESULTS, GameRecord, RecordError
from protocol.records.san import move_number, read_san, write_san
from protocol.records.steps import Counter, Step, read_evaluation, undo, write_evaluation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.records.steps import Line

_MARKS = {number: mark for mark, number in NAGS.items()}
_WORD = re.compile(r"(?:\d+\.+)?(.*?)([!?]{0,2})")
_ROUND = str.maketrans("{}", "()")
_COMMAND = re.compile(r"\[%\w+ [^\]]*\]\s*")


def read_pgn_steps(text: str) -> list[tuple[GameRecord, Line, str]]:
    """(the record, its line, the comment before it) of each game; RecordError as read_pgn."""
    return read_games(text, _read_game)


def _read_game(game: tuple[dict[str, str], str]) -> tuple[GameRecord, Line, str]:
    record = read_game(*game)
    reader = _Reader(record.start.position())
    for token in TOKEN.findall(game[1]):
        if not reader.take(token):
            break
    return record, reader.line, reader.comment


class _Reader:
    """Reads tokens.  line: what was read; comment: what stands before its first move."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self.line: Line = []
        self.comment = ""
        self._here, self._counter = self.line, Counter()
        self._played: list[int] = []
        self._around: list[tuple[Line, list[int]]] = []     # the lines around a variation

    def take(self, token: str) -> bool:
        """Read a token; False where the game ends with it."""
        if token == "(":
            self._open()
        elif token == ")":
            self._close()
        elif token[0] in "{;":
            self._remark(" ".join(token.strip("{};").split()))
        elif token[0] == "$":
            self._mark(_MARKS.get(token, ""))
        elif token in RESULTS:
            return bool(self._around)
        else:
            self._move(token)
        return True

    def _move(self, token: str) -> None:
        found = _WORD.fullmatch(token)
        word, mark = found.groups() if found else (token, "")
        if not word.strip("."):
            return
        self._counter.add(len(self._around))
        try:
            move = read_san(self._position, word)
        except GameError as error:
            raise RecordError(f"move {len(self._played) + 1}: {error}") from None
        self._here.append(Step(move))
        self._mark(mark)
        self._play(move)

    def _play(self, move: int) -> None:
        self._position.make(move)
        self._played.append(move)

    def _open(self) -> None:
        if not self._here:
            raise RecordError("a variation stands where there is no move")
        self._counter.add(len(self._around) + 1)
        self._around.append((self._here, list(self._played)))
        variation: Line = []
        self._here[-1].variations.append(variation)
        self._here = variation
        self._position.undo()
        self._played.pop()

    def _close(self) -> None:
        if not self._around:
            raise RecordError("a bracket closes no variation")
        self._here, wanted = self._around.pop()
        while self._played != wanted[:len(self._played)]:
            self._position.undo()
            self._played.pop()
        for move in wanted[len(self._played):]:
            self._play(move)

    def _mark(self, mark: str) -> None:
        if mark in NAGS and self._here:
            self._here[-1].mark = mark

    def _remark(self, text: str) -> None:
        words = _COMMAND.sub("", text).strip()
        if not self._here:
            if not self._around:
                self.comment = " ".join(filter(None, [self.comment, words]))
            return
        step, said = self._here[-1], EVALUATION.search(text)
        if said:
            step.note = read_evaluation(said[1])
        step.remark(words)


def write_pgn_steps(record: GameRecord, line: Line, comment: str = "") -> str:
    """The PGN of a record with the moves of a line, and all that is said of them."""
    empty = GameRecord(record.start, [], record.players, record.result, record.tags)
    head = write_pgn(empty).partition("\n\n")[0]
    words = _words(record.start.position(), line)
    before = [_braces(comment)] if comment else []
    body = textwrap.fill(" ".join([*before, *words, record.result]), 100, break_long_words=False,
                         break_on_hyphens=False)
    return f"{head}\n\n{body}\n"


def _words(position: Position, line: Line) -> list[str]:
    """The words of a line; the position is the same afterwards."""
    found: list[str] = []
    numbered = False
    for step in line:
        found += move_number(position, numbered) + [write_san(position, step.move)]
        remarks = _remarks(step)
        for variation in step.variations:
            remarks.append("(" + " ".join(_words(position, variation)) + ")")
        found += remarks
        numbered = not remarks
        position.make(step.move)
    undo(position, len(line))
    return found


def _remarks(step: Step) -> list[str]:
    said = "" if step.note is None else f"[%eval {write_evaluation(step.note)}] "
    words = [NAGS[step.mark]] if step.mark in NAGS else []
    said += step.comment
    return words + ([_braces(said)] if said.strip() else [])


def _braces(text: str) -> str:
    """A comment; of braces PGN has none within one."""
    return "{" + " ".join(text.translate(_ROUND).split()) + "}"
