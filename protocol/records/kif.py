"""KIF and KI2, the formats of Japanese shogi programs.

KIF has a move on each line, numbered, with its origin and time: `1 ７六歩(77) ( 0:05/00:00:05)`.
KI2 has moves as books print them: `▲７六歩 △３四歩`.  If several pieces can make a move, words say
which one makes it.
"""

from __future__ import annotations

import re
from itertools import islice

from games import registry
from games.base import MoveError
from games.grid import board_of
from protocol.records.record import Record, RecordError, Start, read_seconds, walk
from protocol.records.shogi_text import (
    DRAWS,
    ENDS,
    GAMES,
    STOPS,
    ShogiFormat,
    ShogiReader,
    candidates,
    digits,
    end_of,
    refuse,
    result_at,
    square,
    termination,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Position
    from protocol.records.record import Line
    from protocol.records.shogi_text import Entry

_FILES, _RANKS = "１２３４５６７８９", "一二三四五六七八九"
_DIGITS = str.maketrans(_FILES + _RANKS, "123456789" * 2)
_PIECES = {
    "歩": "P", "香": "L", "桂": "N", "銀": "S", "金": "G", "角": "B", "飛": "R", "玉": "K",
    "王": "K", "と": "+P", "成香": "+L", "杏": "+L", "成桂": "+N", "圭": "+N", "成銀": "+S",
    "全": "+S", "馬": "+B", "竜": "+R", "龍": "+R",
}  # fmt: skip
_PIECE = "|".join(sorted(_PIECES, key=len, reverse=True))
_MOVE = re.compile(
    rf"(?:([1-9{_FILES}][1-9{_RANKS}])|同)[ 　]*({_PIECE})([左右上寄引直行入]*)(不成|成|打)?"
    r"(?:[(（]([1-9]{2})[)）])?"
)
_NUMBERED = re.compile(
    r"([0-9]{1,4})[ 　]+(\S+(?:[ 　]+[^\s(（]\S*)?)[ 　]*(?:[(（]\s*([0-9:]{1,9}))?"
)
_VARIATION = re.compile(r"変化[：:][ 　]*([0-9]{1,4})")
_HEADER = re.compile(r"([^：:\s]{1,20})[：:](.*)")
_WINNER = re.compile(r"まで.{0,30}?(先手|下手|後手|上手)の(?:反則)?(勝ち|負け)")
_CELL = re.compile(rf"([ v^])({_PIECE}|・)")
# What the last line of a game may say of its end.
_CAUSES = {"時間切れ": "time forfeit", "反則": "rules infraction", "入玉": "entering king"}
_SEALED = "封じ手"  # not a move, but a note that the next move was sealed overnight
_PLAYERS = {"先手": 0, "下手": 0, "後手": 1, "上手": 1}
_HEADERS = {"棋戦": "Event", "場所": "Site", "開始日時": "Date", "戦型": "Opening"}
_NAMES = {tag: name for name, tag in _HEADERS.items()}
_NAMED = ("平手", GAMES[0]), ("5五将棋", GAMES[1]), ("５五将棋", GAMES[1])
_GAMES = {"": GAMES[0], **dict(_NAMED)}


class Kif(ShogiFormat):
    """KIF, and KI2 in the same file."""

    title = "KIF"
    suffixes = (".kif", ".kifu", ".ki2", ".ki2u")
    usual_for = GAMES
    sign = re.compile(
        r"(?m)\A[^\n]{0,9}# ?-{0,4} ?KIF|^手合割[：:]|^手数-|\A(?:[^\n]*\n){0,30}?[▲☗][1-9１-９同]"
    )

    def read(self, text: str, game_name: str | None = None) -> Record:
        return _Reader(text).read()

    def write(self, record: Record) -> str:
        position = record.start.position()
        head = ["#KIF version=2.0 encoding=UTF-8"]
        head += [
            f"{_NAMES.get(tag, tag)}：{value}"
            for tag, value in record.tags.items()
            if tag != "Termination" or not termination(record)
        ]
        head += _start_lines(position, record.start)
        head += [f"{name}：{player}" for name, player in zip(("先手", "後手"), record.players)]
        head += ["手数----指手---------消費時間--", *_remarks(record.comment)]
        end = []
        if record.result != "*" or termination(record) or not record.line:
            end = [f"{len(record.line) + 1:4} {end_of(record)[2]}"]
        return "\n".join([*head, *_written(position, record.line, 1, [0, 0], end), ""])


def _written(
    position: Position, line: Line, ply: int, spent: list[int], end: Sequence[str] = ()
) -> list[str]:
    """Return a line and then its variations in KIF's order: the last variation comes first.

    ply: number of its first move.  spent: the seconds of both sides before the line.  end: the
    lines of text after its moves.
    """
    moves = []
    blocks: list[list[str]] = []
    for number, (_, step) in enumerate(walk(position, line), ply):
        for other in step.variations:
            block = _written(position, other, number, spent[:])
            blocks.append(["", f"変化：{number}手", *block])
        text = _move_text(position, step.move)
        time = _time_text(step.seconds("emt"), spent, number % 2)
        moves += [*_remarks(step.before), f"{number:4} {text}{time}", *_remarks(step.comment)]
    return [*moves, *end, *(text for block in reversed(blocks) for text in block)]


def _time_text(seconds: float | None, spent: list[int], side: int) -> str:
    """Return the time of a move and of all moves of its side, which `spent` sums up."""
    if seconds is None:
        return ""
    spent[side] += int(seconds)
    minutes = spent[side] // 60
    of_move = f"{int(seconds) // 60:2}:{int(seconds) % 60:02}"
    return f"   ({of_move}/{minutes // 60:02}:{minutes % 60:02}:{spent[side] % 60:02})"


class _Reader(ShogiReader):
    """A reader of one game."""

    resumes = re.compile(rf"変化|まで|[0-9]{{1,4}}[ 　]+(?:{'|'.join(end[2] for end in ENDS)})")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._headers: dict[str, str] = {}
        for _, line in self.entries():
            header = _HEADER.match(line)
            if header and not _VARIATION.match(line) and line[0] not in "*#&▲△☗☖":
                self._headers.setdefault(header[1], header[2].strip())
        for name, side in _PLAYERS.items():
            self.players[side] = self._headers.get(name, "") or self.players[side]
        self.tags = {
            _HEADERS.get(name, name): value
            for name, value in self._headers.items()
            if value and name not in _PLAYERS and name != "手合割" and not name.endswith("持駒")
        }
        self._starts: list[int] = []  # the plies at which the open variations begin
        self._to = ""  # target square of the move that is being read
        self._targets: dict[int, str] = {}  # ply -> target square of its move
        self._ply = 1

    def start(self) -> Start:
        board = [*islice((line for _, line in self.entries() if line.startswith("|")), 9)]
        if board:
            return self._start_of_board(board)
        name = self._headers.get("手合割", "").strip("　 ")
        if name in _GAMES:
            return Start(_GAMES[name])
        game = registry.get(GAMES[0])
        return Start(game, game.parse(name, {}).text())

    def _start_of_board(self, board: list[str]) -> Start:
        rows = []
        for line in board:
            pieces = [match.groups() for match in islice(_CELL.finditer(line, 1), 10)]
            cells = [(mark, _PIECES.get(kanji, ".")) for mark, kanji in pieces]
            rows.append("".join(cell.lower() if mark == "v" else cell for mark, cell in cells))
        hands = ["", ""]
        for name, side in _PLAYERS.items():
            hands[side] = hands[side] or _hand(self._headers.get(f"{name}の持駒", ""))
        is_white = any(line.startswith(("後手番", "上手番")) for _, line in self.entries())
        start = Start(GAMES[len(rows) == 5])
        return start.arranged(rows[::-1], int(is_white), hands[0] + hands[1].lower())

    def take(self, entry: Entry) -> None:
        line, builder = entry[1], self.builder
        if line[0] == "*":
            builder.remark(line[1:])
        elif line[0] in "▲△☗☖▼▽":
            for word in re.findall(r"[▲△☗☖▼▽]([^▲△☗☖▼▽]+)", line):
                self._play(word.strip(" 　"))
        elif match := _VARIATION.match(line):
            self._vary(int(match[1]))
        elif match := _NUMBERED.match(line):
            self._numbered(*match.groups())
        elif line.startswith("まで"):
            self._conclude(line)

    def _numbered(self, number: str, word: str, time: str | None) -> None:
        """Read a numbered line: a move, or the end of the game."""
        if word.startswith(_SEALED):
            return
        end = next((end for end in ENDS if word.startswith(end[2])), None)
        if end is not None:
            skipped = int(number) - self._ply if self.broken else 0
            self.end(end[0], result_at(end[1], self.builder.position.side ^ skipped & 1))
            return
        self._ply = int(number)
        self._play(word)
        seconds = read_seconds(time) if time else None
        if seconds is not None:
            self.builder.line[-1].set_seconds("emt", seconds)

    def _conclude(self, line: str) -> None:
        """Read the last line of a game, such as まで87手で時間切れにより先手の勝ち."""
        winner = _WINNER.search(line)
        if winner is not None:
            cause = next((name for word, name in _CAUSES.items() if word in line), "")
            side = _PLAYERS[winner[1]] ^ (winner[2] == "負け")
            self.end(cause, ("1-0", "0-1")[side])
        for name, who, word, _ in ENDS:
            if who in (DRAWS, STOPS) and word in line:
                self.end(name, result_at(who, 0))

    def _vary(self, ply: int) -> None:
        """Open a variation that replaces move `ply` of the line.

        The line is the last open variation that begins before this move and contains it, or else
        the main line.
        """
        builder = self.builder
        while self._starts and (self._starts[-1] >= ply or builder.varies or self._last() < ply):
            self._starts.pop()
            builder.close()
        # If the variation replaces the end of the game (投了), it becomes a variation of the last
        # move, and begins with that move.
        instead = builder.line[-1:] if self._last() == ply - 1 else []
        start = ply - len(instead)
        if not 0 < start <= self._last():
            raise RecordError(f"there is no move {ply} for a variation to replace")
        builder.open(self._last() - start + 1)
        for step in instead:
            builder.add(step.move)
        self.broken = False
        self._starts.append(start)
        self._ply = ply

    def _last(self) -> int:
        """Return the number of the last move of the line that is open."""
        return self.builder.index + (self._starts[-1] - 1 if self._starts else 0)

    def _play(self, word: str) -> None:
        self.builder.play(word)
        self._targets[self._ply] = self._to
        self._ply += 1

    def read_move(self, position: Position, text: str) -> int:
        match = _MOVE.match(text)
        if match is None:
            raise refuse(text)
        where, kanji, words, mark, origin = match.groups()
        to = square(where.translate(_DIGITS)) if where else self._targets.get(self._ply - 1, "")
        if not to:
            raise MoveError(text, "there is no move before it")
        self._to = to
        piece = _PIECES[kanji]
        promotes = "+" if mark == "成" else ""
        if mark == "打":
            return position.parse_move(f"{piece}*{to}")
        if origin:
            return position.parse_move(square(origin) + to + promotes)
        origins = candidates(position, to, piece)
        chosen = _chosen(origins, to, words, position.side)
        if len(chosen) == 1:
            return position.parse_move(chosen[0] + to + promotes)
        if not origins and not promotes:
            return position.parse_move(f"{piece}*{to}")
        reason = "could be several moves" if chosen else "is not a legal move here"
        raise MoveError(text, reason)


def _chosen(origins: list[str], to: str, words: str, side: int) -> list[str]:
    """Return the origins that the words of a move allow, as the side to move sees the board."""
    sign = -1 if side else 1
    file, row = (int(digit) for digit in digits(to))

    def ahead(origin: str) -> int:  # rows that the move goes forward
        return sign * (int(digits(origin)[1]) - row)

    def right(origin: str) -> int:  # number of files from the target rightwards to the origin
        return sign * (file - int(origin[0]))

    fitting = origins
    for word in words:
        if word not in "左右":
            fitting = [each for each in fitting if _fits(word, ahead(each), right(each))]
        elif fitting:
            best = (max if word == "右" else min)(map(right, fitting))
            fitting = [each for each in fitting if right(each) == best]
    return fitting


def _fits(word: str, ahead: int, right: int) -> bool:
    """Does a move of `ahead` rows, from `right` files to the right, fit a word?"""
    others = {"引": ahead < 0, "寄": ahead == 0, "直": right == 0 and ahead > 0}
    return others.get(word, ahead > 0)


def _hand(text: str) -> str:
    """Return the letters of a hand such as 飛　歩十二."""
    hand = ""
    for kanji, count in re.findall(rf"({_PIECE})([一二三四五六七八九十]*)", text):
        tens, _, ones = count.rpartition("十") if "十" in count else ("", "", count)
        number = 10 * ("十" in count) * (_RANKS.find(tens) + 1 if tens else 1)
        hand += _PIECES[kanji] * (number + (_RANKS.find(ones) + 1 if ones else 0) or 1)
    return hand


def _remarks(comment: str) -> list[str]:
    return [f"*{line}" for line in comment.splitlines()]


def _move_text(position: Position, move: int) -> str:
    """Return a move with its origin, from the game's own notation, which names it if in doubt."""
    origin = position.move_text(move)[:2]
    text = re.sub("^.|打|不成|[(].*", "", position.notations()["kif"](move)).replace("同", "同　")
    return text + ("打" if origin[1] == "*" else f"({digits(origin)})")


def _start_lines(position: Position, start: Start) -> list[str]:
    if start.text is None:
        return [f"手合割：{next(name for name, game in _NAMED if game == start.game.name)}"]
    hands = position.hands() or ("", "")
    symbols = start.game.looks.symbols
    names = ["".join(symbols[each.upper()] for each in letters) or "なし" for letters in hands]
    rows = [
        "|" + "".join(
            " ・" if cell == "." else ("v" if cell.islower() else " ") + symbols[cell.upper()]
            for cell in row
        ) + "|" + _RANKS[number]
        for number, row in enumerate(board_of(position)[::-1])
    ]  # fmt: skip
    edge = "+" + "-" * 3 * len(rows) + "+"
    head = [f"後手の持駒：{names[1]}", "  " + " ".join(_FILES[: len(rows)][::-1]), edge]
    head += [*rows, edge, f"先手の持駒：{names[0]}"]
    return [*head, *(["後手番"] if position.side else [])]


FORMAT = Kif()
