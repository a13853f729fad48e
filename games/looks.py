"""The looks of a game, for every front end that draws it: pages, pictures, terminals."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Game
    from games.types import Cell

# The kinds of pieces on a board.
MEN, DISCS, MARKS, LETTERS = "men", "discs", "marks", "letters"
# The kinds of ground under them: squares of two shades, squares of green cloth, lines on wood whose
# crossings are played on, a standing rack, or plain squares.
CHEQUERS, CLOTH, WOOD, RACK, PAPER = "chequers", "cloth", "wood", "rack", "paper"
# How a move is entered: a piece goes from cell to cell, is put on a cell, or is dropped
# into a column.
MOVE, PLACE, DROP = "move", "place", "drop"


class Looks:
    """The way in which the board of a game is drawn and played on.

    pieces: MEN are the letters of chess (upper case: the first player's); DISCS and MARKS
    stand for X and O; LETTERS are the cells' own texts.
    ground: what lies under the pieces.
    entry: how a move is entered.
    colours: of the first and the second player's discs: black, white, yellow or red.
    players: names of the players beside a drawn board, if they differ from Game.colours.
    row: number of pieces in a row that win (the winning row is shown); 0 if none do.
    counted: is the number of each player's pieces the score?
    rights: letters of a position besides its pieces and the side to move, such as the
    castling rights of a FEN.
    """

    __slots__ = ("colours", "counted", "entry", "ground", "pieces", "players", "rights", "row")

    def __init__(
        self,
        pieces: str = LETTERS,
        ground: str = PAPER,
        entry: str = PLACE,
        colours: tuple[str, str] = ("black", "white"),
        players: tuple[str, str] | None = None,
        row: int = 0,
        counted: bool = False,
        rights: str = "",
    ) -> None:
        self.pieces, self.ground, self.entry = pieces, ground, entry
        self.colours, self.players, self.row = colours, players, row
        self.counted, self.rights = counted, rights


def title_of(game: Game) -> str:
    """Return the name of a game for people."""
    return game.title or game.name.capitalize()


def players_of(game: Game) -> tuple[str, str]:
    """Return the names of the players beside a drawn board."""
    return game.looks.players or game.colours


def squares_in(text: str, columns: int, rows: int) -> list[Cell]:
    """Return the squares that a move's text names; empty if one of them is not on the board."""
    found, spaced = [], "".join(char if char in "0123456789" else f" {char}" for char in text)
    for word in spaced.split():
        column, row = ord(word[0]) - ord("a"), int(word[1:3] or 0) - 1
        if 0 <= column < 26 and word[1:]:
            if column >= columns or not 0 <= row < rows or len(word) > 3:
                return []
            found.append((column, row))
    return found
