"""The builder of a record's tree, which plays each move."""

from __future__ import annotations

from contextlib import suppress

from games.base import PASSES, GameError, MoveError
from protocol.records.record import DEPTHS, Record, RecordError, Step, joined, starting
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from games.base import Position
    from protocol.records.record import Line

    Read = Callable[[Position, str], int]
    Token = TypeVar("Token")
    Take = Callable[[Token], None]
    Place = Callable[[Token], tuple[str, int]]  # returns a token's text and its offset

NULL_MOVES = (*PASSES, "z0", "null", "<>")
# Maximum number of moves of a game, including its variations.
MAX_STEPS = 200_000
# Maximum depth of nested variations.
MAX_DEPTH = 50
# Maximum number of open branches.  It exceeds MAX_DEPTH, since a branch without a move isn't a
# variation yet.
_MAX_OPEN = 1000


def read_recorded(position: Position, text: str, read: Read) -> int:
    """Return the legal move that a text means.

    In a game without passes, the text of a pass or of a null move means a null move, if one is
    possible.
    """
    if text.strip().lower() in NULL_MOVES and position.game.pass_move is None:
        move = position.null_move()
        if move is not None:
            return move
    return read(position, text)


def read_as(read: Read, spelling: str, position: Position, text: str) -> int:
    """Return the legal move that read() finds in another `spelling`; a MoveError names `text`."""
    try:
        return read(position, spelling)
    except MoveError as error:
        raise MoveError(text, error.reason) from None


class Builder:
    """A cursor in a record's tree, which plays the moves that it adds.

    position: the position at the cursor.  line, index: the next move becomes line[index].  If
    line[index] already exists, the next move begins a variation of it.
    The methods raise RecordError, which names the move that can't be played.
    """

    def __init__(self, record: Record, read: Read) -> None:
        with starting():
            self.position = record.start.position()
        self.record, self._read = record, read
        self.line, self.index = record.line, 0
        # _remarks: texts to be appended to the comment of _remarked.
        # _next: holds the annotations before the first move of a variation.
        # _branches: for each open branch, the line that it leaves, the index where it begins, the
        # index to return to, the level of the line, and the number of plies before the branch.
        self._remarks = bytearray()
        self._remarked: Step | Record = record
        self._next = Step(0)
        self._branches: list[tuple[Line, int, int, int, int]] = []
        self._level = self.plies = self._count = 0

    def read(self, tokens: Iterable[Token], take: Take[Token], place: Place[Token]) -> None:
        """Take tokens one by one; an error ends the branch that it is in."""
        skipped = 0  # number of brackets open in the skipped part of a branch
        for token in tokens:
            skipped += DEPTHS.get(place(token)[0], 0) if skipped else 0
            if skipped:
                continue
            try:
                take(token)
            except RecordError as error:
                self.fail(error, place(token)[1])
                if not self.depth:
                    return
                skipped = 1

    def fail(self, error: RecordError, offset: int | None = None) -> None:
        """Make an error the record's fault, unless the record has one already.

        offset: the place of the error in the text; by default what the error itself says.
        """
        error.offset = error.offset if offset is None else offset
        if self.record.fault is None:
            self.record.fault = error
            self.record.errors.append(error)

    def finish(self, result: str | None) -> Record:
        """Return the record with its result, which follows from the rules if `result` is None.

        Closes branches that an error left open.
        """
        while self.depth:
            self.close()
        self._settle()
        if result is None:
            self._make(self.line[self.index :])
            outcome = self.position.outcome()
            result = "*" if outcome is None else result_of(outcome.winner)
        self.record.result = result
        return self.record

    @property
    def depth(self) -> int:
        """Return the number of open branches."""
        return len(self._branches)

    @property
    def varies(self) -> bool:
        """Does the next move begin a variation?"""
        return self.index < len(self.line)

    def reach(self, texts: Iterable[str]) -> int:
        """Return the number of these moves that can be played in a row from the cursor."""
        plies = self.plies
        count = 0
        with suppress(RecordError):
            for text in texts:
                self._make([Step(move) for move in self._moves(text, None)])
                count += 1
        self._undo(self.plies - plies)
        return count

    # ---- moves -----------------------------------------------------------------------

    def play(self, text: str, side: int | None = None) -> Step:
        """Play a move, preceded by a pass if the record omits one.

        side: the player who moves, if the record names them.
        """
        *omitted, move = self._moves(text, side)
        for passing in omitted:
            self.add(passing).implied = True
        return self.add(move)

    def _moves(self, text: str, side: int | None) -> list[int]:
        """Return [move of a text]; put a pass before the move if the record omits that pass."""
        try:
            return [self._move(text, side)]
        except RecordError:
            passing = self.position.game.pass_move
            if passing is None or self.position.legal_moves() != [passing]:
                raise
        self._make([Step(passing)])
        try:
            return [passing, self._move(text, side)]
        finally:
            self._undo(1)

    def _move(self, text: str, side: int | None) -> int:
        try:
            if side is not None and self.position.side != side:
                raise MoveError(text, "it is the other player's turn")
            return read_recorded(self.position, text, self._read)
        except GameError as error:
            # the number of the ply or, in chess, the FEN's: `move 2`, or `move 2...` for Black
            number = self.position.move_number()
            sign = "..." if self.position.side else ""
            where = f"ply {self.plies + 1}" if number is None else f"move {number}{sign}"
            raise RecordError(f"{where}: {error}") from None

    def add(self, move: int) -> Step:
        """Play a legal move."""
        self._settle()
        self._count += 1
        if self._count > MAX_STEPS:
            raise RecordError(f"the game has more than {MAX_STEPS} moves in all lines")
        if self.varies:
            if self._level == MAX_DEPTH:
                raise RecordError(f"variations are nested more than {MAX_DEPTH} deep")
            self.line[self.index].variations.append([])
            self.line, self.index = self.line[self.index].variations[-1], 0
            self._level += 1
        step, self._next = self._next, Step(0)
        step.move = move
        step.before = step.comment
        step.comment = ""
        self.line.append(step)
        self.index += 1
        self._make([step])
        return step

    # ---- annotations -----------------------------------------------------------------

    @property
    def _holder(self) -> Step | Record:
        """Return the Step or Record to which an annotation at the cursor belongs."""
        if self.varies:
            return self._next
        return self.line[-1] if self.line else self.record

    def remark(self, text: str, joint: str = " ") -> None:
        """Append to the comment on the last move or, at a line's start, to the comment before it.

        joint: the separator between the text and the remark before it.
        """
        if self._holder is not self._remarked:
            self._settle()
            self._remarked = self._holder
        text = text.strip()
        if text:
            self._remarks += f"{joint}{text}".encode("utf-8", "surrogatepass")

    def _settle(self) -> None:
        """Append all remarks to their comment at once; one at a time would take quadratic time."""
        if self._remarks:
            more = self._remarks.decode("utf-8", "surrogatepass")
            self._remarked.comment = joined(self._remarked.comment, more)
            self._remarks.clear()

    def note(self, name: str, values: list[str]) -> None:
        """Append to an annotation of the last move, or of the start of a line."""
        self._holder.said.setdefault(name, []).extend(values)

    def nag(self, number: int) -> None:
        """Append a numeric annotation glyph to the last move, or to a line's first move."""
        step = self.line[-1] if self.line and not self.varies else self._next
        step.nags.append(number)

    # ---- branches --------------------------------------------------------------------

    def open(self, plies: int = 1) -> None:
        """Open a branch `plies` plies before the cursor; close() moves the cursor back here.

        Raises RecordError if there is no such place or too many branches are open.  Even then it
        opens a branch, which must be closed.
        """
        fits = self.index >= plies and not (plies and self.varies)
        begin = self.index - plies if fits else self.index
        self._undo(self.index - begin)
        self._branches.append((self.line, begin, self.index, self._level, self.plies))
        self.index = begin
        if not fits:
            raise RecordError("a variation must follow a move")
        if self.depth > _MAX_OPEN:
            raise RecordError(f"more than {_MAX_OPEN} variations are open at once")

    def close(self) -> None:
        """Close the latest branch.

        The annotations of a branch without moves go to the move that the branch was to replace.
        """
        self._settle()
        if self.varies:
            step = self._next
            self._next = Step(0)
            varied = self.line[self.index]
            varied.comment = joined(varied.comment, step.comment)
            varied.nags += step.nags
            for name, values in step.said.items():
                varied.said.setdefault(name, []).extend(values)
        self.line, begin, self.index, self._level, plies = self._branches.pop()
        self._undo(self.plies - plies)
        self._make(self.line[begin : self.index])

    def _undo(self, plies: int) -> None:
        for _ in range(plies):
            self.position.undo()
        self.plies -= plies

    def _make(self, line: Line) -> None:
        for step in line:
            self.position.make(step.move)
        self.plies += len(line)


def legal(position: Position, text: str) -> int:
    """Return the legal move of a canonical text; raise MoveError if it isn't one."""
    return position.parse_move(text)


def best_of(readings: Iterable[Record]) -> Record:
    """Return the first Record without a fault; if all have one, the Record with the most moves."""
    faulty: list[Record] = []
    for record in readings:
        if record.fault is None:
            return record
        faulty.append(record)
    return max(faulty, key=lambda record: len(record.line))
