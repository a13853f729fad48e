"""What the formats of shogi share: squares, moves by their two squares, and ends of games."""

from __future__ import annotations

from games.base import MoveError
from games.grid import board_of
from games.texts import squares_of
from protocol.records.builder import Builder
from protocol.records.record import Format, Record, RecordError, Start, starting
from protocol.records.text import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from games.base import Position

    Entry = tuple[int, str]  # offset and text of a statement
    End = tuple[str, int | None, str, str]

GAMES = ("shogi", "minishogi")
ROWS = "abcdefghi"

# Who wins, counted from the side to move at the end.
WINS = 0
LOSES = 1
DRAWS = None
STOPS = -1
# How a game ends: the header Termination, who wins, the word of KIF and that of CSA.  Of the rows
# with the same word, the first one is read.
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
_TERMINATIONS = {name for name, *_ in ENDS}


def result_at(winner: int | None, side: int) -> str:
    """Return the result of a game that ends in one of these ways with `side` to move."""
    if winner is None:
        return "1/2-1/2"
    return "*" if winner == STOPS else ("1-0", "0-1")[side ^ winner]


def termination(record: Record) -> str:
    """Return the header's word for the end of a game; "" if the formats have no such word."""
    name = record.tags.get("Termination", "").lower()
    return name if name in _TERMINATIONS else ""


def end_of(record: Record) -> End:
    """Return the End of a game: from its header, else from its result and last position."""
    position = record.final()
    fitting = [end for end in ENDS if result_at(end[1], position.side) == record.result]
    usual = {
        LOSES: "" if position.playable_moves() else "checkmate",
        WINS: "rules infraction" if position.claim() is None else "entering king",
        DRAWS: "impasse" if position.outcome() is None else "repetition",
        STOPS: "unterminated",
    }
    names = [end[0] for end in fitting]
    said = termination(record)
    return fitting[names.index(said if said and said in names else usual[fitting[0][1]])]


class ShogiFormat(Format):
    """The base of the formats of shogi."""

    games = "shogi"
    encodings = ("cp932", "euc_jp")
    evaluations = False


class ShogiReader:
    """A reader of one game, statement by statement.

    The __init__() of a subclass reads the header and sets `players` and `tags`.  A subclass also
    defines start(), take() and read_move(), and entries() if they aren't the lines of the text.
    A move that can't be played ends its line: the entries after it are skipped, up to an entry that
    `resumes` matches.  broken: are entries being skipped?
    """

    resumes: re.Pattern[str]
    broken = False
    result: str | None = None

    def __init__(self, text: str) -> None:
        self._text = text
        self.players = ["", ""]
        self.tags: dict[str, str] = {}

    def read(self) -> Record:
        """Take all entries, and return the record."""
        with starting():
            self.record = Record(self.start(), (), self.players, tags=self.tags)
        self.builder = Builder(self.record, self.read_move)
        for entry in self.entries():
            if self.broken and not self.resumes.match(entry[1]):
                continue
            try:
                self.take(entry)
            except RecordError as error:
                self.builder.fail(error, entry[0])
                self.broken = True
        return self.builder.finish(self.result)

    def entries(self) -> Iterator[Entry]:
        """Return the entries, which may begin with the header."""
        return lines(self._text)

    def start(self) -> Start:
        """Return the start of the game; raise GameError if it is illegal."""
        raise NotImplementedError

    def take(self, entry: Entry) -> None:
        """Read an entry."""
        raise NotImplementedError

    def read_move(self, position: Position, text: str) -> int:
        """Return the legal move of a text; raise MoveError if it isn't one."""
        raise NotImplementedError

    def end(self, name: str, result: str) -> None:
        """End the main line; `name` is in ENDS.  A record's first end counts."""
        if self.result is None and not self.builder.depth:
            self.result = result
            if name:
                self.record.tags["Termination"] = name


def square(digits: str) -> str:
    """Return USI's name of a square that records write as two digits: 76 is 7f."""
    return digits[0] + ROWS[int(digits[1]) - 1]


def digits(name: str) -> str:
    """Return the two digits of a square of USI: 7f is 76."""
    return name[0] + str(ROWS.index(name[1]) + 1)


def piece_at(position: Position, name: str) -> str:
    """Return the piece on a square as the board shows it, in upper case; "." if there is none."""
    column, row = squares_of(position).read(name)
    return board_of(position)[row][column].upper()


def move_from(position: Position, origin: str, to: str, piece: str) -> int:
    """Return the legal move of a piece between two squares; raise MoveError if there is none.

    piece: as it is after the move, such as +P; if it wasn't promoted before, the move promotes it.
    """
    promotes = piece.startswith("+") and not piece_at(position, origin).startswith("+")
    return position.parse_move(origin + to + "+" * promotes)


def candidates(position: Position, to: str, piece: str) -> list[str]:
    """Return the squares from which a piece, as it is before the move, can go to a square."""
    texts = map(position.move_text, position.playable_moves())
    origins = [text[:2] for text in texts if text[2:4] == to and text[1] != "*"]
    return [each for each in dict.fromkeys(origins) if piece_at(position, each) == piece]


def refuse(text: str) -> MoveError:
    """Return the error for a text that is no move in its format."""
    return MoveError(text, "is not a move")
