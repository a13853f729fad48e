"""The one model of a game record: a start, a tree of steps that keep all that was said, headers.

Every format has one reader and one writer between its text and this model.  What a format
has no own place for stands under its name in `said` or `tags`, as the record has it.
"""

from __future__ import annotations

import re

from games import registry
from games.base import MAX_SCORE, PASSES, GameError, MoveError
from games.options import ALGORITHM, BOOK_FILE, OWN_BOOK, SEED, TRACE, VARIETY
from protocol.base import printable
from protocol.options import own_name, wire_name, wire_options
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from games.base import Game, Position

    Line = list["Step"]
    Said = dict[str, list[str]]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
MARKS = ("!", "?", "!!", "??", "!?", "?!")  # of the numeric annotation glyphs $1 to $6
NULL_MOVES = (*PASSES, "z0", "null", "<>")
MOST_STEPS = 200_000  # of a game, its variations included
_LONGEST_REASON = 300  # characters
DEEPEST = 50  # variations within variations
# Options of how an engine plays: none of the rules, and so of no record.
_NO_RULES = (TRACE, ALGORITHM, OWN_BOOK, BOOK_FILE, VARIETY, SEED)
_EVALUATION = re.compile(r"(#?[+-]?\d{1,9}(?:\.\d{0,9})?)(?:[,/](\d{1,9}))?")
_SECONDS = re.compile(r"(?:(?:(\d{1,6}):)?(\d{1,9}):)?(\d{1,12}(?:\.\d{0,9})?)")


class RecordError(Exception):
    """A record that can't be read or written, in words.

    offset: where in the text of its game it is wrong, in characters, if that is known.
    """

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason)
        self.offset = offset


class Problem:
    """Why a game can't be read, or not to its end.

    number: of the game, from 1.  line: of the text, from 1.  reason: in words.
    """

    def __init__(self, number: int, line: int, reason: str, what: str = "game") -> None:
        self.number, self.line, self._what = number, line, what
        self.reason = printable(" ".join(reason.split()), _LONGEST_REASON)

    def __str__(self) -> str:
        return f"{self._what} {self.number}, line {self.line}: {self.reason}"


class Start:
    """The start of a game, as plain data.

    game: the Game.  text: the text of the position, None for the game's own start.
    options: {name on the wire: value} of the game's options that differ from their
    defaults.
    """

    def __init__(
        self, game: Game | str, text: str | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        self.game: Game = registry.get(game) if isinstance(game, str) else game
        self.text, self.options = text, dict(options or {})

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Start)
            and self.game.name == other.game.name
            and self.text == other.text
            and self.options == other.options
        )

    def __repr__(self) -> str:
        return f"Start({self.game.name!r}, {self.text!r}, {self.options!r})"

    __hash__ = None  # type: ignore[assignment]  # the way to say that it has none

    def values(self) -> dict[str, Any]:
        """{name: value} of all of the game's options, as the game wants them."""
        own = {own_name(name): value for name, value in self.options.items()}
        return {**{option.name: option.default for option in self.game.options}, **own}

    def position(self, moves: Iterable[int] = ()) -> Position:
        """A new position: the start, then `moves` played.

        Raises PositionError if the text is not a position.
        """
        values = self.values()
        position = (
            self.game.start(values) if self.text is None else self.game.parse(self.text, values)
        )
        for move in moves:
            position.make(move)
        return position

    def for_engine(self, moves: Sequence[int]) -> tuple[Start, list[int]]:
        """A start and moves that lead to the same position without null moves.

        No protocol has words for these.
        """
        position, begin = self.position(), 0
        for index, move in enumerate(moves):
            if move == position.null_move():
                begin = index + 1
            position.make(move)
        if not begin:
            return self, list(moves)
        text = self.position(moves[:begin]).text()
        return Start(self.game, text, self.options), list(moves[begin:])


def read_options(game: Game, words: Iterable[str]) -> dict[str, Any]:
    """{name on the wire: value} of `NAME=VALUE` words; ValueError in words.

    They are options that the game declares.
    """
    declared = {option.name.lower(): option for option in wire_options(game.options)}
    found = {}
    for word in words:
        name, sign, text = word.partition("=")
        option = declared.get(name.strip().lower())
        if not sign:
            raise ValueError(f"an option of the game needs NAME=VALUE, not {word}")
        if option is None:
            known = ", ".join(option.name for option in declared.values()) or "none"
            raise ValueError(f"{game.name} has no option '{name}' (its options: {known})")
        found[option.name] = option.read(text)
    return found


def rules_of(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are rules of the game; others have no place in a record."""
    wanted = [
        option.name
        for option in wire_options(
            [
                option
                for option in game.options
                if option not in _NO_RULES and not option.record_bytes
            ]
        )
    ]
    known = {name.lower(): value for name, value in options.items()}
    return read_options(
        game, [f"{name}={known[name.lower()]}" for name in wanted if name.lower() in known]
    )


def needed_options(game: Game, text: str | None) -> dict[str, Any]:
    """{name on the wire: value} of the options without which a position can't be played."""
    if text is None:
        return {}
    try:
        return {wire_name(name): value for name, value in game.options_for(text).items()}
    except GameError:
        return {}


class Evaluation:
    """What an engine said of a position, for the player who moves first.

    score: in the game's unit; None if a win is proven.  mate: the winner's moves,
    negative if the second player wins.  depth: of the search, in plies.
    """

    def __init__(
        self, score: int | None = None, mate: int | None = None, depth: int | None = None
    ) -> None:
        self.score, self.mate, self.depth = score, mate, depth

    @classmethod
    def read(cls, text: str) -> Evaluation | None:
        """The Evaluation of a text as PGN's [%eval] has it; None if it is not one."""
        found = _EVALUATION.fullmatch(text.strip())
        if found is None:
            return None
        value, depth = found.groups()
        plies = int(depth) if depth else None
        if value[0] == "#":
            return cls(mate=int(float(value[1:])), depth=plies)
        score = max(-MAX_SCORE, min(MAX_SCORE, round(float(value) * 100)))
        return cls(score=score, depth=plies)

    def text(self) -> str:
        """`0.35,12`: pawns or points, or #N for a win in N, and the depth if it is known."""
        if self.mate is not None:
            return f"#{self.mate}"
        score = max(-MAX_SCORE, min(MAX_SCORE, self.score or 0))
        return f"{score / 100:.2f}" + (f",{self.depth}" if self.depth else "")


def read_seconds(text: str) -> float | None:
    """Seconds of `1:02:03.5`, `2:03` or `123.5`; None if it is neither."""
    found = _SECONDS.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes, seconds = found.groups()
    return 3600 * int(hours or 0) + 60 * int(minutes or 0) + float(seconds)


def write_seconds(seconds: float) -> str:
    """Seconds as PGN's comments have them: `0:01:02.345`."""
    minutes, rest = divmod(max(round(seconds, 3), 0.0), 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02}:{rest:06.3f}"


class Step:
    """A move and all that a record says of it.

    move: an int.  before: a comment before the first move of a line.  comment: words after
    the move.
    nags: numeric annotation glyphs, $1 to $6 being MARKS.
    said: {name: values} of everything else, in the record's own words: eval, clk, emt
    (evaluation, clock and time in PGN's form), csl, cal, and what is not known here.
    implied: a pass that the record leaves out, as many do.
    variations: lines that could have been played instead.
    """

    __slots__ = ("before", "comment", "implied", "move", "nags", "said", "variations")

    def __init__(self, move: int) -> None:
        self.move = move
        self.before = self.comment = ""
        self.implied = False
        self.nags: list[int] = []
        self.said: Said = {}
        self.variations: list[Line] = []

    def remark(self, text: str) -> None:
        """Add to the comment."""
        self.comment = joined(self.comment, text)

    @property
    def mark(self) -> str:
        """The first of the nags that is one of MARKS; "" if there is none."""
        return next((MARKS[nag - 1] for nag in self.nags if 1 <= nag <= len(MARKS)), "")

    @mark.setter
    def mark(self, mark: str) -> None:
        self.nags = [nag for nag in self.nags if not 1 <= nag <= len(MARKS)]
        if mark in MARKS:
            self.nags.insert(0, MARKS.index(mark) + 1)

    @property
    def evaluation(self) -> Evaluation | None:
        """What an engine said of the position after the move."""
        for name in ("eval", "V"):
            if self.said.get(name):
                return Evaluation.read(self.said[name][0])
        return None

    @evaluation.setter
    def evaluation(self, evaluation: Evaluation) -> None:
        self.said.pop("V", None)
        self.said["eval"] = [evaluation.text()]

    def seconds(self, name: str) -> float | None:
        """The seconds of `clk` (left after the move) or `emt` (that it took), if known."""
        return read_seconds(self.said[name][0]) if self.said.get(name) else None

    def set_seconds(self, name: str, seconds: float) -> None:
        """Set `clk` or `emt`."""
        self.said[name] = [write_seconds(seconds)]


def joined(comment: str, more: str) -> str:
    """Two comments as one."""
    more = more.strip()
    return f"{comment} {more}" if comment and more else comment or more


class Record:
    """One game.

    start: a Start.  line: Steps.  players: (first, second), "" if unknown.
    result: one of RESULTS; 1-0 means that the player who moves first won.
    tags: {name: text} of what else is known (Event, Date, ...), in the record's own
    words and order.
    comment: what stands before the first move.  said: {name: values} of the start, as in
    a Step.
    fault: the RecordError that ended its reading early, or None; problem: the same with
    the number of the game and the line.
    """

    def __init__(
        self,
        start: Start,
        moves: Iterable[int] = (),
        players: Sequence[str] = ("", ""),
        result: str = "*",
        tags: Mapping[str, str] | None = None,
    ) -> None:
        self.start, self.line = start, [Step(move) for move in moves]
        self.players, self.result, self.tags = tuple(players), result, dict(tags or {})
        self.comment = ""
        self.said: Said = {}
        self.fault: RecordError | None = None
        self.problem: Problem | None = None

    @property
    def moves(self) -> list[int]:
        """The moves of the main line."""
        return [step.move for step in self.line]

    def positions(self) -> Iterator[tuple[Position, int]]:
        """(position, move) before each move; the position is changed in place from step to step."""
        position = self.start.position()
        for step in self.line:
            yield position, step.move
            position.make(step.move)

    def turns(self) -> list[tuple[int, int]]:
        """[(number, side)] of each move.

        The number goes up where the first player's turn comes after the second's.
        """
        found, number, before = [], 1, 0
        for position, _ in self.positions():
            number += position.side < before
            before = position.side
            found.append((number, before))
        return found

    def final(self) -> Position:
        """A new position after the last move."""
        return self.start.position(self.moves)


def read_recorded(position: Position, text: str, read: Callable[[Position, str], int]) -> int:
    """The move of a text: a legal one, or a null move if the game has them and it is possible."""
    if text.strip().lower() in NULL_MOVES and position.game.pass_move is None:
        move = position.null_move()
        if move is not None:
            return move
    return read(position, text)


class Builder:
    """Plays the moves of a record and builds its tree.

    position: after the moves so far.  line: where the next step goes.
    RecordError names the move that can't be played.
    """

    def __init__(self, record: Record, read: Callable[[Position, str], int]) -> None:
        try:
            self.position = record.start.position()
        except GameError as error:
            raise RecordError(f"the start position: {error}") from None
        self.record, self._read = record, read
        self.line = record.line
        self._around: list[tuple[Line, int]] = []
        # What is said before the first move of a variation.
        self._before = ""
        self._waiting: Said = {}
        self._plies = self._count = 0

    def finish(self, result: str | None, fault: RecordError | None = None) -> Record:
        """The record with its result; the rules tell it if the record doesn't."""
        if result not in RESULTS[:3]:
            outcome = self.position.outcome()
            result = "*" if outcome is None else result_of(outcome)
        self.record.result, self.record.fault = result, fault
        return self.record

    @property
    def depth(self) -> int:
        """How many variations the line stands in."""
        return len(self._around)

    def play(self, text: str, side: int | None = None) -> Step:
        """Play a move, and before it a pass that the record leaves out.

        side: the player whose move it is, if the record says so.
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
            self._take_back()
            raise

    def _take_back(self) -> None:
        """Take back the last move."""
        self.line.pop()
        self.position.undo()
        self._plies -= 1

    def add(self, move: int) -> Step:
        """Play a legal move."""
        self._count += 1
        if self._count > MOST_STEPS:
            raise RecordError(f"the game has more than {MOST_STEPS} moves")
        step = Step(move)
        step.before, self._before = self._before, ""
        step.said, self._waiting = self._waiting, {}
        self.line.append(step)
        self.position.make(move)
        self._plies += 1
        return step

    def remark(self, text: str) -> None:
        """Add to the comment after the last move, or before the first one."""
        if self.line:
            self.line[-1].remark(text)
        elif self._around:
            self._before = joined(self._before, text)
        else:
            self.record.comment = joined(self.record.comment, text)

    def note(self, name: str, values: list[str]) -> None:
        """Add to what is said of the last move, or before the first one."""
        said = (
            self.line[-1].said if self.line else self._waiting if self._around else self.record.said
        )
        said.setdefault(name, []).extend(values)

    def check_depth(self) -> None:
        """RecordError if another variation would stand too deep."""
        if len(self._around) >= DEEPEST:
            raise RecordError(f"variations stand in each other more than {DEEPEST} deep")

    def begin(self) -> Line:
        """Begin a line from here; its moves are taken back by end()."""
        self._around.append((self.line, self._plies))
        self.line = []
        return self.line

    def end(self) -> None:
        """End the line that was begun last."""
        for _ in self.line:
            self.position.undo()
        before, said, self._before, self._waiting = self._before, self._waiting, "", {}
        self.line, self._plies = self._around.pop()
        if before:
            self.remark(before)
        for name, values in said.items():
            self.note(name, values)

    def open(self) -> None:
        """Begin a variation of the last move."""
        if not self.line:
            raise RecordError("a variation stands where there is no move")
        self.check_depth()
        last = self.line[-1]
        self.position.undo()
        self._plies -= 1
        last.variations.append(self.begin())

    def close(self) -> None:
        """End the variation of the last move; without a move of its own it is none."""
        self.end()
        step = self.line[-1]
        if not step.variations[-1]:
            step.variations.pop()
        self.position.make(step.move)
        self._plies += 1


def shown(text: str) -> str:
    """A part of a record in a message, cut."""
    return text if len(text) <= 40 else text[:37] + "..."


def legal(position: Position, text: str) -> int:
    """The legal move of a canonical text; MoveError if there is none."""
    if not isinstance(text, str):
        raise MoveError(str(text), "is not a move")
    return position.parse_move(text)


# ---- headers -------------------------------------------------------------------------

# The names of the same header in PGN, SGF, GGF and JSON.
_NAMES = (
    ("Event", "EV", "", ""),
    ("Site", "PC", "PC", ""),
    ("Date", "DT", "DT", "date"),
    ("Round", "RO", "", ""),
    ("Annotator", "AN", "CO", ""),
    ("Termination", "", "", "termination"),
)
_COLUMNS = ("pgn", "sgf", "ggf", "json")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T.*)?")


def headers(record: Record, kind: str) -> dict[str, str]:
    """The tags of a record under the names that a format has for them."""
    column = _COLUMNS.index(kind)
    found: dict[str, str] = {}
    for name, value in record.tags.items():
        row = next((row for row in _NAMES if name in row and row[column]), None)
        if row is not None and row[column] not in record.tags:
            day = _DAY.fullmatch(value) if row[0] == "Date" and kind == "pgn" else None
            name, value = row[column], ".".join(day.groups()) if day else value
        found.setdefault(name, value)
    return found
