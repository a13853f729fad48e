"""Attacks on the kings of a board: checks, pins, discovered checks, legal and illegal moves.

The functions serve games in which a king must not be captured.  They use the tables of
games/geometry.py.
"""

from __future__ import annotations

from games.base import Position, PositionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.geometry import Geometry
    from games.types import Cell

    Pieces = tuple[dict[int, int], dict[int, int]]


class Attacks:
    """The functions that find attacks on a board; the board may change between calls."""

    def __init__(self, position: KingPosition) -> None:
        """Build the functions for the board and the geometry of a position."""
        board, geometry = position.squares, position.geometry
        lines = geometry.lines
        jumps = geometry.jumps
        jumpers = geometry.jumpers
        attacks = geometry.attacks
        through = geometry.through
        half = geometry.half

        def is_attacked(square: int, by: int) -> bool:
            """Does side `by` attack the square?"""
            for near, far, first, rest in lines[by][square]:
                piece = board[first]
                if piece:
                    if near[piece]:
                        return True
                else:
                    for at in rest:
                        piece = board[at]
                        if piece:
                            if far[piece]:
                                return True
                            break
            jumping = jumpers[by]
            for at in jumps[by][square]:
                if jumping[board[at]] and attacks[board[at]][at][square]:
                    return True
            return False

        def attackers(square: int, by: int) -> list[tuple[int, int]]:
            """Return the attackers of side `by`: [(square, bitboard of the squares in between)]."""
            jumping = jumpers[by]
            out = [
                (at, 0)
                for at in jumps[by][square]
                if jumping[board[at]] and attacks[board[at]][at][square]
            ]
            for near, far, first, rest in lines[by][square]:
                if board[first]:
                    if near[board[first]]:
                        out.append((first, 0))
                    continue
                between = 1 << first
                for at in rest:
                    if board[at]:
                        if far[board[at]]:
                            out.append((at, between))
                        break
                    between |= 1 << at
            return out

        def check_mask(king: int, side: int) -> int:
            """Return the squares where a piece of `side` ends the check to its king, as a bitboard.

            They are the checker's square and the squares between checker and king.  In double
            check, when only the king can move, the result is 0; without a check, it is -1.
            """
            checkers = attackers(king, side ^ 1)
            if len(checkers) == 1:
                square, between = checkers[0]
                return between | 1 << square
            return 0 if checkers else -1

        def discovers_attack(king: int, start: int, to: int, by: int) -> bool:
            """Does a move from `start` to `to` let a slider of side `by` attack the king?

            If the piece that moves has the king's colour, it was pinned.  Otherwise the move gives
            a discovered check.
            """
            for square in through[king][start]:
                if square == to:
                    return False
                piece = board[square]
                if piece and square != start:
                    return attacks[piece][square][king] and piece // half == by
            return False

        def illegal(king: int, start: int, to: int, side: int, in_check: bool) -> bool:
            """Does a move, not yet made, leave the king of `side` attacked?

            The move is one from square to square, not a drop.
            """
            if not in_check and start != king:
                return discovers_attack(king, start, to, side ^ 1)
            piece, captured = board[start], board[to]
            board[start], board[to] = 0, piece
            attacked = is_attacked(to if start == king else king, side ^ 1)
            board[start], board[to] = piece, captured
            return attacked

        def gives_check(king: int, start: int, to: int, placed: int, by: int) -> bool:
            """Does a move of side `by`, not yet made, give check to the king?

            placed: the piece on the target square after the move.
            """
            if attacks[placed][to][king]:
                for square in through[to][king]:
                    if board[square]:
                        if square == king:
                            return True
                        break
                else:
                    return True  # a knight: no line joins the two squares
            return discovers_attack(king, start, to, by)

        self.is_attacked = is_attacked
        self.attackers = attackers
        self.check_mask = check_mask
        self.discovers_attack, self.illegal = discovers_attack, illegal
        self.gives_check = gives_check


class KingPosition(Position):
    """A position with kings.

    squares: the piece on each square.  pieces: ({square: piece} of player 0, of player 1).
    kings: the squares of both kings.  attacks: the functions of Attacks for this board.
    geometry: the tables of how the pieces move.
    """

    geometry: Geometry
    squares: list[int]
    pieces: Pieces
    kings: list[int]
    attacks: Attacks

    def set_board(self, squares: list[int], king: int) -> None:
        """Set the board, the pieces and the kings.  king: the piece that is player 0's king."""
        half, nowhere = self.geometry.half, self.geometry.cells
        self.squares = squares
        self.pieces = {}, {}
        for at, piece in enumerate(squares):
            if piece:
                self.pieces[piece // half][at] = piece
        kings = king, king + half
        self.kings = [squares.index(piece) if piece in squares else nowhere for piece in kings]

    def validate(self) -> None:
        """Raise PositionError if the side that is not to move is in check."""
        if self.attacks.is_attacked(self.kings[self.side ^ 1], self.side):
            raise PositionError(self.text(), "the king of the side that is not to move is in check")

    def sort_pieces(self) -> None:
        """Sort the pieces by square, so that the order of moves doesn't depend on earlier moves."""
        for pieces in self.pieces:
            ordered = sorted(pieces.items())
            pieces.clear()
            pieces.update(ordered)

    def in_check(self) -> bool:
        """Is the king of the side to move attacked?"""
        return self.attacks.is_attacked(self.kings[self.side], self.side ^ 1)

    def checkers(self) -> list[Cell]:
        """Return the cells of the pieces that give check."""
        checkers = self.attacks.attackers(self.kings[self.side], self.side ^ 1)
        # In a variant, the king may be safe from pieces that attack its square.
        in_check = self.in_check()
        return [self.geometry.cell(at) for at, _ in sorted(checkers)] if in_check else []

    def null_move(self) -> int | None:
        return None if self.in_check() else 0

    def null_allowed(self) -> bool:
        return not self.in_check()
