"""What CECP's lines are made of: moves, thinking, status."""
from __future__ import annotations

from games.base import MoveError
from games.grid import LETTERS
from protocol import moves
from search.wdl import mate_moves

# A mate in N is told as this score plus N.
_MATE = 100_000
_CASTLINGS = ("o-o", "o-o-o", "0-0", "0-0-0")


def dress(position, move):
    """`e2e4`, `P@d3`, `@@@@`; castling in Chess960, where king takes rook, is `O-O` or `O-O-O`."""
    text = moves.drop(position, move, "@@@@")
    return _castling(position, text) or text


def _castling(position, text):
    board = position.board()
    if len(text) != 4 or not (text[1].isdigit() and text[3].isdigit() and board):
        return ""
    (from_column, from_row), (column, row) = ((LETTERS.index(square[0]), int(square[1]) - 1)
                                              for square in (text[:2], text[2:]))
    if {board[from_row][from_column] + board[row][column]} & {"KR", "kr"}:
        return "O-O" if column > from_column else "O-O-O"
    return ""


def read(position, text):
    """The legal move of a text, None where it is none."""
    try:
        return moves.read(position, text)
    except MoveError:
        return None


def seems_a_move(word):
    """Has a word the form of a move on some board: squares, a drop, a pass, castling?"""
    lower = word.lower()
    if lower in _CASTLINGS or lower == "@@@@":
        return True
    if lower[1:2] == "@":
        return _squares(lower[2:]) == 1
    return _squares(lower) == 2 or _squares(lower[:-1]) == 2


def _squares(text):
    """How many squares `text` is made of, 0 where it is made of something else."""
    count, index = 0, 0
    while index < len(text):
        if text[index] not in LETTERS or not text[index + 1:index + 2].isdigit():
            return 0
        index += 2
        while text[index:index + 1].isdigit():
            index += 1
        count += 1
    return count


def thinking_line(report, position):
    """`ply score time nodes seldepth nps tbhits` and, after a tabulator, the principal variation."""
    line = report.line
    mate = mate_moves(line.score, position, line.moves)
    score = line.score if mate is None else (_MATE + mate if line.score > 0 else mate - _MATE)
    speed = round(report.nodes / max(report.seconds, 0.001))
    return (f"{line.depth} {score} {round(report.seconds * 100)} {report.nodes} {max(report.seldepth, line.depth)}"
            f" {speed} 0\t{' '.join(moves.sequence(position, line.moves, dress))}")


def status_line(report, depth, position):
    """`stat01: time nodes ply mvleft mvtot mvname`, the answer to `.` in analysis."""
    legal = position.playable_moves()
    move, number = report.current or (None, len(legal))
    words = f"stat01: {round(report.seconds * 100)} {report.nodes} {depth} {max(len(legal) - number, 0)} {len(legal)}"
    return words if move is None else f"{words} {dress(position, move)}"
