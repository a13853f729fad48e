"""GoGui's `gogui-rules_*`: GoGui shows and plays any game of which an engine tells it the rules.

GoGui draws square boards alone, so a board that is not square lies at the bottom left of one, the rest being `?`.
GoGui asks these questions hundreds of times a move: they look at the session's position and nothing else.
"""
from __future__ import annotations

from protocol import moves
from protocol.base import CommandError, command


class Rules:
    """What GoGui asks a referee."""

    def __init__(self, game):
        self._game, self._session = game, game.session

    @command("gogui-rules_game_id", "the name of the game")
    def _game_id(self, words):
        return self._session.game.name.capitalize()

    @command("gogui-rules_board_size", "rows and columns of the square that holds the board")
    def _board_size(self, words):
        return str(self._side_length())

    def _side_length(self):
        shape = self._game.shape()
        if shape is None:
            raise CommandError("this game has no board")
        return max(shape)

    @command("gogui-rules_board", "the board, the top row first: X black, O white, . empty, ? no cell")
    def _board(self, words):
        size, marks = self._side_length(), _MARKS[self._game.colour(0)]
        rows = ["".join(marks.get(cell, marks[cell.isupper()]) for cell in row).ljust(size, "?")
                for row in self._session.position.board()]
        rows += ["?" * size] * (size - len(rows))
        return "\n" + "\n".join(" ".join(row) for row in rows[::-1])

    @command("gogui-rules_board_gfx", "letters on the pieces, in games that have several kinds of them")
    def _board_gfx(self, words):
        board = self._session.position.board() or []
        labels = [f"{moves.VERTEX_LETTERS[column].upper()}{row + 1} {cell}" for row, cells in enumerate(board)
                  for column, cell in enumerate(cells) if cell not in "XO."]
        return "LABEL " + " ".join(labels) if labels else None

    @command("gogui-rules_side_to_move", "black or white")
    def _side_to_move(self, words):
        return self._game.colour(self._session.position.side)

    @command("gogui-rules_legal_moves", "the legal moves; none when the game is over")
    def _legal_moves(self, words):
        position = self._session.position
        return " ".join([moves.vertex(position, move) for move in position.legal_moves()])

    @command("gogui-rules_final_result", "the result in words")
    def _final_result(self, words):
        outcome = self._session.position.outcome()
        if outcome is None:
            return "The game is not over"
        if outcome.winner is None:
            return f"Draw: {outcome.reason}"
        if "wins" in outcome.reason:
            return outcome.reason
        return f"{self._game.colour(outcome.winner).capitalize()} wins: {outcome.reason}"


# Stones by the first player's colour; piece letters are upper case for the first player.
_MARKS = {
    "black": {"X": "X", "O": "O", ".": ".", True: "X", False: "O"},
    "white": {".": ".", True: "O", False: "X"},
}
