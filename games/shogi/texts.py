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

from games.attacks import KingPosition
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
    geometry,
    letters_of,
)
from games.texts import Squares, write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.shogi import Shogi
    from games.shogi.movegen import Change
    from games.shogi.tables import ShogiGeometry

_HAND_ORDER = "RBGSNLP"  # the order in which SFEN lists a hand
_NAMES = "", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king"
_PIECES = {letters_of(piece): piece for piece in range(PIECES) if 0 < piece & 15 < PROMOTED + GOLD}
_PIECES["."] = 0
_DIGITS = str.maketrans("abcdefghi", "123456789")
_JAPANESE = str.maketrans("123456789abcdefghi", "１２３４５６７８９一二三四五六七八九")
# Records name these promoted pieces with two characters.
_LONG_NAMES = str.maketrans({"杏": "成香", "圭": "成桂", "全": "成銀"})

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
        most = game.counts_of_kinds[kind]
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


def read_move(position: ShogiTexts, text: str) -> int:
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


class ShogiTexts(KingPosition):
    """The texts of a position and of its moves."""

    game: Shogi
    geometry: ShogiGeometry
    in_hand: list[int]
    number: int
    undo_stack: list[tuple[Change | None, int]]
    text_name = "Sfen"

    def text(self) -> str:
        """Return the SFEN."""
        both = "".join(self.hands())
        hands = re.sub(r"(.)\1+", lambda run: f"{len(run[0])}{run[1]}", both) or "-"
        return f"{write_board(self.board()[::-1])} {'bw'[self.side]} {hands} {self.number}"

    def fairy_text(self) -> str:
        """Return Fairy-Stockfish's FEN."""
        hands, number = "".join(self.hands()), (self.number + 1) // 2
        return f"{write_board(self.board()[::-1])}[{hands}] {'wb'[self.side]} - - 0 {number}"

    def board(self) -> list[list[str]]:
        size, signs = self.game.size, [letters_of(piece) for piece in self.squares]
        return [signs[first : first + size] for first in range(0, len(signs), size)]

    def hands(self) -> tuple[str, str]:
        return self._hand(0), self._hand(WHITE)

    def _hand(self, colour: int) -> str:
        """Return the letters of the pieces in a hand, such as "RPP"; colour: 0 or WHITE."""
        pieces = [LETTERS.index(letter) + colour for letter in _HAND_ORDER]
        return "".join([letters_of(piece) * self.in_hand[piece] for piece in pieces])

    def move_text(self, move: int) -> str:
        return self._coordinates(move, self.game.squares, "*")

    def fairy_move(self, move: int) -> str:
        return self._coordinates(move, Squares, "@")

    def _coordinates(self, move: int, kind: type[Squares], sign: str) -> str:
        """Return the text of a move: both squares, named by `kind`.  sign: the mark of a drop."""
        names, cell = kind(self.game.size, self.game.size), self.geometry.cell
        start, to = FROM_TO[move & FROM_TO_MASK]
        name = names.name(cell(to))
        if start >= DROP:
            return f"{LETTERS[start - DROP]}{sign}{name}"
        return names.name(cell(start)) + name + "+" * (move >= PROMOTE)

    def notations(self) -> dict[str, Callable[[int], str]]:
        return {"western": self.notation, "kif": self._kif, "usi": self.move_text}

    def notation(self, move: int) -> str:
        """Return a legal move in Western notation: P-7f, Bx2b+, Sx7g=, N*4e, G6i-5h."""
        start, to = FROM_TO[move & FROM_TO_MASK]
        text = self.move_text(move)
        if start >= DROP:
            return text
        origin = text[:2] if self._ambiguous(move) else ""
        sign = "x" if self.squares[to] else "-"
        piece = letters_of(self.squares[start] & 15)
        return f"{piece}{origin}{sign}{text[2:4]}{self._mark(move)}"

    def _kif(self, move: int) -> str:
        """Return a legal move as Japanese records show it: ▲７六歩, △２二角成, ▲同銀, △５五歩打.

        If another piece of the kind can go to the same square, the origin follows: ▲５八金(69).
        """
        start, to = FROM_TO[move & FROM_TO_MASK]
        text, drop = self.move_text(move), start >= DROP
        last = self.undo_stack[-1][0] if self.undo_stack else None
        where = "同" if last and last[1] == to else text[2:4].translate(_JAPANESE)
        piece = letters_of(start - DROP if drop else self.squares[start] & 15)
        name = self.game.looks.symbols[piece].translate(_LONG_NAMES)
        origin = ""
        if self._ambiguous(move):
            origin = "打" if drop else f"({text[:2].translate(_DIGITS)})"
        return f"{'▲△'[self.side]}{where}{name}{self._mark(move, '成', '不成')}{origin}"

    def _mark(self, move: int, yes: str = "+", no: str = "=") -> str:
        """Return the mark of a promotion, or of one that was declined; "" if none was possible."""
        if move & PROMOTE:
            return yes
        start, to = FROM_TO[move & FROM_TO_MASK]
        promoting = start < DROP and self.geometry.promotions[self.squares[start]][start]
        return no if promoting and promoting >> to & 1 else ""

    def _ambiguous(self, move: int) -> bool:
        """Can another piece of the same kind go to the same square?"""
        start, to = FROM_TO[move & FROM_TO_MASK]
        piece = start - DROP if start >= DROP else self.squares[start] & 15
        moves = [FROM_TO[other & FROM_TO_MASK] for other in self.playable_moves()]
        others = {other for other, target in moves if target == to} - {start}
        return any(self.squares[other] & 15 == piece for other in others if other < DROP)
