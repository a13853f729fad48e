"""Reading and writing FEN, X-FEN and Shredder-FEN.

The reader rejects positions that can't be played: a wrong number of kings, pawns on the first
or last rank, a king that could be captured.  It forgives common errors that don't concern the
board: it drops castling rights without their king and rook, drops an en passant square without its
pawn, and fills in missing fields at the end.  A semicolon and the text after it are ignored.

In standard chess KQkq need a king on the e-file and rooks in the corners.  Castling rights written
as the files of rooks (Shredder-FEN) mean Chess960 castling even if that variant is not chosen.
"""

from __future__ import annotations

from games.base import PositionError
from games.chess.tables import (
    BITS,
    BLACK,
    KING,
    LETTERS,
    PAWN,
    ROOK,
    SQUARE_NAMES,
    castling_targets,
)
from games.texts import write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.chess import Chess
    from games.chess.movegen import CastlingMove
    from games.chess.position import ChessPosition


# The default fields of a FEN, which replace those that are missing at the end of a text.
_DEFAULTS = ["", "w", "-", "-", "0", "1"]

# {character of a row: the squares that it stands for}.
_CELLS = {letter: [LETTERS.index(letter)] for letter in LETTERS.replace(".", "")}
_CELLS.update((str(count), [0] * count) for count in range(1, 9))

LAST_RANKS = (*range(8), *range(56, 64))


class Castling:
    """The castling moves of a set-up.

    rights: the bits 1 and 2 (White, king's and queen's side), 4 and 8 (Black).
    moves: (White's, Black's) moves that these rights allow, whatever else is on the board.
    kept[square]: the rights that survive a move from or to the square.
    """

    def __init__(self, pairs: dict[int, tuple[int, int]]) -> None:
        """Build the castling moves.  pairs: {right: (square of its king, of its rook)}."""
        self.moves: tuple[list[CastlingMove], list[CastlingMove]] = [], []
        self.rights, self.kept = sum(pairs), [15] * 64
        for right, (king, rook) in sorted(pairs.items()):
            side = 0 if right < 4 else 1
            king_to, rook_to = castling_targets(king, rook)
            king_path = range(min(king, king_to), max(king, king_to) + 1)
            rook_path = range(min(rook, rook_to), max(rook, rook_to) + 1)
            empty = sum(BITS[square] for square in {*king_path, *rook_path} - {king, rook})
            way = tuple(square for square in king_path if square not in (king, king_to))
            self.moves[side].append((right, king, rook, empty, way))
            self.kept[king] &= ~right
            self.kept[rook] &= ~right


def read(game: Chess, text: str, chess960: bool) -> tuple[list[int], int, Castling, int, int, int]:
    """Return (board, side, castling, ep, halfmove clock, move number) of a FEN of 1 to 6 fields.

    ep: the square behind a pawn that just advanced two squares, else -1.
    chess960: may KQkq stand for a king and rooks on any files?
    Raises PositionError if the FEN is malformed or the position can't be played.
    """
    fields = text.partition(";")[0].split(None, len(_DEFAULTS))
    if not fields:
        raise PositionError(text, "the position is empty")
    if len(fields) > len(_DEFAULTS):
        raise PositionError(text, f"a FEN has at most {len(_DEFAULTS)} fields")
    fields += _DEFAULTS[len(fields) :]
    board = _read_board(game, fields[0])
    if fields[1] not in ("w", "b"):
        raise PositionError(fields[1], "the side to move must be w or b")
    side = "wb".index(fields[1])
    castling = Castling(_read_castling(fields[2], board, chess960, game.position_class.castles))
    ep = _read_en_passant(fields[3], board, side)
    halfmove_clock, number = _read_count(fields[4], 0), max(_read_count(fields[5], 1), 1)
    return board, side, castling, ep, halfmove_clock, number


def _read_board(game: Chess, text: str) -> list[int]:
    board_text, _, hand = text.partition("[")
    if hand.strip("-]"):
        raise PositionError(text, "this game has no pieces in hand")
    rows = board_text.split("/")
    if len(rows) != 8:
        raise PositionError(text, f"a board has 8 rows, not {len(rows)}")
    board = [piece for row in reversed(rows) for piece in _read_row(row)]
    game.check_board(board, text)
    return board


def check_kings(board: list[int], text: str, kings: Sequence[int] = (KING, KING + BLACK)) -> None:
    """Raise PositionError unless each of these kings is on the board exactly once."""
    for king in kings:
        count = board.count(king)
        if count != 1:
            whose = "each side" if len(kings) == 2 else "Black" if king & BLACK else "White"
            raise PositionError(
                text, f"{whose} must have one king, but there are {count} {LETTERS[king]}"
            )


def check_pawns(board: list[int], text: str, squares: Sequence[int] = LAST_RANKS) -> None:
    """Raise PositionError if a pawn stands on one of the squares."""
    for square in squares:
        if board[square] & 7 == PAWN:
            raise PositionError(text, f"a pawn can't stand on {SQUARE_NAMES[square]}")


def check_counts(board: list[int], text: str) -> None:
    """Raise PositionError if a side has more pieces than it begins with."""
    for colour in (0, 1):
        pieces = [piece for piece in board if piece and piece >> 3 == colour]
        if len(pieces) > 16 or sum(piece & 7 == PAWN for piece in pieces) > 8:
            raise PositionError(text, "a side has at most 16 pieces, 8 of them pawns")


def _read_row(row: str) -> list[int]:
    for char in row:
        if char not in _CELLS:
            raise PositionError(char, f"is not a piece (in row {row[:40]})")
    squares = [piece for char in row for piece in _CELLS[char]]
    if len(squares) != 8:
        raise PositionError(row, f"a row has 8 squares, not {len(squares)}")
    return squares


def _read_castling(
    text: str, board: list[int], chess960: bool, kind: int
) -> dict[int, tuple[int, int]]:
    """Return {right: (square of the king, of the rook)} of a FEN's castling field.

    kind: the kind of piece that castles; of several such pieces, the one nearest the a-file that
    has a suitable rook castles.
    Letters without a king and a rook on suitable squares are left out.
    """
    pairs: dict[int, tuple[int, int]] = {}
    for char in "" if text == "-" else text:
        letter, side = char.lower(), 0 if char.isupper() else 1
        if letter not in "abcdefghkq":
            raise PositionError(
                text, "castling rights must be - or letters of KQkq or of the rooks' files"
            )
        for king in range(56 * side, 56 * side + 8):
            if board[king] != kind + BLACK * side:
                continue
            rook = _castling_rook(letter, king, side, chess960, board)
            if rook is not None:
                pairs[(1 if rook > king else 2) << 2 * side] = king, rook
                break
    return pairs


def _castling_rook(
    letter: str, king: int, side: int, chess960: bool, board: list[int]
) -> int | None:
    """Return the square of the rook that a castling letter means: the outermost of several."""
    first = 56 * side
    squares: Sequence[int] = ()
    if letter in "abcdefgh":
        squares = (first + "abcdefgh".index(letter),)
    elif chess960:
        squares = range(first + 7, king, -1) if letter == "k" else range(first, king)
    elif king == first + 4:
        squares = (first + 7,) if letter == "k" else (first,)
    return next((at for at in squares if board[at] == ROOK + BLACK * side), None)


def _read_en_passant(text: str, board: list[int], side: int) -> int:
    """Parse the en passant field of a FEN; return -1 if no pawn can just have passed the square.

    Raises PositionError if the field is malformed.
    """
    if text == "-":
        return -1
    if text not in SQUARE_NAMES:
        raise PositionError(text, "is not an en passant square")
    if text[1] != ("3" if side else "6"):
        return -1
    square = SQUARE_NAMES.index(text)
    step = -8 if side else 8
    pawn = PAWN + (0 if side else BLACK)
    is_possible = board[square - step] == pawn and not (board[square] or board[square + step])
    return square if is_possible else -1


def _read_count(text: str, default: int) -> int:
    """Parse a counter of a FEN; `-`, which some board editors write, means `default`."""
    if text == "-":
        return default
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise PositionError(text, "is not a number of moves")
    return int(text)


def write(position: ChessPosition) -> str:
    """Return the FEN of a position.

    As in X-FEN, castling with a rook that is not the outermost is written as the rook's file.
    In standard chess, the file is also written if the king or the rook is not on its usual square,
    since the FEN could not be read back otherwise.
    """
    ep = SQUARE_NAMES[position.ep] if position.ep >= 0 else "-"
    return (
        f"{write_board(position.board()[::-1])} {'wb'[position.side]} "
        f"{_write_castling(position)} {ep} "
        f"{position.halfmove_clock} {position.fullmove_number}"
    )


def _write_castling(position: ChessPosition) -> str:
    out = ""
    for side in (0, 1):
        for right, king, rook, _, _ in position.castling.moves[side]:
            if not position.rights & right:
                continue
            letter = "k" if rook > king else "q"
            if _castling_rook(letter, king, side, position.chess960, position.squares) != rook:
                letter = SQUARE_NAMES[rook][0]
            out += letter if side else letter.upper()
    return out or "-"
