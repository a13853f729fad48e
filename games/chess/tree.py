"""The tree of the chess search: principal variation search on the bare board.

The same algorithm as search/alphabeta.py with chess knowledge in every step, and with its position taken
apart: board and men change in place, everything else (key, accumulator of the evaluation, rights) is handed
down as arguments and so needs no undo.
"""
from __future__ import annotations

from games.chess.endings import MOST_MEN, known_score
from games.chess.evaluation import HALF, MODULUS, SIDE_BITS, SIGN, UNIT, network
from games.chess.exchange import VALUE, exchanger
from games.chess.history import orderer
from games.chess.keys import (
    BLACK_TO_MOVE as TURN_KEY, CASTLE as CASTLE_KEY, PASSANT as PASSANT_KEY, PIECE as PIECE_KEY)
from games.chess.margins import (
    BAD_DEPTH, DELTA, EXCHANGED, FUTILE, FUTILE_DEPTH, FUTILE_STEP, LATE, REDUCTIONS, TOO_GOOD, TOO_GOOD_DEPTH)
from games.chess.movegen import answers, untried
from games.chess.position import FIFTY
from games.chess.rare import rare_moves
from games.chess.scores import INFINITY, MATE, MATED_SOON
from games.chess.tables import CASTLING, CHECKING, EN_PASSANT, ENDS, LINE, MOVE_MASK, PINNERS, REACH
from games.entry import (
    DEPTH_MASK, DEPTH_SHIFT, EXACT, LOWER, MOVE_SHIFT, SCORE_BIAS, SCORE_SHIFT, UPPER, from_node, from_root)
from games.junction import JUNCTION

MAX_PLY = 120                   # of the inner search; deeper lines stand on their evaluation

# The stages of a node's moves.  CHECKS: quiet ones that may give check, where the others are left out.
TABLE_MOVE, CAPTURES, QUIETS, CHECKS, LOSING = range(5)

# What never changes stands here and not in build(): PyPy takes it for constants.
_NET = network()
PLACES, SIGNS, TOP, SQUARES, TEMPO, SUM_UP = _NET.table, _NET.signs, _NET.top, _NET.squares, _NET.tempo, _NET.sum_up
(WIDE, WIDE_MASK), (NARROW, NARROW_MASK) = _NET.folds
_PIECES = (1 << SIDE_BITS) - 16         # of one side's material: all but the pawns
PIECES_OF = _PIECES, _PIECES << SIDE_BITS


def build(position, context, table, history):
    """(visit, quiesce, has_move, lines, counters): the search with everything it needs bound to locals.

    lines[ply]: the principal variation from there on.  counters(anew): (positions visited, deepest ply, anew from 0).
    """
    position.sort_men()         # a search does not depend on how its position arose
    board, kings, men, kept = position.board_squares, position.kings, position.men, position.kept
    captures, castlings, attacked, shields = position.captures, position.castlings, position.attacked, position.shields
    few = len(men[0]) + len(men[1]) <= MOST_MEN + EXCHANGED
    losing = exchanger(board, kings)
    table_keys, table_data, slots = table.keys, table.data, table.mask
    special, restore, passable, has_move = rare_moves(position, history)
    ordered_quiets, reward = orderer(position, history, MAX_PLY + 2)
    check = context.check
    exact = context.limits.mate is not None     # a proof is wanted: nothing is pruned
    lines = [[] for _ in range(MAX_PLY + 2)]
    evals = [0] * (MAX_PLY + 2)
    # The keys on the way here, behind three that no position has: repetitions are looked for from three plies back.
    base = len(position.past) + 3
    trail = [-1] * 3 + [entry[5] for entry in position.past] + [position.key] + [0] * (MAX_PLY + 1)
    nodes = limit = deepest = 0

    def quiesce(side, alpha, beta, ply, key, acc, ep, total):
        """The evaluation once captures and promotions are played out.

        The own king may be left in check: the reply that captures it says so.  key: without castling rights lost by
        captures, which is of no importance here.  total: what the accumulator sums up to.
        """
        nonlocal nodes, limit, deepest
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        best = (-total if side else total) // UNIT + TEMPO
        if few and len(men[0]) + len(men[1]) <= MOST_MEN:
            best = known_score(men, kings, side, best)
        if best >= beta:
            return best
        open_window = beta - alpha > 1
        if open_window:
            lines[ply] = []
        # What an earlier visit found, at any depth.
        slot = key & slots
        if table_keys[slot] == key and not open_window:
            entry = table_data[slot]
            score = (entry >> SCORE_SHIFT) - SCORE_BIAS
            if -MATED_SOON < score < MATED_SOON:
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
        if board[found[0] >> 6 & 63] & 7 == 6:
            return INFINITY - ply
        if ply > deepest:
            deepest = ply
        if ply > MAX_PLY:
            return best
        standing, floor, best_move = best, alpha, 0
        if best > alpha:
            alpha = best
        own, foes = men[side], men[side ^ 1]
        for move in found:
            move &= MOVE_MASK
            start, to = ENDS[move]
            piece, taken = board[start], board[to]
            if move < 4096:
                if standing + VALUE[taken] + DELTA <= alpha:
                    if standing + VALUE[taken] + DELTA > best:
                        best = standing + VALUE[taken] + DELTA
                    continue
                places, zobrists = PLACES[piece], PIECE_KEY[piece]
                after = acc - places[start] + places[to] - PLACES[taken][to]
                total = SUM_UP(after)
                reply = (total if side else -total) // UNIT + TEMPO
                # Where the opponent is content to stand the move need not be made.
                if reply >= -alpha and not few:
                    nodes += 1
                    if nodes >= limit:
                        limit = check(nodes)
                    if -reply > best:
                        best = -reply
                    continue
                # The exchange comes after that, since to play it out takes longer.
                if VALUE[piece] > VALUE[taken] and losing(start, to, side, seen):
                    continue
                del own[start], foes[to]
                own[to] = board[to] = piece
                board[start] = 0
                after_key = key ^ TURN_KEY ^ zobrists[start] ^ zobrists[to] ^ PIECE_KEY[taken][to]
                if ep >= 0:
                    after_key ^= PASSANT_KEY[ep]
                if piece & 7 == 6:
                    kings[side] = to
                score = -quiesce(side ^ 1, -beta, -alpha, ply + 1, after_key, after, -1, total)
                if piece & 7 == 6:
                    kings[side] = start
                del own[to]
                own[start] = board[start] = piece
                foes[to] = board[to] = taken
            else:
                after, after_key, taken, square, piece, _ = special(side, move, key ^ TURN_KEY, acc)
                if ep >= 0:
                    after_key ^= PASSANT_KEY[ep]
                score = -quiesce(side ^ 1, -beta, -alpha, ply + 1, after_key, after, -1, SUM_UP(after))
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
        if -MATED_SOON < best < MATED_SOON and (table_keys[slot] == key or not table_data[slot] >> DEPTH_SHIFT & DEPTH_MASK):
            table_keys[slot] = key
            table_data[slot] = best + SCORE_BIAS << SCORE_SHIFT | best_move << MOVE_SHIFT | (
                LOWER if best >= beta else EXACT if best > floor else UPPER)
        return best

    def visit(side, depth, alpha, beta, ply, key, acc, rights, ep, fifty, in_check, prior, null_ok, total):
        """The fail-soft value of the board for `side`, `depth` plies deep, one at least.

        prior: piece << 6 | square of the move before (0: none).  null_ok: a null move may be tried.  total: what the
        accumulator sums up to.
        """
        nonlocal nodes, limit, deepest

        # 1. Counting, draws, mate distance.
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        open_window = beta - alpha > 1
        if open_window:
            lines[ply] = []
        if ply > deepest:
            deepest = ply
        here = base + ply
        trail[here] = key
        if fifty > 3:
            # Once below the root is enough: what could be repeated will be.  A position of the game before must come
            # for the third time, since the opponent may play on differently.
            since = here - fifty if fifty < here else 0
            if key in trail[since:here - 3] and (key in trail[max(since, base + 1):here - 3]
                                                 or trail[since:here - 3].count(key) > 1):
                return 0
            if fifty >= FIFTY and (not in_check or has_move(side, ep, acc >> SQUARES)):
                return 0
        if beta > MATE - ply:
            beta = MATE - ply
            if alpha >= beta:
                return beta

        # 2. The table.
        slot = key & slots
        first = known = 0
        if table_keys[slot] == key:
            entry = table_data[slot]
            first = entry >> MOVE_SHIFT & MOVE_MASK
            known = entry & EXACT
            hint = score = (entry >> SCORE_SHIFT) - SCORE_BIAS
            if entry >> DEPTH_SHIFT & DEPTH_MASK >= depth and not open_window:
                if not -MATED_SOON <= score <= MATED_SOON:
                    score = from_root(score, ply, MATED_SOON)
                if score >= beta:
                    if entry & LOWER:
                        return score
                elif score <= alpha and entry & UPPER:
                    return score
        elif depth > 3 and not exact:
            depth -= 1              # internal iterative reduction: without a table move the order is poor

        # 3. The static evaluation, and what it decides alone.
        static = (-total if side else total) // UNIT + TEMPO
        if few and len(men[0]) + len(men[1]) <= MOST_MEN:
            static = known_score(men, kings, side, static)
        if ply >= MAX_PLY:
            return static
        evals[ply] = static
        futile = False
        turned = key ^ TURN_KEY if ep < 0 else key ^ TURN_KEY ^ PASSANT_KEY[ep]     # the key after a null move
        # A search knows better than the evaluation, however shallow it was.
        if known and -MATED_SOON < hint < MATED_SOON and known & (LOWER if hint > static else UPPER):
            static = hint
        if not in_check:
            improving = ply < 2 or static > evals[ply - 2]
            if not open_window and not exact and -MATED_SOON < beta < MATED_SOON:
                if depth <= TOO_GOOD_DEPTH and static - TOO_GOOD * (depth - improving) >= beta:
                    return static
                # 4. Null move, if there is a piece left to avoid zugzwang with.
                if null_ok and depth > 1 and static >= beta and acc >> TOP & PIECES_OF[side]:
                    left = depth - 3 - depth // 3 - (static - beta > 150)
                    if left <= 0:
                        score = -quiesce(side ^ 1, -beta, 1 - beta, ply + 1, turned, acc, -1, total)
                    else:
                        score = -visit(side ^ 1, left, -beta, 1 - beta, ply + 1, turned, acc, rights, -1, 0, False, 0,
                                       False, total)
                    if score >= beta:
                        return score if score < MATED_SOON else beta
                if depth <= FUTILE_DEPTH and static + FUTILE + FUTILE_STEP * depth <= alpha:
                    futile = True
        else:
            improving = True

        # 5. The moves in stages, each generated when the one before did not cut.  (games/junction.py tells what loops
        #    over JUNCTION are for.)
        own, foes = men[side], men[side ^ 1]
        other = side ^ 1
        king, foe_king = kings[side], kings[other]
        own_line, foe_line = LINE[king], LINE[foe_king]
        best, best_move, floor = -INFINITY, 0, alpha
        number = 0
        tried, postponed, reducing, left_out = [], [], False, False
        whole = open_window or in_check or exact        # no move is left out
        late = LATE[improving][depth] if depth < 7 and not whole else 999
        # May the evaluation stand for replies?  Not for those that end the game, repeat a position or come first.
        judicious = not (exact or few) and fifty < FIFTY - 1
        judging = judicious and not open_window and alpha < MATED_SOON
        past = trail[here - fifty if fifty < here else 0:here - 2] if fifty > 2 else ()
        stage, queue = TABLE_MOVE, (first,) if first else ()
        while True:
            for entry in queue:
                move = entry & MOVE_MASK
                if move == first and stage:
                    continue
                start, to = ENDS[move]
                piece, taken = board[start], board[to]
                quiet = not taken and move < 4096
                if quiet:
                    if stage == QUIETS and (number >= late or futile and number) and best > -MATED_SOON:
                        left_out = True
                        break
                elif stage == LOSING and depth <= BAD_DEPTH and not whole and best > -MATED_SOON and not REACH[
                        piece][to][foe_king]:
                    continue

                # 6. Is it legal?  What does it leave behind?
                if move < 4096:
                    if start == king:
                        board[start] = 0
                        illegal = attacked(to, other)
                        board[start] = piece
                    elif in_check:
                        board[start], board[to] = 0, piece
                        illegal = attacked(king, other)
                        board[start], board[to] = piece, taken
                    else:
                        illegal = False
                        for square in own_line[start]:
                            if square == to:
                                break
                            if board[square] and square != start:
                                illegal = PINNERS[side][king][start][board[square]]
                                break
                    if illegal:
                        continue
                    places, zobrists = PLACES[piece], PIECE_KEY[piece]
                    after = acc - places[start] + places[to]
                    after_key = turned ^ zobrists[start] ^ zobrists[to]
                    arrived = piece
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

                # 7. Does it give check?
                if move >= EN_PASSANT:
                    gives = attacked(foe_king, side)
                else:
                    gives = False
                    if REACH[arrived][to][foe_king]:
                        gives = True
                        for square in LINE[to][foe_king]:
                            if board[square]:
                                gives = square == foe_king
                                break
                    if not gives:
                        for square in foe_line[start]:
                            if square == to:
                                break
                            if board[square] and square != start:
                                gives = PINNERS[other][foe_king][start][board[square]]
                                break

                # 8. Late moves are reduced.
                less = 0
                if reducing and number > 2 and not gives:
                    less = REDUCTIONS[depth if depth < 64 else 63][number if number < 64 else 63]
                    if quiet:
                        less -= history[piece][to] // (3000 << 20)
                        if not improving:
                            less += 1
                    if open_window or in_check:
                        less -= 1
                    if less < 0:
                        less = 0
                    elif less >= depth - 1:
                        less = depth - 2

                # 9. Most replies are decided by the evaluation, as in quiesce and step 3: then the move is not made.
                #    Network.sum_up, written out where nearly all evaluations are.
                for _ in JUNCTION:
                    pass
                alive = after & SIGNS
                total = after & alive - (alive >> SIGN)
                total = (total >> WIDE) + (total & WIDE_MASK)
                total = ((total >> NARROW) + (total & NARROW_MASK)) % MODULUS
                if total > HALF:
                    total -= MODULUS
                reply = (total if side else -total) // UNIT + TEMPO
                left = depth - 1 - less
                if judging and not gives and (
                        left <= TOO_GOOD_DEPTH and reply - TOO_GOOD * (left - (reply > evals[ply - 1])) >= -alpha
                        and table_keys[after_key & slots] != after_key and after_key not in past
                        if left else reply >= -alpha):
                    nodes += 1
                    if nodes >= limit:
                        limit = check(nodes)
                    if move >= 4096:
                        restore(side, move, taken, taken_at, piece)
                    if -reply > best:
                        best = -reply
                    continue
                #    Only where that decides nothing is the exchange played out, which takes longer.
                if stage == CAPTURES and taken and move < 4096 and VALUE[piece] > VALUE[taken] and losing(
                        start, to, side, seen):
                    number -= 1
                    postponed.append(move)
                    continue

                # 10. What goes down: rights, en passant, counters.  Make the move.
                for _ in JUNCTION:
                    pass
                after_rights = rights & kept[start] & kept[to]
                if after_rights != rights:
                    after_key ^= CASTLE_KEY[rights] ^ CASTLE_KEY[after_rights]
                after_ep, after_fifty = -1, fifty + 1
                if piece & 7 == 1:
                    after_fifty = 0
                    if (to - start == 16 or start - to == 16) and passable(side, start + to >> 1):
                        after_ep = start + to >> 1
                        after_key ^= PASSANT_KEY[after_ep]
                elif taken and not move & CASTLING:
                    after_fifty = 0
                if move < 4096:
                    del own[start]
                    board[start] = 0
                    own[to] = board[to] = piece
                    if taken:
                        del foes[to]
                    if piece & 7 == 6:
                        kings[side] = to

                # 11. Principal variation search.
                deeper = depth if gives else depth - 1
                now = arrived << 6 | to
                if deeper <= 0:
                    score = -quiesce(other, -beta, -alpha, ply + 1, after_key, after, after_ep, total)
                elif number == 1:
                    score = -visit(other, deeper, -beta, -alpha, ply + 1, after_key, after, after_rights, after_ep,
                                   after_fifty, gives, now, True, total)
                else:
                    score = -visit(other, deeper - less, -alpha - 1, -alpha, ply + 1, after_key, after, after_rights,
                                   after_ep, after_fifty, gives, now, True, total)
                    if less and score > alpha:
                        score = -visit(other, deeper, -alpha - 1, -alpha, ply + 1, after_key, after, after_rights,
                                       after_ep, after_fifty, gives, now, True, total)
                    if open_window and alpha < score < beta:
                        score = -visit(other, deeper, -beta, -alpha, ply + 1, after_key, after, after_rights,
                                       after_ep, after_fifty, gives, now, True, total)

                # 12. Take it back.
                for _ in JUNCTION:
                    pass
                if move < 4096:
                    del own[to]
                    own[start] = board[start] = piece
                    board[to] = taken
                    if taken:
                        foes[to] = taken
                    if piece & 7 == 6:
                        kings[side] = start
                else:
                    restore(side, move, taken, taken_at, piece)

                # 13. What it was worth.
                if score > best:
                    best = score
                    if score > alpha:
                        alpha, best_move = score, move
                        if open_window:
                            lines[ply] = [move] + lines[ply + 1]
                        if score >= beta:
                            if quiet:
                                reward(depth, ply, prior, tried)
                            stage = LOSING
                            break
                    judging = judicious and alpha < MATED_SOON

            # Which moves are next?
            stage += 1
            if stage == CAPTURES:
                seen = acc >> SQUARES
                queue = captures(side, ep, seen)
                queue.sort(reverse=True)
                if in_check:
                    shield = shields(king, side)
                    queue = answers(queue, king, shield)
            elif stage == QUIETS:
                reducing = depth > 2 and not exact
                if in_check:
                    goals = [shield] * 16
                    goals[board[king]] = -1
                    queue = ordered_quiets(side, ply, prior, seen, goals)
                else:
                    castling = castlings(side, rights) if rights else []
                    left_out = (number >= late or futile and number) and best > -MATED_SOON
                    queue = [] if left_out else ordered_quiets(side, ply, prior, seen) + castling
            elif stage == CHECKS and left_out:
                if futile and best < static:
                    best = static
                queue = untried(ordered_quiets(side, ply, prior, seen, CHECKING[foe_king]) + castling, tried)
            elif stage <= LOSING and postponed:
                stage, queue = LOSING, postponed
            else:
                break
        if not number:
            return ply - MATE if in_check else 0

        # 14. What was found goes to the table.
        score = best if -MATED_SOON <= best <= MATED_SOON else from_node(best, ply, MATED_SOON)
        bound = LOWER if best >= beta else EXACT if best > floor else UPPER
        table_keys[slot] = key
        table_data[slot] = (
            score + SCORE_BIAS << SCORE_SHIFT | (best_move or first) << MOVE_SHIFT | depth << DEPTH_SHIFT | bound)
        return best

    def counters(anew=False):
        nonlocal deepest
        if anew:
            deepest = 0
        return nodes, deepest

    return visit, quiesce, has_move, lines, counters
