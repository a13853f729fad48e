"""Endings that are known better than the network knows them: elementary mates, dead draws, king and pawn.

Asked only where few men are left.  King and pawn against king is exact: kpk.bin, made by scripts/lab/chess_kpk.py,
has a bit for each position (the pawn White's, on files a to d; 24 pawn squares, then both kings' squares and
the side to move) that says whether it is won.

The way to mate with bishop and knight is too long to be found by searching.  kbnk.bin, made by
scripts/lab/chess_kbnk.py, knows how long it is: a byte (the file is packed by zlib) for each place of the bare king, the
other king and the knight, the plies to mate with the bishop on the best of the dark squares.
"""
from __future__ import annotations

from zlib import crc32

from games import data
from games.chess.tables import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

KPK_FILE, KBNK_FILE = "chess/kpk.bin", "chess/kbnk.bin"
_KPK_BYTES, _KPK_SUM = 24 * 64 * 64 * 2 // 8, 0xbf606ae9        # CRC-32: there is but one truth
_KBNK_PLACES = 20 * 64 * 64     # of the bare king, turned, the other king and the knight
MOST_MEN = 6            # with more the network speaks

_WORTH = (0, 100, 320, 330, 500, 950, 0)
_KNOWN_WIN = 1000       # centipawns for a won ending, before material and progress
_PLY_TO_MATE = 8        # centipawns that a ply less on the way to mate is worth
_loaded, _mates = [], []


def kpk_index(side, pawn, white, black):
    """The bit of a position: the pawn White's, on the files a to d."""
    return ((((pawn >> 3) - 1) * 4 + (pawn & 7)) * 64 + white) * 128 + black * 2 + side


def kpk_won(side, pawn, white, black):
    """Does the white pawn win?  Exact, for every square of the pawn; side: who is to move, 0 White.

    None where that is not known, without kpk.bin.
    """
    if not _loaded:
        _loaded.append(data.load(KPK_FILE, _unpack_kpk, "king and pawn against king is left to the search"))
    if _loaded[0] is None:
        return None
    if pawn & 4:
        pawn, white, black = pawn ^ 7, white ^ 7, black ^ 7
    index = kpk_index(side, pawn, white, black)
    return bool(_loaded[0][index >> 3] >> (index & 7) & 1)


def _unpack_kpk(content):
    if crc32(data.of_size(content, _KPK_BYTES)) != _KPK_SUM:
        raise data.DamagedError("its sum is wrong")
    return content


def kbnk_views():
    """For each square of the bare king (where its rows begin in kbnk.bin, the other squares turned as it is).

    The board is turned so that the king stands in the triangle a1 h1 d4 e4, which keeps dark squares dark.
    """
    plain = list(range(64))
    across = [(square & 7) << 3 | square >> 3 for square in plain]
    places, views = {}, []
    for square in plain:
        view = plain
        if square >> 3 > square & 7:
            view = across
        turned = view[square]
        if (turned & 7) + (turned >> 3) > 7:
            view = [63 - across[view[other]] for other in plain]
        views.append((places.setdefault(view[square], len(places)) << 12, view))
    return views


def _plies_to_mate(bare, king, knight, bishop):
    """How far the mate with bishop and knight is at least, the bare king to move and the bishop anywhere.

    None where that is not known, without kbnk.bin.
    """
    if not _mates:
        table = data.load(KBNK_FILE, lambda content: data.unpacked(content, _KBNK_PLACES),
                          "the mate with bishop and knight is left to the search")
        _mates.extend((table, kbnk_views()))
    if _mates[0] is None:
        return None
    if not _dark(bishop):
        bare, king, knight = bare ^ 7, king ^ 7, knight ^ 7
    table, views = _mates
    first, view = views[bare]
    return table[first | view[king] << 6 | view[knight]]


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
    for strong in (0, 1):
        if counts[strong] == [QUEEN, KING]:
            found = _queen_against(men[strong ^ 1], counts[strong ^ 1][:-1], kings, strong)
            if found is not None:
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
    won = _KNOWN_WIN + sum(_WORTH[kind] for kind in kinds)
    if kinds == [KNIGHT, BISHOP]:
        knight = next(square for square, piece in own.items() if piece & 7 == KNIGHT)
        plies = _plies_to_mate(bare, king, knight, bishops[0])
        if plies is not None:
            return won - _PLY_TO_MATE * plies
    return won + 25 * _edge(bare) + 8 * (14 - distance(king, bare))


def _king_and_pawn(own, king, bare, strong, side):
    pawn = next(square for square, piece in own.items() if piece & 7 == PAWN)
    if strong:
        pawn, king, bare = pawn ^ 56, king ^ 56, bare ^ 56
    won = kpk_won(side ^ strong, pawn, king, bare)
    if not won:
        return None if won is None else 0
    return 500 + 30 * (pawn >> 3) - 4 * distance(king, pawn + 8)


def _queen_against(foes, kinds, kings, strong):
    """The score for a queen alone against a rook or a pawn (kinds), None against anything else."""
    king, bare = kings[strong], kings[strong ^ 1]
    near = 14 - distance(king, bare)
    if kinds == [ROOK]:
        return 400 + 25 * _edge(bare) + 8 * near
    if kinds != [PAWN]:
        return None
    pawn = next(square for square, piece in foes.items() if piece & 7 == PAWN)
    # One step from promotion a rook's or bishop's pawn with its king beside it holds the draw by stalemate.
    held = pawn >> 3 == (1 if strong == 0 else 6) and pawn & 7 in (0, 2, 5, 7) and distance(bare, pawn) == 1
    return (8 if held else 700) + 8 * (7 - distance(king, pawn))


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
