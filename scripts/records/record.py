"""A game that was played, whatever the format that tells of it."""
from __future__ import annotations

from games.base import GameError
from protocol.moves import read as read_move

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class RecordError(Exception):
    """A record that can't be read, in words."""


class GameRecord:
    """One game.

    start: scripts.arena.start.Start.  moves: ints.  players: (first, second), "" where unknown.
    result: one of RESULTS; 1-0 means that the player who moves first won.
    tags: {name: text} of what else is known (Event, Date, ...), in the record's own words.
    """

    def __init__(self, start, moves=(), players=("", ""), result="*", tags=None):
        self.start, self.moves = start, list(moves)
        self.players, self.result, self.tags = tuple(players), result, dict(tags or {})

    def positions(self):
        """[(position, move)] before each move; the position is changed in place from step to step."""
        position = self.start.position()
        for move in self.moves:
            yield position, move
            position.make(move)

    def turns(self):
        """[(number, side)] of each move: the number goes up where the first player's turn comes after the second's."""
        found, number, before = [], 1, 0
        for position, _ in self.positions():
            number += position.side < before
            before = position.side
            found.append((number, before))
        return found

    def final(self):
        """A new position after the last move."""
        return self.start.position(self.moves)


class Note:
    """What an analysis says about one move.

    score: for the player who moves first, in the game's unit; None where it is a proven win.  mate: the winner's
    moves, negative where the second player wins.  mark: "", "?!", "?" or "??".  best: the better line (ints, from
    the position before the move) where the move is marked, else empty.  depth: of the search.  lost: how much of the
    expected score (0 to 1) the move gave away.  seconds: that the move took, clock: seconds that the player had left
    after it; None where they are not known.
    """

    def __init__(self, score=None, mate=None, mark="", best=(), depth=None, lost=0.0):
        self.score, self.mate, self.mark, self.best, self.depth = score, mate, mark, list(best), depth
        self.lost = lost
        self.seconds = self.clock = None


class MoveReader:
    """Plays move texts from a start; RecordError names the ply and the text that can't be played."""

    def __init__(self, start, read=read_move):
        try:
            self.position = start.position()
        except GameError as error:
            raise RecordError(f"the start position: {error}") from None
        self.start, self.moves, self._read = start, [], read

    def play(self, text):
        """Play one move."""
        try:
            move = self._read(self.position, text)
        except GameError as error:
            raise RecordError(f"move {len(self.moves) + 1}: {error}") from None
        self.position.make(move)
        self.moves.append(move)

    def play_for(self, side, text):
        """Play a move of player `side`, after a pass of the other one where the record leaves that out."""
        position = self.position
        if position.side != side and position.legal_moves() == [position.game.pass_move]:
            self.play("pass")
        if position.side != side:
            raise RecordError(f"move {len(self.moves) + 1}: {text}, but it is the other player's turn")
        self.play(text)

    def record(self, players=("", ""), result=None, tags=None):
        """The GameRecord of what was played; the rules tell the result where the record does not."""
        if result not in RESULTS[:3]:
            outcome = self.position.outcome()
            result = "*" if outcome is None else "1/2-1/2" if outcome.winner is None else RESULTS[outcome.winner]
        return GameRecord(self.start, self.moves, players, result, tags)
