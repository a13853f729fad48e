"""Plain lists of moves, positions of Othello, and positions in EPD.

A list is `MOVE ...`, `startpos moves MOVE ...` or `TEXT moves MOVE ...`.  UCI's and USI's words
`position`, `fen` and `sfen` may come first.  Move numbers, results and comments from `#` to the end
of the line are skipped.  A line that ends with a result ends its game; a line that can't continue
the previous game begins another one.  Words after the moves are the name of the opening.  The moves
of Gomoku may be columns and rows that count from the centre: `8,-3, 6,-4`.
"""

from __future__ import annotations

import contextlib
import re
from itertools import islice

from games.base import PositionError
from games.grid import board_of
from protocol.base import MAX_WORDS, words_of
from protocol.moves import read_any_move
from protocol.records.builder import Builder
from protocol.records.record import (
    RESULTS,
    Evaluation,
    Format,
    Record,
    RecordError,
    Start,
    needed_options,
    result_by_points,
    starting,
)
from protocol.records.text import lines, one_line, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Game, Position

_COMMENT = re.compile(r"(?<!\S)#.*")  # the # after a mating move begins no comment
_NUMBER = re.compile(r"\A(\d{1,6})[.\u2026]+")
_COORDINATES = re.compile(r"\d{1,2},\d{1,2}")
# Matches the board and the side to move of a FEN, in any game whose positions are written so.
FEN = re.compile(
    r"[A-Za-z0-9+~*.-]{1,40}(?:/[A-Za-z0-9+~*.-]{1,40}){4,20}(?:\[[^\s\]]{0,90}\])?\s+[wb](?=\s|;|\Z)"
)
_BEFORE_FEN = r"(?:(?:position\s+)?s?fen\s+)?"
_FIELD = re.compile(r"[^\s;]+")
# EPD's operations for the counters of moves -> the count if the operation is missing
_COUNTERS = {"hmvc": "0", "fmvn": "1"}
_MAX_FIELDS = 9  # Maximum number of fields of a position.

# Matches columns and rows that count from the centre of the board, as in Gomocup's openings.
_OFFSETS = re.compile(
    r"-?\d{1,2}\s*,\s*-?\d{1,2}(?:\s*,\s*-?\d{1,2}\s*,\s*-?\d{1,2}){1,99}|-\d{1,2},-?\d{1,2}|\d{1,2},-\d{1,2}"
)
# Matches moves that the opening's name follows without a space: f5d6Name.
_GLUED = re.compile(r"\A((?:[A-Ha-h][1-8]){1,999})(?=[A-Z][-a-z.'])")
_OTHELLO = "othello"
# A board of Othello as people paste it: 64 signs with or without bars, brackets and labels.
_BLACK = "X*@B\u25cf"
_WHITE = "O0W\u25cb"
_EMPTY = "-._"
_SIGN = f"[{re.escape(_EMPTY + _BLACK + _WHITE)}]"
_FILES = r"(?:a\s+b\s+c\s+d\s+e\s+f\s+g\s+h\s+)?"
_BETWEEN = r"[\s|/\[\]()\"',1-8]"
DISCS = re.compile(
    rf"(?<!\w){_FILES}{_BETWEEN}{{0,9}}((?:{_SIGN}{_BETWEEN}*){{64}}){_FILES}(?:([*@XOBW])(?![^\s;,]))?",
    re.IGNORECASE,
)
_CELLS = str.maketrans(_BLACK + _WHITE + _EMPTY, "XXXXXOOOO---")
_BULLET = re.compile(r"\A[-*\u2013\u2022\u00b7]\s+(?=\S)")
_ANSWER = re.compile(r"\b([A-Ha-h][1-8]|pass|ps|pa)\s*:\s*([+-]?\d{1,2})", re.IGNORECASE)
_OPERATION = re.compile(r"([A-Za-z_]\w*)((?:\s[^;\"]*(?:\"[^\"]*\"[^;\"]*)*)?);?")


# ---- lists of moves ------------------------------------------------------------------


class Moves(Format):
    """Plain lists of moves; a text in no other format counts as such a list."""

    name = "moves"
    title = "lists of moves"
    games = "all games"
    line_is_opening = True

    def holds(self, start: Start) -> bool:
        return True

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        return ((begin, text[begin:end]) for begin, end, _, _ in _games(text, game_name))

    def read(self, text: str, game_name: str | None = None) -> Record:
        for _, _, builder, result in _games(text, game_name):
            if builder.line or builder.record.fault is not None:
                return builder.finish(result)
        raise RecordError("no moves found")


class Openings(Format):
    """Openings, one per line: moves, a position, or both with `moves` between them.

    usual: the start of a line that has no position.  It also determines the game of all
    lines, and the options that a line doesn't set.
    """

    title = "openings"
    unit = "opening"
    line_is_opening = True

    def __init__(self, usual: Start) -> None:
        self._usual = usual

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        return split_openings(text)

    def read(self, text: str, game_name: str | None = None) -> Record:
        start, words = _start(self._usual, _words(text))
        builder = Builder(Record(start), read_any_move)
        try:
            _play(builder, words)
            return builder.record
        except RecordError as no_moves:
            if start.text is not None:
                raise
            try:
                return Record(read_position(self._usual, text))
            except PositionError as no_position:
                raise RecordError(
                    f'"{text[:60]}" is neither a list of moves ({no_moves}) '
                    f"nor a position ({no_position})"
                ) from None


def _games(text: str, game_name: str | None) -> Iterator[tuple[int, int, Builder, str | None]]:
    """Yield (begin, end, a builder after the moves, the stated result) of each game of a list."""
    usual = Start(game_name or "chess")
    fresh = Builder(Record(usual), read_any_move)
    builder = Builder(Record(usual), read_any_move)
    begin: int | None = None
    result = None
    for at, line in split_openings(text):
        words = _words(line)
        begin = at if begin is None else begin
        record = builder.record
        is_begun = record.line or record.fault or record.start.text is not None
        if is_begun and (result or _begins(builder, fresh, words)):
            yield begin, at, builder, result
            begin, result = at, None
            builder = Builder(Record(usual), read_any_move)
        try:
            start, words = _start(usual, words)
            if start.text is not None:
                builder = Builder(Record(start), read_any_move)
            if builder.record.fault is None:
                result = _play(builder, words)
        except RecordError as error:
            builder.fail(error, at - begin)
    if begin is not None:
        yield begin, len(text), builder, result


def _words(line: str) -> list[str]:
    """Return the words of a line without its comment; offsets from the centre form one word."""
    line = _BULLET.sub("", _COMMENT.sub("", line).strip())
    return [line] if _OFFSETS.fullmatch(line) else words_of(_GLUED.sub(r"\1 ", line))


def _begins(builder: Builder, fresh: Builder, words: list[str]) -> bool:
    """Does a line begin another game, from `fresh`, instead of continuing the game of `builder`?

    A move number decides: 1 begins a game, a higher number continues the game.  A line without a
    number begins a game in three cases: it has the word `moves`; more of its moves are legal from
    `fresh` than from `builder`; it is a single word of several moves, all legal from `fresh`.
    """
    number = _NUMBER.match(words[0])
    if number or "moves" in words:
        return number is None or int(number[1]) == 1

    moves = [move for word in words for move in _moves(builder.position, word)]
    anew = fresh.reach(moves)
    return anew > builder.reach(moves) or len(words) == 1 < anew == len(moves)


def split_openings(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of each line; skip a first line that is just the number of lines."""
    count = next(split_lines(text), (0, ""))[1]
    counts = count.isdecimal() and sum(1 for _ in split_lines(text)) - 1 == int(count[:9]) > 0
    yield from islice(split_lines(text), int(counts), None)


def _start(usual: Start, words: list[str]) -> tuple[Start, list[str]]:
    """Return (the start position, the texts of the moves) of a line.

    The word `moves` separates the two.
    """
    words = [word for word in words if word not in ("position", "startpos", "fen", "sfen")]
    if "moves" not in words[1:]:
        return usual, [word for word in words if word != "moves"]
    cut = words.index("moves")
    with starting():
        return read_position(usual, " ".join(words[:cut])), words[cut + 1 :]


def _play(builder: Builder, words: list[str]) -> str | None:
    """Play the moves of a line; return the result that it ends with, or None.

    Words after the moves are the name of the opening.
    """
    for index, word in enumerate(words):
        try:
            for move in _moves(builder.position, word):
                builder.play(move)
        except RecordError:
            name = " ".join(words[index:])
            result = None if builder.position.game.san else result_by_points(name)
            if result is None and (not builder.line or any(map(str.isdigit, name))):
                raise
            builder.record.tags["Opening" if result is None else "SCORE"] = name
            return result
    return words[-1] if words and words[-1] in RESULTS else None


def _moves(position: Position, word: str) -> list[str]:
    """Return the moves in a word of a plain list, without a move number; there may be none."""
    game = position.game
    if position.board() and _OFFSETS.fullmatch(
        word
    ):  # Gomocup's coordinates count from the top left
        centre = len(board_of(position)) // 2
        numbers = [int(number) + centre for number in word.split(",")]
        return [f"{column},{row}" for column, row in zip(numbers[::2], numbers[1::2])]
    if word in RESULTS or game.san and word.isdigit() and word != "0000":
        return []  # a move number without its period
    word = _NUMBER.sub("", word).strip(".\u2026")
    # a tree, which has no board, may have any character in its labels
    signs = "[,_]" if "_" in word and position.board() is not None else ","
    parts = [word] if _COORDINATES.fullmatch(word) else re.split(signs, word, maxsplit=MAX_WORDS)
    return [move for part in parts if part for move in game.split_moves(part)]


# ---- positions of Othello ------------------------------------------------------------


class Obf(Format):
    """Boards of Othello, with the moves after them.

    The moves of a problem (`G8:+18; H1:+12;`) are alternatives: each has the number of discs by
    which the player to move wins.
    """

    title = "OBF"
    games = "positions of Othello"
    suffixes = (".obf",)
    sign = re.compile(rf"\A{DISCS.pattern}", re.IGNORECASE)
    moves_are_answers = True
    usual_for = (_OTHELLO,)

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        # the text ends where the next position begins
        return parts(text, [match.start() for match in DISCS.finditer(text)])

    def read(self, text: str, game_name: str | None = None) -> Record:
        match = next(DISCS.finditer(text))
        builder = Builder(Record(Start(_OTHELLO, text_of_discs(match))), read_any_move)
        rest = re.sub("%.*", "", text[match.end() :])
        answers = _ANSWER.findall(rest)
        sign = -100 if builder.position.side else 100
        try:
            for move, discs in answers:
                builder.open(0)
                builder.play(move).evaluation = Evaluation(sign * int(discs))
                builder.close()
            if not answers:
                _play(builder, [word for word in rest.split() if word not in ("moves", ";")])
        except RecordError as error:
            builder.fail(error, match.end())
        return builder.finish(None)


def text_of_discs(match: re.Match[str]) -> str:
    """Return the text of a board; if no side to move is named, the number of discs decides."""
    cells = re.sub(_BETWEEN, "", match[1]).upper().translate(_CELLS)
    side = (match[2] or "XO"[(64 - cells.count("-")) % 2]).upper().translate(_CELLS)
    return f"{cells} {side}"


# ---- EPD -----------------------------------------------------------------------------


class Epd(Format):
    """EPD: a position per line, and its operations as tags."""

    title = "EPD"
    games = "positions of chess and its variants"
    suffixes = (".epd",)
    hint = re.compile(rf"\A(?:#.*\n\s*)*{_BEFORE_FEN}{FEN.pattern}(?!.* moves )")
    line_is_opening = True

    def usual(self, game: Game) -> bool:
        return FEN.match(Start(game).position().text()) is not None

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        return split_lines(text)

    def read(self, text: str, game_name: str | None = None) -> Record:
        with starting():
            start, tags = _read_epd(Start(game_name or "chess"), _without_words(text))
        return Builder(Record(start, tags=tags), read_any_move).finish(None)


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Return (offset, text) of each line that is neither empty nor a comment."""
    return (entry for entry in lines(text) if not entry[1].startswith("#"))


def read_position(usual: Start, text: str) -> Start:
    """Return the Start that a position text, EPD or a list of Othello's discs gives.

    usual: a Start, with the game and with the options that the text doesn't set.
    Raises PositionError if the text is none of these.
    """
    text = _without_words(text)
    discs = DISCS.fullmatch(text) if OBF.usual(usual.game) else None
    if FEN.match(text):
        return _read_epd(usual, text)[0]
    return _start_at(usual, text if discs is None else text_of_discs(discs))


def _without_words(text: str) -> str:
    """Return a position text without the words that UCI and USI write before it."""
    return re.sub(rf"\A{_BEFORE_FEN}", "", text.strip())


def _start_at(usual: Start, text: str) -> Start:
    start = Start(usual.game, text, {**usual.options, **needed_options(usual.game, text)})
    start.text = start.position().text()
    return start


def _read_epd(usual: Start, text: str) -> tuple[Start, dict[str, str]]:
    """Return (the start in a line of EPD, its operations); raise PositionError if there is none.

    The operations hmvc and fmvn are the move counters, if the position itself has none.
    """
    fields = list(islice(_FIELD.finditer(text.partition(";")[0]), _MAX_FIELDS))
    words = [field.group() for field in fields]
    start, count = _longest_start(usual, words)
    rest = one_line(text[fields[count - 1].end() :])
    tags = {match[1]: match[2].strip() for match in _OPERATION.finditer(rest)}
    if _COUNTERS.keys() & tags.keys():
        counts = {name: text for name, text in tags.items() if re.fullmatch("[0-9]{1,6}", text)}
        counters = [counts.get(name, missing) for name, missing in _COUNTERS.items()]
        words[count:] = counters[-usual.game.counter_words :]
        with contextlib.suppress(PositionError):  # the position already has move counters
            start = _start_at(usual, " ".join(words))
    return start, tags


def _longest_start(usual: Start, words: list[str]) -> tuple[Start, int]:
    """Return (Start, number of its words) of the longest position at the beginning of `words`.

    An operation, whose name begins with a letter, may follow.  Raises PositionError if there is no
    position.
    """
    for count in range(len(words), 1, -1):
        if count == len(words) or words[count][0].isalpha():
            with contextlib.suppress(PositionError):
                return _start_at(usual, " ".join(words[:count])), count
    return _start_at(usual, " ".join(words)), len(words)


MOVES = Moves()
EPD = Epd()
OBF = Obf()
