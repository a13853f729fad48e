"""Reading and writing positions: SFEN, and Fairy-Stockfish's FEN, which has hands in brackets.

The reader rejects positions that can't occur: wrong kings, more pieces than the set has, a piece
that could never move, two unpromoted pawns of a player on a file.  A player may have no king, as
the attacker in most mating problems.
"""

from __future__ import annotations

import re

from games.base import PositionError
from games.shogi.tables import (
    BISHOP,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    LETTERS,
    PAWN,
    PIECES,
    PROMOTED,
    ROOK,
    SILVER,
    WHITE,
    letters_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.shogi import Shogi

# The kinds in the order in which SFEN lists a hand.
HAND_ORDER = ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN
_NAMES = "", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king"


def read(game: Shogi, text: str) -> tuple[list[int], list[int], int, int]:
    """Return (board, hands, side, move number) of a text.

    Fields that are missing at the end are filled in.  Raises PositionError.
    """
    board_text, *words = text.split() or [""]
    if not board_text:
        raise PositionError(text, "the position is empty")
    if "[" in board_text:
        board_text, _, hand_text = board_text.partition("[")
        if hand_text[-1:] != "]":
            raise PositionError(hand_text[:40], "is not a hand, as in [RPp]")
        names, hand = "wb", [(letter, 1) for letter in hand_text[:-1].replace("-", "")]
        side, number = _read_side(words[:1], names), _read_numbers(words[1:])
        number = 2 * number - 1 + side
    else:
        if len(words) > 3:
            raise PositionError(text, f"an SFEN has at most 4 fields, not {len(words) + 1}")
        names, hand = "bw", _read_hand(words[1] if len(words) > 1 else "-")
        side, number = _read_side(words[:1], names), _read_numbers(words[2:])
    rows = board_text.split("/")
    if len(rows) != game.size:
        raise PositionError(board_text, f"a board has {game.size} rows, not {len(rows)}")
    board: list[int] = []
    for row in reversed(rows):
        board += _read_row(row, game.size)
    hands = [0] * PIECES
    for letter, count in hand:
        piece = _piece(letter)
        if not piece & 7:
            raise PositionError(letter, "can't be in hand")
        hands[piece] += count
    _check(game, board, hands, text)
    return board, hands, side, number


def _read_side(words: Sequence[str], names: str) -> int:
    if not words:
        return 0
    if words[0] not in (names[0], names[1]):
        raise PositionError(words[0], f"the side to move must be {names[0]} or {names[1]}")
    return names.index(words[0])


def _read_numbers(words: Sequence[str]) -> int:
    """Return the number of the move, which is the last of the words; 1 if there is none."""
    for word in words:
        if word != "-" and not (word.isascii() and word.isdigit() and len(word) < 6):
            raise PositionError(word, "is not a number of moves")
    if len(words) > 4:
        raise PositionError(" ".join(words), "there are too many fields")
    return max(int(words[-1]), 1) if words and words[-1] != "-" else 1


def _read_hand(text: str) -> list[tuple[str, int]]:
    """Return [(letter, count)] of SFEN's hands, such as `2P3p` or `-`."""
    if text == "-":
        return []
    if not re.fullmatch("([1-9][0-9]?)?[A-Za-z](([1-9][0-9]?)?[A-Za-z])*", text):
        raise PositionError(text, "is not a hand, as in RB2Pp or -")
    found = re.findall("([0-9]{0,2})([A-Za-z])", text)
    return [(letter, int(count or 1)) for count, letter in found]


def _piece(letter: str) -> int:
    """Return the piece of a letter.  Raises PositionError if no piece has it."""
    kind = LETTERS.find(letter.upper())
    if kind < 1:
        raise PositionError(letter, "is not a piece")
    return kind + WHITE * letter.islower()


def _read_row(row: str, size: int) -> list[int]:
    cells: list[int] = []
    for sign, char in re.findall("([+]?)(.)", row):
        if char in "123456789" and not sign:
            cells += [0] * int(char)
            continue
        piece = _piece(char)
        if sign and piece & 15 >= GOLD:
            raise PositionError(sign + char, "can't be promoted")
        cells.append(piece + PROMOTED * bool(sign))
    if len(cells) != size or row.endswith("+"):
        raise PositionError(row, f"a row has {size} squares, not {len(cells)}")
    return cells


def _check(game: Shogi, board: list[int], hands: list[int], text: str) -> None:
    """Raise PositionError if a position with these pieces can't occur."""
    kings = [board.count(KING), board.count(KING + WHITE)]
    for king, count in zip(kings, (KING, KING + WHITE)):
        if king > 1:
            raise PositionError(text, f"there are {king} {letters_of(count)}: a side has one king")
    if not any(kings):
        raise PositionError(text, "there is no king")
    for kind, most in enumerate(game.counts_of_kinds):
        on_board = sum(piece & 7 == kind and piece != 0 for piece in board) if kind else 0
        count = on_board + hands[kind] + hands[kind + WHITE]
        if count > most:
            raise PositionError(text, f"there are {count} {_NAMES[kind]}s, but a set has {most}")
    drops, names = game.geometry.drops, game.squares(game.size, game.size)
    for square, piece in enumerate(board):
        where = names.name((square % game.size, square // game.size))
        if piece and not drops[piece][square]:
            raise PositionError(text, f"a {_NAMES[piece & 15]} on {where} could never move")
        if piece & 15 == PAWN and piece in board[square % game.size : square : game.size]:
            raise PositionError(text, f"{where} is the second pawn of a player on its file")


def write_board(rows: Sequence[Sequence[str]]) -> str:
    """Return the board's part of an SFEN.  rows: letters of pieces and `.`, top row first."""
    text = "/".join("".join(row) for row in rows)
    return re.sub("[.]+", lambda run: str(len(run[0])), text)


def write_hands(hands: Sequence[int]) -> str:
    """Return the hands' part of an SFEN."""
    text = ""
    for colour in (0, WHITE):
        for kind in HAND_ORDER:
            count = hands[kind + colour]
            if count:
                text += (str(count) if count > 1 else "") + letters_of(kind + colour)
    return text or "-"
