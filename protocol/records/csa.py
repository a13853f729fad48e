"""CSA, the format of Japanese computer shogi, version 2.2: one line for each move."""

from __future__ import annotations

import re

from games.base import MoveError
from protocol.records.record import Record, RecordError, Start, shown
from protocol.records.shogi_text import (
    ENDS,
    GAMES,
    LOSES,
    TO_DIGITS,
    WINS,
    ShogiFormat,
    ShogiReader,
    end_of,
    piece_at,
    remarks,
    shown_hands,
    shown_rows,
    square,
)
from protocol.records.text import lines, one_line, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Position

_PIECES = {
    "FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R", "OU": "K",
    "TO": "+P", "NY": "+L", "NK": "+N", "NG": "+S", "UM": "+B", "RY": "+R",
}  # fmt: skip
_CODES = {piece: code for code, piece in _PIECES.items()}
_SET = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}  # a whole set: {piece: count}
_FILES, _RANKS = "987654321", "123456789"
_SIGNS = "+", "-"  # the signs of Black and White
_ROW = re.compile(r"P([1-9])((?:[-+][A-Z]{2}| ?[*] ?){1,9})")
_CELL = re.compile(r"([-+])([A-Z]{2})|[*]")
_PLACED = re.compile("(..)(..)")  # a square and a piece
_MOVE = re.compile(r"[-+](00|[1-9]{2})([1-9]{2})([A-Z]{2})")
_HEADERS = {"EVENT": "Event", "SITE": "Site", "START_TIME": "Date", "OPENING": "Opening"}
_NAMES = {tag: name for name, tag in _HEADERS.items()}


class _Reader(ShogiReader):
    """A reader of one game.  The sign of the player who begins ends the header."""

    resumes = re.compile("%")

    def entries(self) -> Iterator[tuple[int, str]]:
        """Yield (offset, entry).  Commas separate entries, except in headers and comments."""
        for at, line in lines(self.text):
            for part in re.finditer(".+" if line[0] in "'$N" else "[^,]+", line):
                yield at + part.start(), part.group()

    def read_header(self, entry: str) -> None:
        kind, rest = entry[:2], entry[2:]
        if self.side is not None:
            return
        if entry[0] in _SIGNS:
            self.side = _SIGNS.index(entry[0])
        elif kind in ("N+", "N-"):
            self.players[_SIGNS.index(kind[1])] = rest.strip()
        elif entry[0] == "$":
            name, _, value = entry[1:].partition(":")
            self.tags[_HEADERS.get(name, name)] = value
        elif kind == "PI" and not self.cells:  # the start position, without some pieces (82HI22KA)
            for line in _board(Start(GAMES[0]).position()):
                self.read_header(line)
            for placed in _PLACED.finditer(rest):
                self.cells.pop(placed[1], None)
        elif kind in ("P+", "P-"):
            for placed in _PLACED.finditer(rest):
                self._put(kind[1], *placed.groups())
        elif row := _ROW.fullmatch(entry.rstrip(" .")):
            for file, cell in zip(_FILES, _CELL.finditer(row[2])):
                if cell[1]:
                    self._put(cell[1], file + row[1], cell[2])
        elif re.match("P[1-9]", entry):
            raise RecordError(f'"{shown(entry)}" is not a row of a board, such as P5 *  * -FU')

    def _put(self, sign: str, where: str, code: str) -> None:
        """Put a piece on a square or, if that is 00, into a hand; AL means all other pieces."""
        side = _SIGNS.index(sign)
        if where + code == "00AL":
            held = "".join([*self.cells.values(), *self.hands]).upper()
            others = [kind * (count - held.count(kind)) for kind, count in _SET.items()]
            self.hands[side] += "".join(others)
        elif code not in _PIECES or not re.fullmatch("00|[1-9]{2}", where):
            raise RecordError(f'"{where}{code}" is not a piece on a square')
        elif where == "00":
            self.hands[side] += _PIECES[code]
        else:
            self.cells[where] = _PIECES[code].lower() if side else _PIECES[code]

    def start(self) -> Start:
        if not self.cells:
            return Start(GAMES[0])
        rows = ["".join(self.cells.get(file + rank, ".") for file in _FILES) for rank in _RANKS]
        return self.arranged(GAMES[0], rows)

    def take(self, entry: str) -> None:
        if entry[:2] == "'*":
            self.builder.remark(entry[2:], "\n")
        elif entry[0] == "T":
            self.spend(entry[1:])
        elif entry[0] == "%":
            self._conclude(entry[1:].strip())
        elif entry[0] in _SIGNS and entry not in _SIGNS and self.result is None:
            self.builder.play(entry, _SIGNS.index(entry[0]))

    def _conclude(self, word: str) -> None:
        """Read the end of the game; a sign before the word names the player who lost."""
        if word[:1] in _SIGNS:
            self.end("rules infraction", LOSES[_SIGNS.index(word[0])])
        for name, results, _, known in ENDS:
            if word == known:
                self.end(name, results[self.builder.position.side])
        self.end("", "*")

    def read_move(self, position: Position, text: str) -> int:
        match = _MOVE.fullmatch(text.strip())
        if match is None or match[3] not in _PIECES:
            raise MoveError(text, "is not a move")
        origin, to, code = match.groups()
        if origin == "00":
            return position.parse_move(f"{_PIECES[code]}*{square(to)}")
        # CSA names the piece as it is after the move.
        origin, promoted = square(origin), _PIECES[code][0] == "+"
        promotes = promoted and piece_at(position, origin)[0] != "+"
        return position.parse_move(origin + square(to) + "+" * promotes)


class Csa(ShogiFormat):
    """CSA."""

    title = "CSA"
    suffixes = (".csa",)
    sign = re.compile(r"\A(?:'[^\n]*\n|\s)*(?:V[123]|N[-+]|PI\b|P1[-+ *])")
    variations = False
    between = True
    separator = "/\n"
    usual_for = GAMES[:1]
    reader = _Reader

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        begins = [0, *(match.end() for match in re.finditer(r"(?m)^/[ \t]*\n", text))]
        return (game for game in parts(text, begins) if game[1].strip("/ \t\n"))

    def write(self, record: Record) -> str:
        position, end = record.start.position(), end_of(record)
        out = ["V2.2"]
        out += [f"N{sign}{name}" for sign, name in zip(_SIGNS, record.players) if name]
        names = {tag: _NAMES.get(tag, tag) for tag in record.tags}
        out += [f"${name}:{record.tags[tag]}" for tag, name in names.items() if name.isupper()]
        out = [*map(one_line, out)]
        out += ["PI"] if record.start.text is None else _board(position)
        out += [_SIGNS[position.side], *remarks(record.comment, "'*")]
        for step in record.line:
            move, sign = position.move_text(step.move), _SIGNS[position.side]
            position.make(step.move)
            squares = re.sub(".[*]", "00", move[:4]).translate(TO_DIGITS)
            out.append(f"{sign}{squares}{_CODES[piece_at(position, move[2:4])]}")
            seconds = step.seconds("emt")
            out += [] if seconds is None else [f"T{seconds:.12g}"]
            out += remarks(step.comment, "'*")
        # If the side to move wins, the other side broke the rules, and the sign names that
        # side.
        broken = end[1] == WINS and end[0] != "entering king"
        sign = _SIGNS[position.side ^ 1] if broken else ""
        return "\n".join([*out, f"%{sign}{end[3]}", ""])


def _board(position: Position) -> list[str]:
    """Return the lines of a board and of the hands."""
    rows = shown_rows(position, _CODES, _SIGNS, " * ")
    out = [f"P{number}{row}" for number, row in enumerate(rows, 1)]
    hands = zip(_SIGNS, shown_hands(position, _CODES))
    return out + [f"P{sign}00{'00'.join(hand)}" for sign, hand in hands if hand]


FORMAT = Csa()
