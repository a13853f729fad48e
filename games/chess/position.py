"""A chess position that changes in place."""
from __future__ import annotations

from games.base import Line, MoveError, Outcome, Position
from games.chess.attacks import attack_functions
from games.chess.fen import write
from games.chess.movegen import castling_generator, move_generators
from games.chess.tables import (
    BISHOP,
    BITS,
    BLACK,
    CASTLING,
    CASTLING_KEYS,
    EN_PASSANT,
    EN_PASSANT_KEYS,
    KING,
    KNIGHT,
    LETTERS,
    MOVE_MASK,
    PAWN,
    PAWN_ATTACKS,
    PIECE_KEYS,
    PROMOTION_SHIFT,
    RAY_THROUGH,
    ROOK,
    SIDE_KEY,
    castling_targets,
    square_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from games.base import Game
    from games.chess.fen import Setup
    from games.chess.movegen import Pieces
    from games.types import Context

FIFTY_MOVES = 100               # in plies
_NO_HISTORY = [[0] * 64 for _ in range(16)]
_PROMOTIONS = "..nbrq"          # the letter of a kind


class ChessPosition(Position):
    """squares: the piece on each.  pieces: ({square: piece} of White, of Black).

    kings: their two squares.  side: 0 White, 1 Black.
    rights: castling rights, bits 1 2 (White, king's and queen's side) 4 8 (Black).
    ep: the square behind a pawn that a legal move can capture en passant, else -1.
    halfmove_clock: plies since the last capture or pawn move.  fullmove_number: from 1.
    castling: see games/chess/fen.py.  chess960: castling is written as king takes rook.
    undo_stack: (move, captured piece, rights, ep, halfmove_clock, key) of the moves
    made, the last four as they were before.
    """

    def __init__(self, game: Game, setup: Setup, chess960: bool) -> None:
        self.game = game
        board = self.squares = setup.board
        white, black = ({square: piece for square, piece in enumerate(board)
                         if piece and piece >> 3 == colour} for colour in range(2))
        self.pieces: Pieces = white, black
        self.kings = [board.index(KING), board.index(KING + BLACK)]
        self.side = setup.side
        self.castling, self.chess960 = setup.castling, chess960
        self.rights = setup.castling.rights
        self.halfmove_clock = setup.halfmove_clock
        self.fullmove_number = setup.fullmove_number
        self.is_attacked, _, self.discovers_attack, _, _ = attack_functions(board)
        self.captures, self.quiets, self.quiets_to = move_generators(board, self.pieces)
        self.castling_moves = castling_generator(board, self.castling.moves, self.is_attacked)
        self.ep = setup.ep if setup.ep >= 0 and self._can_capture_en_passant(setup.ep) else -1
        self.key = self._full_key()
        self.undo_stack: list[tuple[int, int, int, int, int, int]] = []

    def sort_pieces(self) -> None:
        """Put the pieces into the order of their squares, which moves have changed."""
        for pieces in self.pieces:
            ordered = sorted(pieces.items())
            pieces.clear()
            pieces.update(ordered)

    def _full_key(self) -> int:
        key = CASTLING_KEYS[self.rights] ^ EN_PASSANT_KEYS[self.ep]
        if self.side:
            key ^= SIDE_KEY
        for square, piece in enumerate(self.squares):
            if piece:
                key ^= PIECE_KEYS[piece][square]
        return key

    # ---- moves -----------------------------------------------------------------------

    def in_check(self) -> bool:
        """Is the king of the side to move attacked?"""
        return self.is_attacked(self.kings[self.side], self.side ^ 1)

    def _pseudo_legal_moves(self) -> list[int]:
        """Moves that may leave the own king in check; captures first.

        Each has its ordering score added.
        """
        side, occupancy = self.side, self._occupancy()
        moves = self.captures(side, self.ep, occupancy)
        moves.sort(reverse=True)
        if self.rights and not self.in_check():
            moves += self.castling_moves(side, self.rights, occupancy)
        return moves + sorted(self.quiets(side, _NO_HISTORY, occupancy), reverse=True)

    def _occupancy(self) -> int:
        """The occupied squares as games/chess/movegen.py wants them."""
        white, black = (sum(map(BITS.__getitem__, pieces)) for pieces in self.pieces)
        return white + (black << 64)

    def _is_legal(self, move: int) -> bool:
        """Is a pseudo-legal move legal?"""
        if move & CASTLING:
            return True
        _, captured = self._move_piece(move)
        legal = not self.is_attacked(self.kings[self.side], self.side ^ 1)
        self._move_back(move, captured)
        return legal

    def playable_moves(self) -> list[int]:
        """The legal moves, whether or not the game is drawn.

        Not every front end ends a game that is drawn by repetition, fifty moves or lack
        of material: the players may go on.
        """
        side, king = self.side, self.kings[self.side]
        moves = [move & MOVE_MASK for move in self._pseudo_legal_moves()]
        if self.in_check():
            return [move for move in moves if self._is_legal(move)]
        # Out of check only pinned pieces, the king and en passant need a look.
        rays, restricted = RAY_THROUGH[king], {king}
        for square in self.pieces[side]:
            if rays[square] and self.discovers_attack(king, square, -1, side):
                restricted.add(square)
        return [move for move in moves
                if not (move & 63 in restricted or move & EN_PASSANT) or self._is_legal(move)]

    def legal_moves(self) -> list[int]:
        return [] if self._draw_reason() else self.playable_moves()

    def _move_piece(self, move: int) -> tuple[int, int]:
        """Make a move other than castling on the board.

        Returns (piece on the target square, captured piece).
        """
        board, side = self.squares, self.side
        own, enemy = self.pieces[side], self.pieces[side ^ 1]
        start, to = move & 63, move >> 6 & 63
        piece = own.pop(start)
        board[start] = 0
        square = _capture_square(move, side)
        captured = board[square]
        if captured:
            board[square] = 0
            del enemy[square]
        kind = move >> PROMOTION_SHIFT & 7
        if kind:
            piece = kind + (BLACK if side else 0)
        elif piece & 7 == KING:
            self.kings[side] = to
        board[to] = own[to] = piece
        return piece, captured

    def _move_back(self, move: int, captured: int) -> None:
        """Take back what `_move_piece` did, for the same side."""
        board, side = self.squares, self.side
        own, enemy = self.pieces[side], self.pieces[side ^ 1]
        start, to = move & 63, move >> 6 & 63
        piece = own.pop(to)
        board[to] = 0
        if move >> PROMOTION_SHIFT & 7:
            piece = PAWN + (BLACK if side else 0)
        elif piece & 7 == KING:
            self.kings[side] = start
        board[start] = own[start] = piece
        if captured:
            square = _capture_square(move, side)
            board[square] = enemy[square] = captured

    def _castle(self, king: int, rook: int, back: bool) -> None:
        """Castle, or take it back.  king, rook: their squares before castling."""
        board, side = self.squares, self.side
        king_to, rook_to = castling_targets(king, rook)
        own, colour = self.pieces[side], BLACK if side else 0
        if back:
            king, king_to, rook, rook_to = king_to, king, rook_to, rook
        for square in (king, rook):
            del own[square]
            board[square] = 0
        self.kings[side] = king_to
        board[king_to] = own[king_to] = KING + colour
        board[rook_to] = own[rook_to] = ROOK + colour

    def make(self, move: int) -> None:
        """Play a legal move."""
        side, start, to = self.side, move & 63, move >> 6 & 63
        key = self.key ^ SIDE_KEY ^ CASTLING_KEYS[self.rights] ^ EN_PASSANT_KEYS[self.ep]
        before = self.rights, self.ep, self.halfmove_clock, self.key
        piece = self.squares[start]
        if move & CASTLING:
            captured, (king_to, rook_to) = 0, castling_targets(start, to)
            rook = self.squares[to]
            key ^= PIECE_KEYS[piece][start] ^ PIECE_KEYS[piece][king_to]
            key ^= PIECE_KEYS[rook][to] ^ PIECE_KEYS[rook][rook_to]
            self._castle(start, to, back=False)
        else:
            placed, captured = self._move_piece(move)
            key ^= PIECE_KEYS[piece][start] ^ PIECE_KEYS[placed][to]
            if captured:
                key ^= PIECE_KEYS[captured][_capture_square(move, side)]
        self.undo_stack.append((move, captured) + before)
        self.rights &= self.castling.kept[start] & self.castling.kept[to]
        irreversible = captured or piece & 7 == PAWN
        self.halfmove_clock = 0 if irreversible else self.halfmove_clock + 1
        self.fullmove_number += side
        self.side = side ^ 1
        self.ep = -1
        if piece & 7 == PAWN and abs(to - start) == 16:
            passed = (start + to) // 2
            if self._can_capture_en_passant(passed):
                self.ep = passed
        self.key = key ^ CASTLING_KEYS[self.rights] ^ EN_PASSANT_KEYS[self.ep]

    def undo(self) -> None:
        move, captured, self.rights, self.ep, self.halfmove_clock, self.key = (
            self.undo_stack.pop())
        self.side ^= 1
        self.fullmove_number -= self.side
        if move & CASTLING:
            self._castle(move & 63, move >> 6 & 63, back=True)
        else:
            self._move_back(move, captured)

    def _can_capture_en_passant(self, ep: int) -> bool:
        """Has the side to move a legal capture en passant onto `ep`?"""
        pawn = PAWN + (BLACK if self.side else 0)
        return any(self.squares[square] == pawn and self._is_legal(EN_PASSANT | ep << 6 | square)
                   for square in PAWN_ATTACKS[self.side ^ 1][ep])

    # ---- the end of the game ---------------------------------------------------------

    def repetitions(self) -> int:
        """How often this position stood on the board before."""
        stack = self.undo_stack
        first = max(len(stack) - self.halfmove_clock, 0)
        return sum(stack[index][5] == self.key
                   for index in range(len(stack) - 2, first - 1, -2))

    def insufficient_material(self) -> bool:
        """Can neither side mate by any series of legal moves?

        So it is with bare kings and at most one knight, or bishops that all stand on
        squares of one colour.
        """
        minors = [(square, piece & 7) for pieces in self.pieces
                  for square, piece in pieces.items() if piece & 7 != KING]
        if len(minors) <= 1:
            return all(kind in (KNIGHT, BISHOP) for _, kind in minors)
        return (all(kind == BISHOP for _, kind in minors)
                and len({(square ^ square >> 3) & 1 for square, _ in minors}) == 1)

    def _draw_reason(self) -> str:
        """Why the game is drawn although there may be moves; empty where it is not."""
        if self.insufficient_material():
            return "insufficient material"
        if self.halfmove_clock >= FIFTY_MOVES and (
                not self.in_check() or self.playable_moves()):
            return "fifty moves"
        if self.halfmove_clock >= 8 and self.repetitions() >= 2:
            return "threefold repetition"
        return ""

    def outcome(self) -> Outcome | None:
        reason = self._draw_reason()
        if reason:
            return Outcome(None, reason)
        if self.playable_moves():
            return None
        if self.in_check():
            return Outcome(self.side ^ 1, "checkmate")
        return Outcome(None, "stalemate")

    def final_value(self) -> int | None:
        """0 for a draw other than stalemate, else None.

        The first repetition is a draw already, since a search does better to see it
        then; `outcome` is about games and wants the second.
        """
        if (self.halfmove_clock >= 4 and self.repetitions()
                or self.halfmove_clock >= FIFTY_MOVES and self._draw_reason()
                or self.insufficient_material()):
            return 0
        return None

    # ---- text ------------------------------------------------------------------------

    def text(self) -> str:
        return write(self)

    def board(self) -> list[str]:
        rows = [self.squares[first:first + 8] for first in range(0, 64, 8)]
        return ["".join(LETTERS[piece] for piece in row) for row in rows]

    def move_text(self, move: int) -> str:
        start, to = move & 63, move >> 6 & 63
        if move & CASTLING and not self.chess960 and start & 7 == 4 and to & 7 in (0, 7):
            to = castling_targets(start, to)[0]
        kind = move >> PROMOTION_SHIFT & 7
        return square_name(start) + square_name(to) + (_PROMOTIONS[kind] if kind else "")

    def parse_move(self, text: str) -> int:
        """The legal move of a text such as `e7e8q`, `e7-e8=Q` or `O-O`.

        Castling may be written as a move of the king or as king takes rook.
        """
        wanted = text.strip().lower().replace("-", "").replace("=", "").replace("x", "")
        wanted = wanted.rstrip("+#")
        castling_file = {"oo": 6, "00": 6, "ooo": 2, "000": 2}.get(wanted)
        castling = None
        for move in self.playable_moves():
            if self.move_text(move) == wanted:
                return move
            if move & CASTLING:
                start, to = move & 63, move >> 6 & 63
                king_to = castling_targets(start, to)[0]
                if castling_file == king_to & 7 or wanted in (
                        square_name(start) + square_name(to),
                        square_name(start) + square_name(king_to)):
                    castling = move
        if castling is None:
            raise MoveError(text, "is not a legal move here")
        return castling

    # ---- knowledge -------------------------------------------------------------------

    def evaluate(self) -> int:
        from games.chess.evaluation import evaluate

        return evaluate(self)

    def evaluation_terms(self) -> list[tuple[str, int]]:
        from games.chess.evaluation import terms

        return terms(self)

    def order_moves(self, moves: Sequence[int]) -> list[int]:
        """Likely good moves first: see games/chess/ordering.py."""
        from games.chess.ordering import root_scores

        return root_scores(self, moves)

    def moves_left(self, played: int, seconds: float, memory: Mapping[str, Any]) -> None:
        """Nothing is known: the clock's own plan was made for chess."""

    def solve(self, context: Context) -> Iterator[Line]:
        """The move of the opening book, where one is set and knows this position."""
        from games.chess.book import choose

        move = choose(self, context) if context.options.get("BookFile") else None
        if move is not None:
            yield Line(self.evaluate(), [move], 1, exact=True)


def _capture_square(move: int, side: int) -> int:
    """Where the captured piece stands, if any: behind the target square for en passant."""
    to = move >> 6 & 63
    if move & EN_PASSANT:
        return to + 8 if side else to - 8
    return to
