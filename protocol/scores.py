"""Results and scores as text for people."""

from __future__ import annotations

from games.base import MAX_SCORE
from search.wdl import mate_moves, seems_decided, wdl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from games.base import Game, Position
    from games.types import Score

    class Decided(Protocol):
        """The common part of Outcome and Verdict: the player who won, None for a draw."""

        @property
        def winner(self) -> int | None: ...

    class Judged(Protocol):
        """The common part of Note and Verdict: a score or a mate, from the first player's view."""

        score: int | None
        mate: int | None


def result_of(outcome: Decided) -> str:
    """Return the result as all game records write it: `1-0` if the first player won."""
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]


def points(score: int, game: Game) -> str:
    """Return a score in the game's points: hundredths, but whole numbers for leaves of trees."""
    return f"{score:+d}" if game.textbook else f"{score / 100:+.2f}"


def score_text(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """Return a score in points, or as `win in N` or `loss in N` moves.

    Return `winning` or `losing` if the game counts as decided without a proof.
    score: for the side to move in `position`.  line: the principal variation.
    """
    mate = mate_moves(score, position, line)
    if mate is not None:
        return f"{'win' if score > 0 else 'loss'} in {abs(mate)}"
    if seems_decided(score, position.game):
        return "winning" if score > 0 else "losing"
    return points(score, position.game)


def score_label(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """Return score_text() cut to at most five characters, for a cell of the board."""
    letter = "W" if score > 0 else "L"
    mate = mate_moves(score, position, line)
    if mate is not None:
        return f"{letter}{abs(mate)}"
    if seems_decided(score, position.game):
        return letter
    return f"{score:+d}" if position.game.textbook else f"{score / 100:+.1f}"


def note_text(note: Judged, game: Game, colours: Sequence[str] = ()) -> str:
    """Return a note's score for the first player, as `+0.35` or `White wins in 3`.

    Return `Black is winning` if the game counts as decided without a proof.
    colours: names of the players, by default the game's.
    """
    colours = colours or game.colours
    if note.mate is not None:
        winner = colours[0 if note.mate > 0 else 1]
        return f"{winner} wins in {abs(note.mate)}" if note.mate else "the end"
    score = note.score or 0
    if seems_decided(score, game):
        return f"{colours[score < 0]} is winning"
    return points(score, game)


def winrate(score: int, position: Position) -> float:
    """Return the expected result for the side to move, 0 to 1; a draw counts a half."""
    win, draw, _ = wdl(score, position.win_scale())
    return float((win + draw / 2) / 1000)


def is_proven(score: int) -> bool:
    """Is the score that of a proven win or loss?"""
    return abs(score) > MAX_SCORE


def value_at_end(position: Position) -> Score | None:
    """Return the value of a finished game for the side to move; None if there is a move to play."""
    value = position.final_value()
    if value is not None or position.playable_moves():
        return value
    outcome = position.outcome()
    return None if outcome is None else position.value_of(outcome)
