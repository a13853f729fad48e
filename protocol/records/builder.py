"""The building of a record: a tree that grows move by move; each move is played."""

from __future__ import annotations

from games.base import PASSES, GameError, MoveError
from protocol.records.record import RecordError, Step, joined
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from games.base import Position
    from protocol.records.record import Line, Record

NULL_MOVES = (*PASSES, "z0", "null", "<>")
MAX_STEPS = 200_000  # per game, including its variations
DEEPEST = 50  # levels of nested variations


def read_recorded(position: Position, text: str, read: Callable[[Position, str], int]) -> int:
    """Return the legal move of a text, or a null move if the game has them and it is possible."""
    if text.strip().lower() in NULL_MOVES and position.game.pass_move is None:
        move = position.null_move()
        if move is not None:
            return move
    return read(position, text)


class Builder:
    """A builder of a record's tree, which plays the moves.

    position: the position after the last move.  line: the line that the next step joins.
    Its methods raise RecordError with the number of the move that can't be played.
    """

    def __init__(self, record: Record, read: Callable[[Position, str], int]) -> None:
        try:
            self.position = record.start.position()
        except GameError as error:
            raise RecordError(f"the start position: {error}") from None
        self.record, self._read = record, read
        self.line = record.line
        self._next = Step(0)  # with the annotations before the first move of a variation
        # around each open line: another one, its plies, annotations of its next move, moves undone
        self._around: list[tuple[Line, int, Step, Line]] = []
        self._plies = self._count = 0

    def fail(self, error: RecordError, offset: int | None = None) -> None:
        """Note an error of the reading; the first one is the record's fault."""
        error.offset = error.offset if offset is None else offset
        self.record.fault = self.record.fault or error

    def finish(self, result: str | None) -> Record:
        """Return the record with its result, which follows from the rules if `result` is None.

        Closes the variations in which an error left the reader.
        """
        while self.depth:
            self.close()
        if result is None:
            outcome = self.position.outcome()
            result = "*" if outcome is None else result_of(outcome.winner)
        self.record.result = result
        return self.record

    @property
    def depth(self) -> int:
        """Return the number of variations around the current line."""
        return len(self._around)

    def play(self, text: str, side: int | None = None) -> Step:
        """Play a move, and before it a pass that the record omits.

        side: the player who moves, if the record says so.
        """
        try:
            if side is not None and self.position.side != side:
                raise MoveError(text, "it is the other player's turn")
            return self.add(read_recorded(self.position, text, self._read))
        except GameError as error:
            passing = self.position.game.pass_move
            if passing is None or self.position.legal_moves() != [passing]:
                raise RecordError(f"move {self._plies + 1}: {error}") from None
        self.add(passing).implied = True
        try:
            return self.play(text, side)
        except RecordError:
            self._next = self.line.pop()
            self._undo()
            raise

    def can_play(self, *texts: str) -> bool:
        """Can moves be played one after the other?  The builder stays as it is."""
        self.begin()
        try:
            for text in texts:
                self.play(text)
        except RecordError:
            return False
        finally:
            self.end()
        return True

    def _undo(self) -> None:
        self.position.undo()
        self._plies -= 1

    def add(self, move: int) -> Step:
        """Play a legal move."""
        self._count += 1
        if self._count > MAX_STEPS:
            raise RecordError(f"the game has more than {MAX_STEPS} moves")
        step, self._next = self._next, Step(0)
        step.move, step.implied = move, False
        self.line.append(step)
        self.position.make(move)
        self._plies += 1
        return step

    def remark(self, text: str) -> None:
        """Append to the comment after the last move, or before the first one."""
        if self.line:
            self.line[-1].remark(text)
        elif self._around:
            self._next.before = joined(self._next.before, text)
        else:
            self.record.comment = joined(self.record.comment, text)

    def note(self, name: str, values: list[str]) -> None:
        """Append to an annotation of the last move, or of the start of the line."""
        start = self._next.said if self._around else self.record.said
        said = self.line[-1].said if self.line else start
        said.setdefault(name, []).extend(values)

    def nag(self, number: int) -> None:
        """Append a numeric annotation glyph to the last move, or to the next one of the line."""
        (self.line[-1] if self.line else self._next).nags.append(number)

    def begin(self) -> Line:
        """Begin a line at the current position; end() takes its moves back."""
        if self.depth >= DEEPEST:
            raise RecordError(f"variations are nested more than {DEEPEST} deep")
        self._around.append((self.line, self._plies, self._next, []))
        self.line, self._next = [], Step(0)
        return self.line

    def end(self) -> None:
        """End the latest line."""
        for _ in self.line:
            self.position.undo()
        waiting = self._next
        self.line, self._plies, self._next, undone = self._around.pop()
        for step in undone:
            self.position.make(step.move)
        self.remark(waiting.before)
        for name, values in waiting.said.items():
            self.note(name, values)
        for nag in waiting.nags:
            self.nag(nag)

    def open(self, index: int = -1) -> None:
        """Begin a variation of a move of the line, the last one by default."""
        if not self.line:
            raise RecordError("a variation must follow a move")
        others = self.line[index:]
        others[0].variations.append(self.begin())
        self._around[-1][3].extend(others)
        for _ in others:
            self._undo()

    def close(self) -> None:
        """End the variation of a move; drop it if it has no moves."""
        varied = self._around[-1][3][0]
        self.end()
        if not varied.variations[-1]:
            varied.variations.pop()


def legal(position: Position, text: str) -> int:
    """Return the legal move of a canonical text; raise MoveError if it isn't one."""
    return position.parse_move(text)


def best_of(readings: Iterable[Record]) -> Record:
    """Return the first of several readings of a text without a fault, else the longest one."""
    found: list[Record] = []
    for record in readings:
        if record.fault is None:
            return record
        found.append(record)
    return max(found, key=lambda record: len(record.line))
