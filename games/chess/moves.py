"""Making and unmaking chess moves, for the position and the search alike.

The board, the pieces of each side and the kings' squares change in place.  A move that is
more than a piece going from square to square (a promotion, en passant, castling, and in
variants an explosion or a drop) is *special*: the position plans it as a list of changes.
A special move is made in two steps: `special` changes the board, which a search may then examine,
and `make` updates the key, clock and rights.  For a plain move `make` does both.

A change is a piece that disappears from a square or appears on it.  Squares from NOWHERE on are off
the board: games/chess/variants/hands.py uses them for pieces in hand.
"""

from __future__ import annotations

from games.chess.tables import (
    BLACK,
    CASTLING,
    CASTLING_KEYS,
    EN_PASSANT,
    EN_PASSANT_KEYS,
    FROM_TO,
    KING,
    NOWHERE,
    PAWN,
    PAWN_ATTACKS,
    PIECE_KEYS,
    PROMOTION_SHIFT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.chess.position import ChessPosition

    # Pairs (piece, square).
    Placed = tuple[tuple[int, int], ...]
    # (pieces that disappear, pieces that appear).
    Changes = tuple[Placed, Placed]
    # (changes, piece on the target square after the move, captured piece).
    Plan = tuple[Changes, int, int]


class Mover:
    """The functions that make moves on the board of a position.

    exchange(gone, new): remove the pieces `gone` from their squares, and put `new` on theirs.
    special(side, move): make a special move on the board; return its Plan.
    make(side, move, placed, captured, clock, rights, key): if the move is plain, make it on the
        board; return (key, halfmove clock, castling rights, en passant square) after the move.
        placed: the piece on the target square after the move.  key: the key after the move, but
        with the old castling rights and no en passant square; make() updates it.
    unmake(side, move, captured): undo special() and make().
    is_legal(side, move): is the king of `side` safe after a pseudo-legal move?
    en_passant_square(side, passed): return the square `passed`, which a pawn of `side` has passed
        over, if an en passant capture there is legal, else -1.
    """

    def __init__(self, position: ChessPosition) -> None:
        """Build the functions for the board, the pieces and the kings of a position."""
        board = position.squares
        pieces = position.pieces
        kings = position.kings
        kept = position.castling.kept
        made = position.made
        plan = position.plan
        is_attacked, illegal = position.attacks.is_attacked, position.attacks.illegal

        def exchange(gone: Placed, new: Placed) -> None:
            for piece, at in gone:
                if at < NOWHERE:
                    board[at] = 0
                    del pieces[piece >> 3][at]
                    if piece & 7 == KING:
                        kings[piece >> 3] = NOWHERE
            for piece, at in new:
                if at < NOWHERE:
                    pieces[piece >> 3][at] = board[at] = piece
                    if piece & 7 == KING:
                        kings[piece >> 3] = at

        def special(side: int, move: int) -> Plan:
            planned = plan(side, move)
            made.append(planned[0])
            self.exchange(*planned[0])
            return planned

        def unmake(side: int, move: int, captured: int) -> None:
            if move >= 4096:
                gone, new = made.pop()
                self.exchange(new, gone)
                return
            own = pieces[side]
            start, to = FROM_TO[move]
            piece = board[to]
            del own[to]
            own[start] = board[start] = piece
            board[to] = captured
            if captured:
                pieces[side ^ 1][to] = captured
            if piece & 7 == KING:
                kings[side] = start

        def is_legal(side: int, move: int) -> bool:
            start, to = FROM_TO[move]
            if move < 4096:
                return not illegal(kings[side], start, to, side, True)
            _, _, captured = self.special(side, move)
            legal = not is_attacked(kings[side], side ^ 1)
            self.unmake(side, move, captured)
            return legal

        def en_passant_square(side: int, passed: int) -> int:
            pawn = PAWN if side else PAWN + BLACK
            for near in PAWN_ATTACKS[side][passed]:
                # A pawn that comes from its own first rank can't be captured en passant.
                if board[near] == pawn and 15 < passed < 48:
                    if self.is_legal(side ^ 1, EN_PASSANT | passed << 6 | near):
                        return passed
            return -1

        def make(
            side: int, move: int, placed: int, captured: int, clock: int, rights: int, key: int
        ) -> tuple[int, int, int, int]:
            kind, ep = placed & 7, -1
            if move >= 4096:  # a special move, which special() has made on the board
                left = rights
                for _, at in made[-1][0] if rights else ():
                    if at < NOWHERE:
                        left &= kept[at]
                key ^= CASTLING_KEYS[rights] ^ CASTLING_KEYS[left]
                lasting = captured or kind == PAWN or move >> PROMOTION_SHIFT & 7
                return key, 0 if lasting and not move & CASTLING else clock + 1, left, ep
            start, to = FROM_TO[move]
            kept_rights = rights & kept[start] & kept[to]
            if kept_rights != rights:
                key ^= CASTLING_KEYS[rights] ^ CASTLING_KEYS[kept_rights]
            own = pieces[side]
            del own[start]
            board[start] = 0
            own[to] = board[to] = placed
            if captured:
                del pieces[side ^ 1][to]
            if kind == PAWN:
                if to - start == 16 or start - to == 16:
                    ep = en_passant_square(side, start + to >> 1)
                    key ^= EN_PASSANT_KEYS[ep]
                return key, 0, kept_rights, ep
            if kind == KING:
                kings[side] = to
            return key, 0 if captured else clock + 1, kept_rights, ep

        self.exchange, self.special = exchange, special
        self.make, self.unmake = make, unmake
        self.is_legal, self.en_passant_square = is_legal, en_passant_square


def key_change(changed: Changes) -> int:
    """Return the number to XOR into a key for these changes of pieces."""
    change = 0
    for pairs in changed:
        for piece, square in pairs:
            change ^= PIECE_KEYS[piece][square]
    return change
