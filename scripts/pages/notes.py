"""Evaluations and lines of moves as the page holds them, and the thresholds of marks."""

from __future__ import annotations

from typing import Any

from games.base import Position
from games.looks import players_of
from protocol.records.record import Evaluation
from protocol.scores import note_text, winrate

# (minimum loss of expected score, mark): blunder, mistake, inaccuracy.
MARKS = ((0.25, "??"), (0.15, "?"), (0.1, "?!"))
NAMES = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}


def plain_note(note: Evaluation, position: Position) -> dict[str, Any]:
    """Return an Evaluation as the page holds it: {eval, score, share, depth}.

    eval: text as in PGN's %eval.  score: text for display.
    share: the first player's expected score, 0 to 1.  position: the evaluated position.
    """
    if note.mate is not None:
        share = float(note.mate > 0 or (note.mate == 0 and position.side == 1))
    else:
        share = winrate(note.score or 0, position)
    score = note_text(note.score, note.mate, position.game, players_of(position.game))
    return {"eval": note.text(), "score": score, "share": share, "depth": note.depth}


def named(position: Position, move: int) -> dict[str, Any]:
    """Return a legal move as {move, words, side}: canonical text, notation such as SAN, mover.

    native: its notation in Japanese records, if there is one.
    """
    words, native = position.notation(move), position.notations().get("kif")
    known = {"move": position.move_text(move), "words": words, "side": position.side}
    return {**known, "native": native(move)} if native else known
