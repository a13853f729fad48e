"""CSA, the format of Japanese computer shogi, version 2.2: one line for each move."""

from __future__ import annotations

import re
from itertools import chain, islice

from games.base import MoveError
from games.grid import board_of
from games.texts import squares_of
from protocol.records.record import Record, RecordError, Start, read_seconds, shown, walk
from protocol.records.shogi_text import (
    ENDS,
    GAMES,
    LOSES,
    ROWS,
    WINS,
    ShogiFormat,
    ShogiReader,
    digits,
    end_of,
    move_from,
    piece_at,
    refuse,
    result_at,
    square,
)
from protocol.records.text import lines, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Position
    from protocol.records.shogi_text import Entry

_PIECES = {
    "FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R", "OU": "K",
    "TO": "+P", "NY": "+L", "NK": "+N", "NG": "+S", "UM": "+B", "RY": "+R",
}  # fmt: skip
_CODES = {piece: code for code, piece in _PIECES.items()}
_SET = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}  # pieces of a whole set
_ROW = re.compile(r"P([1-9])((?:[-+][A-Z]{2}| ?[*] ?){1,9})")
_CELL = re.compile(r"[-+][A-Z]{2}|[*]")
_MOVE = re.compile(r"([-+]?)([0-9]{2})([1-9]{2})([A-Z]{2})")
_HEADERS = {"EVENT": "Event", "SITE": "Site", "START_TIME": "Date", "OPENING": "Opening"}
_NAMES = {tag: name for name, tag in _HEADERS.items()}


class Csa(ShogiFormat):
    """CSA."""

    title = "CSA"
    suffixes = (".csa",)
    sign = re.compile(r"\A(?:'[^\n]*\n|\s)*(?:V[123]|N[-+]|PI\b|P1[-+ *])")
    variations = False
    between = True
    separator = "/\n"
    usual_for = GAMES[:1]

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        begins = [0, *(match.end() for match in re.finditer(r"(?m)^/[ \t]*\n", text))]
        return (game for game in parts(text, begins) if game[1].strip("/ \t\n"))

    def read(self, text: str, game_name: str | None = None) -> Record:
        return _Reader(text).read()

    def write(self, record: Record) -> str:
        out = ["V2.2"]
        for sign, name in zip("+-", record.players):
            out += [f"N{sign}{name}"] if name else []
        out += [f"${_NAMES[tag]}:{value}" for tag, value in record.tags.items() if tag in _NAMES]
        position = record.start.position()
        out += _start_lines(position, record.start)
        out += [f"'*{line}" for line in record.comment.splitlines()]
        for _, step in walk(position, record.line):
            out.append(_move_text(position, step.move))
            seconds = step.seconds("emt")
            out += [] if seconds is None else [f"T{seconds:g}"]
            out += [f"'*{line}" for line in step.comment.splitlines()]
        end = end_of(record)
        side = "+-"[record.final().side ^ 1]  # who broke the rules, if the side to move wins
        word = side + end[3] if end[1] == WINS and end[0] != "entering king" else end[3]
        return "\n".join([*out, f"%{word}", ""])


class _Reader(ShogiReader):
    """A reader of one game."""

    resumes = re.compile("%")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._cells: dict[str, str] = {}
        self._hands = ["", ""]
        self._side = 0
        marked = (n for n, (_, part) in enumerate(_parts(text), 1) if part in ("+", "-"))
        moved = (n for n, (_, part) in enumerate(_parts(text)) if _MOVE.match(part))
        self._header = next(chain(marked, moved), 0)  # number of statements
        for _, part in islice(_parts(text), self._header):
            self._read_header(part)

    def entries(self) -> Iterator[Entry]:
        return islice(_parts(self._text), self._header, None)

    def start(self) -> Start:
        if not self._cells:
            return Start(GAMES[0])
        files = range(9, 0, -1)
        rows = ["".join(self._cells.get(f"{file}{row}", ".") for file in files) for row in ROWS]
        hands = self._hands[0] + self._hands[1].lower()
        return Start(GAMES[0]).arranged(rows[::-1], self._side, hands)

    def _read_header(self, line: str) -> None:
        kind, rest = line[:2], line[2:]
        if kind in ("N+", "N-"):
            self.players["+-".index(kind[1])] = rest.strip()
        elif line[0] == "$":
            name, _, value = line[1:].partition(":")
            self.tags[_HEADERS.get(name, name)] = value
        elif line in ("+", "-"):
            self._side = "+-".index(line)
        elif row := _ROW.fullmatch(line.rstrip(" .")):
            for file, cell in zip(range(9, 0, -1), _CELL.findall(row[2])):
                if cell != "*":
                    self._put(cell[0], f"{file}{row[1]}", cell[1:])
        elif re.match("P[1-9]", line):
            raise RecordError(f'"{shown(line)}" is not a row of a board, such as P5 *  * -FU')
        elif kind == "PI":
            self._set_up(rest)
        elif kind in ("P+", "P-"):
            for at in range(0, len(rest) - 3, 4):
                self._put(kind[1], rest[at : at + 2], rest[at + 2 : at + 4])

    def _set_up(self, missing: str) -> None:
        """Set the start position up, without some pieces (`82HI22KA`)."""
        position = Start(GAMES[0]).position()
        squares = squares_of(position)
        for row, cells in enumerate(board_of(position)):
            for column, cell in enumerate(cells):
                if cell != ".":
                    self._cells[squares.name((column, row))] = cell
        for at in range(0, len(missing) - 3, 4):
            self._cells.pop(square(missing[at : at + 2]), None)

    def _put(self, sign: str, where: str, code: str) -> None:
        side = "+-".index(sign)
        if where == "00" and code == "AL":
            held = "".join(self._cells.values()) + "".join(self._hands)
            for kind, count in _SET.items():
                self._hands[side] += kind * (count - held.upper().count(kind))
            return
        piece = _PIECES.get(code)
        if piece is None or where != "00" and "0" in where:
            raise RecordError(f'"{where}{code}" is not a piece on a square')
        if where == "00":
            self._hands[side] += piece
        else:
            self._cells[square(where)] = piece.lower() if side else piece

    def take(self, entry: Entry) -> None:
        line, builder = entry[1], self.builder
        if line[:2] == "'*":
            builder.remark(line[2:])
        elif line[0] == "T" and builder.line:
            seconds = read_seconds(line[1:])
            if seconds is not None:
                builder.line[-1].set_seconds("emt", seconds)
        elif line[0] == "%":
            self._conclude(line[1:].strip())
        elif line[0] in "+-" and line != "+" and self.result is None:
            builder.play(line)

    def _conclude(self, word: str) -> None:
        """Read the end of the game; a sign before the word names the player who lost."""
        side, loser = self.builder.position.side, "+-".find(word[:1])
        word = word.lstrip("+-")
        if loser >= 0:
            self.end("rules infraction", result_at(LOSES, loser))
        for name, who, _, known in ENDS:
            if word == known:
                self.end(name, result_at(who, side))
        self.end("", "*")

    def read_move(self, position: Position, text: str) -> int:
        match = _MOVE.fullmatch(text.strip())
        if match is None or match[4] not in _PIECES:
            raise refuse(text)
        sign, origin, to, code = match.groups()
        if sign and sign != "+-"[position.side]:
            raise MoveError(text, "it is the other player's turn")
        if origin == "00":
            return position.parse_move(f"{_PIECES[code]}*{square(to)}")
        if "0" in origin:
            raise refuse(text)
        return move_from(position, square(origin), square(to), _PIECES[code])


def _parts(text: str) -> Iterator[Entry]:
    """Yield the statements; commas separate those of a line, except in headers and comments."""
    for at, line in lines(text):
        for part in re.finditer(".+" if line[0] in "'$N" else "[^,]+", line):
            yield at + part.start(), part.group()


def _move_text(position: Position, move: int) -> str:
    text, sign = position.move_text(move), "+-"[position.side]
    if text[1] == "*":
        return f"{sign}00{digits(text[2:4])}{_CODES[text[0]]}"
    piece = piece_at(position, text[:2])
    code = _CODES["+" + piece if text.endswith("+") else piece]
    return sign + digits(text[:2]) + digits(text[2:4]) + code


def _start_lines(position: Position, start: Start) -> list[str]:
    if start.text is None:
        return ["PI", "+"]
    hands = position.hands() or ("", "")
    out = []
    for number, row in enumerate(board_of(position)[::-1], 1):
        cells = [
            " * " if cell == "." else ("-" if cell.islower() else "+") + _CODES[cell.upper()]
            for cell in row
        ]
        out.append(f"P{number}" + "".join(cells))
    for sign, letters in zip("+-", hands):
        pieces = "".join("00" + _CODES[letter] for letter in map(str.upper, letters))
        out += [f"P{sign}{pieces}"] if pieces else []
    return [*out, "+-"[position.side]]


FORMAT = Csa()
