"""The game as GTP sees it: colours, vertices, and moves that stand for two plies or for none.

Black is the player who moves first, except in games where White moves first, such as chess.  A pass
in a finished game is accepted and changes nothing.  If the side to move can only pass, a move of
the other colour implies that pass.
"""

from __future__ import annotations

from games.base import PASSES, MoveError
from protocol import moves
from protocol.base import CommandError
from search.clock import Clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from protocol.gtp.protocol import Gtp
    from protocol.records.record import Record
    from search.session import Session

# Name that front ends give a colour -> the player, if Black moves first.
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}

ILLEGAL = "illegal move"
SYNTAX = "syntax error"


class GtpGame:
    """A session's game in GTP's terms."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.clocks = Clock(), Clock()
        # For each move, as GTP counts moves, the number of plies before it.
        self._starts: list[int] = []

    # ---- colours ---------------------------------------------------------------------

    def _white_begins(self) -> bool:
        return self.session.game.colours[0] == "White"

    def player(self, word: str) -> int:
        """Return the player (0 moves first) of a colour's name; raise CommandError if unknown."""
        if word.lower() not in COLOURS:
            raise CommandError(SYNTAX)
        return COLOURS[word.lower()] ^ self._white_begins()

    def colour(self, player: int) -> str:
        """Return a player's colour, `black` or `white`."""
        return ("black", "white")[player ^ self._white_begins()]

    def require_turn(self, player: int) -> None:
        """Raise CommandError if it is the other player's turn, except in a finished game."""
        if player != self.session.position.side and not self.finished():
            raise CommandError(f"it is {self.colour(player ^ 1)}'s turn")

    # ---- the board -------------------------------------------------------------------

    def shape(self) -> tuple[int, int] | None:
        """Return (columns, rows) of the board, None if the game has none."""
        board = self.session.position.board()
        return None if board is None else (len(board[0]), len(board))

    def read(self, word: str) -> int:
        """Parse a legal move, written as a vertex or in any other notation.

        Raise CommandError `illegal move` or `syntax error` if it isn't one.  Column I is a syntax
        error, since GTP skips it: in the game's own notation I5 would be the square that GTP calls
        J5, so the stone could land on the wrong vertex.
        """
        if word[0] in "iI" and word[1:].isdigit() and self.shape() is not None:
            raise CommandError(SYNTAX)
        try:
            return moves.read_vertex(self.session.position, word)
        except MoveError:
            readable = any(char.isdigit() for char in word) or word.lower() in PASSES
            raise CommandError(ILLEGAL if readable or self.shape() is None else SYNTAX) from None

    # ---- playing ---------------------------------------------------------------------

    def was_set_up(self) -> None:
        """Forget the moves played and restart the clocks, after a position was set up."""
        self._starts = []
        for clock in self.clocks:
            clock.reset()

    def finished(self) -> bool:
        """Is the game over?"""
        return self.session.position.outcome() is not None

    def play(self, player: int, word: str) -> None:
        """Play the move `word` of `player`.

        Raise CommandError if the rules forbid it; the caller must then undo() what was begun.
        """
        self.begin_move(player)
        if word.lower() == "pass" and self.finished():
            return
        move = self.read(word)
        if player != self.session.position.side:
            raise CommandError(ILLEGAL)
        self.session.play(move, known_legal=True)

    def begin_move(self, player: int) -> None:
        """Count a move of `player`, and play the pass that it implies, if any.

        A pass in a finished game counts as a move, too, although no ply is played.
        """
        position = self.session.position
        self._starts.append(len(self.session.moves))
        passing = position.game.pass_move
        if player != position.side and passing is not None:
            if position.legal_moves() == [passing]:
                self.session.play(passing, known_legal=True)

    def undo(self, count: int = 1) -> None:
        """Take back `count` moves; raise CommandError and take back none if there are fewer."""
        if not 0 <= count <= len(self._starts):
            raise CommandError("cannot undo")
        for _ in range(count):
            self.session.undo(len(self.session.moves) - self._starts.pop())

    def adopt(self, record: Record, count: int | None) -> None:
        """Adopt a record's game, its start and its first `count` moves (None: all moves).

        A pass that the record omits counts as part of the move after it.
        """
        session, start = self.session, record.start
        session.choose_game(start.game.name)
        session.values.update(start.values())
        session.setup(start.text)
        self.was_set_up()
        plies = 0
        for step in record.line:
            if len(self._starts) == count:
                break
            session.play(step.move, known_legal=True)
            if not step.implied:
                self._starts.append(plies)
                plies = len(session.moves)

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


class Group:
    """A group of GTP's commands.

    Each method returns its reply; one that searches returns None, and the reply comes later.
    """

    def __init__(self, gtp: Gtp) -> None:
        self._gtp = gtp
        self._game = gtp.game
        self._session = gtp.session
