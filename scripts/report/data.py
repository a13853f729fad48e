"""What the report's script shows, as plain data: boards, positions, moves and what the
engine says about them.
"""
from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from games.base import Position
from games.grid import picture as text_picture
from protocol.records.record import Record
from protocol.records.san import move_words
from scripts.drawing.board import Board
from scripts.drawing.figure import Figure, FigureError
from scripts.drawing.picture import Picture
from scripts.report.scores import printed_note
from scripts.report.verdicts import NAMES, Note, Verdict

_CELL = 48.0
_LARGEST_TREE = 200     # nodes of a tree that is drawn in place of a board


def game_data(
    record: Record,
    verdicts: Sequence[Verdict],
    notes: Sequence[Note],
    number: int,
    boards: list[dict[str, Any]],
) -> dict[str, Any]:
    """One game as plain data.

    `boards` is the list of drawings that games share, to which its own is added.
    """
    first = record.start.position()
    shown = _Shown(first, boards)
    plies = []
    for ply, (position, move) in enumerate(record.positions()):
        plies.append(_ply(position, move, notes[ply], verdicts[ply], shown))
        plies[-1]["remark"] = record.line[ply].comment
    return {
        "number": number,
        "board": shown.index,
        "start": {
            **shown.position(first),
            "chance": verdicts[0].chance,
            "score": printed_note(verdicts[0], first.game),
        },
        "plies": plies,
        "result": record.result,
    }


def _ply(
    position: Position, move: int, note: Note, before: Verdict, shown: _Shown
) -> dict[str, Any]:
    """A move with the position after it, and the better line position by position where it
    is marked.
    """
    step = {"move": numbered(position, move) + note.mark, "mark": NAMES.get(note.mark, ""),
            "before": printed_note(before, position.game),
            "score": printed_note(note, position.game),
            "lost": round(100 * note.lost, 1), "better": _line(position, note.best, shown)}
    step["cells"] = position.touched(move)
    position.make(move)
    step.update(shown.position(position))
    position.undo()
    return step


def _line(position: Position, line: Sequence[int], shown: _Shown) -> list[dict[str, Any]]:
    """[the moves of a line with the positions after them], from `position`, which is left
    as it was.
    """
    steps = []
    for move in line:
        step = {"move": numbered(position, move), "cells": position.touched(move)}
        position.make(move)
        step.update(shown.position(position))
        steps.append(step)
    for _ in line:
        position.undo()
    return steps


def numbered(position: Position, move: int) -> str:
    """A move in words; in chess with its number, which every line of moves has there."""
    words = move_words(position, move)
    if not position.game.san:
        return words
    return f"{position.text().split()[5]}{'.' if position.side == 0 else '…'} {words}"


class _Shown:
    """How the positions of one game are shown.

    On a drawn board, as the tree that it walks through, or as text.

    index: of its drawing in `boards`, None for text.
    """

    def __init__(self, first: Position, boards: list[dict[str, Any]]) -> None:
        self._rows = first.board() if first.picture() is None else None
        drawing = self._drawn(first, self._rows) if self._rows else _tree(first)
        if drawing is not None and drawing not in boards:
            boards.append(drawing)
        self.index = None if drawing is None else boards.index(drawing)

    def _drawn(self, first: Position, rows: Sequence[Sequence[str]]) -> dict[str, Any]:
        """The empty board seen from both sides; JavaScript puts the pieces on it."""
        views = []
        for flipped in (False, True):
            board = Board(first.game, _CELL, flipped=flipped)
            corner = board.corner(rows, 0, 0)
            ground = board.draw([["."] * len(rows[0])] * len(rows))
            views.append({"ground": ground, "corner": corner})
        width, height = board.size(rows)
        pieces = sorted({char for char in "KQRBNPkqrbnpXO" if board.piece(char)})
        return {
            "name": first.game.name,
            "width": width,
            "height": height,
            "cell": _CELL,
            "views": views,
            "rank_one_on_top": first.game.rank_one_on_top,
            "pieces": {char: board.piece(char) for char in pieces},
        }

    def position(self, position: Position) -> dict[str, Any]:
        """{pieces or text, turn}: what stands where, and who is to move."""
        outcome = position.outcome()
        turn = (
            f"{position.game.colours[position.side]} to move"
            if outcome is None
            else f"the end: {outcome.reason}"
        )
        if self._rows is not None:
            pieces = [
                [column, row, cell.strip()]
                for row, line in enumerate(position.board() or ())
                for column, cell in enumerate(line)
                if cell.strip() not in ("", ".")
            ]
            return {"pieces": pieces, "turn": turn}
        if self.index is not None:
            return {"turn": turn}
        return {"text": "\n".join(text_picture(position)), "turn": turn}


def _tree(first: Position) -> dict[str, Any] | None:
    """The whole tree as an image, where a game is one and it is small enough; else None."""
    if not first.game.textbook:
        return None
    try:
        drawn = Picture(Figure(first, prune=False, limit=_LARGEST_TREE))
    except FigureError:
        return None
    svg = drawn.svg(
        drawn.figure.snapshot()
    ).encode()  # an image, so that its style stays its own
    return {
        "name": first.game.name,
        "image": f"data:image/svg+xml;base64,{b64encode(svg).decode()}",
    }
