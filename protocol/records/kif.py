"""KIF and KI2, the formats of Japanese shogi programs.

KIF has a move on each line, numbered, with its origin and time: `1 ７六歩(77) ( 0:05/00:00:05)`.
KI2 has moves as books print them: `▲７六歩 △３四歩`.  If several pieces can make a move, words say
which one makes it.
"""

from __future__ import annotations

import re
from itertools import chain
from unicodedata import numeric

from games.base import MoveError
from protocol.records.record import Record, RecordError, Start, walk
from protocol.records.shogi_text import (
    DRAWS,
    ENDS,
    GAMES,
    LOSES,
    STOPS,
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
from protocol.records.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from protocol.records.record import Line

_FILES, _RANKS = "１２３４５６７８９", "一二三四五六七八九"
_PIECES = {
    "歩": "P", "香": "L", "桂": "N", "銀": "S", "金": "G", "角": "B", "飛": "R", "玉": "K",
    "王": "K", "と": "+P", "成香": "+L", "杏": "+L", "成桂": "+N", "圭": "+N", "成銀": "+S",
    "全": "+S", "馬": "+B", "竜": "+R", "龍": "+R",
}  # fmt: skip
_PIECE = "|".join(sorted(_PIECES, key=len, reverse=True))
_MARKS = "▲△☗☖▼▽"
_MOVE = re.compile(
    rf"(?:([1-9{_FILES}][1-9{_RANKS}])|同)[ 　]*({_PIECE})([左右上寄引直行入]*)(不成|成|打)?"
    r"(?:[(（]([1-9]{2})[)）])?"
)
_NUMBERED = re.compile(
    r"([0-9]{1,4})[ 　]+(\S+(?:[ 　]+[^\s(（]\S*)?)[ 　]*(?:[(（]\s*([0-9:]{1,9}))?"
)
_VARIATION = re.compile(r"変化[：:][ 　]*([0-9]{1,4})")
_HEADER = re.compile(rf"(?!変化|まで|[*#&{_MARKS}])([^：:\s]{{1,20}})[：:](.*)")
_WINNER = re.compile(r"まで.{0,30}?(先手|下手|後手|上手)の(?:反則)?(勝ち|負け)")
_CELL = re.compile(rf"([ v^])({_PIECE}|・)")
_HELD = re.compile(rf"({_PIECE})([一二三四五六七八九十]{{0,3}})")
# Words in the last line of a game -> the reason why the game ended.
_CAUSES = {"時間切れ": "time forfeit", "反則": "rules infraction", "入玉": "entering king"}
_PLAYERS = {"先手": 0, "下手": 0, "後手": 1, "上手": 1}
# Headers that set up the game or name its players.
_OWN = {"手合割", *_PLAYERS, *(f"{name}持駒" for name in _PLAYERS)}
_HEADERS = {"棋戦": "Event", "場所": "Site", "開始日時": "Date", "戦型": "Opening"}
_NAMES = {tag: name for name, tag in _HEADERS.items()}
_GAMES = {"平手": GAMES[0], "5五将棋": GAMES[1], "５五将棋": GAMES[1]}


class _Reader(ShogiReader):
    """A reader of one game."""

    resumes = re.compile(rf"変化|まで|[0-9]{{1,4}}[ 　]+(?:{'|'.join(end[2] for end in ENDS)})")
    _rows: tuple[str, ...] = ()  # the rows of the start's board, the upper one first

    def read_header(self, entry: str) -> None:
        if header := _HEADER.match(entry):
            self.tags.setdefault(header[1].replace("の持駒", "持駒"), header[2].strip())
        elif entry[0] == "|" and len(self._rows) < 9:
            row = [(mark, _PIECES.get(kanji, ".")) for mark, kanji in _CELL.findall(entry[:40])]
            self._rows += ("".join(cell.lower() if mark == "v" else cell for mark, cell in row),)
        elif entry.startswith(("後手番", "上手番")):
            self.side = 1

    def start(self) -> Start:
        headers = self.tags
        for name, side in _PLAYERS.items():
            self.players[side] = headers.pop(name, "") or self.players[side]
            for kanji, count in _HELD.findall(headers.pop(f"{name}持駒", "")):
                self.hands[side] += _PIECES[kanji] * (int(sum(map(numeric, count))) or 1)
        name = headers.pop("手合割", "") or "平手"
        self.tags = {_HEADERS.get(tag, tag): value for tag, value in headers.items() if value}
        if self._rows:
            return self.arranged(GAMES[len(self._rows) == 5], self._rows)
        if name in _GAMES:
            return Start(_GAMES[name])
        return Start(GAMES[0], Start(GAMES[0], name).position().text())

    def take(self, entry: str) -> None:
        if entry[0] == "*":
            self.builder.remark(entry[1:], "\n")
        elif entry[0] in _MARKS:
            for word in re.findall(f"[{_MARKS}]([^{_MARKS}]+)", entry):
                self.builder.play(word.strip())
        elif match := _VARIATION.match(entry):
            self._vary(int(match[1]))
        elif match := _NUMBERED.match(entry):
            self._numbered(*match.groups(""))
        elif entry.startswith("まで"):
            self._conclude(entry)

    def _numbered(self, number: str, word: str, time: str) -> None:
        """Read a numbered line: a move, or the end of the game."""
        end = next((end for end in ENDS if word.startswith(end[2])), None)
        if end is not None:
            skipped = int(number) - 1 - self.builder.plies if self.broken else 0
            self.end(end[0], end[1][self.builder.position.side ^ skipped & 1])
        elif not word.startswith("封じ手"):  # a note that the next move was sealed overnight
            self.builder.play(word)
            self.spend(time)

    def _conclude(self, line: str) -> None:
        """Read the last line of a game, such as まで87手で時間切れにより先手の勝ち."""
        if winner := _WINNER.search(line):
            cause = next((name for word, name in _CAUSES.items() if word in line), "")
            results = WINS if winner[2] == "勝ち" else LOSES
            self.end(cause, results[_PLAYERS[winner[1]]])
        for name, results, word, _ in ENDS:
            if results in (DRAWS, STOPS) and word in line:
                self.end(name, results[0])

    def _vary(self, ply: int) -> None:
        """Open a variation that replaces move `ply` of the line.

        The line is the last open variation that begins before this move and contains it, or else
        the main line.
        """
        builder = self.builder
        while builder.depth and (
            builder.varies or not builder.plies - builder.index < ply - 1 < builder.plies
        ):
            builder.close()
        # A variation can't replace the end of the game (投了).  Instead, it replaces the last move
        # and begins with the same move.
        instead = builder.line[-1:] if builder.plies == ply - 1 else []
        start = ply - len(instead)
        if not 0 < start <= builder.plies:
            raise RecordError(f"there is no move {ply} for a variation to replace")
        builder.open(builder.plies - start + 1)
        for step in instead:
            builder.add(step.move)
        self.broken = False

    def read_move(self, position: Position, text: str) -> int:
        match = _MOVE.match(text)
        if match is None:
            raise MoveError(text, "is not a move")
        where, kanji, words, mark, origin = match.groups()
        line, index = self.builder.line, self.builder.index
        if not (where or index):
            raise MoveError(text, "there is no move before it")
        to = square(where) if where else position.move_text(line[index - 1].move)[2:4]
        if origin:
            origins = [square(origin)]
        elif mark == "打":
            origins = [f"{_PIECES[kanji]}*"]
        else:
            origins = _origins(position, _PIECES[kanji], to, words)
        if len(origins) != 1 or mark == "成" and "*" in origins[0]:
            reason = "could be several moves" if origins[1:] else "is not a legal move here"
            raise MoveError(text, reason)
        return position.parse_move(origins[0] + to + "+" * (mark == "成"))


def _origins(position: Position, piece: str, to: str, words: str) -> list[str]:
    """Return the squares from which `piece` can go to `to`, if the words of the move allow them.

    If it can't come from any square, it is dropped: return the beginning of a drop, such as `P*`.
    """
    sign = -1 if position.side else 1
    places: dict[str, tuple[int, int]] = {}  # origin -> (files right of `to`, rows behind it)
    for text in map(position.move_text, position.playable_moves()):
        if text[2:4] == to and text[1] != "*" and piece_at(position, text[:2]) == piece:
            right, behind = int(to[0]) - int(text[0]), ord(text[1]) - ord(to[1])
            places[text[:2]] = sign * right, sign * behind
    if not places:
        return [f"{piece}*"]
    for word in words:
        rights = [right for right, _ in places.values()]
        places = {origin: place for origin, place in places.items() if _fits(word, *place, rights)}
    return list(places)


def _fits(word: str, right: int, behind: int, rights: list[int]) -> bool:
    """Does a word describe an origin, as the side to move sees the board?

    right: number of files by which the origin lies right of the target.  behind: number of
    rows by which it lies behind the target.  rights: `right` of all possible origins.
    """
    if word in "右左":
        return right == (max(rights) if word == "右" else min(rights))
    if word == "直":
        return right == 0 < behind
    return word in ("上入行" if behind > 0 else "引" if behind else "寄")


class Kif(ShogiFormat):
    """KIF and KI2; a file may have moves of both."""

    title = "KIF"
    suffixes = (".kif", ".kifu", ".ki2", ".ki2u")
    usual_for = GAMES
    reader = _Reader
    sign = re.compile(
        r"(?m)\A[^\n]{0,9}# ?-{0,4} ?KIF|^手合割[：:]|^手数-|\A(?:[^\n]*\n){0,30}?[▲☗][1-9１-９同]"
    )

    def write(self, record: Record) -> str:
        position, end = record.start.position(), end_of(record)
        # If the last line says what the header Termination says, the header is left out.
        told = record.tags.get("Termination", "").lower() == end[0]
        head = ["#KIF version=2.0 encoding=UTF-8"]
        tags = [tag for tag in record.tags if not (told and tag == "Termination")]
        head += filter(_is_free, [_header_line(tag, record.tags[tag]) for tag in tags])
        head += _start_lines(position, record.start)
        head += map(_header_line, ("先手", "後手"), record.players)
        head += ["手数----指手---------消費時間--", *remarks(record.comment)]
        ends = told or record.result != "*" or not record.line
        last = [f"{len(record.line) + 1:4} {end[2]}"] if ends else []
        return "\n".join([*head, *_written(position, record.line, 1, [0, 0], last), ""])


def _header_line(tag: str, text: str) -> str:
    return one_line(f"{_NAMES.get(tag, tag)}：{text}")


def _is_free(line: str) -> bool:
    """Is a line of text a header that, when read, changes neither the start nor the players?"""
    header = _HEADER.match(line)
    return header is not None and header[1].replace("の持駒", "持駒") not in _OWN


def _written(
    position: Position, line: Line, ply: int, spent: list[int], end: Sequence[str] = ()
) -> list[str]:
    """Return a line and then its variations in KIF's order: the last variation comes first.

    ply: number of the line's first move.  spent: the seconds of both sides before the line.
    end: the lines of text after the line's moves.
    """
    moves: list[str] = []
    blocks: list[list[str]] = []
    for number, (_, step) in enumerate(walk(position, line), ply):
        for other in step.variations:
            written = _written(position, other, number, spent[:])
            blocks.append(["", f"変化：{number}手", *written])
        # KIF names the origin of every move, notations() only that of ambiguous moves.
        text = re.sub("^.|打|不成|[(].*", "", position.notations()["kif"](step.move))
        origin = position.move_text(step.move)[:2].translate(TO_DIGITS)
        text = text.replace("同", "同　") + ("打" if origin[1] == "*" else f"({origin})")
        time = _time_text(step.seconds("emt"), spent, number % 2)
        moves += [*remarks(step.before), f"{number:4} {text}{time}", *remarks(step.comment)]
    return [*moves, *end, *chain(*reversed(blocks))]


def _time_text(seconds: float | None, spent: list[int], side: int) -> str:
    """Return a move's time and its side's total as text.

    spent: the total seconds of each side; the move's time is added to them.
    """
    if seconds is None:
        return ""
    spent[side] += int(seconds)
    minutes = spent[side] // 60
    of_move = f"{int(seconds) // 60:2}:{int(seconds) % 60:02}"
    return f"   ({of_move}/{minutes // 60:02}:{minutes % 60:02}:{spent[side] % 60:02})"


def _start_lines(position: Position, start: Start) -> list[str]:
    if start.text is None:
        return [f"手合割：{next(name for name, game in _GAMES.items() if game == start.game.name)}"]
    symbols = start.game.looks.symbols
    rows = shown_rows(position, symbols, (" ", "v"), " ・")
    edge = "+" + "-" * 3 * len(rows) + "+"
    black, white = ("".join(hand) or "なし" for hand in shown_hands(position, symbols))
    head = [f"後手の持駒：{white}", "  " + " ".join(_FILES[: len(rows)][::-1]), edge]
    head += [f"|{row}|{rank}" for row, rank in zip(rows, _RANKS)]
    return [*head, edge, f"先手の持駒：{black}", *(["後手番"] if position.side else [])]


FORMAT = Kif()
