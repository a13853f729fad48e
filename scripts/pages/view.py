"""A position as plain data that a page can draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games import looks
from games.base import Game, Outcome, Position
from games.grid import picture
from games.types import Cell
from protocol.records.formats import FORMATS, KNOWN, holds
from protocol.records.record import Start
from protocol.scores import result_of, score_text
from scripts.drawing.board import CHESSMEN, CROWN, PLACE
from scripts.pages.fields import GameLine
from scripts.pages.trees import walked_tree

_PROMOTIONS = ("q", "r", "b", "n", "k")


def game_facts(game: Game) -> dict[str, Any]:
    """Return the facts about a game that don't depend on a position."""
    parts = ("name", "kind", "default", "low", "high")
    options = [
        {name: getattr(option, name) for name in parts}
        for option in game.options
        if option.name in ("BoardSize", "UCI_Chess960")
    ]
    return {
        "name": game.name,
        "title": looks.title_of(game),
        "colours": looks.players_of(game),
        "looks": {
            "colours": looks.disc_colours(game),
            **{name: getattr(game.looks, name) for name in game.looks.__slots__},
        },
        "explodes": game.explodes,
        "ratings": game.ratings,
        "formats": [[each.name, each.title] for each in FORMATS if holds(each.name, Start(game))],
        "onTop": bool(game.rank_one_on_top),
        "editable": type(game).arrange is not Game.arrange,
        "options": options,
        "textbook": bool(game.textbook),
    }


def catalogue(games: Iterable[Game]) -> dict[str, Any]:
    """Return the page's data that don't depend on a position: games, formats, chess pieces."""
    return {
        "records": KNOWN,
        "suffixes": ",".join([*(suffix for each in FORMATS for suffix in each.suffixes), ".txt"]),
        "games": [game_facts(game) for game in games],
        "chessmen": {"place": PLACE, "drawings": CHESSMEN},
        "crown": CROWN,
    }


def view(line: GameLine, readonly: bool = False) -> dict[str, Any]:
    """Return the position of a GameLine as a page draws it.

    readonly: omit the legal moves, since nobody will move.
    """
    position, rows = line.position, board_of(line.position)
    game, outcome = line.start.game, position.outcome()
    return {
        "name": game.name,
        "rows": rows,
        "picture": None if rows else picture(position),
        "hands": position.hands(),
        "text": position.text(),
        "side": position.side,
        "moves": [] if readonly else legal_moves(position),
        "barred": [] if readonly or outcome else barred(position),
        "turns": line.turns,
        "last": line.last,
        "check": checked_king(position),
        "line": winning_line(position, line.last, outcome),
        "result": "*" if outcome is None else result_of(outcome.winner),
        "reason": reason_of(game, outcome),
        "book": {} if readonly or outcome else book_results(position),
        "opening": " ".join(line.openings[-1] or ()).strip(),
        "counts": position.counts(),
        "tree": walked_tree(line.start, line.moves, position.side),
    }


def board_of(position: Position) -> list[list[str]] | None:
    """Return the rows of the board as lists of texts, rank 1 first; None if it has no board."""
    rows = position.board()
    if not rows:
        return None
    return [[cell.strip().replace(".", "") for cell in row] for row in rows]


def book_results(position: Position) -> dict[str, str]:
    """Return {move: its result}, both as text, for the moves of Position.known_results()."""
    found = {}
    for move, (least, most) in position.known_results().items():
        result = "wins" if least > 0 else "loses"
        exact = score_text(least, position) if least == most and least else ""
        words = (
            f"{result} in {exact.split()[-1]}" if exact else result if least or most else "draws"
        )
        found[position.notation(move)] = words
    return found


def legal_moves(position: Position) -> list[dict[str, Any]]:
    """Return the legal moves: [{move, words, from, via, to, drop, promotion, pass}].

    move, words: see notes.named().  from, to: cells, or None.  via: the cells between them.
    drop: the letter of a piece in hand that the move drops, or None.  pass: is the move a pass?
    """
    hands = position.hands()
    men, found = position.game.looks.pieces == looks.MEN, []
    for move in position.legal_moves():
        cells, name = position.touched(move), position.move_text(move)
        found.append(
            {
                "move": name,
                "words": position.notation(move),
                "from": cells[0] if len(cells) > 1 else None,
                "via": cells[1:-1],
                "drop": _dropped(name, position.side) if hands and name[1:2] == "@" else None,
                "to": cells[-1] if cells else None,
                "promotion": name[-1] if men and name.endswith(_PROMOTIONS) else None,
                "pass": move == position.game.pass_move,
            }
        )
    return found


def barred(position: Position) -> list[tuple[Cell, Cell, str]]:
    """Return [(from, to, reason)] of the moves that a rule forbids; for a drop, from equals to."""
    touched = [(position.touched(move), reason) for move, reason in position.barred_moves()]
    return [(cells[0], cells[-1], reason) for cells, reason in touched]


def _dropped(name: str, side: int) -> str:
    """Return the letter, as in Position.hands, of the piece that a move drops."""
    return name[0].lower() if side else name[0].upper()


def checked_king(position: Position) -> Cell | None:
    """Return the cell of the king in check, or None."""
    if position.game.looks.pieces != looks.MEN or not position.in_check():
        return None
    king = "Kk"[position.side]
    rows = enumerate(board_of(position) or ())
    return next(((row.index(king), number) for number, row in rows if king in row), None)


def winning_line(position: Position, last: list[Cell], outcome: Outcome | None) -> list[Cell]:
    """Return the cells of the winning row through the last move, or an empty list."""
    wanted = position.game.looks.row
    if not wanted or outcome is None or outcome.winner is None or not last:
        return []
    rows, (column, row) = board_of(position) or [], last[-1]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        line = [(column, row)]
        for sign in (1, -1):
            x, y = column + sign * right, row + sign * up
            while 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == rows[row][column]:
                line.append((x, y))
                x, y = x + sign * right, y + sign * up
        if len(line) >= wanted:
            return line
    return []


def reason_of(game: Game, outcome: Outcome | None) -> str:
    """Return a sentence that says how the game ended, or "" while it goes on."""
    if outcome is None:
        return ""
    words = outcome.words(looks.players_of(game))
    return words[0].upper() + words[1:]
