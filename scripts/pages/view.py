"""A position as plain data that a page can draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from games import looks
from games.base import Game, Outcome, Position
from games.grid import edge_labels, lines_along, picture
from games.openings import opening_here
from games.texts import squares_of
from games.types import Cell
from protocol.records.formats import FORMATS, KNOWN, holds
from protocol.records.record import Start
from protocol.scores import result_of, score_text
from scripts.drawing.board import CHESSMEN, CROWN, PLACE, WEDGE
from scripts.drawing.figure import FigureError, Item
from scripts.drawing.picture import Picture
from scripts.drawing.replay import CURRENT, LINE, UNSEEN, VISITED, Look, Replay
from scripts.drawing.traced import searched
from scripts.pages.notes import named
from search.levels import ratings_of

# The attributes of games.looks.Looks that a page needs to draw a game.
_LOOKS = "pieces ground row rights counters lines bottom rank_one_on_top explodes".split()
MAX_NODES = 400  # maximum number of nodes in a drawing of a tree, so that it can be followed by eye


def game_facts(game: Game) -> dict[str, Any]:
    """Return the facts about a game that don't depend on a position."""
    parts = ("name", "title", "kind", "default", "low", "high", "choices")
    options = [
        {name: getattr(option, name) for name in parts} for option in game.options if option.title
    ]
    return {
        "name": game.name,
        "title": looks.title_of(game),
        "colours": looks.players_of(game),
        "looks": {
            "colours": looks.disc_colours(game),
            **{name: getattr(game.looks, name) for name in _LOOKS},
        },
        "pieces": {
            piece: {
                "side": game.looks.owner(piece),
                "symbol": game.looks.symbol(piece),
                "kind": game.looks.name(piece),
            }
            for piece in game.looks.all_pieces()
        },
        "ratings": ratings_of(game) if game.strength.ratings else [],
        "formats": [[each.name, each.title] for each in FORMATS if holds(each.name, Start(game))],
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
        "wedge": WEDGE,
    }


class GameLine:
    """The moves from a Start, and the position after them.

    number: the number of the next move.  The first move has the start's number; the number
    increases when the turn passes from the second player to the first.
    turns: (move number, side) of each move.
    last: the cells that the last move touches, [] before the first one.
    openings: the name of the opening at the start and after each move.
    """

    def __init__(self, start: Start, moves: Iterable[int] = ()) -> None:
        self.start, self.position = start, start.position()
        self.moves: list[int] = []
        self.turns: list[tuple[int, int]] = []
        self.number = self.position.move_number() or 1
        self.openings = [opening_here(self.position)]
        self.last: list[Cell] = []
        self._begun = _pieces(self.position)
        for move in moves:
            self.play(move)

    @property
    def taken(self) -> list[list[str]]:
        """Return the pieces that each player has captured, the least valuable first.

        These are the pieces of the start that are no longer on the board, except promoted pawns.
        Both lists are empty in games whose pieces have no values or go into the hand.
        """
        own = self.start.game.looks
        if not own.worths or self.position.hands() is not None:
            return [[], []]
        now = _pieces(self.position)
        gone, more = self._begun - now, now - self._begun
        pawn = min(own.worths, key=lambda piece: own.worths[piece])
        for side, own_pawn in enumerate((pawn, pawn.lower())):
            gone[own_pawn] -= sum(more[piece] for piece in more if own.owner(piece) == side)
        pieces = [piece for piece in own.all_pieces()[::-1] for _ in range(gone[piece])]
        return [[piece for piece in pieces if own.owner(piece) == 1 - side] for side in (0, 1)]

    def play(self, move: int) -> None:
        """Play a legal move."""
        position, side = self.position, self.position.side
        self.turns.append((self.number, side))
        self.last = position.touched(move)
        position.make(move)
        self.number += position.side < side
        self.moves.append(move)
        self.openings.append(opening_here(position, len(self.moves)) or self.openings[-1])

    def undo(self) -> None:
        """Take back the last move.  The attribute `last` changes only with the next play()."""
        self.position.undo()
        self.number, _ = self.turns.pop()
        for stack in (self.moves, self.openings):
            stack.pop()


def _pieces(position: Position) -> Counter[str]:
    """Return {text of a cell: number of such cells} of the board."""
    return Counter(cell for row in position.board() or () for cell in row)


def view(line: GameLine, readonly: bool = False) -> dict[str, Any]:
    """Return the position of a GameLine as a page draws it.

    readonly: omit the legal moves, since nobody will move.
    """
    position, rows = line.position, board_of(line.position)
    game = line.start.game
    outcome = position.outcome()
    hands = position.hands()
    return {
        "name": game.name,
        "rows": rows,
        "entry": position.entry(),
        "board": board_facts(position) if rows else None,
        "picture": None if rows else picture(position),
        "hands": None if hands is None else [list(hand) for hand in hands],
        "taken": line.taken,
        "lead": lead(position),
        "text": position.text(),
        "side": position.side,
        "moves": [] if readonly else legal_moves(position),
        "barred": [] if readonly or outcome else barred(position),
        "turns": line.turns,
        "number": line.number,
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


def board_of(position: Position) -> list[list[str | None]] | None:
    """Return the rows of the board as lists of texts, row 0 first; None if it has no board.

    An empty cell is "", a cell that isn't part of the board is None.
    """
    rows = position.board()
    if not rows:
        return None
    shown: dict[str, str | None] = {".": "", looks.HOLE: None}
    return [[shown.get(cell.strip(), cell.strip()) for cell in row] for row in rows]


def board_facts(position: Position) -> dict[str, Any]:
    """Return what a page shows of the squares, the same in all positions of a game.

    names: rows of names.  columns, rows: the labels beside the board.  numbered: are the names
    shown in the squares?  marked: the game's special cells.
    """
    squares, (columns, rows) = squares_of(position), edge_labels(position)
    names = [
        [squares.name((column, row)) for column in range(squares.columns)]
        for row in range(squares.rows)
    ]
    marked = list(map(squares.read, position.game.looks.marked))
    labels = {"columns": list(columns), "rows": list(rows)}
    return {"names": names, **labels, "numbered": squares.numbered, "marked": marked}


def lead(position: Position) -> int:
    """Return the first player's lead in material, by the piece values (worths) of game.looks."""
    own = position.game.looks
    pieces = [piece for row in (position.board() or ()) if own.worths for piece in row]
    return sum(own.worths.get(each.upper(), 0) * (-1 if own.owner(each) else 1) for each in pieces)


def book_results(position: Position) -> dict[str, str]:
    """Return {move: its result}, both as text, for the moves of Position.known_results()."""
    results = {}
    for move, (least, most) in position.known_results().items():
        words = "wins" if least > 0 else "loses" if least or most else "draws"
        if least and least == most:
            words += f" in {score_text(least, position).split()[-1]}"
        results[position.notation(move)] = words
    return results


def legal_moves(position: Position) -> list[dict[str, Any]]:
    """Return the legal moves: [{move, words, from, via, to, drop, becomes, pass}].

    move, words: see notes.named().  from, to: cells, or None.  via: the cells between them.
    drop: the piece in hand that the move drops, or None.  becomes: the piece that stands on `to`
    after the move, if several moves differ in nothing else; else "".  pass: is the move a pass?
    """
    hands, moves = position.hands(), position.legal_moves()
    ways = [(position.touched(move), hands and position.dropped(move)) for move in moves]
    counts = Counter((tuple(cells), drop) for cells, drop in ways if cells)
    return [
        {
            **named(position, move),
            "from": cells[0] if len(cells) > 1 else None,
            "via": cells[1:-1],
            "drop": drop,
            "to": cells[-1] if cells else None,
            "becomes": _after(position, move, cells[-1]) if counts[tuple(cells), drop] > 1 else "",
            "pass": move == position.game.pass_move,
        }
        for move, (cells, drop) in zip(moves, ways)
    ]


def _after(position: Position, move: int, cell: Cell) -> str:
    """Return the piece on a cell after a move, "" if it is empty."""
    position.make(move)
    rows = board_of(position) or []
    position.undo()
    return rows[cell[1]][cell[0]] or ""


def barred(position: Position) -> list[tuple[Cell, Cell, str]]:
    """Return [(from, to, reason)] of the moves that a rule forbids; for a drop, from equals to."""
    touched = [(position.touched(move), reason) for move, reason in position.barred_moves()]
    return [(cells[0], cells[-1], reason) for cells, reason in touched]


def checked_king(position: Position) -> Cell | None:
    """Return the cell of the king in check, or None."""
    own = position.game.looks
    if "king" not in own.names.values() or not position.in_check():
        return None
    for number, row in enumerate(board_of(position) or ()):
        for column, piece in enumerate(row):
            if piece and own.name(piece) == "king" and own.owner(piece) == position.side:
                return column, number
    return None


def winning_line(position: Position, last: list[Cell], outcome: Outcome | None) -> list[Cell]:
    """Return the cells of the winning row through the last move, or an empty list."""
    wanted = position.game.looks.row
    if not wanted or outcome is None or outcome.winner is None or not last:
        return []
    rows = position.board() or ()
    contents = [cell for row in rows for cell in row]
    for step in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for line in lines_along(len(rows[0]), len(rows), *step):
            for _, run in groupby(line, contents.__getitem__):
                cells = [(place % len(rows[0]), place // len(rows[0])) for place in run]
                if len(cells) >= wanted and last[-1] in cells:
                    return cells
    return []


def reason_of(game: Game, outcome: Outcome | None) -> str:
    """Return a sentence that says how the game ended, or "" while it goes on."""
    if outcome is None:
        return ""
    words = outcome.words(looks.players_of(game))
    return words[0].upper() + words[1:]


def walked_tree(start: Start, moves: list[int], side: int) -> str | None:
    """Return a game's tree as SVG; None if the game isn't an explicit tree or is too large.

    The path of `moves` from the root is marked, and the node at its end is shown as current.
    side: the player to move at that node.
    """
    if not start.game.textbook:
        return None
    try:
        figure = searched(start.position(), None, "minimax", MAX_NODES)
    except FigureError:
        return None
    way, values = figure.way(moves), Replay(figure)

    def look(item: Item) -> Look:
        value = "" if item.value is None else values.node_words(item)
        if item is way[-1]:
            return Look(CURRENT, value)
        below = item.path[: len(moves)] == way[-1].path
        return Look(LINE if item in way else VISITED if below else UNSEEN, value)

    label = f"the tree, {figure.players[side]} to move"
    return Picture(figure, steps=True).fragment(look, label)
