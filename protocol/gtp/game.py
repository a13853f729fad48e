"""The game as GTP sees it: colours, vertices, and moves that count two plies or none.

Black is the player who moves first; in chess White is.  A pass in a finished game is
accepted and changes nothing.  If the side to move can only pass, a move of the other
colour implies that pass.
"""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter

from games.base import PASSES, MoveError
from protocol import moves
from protocol.base import CommandError
from protocol.gtp.clock import GtpClock
from protocol.thinking import lost_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.types import Cell
    from protocol.base import Method
    from protocol.gtp.protocol import Gtp
    from protocol.records.record import Record
    from search.report import Result
    from search.session import Session

_PLAYERS = {"b": 0, "black": 0, "w": 1, "white": 1}
_COLOURS = ("black", "white")

ILLEGAL = "illegal move"
SYNTAX = "syntax error"


class GtpGame:
    """A session's game in GTP's terms."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.clock = GtpClock()
        # plies of each move: 1; 0 for a pass after the end; 2 with an implied pass
        self._plies: list[int] = []

    # ---- colours ---------------------------------------------------------------------

    def player(self, word: str) -> int:
        """Return the player (0 moves first) of a colour's name; raise CommandError if unknown."""
        player = _PLAYERS.get(word.lower())
        if player is None:
            raise CommandError(SYNTAX)
        return player ^ self._white_begins()

    def colour(self, player: int) -> str:
        """Return a player's colour, `black` or `white`."""
        return _COLOURS[player ^ self._white_begins()]

    def _white_begins(self) -> bool:
        return bool(self.session.game.colours[0] == "White")

    def require_turn(self, player: int) -> None:
        """Raise CommandError if the game goes on and it is the other player's turn."""
        position = self.session.position
        if player != position.side and position.outcome() is None:
            raise CommandError(f"it is {self.colour(position.side)}'s turn")

    # ---- the board -------------------------------------------------------------------

    def shape(self) -> tuple[int, int] | None:
        """Return (columns, rows) of the board, None if the game has none."""
        board = self.session.position.board()
        return None if board is None else (len(board[0]), len(board))

    def read(self, word: str) -> int:
        """Return the legal move of a vertex or of any other notation.

        Raise CommandError `illegal move` or `syntax error` if it isn't one.
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
        """Raise CommandError `syntax error` for a vertex in column I, which GTP skips.

        In a game's own notation the word may be a square, which GTP calls J: reading it
        would put the stone on the wrong vertex.
        """
        digits = word[1:]
        if word[0] in "iI" and digits.isascii() and digits.isdigit() and self.shape() is not None:
            raise CommandError(SYNTAX)

    def _placement(self, cell: Cell, word: str) -> int:
        """Return the legal move that fills `cell`; in games without placements, that of `word`."""
        position = self.session.position
        try:
            return moves.placement_on(position, cell, word)
        except MoveError:
            if any(position.placement(move) is not None for move in position.playable_moves()):
                raise
        return moves.read(position, word)

    def _cell(self, word: str) -> Cell | None:
        """Return the cell of a vertex on the board, None for any other word."""
        try:
            return moves.read_vertex(self.session.position, word)
        except MoveError:
            return None

    # ---- playing ---------------------------------------------------------------------

    def restart(self) -> None:
        """Return to the start of the game."""
        self.session.new_game()
        self.was_set_up()

    def was_set_up(self) -> None:
        """Forget the moves played and restart the clocks, after a position was set up."""
        self._plies = []
        self.clock.restart()

    def finished(self) -> bool:
        """Is the game over?"""
        return self.session.position.outcome() is not None

    def play(self, player: int, word: str) -> None:
        """Play the move `word` of `player`.

        Raise CommandError and change nothing if the rules forbid it.
        """
        if word.lower() == "pass" and self.finished():
            self.pass_after_end()
            return
        self.check_letter(word)
        implied = self.imply_pass(player)
        with self.undoing(implied):
            self.make(self.read(word), implied)

    def pass_after_end(self) -> None:
        """Count a pass in a finished game, with which the front end agrees that it is over."""
        self._plies.append(0)

    def imply_pass(self, player: int) -> int:
        """Play the pass that a move of `player` implies, if any; return the number of passes."""
        position = self.session.position
        if player == position.side:
            return 0
        passing = position.game.pass_move
        if passing is None or position.legal_moves() != [passing]:
            raise CommandError(ILLEGAL)
        self.session.play(passing, known_legal=True)
        return 1

    @contextmanager
    def undoing(self, implied: int) -> Iterator[None]:
        """Take implied passes back if the block fails."""
        try:
            yield
        except Exception:
            self.session.undo(implied)
            raise

    def make(self, move: int, implied: int = 0) -> None:
        """Play a legal move.  implied: number of implied passes before it."""
        self.session.play(move, known_legal=True)
        self._plies.append(1 + implied)

    def play_best(self, result: Result, player: int, implied: int, started: float) -> str:
        """Play a search's best move, stop the player's clock and return the move's vertex.

        implied: as in make().  started: when the clock started (perf_counter seconds).
        """
        vertex = moves.vertex(self.session.position, result.best_move)
        self.make(result.best_move, implied)
        self.clock.spend(player, perf_counter() - started + lost_time(self.session))
        return vertex

    def undo(self, count: int = 1) -> None:
        """Take back `count` moves; raise CommandError and take back none if there are fewer."""
        if not 0 <= count <= len(self._plies):
            raise CommandError("cannot undo")
        for _ in range(count):
            self.session.undo(self._plies.pop())

    def adopt(self, record: Record, count: int | None) -> None:
        """Adopt the game, the start and the first `count` moves of a record (None: all).

        A pass that the record omits counts as part of the move after it.
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
        """Return the result as `B+N`, `W+N` or `0`, None while the game goes on.

        N is 1 if the game has no points.
        """
        outcome = self.session.position.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            return "0"
        points = 1 if outcome.margin is None else abs(outcome.margin)
        return f"{self.colour(outcome.winner)[0].upper()}+{points}"


def searches(method: Method) -> Method:
    """Mark a command that may wait for a search."""
    method.searches = True  # type: ignore[attr-defined]  # like those that `command` sets
    return method


class Group:
    """A group of GTP's commands: methods that return their reply."""

    def __init__(self, gtp: Gtp) -> None:
        self._gtp, self._game, self._session = gtp, gtp.game, gtp.session
