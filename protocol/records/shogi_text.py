"""What the formats of shogi share: squares, boards as SFEN, moves by their two squares, results."""

from __future__ import annotations

from collections import Counter

from games.base import MoveError
from games.texts import squares_of
from protocol.records.record import Start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.base import Position

GAMES = ("shogi", "minishogi")
_ROWS = "abcdefghi"

# How a game ends, as the formats say it: who wins, counted from the side to move.
WINS, LOSES, DRAWS, STOPS = 0, 1, None, -1


def result_at(end: int | None, side: int) -> str:
    """Return the result of a game that ends in one of these ways with `side` to move."""
    if end is None:
        return "1/2-1/2"
    return "*" if end == STOPS else ("1-0", "0-1")[side ^ end]


def square(digits: str) -> str:
    """Return USI's name of a square that records write as two digits: 76 is 7f."""
    return digits[0] + _ROWS[int(digits[1]) - 1]


def digits(name: str) -> str:
    """Return the two digits of a square of USI: 7f is 76."""
    return name[0] + str(_ROWS.index(name[1]) + 1)


def piece_at(position: Position, name: str) -> str:
    """Return the piece on a square as the board shows it, in upper case; "." if there is none."""
    board = position.board()
    assert board is not None
    column, row = squares_of(position).read(name)
    return board[row][column].upper()


def move_from(position: Position, origin: str, to: str, piece: str) -> int:
    """Return the legal move of a piece between two squares; raise MoveError if there is none.

    piece: as it is after the move, such as +P; it was promoted by the move if it was not before.
    """
    promotes = piece.startswith("+") and not piece_at(position, origin).startswith("+")
    return position.parse_move(origin + to + "+" * promotes)


def candidates(position: Position, to: str, piece: str) -> list[str]:
    """Return the squares from which a piece, as it is before the move, can go to a square."""
    texts = map(position.move_text, position.playable_moves())
    origins = [text[:2] for text in texts if text[2:4] == to and text[1] != "*"]
    return [each for each in dict.fromkeys(origins) if piece_at(position, each) == piece]


def start_of(cells: Mapping[str, str], hands: tuple[str, str], side: int) -> Start:
    """Return the start of a position.

    cells: {square of USI: piece, the second player's in lower case}.
    hands: the letters of each player's pieces in hand.  Raises GameError if it is impossible.
    """
    rows = []
    for row in _ROWS:
        line = "".join(cells.get(f"{file}{row}", ".") for file in range(9, 0, -1))
        rows.append("".join(str(len(run)) if run[0] == "." else run for run in _runs(line)))
    counts = Counter(hands[0]), Counter(hands[1].lower())
    held = "".join(
        (str(count[each]) if count[each] > 1 else "") + each
        for count, order in zip(counts, ("RBGSNLP", "rbgsnlp"))
        for each in order
        if count[each]
    )
    start = Start(GAMES[0], f"{'/'.join(rows)} {'bw'[side]} {held or '-'} 1")
    usual = start.game.start(start.values())
    text = start.position().text()
    return Start(GAMES[0], None if text == usual.text() else text)


def _runs(line: str) -> list[str]:
    """Return a row as runs of empty cells and single pieces."""
    runs: list[str] = []
    for char in line:
        if char == "." and runs and runs[-1][0] == ".":
            runs[-1] += char
        elif runs and runs[-1] == "+":
            runs[-1] += char
        else:
            runs.append(char)
    return runs


def refuse(text: str) -> MoveError:
    """Return the error for a text that is no move in its format."""
    return MoveError(text, "is not a move")
