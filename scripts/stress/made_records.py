"""Random records: annotations, headers and texts that are unusual but must be preserved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from protocol.records.formats import WRITTEN, holds, write_record
from protocol.records.record import RESULTS, Record, Start, Step, walk
from scripts.stress.sessions import words_of

if TYPE_CHECKING:
    from random import Random

    from games.base import Position
    from protocol.records.record import Line, Said

_GAMES = ("chess", "othello", "gomoku", "renju", "gomokufreestyle", "tictactoe", "connect4")
_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "chess": [{}, {"UCI_Chess960": True}],
    "gomoku": [{}, {"BoardSize": 7}, {"BoardSize": 20}],
}
_NAMES = words_of("names in records")
_TEXTS = words_of("texts in records")
_TEXTS += ["", " ", "\n", "[%clk 0:00:01]", "[%eval\n1]", " two  words ", "a\n\nb", "\n% c"]


def made(dice: Random) -> list[tuple[str, str]]:
    """Return (format, text) of a random record, in each format that can hold it."""
    record = _record(dice)
    return [(kind, write_record(record, kind)) for kind in WRITTEN if holds(kind, record.start)]


def _record(dice: Random) -> Record:
    name = dice.choice(_GAMES)
    start = Start(name, None, dice.choice(_OPTIONS.get(name, [{}])))
    if dice.random() < 0.3:
        moved = start.position()
        _moves(dice, moved, dice.randrange(6))
        start = Start(start.game, moved.text(), start.options)
    record = Record(start, (), (_text(dice), _text(dice)), dice.choice(RESULTS), _tags(dice))
    record.comment, record.said = _text(dice), _said(dice)
    record.line = _line(dice, start.position(), 3)
    return record


def _moves(dice: Random, position: Position, count: int) -> list[int]:
    """Make up to `count` random moves on `position` and return them."""
    found: list[int] = []
    while len(found) < count and position.outcome() is None:
        found.append(dice.choice(position.legal_moves()))
        position.make(found[-1])
    return found


def _line(dice: Random, position: Position, depth: int) -> Line:
    """Return a random line from `position`, which stays unchanged."""
    line = [Step(move) for move in _moves(dice, position, dice.choice((1, 2, 3, 9)))]
    for _ in line:
        position.undo()
    for step in walk(position, line):
        step.comment = _text(dice)
        step.nags = [
            dice.choice((1, 2, 3, 4, 5, 6, 14, 146, 999)) for _ in range(dice.randrange(3))
        ]
        step.said = _said(dice)
        if depth and dice.random() < 0.2:
            step.variations.append(_line(dice, position, depth - 1))
            step.variations[-1][0].before = _text(dice)
    return line


def _said(dice: Random) -> Said:
    count = dice.choice((0, 0, 1, 4))
    return {
        dice.choice(_NAMES): [_text(dice) for _ in range(dice.choice((1, 1, 2)))]
        for _ in range(count)
    }


def _tags(dice: Random) -> dict[str, str]:
    return {dice.choice(_NAMES): _text(dice) for _ in range(dice.choice((0, 1, 5)))}


def _text(dice: Random) -> str:
    count = dice.choice((0, 0, 1, 1, 3))
    return dice.choice(("", " ")).join(dice.choice(_TEXTS) for _ in range(count))
