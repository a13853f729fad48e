"""A position of draughts, changed in place."""

from __future__ import annotations

from functools import cache

from games.base import MoveError, Outcome, Position
from games.draughts.draws import DRAWS, REPETITION, drawn
from games.draughts.patterns import evaluation_of
from games.draughts.rules import KING, LOSE, SQUARE, TO, VALUE, Rules
from games.draughts.squares import board_of
from games.draughts.texts import read_move, read_position, side_of, write_position
from games.grid import count_bits
from games.keys import zobrist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.draughts import Draughts
    from games.draughts.rules import Capture
    from games.draughts.squares import Bits
    from games.draughts.texts import Pieces
    from games.types import Cell, Move, Score, Side, Square

# The keys of a man and of a king of each player on each square, and of the second player's turn.
MAN_KEYS = zobrist(71, 64), zobrist(72, 64)
KING_KEYS = zobrist(73, 64), zobrist(74, 64)
(SIDE_KEY,) = zobrist(75, 1)
# The last moves of a side were all made by one king: (its square, their number).
NO_RUN = -1, 0


@cache
def rules_of(game: Draughts) -> Rules:
    """Return the Rules of a game, made once."""
    return Rules(game)


def start_position(game: Draughts) -> DraughtsPosition:
    """Return the start position."""
    squares = board_of(game.columns).all
    count = game.men * game.columns // 2
    pieces = dict.fromkeys(squares[:count], "b")
    pieces.update(dict.fromkeys(squares[-count:], "w"))
    return DraughtsPosition(game, pieces, 0)


def position_of(game: Draughts, text: str) -> DraughtsPosition:
    """Return the position of a text.  Raises PositionError."""
    return DraughtsPosition(game, *read_position(game, text))


class DraughtsPosition(Position):
    """A position.

    men, kings: the pieces of each player as bits.
    clocks: plies that kings alone moved, and plies since the last capture (draws.py).
    runs: for each player, (square, count) of the king that made its last moves; see NO_RUN.
    """

    game: Draughts

    def __init__(self, game: Draughts, pieces: Pieces, side: Side) -> None:
        self.game, self.side = game, side
        self.rules, self.squares = rules_of(game), board_of(game.columns)
        self.men, self.kings = [0, 0], [0, 0]
        self.key = SIDE_KEY * side
        for square, piece in pieces.items():
            owner, king = side_of(game, piece), piece.isupper()
            (self.kings if king else self.men)[owner] |= 1 << square
            self.key ^= (KING_KEYS if king else MAN_KEYS)[owner][square]
        self.clocks, self.runs = (0, 0), (NO_RUN, NO_RUN)
        self.stack: list[tuple[Any, ...]] = []
        self.keys: list[int] = []
        self._known: tuple[list[Move], dict[Move, Capture]] | None = None

    # ---- the rules -------------------------------------------------------------------

    def up(self, side: Side) -> bool:
        """Does a player move up the board, as White does?"""
        return (side == 0) == self.game.white_first

    def _pieces(self) -> tuple[Bits, Bits, Bits, Bits, bool]:
        side, other = self.side, self.side ^ 1
        return (
            self.men[side],
            self.kings[side],
            self.men[other],
            self.kings[other],
            self.up(side),
        )

    def _moves(self) -> tuple[list[Move], dict[Move, Capture]]:
        """Return (legal moves, {move: Capture}), as if no rule ended the game."""
        if self._known is None:
            men, kings, other_men, other_kings, up = self._pieces()
            captures = self.rules.captures(men, kings, other_men, other_kings, up)
            if captures:
                moves = [capture[0] for capture in captures]
            else:
                moves = self._quiets(kings & ~self._tired())
            self._known = moves, {capture[0]: capture for capture in captures}
        return self._known

    def _quiets(self, kings: Bits) -> list[Move]:
        men, own_kings, other_men, other_kings, up = self._pieces()
        empty = self.squares.full & ~(men | own_kings | other_men | other_kings)
        return self.rules.quiets(men, kings, empty, up)

    def _tired(self) -> Bits:
        """Return the king that may only capture, since it made too many moves in succession."""
        square, count = self.runs[self.side]
        limit = self.game.king_moves
        return 1 << square if limit and count >= limit and self.men[self.side] else 0

    def playable_moves(self) -> list[Move]:
        return self._moves()[0][:] if self.crowned() is None else []

    def legal_moves(self) -> list[Move]:
        moves = self.playable_moves()
        return [] if moves and self.draw_reason() else moves

    def crowned(self) -> Side | None:
        """Return the player who has won by a king; None if the game isn't won that way."""
        if self.game.goal != KING or not any(self.kings):
            return None
        return self.side ^ 1 if self.kings[self.side ^ 1] else self.side

    def draw_reason(self) -> str:
        """Return the reason why the game is drawn, "" if it isn't."""
        if max(self.clocks) < 4:
            return ""
        name, clock = self.game.draws, self.clocks[0]
        if name in REPETITION and clock > 7 and self.keys[-clock:].count(self.key) > 1:
            return "the position occurred for the third time"
        one, other = (self.pieces_of(side) for side in (0, 1))
        return drawn(DRAWS[name], one, other, self.clocks)

    def pieces_of(self, side: Side) -> tuple[int, int, bool]:
        """Return (men, kings, does one stand on the long diagonal?) of a player."""
        men, kings = self.men[side], self.kings[side]
        return count_bits(men), count_bits(kings), (men | kings) & self.squares.diagonal != 0

    def outcome(self) -> Outcome | None:
        winner = self.crowned()
        if winner is not None:
            return Outcome(winner, f"{self.game.colours[winner]} has a king")
        if not self._moves()[0]:
            winner = self.side if self.game.goal == LOSE else self.side ^ 1
            return Outcome(winner, f"{self.game.colours[self.side]} can't move")
        reason = self.draw_reason()
        return Outcome(None, reason) if reason else None

    def make(self, move: Move) -> None:
        capture = self._moves()[1].get(move)
        side, other = self.side, self.side ^ 1
        self.keys.append(self.key)
        self.stack.append((*self.men, *self.kings, self.clocks, self.runs))
        start, to = move & SQUARE, move >> TO & SQUARE
        by_king = self.kings[side] >> start & 1
        own, keys = (self.kings, KING_KEYS) if by_king else (self.men, MAN_KEYS)
        own[side] ^= 1 << start
        self.key ^= keys[side][start] ^ SIDE_KEY
        crowned = self.rules.crown[self.up(side)] >> to & 1
        if capture is not None:
            crowned = capture[2]
            for pieces, keys in ((self.men, MAN_KEYS), (self.kings, KING_KEYS)):
                for square in self.squares.of(pieces[other] & capture[1]):
                    self.key ^= keys[other][square]
                pieces[other] &= ~capture[1]
        own, keys = (self.kings, KING_KEYS) if by_king or crowned else (self.men, MAN_KEYS)
        own[side] |= 1 << to
        self.key ^= keys[side][to]
        kings_alone, since_capture = self.clocks
        quiet = capture is None
        self.clocks = kings_alone + 1 if by_king and quiet else 0, since_capture + 1 if quiet else 0
        self.side, self._known = other, None
        run = NO_RUN
        if by_king and quiet:
            square, count = self.runs[side]
            run = to, count + 1 if square == start else 1
        self.runs = (self.runs[0], run) if side else (run, self.runs[1])

    def undo(self) -> None:
        *pieces, self.clocks, self.runs = self.stack.pop()
        self.men, self.kings = pieces[:2], pieces[2:]
        self.key = self.keys.pop()
        self.side, self._known = self.side ^ 1, None

    def copy(self) -> Position:
        return self.with_own("men", "kings", "stack", "keys")

    def barred_moves(self) -> list[tuple[Move, str]]:
        """Return quiet moves if a capture is forced, and captures that are too small."""
        moves, captures = self._moves()
        kings = self.kings[self.side]
        if not captures:
            tired = set(self._quiets(kings)) - set(moves)
            return [(move, "this king has moved three times in succession") for move in tired]
        forced = ", ".join(map(self.move_text, moves[:3]))
        small = "most valuable" if self.game.law == VALUE else "largest"
        return [(move, f"a capture is forced: {forced}") for move in self._quiets(kings)] + [
            (capture[0], f"the {small} capture is forced: {forced}")
            for capture in self.rules.barred(*self._pieces())
        ]

    # ---- knowledge -------------------------------------------------------------------

    def evaluate(self) -> Score:
        evaluation = evaluation_of(self.game)
        order = (0, 1) if self.game.white_first else (1, 0)
        men, kings = ([pieces[side] for side in order] for pieces in (self.men, self.kings))
        return evaluation.evaluate(evaluation.lanes(men, kings), order[self.side], *kings)

    # ---- texts -----------------------------------------------------------------------

    def pieces(self) -> Pieces:
        """Return the pieces on the board."""
        first, second = "wb" if self.game.white_first else "bw"
        letters = (
            (self.men[0], first),
            (self.kings[0], first.upper()),
            (self.men[1], second),
            (self.kings[1], second.upper()),
        )
        return {square: letter for bits, letter in letters for square in self.squares.of(bits)}

    def text(self) -> str:
        return write_position(self.game, self.pieces(), self.side)

    def board(self) -> list[str]:
        columns = self.game.columns
        rows = [["."] * columns for _ in range(columns)]
        for letter, bits in zip("MmKk", (*self.men, *self.kings)):
            for square in self.squares.of(bits):
                column, rank = self.squares.cell[square]
                rows[rank][column] = letter
        return ["".join(row) for row in rows]

    def way(self, move: Move) -> tuple[Square, ...]:
        """Return the squares that a legal move visits, from its first to its last."""
        capture = self._moves()[1].get(move)
        return capture[3] if capture else (move & SQUARE, move >> TO & SQUARE)

    def touched(self, move: Move) -> list[Cell]:
        return [self.squares.cell[square] for square in self.way(move)]

    def move_text(self, move: Move) -> str:
        """Return a move such as 32-28 or 28x19.

        If other captures have the same two squares, it names every square of the way.
        """
        captures, ends = self._moves()[1], (1 << 2 * TO) - 1
        way = self.way(move)
        if sum(other & ends == move & ends for other in captures) < 2:
            way = way[0], way[-1]
        names = [self.squares.name(square, self.game.letters) for square in way]
        return ("x" if move in captures else "-").join(names)

    def parse_move(self, text: str) -> Move:
        """Return the legal move of a text: its two squares, its way, or the form of Hub.

        In the form of Hub the squares of the captured pieces follow the two squares of the move.
        """
        named = read_move(self.squares, text)
        moves, captures = self._moves()
        if len(named) == 2:
            found = [move for move in moves if ends_of(move) == (named[0], named[1])]
        else:
            by_way = (named[0], named[-1]), self._between(named)
            by_hub = (named[0], named[1]), self.squares.bits(named[2:])
            found = [
                move
                for move, capture in captures.items()
                if (ends_of(move), capture[1]) in (by_way, by_hub)
            ]
            # Frisian men may capture the same pieces in two orders.
            found = [move for move in found if self.way(move) == tuple(named)] or found[:1]
        if len(found) > 1:
            ways = ", ".join(map(self.move_text, found))
            raise MoveError(text, f"is more than one capture: {ways}")
        if not found or found[0] not in self.playable_moves():
            raise MoveError(text, self._why_not(named))
        return found[0]

    def _between(self, way: list[Square]) -> Bits:
        """Return the other side's pieces that a piece on this way passes."""
        others, passed = self.men[self.side ^ 1] | self.kings[self.side ^ 1], 0
        for start, to in zip(way, way[1:]):
            passed |= self.squares.between(start, to) & others
        return passed

    def _why_not(self, named: list[Square]) -> str:
        """Return the reason why a move that names these squares is illegal."""
        for move, reason in self.barred_moves():
            if ends_of(move) in ((named[0], named[1]), (named[0], named[-1])):
                return reason
        return "is not a legal move here"


def ends_of(move: Move) -> tuple[Square, Square]:
    """Return the first and the last square of a move."""
    return move & SQUARE, move >> TO & SQUARE
