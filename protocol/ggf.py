"""Games of Othello in the Generic Game Format, as NBoard and the game servers write them.

    (;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---...O*... *]B[F5//1.2]W[D6/0.5]B[PA];)

In BO `*` is Black, `O` White, `-` empty, row 1 first; the last character is the side to move.
http://www.skatgame.net/mburo/ggsa/ggf
"""
from __future__ import annotations

from games.base import PositionError

_SIZE = "8"
_MOVES = ("B", "W")


def read_game(text):
    """(position text, [`B[F5]`, `W[D6]`, …]) of a game; PositionError where it is none or not on 8x8."""
    start, played = None, []
    for name, value in _properties(text):
        if name == "GM" and value.strip().lower() != "othello":
            raise PositionError(f"GM[{value}]", "is not Othello")
        if name == "BO":
            start = _read_board(value)
        elif name in _MOVES:
            played.append(f"{name}[{value}]")
    if start is None:
        raise PositionError(text, "has no start position BO[...]")
    return start, played


def colour_of(word):
    """The player, 0 or 1, of a move as `read_game` gives it."""
    return _MOVES.index(word[0])


def text_of(word):
    """The move's text in a move as `read_game` gives it: what is before the evaluation and the time."""
    return word[2:-1].partition("/")[0]


def _read_board(value):
    """`8 ---…--- *` as 64 cells, a blank and the side."""
    size, _, rest = value.strip().partition(" ")
    cells = "".join(rest.split())
    if size != _SIZE or len(cells) != 65:
        raise PositionError(f"BO[{value}]", "is no board of 8x8 and side to move")
    return f"{cells[:64]} {cells[64]}"


def _properties(text):
    """[(name, value)] of `(;NAME[value]NAME[value]…;)`; a backslash takes the next character as it is."""
    body = text.strip()
    if not body.startswith("(;"):
        raise PositionError(text, "is no game in GGF, which begins with (;")
    found, name, value = [], "", None
    characters = iter(body[2:])
    for char in characters:
        if value is None:
            if char == "[":
                value = ""
            elif char in ";)":
                return found
            elif not char.isspace():
                name += char
        elif char == "]":
            found.append((name.upper(), value))
            name, value = "", None
        else:
            value += next(characters, "") if char == "\\" else char
    raise PositionError(text, "the game is not closed by ;)")
