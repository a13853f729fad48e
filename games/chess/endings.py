"""Endings that are known better than the network knows them: elementary mates, dead draws, king and pawn.

Asked only where few men are left.  King and pawn against king is exact: kpk.bin, made by scripts/chess_kpk.py,
has a bit for each position (the pawn White's, on files a to d; 24 pawn squares, then both kings' squares and
the side to move) that says whether it is won.
"""
from __future__ import annotations

from os import path

from games.chess.tables import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

KPK_FILE = path.join(path.dirname(__file__), "kpk.bin")
MOST_MEN = 6            # with more the network speaks

_WORTH = (0, 100, 320, 330, 500, 950, 0)
_KNOWN_WIN = 1000       # centipawns for a won ending, before material and progress
_loaded = []


def kpk_index(side, pawn, white, black):
    """The bit of a position: the pawn White's, on the files a to d."""
    return ((((pawn >> 3) - 1) * 4 + (pawn & 7)) * 64 + white) * 128 + black * 2 + side


def kpk_won(side, pawn, white, black):
    """Does the white pawn win?  Exact, for every square of the pawn; side: who is to move, 0 White."""
    if not _loaded:
        _loaded.append(__loader__.get_data(KPK_FILE))
    if pawn & 4:
        pawn, white, black = pawn ^ 7, white ^ 7, black ^ 7
    index = kpk_index(side, pawn, white, black)
    return bool(_loaded[0][index >> 3] >> (index & 7) & 1)


def distance(one, two):
    """King's moves from one square to another."""
    return max(abs((one & 7) - (two & 7)), abs((one >> 3) - (two >> 3)))


def _edge(square):
    """0 in the middle of the board, 6 in a corner."""
    file, rank = square & 7, square >> 3
    return max(3 - file, file - 4) + max(3 - rank, rank - 4)


def _dark(square):
    return (square ^ square >> 3) & 1 == 0


def known_score(men, kings, side, score):
    """The score for the side to move of a position with at most MOST_MEN men: `score` or what is known better."""
    counts = [sorted(piece & 7 for piece in men[colour].values()) for colour in (0, 1)]
    if len(counts[0]) == 1 or len(counts[1]) == 1:
        strong = 0 if len(counts[1]) == 1 else 1
        found = _against_bare_king(men[strong], counts[strong][:-1], kings, strong, side)
        if found is None:
            return score
        return found if side == strong else -found
    share = _drawish(men, counts, score if side == 0 else -score)
    return score if share == 1 else int(score * share)


def _against_bare_king(own, kinds, kings, strong, side):
    """The score for the side with more than a king, None where nothing is known.  kinds: without the king."""
    king, bare = kings[strong], kings[strong ^ 1]
    if kinds == [PAWN]:
        return _king_and_pawn(own, king, bare, strong, side)
    if kinds in ([KNIGHT], [BISHOP], [KNIGHT, KNIGHT], []):
        return 0
    bishops = [square for square, piece in own.items() if piece & 7 == BISHOP]
    if all(kind in (BISHOP, PAWN) for kind in kinds):
        if PAWN in kinds:
            return 0 if _wrong_bishop(own, bishops, bare, strong) else None
        if len({_dark(square) for square in bishops}) == 1:
            return 0
    if PAWN in kinds and not (ROOK in kinds or QUEEN in kinds):
        return None
    near = 14 - distance(king, bare)
    if kinds == [KNIGHT, BISHOP]:
        # Only the corners of the bishop's colour mate.
        corners = (0, 63) if _dark(bishops[0]) else (7, 56)
        drive = 40 * (7 - min(_steps(bare, corner) for corner in corners)) + 5 * _edge(bare)
    else:
        drive = 25 * _edge(bare)
    return _KNOWN_WIN + sum(_WORTH[kind] for kind in kinds) + drive + 8 * near


def _steps(one, two):
    """Steps without diagonals from one square to another."""
    return abs((one & 7) - (two & 7)) + abs((one >> 3) - (two >> 3))


def _king_and_pawn(own, king, bare, strong, side):
    pawn = next(square for square, piece in own.items() if piece & 7 == PAWN)
    if strong:
        pawn, king, bare = pawn ^ 56, king ^ 56, bare ^ 56
    if not kpk_won(side ^ strong, pawn, king, bare):
        return 0
    return 500 + 30 * (pawn >> 3) - 4 * distance(king, pawn + 8)


def _wrong_bishop(own, bishops, bare, strong):
    """Rook's pawns whose corner the bishops don't control, and the bare king reaches it first."""
    files = {square & 7 for square, piece in own.items() if piece & 7 == PAWN}
    if files not in ({0}, {7}):
        return False
    corner = (0 if strong else 56) + files.pop()
    return all(_dark(square) != _dark(corner) for square in bishops) and distance(bare, corner) <= 1


def _drawish(men, counts, white_score):
    """By what to multiply the score: 1, or less where the stronger side can hardly win."""
    strong = 0 if white_score >= 0 else 1
    kinds, others = counts[strong][:-1], counts[strong ^ 1][:-1]
    if PAWN not in kinds:
        # Without pawns it takes a rook more to win.
        more = sum(_WORTH[kind] for kind in kinds) - sum(_WORTH[kind] for kind in others)
        if more < 400 and QUEEN not in kinds or more < 150:
            return 0.1 if sum(_WORTH[kind] for kind in kinds) < 400 else 0.25
        if kinds == [KNIGHT, KNIGHT]:
            return 0.1
        return 1
    return _bishops_of_both_colours(men, counts)


def _bishops_of_both_colours(men, counts):
    if any(kind not in (PAWN, BISHOP, KING) for side in counts for kind in side):
        return 1
    bishops = [[square for square, piece in side.items() if piece & 7 == BISHOP] for side in men]
    if len(bishops[0]) == 1 and len(bishops[1]) == 1 and _dark(bishops[0][0]) != _dark(bishops[1][0]):
        return 0.4
    return 1
