"""UCI's text: positions as Stockfish shows them."""

from __future__ import annotations

from games.grid import board_of, cell_width, picture
from games.texts import squares_of
from protocol import moves
from protocol.scores import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position


def boxed_board(position: Position) -> list[str]:
    """Return the board in Stockfish's drawing, from which its clients read the pieces."""
    rows, squares = board_of(position), squares_of(position)
    wide = cell_width(rows)
    rule, lines = " +" + ("-" * (wide + 2) + "+") * len(rows[0]), []
    for label, row in reversed(list(zip(squares.row_labels, rows))):
        cells = "".join(f" {'' if cell == '.' else cell:>{wide}} |" for cell in row)
        lines += [rule, f" |{cells} {label}"]
    columns = (f" {label:>{wide}}  " for label in squares.column_labels)
    return [*lines, rule, "  " + "".join(columns).rstrip()]


def evaluation_lines(value: int, position: Position) -> list[str]:
    """Return the last lines of the answer to `eval`; games with check get Stockfish's form.

    value: for the side to move.
    """
    line, checkers = f"Evaluation: {value}", position.checkers()
    if checkers is None:
        return [line]
    if checkers:
        return ["Final evaluation: none (in check)", line]
    shown = f"{(-value if position.side else value) / 100:+.2f}"
    return [f"Final evaluation       {shown} (white side)", line]


def flipped(fen: str) -> str:
    """Return the FEN of the same chess position with the colours exchanged."""
    rows, side, rights, square, *counters = fen.split()
    rows = "/".join(reversed(rows.split("/"))).swapcase()
    square = square.translate(str.maketrans("36", "63"))
    return " ".join([rows, "b" if side == "w" else "w", rights.swapcase(), square, *counters])


def display(position: Position) -> list[str]:
    """Return the lines of `d`."""
    legal = " ".join(moves.drop(position, move) for move in position.legal_moves())
    outcome = position.outcome()
    result = "*" if outcome is None else f"{result_of(outcome.winner)} {outcome.reason}"
    checkers = position.checkers()
    names = map(squares_of(position).name, checkers or ())
    texts = {"Fen": position.fairy_text(), position.text_name: position.text()}
    if len(set(texts.values())) == 1:
        texts.popitem()
    return [
        *(picture(position) if checkers is None else boxed_board(position)),
        *position.notes(),
        "",
        *[f"{name}: {text}" for name, text in texts.items()],
        f"Key: {position.key:016X}",
        f"Moves: {legal}".rstrip(),
        f"Result: {result}",
        *([] if checkers is None else [" ".join(["Checkers:", *names])]),
    ]
