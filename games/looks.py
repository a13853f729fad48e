"""The looks of a game, for every front end that draws it: pages, pictures, terminals."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Game
    from games.types import Cell

# The kinds of pieces on a board.
MEN, DRAUGHTSMEN = "men", "draughtsmen"
DISCS, MARKS, LETTERS = "discs", "marks", "letters"
# The kinds of ground under the pieces.  CHEQUERS: squares of two shades.  CLOTH: squares of green
# cloth.  WOOD: lines on wood, with pieces on their crossings.  RACK: a standing rack.  PAPER: plain
# squares.  HEXAGONS: each row begins half a cell to the right of the row above it.
CHEQUERS, CLOTH, WOOD, RACK, PAPER = "chequers", "cloth", "wood", "rack", "paper"
HEXAGONS = "hexagons"
# The text of a cell that isn't part of the board.
HOLE = "*"
# How a move is entered.  MOVE: a piece goes from cell to cell.  PLACE: a piece is put on a cell.
# DROP: a piece is dropped into a column.
MOVE, PLACE, DROP = "move", "place", "drop"

# The colours of discs, by their names in Game.colours.
_COLOURS = {
    "black": "#1e1d1f",
    "white": "#f7f4ec",
    "red": "#d3382f",
    "yellow": "#eec132",
    "blue": "#2d63b8",
    "green": "#2f8a52",
    "orange": "#e07a22",
    "brown": "#7a4a2a",
}


class Looks:
    """The way in which the board of a game is drawn and played on.

    pieces: what the letters on the board stand for.  MEN: the pieces of chess, upper case for the
    first player.  DRAUGHTSMEN: M and K are the first player's men and kings, m and k the second's.
    DISCS and MARKS: X is the first player's, O the second's.  LETTERS: each cell shows its text.
    ground: what lies under the pieces.
    entry: how a move is entered.
    players: names of the players beside a drawn board, if they differ from Game.colours.
    row: number of pieces in a row that win (the winning row is shown); 0 if no row wins.
    rights: letters that a position may have besides its pieces and the side to move, such as
    those of castling rights in a FEN.
    counters: name of what the fifth word of a position text counts for both players, such as checks
    left.
    marked: names of the squares that are special in the game, such as the hill.
    """

    __slots__ = ("counters", "entry", "ground", "marked", "pieces", "players", "rights", "row")

    def __init__(
        self,
        pieces: str = LETTERS,
        ground: str = PAPER,
        entry: str = PLACE,
        players: tuple[str, str] | None = None,
        row: int = 0,
        rights: str = "",
        marked: Sequence[str] = (),
        counters: str = "",
    ) -> None:
        self.pieces, self.ground, self.entry = pieces, ground, entry
        self.players, self.row, self.rights = players, row, rights
        self.marked, self.counters = marked, counters


def title_of(game: Game) -> str:
    """Return the name under which front ends show a game."""
    return game.title or game.name.capitalize()


def players_of(game: Game) -> tuple[str, str]:
    """Return the names of the players beside a drawn board."""
    return game.looks.players or game.colours


def disc_colours(game: Game) -> tuple[str, str]:
    """Return the colours of the players' discs as #rrggbb.

    If the players are named after colours, these are used, otherwise black and white.
    """
    first, second = (_COLOURS.get(name.lower(), "") for name in players_of(game))
    return (first, second) if first and second else (_COLOURS["black"], _COLOURS["white"])


def squares_in(text: str, columns: int, rows: int) -> list[Cell]:
    """Return the squares that a move's text names; empty if one of them is not on the board."""
    squares, spaced = [], "".join(char if char in "0123456789" else f" {char}" for char in text)
    for word in spaced.split():
        column, row = ord(word[0]) - ord("a"), int(word[1:3] or 0) - 1
        if 0 <= column < 26 and word[1:]:
            if column >= columns or not 0 <= row < rows or len(word) > 3:
                return []
            squares.append((column, row))
    return squares
