"""Quiescence search: captures and promotions are played out before the evaluation is believed."""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.chess.evaluation import UNIT, network
from games.chess.exchange import VALUE, exchanger
from games.chess.keys import BLACK_TO_MOVE as TURN_KEY, PASSANT as PASSANT_KEY, PIECE as PIECE_KEY
from games.chess.margins import DELTA, MAX_PLY
from games.chess.tables import ENDS, KING, MOVE_MASK
from games.entry import DEPTH_MASK, DEPTH_SHIFT, EXACT, LOWER, MOVE_SHIFT, SCORE_BIAS, SCORE_SHIFT, UPPER

ILLEGAL = WIN + 500             # for the side that can capture the king

_NET = network()
PLACES, SQUARES, TEMPO, SUM_UP = _NET.table, _NET.squares, _NET.tempo, _NET.sum_up


def build(position, tree, rare, known):
    """The kernel's `quiesce` (see games/kernel.py) for a search from `position`.

    rare: the functions of rare_moves.  known(side, score): a score corrected by what is known of endings, None where
    there are too many men.
    """
    board, kings, men, captures = position.board_squares, position.kings, position.men, position.captures
    special, restore, _, _ = rare
    losing = exchanger(board, kings)
    count, check, lines = tree.count, tree.check, tree.lines
    table_keys, table_data, slots, shared = tree.table.keys, tree.table.data, tree.table.mask, tree.table.shared

    def quiesce(state, alpha, beta, ply):
        """The evaluation once captures and promotions are played out.

        The own king may be left in check: the reply that captures it says so.  The key goes without castling rights
        lost by captures, which is of no importance here.
        """
        count[0] += 1
        if count[0] >= count[1]:
            count[1] = check(count[0])
        key, best, _, _, side, acc, _, ep, _ = state
        if best >= beta:
            return best                 # standing pat
        open_window = beta - alpha > 1
        if open_window:
            lines[ply] = []
        # What an earlier visit found, at any depth.
        slot = key & slots
        entry = table_data[slot] if shared or table_keys[slot] == key else 0
        if entry and not open_window and not (shared and table_keys[slot] ^ entry != key):
            score = (entry >> SCORE_SHIFT) - SCORE_BIAS
            if -MAX_SCORE < score < MAX_SCORE:
                if score >= beta:
                    if entry & LOWER:
                        return score
                elif score <= alpha and entry & UPPER:
                    return score
        seen = acc >> SQUARES
        found = captures(side, ep, seen)
        if not found:
            return best
        found.sort(reverse=True)
        if board[found[0] >> 6 & 63] & 7 == KING:
            return ILLEGAL - ply
        if ply > count[3]:
            count[3] = ply
        if ply > MAX_PLY:
            return best
        standing, floor, best_move = best, alpha, -1
        if best > alpha:
            alpha = best
        other = side ^ 1
        own, foes = men[side], men[other]
        turned = key ^ TURN_KEY ^ PASSANT_KEY[ep]
        for move in found:
            move &= MOVE_MASK
            start, to = ENDS[move]
            piece, taken = board[start], board[to]
            if move < 4096:
                # Delta pruning: even the victim and a margin for placement leave the score below alpha.
                hope = standing + VALUE[taken] + DELTA
                if hope <= alpha:
                    if hope > best:
                        best = hope
                    continue
                places, zobrists = PLACES[piece], PIECE_KEY[piece]
                after = acc - places[start] + places[to] - PLACES[taken][to]
                total = SUM_UP(after)
                reply = (total if side else -total) // UNIT + TEMPO
                # Where the opponent is content to stand pat the move need not be made.
                if reply >= -alpha and known is None:
                    count[0] += 1
                    if count[0] >= count[1]:
                        count[1] = check(count[0])
                    if -reply > best:
                        best = -reply
                    continue
                # The exchange comes after that, since to play it out takes longer.
                if VALUE[piece] > VALUE[taken] and losing(start, to, side, seen):
                    continue
                del own[start], foes[to]
                own[to] = board[to] = piece
                board[start] = 0
                after_key = turned ^ zobrists[start] ^ zobrists[to] ^ PIECE_KEY[taken][to]
                if piece & 7 == KING:
                    kings[side] = to
                if known is not None:
                    reply = known(other, reply)
                score = -quiesce((after_key, reply, 0, False, other, after, 0, -1, 0), -beta, -alpha, ply + 1)
                if piece & 7 == KING:
                    kings[side] = start
                del own[to]
                own[start] = board[start] = piece
                foes[to] = board[to] = taken
            else:
                after, after_key, taken, square, piece, _ = special(side, move, turned, acc)
                reply = _NET.score(after, other)
                if known is not None:
                    reply = known(other, reply)
                score = -quiesce((after_key, reply, 0, False, other, after, 0, -1, 0), -beta, -alpha, ply + 1)
                restore(side, move, taken, square, piece)
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if open_window:
                        lines[ply] = [move] + lines[ply + 1]
                    alpha = score
                    if score >= beta:
                        break
        # Entries of deeper searches stay.
        if -MAX_SCORE < best < MAX_SCORE and (
                (table_keys[slot] ^ table_data[slot] if shared else table_keys[slot]) == key
                or not table_data[slot] >> DEPTH_SHIFT & DEPTH_MASK):
            entry = (best + SCORE_BIAS << SCORE_SHIFT | best_move + 1 << MOVE_SHIFT
                     | (LOWER if best >= beta else EXACT if best > floor else UPPER))
            table_keys[slot] = key ^ entry if shared else key
            table_data[slot] = entry
        return best

    return quiesce
