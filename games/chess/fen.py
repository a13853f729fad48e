"""FEN, X-FEN and Shredder-FEN, both ways.

Strict where a position would be impossible to play (kings, pawns on the last ranks, a king that could be
captured); castling rights without their king and rook are an error too.  An en passant square that no legal
capture uses is read and forgotten.
"""
from __future__ import annotations

from games.base import PositionError
from games.chess.tables import BITS, BLACK, KING, LETTERS, PAWN, ROOK, castling_targets, name


def read(text, make):
    """The position of a FEN with 4 to 6 fields; PositionError where it is none or can't be played.

    make(board, side, rights, ep, fifty, number, castles, kept): the ChessPosition of these facts.
    """
    fields = text.split()
    if not fields:
        raise PositionError(text, "the position is empty")
    if not 4 <= len(fields) <= 6:
        raise PositionError(text, f"a FEN has 4 or 6 fields, not {len(fields)}")
    fields += ["0", "1"][len(fields) - 4:]
    board = _read_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise PositionError(fields[1], "the side to move is w or b")
    side = "wb".index(fields[1])
    rooks = _read_rights(fields[2], board)
    ep = _read_passant(fields[3], board, side)
    fifty, number = _read_count(fields[4], 0), max(_read_count(fields[5], 0), 1)
    rights, castles, kept = castling_facts(board, rooks)
    position = make(board, side, rights, ep, fifty, number, castles, kept)
    if position.attacked(position.kings[side ^ 1], side):
        raise PositionError(fields[0], "the king of the side that is not to move is in check")
    return position


def _read_board(text):
    rows = text.split("[", 1)[0].split("/")
    if len(rows) != 8:
        raise PositionError(text, f"a board has 8 rows, not {len(rows)}")
    board = []
    for row in reversed(rows):
        board += _read_row(row)
    for piece in (KING, KING + BLACK):
        count = board.count(piece)
        if count != 1:
            raise PositionError(text, f"each side has one king, {LETTERS[piece]} stands {count} times")
    for square in list(range(8)) + list(range(56, 64)):
        if board[square] & 7 == PAWN:
            raise PositionError(text, f"a pawn can't stand on {name(square)}")
    for colour in (0, 1):
        men = [piece for piece in board if piece and piece >> 3 == colour]
        if len(men) > 16 or sum(piece & 7 == PAWN for piece in men) > 8:
            raise PositionError(text, "a side has at most 16 men, 8 of them pawns")
    return board


def _read_row(row):
    cells = []
    for char in row:
        if char in "12345678":
            cells += [0] * int(char)
        elif char in LETTERS and char != ".":
            cells.append(LETTERS.index(char))
        else:
            raise PositionError(char, f"is no piece, in row {row[:40]}")
    if len(cells) != 8:
        raise PositionError(row, f"a row has 8 squares, not {len(cells)}")
    return cells


def _read_rights(text, board):
    """{right: the rook's square} of a castling field: KQkq (the outermost rook) or the rook's file."""
    rooks = {}
    if text == "-":
        return rooks
    for char in text:
        side = 0 if char.isupper() else 1
        king = board.index(KING + BLACK * side)
        first = 56 * side
        if king & 56 != first:
            raise PositionError(text, f"no castling for {char}: the king is not on its first rank")
        lower = char.lower()
        if lower in "kq":
            squares = range(first + 7, king, -1) if lower == "k" else range(first, king)
        elif lower in "abcdefgh":
            squares = [first + "abcdefgh".index(lower)]
        else:
            raise PositionError(text, "castling rights are - or letters of KQkq or of the rooks' files")
        rook = next((square for square in squares if board[square] == ROOK + BLACK * side), None)
        if rook is None:
            raise PositionError(text, f"no castling for {char}: there is no rook")
        rooks[(1 if rook > king else 2) << 2 * side] = rook
    return rooks


def _read_passant(text, board, side):
    if text == "-":
        return -1
    rank = "3" if side else "6"
    if len(text) != 2 or text[0] not in "abcdefgh" or text[1] not in "36":
        raise PositionError(text, "is no en passant square")
    if text[1] != rank:
        raise PositionError(text, f"the en passant square is on rank {rank} for this side to move")
    square = "abcdefgh".index(text[0]) + 8 * (int(rank) - 1)
    step = -8 if side else 8
    pawn = PAWN + (0 if side else BLACK)
    if board[square] or board[square + step] or board[square - step] != pawn:
        return -1
    return square


def _read_count(text, least):
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise PositionError(text, "is no count of moves")
    return max(int(text), least)


def castling_facts(board, rooks):
    """(rights, castles, kept) for {right: the rook's square}.

    castles: for each side its ((right, king from, rook from, squares that must be empty as bits, squares that
    must be safe), ...).  kept: for each square the rights that survive a move from or to it.
    """
    castles, kept, rights = ([], []), [15] * 64, 0
    for right, rook in sorted(rooks.items()):
        side = 0 if right < 4 else 1
        king = board.index(KING + BLACK * side)
        king_to, rook_to = castling_targets(king, rook)
        between = range(min(king, rook, king_to, rook_to), max(king, rook, king_to, rook_to) + 1)
        way = range(min(king, king_to), max(king, king_to) + 1)
        crossed = [BITS[square] for square in between if square not in (king, rook)
                   and (square in way or min(rook, rook_to) <= square <= max(rook, rook_to))]
        castles[side].append((right, king, rook, sum(crossed), tuple(way)))
        kept[king] &= ~right
        kept[rook] &= ~right
        rights |= right
    return rights, (tuple(castles[0]), tuple(castles[1])), kept


def write(position):
    """The FEN of a position: X-FEN, where a castling letter names a file only if another rook stands outside."""
    board = position.board_squares
    rows = []
    for first in range(56, -1, -8):
        row = "".join(LETTERS[piece] for piece in board[first:first + 8])
        for run in range(8, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    ep = name(position.ep) if position.ep >= 0 else "-"
    return (f"{'/'.join(rows)} {'wb'[position.side]} {_write_rights(position)} {ep} "
            f"{position.fifty} {position.number}")


def _write_rights(position):
    out = ""
    for side in (0, 1):
        for right, king, rook, _, _ in position.castles[side]:
            if not position.rights & right:
                continue
            outside = range(rook + 1, (king | 7) + 1) if rook > king else range(king & 56, rook)
            piece = ROOK + BLACK * side
            letter = "K" if rook > king else "Q"
            if any(position.board_squares[square] == piece for square in outside):
                letter = name(rook)[0].upper()
            out += letter.lower() if side else letter
    return out or "-"
