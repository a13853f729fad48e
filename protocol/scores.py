"""Results and scores in words, for people to read."""

from __future__ import annotations

from games.base import MAX_SCORE
from search.wdl import held_decided, mate_moves, wdl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from games.base import Game, Position
    from games.types import Score

    class Decided(Protocol):
        """What an Outcome and a Verdict have in common: the player who won, None for a draw."""

        winner: int | None

    class Judged(Protocol):
        """What a Note and a Verdict have in common: score or mate, for the first player."""

        score: int | None
        mate: int | None


def result_of(outcome: Decided) -> str:
    """The result as all game records write it: 1 is the player who moves first."""
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]


def points(score: int, game: Game) -> str:
    """A score in the game's own points: hundredths, but leaves of trees are whole numbers."""
    return f"{score:+d}" if game.textbook else f"{score / 100:+.2f}"


def score_text(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """A score in points, or as a win or loss in N moves.

    Where a game is held decided without a proof: `winning` or `losing`.
    score: for the side to move in `position`.  line: the principal variation.
    """
    mate = mate_moves(score, position, line)
    if mate is not None:
        return f"{'win' if score > 0 else 'loss'} in {abs(mate)}"
    if held_decided(score, position.game):
        return "winning" if score > 0 else "losing"
    return points(score, position.game)


def score_label(score: int, position: Position, line: Sequence[int] = ()) -> str:
    """The same in at most five characters, for a cell of the board."""
    letter = "W" if score > 0 else "L"
    mate = mate_moves(score, position, line)
    if mate is not None:
        return f"{letter}{abs(mate)}"
    if held_decided(score, position.game):
        return letter
    return f"{score:+d}" if position.game.textbook else f"{score / 100:+.1f}"


def note_text(note: Judged, game: Game, colours: Sequence[str] = ()) -> str:
    """`+0.35`, `-12.00`: for the player who moves first; `White wins in 3`.

    `Black is winning` where a game is held decided without a proof.  colours: what the
    players are called, if not as the game says.
    """
    colours = colours or game.colours
    if note.mate is not None:
        winner = colours[0 if note.mate > 0 else 1]
        return f"{winner} wins in {abs(note.mate)}" if note.mate else "the end"
    score = note.score or 0
    if held_decided(score, game):
        return f"{colours[score < 0]} is winning"
    return points(score, game)


def winrate(score: int, position: Position) -> float:
    """The expected result in `position`, 0 to 1, a draw being a half."""
    win, draw, _ = wdl(score, position.win_scale())
    return float((win + draw / 2) / 1000)


def is_proven(score: int) -> bool:
    """Is the score that of a proven win or loss?"""
    return abs(score) > MAX_SCORE


def value_at_end(position: Position) -> Score | None:
    """The value of a finished game for the side to move; None where there is a move to play."""
    value = position.final_value()
    if value is not None or position.playable_moves():
        return value
    outcome = position.outcome()
    return None if outcome is None else position.value_of(outcome)
