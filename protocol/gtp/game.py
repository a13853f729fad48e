"""The game as GTP sees it: colours, vertices, clocks, and moves that stand for two plies or none.

Black is the player who moves first; in chess White is.  A pass in a finished game is
accepted and changes nothing.  Where the side to move can only pass, a move of the
other colour implies that pass.
"""

from __future__ import annotations

from games.base import PASSES, MoveError
from games.grid import square_name
from protocol import moves
from protocol.base import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from games.base import Position
    from games.types import Cell
    from protocol.records.record import Record
    from search.session import Session

_PLAYERS = {"b": 0, "black": 0, "w": 1, "white": 1}
_COLOURS = ("black", "white")

ILLEGAL = "illegal move"
SYNTAX = "syntax error"


class GtpGame:
    """A session's game in GTP's terms.

    session: the Session.  clock: the GtpClock.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.clock = GtpClock()
        # of each move played: 1; 0 for a pass after the end; 2 with an implied pass
        self._plies: list[int] = []
        self._shape_of: Position | None = None
        self._shape: tuple[int, int] | None = None

    # ---- colours ---------------------------------------------------------------------

    def player(self, word: str) -> int:
        """The player (0 moves first) of a colour's name; CommandError for other words."""
        player = _PLAYERS.get(word.lower())
        if player is None:
            raise CommandError(SYNTAX)
        return player ^ self._white_begins()

    def colour(self, player: int) -> str:
        """`black` or `white`."""
        return _COLOURS[player ^ self._white_begins()]

    def _white_begins(self) -> bool:
        return bool(self.session.game.colours[0] == "White")

    def require_turn(self, player: int) -> None:
        """CommandError if it is the other player's turn in a game that goes on."""
        position = self.session.position
        if player != position.side and position.outcome() is None:
            raise CommandError(f"it is {self.colour(position.side)}'s turn")

    # ---- the board -------------------------------------------------------------------

    def shape(self) -> tuple[int, int] | None:
        """(columns, rows) of the board, None where there is none."""
        position = self.session.position
        if position is not self._shape_of:  # GoGui asks at every node of a game
            board = position.board()
            self._shape_of = position
            self._shape = None if board is None else (len(board[0]), len(board))
        return self._shape

    def read(self, word: str) -> int:
        """The legal move of a vertex or of any other notation.

        CommandError `illegal move` or `syntax error`.
        """
        self.check_letter(word)
        position = self.session.position
        cell = self._cell(word)
        try:
            if cell is None:
                return moves.read(position, word)
            return self._placement(cell, word)
        except MoveError:
            readable = (
                position.board() is None
                or any(char.isdigit() for char in word)
                or word.lower() in PASSES
            )
            raise CommandError(ILLEGAL if readable else SYNTAX) from None

    def check_letter(self, word: str) -> None:
        """CommandError `syntax error` for a vertex of column I, which GTP leaves out.

        A square may have that name in a game's own notation: to read it so would put
        the stone on vertex J.
        """
        digits = word[1:]
        if word[0] in "iI" and digits.isascii() and digits.isdigit() and self.shape() is not None:
            raise CommandError(SYNTAX)

    def _placement(self, cell: Cell, word: str) -> int:
        """The legal move that fills `cell`; a game without placements reads `word`."""
        position = self.session.position
        try:  # as most games name it: to compare all legal moves takes ten times as long
            move = position.parse_move(square_name(*cell))
            if position.placement(move) == cell:
                return move
        except MoveError:
            pass
        if all(position.placement(move) is None for move in position.playable_moves()):
            return moves.read(position, word)
        return moves.placement_on(position, cell, word)

    def _cell(self, word: str) -> Cell | None:
        """The cell of a vertex on the board; None for every other word."""
        letter, digits, shape = word[0].lower(), word[1:], self.shape()
        if shape is None or len(digits) > 2 or not (digits.isascii() and digits.isdigit()):
            return None
        column, row = moves.VERTEX_LETTERS.find(letter), int(digits) - 1
        return (column, row) if 0 <= column < shape[0] and 0 <= row < shape[1] else None

    def vertex(self, move: int, position: Position | None = None) -> str:
        """The vertex of a legal move."""
        return moves.vertex(position or self.session.position, move)

    def variation(self, position: Position, line: Iterable[int]) -> list[str]:
        """The vertices of a line of moves from `position`, which is left as it was."""
        return moves.variation(position, line, moves.vertex)

    # ---- playing ---------------------------------------------------------------------

    def restart(self) -> None:
        """Back to the start of the game."""
        self.session.new_game()
        self.was_set_up()

    def was_set_up(self) -> None:
        """A position was set up: there are no moves to take back, and the clocks begin anew."""
        self._plies = []
        self.clock.restart()

    def finished(self) -> bool:
        """Is the game over?"""
        return self.session.position.outcome() is not None

    def play(self, player: int, word: str) -> None:
        """Play the move `word` of `player`.

        CommandError where the rules forbid it, and nothing has changed.
        """
        if word.lower() == "pass" and self.finished():
            self.pass_after_end()
            return
        self.check_letter(word)
        implied = self.imply_pass(player)
        try:
            self.make(self.read(word), implied)
        except CommandError:
            self.session.undo(implied)
            raise

    def pass_after_end(self) -> None:
        """A pass in a finished game: the front end's way to agree that it is over."""
        self._plies.append(0)

    def imply_pass(self, player: int) -> int:
        """Play the pass that a move of `player` implies; the number of such passes, 0 or 1."""
        position = self.session.position
        if player == position.side:
            return 0
        passing = position.game.pass_move
        if passing is None or position.legal_moves() != [passing]:
            raise CommandError(ILLEGAL)
        self.session.play(passing, known_legal=True)
        return 1

    def make(self, move: int, implied: int = 0) -> None:
        """Play a legal move, after so many implied passes."""
        self.session.play(move, known_legal=True)
        self._plies.append(1 + implied)

    def undo(self, count: int = 1) -> None:
        """Take back `count` moves or, with a CommandError, none where fewer were played."""
        if not 0 <= count <= len(self._plies):
            raise CommandError("cannot undo")
        for _ in range(count):
            self.session.undo(self._plies.pop())

    def adopt(self, record: Record, count: int | None = None) -> None:
        """Take over the game, the start and the first `count` moves of a record (None: all).

        A pass that the record leaves out belongs to the move after it.
        """
        session, start = self.session, record.start
        session.choose_game(start.game.name)
        session.values.update(start.values())
        session.setup(start.text)
        self.was_set_up()
        implied = 0
        for step in record.line:
            if len(self._plies) == count:
                break
            session.play(step.move, known_legal=True)
            if step.implied:
                implied += 1
            else:
                self._plies.append(1 + implied)
                implied = 0

    # ---- the end ---------------------------------------------------------------------

    def score(self) -> str | None:
        """`B+N`, `W+N` or `0`; None while the game goes on.

        N is 1 where the game counts no points.
        """
        outcome = self.session.position.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            return "0"
        points = 1 if outcome.margin is None else abs(outcome.margin)
        return f"{self.colour(outcome.winner)[0].upper()}+{points}"


class GtpClock:
    """The time that both players have left: a main time, then Canadian overtime.

    After the main time there are periods of `period` seconds, each for `stones`
    moves; without stones there is no overtime.  Front ends that don't send
    `time_left` expect the engine to count its own time: `spend` does.

    limited: does it bound the moves?
    """

    def __init__(self) -> None:
        self.limited = False
        self._main = self._period = 0.0
        self._stones = 0
        self._left: list[_TimeLeft] = []  # of each player

    def set(self, main: float, period: float, stones: int) -> None:
        """`time_settings`; a period without stones means that there is no limit."""
        self.limited = not (period > 0 and stones == 0)
        self._main, self._period, self._stones = main, period, stones
        self.restart()

    def restart(self) -> None:
        """Both players have their whole time again."""
        overtime_at_once = self._main == 0 and self._stones
        first = (self._period, self._stones) if overtime_at_once else (self._main, 0)
        self._left = [_TimeLeft(*first), _TimeLeft(*first)]

    def left(self, player: int, seconds: float, stones: int) -> None:
        """`time_left` of a player; it also begins to limit where nothing was set before.

        What exceeds the period is main time: front ends report Fischer clocks as a
        period of one stone that is the increment.
        """
        if not self._left:
            self.restart()
        self.limited = True
        if stones and 0 < self._period < seconds:
            seconds, stones = seconds - self._period, 0
        self._left[player] = _TimeLeft(seconds, stones)

    def spend(self, player: int, seconds: float) -> None:
        """A player's move took so long."""
        if not self.limited:
            return
        left = self._left[player]
        left.seconds -= seconds
        if left.stones:
            left.stones -= 1
            if not left.stones:
                left = _TimeLeft(self._period, self._stones)
        elif left.seconds <= 0 and self._stones:
            left = _TimeLeft(left.seconds + self._period, self._stones)
        left.seconds = max(left.seconds, 0.0)
        self._left[player] = left

    def limits(self, player: int) -> dict[str, Any]:
        """{name: value} for Limits() of a move of `player`; empty where there is no limit."""
        if not self.limited:
            return {}
        left = self._left[player]
        if self._main == 0 and left.stones == self._stones == 1:
            return {"movetime": left.seconds}  # for this move alone: nothing to save it for
        clocks: list[float | None] = [None, None]
        clocks[player] = left.seconds
        if left.stones:
            return {"clocks": clocks, "moves_to_go": left.stones}
        overtime = self._period / self._stones if self._stones else 0.0
        return {"clocks": clocks, "increments": [overtime, overtime]}


class _TimeLeft:
    """What a player has left: seconds, and moves in the period (0 in the main time)."""

    def __init__(self, seconds: float, stones: int) -> None:
        self.seconds, self.stones = seconds, stones
