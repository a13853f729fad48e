"""CECP's `edit`, which sets up a chess position piece by piece.

Old front ends use it; later ones send `setboard`.
"""

from __future__ import annotations

from games.grid import LETTERS, board_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position

_PIECES = "PNBRQK"
# (right, king and rook on their home squares): `edit` has no command for castling rights.
_CASTLING = (("K", "Ke1", "Rh1"), ("Q", "Ke1", "Ra1"), ("k", "ke8", "rh8"), ("q", "ke8", "ra8"))


class Editor:
    """The position that the lines of an `edit` build.

    fault: the first line that can't be understood, or empty.
    """

    def __init__(self, position: Position) -> None:
        """position: the chess position to begin with."""
        self._rows = [list(row) for row in board_of(position)]
        self._turn, self._black, self.fault = "wb"[position.side], False, ""

    def add(self, line: str) -> None:
        """Apply a line: `#` clears the board, `c` changes the colour, `Pa4`, `xa4` set a square."""
        word = line.strip()
        if word == "#":
            self._rows = [["."] * 8 for _ in range(8)]
        elif word == "c":
            self._black = not self._black
        elif word and not self._put(word):
            self.fault = self.fault or word

    def _put(self, word: str) -> bool:
        if len(word) != 3 or word[1].lower() not in LETTERS[:8] or word[2] not in "12345678":
            return False
        piece = "." if word[0] == "x" else word[0]
        if piece not in _PIECES + ".":
            return False
        self._rows[int(word[2]) - 1][LETTERS.index(word[1].lower())] = (
            piece.lower() if self._black else piece
        )
        return True

    def text(self) -> str:
        """Return the FEN of the position, which may be an illegal one."""
        standing = {
            piece + LETTERS[file] + str(rank)
            for rank, row in enumerate(self._rows, 1)
            for file, piece in enumerate(row)
        }
        rights = "".join(right for right, king, rook in _CASTLING if {king, rook} <= standing)
        rows = "/".join(
            "".join("1" if piece == "." else piece for piece in row) for row in reversed(self._rows)
        )
        return f"{rows} {self._turn} {rights or '-'} - 0 1"
