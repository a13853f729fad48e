"""The readers of the texts of positions and moves.

A position is read as SFEN, and as Fairy-Stockfish's FEN, which has hands in brackets.  The reader
rejects positions that can't occur: wrong kings, more pieces than the set has, a piece that could
never move, two unpromoted pawns of a player on a file.  A player may have no king, as the attacker
in most mating problems.

Moves are read in the notations of USI and of Fairy-Stockfish.
"""

from __future__ import annotations

import re

from games.base import MoveError, PositionError
from games.shogi.tables import (
    DROP,
    GOLD,
    KINDS,
    KING,
    LETTERS,
    PAWN,
    PIECES,
    PROMOTE,
    PROMOTED,
    TO_SHIFT,
    WHITE,
    geometry,
    letters_of,
)
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.shogi import Shogi
    from games.shogi.position import ShogiPosition

_NAMES = "", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king"
_PIECES = {letters_of(piece): piece for piece in range(PIECES) if 0 < piece & 15 < PROMOTED + GOLD}
_PIECES["."] = 0

# ---- positions -----------------------------------------------------------------------


def read_position(game: Shogi, text: str) -> tuple[list[int], list[int], int, int]:
    """Parse a text as (board, hands, side, move number).

    Fields that are missing at the end are filled in.  Raises PositionError.
    """
    board_text, *words = text.split() or [""]
    if not board_text:
        raise PositionError(text, "the position is empty")
    board_text, bracket, pocket = board_text.partition("[")
    names, most_numbers = (("w", "b"), 4) if bracket else (("b", "w"), 1)
    words = words or [names[0]]
    if bracket:
        if pocket[-1:] != "]":
            raise PositionError(pocket[:40], "is not a hand: expected pieces, such as [RPp]")
        words.insert(1, pocket[:-1] or "-")
    side_name, hand, *numbers = words if words[1:] else [*words, "-"]
    if side_name not in names:
        raise PositionError(side_name, f"the side to move must be {names[0]} or {names[1]}")
    if len(numbers) > most_numbers:
        known = "board[hands], side and 4 more" if bracket else "board, side, hands and move number"
        raise PositionError(text, f"there are too many fields: expected {known}")
    side, number = names.index(side_name), _read_number(numbers)
    rows = board_text.split("/")
    if len(rows) != game.size:
        raise PositionError(board_text, f"a board has {game.size} rows, not {len(rows)}")
    board = [piece for row in reversed(rows) for piece in _read_row(row, game.size)]
    hands = _read_hand(hand)
    _check(game, board, hands, text)
    return board, hands, side, 2 * number - 1 + side if bracket else number


def _read_number(words: Sequence[str]) -> int:
    """Return the move number, which is the last of the words; 1 if there are no words."""
    for word in words:
        if word != "-" and not (word.isascii() and word.isdigit() and len(word) < 6):
            raise PositionError(word, "is not a number of moves")
    return max(int(words[-1]), 1) if words and words[-1] != "-" else 1


def _read_hand(text: str) -> list[int]:
    """Parse hands such as `2P3p` or `-`; return the number of each piece."""
    if not re.fullmatch("-|(([1-9][0-9]?)?[A-Za-z])+", text):
        raise PositionError(text, "is not a hand: expected pieces, such as RB2Pp, or -")
    hands = [0] * PIECES
    for count, letter in re.findall("([0-9]{0,2})([A-Za-z])", text):
        piece = _piece(letter)
        if not piece & 7:
            raise PositionError(letter, "can't be in hand")
        hands[piece] += int(count or 1)
    return hands


def _piece(letters: str) -> int:
    """Return the piece with these letters, 0 for `.`.  Raises PositionError if there is none."""
    if letters not in _PIECES:
        raise PositionError(letters, "can't be promoted" if letters[1:] else "is not a piece")
    return _PIECES[letters]


def _read_row(row: str, size: int) -> list[int]:
    spread = re.sub("(?<![+])[1-9]", lambda run: "." * int(run[0]), row)
    cells = [_piece(letters) for letters in re.findall("[+]?.", spread)]
    if len(cells) != size:
        raise PositionError(row, f"a row has {size} squares, not {len(cells)}")
    return cells


def _check(game: Shogi, board: list[int], hands: list[int], text: str) -> None:
    """Raise PositionError if a position with these pieces can't occur."""
    for king in (KING, KING + WHITE):
        if (count := board.count(king)) > 1:
            raise PositionError(text, f"there are {count} {letters_of(king)}: a side has one king")
    if KING not in board and KING + WHITE not in board:
        raise PositionError(text, "there is no king")
    kinds = [piece & 7 for piece in board]
    for kind in KINDS:
        count = kinds.count(kind) + hands[kind] + hands[kind + WHITE]
        most = game.start_text.split()[0].upper().count(LETTERS[kind])
        if count > most:
            raise PositionError(text, f"there are {count} {_NAMES[kind]}s, but a set has {most}")
    places, names = geometry(game.size).places, game.squares(game.size, game.size)
    for square, piece in enumerate(board):
        where = names.name((square % game.size, square // game.size))
        if piece and not places[piece] >> square & 1:
            raise PositionError(text, f"a {_NAMES[piece & 15]} on {where} could never move")
        if piece & 15 == PAWN and piece in board[square % game.size : square : game.size]:
            raise PositionError(text, f"{where} is the second pawn of a player on its file")


# ---- moves ---------------------------------------------------------------------------


def read_move(position: ShogiPosition, text: str) -> int:
    """Parse a move, legal or not, in USI's or Fairy-Stockfish's form; return -1 for other texts.

    `=` after a move, as some programs write, means that the piece isn't promoted.
    """
    first, mark = text[:2], text[4:]
    if mark not in ("", "+", "="):
        return -1
    size, square = position.game.size, position.geometry.square
    for kind_of_names in (position.game.squares, Squares):
        names = kind_of_names(size, size)
        try:
            to = square(names.read(text[2:4]))
            if first[1:] in ("*", "@"):
                kind = LETTERS.find(first[0].upper())
                return to << TO_SHIFT | DROP + kind if 0 < kind < KING and not mark else -1
            start = square(names.read(first))
        except MoveError:
            continue
        return start | to << TO_SHIFT | PROMOTE * (mark == "+")
    return -1
