"""A position as plain data that a page can draw."""
from __future__ import annotations

import re
from typing import Any

from games.base import Game, MoveError, Outcome, Position
from games.grid import picture, read_square
from protocol.options import wire_options
from protocol.records.record import Start
from protocol.records.san import move_words
from scripts.browser.trees import walked_tree

# How a game's board is drawn; another game with a grid shows its cells' letters, one
# without its own picture.
KINDS = {
    "chess": "pieces",
    "othello": "discs",
    "flipello": "discs",
    "connect4": "holes",
    "gomoku": "stones",
    "gomokufreestyle": "stones",
    "renju": "stones",
    "tictactoe": "marks",
}
_ROWS_TO_WIN = {"holes": 4, "stones": 5, "marks": 3}
_COLOURS = {
    "holes": ("Yellow", "Red")
}  # of the discs that are drawn; the game says X and O
_SQUARE = re.compile(r"[a-z]\d{1,2}")
_PROMOTION = re.compile(r"[a-h][1-8][a-h][1-8]([qrbn])")


def game_facts(game: Game) -> dict[str, Any]:
    """What a page wants to know of a game before it begins."""
    options = [
        {
            "name": option.name,
            "kind": option.kind,
            "default": option.default,
            "low": option.low,
            "high": option.high,
            "help": option.help,
        }
        for option in wire_options(game.options)
        if option.name in ("BoardSize", "UCI_Chess960")
    ]
    return {
        "name": game.name,
        "colours": colours(game),
        "kind": KINDS.get(game.name or "", "letters"),
        "options": options,
        "textbook": bool(game.textbook),
    }


def colours(game: Game) -> list[str]:
    """What the players are called beside a drawn board."""
    return list(_COLOURS.get(KINDS.get(game.name or "", ""), game.colours))


def view(start: Start, moves: list[int]) -> dict[str, Any]:
    """The position after `moves` (ints) from a Start."""
    game, played = start.game, []
    position, cells, number, side = start.position(), [], 1, 0
    for move in moves:
        number += position.side < side
        side = position.side
        cells = cells_of(position, move)
        played.append(
            {
                "move": position.move_text(move),
                "words": move_words(position, move),
                "number": number,
                "side": side,
                "cells": cells,
            }
        )
        position.make(move)
    outcome = position.outcome()
    return {
        **game_facts(game),
        "onTop": bool(game.rank_one_on_top),
        "rows": board_of(position),
        "picture": None if board_of(position) else picture(position),
        "notes": position.notes(),
        "text": position.text(),
        "side": position.side,
        "moves": legal_moves(position),
        "played": played,
        "last": cells,
        "check": checked_king(position),
        "line": winning_line(position, cells, outcome),
        "result": result_of(outcome),
        "reason": reason_of(game, outcome),
        "count": disc_counts(position),
        "tree": walked_tree(start, moves, position),
    }


def board_of(position: Position) -> list[list[str]] | None:
    """The rows of the board as lists of texts, rank 1 first.

    None where it is shown by its own picture.
    """
    rows = position.board()
    if not rows or position.picture() is not None:
        return None
    return [[cell.strip().replace(".", "") for cell in row] for row in rows]


def legal_moves(position: Position) -> list[dict[str, Any]]:
    """The legal moves: text, words, the cells from and to (or None), promotion, whether it
    passes.
    """
    found = []
    for move in position.legal_moves():
        cells, name = cells_of(position, move), position.move_text(move)
        promotion = _PROMOTION.fullmatch(name) if position.game.name == "chess" else None
        found.append(
            {
                "move": name,
                "words": move_words(position, move),
                "from": cells[0] if len(cells) > 1 else None,
                "to": cells[-1] if cells else None,
                "promotion": promotion.group(1) if promotion else None,
                "pass": move == position.game.pass_move,
            }
        )
    return found


def cells_of(position: Position, move: int) -> list[list[int]]:
    """The cells [column, row] that a move touches: where it places, or from where to where
    it goes.
    """
    if move == position.game.pass_move:
        return []
    cell = position.placement(move)
    if cell is not None:
        return [list(cell)]
    rows = board_of(position)
    found: list[list[int]] = []
    if rows is None:
        return found
    for name in _SQUARE.findall(position.move_text(move)):
        try:
            found.append(list(read_square(name, len(rows[0]), len(rows))))
        except MoveError:
            return []
    return found


def checked_king(position: Position) -> list[int] | None:
    """The cell of the king that is in check, or None."""
    if position.game.name != "chess" or not position.in_check():
        return None
    king = "Kk"[position.side]
    rows = enumerate(board_of(position) or ())
    return next(([row.index(king), number] for number, row in rows if king in row), None)


def winning_line(
    position: Position, last: list[list[int]], outcome: Outcome | None
) -> list[list[int]]:
    """The cells of the row that has won, through the last move; else an empty list."""
    wanted = _ROWS_TO_WIN.get(KINDS.get(position.game.name or "", ""))
    if wanted is None or outcome is None or outcome.winner is None or not last:
        return []
    rows, (column, row) = board_of(position) or [], last[-1]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        line = [[column, row]]
        for sign in (1, -1):
            x, y = column + sign * right, row + sign * up
            while (
                0 <= y < len(rows)
                and 0 <= x < len(rows[0])
                and rows[y][x] == rows[row][column]
            ):
                line.append([x, y])
                x, y = x + sign * right, y + sign * up
        if len(line) >= wanted:
            return line
    return []


def result_of(outcome: Outcome | None) -> str:
    """`1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
    if outcome is None:
        return "*"
    return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[outcome.winner]


def reason_of(game: Game, outcome: Outcome | None) -> str:
    """How the game ended, in words; nothing while it goes on."""
    if outcome is None:
        return ""
    who = "A draw" if outcome.winner is None else f"{colours(game)[outcome.winner]} wins"
    return f"{who}: {outcome.reason}"


def disc_counts(position: Position) -> list[int] | None:
    """[discs of the first player, of the second] in Othello's games, else None."""
    if KINDS.get(position.game.name or "", "") != "discs":
        return None
    cells = [cell for row in board_of(position) or () for cell in row]
    return [cells.count("X"), cells.count("O")]
