"""The texts of shogi: positions, and moves in four notations.

A position is read and written as SFEN, and as Fairy-Stockfish's FEN, which has hands in brackets.
The reader rejects positions that can't occur: wrong kings, more pieces than the set has, a piece
that could never move, two unpromoted pawns of a player on a file.  A player may have no king, as
the attacker in most mating problems.

Moves are written in the notations of USI and of Fairy-Stockfish, in Western notation, and as in
Japanese records.
"""

from __future__ import annotations

import re

from games.base import MoveError, PositionError
from games.shogi.tables import (
    DROP,
    FROM_TO,
    FROM_TO_MASK,
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
    letters_of,
)
from games.texts import Squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.shogi import Shogi
    from games.shogi.position import ShogiPosition

_HAND_ORDER = "RBGSNLP"  # the order in which SFEN lists a hand
_NAMES = "", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king"
_DIGITS = str.maketrans("abcdefghi", "123456789")
_JAPANESE = str.maketrans("123456789abcdefghi", "１２３４５６７８９一二三四五六七八九")
# By piece of Black: its characters in records.
_KANJI = (
    *("", "歩", "香", "桂", "銀", "角", "飛", "金", "玉"),
    *("と", "成香", "成桂", "成銀", "馬", "竜", ""),
)

# ---- positions -----------------------------------------------------------------------


def read_position(game: Shogi, text: str) -> tuple[list[int], list[int], int, int]:
    """Return (board, hands, side, move number) of a text.

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
    """Return the number of the move, which is the last of the words; 1 if there is none."""
    for word in words:
        if word != "-" and not (word.isascii() and word.isdigit() and len(word) < 6):
            raise PositionError(word, "is not a number of moves")
    return max(int(words[-1]), 1) if words and words[-1] != "-" else 1


def _read_hand(text: str) -> list[int]:
    """Return the number of each piece in the hands of a text such as `2P3p` or `-`."""
    if not re.fullmatch("-|(([1-9][0-9]?)?[A-Za-z])+", text):
        raise PositionError(text, "is not a hand: expected pieces, such as RB2Pp, or -")
    hands = [0] * PIECES
    for count, letter in re.findall("([0-9]{0,2})([A-Za-z])", text):
        piece = _piece(letter)
        if not piece & 7:
            raise PositionError(letter, "can't be in hand")
        hands[piece] += int(count or 1)
    return hands


def _piece(letter: str) -> int:
    """Return the piece of a letter, 0 for `.`.  Raises PositionError if no piece has it."""
    kind = LETTERS.find(letter.upper())
    if kind < 0:
        raise PositionError(letter, "is not a piece")
    return kind + WHITE * letter.islower()


def _read_row(row: str, size: int) -> list[int]:
    cells: list[int] = []
    spread = re.sub("(?<![+])[1-9]", lambda run: "." * int(run[0]), row)
    for sign, letter in re.findall("([+]?)(.)", spread):
        piece = _piece(letter)
        if sign and not 0 < piece & 15 < GOLD:
            raise PositionError(sign + letter, "can't be promoted")
        cells.append(piece + PROMOTED * bool(sign))
    if len(cells) != size or row.endswith("+"):
        raise PositionError(row, f"a row has {size} squares, not {len(cells)}")
    return cells


def _check(game: Shogi, board: list[int], hands: list[int], text: str) -> None:
    """Raise PositionError if a position with these pieces can't occur."""
    kings = {king: board.count(king) for king in (KING, KING + WHITE)}
    for king, count in kings.items():
        if count > 1:
            raise PositionError(text, f"there are {count} {letters_of(king)}: a side has one king")
    if not any(kings.values()):
        raise PositionError(text, "there is no king")
    kinds = [piece & 7 for piece in board]
    for kind in KINDS:
        count = kinds.count(kind) + hands[kind] + hands[kind + WHITE]
        most = game.counts_of_kinds[kind]
        if count > most:
            raise PositionError(text, f"there are {count} {_NAMES[kind]}s, but a set has {most}")
    places, names = game.geometry.places, game.squares(game.size, game.size)
    for square, piece in enumerate(board):
        where = names.name((square % game.size, square // game.size))
        if piece and not places[piece] >> square & 1:
            raise PositionError(text, f"a {_NAMES[piece & 15]} on {where} could never move")
        if piece & 15 == PAWN and piece in board[square % game.size : square : game.size]:
            raise PositionError(text, f"{where} is the second pawn of a player on its file")


def in_hand(hands: Sequence[int], colour: int) -> str:
    """Return the letters of the pieces in a hand, such as "RPP"; colour: 0 or WHITE."""
    pieces = [LETTERS.index(letter) + colour for letter in _HAND_ORDER]
    return "".join([letters_of(piece) * hands[piece] for piece in pieces])


def write_hands(hands: Sequence[int]) -> str:
    """Return the hands' part of an SFEN."""
    both = in_hand(hands, 0) + in_hand(hands, WHITE)
    return re.sub(r"(.)\1+", lambda run: f"{len(run[0])}{run[1]}", both) or "-"


# ---- moves ---------------------------------------------------------------------------


def coordinates(position: ShogiPosition, move: int, fairy: bool = False) -> str:
    """Return a move in USI's notation: 7g7f, 8h2b+, P*5e.

    fairy: in Fairy-Stockfish's, in which the lower left corner is a1: c3c4, b2h8+, P@e5.
    """
    kind, sign = (Squares, "@") if fairy else (position.game.squares, "*")
    names, cell = kind(position.game.size, position.game.size), position.geometry.cell
    start, to = FROM_TO[move & FROM_TO_MASK]
    name = names.name(cell(to))
    if start >= DROP:
        return f"{LETTERS[start - DROP]}{sign}{name}"
    return names.name(cell(start)) + name + "+" * (move >= PROMOTE)


def read_move(position: ShogiPosition, text: str) -> int:
    """Return the move of a text, legal or not; -1 if it isn't in a notation of coordinates().

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


def western(position: ShogiPosition, move: int) -> str:
    """Return a legal move in Western notation: P-7f, Bx2b+, Sx7g=, N*4e, G6i-5h."""
    start, to = FROM_TO[move & FROM_TO_MASK]
    text = coordinates(position, move)
    if start >= DROP:
        return text
    origin = text[:2] if _ambiguous(position, move) else ""
    sign = "x" if position.squares[to] else "-"
    piece = letters_of(position.squares[start] & 15)
    return f"{piece}{origin}{sign}{text[2:4]}{_mark(position, move)}"


def _mark(position: ShogiPosition, move: int, yes: str = "+", no: str = "=") -> str:
    """Return the mark of a promotion, or of one that was declined; "" if none was possible."""
    if move & PROMOTE:
        return yes
    start, to = FROM_TO[move & FROM_TO_MASK]
    promoting = start < DROP and position.geometry.promotions[position.squares[start]][start]
    return no if promoting and promoting >> to & 1 else ""


def _ambiguous(position: ShogiPosition, move: int) -> bool:
    """Can another piece of the same kind go to the same square?"""
    start, to = FROM_TO[move & FROM_TO_MASK]
    piece = start - DROP if start >= DROP else position.squares[start] & 15
    return any(
        position.squares[other] & 15 == piece
        for other, target in (FROM_TO[other & FROM_TO_MASK] for other in position.playable_moves())
        if target == to and other != start and other < DROP
    )


def kif(position: ShogiPosition, move: int) -> str:
    """Return a legal move as Japanese records show it: ▲７六歩, △２二角成, ▲同銀, △５五歩打.

    If another piece of the kind can go to the same square, the origin follows: ▲５八金(69).
    """
    start, to = FROM_TO[move & FROM_TO_MASK]
    text, drop = coordinates(position, move), start >= DROP
    last = position.undo_stack[-1][0] if position.undo_stack else 0
    again = last and last >> TO_SHIFT & 127 == to
    where = "同" if again else text[2:4].translate(_JAPANESE)
    piece = _KANJI[start - DROP if drop else position.squares[start] & 15]
    origin = ""
    if _ambiguous(position, move):
        origin = "打" if drop else f"({text[:2].translate(_DIGITS)})"
    mark = _mark(position, move, "成", "不成")
    return f"{'▲△'[position.side]}{where}{piece}{mark}{origin}"
