"""Pieces in hand: their counts, their values, the drops, and their text.

A FEN has the hands after the board, as `[QNp]` or `/QNp`, and `~` after a piece that was a pawn.
"""

from __future__ import annotations

import re

from games.base import PositionError
from games.chess.evaluation import ChessNetwork
from games.chess.moves import Mover, key_change
from games.chess.tables import (
    BLACK,
    COMMONER,
    DROP,
    LETTERS,
    NOWHERE,
    PAWN,
    PIECE_KEYS,
    PROMOTION_SHIFT,
    QUEEN,
    SQUARE_NAMES,
)
from games.chess.variants.position import VariantPosition
from games.keys import zobrist
from games.texts import write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Self

    from games.chess.evaluation import Table
    from games.chess.moves import Placed
    from games.ordering import PieceHistory

# The kinds of pieces that may be in hand.
KINDS = range(PAWN, QUEEN + 1)
# In Changes (games/chess/moves.py), hands and marks appear as pieces on squares off the board.  If
# `count` pieces of a kind are in hand, such a piece is on the square HAND + count.  If the piece on
# a square was a pawn, a MARK is on MARKS + square.
HAND, MAX_HAND = NOWHERE, 64
MARK, MARKS = COMMONER, HAND + 1
for _piece, _keys in enumerate(PIECE_KEYS):  # the key of an empty hand is 0
    _keys += [0, *zobrist(40 + _piece, MAX_HAND)]
# Centipawns of a piece in hand, by its kind.
_IN_HAND = 0, 100, 250, 240, 300, 550
# By kind: the squares for drops.  Pawns are not dropped on the first and the last rank.
_DROP_SQUARES = [[], range(8, 56), *[range(64)] * 4]


class HandNetwork(ChessNetwork):
    """Chess's network, whose tables also have the values of pieces in hand."""

    def _new_table(self, count: int) -> Table:
        table = super()._new_table(count)
        if len(table[PAWN]) == 64:  # extend it once, since boards of a phase share it
            table[MARK] = [0] * (MARKS + 64)
            for side in (0, 1):
                for kind in KINDS:
                    value = self.bonus(-_IN_HAND[kind] if side else _IN_HAND[kind])
                    table[kind + BLACK * side] += [count * value for count in range(MAX_HAND + 1)]
        return table


def drops(
    position: HandPosition, side: int, history: PieceHistory, targets: list[int] | None = None
) -> list[int]:
    """Return the drops of a side, each plus its history score.

    targets[piece]: a bitboard of the squares to which drops are generated; all by default.
    """
    board = position.squares
    hands = position.hand_counts
    out = []
    for kind in KINDS:
        piece = kind + BLACK * side
        if hands[piece]:
            scores, wanted = history[piece], -1 if targets is None else targets[piece]
            drop = DROP | kind << PROMOTION_SHIFT
            out += [
                scores[to] + (drop | to << 6 | to)
                for to in _DROP_SQUARES[kind]
                if not board[to] and wanted >> to & 1
            ]
    return out


class HandMover(Mover):
    """Chess's Mover, which also changes the hands and the marks."""

    def __init__(self, position: HandPosition) -> None:
        super().__init__(position)
        hands = position.hand_counts
        exchange_on_board = self.exchange

        def exchange(gone: Placed, new: Placed) -> None:
            exchange_on_board(gone, new)
            for piece, at in gone + new:
                if piece == MARK:
                    position.promoted ^= 1 << at - MARKS
            for piece, at in new:
                if at >= HAND and piece != MARK:
                    hands[piece] = at - HAND

        self.exchange = exchange


class HandPosition(VariantPosition):
    """A position with pieces in hand.

    hand_counts[piece]: the number of these pieces in hand.
    promoted: a bitboard of the promoted pieces, which go into a hand as pawns.
    """

    mover_class = HandMover  # type: ignore[assignment]  # for this class only
    promoted = 0

    def __init__(self, *setup: Any) -> None:
        self.hand_counts = [0] * 16
        super().__init__(*setup)

    def copy(self) -> Self:
        twin = super().copy()
        twin.hand_counts[:], twin.promoted = self.hand_counts, self.promoted
        return twin

    def set_hands(self, counts: list[int], promoted: int) -> None:
        """Set the counts in hand, by piece, and the bitboard of promoted pieces."""
        self.hand_counts[:], self.promoted = counts, promoted
        marked = [(MARK, MARKS + at) for at in range(64) if promoted >> at & 1]
        in_hand = [(piece, HAND + count) for piece, count in enumerate(counts) if count]
        self.key ^= key_change((tuple(marked), tuple(in_hand)))

    def extra(self) -> int:
        bonus, hands = self.network().bonus, self.hand_counts
        return sum(bonus(_IN_HAND[kind] * (hands[kind] - hands[kind + BLACK])) for kind in KINDS)

    # ---- text ------------------------------------------------------------------------

    def hands(self) -> tuple[str, str]:
        held = [letter * count for letter, count in zip(LETTERS, self.hand_counts)]
        return "".join(held[QUEEN:0:-1]), "".join(held[QUEEN + BLACK : BLACK : -1])

    def text(self) -> str:
        letters, fields = "".join(self.board()), super().text().split(" ", 1)[1]
        cells = [letter + "~" * (self.promoted >> at & 1) for at, letter in enumerate(letters)]
        rows = [cells[first : first + 8] for first in range(56, -8, -8)]
        return f"{write_board(rows)}[{''.join(self.hands())}] {fields}"

    def move_text(self, move: int) -> str:
        if move & DROP == DROP:
            kind, to = move >> PROMOTION_SHIFT & 7, move >> 6 & 63
            return f"{LETTERS[kind]}@{SQUARE_NAMES[to]}"
        return super().move_text(move)


def read_hands(text: str) -> tuple[str, list[int], int]:
    """Return (FEN without hands and marks, counts in hand by piece, bitboard of marked pieces).

    Raises PositionError if the hands are malformed.
    """
    first, _, rest = text.strip().partition(" ")
    rows, _, hands = first.partition("[") if "[" in first else (first, "", "]")
    if first.count("/") == 8 and "[" not in first:
        rows, hands = first.rsplit("/", 1)
        hands += "]"
    # XBoard writes `-` for an empty hand; Cute Chess writes counts: `3P`.
    hands = hands.replace("-", "")
    hands = re.sub(r"(\d{1,2})([a-zA-Z])", lambda run: run[2] * int(run[1]), hands)
    counts = [hands[:-1].count(letter) for letter in LETTERS]
    known = sum(counts[kind + own] for kind in KINDS for own in (0, BLACK))
    if hands[-1:] != "]" or known != len(hands) - 1:
        raise PositionError(hands[:40], "is not a hand: expected pieces, such as [QNp]")
    if known + sum(char.isalpha() for char in rows) > MAX_HAND:
        raise PositionError(text, f"there are more than {MAX_HAND} pieces")
    if re.search("(?<![NBRQnbrq])~", rows):
        reason = "has a ~ that doesn't follow a knight, bishop, rook or queen"
        raise PositionError(rows[:60], reason)
    return f"{rows.replace('~', '')} {rest}", counts, _promoted(rows)


def _promoted(rows: str) -> int:
    """Return the bitboard of the pieces that the board of a FEN marks with a `~`."""
    spread = re.sub("[1-8]", lambda run: "." * int(run[0]), rows)
    cells = [cell for row in reversed(spread.split("/")) for cell in re.findall("[^~]~*", row)]
    return sum(1 << square for square, cell in enumerate(cells) if "~" in cell)
