"""A chess position that changes in place."""

from __future__ import annotations

from games.attacks import Attacks, KingPosition
from games.base import MoveError, Outcome
from games.chess.fen import LAST_RANKS, write
from games.chess.movegen import Generator
from games.chess.moves import Mover, key_change
from games.chess.tables import (
    BISHOP,
    BITS,
    BLACK,
    CASTLING,
    CASTLING_KEYS,
    CHESS,
    DROP,
    EN_PASSANT,
    EN_PASSANT_KEYS,
    FROM_TO,
    KING,
    KNIGHT,
    LETTERS,
    PAWN,
    PIECE_KEYS,
    PIECE_VALUES,
    PROMOTION_SHIFT,
    QUEEN,
    RAY_THROUGH,
    SIDE_KEY,
    SQUARE_NAMES,
    castling_targets,
    colours_of,
    is_castling,
)
from games.data import Lazy
from games.ordering import MOVE_MASK
from games.solver import book_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from typing_extensions import Self

    from games.chess import Chess
    from games.chess.evaluation import ChessNetwork
    from games.chess.fen import Castling
    from games.chess.moves import Changes, Plan
    from games.chess.ordering import LosesMaterial, MoveStages
    from games.ordering import PieceHistory
    from games.solver import Line
    from games.types import Context, Options

FIFTY_MOVES = 100  # in plies
_NO_HISTORY = [[0] * 64 for _ in range(16)]
# {file where the king ends: texts that mean this castling}.
_CASTLING_NAMES = {6: ("oo", "00"), 2: ("ooo", "000")}
# Signs that are ignored in the text of a move.
_SIGNS = str.maketrans("", "", "-=x")
_networks: Lazy[type[ChessPosition], ChessNetwork] = Lazy(lambda kind: kind.make_network())


class ChessPosition(KingPosition):
    """A position.  squares: the pieces, by square.  pieces: ({square: piece} of White, of Black).

    kings, attacks: see KingPosition.  side: 0 White, 1 Black.
    rights: castling rights, the bits 1 and 2 (White, king's and queen's side), 4 and 8 (Black).
    ep: the square behind a pawn that a legal move can capture en passant, else -1.
    setup_ep: the en passant square of the position that was set up, else -1.
    halfmove_clock: plies since the last capture or pawn move.  fullmove_number: from 1.
    castling: see games/chess/fen.py.  chess960: is castling written as king takes rook?
    generator, mover: the objects that hold the functions of the rules.
    undo_stack: for each move made, (move, captured piece, piece on the target square after it,
        rights, ep, halfmove_clock, key); the last four are the values before the move.
    made: the Changes of each special move made.
    """

    game: Chess
    # Does games/chess/endgames.py apply to this game?
    knows_endgames = True
    # May the static evaluation prune a move before the move is made?
    cuts_unmade = True
    # From this halfmove clock on, the game is drawn.
    draw_from = FIFTY_MOVES
    # The kind of piece that castles with a rook.
    castles = KING
    attacks_class = Attacks
    generator_class = Generator
    mover_class = Mover
    geometry = CHESS  # how the pieces move

    def __init__(
        self,
        game: Chess,
        chess960: bool,
        board: list[int],
        side: int,
        castling: Castling,
        ep: int,
        halfmove_clock: int,
        fullmove_number: int,
    ) -> None:
        self.game, self.chess960 = game, chess960
        self.set_board(board, KING)
        self.side = side
        self.castling = castling
        self.rights = castling.rights
        self.halfmove_clock, self.fullmove_number = halfmove_clock, fullmove_number
        self.undo_stack: list[tuple[int, ...]] = []
        self.made: list[Changes] = []
        self.attacks = self.attacks_class(self)
        self.generator = self.generator_class(self)
        self.mover = self.mover_class(self)
        self.setup_ep = ep
        self.ep = self.mover.en_passant_square(side ^ 1, ep)
        placed = tuple((piece, square) for own in self.pieces for square, piece in own.items())
        self.key = key_change(((), placed)) ^ SIDE_KEY * side
        self.key ^= CASTLING_KEYS[self.rights] ^ EN_PASSANT_KEYS[self.ep]

    # ---- moves -----------------------------------------------------------------------

    def _pseudo_legal_moves(self) -> list[int]:
        """Return the pseudo-legal moves, captures first."""
        side, occupancy = self.side, self.occupancy()
        moves = sorted(self.generator.captures(side, self.ep, occupancy), reverse=True)
        if self.rights and not self.in_check():
            moves += self.generator.castling_moves(side, self.rights, occupancy)
        moves += sorted(self.generator.quiets(side, _NO_HISTORY, occupancy), reverse=True)
        return [move & MOVE_MASK for move in moves]

    def occupancy(self) -> int:
        """Return the occupied squares in the form of games/chess/movegen.py."""
        white, black = (sum(map(BITS.__getitem__, pieces)) for pieces in self.pieces)
        return white + (black << 64)

    def playable_moves(self) -> list[int]:
        """Return the legal moves, whether or not the game is drawn.

        Players may go on after a repetition, after fifty moves or without enough material,
        since not every front end ends the game then.
        """
        side, king, is_legal = self.side, self.kings[self.side], self.mover.is_legal
        moves = self._pseudo_legal_moves()
        if self.in_check():
            return [move for move in moves if is_legal(side, move)]
        # Out of check, only king moves, moves of pinned pieces and en passant may be illegal.
        rays, pinned = RAY_THROUGH[king], self.attacks.discovers_attack
        unsafe = {at for at in self.pieces[side] if rays[at] and pinned(king, at, -1, side ^ 1)}
        unsafe.add(king)
        return [
            move
            for move in moves
            if not (move & 63 in unsafe or move & DROP == EN_PASSANT) or is_legal(side, move)
        ]

    def moves_to(self, to: int, letter: str) -> list[int]:
        """Return the playable moves of the pieces with this letter to a square, except castling."""
        side, board, pushes = self.side, self.squares, self.geometry.pushes[self.side]
        own, is_legal = self.pieces[side], self.mover.is_legal
        if to in own:
            return []
        # Looking moves up in tables is three times as fast as generating them, but the tables don't
        # have the rules of a variant's own generator.
        is_special = letter == "P" and (to in LAST_RANKS or to == self.ep)
        if is_special or type(self.generator) is not Generator:
            moves = self.playable_moves()
        elif letter != "P" or board[to]:
            moves = [to << 6 | start for start, _ in self.attacks.attackers(to, side)]
        else:
            starts = [start for start in own if to in pushes[start] and not board[pushes[start][0]]]
            moves = [to << 6 | start for start in starts]
        moves = [move for move in moves if LETTERS[board[move & 63] & 7] == letter]
        return [move for move in moves if move >> 6 & 63 == to and is_legal(side, move)]

    def barred_moves(self) -> list[tuple[int, str]]:
        side, is_legal = self.side, self.mover.is_legal
        barred = [move for move in self._pseudo_legal_moves() if not is_legal(side, move)]
        if self.in_check():
            return [(move, f"{self.game.colours[side]} is in check") for move in barred]
        reasons = "it is pinned to the king", "the king would be in check"
        return [(move, reasons[move & 63 == self.kings[side]]) for move in barred]

    def legal_moves(self) -> list[int]:
        return [] if self._drawn() else self.playable_moves()

    def make(self, move: int) -> None:
        """Play a legal move, or the null move of a record."""
        side, placed, captured = self.side, 0, 0
        before = self.rights, self.ep, self.halfmove_clock, self.key
        key = self.key ^ SIDE_KEY ^ EN_PASSANT_KEYS[self.ep]
        if move:
            if move < 4096:
                start, to = FROM_TO[move]
                placed, captured = self.squares[start], self.squares[to]
                keys = PIECE_KEYS[placed]
                key ^= keys[start] ^ keys[to] ^ PIECE_KEYS[captured][to]
            else:
                changes, placed, captured = self.mover.special(side, move)
                key ^= key_change(changes)
            self.key, self.halfmove_clock, self.rights, self.ep = self.mover.make(
                side, move, placed, captured, self.halfmove_clock, self.rights, key
            )
        else:  # the positions before a null move no longer count for repetitions
            self.key, self.halfmove_clock, self.ep = key, 0, -1
        self.undo_stack.append((move, captured, placed, *before))
        self.fullmove_number += side
        self.side = side ^ 1

    def plan(self, side: int, move: int) -> Plan:
        """Return the Plan (games/chess/moves.py) of a special move that is not yet made."""
        board, (start, to) = self.squares, FROM_TO[move]
        piece, square = board[start], to
        if move & CASTLING:
            rook, (king_to, rook_to) = board[to], castling_targets(start, to)
            gone, new = ((piece, start), (rook, to)), ((piece, king_to), (rook, rook_to))
            return (gone, new), piece, 0
        if piece & 7 == PAWN and (start ^ to) & 7 and not board[to]:  # en passant
            square = to + 8 if side else to - 8
        captured, kind = board[square], move >> PROMOTION_SHIFT & 7
        placed = kind + (piece & BLACK) if kind else piece
        taken = ((captured, square),) if captured else ()
        return (((piece, start), *taken), ((placed, to),)), placed, captured

    def undo(self) -> None:
        move, captured, _, *before = self.undo_stack.pop()
        self.rights, self.ep, self.halfmove_clock, self.key = before
        self.side = side = self.side ^ 1
        self.fullmove_number -= side
        if move:
            self.mover.unmake(side, move, captured)

    def copy(self) -> Self:
        counters = self.halfmove_clock, self.fullmove_number
        twin = type(self)(
            self.game, self.chess960, self.squares[:], self.side, self.castling, self.ep, *counters
        )
        twin.rights = self.rights
        twin.key = self.key
        twin.setup_ep = self.setup_ep
        twin.undo_stack = self.undo_stack[:]
        twin.made += self.made
        return twin

    # ---- the end of the game ---------------------------------------------------------

    def repetitions(self) -> int:
        """Return the number of earlier occurrences of this position."""
        entries = self.undo_stack[-2 : -self.halfmove_clock - 1 : -2]
        return [entry[-1] for entry in entries].count(self.key)

    def insufficient_material(self) -> bool:
        """Can neither side mate by any series of legal moves?"""
        return not (self.can_win(0) or self.can_win(1))

    def can_win(self, side: int) -> bool:
        """Could `side` mate by any series of legal moves (FIDE's Laws, 6.9), given the material?

        A bare king can't mate.  A lone knight can't mate a side that has only queens.  Bishops that
        are all on one colour can't mate, unless the other side has a piece that can block its own
        king on the other colour.
        """
        own, other = self.pieces[side], self.pieces[side ^ 1]
        kinds, others = ({piece & 7 for piece in men.values()} - {KING} for men in (own, other))
        if not kinds <= {KNIGHT, BISHOP} or len(kinds) == 2:
            return True
        if kinds == {KNIGHT}:
            return len(own) > 2 or bool(others - {QUEEN})
        if kinds == {BISHOP}:
            colours = colours_of(own, BISHOP) | colours_of(other, BISHOP)
            return len(colours) == 2 or bool(others & {PAWN, KNIGHT})
        return False

    def _drawn(self) -> Outcome | None:
        """Return the Outcome of a game that is drawn even if moves remain, else None."""
        if self.insufficient_material():
            return Outcome(None, "insufficient material")
        if self.halfmove_clock >= self.draw_from and (not self.in_check() or self.playable_moves()):
            return Outcome(None, "fifty moves")
        return Outcome(None, "threefold repetition") if self.repetitions() >= 2 else None

    def outcome(self) -> Outcome | None:
        drawn = self._drawn()
        if drawn or self.playable_moves():
            return drawn
        return self.outcome_without_moves()

    def outcome_without_moves(self) -> Outcome:
        """Return the Outcome of this position, in which the side to move has no legal move."""
        if self.in_check():
            return Outcome(self.side ^ 1, "checkmate")
        return Outcome(None, "stalemate")

    def decided(self) -> bool:
        """Has the last move ended the game with a winner?"""
        return self.in_check() and not self.playable_moves()

    def final_value(self) -> int | None:
        """Return 0 for a draw other than stalemate, else None.

        A search treats the first repetition as a draw, since the side that can repeat a position
        once can repeat it again.  Games end only with the second repetition: see outcome().
        """
        repeated = self.halfmove_clock >= 4 and self.repetitions()
        return 0 if repeated or self._drawn() else None

    # ---- text ------------------------------------------------------------------------

    def text(self) -> str:
        return write(self)

    def board(self) -> list[str]:
        rows = [self.squares[first : first + 8] for first in range(0, 64, 8)]
        return ["".join(LETTERS[piece] for piece in row) for row in rows]

    def move_text(self, move: int) -> str:
        if not move:
            return "--"
        start, to = move & 63, move >> 6 & 63
        if is_castling(move) and not self.chess960 and start & 7 == 4 and to & 7 in (0, 7):
            to = castling_targets(start, to)[0]
        kind = move >> PROMOTION_SHIFT & 7
        return SQUARE_NAMES[start] + SQUARE_NAMES[to] + (LETTERS[kind + BLACK] if kind else "")

    def parse_move(self, text: str) -> int:
        """Return the legal move that a text such as `e7e8q`, `e7-e8=Q` or `O-O` means.

        Castling may also be written as a move of the king or as king takes rook.
        """
        wanted = text.strip().lower().translate(_SIGNS).rstrip("+#")
        moves = self.playable_moves()
        for move in moves:
            if self.move_text(move).lower() == wanted:
                return move
        for move in filter(is_castling, moves):
            start, to = move & 63, move >> 6 & 63
            king_to = castling_targets(start, to)[0]
            squares = [SQUARE_NAMES[start] + SQUARE_NAMES[end] for end in (to, king_to)]
            if wanted in (*squares, *_CASTLING_NAMES[king_to & 7]):
                return move
        raise MoveError(text, "is not a legal move here")

    def notation(self, move: int) -> str:
        """Return the move in SAN."""
        from games.chess.san import write as write_san

        return write_san(self, move)

    def read_notation(self, text: str) -> int:
        """Return the legal move that a text in SAN or long algebraic notation means."""
        from games.chess.san import read as read_san

        return read_san(self, text)

    def read_typed(self, text: str) -> int:
        """Parse a typed move; a piece's letter may be in lower case: `nf3`.

        The text is first read as it is, since `bc4` may be a pawn's move.
        """
        try:
            return self.read_notation(text)
        except MoveError:
            if not text or text[0] not in "kqrbn":
                raise
        return self.read_notation(text[0].upper() + text[1:])

    def move_number(self) -> int:
        """Return the number of the next move, as in the FEN."""
        return self.fullmove_number

    # ---- knowledge -------------------------------------------------------------------

    def noisy_moves(self) -> list[int]:
        """Return the captures except en passant."""
        targets = self.pieces[self.side ^ 1]
        return [move for move in self.legal_moves() if move >> 6 & 63 in targets]

    def null_allowed(self) -> bool:
        """Is the side to move out of check, with more than king and pawns?

        With king and pawns alone, zugzwang is likely.
        """
        pieces = self.pieces[self.side].values()
        return super().null_allowed() and any(piece & 7 not in (PAWN, KING) for piece in pieces)

    @staticmethod
    def make_network() -> ChessNetwork:
        """Return the network for positions of this class."""
        from games.chess.evaluation import network

        return network()

    def network(self) -> ChessNetwork:
        """Return the network that evaluates the position."""
        return _networks[type(self)]

    def accumulator(self, captures: int = 0) -> int:
        """Return the accumulator of the board (games/chess/evaluation.py).

        captures: use the Table that applies after this number of captures.
        """
        return self.network().accumulate(self.pieces, captures)

    def evaluation_terms(self) -> list[tuple[str, int]]:
        """Return material, the network's contribution, the tempo bonus and known endgames."""
        from games.chess.endgames import MAX_PIECES, known_score

        net, side, pieces = self.network(), self.side, self.pieces
        score = net.score(self.accumulator(), side)
        values = [sum(PIECE_VALUES[piece & 7] for piece in own.values()) for own in pieces]
        material = values[side] - values[side ^ 1]
        placement = score - net.tempo - material
        terms = [("Material", material), ("Placement", placement), ("Right to move", net.tempo)]
        if len(pieces[0]) + len(pieces[1]) <= MAX_PIECES:
            known = known_score(pieces, self.kings, side, score)
            terms.append(("Known ending", known - score))
        return terms

    def stages(self, history: PieceHistory, plies: int) -> MoveStages:
        """Return move_stages() of games/chess/ordering.py for this position."""
        from games.chess.ordering import move_stages

        return move_stages(self, history, plies)

    def exchange(self) -> LosesMaterial:
        """Return static_exchange() of games/chess/ordering.py for this position."""
        from games.chess.ordering import static_exchange

        return static_exchange(self)

    def order_moves(self, moves: Sequence[int]) -> list[int]:
        """Return root_scores() of games/chess/ordering.py for the moves."""
        from games.chess.ordering import root_scores

        return root_scores(self, moves)

    def moves_left(self, played: int, seconds: float, memory: Mapping[str, Any]) -> None:
        """Return None, since the clock's default plan is made for chess."""

    def book_moves(self, options: Options) -> list[tuple[int, int]]:
        from games.chess.book import book_moves

        filename = options.get("BookFile")
        return book_moves(self, filename) if filename else []

    def solve(self, context: Context) -> Iterable[Line]:
        """Return the move of the opening book if one is set and has this position."""
        line = book_line(self, context)
        return (line,) if line else ()
