"""The moves that a Connect Four search chooses from, with bounds of their scores: at first what the book knows."""
from __future__ import annotations

from games.connect4.bits import BOARD, count_bits, landing_cell, play, winning_cells
from games.connect4.solver import ordered_columns


class RootMove:
    """A move at the root: its column, and the bounds of its score."""

    __slots__ = ("column", "low", "high")

    def __init__(self, column, low, high):
        self.column, self.low, self.high = column, low, high

    def narrow(self, low, high):
        """The score is known to be within low..high, too."""
        self.low, self.high = max(self.low, low), min(self.high, high)


def bounded_moves(mine, mask, columns, book):
    """The moves in `columns`, likely good ones first, and the one that the book plays (None where it has none).

    book: a Book, or None.
    """
    left = count_bits(BOARD ^ mask)
    low, high = -(left >> 1), left + 1 >> 1
    winning = winning_cells(mine, mask)
    moves = [RootMove(column, high if winning & landing_cell(mask, column) else low, high)
             for column in ordered_columns(mine, mask) if column in columns]
    book_move = None
    if book is not None:
        for move in moves:
            bounds = book.bounds(*play(mine, mask, move.column)) if move.low < high else None
            if bounds is not None:
                move.narrow(-bounds[1], -bounds[0])
        book_move = _trust_entry(book.entry(mine, mask), moves, low)
    return sorted(moves, key=lambda move: -move.low), book_move


def _trust_entry(entry, moves, lowest):
    """The move that the book's entry of the position itself names: no other is better, and it comes first.

    Where only the winner is known the book goes on behind it alone, and what it says for other moves is left aside:
    after those the opponent's next mistake might be hard to see.
    """
    book_move = None
    if entry is not None:
        low, high, column = entry
        for move in moves:
            move.high = min(move.high, high)
            if move.column == column:
                book_move = move
                move.low = max(move.low, low)
            elif low < high:
                move.low = lowest
        moves.sort(key=lambda move: move.column != column)
    return book_move


def all_known(moves, wanted):
    """Are the scores of the best `wanted` moves known already?"""
    if wanted > 1:
        return all(move.low == move.high for move in moves)
    return moves[0].low == max(move.high for move in moves)


def most_promising(moves):
    """The columns of the moves that may still win; where there is none, of those that may draw; else of all."""
    for least in (1, 0):
        columns = [move.column for move in moves if move.high >= least]
        if columns:
            return columns
    return [move.column for move in moves]
