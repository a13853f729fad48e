"""CECP's text: features, options and variants; moves, thinking, status; `edit`."""

from __future__ import annotations

from games import registry
from games.base import MoveError
from games.grid import board_of
from games.texts import Squares, squares_of
from protocol import moves
from protocol.base import OTHER_NAMES, PRODUCT, VERSION, CommandError, printable
from protocol.scores import value_at_end
from protocol.table import find
from search.limits import FINAL_DEPTH
from search.report import mate_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.base import Option, Position
    from search.report import Report


# CECP's names of games -> Plyglot's names, if they differ.
VARIANTS = {"normal": "chess", "fischerandom": "chess"}
# Games that are not announced by their own names: chess is announced by the names in VARIANTS, and
# the game `tree` has no board to show.
_UNNAMED = ("chess", "tree")
# Games that XBoard can show with `setup`: their stones never change, and the board has at most 12
# files (XBoard crashes on a wider one).
_STONES = ("tictactoe", "connect4")
# Variants of chess that XBoard doesn't know, and the letters of their pieces in XBoard's order.
_UNKNOWN_CHESS = "kingofthehill", "horde", "racingkings", "antichess"
_CHESS_PIECES = "PNBRQ................Kpnbrq................k"

_FEATURES = (
    "ping=1 setboard=1 usermove=1 san=0 time=1 draw=0 sigint=0 sigterm=0 reuse=1 analyze=1"
    " colors=0 name=1 playother=1 nps=0 memory=1 smp=1"
)

# Options that are not shown, since CECP has the commands `hard`, `variant fischerandom` and
# `analyze` instead.
_COMMANDS = ("Ponder", "UCI_Chess960", "UCI_AnalyseMode")

# A mate in N is written as this score plus N.
MATE = 100_000
_MAX_SIDE = 26  # columns and rows of the largest board whose squares have names
_MOVES_WITHOUT_SQUARES = ("@@@@", "o-o", "o-o-o", "0-0", "0-0-0")


# ---- features ------------------------------------------------------------------------


def shown_options(options: Iterable[Option]) -> list[Option]:
    """Return the options to declare: those for which CECP has no command of its own."""
    return [option for option in options if option.name not in _COMMANDS]


# Kind of an option -> what follows the option's name in its declaration.
_DECLARED: dict[str, Callable[[Option], str]] = {
    "button": lambda option: "-button",
    "check": lambda option: f"-check {int(option.default)}",
    "spin": lambda option: f"-spin {option.default} {option.low} {option.high}",
    "combo": lambda option: (
        "-combo "
        + " /// ".join("*" * (choice == option.default) + choice for choice in option.choices)
    ),
    "string": lambda option: f"-{'file' if option.record_bytes else 'string'} {option.default}",
}


def feature_lines(options: Iterable[Option]) -> list[str]:
    """Return the answer to `protover`."""
    others = [name for name in registry.names() if name not in _UNNAMED]
    return [
        *find("cecp").greeting,
        f"feature {_FEATURES}",
        f'feature myname="{PRODUCT} {VERSION}"',
        f'feature variants="{",".join([*VARIANTS, *others, *OTHER_NAMES])}"',
        *[f'feature option="{one.name} {_DECLARED[one.kind](one)}"' for one in options],
        "feature done=1",
    ]


def variant_lines(position: Position) -> list[str]:
    """Return the lines that describe the game to XBoard, if XBoard doesn't know it.

    Such a game is a variant of chess, or a game in which all stones begin in hand.

    The first line is `setup (pieces) FILESxRANKS+HOLDINGS_parent FEN`.  In a game of stones a
    second line says how a stone moves: `@` is a drop.  The parent is `fairy`, since with
    `normal` XBoard would not tell its second engine the variant.
    """
    game = position.game
    if game.name in _UNKNOWN_CHESS:
        return [f"setup ({_CHESS_PIECES}) 8x8+0_fairy {game.start({}).text()}"]
    if game.name not in _STONES:
        return []
    board = board_of(position)
    columns, rows = len(board[0]), len(board)
    first, second = (columns * rows + 1) // 2, columns * rows // 2
    fen = "/".join([str(columns)] * rows) + f"[{first * 'P'}{second * 'p'}] w 0 1"
    return [f"setup (P.....p.....) {columns}x{rows}+1_fairy {fen}", "piece P& @"]


# ---- moves ---------------------------------------------------------------------------


def move_text(position: Position, move: int) -> str:
    """Return a move as `e2e4`, `P@d3`, `@@@@`; castling in Chess960 is `O-O` or `O-O-O`."""
    if getattr(position, "chess960", False):
        san = position.notation(move)
        if san.startswith("O-O"):
            return san.rstrip("+#")
    return moves.drop(position, move, "@@@@")


def read_move(position: Position, text: str) -> int | None:
    """Parse a legal move; return None if the text isn't one."""
    try:
        return moves.read(position, text)
    except MoveError:
        return None


def seems_a_move(position: Position, word: str) -> bool:
    """Does a word look like a move, legal or not?

    Castling, a pass, and squares with at most two more characters look like moves.  The squares may
    be those of another game.
    """
    for squares in (squares_of(position), Squares(_MAX_SIDE, _MAX_SIDE)):
        names = "".join(map(squares.name, squares.cells_in(word.lower())))
        if names and len(word) <= len(names) + 2:
            return True
    return word.lower() in _MOVES_WITHOUT_SQUARES


# ---- searches ------------------------------------------------------------------------


def thinking_line(report: Report, position: Position) -> str:
    """Return `ply score time nodes seldepth nps tbhits`, a tab and the principal variation."""
    line = report.line
    assert line is not None, "the report must have a line"
    score = _score(line.score, position, line.moves)
    pv = " ".join(moves.variation(position, line.moves, move_text))
    return (
        f"{line.depth} {score} {round(report.seconds * 100)} {report.nodes}"
        f" {report.seldepth} {report.speed} 0\t{pv}"
    )


def book_lines(position: Position, book: Sequence[tuple[int, int]]) -> list[str]:
    """Return the answer to `bk`: an indented line for each book move, then an empty line."""
    whole = sum(weight for _, weight in book)
    lines = [
        f" {move_text(position, move)} {round(100 * weight / whole)}%" for move, weight in book
    ]
    return [*(lines or [" no book"]), ""]


def finished_line(position: Position) -> str:
    """Return the thinking line of a finished game: no move, and the score of the side to move."""
    return f"{FINAL_DEPTH} {_score(value_at_end(position) or 0, position)} 0 0"


def _score(score: int, position: Position, line: Sequence[int] = ()) -> int:
    mate = mate_moves(score, position, line)
    if mate is None:
        return score
    return MATE + mate if score > 0 else mate - MATE


def status_line(report: Report, depth: int, position: Position) -> str:
    """Return the answer to `.` in analysis: `stat01: time nodes ply mvleft mvtot mvname`."""
    legal = position.playable_moves()
    move, number = report.current or (None, len(legal))
    words = (
        f"stat01: {round(report.seconds * 100)} {report.nodes} {depth}"
        f" {max(len(legal) - number, 0)} {len(legal)}"
    )
    return words if move is None else f"{words} {move_text(position, move)}"


def edited(position: Position, lines: Iterable[str]) -> str:
    """Return the FEN of a chess position after the lines of `edit`.

    `#` clears the board, `c` switches the colour of the next pieces, `Pa4` puts a pawn on a4, and
    `xa4` clears a4.
    The position may be illegal.  The FEN has all castling rights, even impossible ones, since
    `edit` has no command for them.  Raise CommandError for any other line.
    """
    rows, black = [list(row) for row in board_of(position)], False
    squares, pieces = squares_of(position), (*position.game.looks.symbols, "x")
    for word in filter(None, lines):
        if word == "#":
            rows = [["."] * len(row) for row in rows]
        elif word == "c":
            black = not black
        else:
            cells = squares.cells_in(word[:9])
            if word not in [piece + squares.name(cell) for cell in cells for piece in pieces]:
                raise CommandError(
                    f'invalid line in edit: "{printable(word, 40)}" (expected #, c, Pa4 or xa4)'
                )
            column, row = cells[0]
            piece = "." if word[0] == "x" else word[0]
            rows[row][column] = piece.lower() if black else piece
    return position.game.arrange(["".join(row) for row in rows], position.side, "KQkq")
