"""The game as GTP sees it: colours, vertices, and moves that may stand for two plies or none.

Black is the player who moves first; in chess White is.  A pass in a finished game is accepted and changes nothing;
where the side to move can only pass, a move of the other colour implies that pass.
"""
from __future__ import annotations

from games.base import MoveError
from games.grid import square_name
from protocol import moves
from protocol.base import CommandError
from protocol.gtp_clock import GtpClock

_PLAYERS = {"b": 0, "black": 0, "w": 1, "white": 1}
_COLOURS = ("black", "white")

ILLEGAL = "illegal move"
SYNTAX = "syntax error"


class GtpGame:
    """A session's game in GTP's terms.

    session: the Session.  clock: the GtpClock.
    """

    def __init__(self, session):
        self.session = session
        self.clock = GtpClock()
        self._plies = []            # of each move played: 1; 0 for a pass after the end; 2 with an implied pass
        self._shaped = self._shape = None

    # ---- colours ----------------------------------------------------------------------------------------

    def player(self, word):
        """The player (0 moves first) of a colour's name; CommandError for other words."""
        player = _PLAYERS.get(word.lower())
        if player is None:
            raise CommandError(SYNTAX)
        return player ^ self._white_begins()

    def colour(self, player):
        """`black` or `white`."""
        return _COLOURS[player ^ self._white_begins()]

    def _white_begins(self):
        return self.session.game.colours[0] == "White"

    def require_turn(self, player):
        """CommandError if it is the other player's turn in a game that goes on."""
        position = self.session.position
        if player != position.side and position.outcome() is None:
            raise CommandError(f"it is {self.colour(position.side)}'s turn")

    # ---- the board --------------------------------------------------------------------------------------

    def shape(self):
        """(columns, rows) of the board, None where there is none."""
        position = self.session.position
        if position is not self._shaped:
            board = position.board()
            self._shaped, self._shape = position, board and (len(board[0]), len(board))
        return self._shape

    def read(self, word):
        """The legal move of a vertex or of any other dress; CommandError `illegal move` or `syntax error`."""
        self.check_letter(word)
        position = self.session.position
        cell = self._cell(word)
        try:
            if cell is None:
                return moves.read(position, word)
            return self.placed(cell, word)
        except MoveError:
            readable = position.board() is None or any(char.isdigit() for char in word) or word.lower() in moves.PASSES
            raise CommandError(ILLEGAL if readable else SYNTAX) from None

    def check_letter(self, word):
        """CommandError `syntax error` for a vertex of column I, which GTP leaves out.

        A square may have that name in a game's own notation: to read it so would put the stone on vertex J.
        """
        if word[0] in "iI" and word[1:].isascii() and word[1:].isdigit() and self.shape() is not None:
            raise CommandError(SYNTAX)

    def placed(self, cell, word):
        """The legal move that fills `cell`; a game without placements reads `word`.  MoveError else."""
        position = self.session.position
        try:
            move = position.parse_move(square_name(*cell))
            if position.placement(move) == cell:
                return move
        except MoveError:
            pass
        if all(position.placement(move) is None for move in position.playable_moves()):
            return moves.read(position, word)
        return moves.placed(position, cell, word)

    def _cell(self, word):
        """The cell (column, row) of a vertex on the board; None for every other word."""
        letter, digits, shape = word[0].lower(), word[1:], self.shape()
        if shape is None or len(digits) > 2 or not (digits.isascii() and digits.isdigit()):
            return None
        column, row = moves.VERTEX_LETTERS.find(letter), int(digits) - 1
        return (column, row) if 0 <= column < shape[0] and 0 <= row < shape[1] else None

    def vertex(self, move, position=None):
        """The dress of a legal move."""
        return moves.vertex(position or self.session.position, move)

    def variation(self, position, line):
        """The vertices of a line of moves from `position`, which is left as it was."""
        words = []
        for move in line:
            words.append(self.vertex(move, position))
            position.make(move)
        for _ in line:
            position.undo()
        return words

    # ---- playing ----------------------------------------------------------------------------------------

    def restart(self):
        """Back to the start of the game."""
        self.session.new_game()
        self.began()

    def began(self):
        """A position was set up: there are no moves to take back, and the clocks begin anew."""
        self._plies = []
        self.clock.restart()

    def finished(self):
        """Is the game over?"""
        return self.session.position.outcome() is not None

    def play(self, player, word):
        """Play the move `word` of `player`; CommandError where the rules forbid it, and nothing has changed."""
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

    def pass_after_end(self):
        """A pass in a finished game: the front end's way to agree that it is over."""
        self._plies.append(0)

    def imply_pass(self, player):
        """Play the pass that a move of `player` implies, if any: the number of such passes, 0 or 1."""
        position = self.session.position
        if player == position.side:
            return 0
        passing = position.game.pass_move
        if passing is None or position.legal_moves() != [passing]:
            raise CommandError(ILLEGAL)
        self.session.play(passing, known_legal=True)
        return 1

    def make(self, move, implied=0):
        """Play a legal move, after so many implied passes."""
        self.session.play(move, known_legal=True)
        self._plies.append(1 + implied)

    def undo(self, count=1):
        """Take back `count` moves; CommandError where fewer were played, and nothing has changed."""
        if not 0 <= count <= len(self._plies):
            raise CommandError("cannot undo")
        for _ in range(count):
            self.session.undo(self._plies.pop())

    def adopt(self, other):
        """Take over the game, position and moves of another GtpGame."""
        session, source = self.session, other.session
        session.choose_game(source.game.name)
        session.values.update((option.name, source.values[option.name]) for option in source.game.options)
        session.setup(source.base_position().text())
        for move in source.moves:
            session.play(move)
        self.began()
        self._plies = other._plies[:]

    # ---- the end ----------------------------------------------------------------------------------------

    def score(self):
        """`B+N`, `W+N` or `0`, N being 1 where the game counts no points; None while the game goes on."""
        outcome = self.session.position.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            return "0"
        return f"{self.colour(outcome.winner)[0].upper()}+{1 if outcome.margin is None else abs(outcome.margin)}"
