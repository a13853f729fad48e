"""What Plyglot tells XBoard of itself: features, options, variants."""
from __future__ import annotations

from games import registry
from protocol.base import PRODUCT, VERSION

# The protocol's names of our games, where they are others.
VARIANTS = {"normal": "chess", "fischerandom": "chess"}
# What has no board to be shown on.
_WITHOUT_BOARD = ("tree",)
# What XBoard can show by `setup`: stones that stay as they lie, on at most 12 files (more ends XBoard).
_STONES = ("tictactoe", "connect4")
# Cute Chess knows Connect Four by this name.
_MORE_NAMES = ("cfour",)

_FEATURES = ("ping=1 setboard=1 usermove=1 san=0 time=1 draw=0 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0"
             " name=1 playother=1 nps=0 memory=1 smp=0")


def feature_lines(options):
    """The answer to `protover`."""
    others = [name for name in registry.names() if name not in VARIANTS.values() and name not in _WITHOUT_BOARD]
    return ["feature done=0", f"feature {_FEATURES}", f'feature myname="{PRODUCT} {VERSION}"',
            f'feature variants="{",".join([*VARIANTS, *others, *_MORE_NAMES])}"',
            *[f'feature option="{_option_words(option)}"' for option in options], "feature done=1"]


def _option_words(option):
    words = f"{option.name} -{option.kind}"
    if option.kind == "button":
        return words
    if option.kind == "check":
        return f"{words} {int(option.default)}"
    if option.kind == "spin":
        return f"{words} {option.default} {option.low} {option.high}"
    if option.kind == "combo":
        marked = ["*" * (choice == option.default) + choice for choice in option.choices]
        return f"{words} {' /// '.join(marked)}"
    return f"{words} {option.default}"


def option_value(option, text):
    """The value as options are set in all protocols: CECP writes checks as 1 and 0."""
    if option is not None and option.kind == "check":
        return {"1": "true", "0": "false"}.get(text.strip(), text)
    return text


def variant_lines(position):
    """What tells XBoard the board and the men of a game of stones that it does not know, all of them in hand.

    `setup (pieces) FILESxRANKS+HOLDINGS_parent FEN`, then how the man moves: `@`, it is dropped.
    """
    if position.game.name not in _STONES:
        return []
    board = position.board()
    columns, rows = len(board[0]), len(board)
    first, second = (columns * rows + 1) // 2, columns * rows // 2
    fen = "/".join([str(columns)] * rows) + f"[{first * 'P'}{second * 'p'}] w 0 1"
    return [f"setup (P.....p.....) {columns}x{rows}+1_fairy {fen}", "piece P& @"]
