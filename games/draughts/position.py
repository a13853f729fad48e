"""A position of draughts, which moves change in place; it holds a state of rules.py."""

from __future__ import annotations

import re

from games.base import MoveError, Outcome, Position
from games.draughts.draws import DRAWS, REPETITION, all_pieces, drawn
from games.draughts.rules import BARRED, ENDS, INDEX, KING, LOSE, SQUARE, TO, VALUE, rules_of
from games.draughts.squares import squares_of
from games.draughts.texts import LETTERS, read_move, write_position
from games.geometry import bitboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.draughts import Draughts
    from games.draughts.rules import State, Step
    from games.draughts.squares import Bits
    from games.draughts.texts import Pieces
    from games.types import Cell, Move, Score, Side, Square


class DraughtsPosition(Position):
    """A position.

    state: see rules.py.  since_capture: plies since the last capture.
    runs[player]: (square of the king that moved last, number of its quiet moves in succession);
    (-1, 0) if the player's last move was a capture or a man's move.
    stack: (state, since_capture, runs) of each earlier position.
    """

    game: Draughts

    def __init__(self, game: Draughts, pieces: Pieces, side: Side) -> None:
        self.game, self.rules = game, rules_of(game)
        self.since_capture, self.runs = 0, ((-1, 0), (-1, 0))
        self.stack: list[tuple[Any, ...]] = []
        self._set(self.rules.state(pieces, side))

    def _set(self, state: State) -> None:
        self.state, self.key = state, state[0]
        self.side = state[4] ^ self.game.white
        self._steps: dict[Move, Step] | None = None

    # ---- the rules -------------------------------------------------------------------

    def steps(self) -> dict[Move, Step]:
        """Return {move: Step} of the legal moves, as if no rule ended the game."""
        if self._steps is None:
            steps = self.rules.captures(self.state)
            if not steps:
                steps = self.rules.quiets(self.state)
                square, moves = self.runs[self.side]
                if self.state[5] and 0 < self.game.king_moves <= moves:
                    steps = [step for step in steps if step[0] & SQUARE != square]
            self._steps = {step[0]: step for step in steps}
        return self._steps

    def must_capture(self) -> bool:
        """Are all legal moves captures?"""
        return any(captured for _, captured, _, _ in self.steps().values())

    def playable_moves(self) -> list[Move]:
        return [] if self.crowned() is not None else list(self.steps())

    def legal_moves(self) -> list[Move]:
        return [] if self.draw_reason() else self.playable_moves()

    def crowned(self) -> Side | None:
        """Return the player who has won by having the first king; None if nobody has."""
        kings, other_kings = self.state[6], self.state[8]
        if self.game.goal != KING or not kings | other_kings:
            return None
        return self.side ^ (other_kings > 0)

    def draw_reason(self) -> str:
        """Return the reason why the game is drawn; "" if it isn't, or if no move is left."""
        name, clock = self.game.draws, self.state[2]
        if clock < 4 and self.since_capture < 4 or not self.steps():
            return ""
        earlier = [entry[0][0] for entry in self.stack[-clock:]] if clock > 7 else []
        if name in REPETITION and earlier.count(self.key) > 1:
            return "the position occurred for the third time"
        pieces = all_pieces(self.state, self.rules.board.diagonal)
        return drawn(DRAWS[name], pieces, (clock, self.since_capture))

    def outcome(self) -> Outcome | None:
        winner, colours = self.crowned(), self.game.colours
        if winner is not None:
            return Outcome(winner, f"{colours[winner]} has a king")
        if not self.steps():
            winner = self.side if self.game.goal == LOSE else self.side ^ 1
            return Outcome(winner, f"{colours[self.side]} can't move")
        reason = self.draw_reason()
        return Outcome(None, reason) if reason else None

    def make(self, move: Move) -> None:
        step, side = self.steps()[move], self.side
        self.stack.append((self.state, self.since_capture, self.runs))
        start, to = move & SQUARE, move >> TO & SQUARE
        run = -1, 0
        if not step[1] and self.state[6] >> start & 1:
            square, moves = self.runs[side]
            run = to, moves + 1 if square == start else 1
        self.runs = (self.runs[0], run) if side else (run, self.runs[1])
        self.since_capture = 0 if step[1] else self.since_capture + 1
        self._set(self.rules.after(self.state, step))

    def undo(self) -> None:
        state, self.since_capture, self.runs = self.stack.pop()
        self._set(state)

    def copy(self) -> Position:
        return self.with_own("stack")

    def barred_moves(self) -> list[tuple[Move, str]]:
        """Return (move, reason) for each move that a rule forbids.

        If a capture is forced, these are the quiet moves and the captures that take too little.
        Otherwise they are the moves of a king that has moved too often.
        """
        legal, quiets = self.steps(), [step[0] for step in self.rules.quiets(self.state)]
        if not self.must_capture():
            reason = "this king has moved three times in succession"
            return [(move, reason) for move in quiets if move not in legal]
        forced = ", ".join(map(self.move_text, list(legal)[:3]))
        small = "most valuable" if self.game.law == VALUE else "largest"
        lawful = set(map(taken_by, legal.values()))
        captures = self.rules.find(self.state)
        barred = {step[0] | BARRED << INDEX for step in captures if taken_by(step) not in lawful}
        return [(move, f"a capture is forced: {forced}") for move in quiets] + [
            (move, f"the {small} capture is forced: {forced}") for move in sorted(barred)
        ]

    # ---- knowledge -------------------------------------------------------------------

    def evaluate(self) -> Score:
        return self.rules.judge.evaluate(self.state)

    def noisy_moves(self) -> list[Move]:
        """Return the captures."""
        return self.legal_moves() if self.must_capture() else []

    # ---- texts -----------------------------------------------------------------------

    def pieces(self) -> Pieces:
        """Return the pieces on the board."""
        sets = zip(LETTERS[self.state[4]], self.state[5:9])
        return {square: letter for letter, bits in sets for square in squares_of(bits)}

    def text(self) -> str:
        return write_position(self.game, self.pieces(), self.side)

    def board(self) -> list[str]:
        columns, cell = range(self.game.columns), self.rules.board.cell
        letters = dict(zip(LETTERS[self.game.white], "MKmk"))
        cells = {cell[square]: letters[piece] for square, piece in self.pieces().items()}
        return ["".join(cells.get((column, row), ".") for column in columns) for row in columns]

    def way(self, move: Move) -> tuple[Square, ...]:
        """Return the squares that a legal move visits, from its first to its last."""
        step = self.steps().get(move)
        return step and step[3] or ends_of(move)

    def touched(self, move: Move) -> list[Cell]:
        return [self.rules.board.cell[square] for square in self.way(move)]

    def move_text(self, move: Move) -> str:
        """Return a move such as 32-28 or 28x19.

        If other captures have the same two squares, the text names every square on the way.
        """
        steps, way = self.steps(), self.way(move)
        if sum(other & ENDS == move & ENDS for other in steps) < 2:
            way = way[0], way[-1]
        names = [self.rules.board.name[square] for square in way]
        return ("x" if move in steps and steps[move][1] else "-").join(names)

    def hub_text(self) -> str:
        """Return the position as Hub writes it: the colour to move, then every square."""
        pieces = self.pieces()
        squares = (pieces.get(square, "e") for square in self.rules.board.all)
        return "".join(["WB"[self.state[4]], *squares])

    def hub_move(self, move: Move, origin: str = "a1") -> str:
        """Return a legal move as Hub writes it: 32-28, or 28x19x23 if it captures on 23.

        origin: where the count of squares begins, "a1" or "top", if their names have letters.
        """
        board = self.rules.board
        taken, squares = squares_of(self.steps()[move][1]), board.counted_from(origin)
        numbers = [str(squares.index(square) + 1) for square in (*ends_of(move), *taken)]
        return ("x" if taken else "-").join(numbers)

    def read_hub(self, text: str, origin: str = "a1") -> Move:
        """Parse a legal move in the form of hub_move().  Raises MoveError."""
        board = self.rules.board
        squares = enumerate(board.counted_from(origin), 1)
        names = {str(number): board.name[square] for number, square in squares}
        return self.parse_move(re.sub(r"\d+", lambda number: names.get(number[0], "0"), text))

    def parse_move(self, text: str) -> Move:
        """Parse a legal move: its first and last square, all squares on its way, or Hub's form.

        In Hub's form the squares of the captured pieces follow the first and the last square.
        """
        named = tuple(read_move(self.rules.board, text))
        legal = {move: self.steps()[move] for move in self.playable_moves()}
        lawful = set(map(taken_by, legal.values()))
        ways = [*legal.values(), *self.rules.find(self.state)]
        ways = [step for step in ways if taken_by(step) in lawful and self._fits(step, named)]
        ways = [step for step in ways if step[3] == named] or ways
        # Frisian men may capture the same pieces in two orders; either of these moves will do.
        wanted = set(map(taken_by, ways))
        fitting = [move for move, step in legal.items() if taken_by(step) in wanted]
        if len(wanted) > 1:
            several = ", ".join(map(self.move_text, fitting))
            raise MoveError(text, f"may be any of several captures: {several}")
        if not fitting:
            ends = named[:2], (named[0], named[-1])
            reasons = [reason for move, reason in self.barred_moves() if ends_of(move) in ends]
            raise MoveError(text, [*reasons, "is not a legal move here"][0])
        return next((move for move in fitting if self.way(move) == named), fitting[0])

    def _fits(self, step: Step, named: tuple[Square, ...]) -> bool:
        """Can a text that names these squares mean this Step?"""
        ends = ends_of(step[0])
        on_its_way = ends == (named[0], named[-1]) and set(named) <= set(step[3])
        in_hub = ends == named[:2] and bitboard(named[2:]) == step[1]
        return on_its_way or in_hub


def taken_by(step: Step) -> tuple[Move, Bits]:
    """Return (a Step's move without the index, the pieces that it captures)."""
    return step[0] & ENDS, step[1]


def ends_of(move: Move) -> tuple[Square, Square]:
    """Return the first and the last square of a move."""
    return move & SQUARE, move >> TO & SQUARE
