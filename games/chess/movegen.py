"""Move generation on a board that changes in place.

board: list of 64 pieces.  men: ({square: piece} of White, of Black).  Captures and quiet moves come apart,
because most nodes of a search are left before a quiet move is needed.  Moves but castling are pseudo-legal: the
caller asks the functions of games/chess/attacks.py whether one leaves the own king in check.
"""
from __future__ import annotations

from games.chess.sight import SIGHTS
from games.chess.tables import (
    BISHOP, BITS, BLACK, CASTLING, EN_PASSANT, FROM, KING, KNIGHT, MOVE_MASK, PAWN, PAWN_HITS, PROMOTION_SHIFT, QUEEN,
    ROOK, STEPS, TARGETS, WAYS)

# An ordering score is added above the bits of a move.
SCORE = 1 << 20
# Most valuable victim first, least valuable attacker second; indexed by pieces.  A king that can be captured
# (a search may look at such positions) comes before everything else.
_WORTH = (0, 1, 3, 3, 5, 9, 64, 0) * 2
_ORDER = (0, 1, 2, 3, 4, 5, 6, 0) * 2
VICTIM = [worth * 16 * SCORE for worth in _WORTH]
ATTACKER = [order * SCORE for order in _ORDER]
_TO_QUEEN = QUEEN << PROMOTION_SHIFT
_QUEENING = _TO_QUEEN + 8 * 16 * SCORE
# Knight first: the only one of them that a queen can't replace.
_UNDERPROMOTIONS = tuple((kind << PROMOTION_SHIFT) - penalty * SCORE
                         for kind, penalty in ((KNIGHT, 1 << 14), (ROOK, 1 << 15), (BISHOP, 1 << 15)))

_HITS_W, _HITS_B = PAWN_HITS


def generators(board, men, castles, attacked):
    """The functions (captures, quiets, aimed, castlings) for this board and these men.

    castles: ((right, king from, rook from, squares that must be empty as bits, squares that must be safe), ...)
    for each side.  attacked: of games/chess/attacks.py.  The functions see later changes of board and men; `seen` has a bit for the square of each white man
    and 64 bits above for that of each black one.
    """

    def captures(side, ep, seen):
        """Captures, en passant onto `ep` (-1: none) and promotions to a queen, each plus its ordering score."""
        out = []
        add = out.append
        foes = men[side ^ 1]
        if side:
            pawn, hits, last_but_one, ahead, there = PAWN + BLACK, _HITS_B, 1, -8, seen
        else:
            pawn, hits, last_but_one, ahead, there = PAWN, _HITS_W, 6, 8, seen >> 64
        occupied = seen | seen >> 64
        for square, piece in men[side].items():
            targets = TARGETS[piece]
            if targets:
                if not targets[square] & there:
                    continue
                link = FROM[square]
                if piece != pawn:
                    for to in STEPS[piece][square]:
                        if to in foes:
                            add(VICTIM[board[to]] - ATTACKER[piece] + link[to])
                elif square >> 3 == last_but_one:
                    for to in hits[square]:
                        if to in foes:
                            add(VICTIM[board[to]] - SCORE + _QUEENING + link[to])
                    if not board[square + ahead]:
                        add(_QUEENING + link[square + ahead])
                else:
                    for to in hits[square]:
                        if to in foes:
                            add(VICTIM[board[to]] - SCORE + link[to])
            else:
                for mask, sight in SIGHTS[piece][square]:
                    ends, _, bits = sight[occupied & mask]
                    if bits & there:
                        link = FROM[square]
                        for to in ends:
                            if to in foes:
                                add(VICTIM[board[to]] - ATTACKER[piece] + link[to])
        if ep >= 0:
            for square in PAWN_HITS[side ^ 1][ep]:
                if board[square] == pawn:
                    add(VICTIM[PAWN] - SCORE + (EN_PASSANT | ep << 6 | square))
        return out

    def quiets(side, history, seen):
        """All other moves but castling, each plus history[piece][to], a multiple of SCORE."""
        out = []
        add = out.append
        occupied = seen | seen >> 64
        for square, piece in men[side].items():
            worth, link = history[piece], FROM[square]
            sights = SIGHTS[piece]
            if sights:
                for mask, sight in sights[square]:
                    ends, ways, _ = sight[occupied & mask]
                    for to in ways:
                        add(worth[to] + link[to])
                    for to in ends:
                        if not board[to]:
                            add(worth[to] + link[to])
            elif STEPS[piece]:
                for to in STEPS[piece][square]:
                    if not board[to]:
                        add(worth[to] + link[to])
            elif side:
                to = square - 8
                if square < 16:
                    underpromotions(square, to, _HITS_B[square], men[0], add)
                elif not board[to]:
                    add(worth[to] + link[to])
                    if square >= 48 and not board[to - 8]:
                        add(worth[to - 8] + link[to - 8])
            else:
                to = square + 8
                if square >= 48:
                    underpromotions(square, to, _HITS_W[square], men[1], add)
                elif not board[to]:
                    add(worth[to] + link[to])
                    if square < 16 and not board[to + 8]:
                        add(worth[to + 8] + link[to + 8])
        return out

    def aimed(side, history, seen, goals):
        """Those of `quiets` that lead to the squares goals[piece], bits."""
        out = []
        add = out.append
        occupied = seen | seen >> 64
        empty = ~occupied
        for square, piece in men[side].items():
            goal = goals[piece] & WAYS[piece][square]
            if not goal:
                continue
            worth, link = history[piece], FROM[square]
            sights = SIGHTS[piece]
            if sights:
                for mask, sight in sights[square]:
                    found = sight[occupied & mask][2] & goal & empty
                    while found:
                        to = (found & -found).bit_length() - 1
                        add(worth[to] + link[to])
                        found &= found - 1
            elif STEPS[piece]:
                for to in STEPS[piece][square]:
                    if goal & BITS[to] and not board[to]:
                        add(worth[to] + link[to])
            else:
                to, further = (square - 8, square - 16) if side else (square + 8, square + 16)
                if not 8 <= to < 56:
                    underpromotions(square, to, PAWN_HITS[side][square], men[side ^ 1], add, goal)
                elif not board[to]:
                    if goal & BITS[to]:
                        add(worth[to] + link[to])
                    if goal >> further & 1 and not board[further]:
                        add(worth[further] + link[further])
        return out

    def underpromotions(square, ahead, hits, foes, add, goal=-1):
        targets = [to for to in hits if to in foes]
        if not board[ahead]:
            targets.append(ahead)
        for to in targets:
            if goal >> to & 1:
                for change in _UNDERPROMOTIONS:
                    add(change + (to << 6 | square))

    def castlings(side, rights, seen):
        """Legal castling moves of a king that is not in check."""
        out = []
        occupied = seen | seen >> 64
        for right, king, rook, empty, safe in castles[side]:
            if not rights & right or occupied & empty:
                continue
            pair = board[king], board[rook]
            board[king] = board[rook] = 0
            if not any([attacked(square, side ^ 1) for square in safe]):
                out.append(CASTLING | rook << 6 | king)
            board[king], board[rook] = pair
        return out

    return captures, quiets, aimed, castlings


def answers(moves, king, shield):
    """Those captures that may end a check to the king: by itself, en passant, or on the squares of `shield`."""
    return [move for move in moves if move & 63 == king or move & EN_PASSANT or shield >> (move >> 6 & 63) & 1]


def evading(shield):
    """The goals of `aimed` that may end a check: the squares of `shield` for all but the king."""
    goals = [shield] * 16
    goals[KING] = goals[KING + BLACK] = -1
    return goals


def untried(moves, tried):
    """The moves that aren't among those tried."""
    return [move for move in moves if move & MOVE_MASK not in tried]
