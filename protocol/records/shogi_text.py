"""What the formats of shogi share: squares, boards, and ends of games."""

from __future__ import annotations

from unicodedata import numeric

from games.grid import board_of
from games.texts import squares_of
from protocol.records.builder import Builder
from protocol.records.record import Format, Record, RecordError, Start, read_seconds, starting
from protocol.records.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.base import Position

    End = tuple[str, tuple[str, str], str, str]

GAMES = ("shogi", "minishogi")
ROWS = "abcdefghi"
TO_DIGITS = str.maketrans(ROWS, "123456789")  # 7g7f, the squares of USI, becomes 7776

# (result if Black is to move at the end of the game, result if White is to move).
WINS = "1-0", "0-1"
LOSES = "0-1", "1-0"
DRAWS = "1/2-1/2", "1/2-1/2"
STOPS = "*", "*"
# How a game ends: (header Termination, results, KIF's word, CSA's word).  If several rows have the
# same word, readers take the first of them.
ENDS: tuple[End, ...] = (
    ("", LOSES, "投了", "TORYO"),
    ("checkmate", LOSES, "詰み", "TSUMI"),
    ("time forfeit", LOSES, "切れ負け", "TIME_UP"),
    ("time forfeit", LOSES, "Time-up", "TIME_UP"),  # 81Dojo
    ("rules infraction", LOSES, "反則負け", "ILLEGAL_MOVE"),
    ("rules infraction", WINS, "反則勝ち", "ILLEGAL_ACTION"),
    ("entering king", WINS, "入玉勝ち", "KACHI"),
    ("default", LOSES, "不戦敗", "TORYO"),
    ("default", WINS, "不戦勝", "ILLEGAL_ACTION"),
    ("repetition", DRAWS, "千日手", "SENNICHITE"),
    ("impasse", DRAWS, "持将棋", "JISHOGI"),
    ("agreement", DRAWS, "持将棋", "HIKIWAKE"),
    ("unterminated", STOPS, "中断", "CHUDAN"),
    ("no mate", STOPS, "不詰", "FUZUMI"),
    ("retraction", STOPS, "中断", "MATTA"),
    ("error", STOPS, "中断", "ERROR"),
)


def end_of(record: Record) -> End:
    """Return the End of a game: from its header, else from its result and last position."""
    position = record.final()
    fitting = {end[0]: end for end in ENDS[::-1] if end[1][position.side] == record.result}
    names = (
        record.tags.get("Termination", "unknown").lower(),
        "" if position.playable_moves() else "checkmate",
        "rules infraction" if position.claim() is None else "entering king",
        "impasse" if position.outcome() is None else "repetition",
        "unterminated",
    )
    return next(fitting[name] for name in names if name in fitting)


class ShogiFormat(Format):
    """The base of the formats of shogi.  reader: the class that reads a game."""

    games = "shogi"
    encodings = ("cp932", "euc_jp")
    evaluations = False
    reader: type[ShogiReader]

    def read(self, text: str, game_name: str | None = None) -> Record:
        return self.reader(text).read()


class ShogiReader:
    """A reader of one game, entry by entry.

    A subclass defines four methods, and entries() if an entry isn't a line of the text:

    read_header(entry): reads an entry if it belongs to the header.
    start(): returns the start of the game; raises GameError if it is illegal.
    take(entry): reads an entry if it doesn't belong to the header.
    read_move(position, text): returns the legal move of a text; raises MoveError if there is none.

    A move that can't be played ends its line: the entries after it are skipped, up to an entry that
    `resumes` matches.  broken: are entries being skipped?
    side, hands, cells: the player to move at the start (None: not read, so the first), the letters
    of the pieces in both hands, and {square as two digits: piece}, if the text sets up the start.
    """

    resumes: re.Pattern[str]
    read_header: Callable[[str], None]
    start: Callable[[], Start]
    take: Callable[[str], None]
    read_move: Callable[[Position, str], int]
    broken = False
    result: str | None = None
    side: int | None = None

    def __init__(self, text: str) -> None:
        self.text = text
        self.players, self.hands = ["", ""], ["", ""]
        self.tags: dict[str, str] = {}
        self.cells: dict[str, str] = {}

    def read(self) -> Record:
        """Read the header, then all other entries, and return the record."""
        for _, entry in self.entries():
            self.read_header(entry)
        with starting():
            start = self.start()
        self.builder = Builder(Record(start, (), self.players, tags=self.tags), self.read_move)
        for offset, entry in self.entries():
            if self.broken and not self.resumes.match(entry):
                continue
            try:
                self.take(entry)
            except RecordError as error:
                self.builder.fail(error, offset)
                self.broken = True
        return self.builder.finish(self.result)

    def entries(self) -> Iterator[tuple[int, str]]:
        """Return (offset, text) of each entry."""
        return lines(self.text)

    def arranged(self, game: str, rows: Sequence[str]) -> Start:
        """Return the start with these rows of the board, the upper one first."""
        hands = self.hands[0] + self.hands[1].lower()
        return Start(game).arranged(rows[::-1], self.side or 0, hands)

    def end(self, name: str, result: str) -> None:
        """End the main line; `name` is in ENDS.  Only the record's first end counts."""
        if self.result is None and not self.builder.depth:
            self.result = result
            if name:
                self.builder.record.tags["Termination"] = name

    def spend(self, time: str) -> None:
        """Store the time spent on the last move; ignore a text that is not a time."""
        seconds = read_seconds(time)
        if seconds is not None and self.builder.line:
            self.builder.line[-1].set_seconds("emt", seconds)


def square(digits: str) -> str:
    """Return USI's name of a square that records write as two digits: 76 or ７六 is 7f."""
    file, rank = (int(numeric(digit)) for digit in digits)
    return f"{file}{ROWS[rank - 1]}"


def piece_at(position: Position, name: str) -> str:
    """Return the piece on a square as the board shows it, in upper case; "." if there is none."""
    column, row = squares_of(position).read(name)
    return board_of(position)[row][column].upper()


def shown_rows(
    position: Position, codes: Mapping[str, str], signs: tuple[str, str], empty: str
) -> list[str]:
    """Return the rows of a board, the upper one first: a sign and a code for each piece.

    codes: {piece: code}.  signs: the signs of both players.  empty: the text of an empty square.
    """
    shown = {".": empty}
    for piece, code in codes.items():
        shown[piece], shown[piece.lower()] = (sign + code for sign in signs)
    return ["".join([shown[cell] for cell in row]) for row in board_of(position)[::-1]]


def remarks(comment: str, sign: str = "*") -> list[str]:
    """Return the lines of a comment, each after the sign that marks comments."""
    return [sign + line for line in comment.splitlines()]


def shown_hands(position: Position, codes: Mapping[str, str]) -> list[list[str]]:
    """Return the codes of the pieces in both players' hands."""
    return [[codes[letter.upper()] for letter in hand] for hand in position.hands() or ("", "")]
