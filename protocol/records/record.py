"""The model of a record (a start, a tree of annotated steps, headers), and of a format.

Each format has a reader and a writer between its text and this model.  Data for which the model
has no field are stored in `said` or `tags`, unchanged and under the record's own name for them.
"""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress

from games import registry
from games.base import MAX_SCORE, GameError
from games.grid import arrange
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from games.base import Game, Position
    from games.types import Side

    Line = list["Step"]
    Said = dict[str, list[str]]
    Unpacked = tuple[str, str | None]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
# DEPTHS: bracket of a variation -> the change of depth.  MARKS: the numeric annotation glyphs $1 to
# $6.  _MAX_ERRORS: maximum number of errors to keep for a record.
DEPTHS = {"(": 1, ")": -1}
MARKS = ("!", "?", "!!", "??", "!?", "?!")
_MAX_ERRORS = 100
_EVALUATION = re.compile(r"(#?[+-]?\d{1,9}(?:\.\d{0,9})?)(?:[,/](\d{1,9}))?")
# Words in the names of the rules of Gomoku and Renju.
_RULES = {"renju": "renju", "free": "gomokufreestyle", "standard": "gomoku", "gomoku": "gomoku"}
_POINTS = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_SECONDS = re.compile(r"(?:(?:(\d{1,6}):)?(\d{1,9}):)?(\d{1,12}(?:\.\d{0,9})?)")


class RecordError(Exception):
    """Raised if a record has an error, or if a format can't express it.

    offset: place of the error in the text of the game, in characters; None if unknown.
    """

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason)
        self.offset = offset


@contextmanager
def starting() -> Iterator[None]:
    """Return a context manager that turns a GameError into a RecordError about the start."""
    try:
        yield
    except GameError as error:
        raise RecordError(f"the start position: {error}") from None


class Start:
    """The start of a game, as plain data.

    text: the text of the position, None for the game's own start.
    options: values of the game's options that differ from their defaults, by their names on
    the wire.
    """

    def __init__(
        self, game: Game | str, text: str | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        self.game: Game = registry.get(game) if isinstance(game, str) else game
        self.text = text
        usual = {option.name: option.default for option in self.game.options} if options else {}
        self.options = {
            name: value for name, value in (options or {}).items() if value != usual.get(name)
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Start) and vars(self) == vars(other)

    def values(self) -> dict[str, Any]:
        """Return the values of all of the game's options, by name."""
        return {**{option.name: option.default for option in self.game.options}, **self.options}

    def position(self, moves: Iterable[int] = ()) -> Position:
        """Return a new position: the start after `moves`.

        Raises PositionError if the text is not a position.
        """
        position = self.game.position(self.text, self.values())
        for move in moves:
            position.make(move)
        return position

    def arranged(self, rows: Sequence[str], side: Side, hands: str = "") -> Start:
        """Return a start with these rows of the board, row 1 first; see Game.arrange().

        Raises GameError if the position is illegal.
        """
        game, values = self.game, self.values()
        text = game.arrange(rows, side, hands=hands) or arrange(rows, side)
        text = game.parse(text, values).text()
        return Start(game, None if text == game.start(values).text() else text, self.options)


class Evaluation:
    """An engine's evaluation of a position, for the player who moves first.

    score: in the game's unit, None for a proven win.  mate: number of moves that the winner
    needs, negative if the second player wins.  depth: depth of the search, in plies.
    """

    def __init__(
        self, score: int | None = None, mate: int | None = None, depth: int | None = None
    ) -> None:
        self.score = None if score is None else max(-MAX_SCORE, min(MAX_SCORE, score))
        self.mate, self.depth = mate, depth

    @classmethod
    def read(cls, text: str) -> Evaluation | None:
        """Return the Evaluation of a text in the form of PGN's [%eval], None if it isn't one."""
        match = _EVALUATION.fullmatch(text.strip())
        if match is None:
            return None
        value, depth = match.groups()
        plies = int(depth) if depth else None
        if value[0] == "#":
            return cls(mate=int(float(value[1:])), depth=plies)
        return cls(score=round(float(value) * 100), depth=plies)

    def text(self) -> str:
        """Return the evaluation in the form that read() reads.

        It is the score in pawns or points and, if known, the depth in plies: `0.35,12`; or #N for a
        win in N moves.
        """
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.score or 0) / 100:.2f}" + (f",{self.depth}" if self.depth else "")


def read_seconds(text: str) -> float | None:
    """Return the seconds of `1:02:03.5`, `2:03` or `123.5`, None if it has another form."""
    match = _SECONDS.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    return 3600 * int(hours or 0) + 60 * int(minutes or 0) + float(seconds)


def plain_seconds(text: str) -> str:
    """Return a time such as `0:01:02.500` as plain seconds, `62.5`; others stay as they are."""
    seconds = read_seconds(text) if ":" in text else None
    return text if seconds is None else f"{seconds:.3f}".rstrip("0").rstrip(".")


class Step:
    """A move and all its annotations.

    before: comment before the first move of a line.  comment: comment after the move.
    nags: numeric annotation glyphs; $1 to $6 are MARKS.
    said: all other annotations, {name: values} as in the record: eval, clk and emt (evaluation,
    clock and time in PGN's form), csl and cal (circles and arrows), and unknown ones.
    implied: is it a pass that the record omits?
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

    @property
    def mark(self) -> str:
        """Return the mark (one of MARKS) of the first nag that has one, or ""."""
        return next((MARKS[nag - 1] for nag in self.nags if 1 <= nag <= len(MARKS)), "")

    @mark.setter
    def mark(self, mark: str) -> None:
        self.nags = [nag for nag in self.nags if not 1 <= nag <= len(MARKS)]
        if mark in MARKS:
            self.nags.insert(0, MARKS.index(mark) + 1)

    @property
    def evaluation(self) -> Evaluation | None:
        """Return the evaluation of the position after the move, None if unknown or unreadable."""
        return Evaluation.read(self.said["eval"][0]) if self.said.get("eval") else None

    @evaluation.setter
    def evaluation(self, evaluation: Evaluation) -> None:
        self.said["eval"] = [evaluation.text()]

    def seconds(self, name: str) -> float | None:
        """Return the seconds of `clk` (left after the move) or `emt` (spent on it), if known."""
        return read_seconds(self.said[name][0]) if self.said.get(name) else None

    def set_seconds(self, name: str, seconds: float) -> None:
        """Set `clk` or `emt` in the form of PGN's comments: `0:01:02.345`."""
        minutes, rest = divmod(max(round(seconds, 3), 0.0), 60)
        self.said[name] = [f"{int(minutes // 60)}:{int(minutes % 60):02}:{rest:06.3f}"]


def game_of_rules(text: str) -> str | None:
    """Return the game whose rules a text names (Gomoku, freestyle Gomoku or Renju), or None."""
    return next((game for word, game in _RULES.items() if word in text.lower()), None)


def result_by_points(text: str) -> str | None:
    """Return the result of points such as `38-26` (the first player's come first), or None."""
    points = _POINTS.fullmatch(text.strip())
    lead = int(points[1]) - int(points[2]) if points else None
    return None if lead is None else result_of(int(lead < 0) if lead else None)


def walk(position: Position, line: Line, number: int | None = None) -> Iterator[tuple[int, Step]]:
    """Yield (number of the turn, step) of a line, with `position` before the step's move.

    number: the number of the first turn, None if the game starts here.  The number
    increases when the turn passes from the second player to the first.  The moves are undone at the
    end.
    """
    number = number or position.move_number() or 1
    for step in line:
        yield number, step
        side = position.side
        position.make(step.move)
        number += position.side < side
    for _ in line:
        position.undo()


def joined(comment: str, more: str) -> str:
    """Return two comments as one."""
    more = more.strip()
    return f"{comment} {more}" if comment and more else comment or more


class Record:
    """One game.

    line: the Steps of the main line.  players: (first, second), "" if unknown.
    result: one of RESULTS; 1-0 means that the player who moves first won.
    tags: other headers (Event, Date, ...), {name: text} as in the record and in its order.
    comment: comment before the first move.  said: annotations of the start, as in a Step.
    errors: the RecordErrors of parts that could not be read, at most the first 100.
    fault: the error that ended the reading early, or None.
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
        self.players = tuple(players)
        self.result = result
        self.tags = dict(tags or {})
        self.comment = ""
        self.said: Said = {}
        self.fault: RecordError | None = None
        self.errors: list[RecordError] = []

    def warn(self, reason: str, offset: int | None = None) -> None:
        """Note a part that can't be read; its offset is in the text of the game."""
        if len(self.errors) < _MAX_ERRORS:
            self.errors.append(RecordError(reason, offset))

    def keep(self, name: str, values: list[str]) -> None:
        """Add an annotation of the start; if it has a single value, it becomes a header."""
        if len(values) == 1 and name not in self.tags and name not in self.said:
            self.tags[name] = values[0]
        else:
            known = [self.tags.pop(name)] if name in self.tags else []
            self.said.setdefault(name, known).extend(values)

    def values(self, name: str) -> list[str]:
        """Return the values of the header `name`, then those of the start's annotation `name`."""
        header = [self.tags[name]] if name in self.tags else []
        return header + self.said.get(name, [])

    def complete(self) -> Record:
        """Return the record itself; raise its fault if it has one."""
        if self.fault is not None:
            raise self.fault
        return self

    @property
    def moves(self) -> list[int]:
        """Return the moves of the main line."""
        return [step.move for step in self.line]

    def positions(self) -> Iterator[tuple[Position, int]]:
        """Yield (position before the move, move) of each step; the position changes in place."""
        position = self.start.position()
        return ((position, step.move) for _, step in walk(position, self.line))

    def turns(self) -> list[tuple[int, int]]:
        """Return [(number of the turn, side)] of each move."""
        position = self.start.position()
        return [(number, position.side) for number, _ in walk(position, self.line)]

    def final(self) -> Position:
        """Return a new position after the last move."""
        return self.start.position(self.moves)


def shown(text: str) -> str:
    """Return a part of a record for a message, cut to 40 characters."""
    return text if len(text) <= 40 else text[:37] + "..."


# ---- the options of a game -------------------------------------------------------------


def read_options(game: Game, words: Iterable[str]) -> dict[str, Any]:
    """Parse `NAME=VALUE` words; return {name: value}.

    Raises ValueError if the game declares no such option or the value is wrong.
    """
    declared = {option.name.lower(): option for option in game.options}
    values = {}
    for word in words:
        name, sign, text = word.partition("=")
        option = declared.get(name.strip().lower())
        if not sign:
            raise ValueError(f'an option of the game needs NAME=VALUE, not "{word}"')
        if option is None:
            known = ", ".join(option.name for option in declared.values()) or "none"
            raise ValueError(f'{game.name} has no option "{name}" (its options: {known})')
        values[option.name] = option.read(text)
    return values


def rules_of(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of `options` that are rules of the game; a record omits all others."""
    rules = {each.name.lower() for each in game.options if each.rule and not each.record_bytes}
    wanted = [f"{name}={value}" for name, value in options.items() if name.lower() in rules]
    return read_options(game, wanted)


def needed_options(game: Game, text: str | None) -> dict[str, Any]:
    """Return the options that the position `text` requires, as {name: value}."""
    if text is not None:
        with suppress(GameError):
            return dict(game.options_for(text))
    return {}


# ---- formats ---------------------------------------------------------------------------

NEVER = re.compile("(?!)")


class Format:
    """A format of records; its attributes and methods hold all that differs between formats.

    A format is a class with one instance, listed in formats.FORMATS.  It defines read() and, if a
    text may hold several games, split().  An archive defines unpack() instead.  A format that can
    be written defines write(), and one of usual_for, usual() and holds().
    """

    # title: the format's name for people.  games: the names of its games for people.
    # suffixes: the suffixes of its files; new files get the first one.
    title = ""
    games = ""
    suffixes: tuple[str, ...] = ()

    # Recognition.  sign: a pattern that only texts in this format have.  hint: a weaker one, which
    # is tried if no format's sign is in a text.
    sign: re.Pattern[str] = NEVER
    hint: re.Pattern[str] = NEVER
    # declared: a pattern whose group 1 is the encoding that a file declares.  encodings: those to
    # try, in this order, if a file declares none and is not in UTF-8.
    declared: re.Pattern[bytes] | None = None
    encodings: tuple[str, ...] = ()

    # The content of a text in this format.
    # variations: may a record have variations?
    # evaluations: does a record have a field for evaluations that other programs read?
    # line_is_opening: is each line a separate opening that doesn't name its game?
    # moves_are_answers: are the moves of a record the answers to a problem?
    # unit: the name of one record in messages.
    # between: may other text stand between the games, since they have a clear end?
    variations = True
    evaluations = True
    line_is_opening = False
    moves_are_answers = False
    unit = "game"
    between = False

    # How a text is written.
    # usual_for: names of the games for which this is the usual format.
    # separator: the text between two games.  date: the separator in dates.
    usual_for: Collection[str] = ()
    separator = ""
    date = "-"

    @property
    def name(self) -> str:
        """Return the format's name in lower case, as programs name it."""
        return self.title.lower()

    @property
    def writable(self) -> bool:
        """Does the format have a writer?"""
        return type(self).write is not Format.write

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        """Yield (offset, text) of each game.  game_name: the game, if the caller names it."""
        if text.strip():
            yield 0, text

    def read(self, text: str, game_name: str | None = None) -> Record:
        """Return the Record of a game; raise RecordError if no part of it is readable.

        game_name: the game, if the record doesn't name it.
        """
        raise NotImplementedError

    def head(self, text: str, game_name: str | None = None) -> Record:
        """Return a Record with the players, result and headers; its moves may be missing."""
        return self.read(text, game_name)

    def unpack(self, data: bytes, path: str | None = None) -> Unpacked | None:
        """Return (text, notice) of an archive; None if the data isn't an archive of this format.

        text: the archive's games in another format.  notice: says that the archive is incomplete;
        None if it is complete.
        path: the archive's file, if it has one; other files of the archive are beside it.
        """
        return None

    def write(self, record: Record) -> str:
        """Return the text of a Record, which must be one that the format can hold."""
        raise NotImplementedError

    def usual(self, game: Game) -> bool:
        """Is this the usual format for records of the game?"""
        return game.name in self.usual_for

    def holds(self, start: Start) -> bool:
        """Can the format record a game with this start?"""
        return self.usual(start.game)
