"""Records of Piskvork, the manager of Gomoku tournaments (.psq): a reader only.

Piskvorky 15x15, 11:11, 0      the board, the level of each player, who begins
8,8,1500                       a move: column and row from 1, from the top left; milliseconds
pbrain-a.zip                   the players, in tournaments
pbrain-b.zip
-1                             a number that says how the game ended
0,Freestyle15_1                in Gomocup's records, its league, which names the rules
"""

from __future__ import annotations

import re
from itertools import islice

from games.base import MoveError
from games.options import BOARD_SIZE
from protocol.moves import read as read_move
from protocol.records.builder import Builder, best_of, read_as
from protocol.records.record import Format, Record, RecordError, Start, game_of_rules
from protocol.records.text import lines, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Position

_FIRST = re.compile(
    r"(?m)^[ \t]*Piskvorky[ \t]+(\d{1,4})[ \t]*x[ \t]*(\d{1,4})(?:[ \t]*,[^,\n]*,[ \t]*(\d))?"
)
_MOVE = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})(?:\s*,\s*-?\d{1,9})?")
_LEAGUE = re.compile(r"-?\d+\s*,\s*([A-Za-z]{4}.*)")
_NUMBERS = re.compile(r"-?\d+\s*,(?!\s*[A-Za-z]{4})")  # the beginning of a move
_GAMES = ("gomokufreestyle", "gomoku", "renju")


class Psq(Format):
    """PSQ, the format of Piskvork's games.

    A record that doesn't name its rules is read as freestyle Gomoku, Piskvork's default.  But if
    its moves go on after six in a row, it is read as Gomoku with exactly five.
    """

    title = "PSQ"
    games = "Gomoku, Renju"
    suffixes = (".psq",)
    sign = re.compile(r"\APiskvorky ")

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        begins = [first.start() for first in _FIRST.finditer(text)]
        return parts(text, begins or [0] if text.strip() else [])

    def read(self, text: str, game_name: str | None = None) -> Record:
        first = _FIRST.match(text)
        if first is None:
            raise RecordError('the first line must look like "Piskvorky 15x15, 11:11, 0"')
        columns, rows = int(first[1]), int(first[2])
        low, high = BOARD_SIZE.low, BOARD_SIZE.high
        if columns != rows or not low <= rows <= high:
            size = f"{columns}x{rows} (boards are square, {low}x{low} to {high}x{high})"
            raise RecordError(f"unsupported board size: {size}")
        starts = [Start(name, None, {BOARD_SIZE.name: rows}) for name in _games(text, game_name)]
        return best_of(_read(start, text, first[3] == "1") for start in starts)


def _games(text: str, preferred: str | None) -> list[str]:
    """Return the games whose rules the record may follow, the likeliest first."""
    if preferred in _GAMES:
        return [preferred]
    leagues = (_LEAGUE.fullmatch(line) for _, line in lines(text))
    named = dict.fromkeys(game_of_rules(league[1]) for league in leagues if league)
    return list(filter(None, named)) or ["gomokufreestyle", "gomoku"]


def _read(start: Start, text: str, second_begins: bool) -> Record:
    """Return the Record of a text."""
    numbered = enumerate(lines(text))
    end = 1 + max((n for n, (_, line) in numbered if _NUMBERS.match(line)), default=0)
    builder = Builder(Record(start), _read_move)

    def take(entry: tuple[int, str]) -> None:
        step = builder.play(entry[1])
        for milliseconds in entry[1].split(",")[2:]:
            step.set_seconds("emt", int(milliseconds) / 1000)

    builder.read(islice(lines(text), 1, end), take, lambda entry: (entry[1], entry[0]))
    others: list[str] = []  # the names of the players, and then remarks
    for _, line in islice(lines(text), end, None):
        if league := _LEAGUE.fullmatch(line):
            builder.record.tags["Event"] = league[1]
        elif not re.fullmatch(r"-?\d+", line):
            others.append(line)
    builder.remark(" ".join(others[2:]))
    players = (*others, "", "")[:2]
    builder.record.players = players[::-1] if second_begins else players
    return builder.finish(None)


def _read_move(position: Position, text: str) -> int:
    """Return the legal move of a line; raise MoveError if it isn't one."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise MoveError(text, "is not COLUMN,ROW,MILLISECONDS")
    return read_as(read_move, f"{int(match[1]) - 1},{int(match[2]) - 1}", position, text)


FORMAT = Psq()
