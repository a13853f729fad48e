"""A position of shogi that changes in place.

Moves are written in the notations of USI and of Fairy-Stockfish, in Western notation, and as in
Japanese records.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import islice
from operator import xor

from games.attacks import Attacks, KingPosition
from games.base import MoveError, Outcome
from games.ordering import MOVE_MASK
from games.shogi.movegen import NO_HISTORY, Rules, move_tables
from games.shogi.tables import (
    BISHOP,
    DROP,
    FROM_TO,
    FROM_TO_MASK,
    GOLD,
    KINDS,
    KING,
    KNIGHT,
    LANCE,
    LETTERS,
    PAWN,
    PROMOTE,
    ROOK,
    SILVER,
    TO_SHIFT,
    WHITE,
    geometry,
    letters_of,
)
from games.shogi.texts import read_move
from games.solver import book_line
from games.texts import Squares, write_board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.shogi import Shogi
    from games.shogi.movegen import Change
    from games.shogi.tables import ShogiGeometry
    from games.solver import Line
    from games.types import Context

# The game ends when a position has occurred this number of times.
_SENNICHITE = 4
# A king that has entered the zone may declare a win.  _ENTERED: the number of other pieces
# needed there.  _BIG: the points of a rook or bishop.  _POINTS: what Black and White need.
_ENTERED = 10
_BIG = 5
_POINTS = (28, 27)
# Reasons why a move is forbidden.
_TWO_PAWNS = "there would be two unpromoted pawns on the file"
_NO_MOVE = "the piece would have no move from there"
_CHECKED = "the king would be in check"
_HAND_ORDER = ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN  # as SFEN lists a hand
_DIGITS = str.maketrans("abcdefghi", "123456789")
_JAPANESE = str.maketrans("123456789abcdefghi", "１２３４５６７８９一二三四五六七八九")
# Records name these promoted pieces with two characters.
_LONG_NAMES = str.maketrans({"杏": "成香", "圭": "成桂", "全": "成銀"})


class ShogiPosition(KingPosition):
    """A position.  squares: the pieces, by square.  pieces: ({square: piece} of Black, of White).

    kings, attacks: see KingPosition.  in_hand[piece]: number of these pieces in hand.
    number: the number of the next move, from 1.
    undo_stack: for each move made, (its Change or None for a null move, key before the move).
    """

    text_name = "Sfen"

    def __init__(
        self, game: Shogi, squares: list[int], in_hand: list[int], side: int, number: int
    ) -> None:
        self.game: Shogi = game
        self.in_hand = in_hand
        self.side = side
        self.number = number
        self.geometry: ShogiGeometry = geometry(game.size)
        self.set_board(squares, KING)
        self.undo_stack: list[tuple[Change | None, int]] = []
        self.seen: dict[int, int] = {}  # key -> number of earlier occurrences
        self.attacks = Attacks(self)
        self.rules = Rules(self)
        keys = [self.geometry.keys[piece][at] for own in self.pieces for at, piece in own.items()]
        for piece, count in enumerate(in_hand):
            keys += self.geometry.hand_keys[piece][:count]
        self.key = reduce(xor, keys, self.geometry.side_key * side)

    def copy(self) -> ShogiPosition:
        twin = type(self)(self.game, self.squares[:], self.in_hand[:], self.side, self.number)
        twin.undo_stack = self.undo_stack[:]
        twin.seen = self.seen.copy()
        return twin

    # ---- moves -----------------------------------------------------------------------

    def _pseudo_legal_moves(self) -> list[int]:
        """Return the pseudo-legal moves, captures first and drops last."""
        rules, side, occupied = self.rules, self.side, self.occupied()
        movers = move_tables(self.geometry, useful=False)
        moves = sorted(rules.captures(side, occupied, movers), reverse=True)
        moves += sorted(rules.quiets(side, NO_HISTORY, occupied, movers), reverse=True)
        moves += rules.drops(side, NO_HISTORY)
        return [move & MOVE_MASK for move in moves]

    def occupied(self) -> int:
        """Return the bitboard of all pieces."""
        return sum([1 << square for own in self.pieces for square in own])

    def playable_moves(self) -> list[int]:
        """Return the legal moves, whether or not the game is drawn by repetition."""
        repeated = self._repeated()
        if repeated is not None and repeated.winner is not None:
            return []
        return [move for move in self._pseudo_legal_moves() if not self.fault(move)]

    def legal_moves(self) -> list[int]:
        return [] if self._repeated() else self.playable_moves()

    def fault(self, move: int) -> str:
        """Return the rule that forbids a pseudo-legal move; "" if the move is legal."""
        start, to = FROM_TO[move & FROM_TO_MASK]
        side, king = self.side, self.kings[self.side]
        if start < DROP:
            return _CHECKED if self.attacks.illegal(king, start, to, side, True) else ""
        if not self.attacks.check_mask(king, side) >> to & 1:
            return _CHECKED
        if start == DROP + PAWN:
            pawn, enemy = PAWN + WHITE * side, self.kings[side ^ 1]
            if self.geometry.attacks[pawn][to][enemy] and self.rules.drop_mates(to, side):
                return "a dropped pawn must not give mate"
        return ""

    def barred_moves(self) -> list[tuple[int, str]]:
        moves = self._pseudo_legal_moves()
        barred = [(move, fault) for move in moves if (fault := self.fault(move))]
        known, colour = set(moves), WHITE * self.side
        for piece in range(PAWN + colour, KING + colour):
            for to in range(self.geometry.cells) if self.in_hand[piece] else ():
                move = to << TO_SHIFT | DROP + (piece & 7)
                if not self.squares[to] and move not in known:
                    can_move = self.geometry.places[piece] >> to & 1
                    barred.append((move, _TWO_PAWNS if can_move else _NO_MOVE))
        return barred

    def make(self, move: int) -> None:
        """Play a legal move, or the null move of a record."""
        rules, side, key = self.rules, self.side, self.key
        change = rules.change_of(move, side) if move else None
        self.undo_stack.append((change, key))
        self.seen[key] = self.seen.get(key, 0) + 1
        if change is None:
            self.key ^= self.geometry.side_key
        else:
            self.key = rules.key_after(key, side, change)
            rules.make(side, change)
        self.number += 1
        self.side = side ^ 1

    def undo(self) -> None:
        change, self.key = self.undo_stack.pop()
        self.seen[self.key] -= 1
        self.number -= 1
        self.side ^= 1
        if change is not None:
            self.rules.unmake(self.side, change)

    # ---- knowledge -------------------------------------------------------------------

    def evaluate(self) -> int:
        from games.shogi.evaluation import network_of

        net = network_of(self.game)
        return net.score(net.add_up(self), self.side)

    def order_moves(self, moves: Sequence[int]) -> list[int]:
        from games.shogi.ordering import root_scores

        return root_scores(self, moves)

    def noisy_moves(self) -> list[int]:
        return [move for move in self.legal_moves() if self.squares[move >> TO_SHIFT & 127]]

    def mating_line(self, context: Context) -> list[int] | None:
        """Return the moves of a mate by checks, [] if there is none, None if it is unknown."""
        from games.shogi.mate import MateSearch

        return MateSearch(self, context).line()

    def solve(self, context: Context) -> Iterable[Line]:
        """Return the Line of the opening book, or of a mate by checks that a short search finds."""
        from games.shogi.mate import solve

        line = book_line(self, context) if context.options.get("ShogiBook") else None
        return (line,) if line else solve(self, context)

    # ---- the end of the game ---------------------------------------------------------

    def repetitions(self) -> int:
        """Return the number of earlier occurrences of this position, hands included."""
        return self.seen.get(self.key, 0)

    def checks_back(self, plies: int) -> list[bool]:
        """Return, for up to `plies` positions, whether the side to move was in check.

        The list begins with this position and goes back in time.
        """
        twin, checked = self.copy(), []
        for _ in self.undo_stack[-plies:]:
            checked.append(twin.in_check())
            twin.undo()
        return checked

    def _repeated(self) -> Outcome | None:
        """Return the Outcome if the position has occurred four times, else None.

        A player loses if all their moves since the first of these four occurrences gave check.
        """
        if self.repetitions() < _SENNICHITE - 1:
            return None
        backwards = enumerate(reversed(self.undo_stack), 1)
        earlier = (plies for plies, entry in backwards if entry[1] == self.key)
        checked = self.checks_back(next(islice(earlier, _SENNICHITE - 2, None)))
        for chaser, checks in ((self.side ^ 1, checked[::2]), (self.side, checked[1::2])):
            if all(checks):
                return Outcome(chaser ^ 1, f"{self.game.colours[chaser]} gave perpetual check")
        return Outcome(None, "fourfold repetition")

    def outcome(self) -> Outcome | None:
        repeated = self._repeated()
        if repeated or self.playable_moves():
            return repeated
        return Outcome(self.side ^ 1, "checkmate" if self.in_check() else "no legal move is left")

    def final_value(self) -> int | None:
        """Return the value of a repeated position; None if it isn't repeated.

        The value is 0, unless one side has given perpetual check and so loses.

        A search treats the first repetition as a draw, since the side that can repeat a position
        once can repeat it again.
        """
        repeated = self._repeated()
        if repeated:
            return self.value_of(repeated)
        return 0 if self.repetitions() else None

    def claim(self) -> Outcome | None:
        """Return the win of a king in the promotion zone (the 27-point rule), else None.

        The king and ten other pieces must be in the zone, and the king not in check.  The other
        pieces and those in hand count a point each, rooks and bishops five.  Black needs 28 points,
        White 27.
        """
        side, inside = self.side, self.geometry.camps[self.side]
        if self.game.size != 9 or self.kings[side] not in inside or self.in_check():
            return None
        there = [piece & 7 for at, piece in self.pieces[side].items() if at in inside]
        hand = [kind for kind in KINDS for _ in range(self.in_hand[kind | WHITE * side])]
        big = sum(LETTERS[kind] in "BR" for kind in there + hand)
        points = len(there) - 1 + len(hand) + (_BIG - 1) * big
        if len(there) <= _ENTERED or points < _POINTS[side]:
            return None
        return Outcome(side, "the king has entered the camp with enough points")

    # ---- text ------------------------------------------------------------------------

    def parse_move(self, text: str) -> int:
        """Parse a legal move in the form of USI, or of Fairy-Stockfish (b2h8+, P@e5).

        Raises MoveError, which says which rule forbids the move.
        """
        move = read_move(self, text.strip())
        if move in self.playable_moves():  # a record may go on after the fourth repetition
            return move
        rule = dict(self.barred_moves()).get(move, "")
        raise MoveError(text, "is not a legal move here" + (f": {rule}" if rule else ""))

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
        pieces = [kind + colour for kind in _HAND_ORDER]
        return "".join([letters_of(piece) * self.in_hand[piece] for piece in pieces])

    def move_text(self, move: int) -> str:
        return self._coordinates(move, self.game.squares, "*")

    def fairy_move(self, move: int) -> str:
        return self._coordinates(move, Squares, "@")

    def _coordinates(self, move: int, kind: type[Squares], sign: str) -> str:
        """Return the text of a move: both squares, named by `kind`.  sign: the mark of a drop."""
        names, cell = kind(self.game.size, self.game.size), self.geometry.cell
        start, to = FROM_TO[move & FROM_TO_MASK]
        origin = LETTERS[start - DROP] + sign if start >= DROP else names.name(cell(start))
        return origin + names.name(cell(to)) + "+" * (move >= PROMOTE)

    def notations(self) -> dict[str, Callable[[int], str]]:
        return {"western": self.notation, "kif": self._kif, "usi": self.move_text}

    def notation(self, move: int) -> str:
        """Return a legal move in Western notation: P-7f, Bx2b+, Sx7g=, N*4e, G6i-5h."""
        start, _, piece, _, captured = self.rules.change_of(move, self.side)
        text = self.move_text(move)
        if start >= DROP:
            return text
        origin = text[:2] if self._ambiguous(move) else ""
        sign = "x" if captured else "-"
        return f"{letters_of(piece & 15)}{origin}{sign}{text[2:4]}{self._mark(move)}"

    def _kif(self, move: int) -> str:
        """Return a legal move as Japanese records show it: ▲７六歩, △２二角成, ▲同銀, △５五歩打.

        If another piece of the kind can go to the same square, the origin follows: ▲５八金(69).
        """
        start, to, piece, _, _ = self.rules.change_of(move, self.side)
        text, drop = self.move_text(move), start >= DROP
        last = self.undo_stack[-1][0] if self.undo_stack else None
        where = "同" if last and last[1] == to else text[2:4].translate(_JAPANESE)
        name = self.game.looks.symbol(letters_of(piece)).translate(_LONG_NAMES)
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
        start, to, piece, _, _ = self.rules.change_of(move, self.side)
        moves = [FROM_TO[other & FROM_TO_MASK] for other in self.playable_moves()]
        others = {other for other, target in moves if target == to} - {start}
        return any(self.squares[other] == piece for other in others if other < DROP)
