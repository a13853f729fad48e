"""Pictures for notebooks: positions of games, and trees of numbers.

plyglot.Board("chess", moves=["e4", "e5"])
plyglot.Tree("((3 5) (6 9))")
"""

from __future__ import annotations

from collections.abc import Iterable

from games.base import Position
from protocol.moves import read_any_move
from protocol.records.record import Start
from scripts.drawing import board, svg
from scripts.drawing.figure import FigureError
from scripts.drawing.picture import Picture
from scripts.drawing.traced import TEXTBOOK, searched


class Board:
    """A position as a picture.

    game: the name of a game.  moves: texts in any notation of the game.
    position: the position before the moves, as text; None for the game's start.
    cell: the side of a cell in pixels.
    Raises ValueError if the game, the position or a move is not valid.
    """

    def __init__(
        self,
        game: str = "chess",
        moves: Iterable[str] = (),
        position: str | None = None,
        cell: float = 40.0,
    ) -> None:
        self._position, self._cell = position_after(game, position, moves), cell

    def __repr__(self) -> str:
        return self._position.text()

    def _repr_svg_(self) -> str | None:
        rows, drawing = self._position.board(), board.BoardPicture(self._position.game, self._cell)
        if not rows:
            return None
        return svg.document(*drawing.size(rows), drawing.draw(rows), repr(self))


class Tree:
    """A tree of numbers as a picture that marks the nodes a search visits.

    text: the tree, such as "((3 5) (6 9))".  The maximiser moves first, unless the text ends with
        "min".
    algorithm: "alphabeta", "minimax", or "pvs" for principal variation search.
    windows: show the window of each visited node.
    Raises ValueError if the text or the algorithm is not valid.
    """

    def __init__(self, text: str, algorithm: str = "alphabeta", windows: bool = False) -> None:
        if algorithm not in TEXTBOOK:
            raise ValueError(f'algorithm must be alphabeta, minimax or pvs, not "{algorithm}"')
        self._text = position_after("tree", text, ()).text()
        self._algorithm, self._windows = algorithm, windows

    def __repr__(self) -> str:
        return self._text

    def _repr_svg_(self) -> str | None:
        root = position_after("tree", self._text, ())
        try:
            figure = searched(root, None, self._algorithm)
        except FigureError:  # too large to be drawn: the notebook then shows repr()
            return None
        return Picture(figure, self._windows).svg()


def position_after(game: str, text: str | None, moves: Iterable[str]) -> Position:
    """Return the position after moves in any notation; Board describes the arguments."""
    position = Start(game, text).position()
    for word in moves:
        position.make(read_any_move(position, word))
    return position
