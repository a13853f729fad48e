"""The looks of a game, for every front end that draws it: pages, pictures, terminals."""

from __future__ import annotations

from games.data import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.base import Game
    from games.types import Cell, Side

# The kinds of pieces on a board.
MEN = "men"
DRAUGHTSMEN = "draughtsmen"
WEDGES = "wedges"
DISCS = "discs"
MARKS = "marks"
LETTERS = "letters"
# {kind: {piece in upper case: (what is drawn for it, its name, its worth)}}.  The drawings of
# chessmen are named by letters; a draughts king has a crown.
_KINDS: dict[str, dict[str, tuple[str, str, int]]] = {
    MEN: {
        "K": ("k", "king", 0),
        "Q": ("q", "queen", 9),
        "R": ("r", "rook", 5),
        "B": ("b", "bishop", 3),
        "N": ("n", "knight", 3),
        "P": ("p", "pawn", 1),
    },
    DRAUGHTSMEN: {"M": ("", "man", 0), "K": ("crown", "king", 0)},
}
# The pieces of the other kinds, by player.
_STONES = "XO"
# The kinds of ground under the pieces.  CHEQUERS: squares of two shades.  CLOTH: squares of green
# cloth.  WOOD: lines on wood, with pieces on their crossings.  RACK: a standing rack.  PAPER: plain
# squares.  HEXAGONS: each row begins half a cell to the right of the row above it.
CHEQUERS = "chequers"
CLOTH = "cloth"
WOOD = "wood"
RACK = "rack"
PAPER = "paper"
HEXAGONS = "hexagons"
# The text of a cell that isn't part of the board.
HOLE = "*"
# How a move is entered.  MOVE: a piece goes from cell to cell.  PLACE: a piece is put on a cell.
# DROP: a piece is dropped into a column.
MOVE = "move"
PLACE = "place"
DROP = "drop"

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


class Looks(Fields):
    """The way in which the board of a game is drawn and played on.

    pieces: what the texts of the board's cells stand for.  MEN: the pieces of chess, upper case for
    the first player.  DRAUGHTSMEN: M and K are the first player's men and kings, m and k the
    second's.  DISCS and MARKS: X is the first player's, O the second's.  WEDGES: the pieces of
    shogi, upper case for the first player: pentagons with a character, the second player's upside
    down.  LETTERS: each cell shows its text.
    ground: what lies under the pieces.
    entry: how a move is entered, unless the game overrides Position.entry().
    players: names of the players to show beside the board, if they differ from Game.colours.
    row: number of pieces in a row that win (the winning row is shown); 0 if no row wins.
    rights: letters that a position may have besides its pieces and the side to move, such as
    those of castling rights in a FEN.
    marked: names of the squares that are special in the game, such as the hill.
    counters: name of the two numbers in the fifth word of a position text, one for each player,
    such as "checks left".
    symbols: {piece in upper case: what is drawn for it}, the king first: {"K": "玉", "+P": "と"}.
    names: {piece in upper case: its name}, such as {"+P": "promoted pawn"}.
    drop_sign: what stands between piece and square in the text of a drop.
    lines: the pairs of cells that a line connects, on WOOD; empty for all rows and columns.
    bottom: the player who sits below an unturned board.
    rank_one_on_top: is rank 1 drawn at the top, as in Othello?
    explodes: may the target square be empty after a capture?

    A subclass overrides owner() and all_pieces() if letter case doesn't tell whose a piece is.
    """

    pieces: str = LETTERS
    ground: str = PAPER
    entry: str = PLACE
    players: tuple[str, str] | None = None
    row: int = 0
    rights: str = ""
    marked: Sequence[str] = ()
    counters: str = ""
    symbols: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
    drop_sign: str = "@"
    lines: Sequence[tuple[Cell, Cell]] = ()
    bottom: Side = 0
    rank_one_on_top: bool = False
    explodes: bool = False

    def __post_init__(self) -> None:
        known = _KINDS.get(self.pieces, {})
        self.symbols = self.symbols or {piece: drawn for piece, (drawn, _, _) in known.items()}
        self.names = self.names or {piece: name for piece, (_, name, _) in known.items()}
        self.worths = {piece: worth for piece, (_, _, worth) in known.items() if worth}

    def owner(self, piece: str) -> Side | None:
        """Return the owner of a piece, given its text on the board or in a hand, or None.

        Upper case means the first player, lower case the second.  Of stones, X is the first
        player's and O the second's.
        """
        if piece in _STONES and not self.symbols:
            return _STONES.index(piece) if piece else None
        return 0 if piece.isupper() else 1 if piece.islower() else None

    def symbol(self, piece: str) -> str:
        """Return what is drawn for a piece: by default its own text."""
        return self.symbols.get(piece.upper(), piece)

    def name(self, piece: str) -> str:
        """Return the name of a kind of piece, such as "king"; "" if it has none."""
        return self.names.get(piece.upper(), "")

    def all_pieces(self) -> list[str]:
        """Return the pieces of both players, as the board editor offers them."""
        return [*self.symbols, *map(str.lower, self.symbols)] or [*_STONES]


def title_of(game: Game) -> str:
    """Return the name under which front ends show a game."""
    return game.title or game.name.capitalize()


def players_of(game: Game) -> tuple[str, str]:
    """Return the names of the players that pages and pictures show beside the board."""
    return game.looks.players or game.colours


def disc_colours(game: Game) -> tuple[str, str]:
    """Return the colours of the players' discs as #rrggbb.

    If the players are named after colours, these are used, otherwise black and white.
    """
    first, second = (_COLOURS.get(name.lower(), "") for name in players_of(game))
    return (first, second) if first and second else (_COLOURS["black"], _COLOURS["white"])
