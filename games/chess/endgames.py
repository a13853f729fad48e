"""Endgames that knowledge judges better than the network.

These are elementary mates, dead draws, and king and pawn against king; they are checked
only if few pieces are left.  King and pawn against king (KPK) is exact: kpk.bin, made by
scripts/lab/chess_kpk.py, has a bit for each position, set if the position is won.  The bits
are in the order of the white pawn's square (24 on the files a to d), both kings' squares and
the side to move.

The mate with bishop and knight (KBNK) is too long for a search.  kbnk.bin, made by
scripts/lab/chess_kbnk.py and packed by zlib, has the plies to mate if the bishop is on the
best dark square: a byte for each placement of the bare king, the other king and the knight.
"""

from __future__ import annotations

from functools import cache

from games import data
from games.chess.tables import BISHOP, CHESS, KNIGHT, PAWN, PIECE_VALUES, QUEEN, ROOK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.attacks import Pieces

KPK_FILE, KBNK_FILE = "chess/kpk.bin", "chess/kbnk.bin"
# The size of kpk.bin, and its CRC-32.
_KPK_BYTES, _KPK_SUM = 24 * 64 * 64 * 2 // 8, 0xBF606AE9
# The size of kbnk.bin, unpacked: 20 squares of the bare king (the others follow by symmetry), 64 of
# the other king, 64 of the knight.
_KBNK_BYTES = 20 * 64 * 64
# With more pieces than this, the network alone decides.
MAX_PIECES = 6

# Centipawns for a won endgame; material and progress are added.
_KNOWN_WIN = 1000
# Centipawns for each ply nearer to mate.
_PLY_TO_MATE = 8
distance = CHESS.distance


def kpk_index(side: int, pawn: int, white: int, black: int) -> int:
    """Return the index of a KPK position's bit in kpk.bin.

    side: the side to move.  pawn: the white pawn's square, on the files a to d.  white, black: the
    kings' squares.
    """
    pawn_index = ((pawn >> 3) - 1) * 4 + (pawn & 7)
    return (pawn_index * 64 + white) * 128 + black * 2 + side


def kpk_won(side: int, pawn: int, white: int, black: int) -> bool | None:
    """Return whether White wins a KPK position; None if kpk.bin can't be read.

    side: the side to move, 0 for White.  pawn: the white pawn's square.
    """
    table = _kpk()
    if table is None:
        return None
    mirror = 7 if pawn & 4 else 0  # the table has the files a to d only
    index = kpk_index(side, pawn ^ mirror, white ^ mirror, black ^ mirror)
    return bool(table[index >> 3] >> (index & 7) & 1)


@cache
def _kpk() -> bytes | None:
    without = "king and pawn against king is left to the search"
    return data.load(KPK_FILE, lambda kpk: data.checked(kpk, _KPK_BYTES, _KPK_SUM), without)


@cache
def kbnk_views() -> list[tuple[int, list[int]]]:
    """Return, for each square of the bare king, (offset of its rows in kbnk.bin, view).

    In the file, the bare king is always in the area with the corners a1, h1, e4 and d4.  A view
    reflects the board across its diagonals to bring the bare king there: view[square] is the
    image of the square.  Dark squares stay dark.
    """
    squares = list(range(64))
    area = [square for square in squares if square >> 3 <= square & 7 <= 7 - (square >> 3)]
    diagonal = [(square & 7) << 3 | square >> 3 for square in squares]
    antidiagonal = [63 - diagonal[square] for square in squares]
    views = [squares, diagonal, antidiagonal, squares[::-1]]
    chosen = [next(view for view in views if view[square] in area) for square in squares]
    # The file has the squares of the area in the order of their first occurrence among the images
    # of a1 to h8.
    places = list(dict.fromkeys([view[square] for square, view in enumerate(chosen)]))
    return [(places.index(view[square]) << 12, view) for square, view in enumerate(chosen)]


def _kbnk_plies(bare: int, king: int, knight: int, bishop: int) -> int | None:
    """Return the plies to mate with the bare king to move and the bishop on its best square.

    None if kbnk.bin can't be read.  bishop: its square; only the square's colour matters.
    """
    table = _kbnk()
    if table is None:
        return None
    mirror = 0 if _is_dark(bishop) else 7
    first, view = kbnk_views()[bare ^ mirror]
    return table[first | view[king ^ mirror] << 6 | view[knight ^ mirror]]


@cache
def _kbnk() -> bytes | None:
    without = "the mate with bishop and knight is left to the search"
    return data.load(KBNK_FILE, lambda content: data.unpacked(content, _KBNK_BYTES), without)


def _edge_distance(square: int) -> int:
    """Return a square's distance from the four centre squares: 0 there, 6 in a corner."""
    file, rank = square & 7, square >> 3
    return max(3 - file, file - 4) + max(3 - rank, rank - 4)


def _is_dark(square: int) -> bool:
    return (square ^ square >> 3) & 1 == 0


def _material(kinds: list[int]) -> int:
    return sum(PIECE_VALUES[kind] for kind in kinds)


def _squares(own: dict[int, int], kind: int) -> list[int]:
    return [square for square, piece in own.items() if piece & 7 == kind]


def known_score(pieces: Pieces, kings: list[int], side: int, score: int) -> int:
    """Return the score of a position for the side to move, if it is known.

    score: the network's score, which is returned if nothing better is known, or if there are more
        than MAX_PIECES pieces.
    """
    white, black = pieces
    if len(white) + len(black) > MAX_PIECES:
        return score
    kinds = [sorted([piece & 7 for piece in own.values()])[:-1] for own in pieces]  # without kings
    for strong in (0, 1):
        if not kinds[strong ^ 1]:
            known = _against_bare_king(pieces[strong], kinds[strong], kings, strong, side)
        elif kinds[strong] == [QUEEN]:
            known = _queen_against(pieces[strong ^ 1], kinds[strong ^ 1], kings, strong)
        else:
            continue
        if known is not None:
            return known if side == strong else -known
    if not all(kinds):
        return score
    scale = _drawish_scale(pieces, kinds, score if side == 0 else -score)
    return score if scale == 1 else int(score * scale)


def _against_bare_king(
    own: dict[int, int], kinds: list[int], kings: list[int], strong: int, side: int
) -> int | None:
    """Return the score of side `strong` against a bare king; None if it is unknown.

    own: {square: piece} of that side.  kinds: the kinds of its pieces, sorted, without the king.
    """
    king, bare = kings[strong], kings[strong ^ 1]
    if kinds == [PAWN]:
        return _king_and_pawn(own, king, bare, strong, side)
    if kinds in ([KNIGHT], [BISHOP], [KNIGHT, KNIGHT], []):
        return 0
    bishops = _squares(own, BISHOP)
    if {*kinds} <= {BISHOP, PAWN}:
        if PAWN in kinds:
            return 0 if _wrong_bishop(own, bishops, bare, strong) else None
        if len(set(map(_is_dark, bishops))) == 1:
            return 0
    if PAWN in kinds and not (ROOK in kinds or QUEEN in kinds):
        return None
    won = _KNOWN_WIN + _material(kinds)
    if kinds == [KNIGHT, BISHOP]:
        plies = _kbnk_plies(bare, king, *_squares(own, KNIGHT), *bishops)
        if plies is not None:
            return won - _PLY_TO_MATE * plies
    # Drive the bare king to the edge, and bring the two kings together.
    return won + 25 * _edge_distance(bare) + 8 * (14 - distance(king, bare))


def _king_and_pawn(own: dict[int, int], king: int, bare: int, strong: int, side: int) -> int | None:
    flip = 56 * strong  # to see the board from White's side
    pawn = _squares(own, PAWN)[0] ^ flip
    won = kpk_won(side ^ strong, pawn, king ^ flip, bare ^ flip)
    if not won:
        return None if won is None else 0
    return 500 + 30 * (pawn >> 3) - 4 * distance(king ^ flip, pawn + 8)


def _queen_against(
    enemy: dict[int, int], kinds: list[int], kings: list[int], strong: int
) -> int | None:
    """Return the score of a lone queen against a rook or a pawn; None for other enemy pieces.

    enemy: {square: piece} of the other side.  kinds: the kinds of these pieces, sorted, without the
    king.
    """
    king, bare = kings[strong], kings[strong ^ 1]
    if kinds == [ROOK]:
        return 400 + 25 * _edge_distance(bare) + 8 * (14 - distance(king, bare))
    if kinds != [PAWN]:
        return None
    pawn = _squares(enemy, PAWN)[0]
    # On the a, c, f or h file, a pawn one step from promotion draws by stalemate if its king is
    # next to it.
    drawn = (
        pawn >> 3 == (1 if strong == 0 else 6)
        and pawn & 7 in (0, 2, 5, 7)
        and distance(bare, pawn) == 1
    )
    return (8 if drawn else 700) + 8 * (7 - distance(king, pawn))


def _wrong_bishop(own: dict[int, int], bishops: list[int], bare: int, strong: int) -> bool:
    """Is the game drawn because of the wrong bishop?

    That is so if all pawns are on one rook file, the bare king is on or next to the square where
    they promote, and no bishop can attack that square.
    """
    files = {square & 7 for square in _squares(own, PAWN)}
    if files not in ({0}, {7}):
        return False
    corner = (0 if strong else 56) + files.pop()
    return (
        all(_is_dark(square) != _is_dark(corner) for square in bishops)
        and distance(bare, corner) <= 1
    )


def _drawish_scale(pieces: Pieces, by_side: list[list[int]], white_score: int) -> float:
    """Return the factor by which to scale the score: below 1 if the better side can hardly win."""
    strong = 0 if white_score >= 0 else 1
    kinds, others = by_side[strong], by_side[strong ^ 1]
    if PAWN in kinds:
        return _opposite_bishops_scale(pieces, by_side)
    # Without pawns, a side hardly wins unless it is ahead by about a rook.
    advantage = _material(kinds) - _material(others)
    if advantage < 400 and QUEEN not in kinds or advantage < 150:
        return 0.1 if _material(kinds) < 400 else 0.25
    return 0.1 if kinds == [KNIGHT, KNIGHT] else 1


def _opposite_bishops_scale(pieces: Pieces, by_side: list[list[int]]) -> float:
    if any(kind not in (PAWN, BISHOP) for kinds in by_side for kind in kinds):
        return 1
    white, black = ([_is_dark(square) for square in _squares(own, BISHOP)] for own in pieces)
    return 0.4 if len(white) == len(black) == 1 and white != black else 1
