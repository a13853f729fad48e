"""A chess position that changes in place."""
from __future__ import annotations

from games.base import Line, MoveError, Outcome, Position
from games.chess import keys
from games.chess.attacks import watchers
from games.chess.fen import write
from games.chess.movegen import generators
from games.chess.tables import (
    BITS, BLACK, CASTLING, EN_PASSANT, KING, KNIGHT, LETTERS, LINE, MOVE_MASK, PAWN, PAWN_HITS, PROMOTION_SHIFT,
    castling_targets, name)

# Moves without capture or pawn move after which the game is drawn, in plies.
FIFTY = 100
_NO_HISTORY = [[0] * 64 for _ in range(16)]
_KINDS = "..nbrq"               # what a pawn becomes, by kind


class ChessPosition(Position):
    """board: 64 pieces.  men: ({square: piece} of White, of Black).  kings: their two squares.

    side: 0 White, 1 Black.  rights: castling rights, bits 1 2 (White, king's and queen's side) 4 8 (Black).
    ep: the square behind a pawn that can be captured en passant by a legal move, else -1.
    fifty: plies since the last capture or pawn move.  number: the full move's, from 1.
    castles, kept: see `games.chess.fen.castling_facts`.  chess960: castling is written as king takes rook.
    """

    def __init__(self, game, board, side, rights, ep, fifty, number, castles, kept, chess960):
        self.game = game
        self.board_squares = board
        self.men = tuple({square: piece for square, piece in enumerate(board)
                          if piece and piece >> 3 == colour} for colour in range(2))
        self.kings = [board.index(KING), board.index(KING + BLACK)]
        self.side, self.rights, self.fifty, self.number = side, rights, fifty, number
        self.castles, self.kept, self.chess960 = castles, kept, chess960
        self.attacked, _, self.uncovers, _, _ = watchers(board)
        self.captures, self.quiets, self.aimed, self.castlings = generators(board, self.men, castles, self.attacked)
        self.ep = ep
        if ep >= 0 and not self._can_take(ep):
            self.ep = -1
        self.key = self._whole_key()
        self.past = []          # (move, captured piece, rights, ep, fifty, key) before each move made

    def sort_men(self):
        """Put the men into the order of their squares, which moves made and taken back have changed."""
        for side_men in self.men:
            ordered = sorted(side_men.items())
            side_men.clear()
            side_men.update(ordered)

    def _whole_key(self):
        key = keys.CASTLE[self.rights] ^ (keys.BLACK_TO_MOVE if self.side else 0)
        if self.ep >= 0:
            key ^= keys.PASSANT[self.ep]
        for square, piece in enumerate(self.board_squares):
            if piece:
                key ^= keys.PIECE[piece][square]
        return key

    # ---- moves ------------------------------------------------------------------------------------------

    def in_check(self):
        """Is the king of the side to move attacked?"""
        return self.attacked(self.kings[self.side], self.side ^ 1)

    def pseudo_moves(self):
        """Moves that may leave the own king in check, captures first, each plus its ordering score."""
        side = self.side
        seen = self._seen()
        found = self.captures(side, self.ep, seen)
        found.sort(reverse=True)
        if self.rights and not self.in_check():
            found += self.castlings(side, self.rights, seen)
        return found + sorted(self.quiets(side, _NO_HISTORY, seen), reverse=True)

    def _seen(self):
        """The men's squares as move generation wants them."""
        return sum(map(BITS.__getitem__, self.men[0])) + (sum(map(BITS.__getitem__, self.men[1])) << 64)

    def is_safe(self, move):
        """Is a pseudo-legal move legal?"""
        if move & CASTLING:
            return True
        self._place(move)
        safe = not self.attacked(self.kings[self.side], self.side ^ 1)
        self._displace(move)
        return safe

    def unchecked_legal_moves(self):
        """The legal moves, whether or not repetition, fifty moves or lack of material ended the game."""
        side, king = self.side, self.kings[self.side]
        if self.in_check():
            return [move & MOVE_MASK for move in self.pseudo_moves() if self.is_safe(move & MOVE_MASK)]
        line, out, pinned = LINE[king], [], {king}
        for square in self.men[side]:
            if line[square] and self.uncovers(king, square, -1, side):
                pinned.add(square)
        for move in self.pseudo_moves():
            move &= MOVE_MASK
            if (move & 63 in pinned or move & EN_PASSANT) and not self.is_safe(move):
                continue
            out.append(move)
        return out

    def legal_moves(self):
        if self._drawn():
            return []
        return self.unchecked_legal_moves()

    def playable_moves(self):
        """Not every front end ends a game drawn by repetition, fifty moves or lack of material: they may play on."""
        return self.unchecked_legal_moves()

    def _place(self, move):
        """Move the men of a move other than castling; the piece captured is kept in `_taken`."""
        board, (own, foes) = self.board_squares, self.men if not self.side else self.men[::-1]
        start, to = move & 63, move >> 6 & 63
        piece = own.pop(start)
        board[start] = 0
        square = to
        if move & EN_PASSANT:
            square = to + 8 if self.side else to - 8
        taken = board[square]
        if taken:
            board[square] = 0
            del foes[square]
        kind = move >> PROMOTION_SHIFT & 7
        if kind:
            piece = kind + (BLACK if self.side else 0)
        elif piece & 7 == KING:
            self.kings[self.side] = to
        board[to] = own[to] = piece
        self._taken = taken
        return piece

    def _displace(self, move, taken=None):
        """Take back what `_place` did, for the same side."""
        board, (own, foes) = self.board_squares, self.men if not self.side else self.men[::-1]
        start, to = move & 63, move >> 6 & 63
        taken = self._taken if taken is None else taken
        piece = own.pop(to)
        board[to] = 0
        if move >> PROMOTION_SHIFT & 7:
            piece = PAWN + (BLACK if self.side else 0)
        elif piece & 7 == KING:
            self.kings[self.side] = start
        board[start] = own[start] = piece
        if taken:
            square = to
            if move & EN_PASSANT:
                square = to + 8 if self.side else to - 8
            board[square] = foes[square] = taken

    def _castle(self, king, rook, back):
        """Castle, or take it back; `king` and `rook` are their squares before castling."""
        board, side = self.board_squares, self.side
        king_to, rook_to = castling_targets(king, rook)
        own, colour = self.men[side], BLACK if side else 0
        if back:
            king, king_to, rook, rook_to = king_to, king, rook_to, rook
        for square in (king, rook):
            del own[square]
            board[square] = 0
        self.kings[side] = king_to
        board[king_to] = own[king_to] = KING + colour
        board[rook_to] = own[rook_to] = 4 + colour

    def make(self, move):
        """Play a legal move."""
        side, start, to = self.side, move & 63, move >> 6 & 63
        numbers = keys.PIECE
        key = self.key ^ keys.BLACK_TO_MOVE ^ keys.CASTLE[self.rights]
        if self.ep >= 0:
            key ^= keys.PASSANT[self.ep]
        before = self.rights, self.ep, self.fifty, self.key
        piece = self.board_squares[start]
        if move & CASTLING:
            taken, (king_to, rook_to) = 0, castling_targets(start, to)
            rook = self.board_squares[to]
            key ^= numbers[piece][start] ^ numbers[rook][to] ^ numbers[piece][king_to] ^ numbers[rook][rook_to]
            self._castle(start, to, back=False)
        else:
            after = self._place(move)
            taken = self._taken
            key ^= numbers[piece][start] ^ numbers[after][to]
            if taken:
                key ^= numbers[taken][to if not move & EN_PASSANT else to + 8 if side else to - 8]
        self.past.append((move, taken) + before)
        self.rights &= self.kept[start] & self.kept[to]
        self.fifty = 0 if taken or piece & 7 == PAWN else self.fifty + 1
        self.number += side
        self.side = side ^ 1
        self.ep = -1
        if piece & 7 == PAWN and abs(to - start) == 16 and self._can_take((start + to) // 2):
            self.ep = (start + to) // 2
            key ^= keys.PASSANT[self.ep]
        self.key = key ^ keys.CASTLE[self.rights]

    def undo(self):
        move, taken, self.rights, self.ep, self.fifty, self.key = self.past.pop()
        self.side ^= 1
        self.number -= self.side
        if move & CASTLING:
            self._castle(move & 63, move >> 6 & 63, back=True)
        else:
            self._displace(move, taken)

    def _can_take(self, ep):
        """Has the side to move a legal capture en passant onto `ep`?"""
        pawn = PAWN + (BLACK if self.side else 0)
        for square in PAWN_HITS[self.side ^ 1][ep]:
            if self.board_squares[square] == pawn and self.is_safe(EN_PASSANT | ep << 6 | square):
                return True
        return False

    # ---- the end ----------------------------------------------------------------------------------------

    def repetitions(self):
        """How often this position stood on the board before, as far back as it can."""
        past = self.past
        first = max(len(past) - self.fifty, 0)
        return sum(past[index][5] == self.key for index in range(len(past) - 2, first - 1, -2))

    def few_men(self):
        """Can neither side mate by any series of legal moves, for lack of material?

        Bare kings with at most one knight, or with bishops that all stand on squares of one colour.
        """
        if len(self.men[0]) + len(self.men[1]) > 3:
            minors = [(square, piece & 7) for men in self.men for square, piece in men.items() if piece & 7 != KING]
            return all(kind == 3 for _, kind in minors) and len({(at ^ at >> 3) & 1 for at, _ in minors}) == 1
        return all(piece & 7 in (KNIGHT, 3, KING) for men in self.men for piece in men.values())

    def _drawn(self):
        """The reason for which the game is drawn whatever moves there are, else an empty string."""
        if self.few_men():
            return "insufficient material"
        if self.fifty >= FIFTY and (not self.in_check() or self.unchecked_legal_moves()):
            return "fifty moves"
        if self.fifty >= 8 and self.repetitions() >= 2:
            return "threefold repetition"
        return ""

    def outcome(self):
        drawn = self._drawn()
        if drawn:
            return Outcome(None, drawn)
        if self.unchecked_legal_moves():
            return None
        if self.in_check():
            return Outcome(self.side ^ 1, "checkmate")
        return Outcome(None, "stalemate")

    def final_value(self):
        """0 for a draw other than stalemate, else None.

        A search is served better by seeing a draw in the first repetition than in the second, so one is
        enough here; `outcome` is about games and wants two.
        """
        if self.fifty >= 4 and self.repetitions() or self.fifty >= FIFTY and self._drawn() or self.few_men():
            return 0
        return None

    # ---- text -------------------------------------------------------------------------------------------

    def text(self):
        return write(self)

    def board(self):
        rows = [self.board_squares[first:first + 8] for first in range(0, 64, 8)]
        return ["".join(LETTERS[piece] for piece in row) for row in rows]

    def move_text(self, move):
        start, to = move & 63, move >> 6 & 63
        if move & CASTLING and not self.chess960 and start & 7 == 4 and to & 7 in (0, 7):
            to = castling_targets(start, to)[0]
        kind = move >> PROMOTION_SHIFT & 7
        return name(start) + name(to) + (_KINDS[kind] if kind else "")

    def parse_move(self, text):
        """A legal move by its squares (`e7e8q`, `e7-e8=Q`), castling in either way of writing, or `O-O`."""
        wanted = text.strip().lower().replace("-", "").replace("=", "").replace("x", "").rstrip("+#")
        castling = {"oo": 6, "00": 6, "ooo": 2, "000": 2}.get(wanted)
        second = None
        for move in self.playable_moves():
            if self.move_text(move) == wanted:
                return move
            if move & CASTLING:
                start, to = move & 63, move >> 6 & 63
                goal = castling_targets(start, to)[0]
                if castling == goal & 7 or wanted in (name(start) + name(to), name(start) + name(goal)):
                    second = move
        if second is None:
            raise MoveError(text, "is not a legal move here")
        return second

    # ---- knowledge --------------------------------------------------------------------------------------

    def evaluate(self):
        from games.chess.evaluation import evaluate

        return evaluate(self)

    def evaluation_terms(self):
        from games.chess.evaluation import terms

        return terms(self)

    def order_moves(self, moves):
        """Likely good moves first: see games/chess/first_look.py."""
        from games.chess.first_look import order

        return order(self, moves)

    def solve(self, context):
        """The move of the opening book, where the options name one that knows this position."""
        from games.chess.book import choose

        move = choose(self, context) if context.options.get("BookFile") else None
        if move is not None:
            yield Line(self.evaluate(), [move], 1, exact=True)

    def perft(self, depth):
        """Number of lines of `depth` moves; draws other than stalemate end none."""
        if depth <= 0:
            return 1
        moves = self.unchecked_legal_moves()
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            self.make(move)
            total += self.perft(depth - 1)
            self.undo()
        return total
