"""Scores and lines in words that people read."""
from __future__ import annotations

from search.wdl import held_decided


def score_text(note, game):
    """`+0.35`, `-12.00`: for the player who moves first; `White wins in 3`; `Black is winning` without a proof."""
    if note.mate is not None:
        winner = game.colours[0 if note.mate > 0 else 1]
        return f"{winner} wins in {abs(note.mate)}" if note.mate else "the end"
    score = note.score or 0
    if held_decided(score, game):
        return f"{game.colours[score < 0]} is winning"
    return points(score, game)


def points(score, game):
    """A score in the game's own points: hundredths, but leaves of trees are whole numbers."""
    return f"{score:+d}" if game.textbook else f"{score / 100:+.2f}"


def move_words(position, move):
    """The move as the field writes it: SAN in chess, else the canonical text."""
    if position.game.name == "chess":
        from scripts.records.san import write_san

        return write_san(position, move)
    return position.move_text(move)


def line_text(position, line):
    """A line of moves from `position`, which is left as it was."""
    if position.game.name == "chess":
        from scripts.records.pgn import line_words

        return " ".join(line_words(position, line))
    words = []
    for move in line:
        words.append(position.move_text(move))
        position.make(move)
    for _ in line:
        position.undo()
    return " ".join(words)
