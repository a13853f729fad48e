"""The moves of a node of the search, with the positions that they lead to: the heart of chess's kernel.

They come in stages, each generated when the one before did not cut: the move of the table, captures, quiet moves (or
those that give check, where the others are left out), captures that lose material.
"""
from __future__ import annotations

from games.base import MAX_SCORE
from games.chess.attacks import watchers
from games.chess.evaluation import HALF, MODULUS, SIGN, UNIT, network
from games.chess.exchange import VALUE, exchanger
from games.chess.history import stages
from games.chess.keys import (
    BLACK_TO_MOVE as TURN_KEY, CASTLE as CASTLE_KEY, PASSANT as PASSANT_KEY, PIECE as PIECE_KEY)
from games.chess.margins import (
    BAD_DEPTH, HISTORY_STEP, MAX_PLY, NEVER, REDUCTIONS, TOO_GOOD, TOO_GOOD_DEPTH, quiet_limit)
from games.chess.movegen import SCORE
from games.chess.position import FIFTY
from games.chess.tables import CASTLING, EN_PASSANT, ENDS, KING, LINE, MOVE_MASK, PAWN, REACH
from games.kernel import MERGE_POINT

# The stages of a node's moves.  CHECKS: quiet ones that may give check, where the others are left out.
TABLE_MOVE, CAPTURES, QUIETS, CHECKS, LOSING = range(5)
_HISTORY_STEP = HISTORY_STEP * SCORE

# What never changes stands here and not in the functions: PyPy takes it for constants.
_NET = network()
PLACES, SIGNS, SQUARES, TEMPO = _NET.table, _NET.signs, _NET.squares, _NET.tempo
(WIDE, WIDE_MASK), (NARROW, NARROW_MASK) = _NET.folds


def _maker(position, rare, known):
    """The functions (make, unmake) for a search from `position`; see `build`."""
    board, kings, men, kept = position.board_squares, position.kings, position.men, position.kept
    _, restore, passed, _ = rare

    def make(state, move, taken, arrived, after, key, reply, gives):
        """Make a move, unless rare_moves did it already, and return the state behind it.

        arrived: the man that stands there then.  after, key, reply, gives: accumulator, key but for rights and en
        passant, static evaluation, is it check?
        """
        _, _, since, _, side, _, rights, _, _ = state
        start, to = ENDS[move]
        since = since + 1 if not taken and arrived & 7 != PAWN or move & CASTLING else 0
        after_rights, ep = rights & kept[start] & kept[to], -1
        if after_rights != rights:
            key ^= CASTLE_KEY[rights] ^ CASTLE_KEY[after_rights]
        if move < 4096:
            own = men[side]
            del own[start]
            board[start] = 0
            own[to] = board[to] = arrived
            if taken:
                del men[side ^ 1][to]
            kind = arrived & 7
            if kind == PAWN:
                ep = passed(side, start, to)
                key ^= PASSANT_KEY[ep]
            elif kind == KING:
                kings[side] = to
        elif not move & CASTLING:
            since = 0
        if known is not None:
            reply = known(side ^ 1, reply)
        return key, reply, since, gives, side ^ 1, after, after_rights, ep, arrived << 6 | to

    def unmake(side, move, piece, taken, taken_at):
        """Take back what `make` or rare_moves did."""
        if move >= 4096:
            restore(side, move, taken, taken_at, piece)
            return
        own = men[side]
        start, to = ENDS[move]
        del own[to]
        own[start] = board[start] = piece
        board[to] = taken
        if taken:
            men[side ^ 1][to] = taken
        if piece & 7 == KING:
            kings[side] = start

    return make, unmake


def build(position, tree, history, rare, quiesce, known, exact):
    """The kernel's `successors` (see games/kernel.py) for a search from `position`.

    rare: the functions of rare_moves.  quiesce, known: of quiescence.py.  exact: a proof is wanted, nothing is pruned.
    """
    board, kings, (special, restore, _, _) = position.board_squares, position.kings, rare
    attacked, shields, _, illegal, checks = watchers(board)
    make, unmake = _maker(position, rare, known)
    losing = exchanger(board, kings)
    noisy, calm, checking, reward = stages(position, history, MAX_PLY + 2)
    count, check, evals, path, base = tree.count, tree.check, tree.evals, tree.path, tree.base
    table_keys, table_data, slots, shared = tree.table.keys, tree.table.data, tree.table.mask, tree.table.shared

    def successors(state, depth, ply, node):
        """See games/kernel.py, also for what loops over MERGE_POINT are for."""
        key, _, since, in_check, side, acc, rights, ep, prior = state
        alpha, _, beta, first, static, improving = node
        open_window = beta - alpha > 1
        other, turned = side ^ 1, key ^ TURN_KEY ^ PASSANT_KEY[ep]
        king, foe_king = kings[side], kings[other]
        own_line, foe_line = LINE[king], LINE[foe_king]
        whole = open_window or in_check or exact        # no move is left out
        number, stage, late, reductions, left_out = 0, TABLE_MOVE, NEVER, None, False
        tried, postponed = [], []
        # May the evaluation stand for replies?  Not for those that end the game, repeat a position or come first.
        judges = known is None and not exact and since < FIFTY - 1
        judging, bar = judges and not open_window and alpha < MAX_SCORE, -alpha
        here, before = base + ply, evals[ply - 1]
        past = path[here - since if since < here else 0:here - 2] if since > 2 else ()
        queue = () if first < 0 else (first,)
        while True:
            for entry in queue:
                move = entry & MOVE_MASK
                if move == first and stage:
                    continue
                start, to = ENDS[move]
                piece, taken = board[start], board[to]
                quiet = not taken and move < 4096
                if number >= late:
                    # Futility and late move pruning.
                    if quiet and node[1] > -MAX_SCORE:
                        left_out = True
                        break
                elif stage == LOSING and depth <= BAD_DEPTH and not whole and node[1] > -MAX_SCORE and not REACH[
                        piece][to][foe_king]:
                    continue

                # 1. Is it legal?  What does it leave behind?
                if move < 4096:
                    if (in_check or own_line[start] or start == king) and illegal(king, start, to, side, in_check):
                        continue
                    places, zobrists = PLACES[piece], PIECE_KEY[piece]
                    after = acc - places[start] + places[to]
                    after_key = turned ^ zobrists[start] ^ zobrists[to]
                    arrived, taken_at = piece, to
                    if taken:
                        after -= PLACES[taken][to]
                        after_key ^= PIECE_KEY[taken][to]
                else:
                    after, after_key, taken, taken_at, piece, arrived = special(side, move, turned, acc)
                    if not move & CASTLING and attacked(king, other):
                        restore(side, move, taken, taken_at, piece)
                        continue
                number += 1
                if quiet:
                    tried.append(move)
                # 2. Does it give check, itself or discovered?
                gives = (REACH[arrived][to][foe_king] or foe_line[start] or move >= EN_PASSANT) and checks(
                    foe_king, move, arrived, other)

                # 3. Late move reductions.
                less = 0
                if reductions is not None and number > 2 and not gives:
                    less = reductions[number] - whole
                    if quiet:
                        less += (not improving) - history[piece][to] // _HISTORY_STEP
                    if not 0 <= less <= depth - 2:
                        less = 0 if less < 0 else depth - 2

                # 4. Most replies are decided by the evaluation, as by standing pat in quiesce and by reverse futility
                #    in the node they lead to: then the move is not made.  This is Network.sum_up, written out.
                for _ in MERGE_POINT:
                    pass
                alive = after & SIGNS
                total = after & alive - (alive >> SIGN)
                total = (total >> WIDE) + (total & WIDE_MASK)
                total = ((total >> NARROW) + (total & NARROW_MASK) + HALF) % MODULUS - HALF
                reply = (total if side else -total) // UNIT + TEMPO
                if reply >= bar and judging and not gives and (
                        depth == 1 or (left := depth - 1 - less) <= TOO_GOOD_DEPTH
                        and reply - TOO_GOOD * (left - (reply > before)) >= bar
                        and (table_keys[after_key & slots] ^ table_data[after_key & slots] if shared
                             else table_keys[after_key & slots]) != after_key and after_key not in past):
                    count[0] = visited = count[0] + 1
                    if visited >= count[1]:
                        count[1] = check(visited)
                    if move >= 4096:
                        restore(side, move, taken, taken_at, piece)
                    if -reply > node[1]:
                        node[1] = -reply
                    continue
                #    Only where that decides nothing is the exchange played out, which takes longer.
                if stage == CAPTURES and taken and move < 4096 and VALUE[piece] > VALUE[taken] and losing(
                        start, to, side, seen):
                    number -= 1
                    postponed.append(move)
                    continue

                # 5. Make the move, see what it is worth, take it back.
                for _ in MERGE_POINT:
                    pass
                child = make(state, move, taken, arrived, after, after_key, reply, gives)
                if depth > 1 or gives:
                    yield move, child, depth if gives else depth - 1, less
                else:
                    score = -quiesce(child, -beta, bar, ply + 1)
                    if open_window or score > alpha:
                        yield move, None, score, 0
                    elif score > node[1]:
                        node[1] = score

                unmake(side, move, piece, taken, taken_at)
                alpha = node[0]
                if alpha >= beta:
                    if quiet:
                        reward(depth, ply, prior, tried)
                    return
                judging, bar = judges and alpha < MAX_SCORE, -alpha

            # Which moves are next?
            stage += 1
            if stage == CAPTURES:
                seen = acc >> SQUARES
                shield = shields(king, side) if in_check else None
                queue = noisy(state, king, seen, shield)
            elif stage == QUIETS:
                reductions = REDUCTIONS[min(depth, 63)] if depth > 2 and not exact else None
                late = NEVER if whole else quiet_limit(depth, node)
                left_out = number >= late and node[1] > -MAX_SCORE
                queue = () if left_out else calm(state, ply, seen, shield)
            elif stage == CHECKS and left_out:
                if late == 1 and node[1] < static:
                    node[1] = static
                late, queue = NEVER, checking(state, ply, seen, foe_king, tried)
            elif stage <= LOSING and postponed:
                stage, queue, late = LOSING, postponed, NEVER
            else:
                return

    return successors
