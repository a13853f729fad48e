"""How chess is searched: its kernel for search/pvs.py.

A state is (key, static evaluation, plies since a capture or pawn move, in check, side, accumulator of the
evaluation, castling rights, en passant square or -1, previous move as piece << 6 | square).  The board, the pieces
of each side and the kings' squares change in place.
"""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.chess.endings import MOST_MEN, known_score
from games.chess.evaluation import HALF, MODULUS, SIDE_BITS, SIGN, UNIT, network
from games.chess.exchange import VALUE, exchanger
from games.chess.history import new_history, orderer
from games.chess.keys import (
    BLACK_TO_MOVE as TURN_KEY, CASTLE as CASTLE_KEY, PASSANT as PASSANT_KEY, PIECE as PIECE_KEY)
from games.chess.margins import (
    BAD_DEPTH, DELTA, EXCHANGED, FUTILE, FUTILE_DEPTH, FUTILE_STEP, LATE, REDUCTIONS, TOO_GOOD, TOO_GOOD_DEPTH)
from games.chess.movegen import answers, untried
from games.chess.position import FIFTY
from games.chess.rare import rare_moves
from games.chess.tables import CASTLING, CHECKING, EN_PASSANT, ENDS, LINE, MOVE_MASK, PINNERS, REACH
from games.entry import DEPTH_MASK, DEPTH_SHIFT, EXACT, LOWER, MOVE_SHIFT, SCORE_BIAS, SCORE_SHIFT, UPPER
from games.junction import JUNCTION
from games.kernel import Kernel

MAX_PLY = 120                   # deeper lines stand on their evaluation
ILLEGAL = WIN + 500             # for the side that can capture the king

# The stages of a node's moves.  CHECKS: quiet ones that may give check, where the others are left out.
TABLE_MOVE, CAPTURES, QUIETS, CHECKS, LOSING = range(5)

# What never changes stands here and not in the functions: PyPy takes it for constants.
_NET = network()
PLACES, SIGNS, TOP, SQUARES, TEMPO, SUM_UP = _NET.table, _NET.signs, _NET.top, _NET.squares, _NET.tempo, _NET.sum_up
(WIDE, WIDE_MASK), (NARROW, NARROW_MASK) = _NET.folds
_PIECES = (1 << SIDE_BITS) - 16         # of one side's material: all but the pawns
PIECES_OF = _PIECES, _PIECES << SIDE_BITS


def build(position, context, tree):
    """The Kernel of a search from `position`, whose board it changes in place.  tree: of search/pvs.py."""
    history = context.memory.setdefault("chess.history", new_history())
    position.sort_men()         # a search does not depend on how its position arose
    board, kings, men, kept = position.board_squares, position.kings, position.men, position.kept
    captures, castlings, attacked, shields = position.captures, position.castlings, position.attacked, position.shields
    few = len(men[0]) + len(men[1]) <= MOST_MEN + EXCHANGED
    losing = exchanger(board, kings)
    special, restore, passable, has_move = rare_moves(position, history)
    ordered_quiets, reward = orderer(position, history, MAX_PLY + 2)
    exact = context.limits.mate is not None     # a proof is wanted: nothing is pruned
    # The keys on the way here, behind three that no position has: repetitions are looked for from three plies back.
    tree.base = len(position.past) + 3
    tree.path[:] = [-1] * 3 + [entry[5] for entry in position.past] + [position.key] + [0] * (MAX_PLY + 1)
    count, check, lines, evals, path, base = tree.count, tree.check, tree.lines, tree.evals, tree.path, tree.base
    table_keys, table_data, slots = tree.table.keys, tree.table.data, tree.table.mask

    def root_state():
        """The state of the position as it stands."""
        side, acc = position.side, _NET.accumulate(board)
        past = position.past
        to = past[-1][0] >> 6 & 63 if past else 0
        static = _NET.score(acc, side)
        if few and len(men[0]) + len(men[1]) <= MOST_MEN:
            static = known_score(men, kings, side, static)
        return (position.key, static, position.fifty, position.in_check(), side, acc, position.rights, position.ep,
                board[to] << 6 | to if past else 0)

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
            return best
        open_window = beta - alpha > 1
        if open_window:
            lines[ply] = []
        # What an earlier visit found, at any depth.
        slot = key & slots
        if table_keys[slot] == key and not open_window:
            entry = table_data[slot]
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
        if board[found[0] >> 6 & 63] & 7 == 6:
            return ILLEGAL - ply
        if ply > count[3]:
            count[3] = ply
        if ply > MAX_PLY:
            return best
        standing, floor, best_move = best, alpha, -1
        if best > alpha:
            alpha = best
        own, foes = men[side], men[side ^ 1]
        other, turned = side ^ 1, key ^ TURN_KEY if ep < 0 else key ^ TURN_KEY ^ PASSANT_KEY[ep]
        for move in found:
            move &= MOVE_MASK
            start, to = ENDS[move]
            piece, taken = board[start], board[to]
            if move < 4096:
                # Delta pruning.
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
                if piece & 7 == 6:
                    kings[side] = to
                if few and len(men[0]) + len(men[1]) <= MOST_MEN:
                    reply = known_score(men, kings, other, reply)
                score = -quiesce((after_key, reply, 0, False, other, after, 0, -1, 0), -beta, -alpha, ply + 1)
                if piece & 7 == 6:
                    kings[side] = start
                del own[to]
                own[start] = board[start] = piece
                foes[to] = board[to] = taken
            else:
                after, after_key, taken, square, piece, _ = special(side, move, turned, acc)
                reply = _NET.score(after, other)
                if few and len(men[0]) + len(men[1]) <= MOST_MEN:
                    reply = known_score(men, kings, other, reply)
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
        if -MAX_SCORE < best < MAX_SCORE and (table_keys[slot] == key or not table_data[slot] >> DEPTH_SHIFT & DEPTH_MASK):
            table_keys[slot] = key
            table_data[slot] = (best + SCORE_BIAS << SCORE_SHIFT | best_move + 1 << MOVE_SHIFT
                                | (LOWER if best >= beta else EXACT if best > floor else UPPER))
        return best

    def drawn(state):
        """Is it a draw by the rule of fifty moves?"""
        return not state[3] or has_move(state[4], state[7], state[5] >> SQUARES)

    def no_moves(state, ply):
        """Checkmate or stalemate."""
        return ply - WIN if state[3] else 0

    def null_move(state, depth, excess):
        """The state after a pass, and the depth left; None where only pawns could move: zugzwang is likely."""
        key, _, _, _, side, acc, rights, ep, _ = state
        if not acc >> TOP & PIECES_OF[side]:
            return None
        other = side ^ 1
        turned = key ^ TURN_KEY if ep < 0 else key ^ TURN_KEY ^ PASSANT_KEY[ep]
        static = _NET.score(acc, other)
        if few and len(men[0]) + len(men[1]) <= MOST_MEN:
            static = known_score(men, kings, other, static)
        return ((turned, static, 0, False, other, acc, rights, -1, 0), depth - 3 - depth // 3 - (excess > 150))

    def successors(state, depth, ply, node):
        """The moves in stages, each generated when the one before did not cut; see games/kernel.py.

        (games/junction.py tells what loops over JUNCTION are for.)
        """
        key, _, since, in_check, side, acc, rights, ep, prior = state
        alpha, _, beta, first, static, improving = node
        open_window = beta - alpha > 1
        turned = key ^ TURN_KEY if ep < 0 else key ^ TURN_KEY ^ PASSANT_KEY[ep]
        own, foes, other = men[side], men[side ^ 1], side ^ 1
        king, foe_king = kings[side], kings[other]
        own_line, foe_line = LINE[king], LINE[foe_king]
        whole = open_window or in_check or exact        # no move is left out
        # Futility: quiet moves can't bring the score up to alpha.
        futile = not whole and depth <= FUTILE_DEPTH and -MAX_SCORE < beta < MAX_SCORE and (
            static + FUTILE + FUTILE_STEP * depth <= alpha)
        late = LATE[improving][depth] if depth < 7 and not whole else 999
        number, stage, reducing, left_out = 0, TABLE_MOVE, False, False
        tried, postponed = [], []
        # May the evaluation stand for replies?  Not for those that end the game, repeat a position or come first.
        judicious = not (exact or few) and since < FIFTY - 1
        judging = judicious and not open_window and alpha < MAX_SCORE
        here = base + ply
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
                if quiet:
                    # Late move pruning and futility.
                    if stage == QUIETS and (number >= late or futile and number) and node[1] > -MAX_SCORE:
                        left_out = True
                        break
                elif stage == LOSING and depth <= BAD_DEPTH and not whole and node[1] > -MAX_SCORE and not REACH[
                        piece][to][foe_king]:
                    continue

                # 1. Is it legal?  What does it leave behind?
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

                # 2. Does it give check?
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

                # 3. Late moves are reduced.
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

                # 4. Most replies are decided by the evaluation, as in quiesce and by reverse futility: then the move
                #    is not made.  Network.sum_up, written out where nearly all evaluations are.
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
                    count[0] += 1
                    if count[0] >= count[1]:
                        count[1] = check(count[0])
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

                # 5. What goes down: rights, en passant, counters.  Make the move.
                for _ in JUNCTION:
                    pass
                after_rights = rights & kept[start] & kept[to]
                if after_rights != rights:
                    after_key ^= CASTLE_KEY[rights] ^ CASTLE_KEY[after_rights]
                after_ep, after_since = -1, since + 1
                if piece & 7 == 1:
                    after_since = 0
                    if (to - start == 16 or start - to == 16) and passable(side, start + to >> 1):
                        after_ep = start + to >> 1
                        after_key ^= PASSANT_KEY[after_ep]
                elif taken and not move & CASTLING:
                    after_since = 0
                if move < 4096:
                    del own[start]
                    board[start] = 0
                    own[to] = board[to] = piece
                    if taken:
                        del foes[to]
                    if piece & 7 == 6:
                        kings[side] = to
                if few and len(men[0]) + len(men[1]) <= MOST_MEN:
                    reply = known_score(men, kings, other, reply)

                child = after_key, reply, after_since, gives, other, after, after_rights, after_ep, arrived << 6 | to
                if depth > 1 or gives:
                    yield move, child, depth if gives else depth - 1, less
                else:
                    score = -quiesce(child, -beta, -alpha, ply + 1)
                    if open_window or score > alpha:
                        yield move, None, score, 0
                    elif score > node[1]:
                        node[1] = score

                # 6. Take it back.
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
                alpha = node[0]
                if alpha >= beta:
                    if quiet:
                        reward(depth, ply, prior, tried)
                    return
                judging = judicious and alpha < MAX_SCORE

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
                    left_out = (number >= late or futile and number) and node[1] > -MAX_SCORE
                    queue = [] if left_out else ordered_quiets(side, ply, prior, seen) + castling
            elif stage == CHECKS and left_out:
                if futile and node[1] < static:
                    node[1] = static
                queue = untried(ordered_quiets(side, ply, prior, seen, CHECKING[foe_king]) + castling, tried)
            elif stage <= LOSING and postponed:
                stage, queue = LOSING, postponed
            else:
                return

    def root_final(state, depth):
        """0 for a repetition, and for stalemate where quiescence would not see it."""
        if position.fifty >= 8 and position.repetitions() >= 2:
            return 0
        if depth > 0 or has_move(state[4], state[7], state[5] >> SQUARES) or position.unchecked_legal_moves():
            return None
        return 0

    def root_reduction(state, depth, number):
        """Late quiet moves are reduced half as much as in the tree."""
        if exact or depth <= 2 or number <= 4 or state[3] or position.past[-1][1]:
            return 0
        return REDUCTIONS[min(depth + 1, 63)][min(number - 1, 63)] // 2

    def complete(depth):
        """A search with a horizon proves nothing, but one for a mate in N prunes nothing and sees all of them."""
        return exact and depth >= 2 * context.limits.mate - 1

    def assess(state, ply):
        return state[1], state[3]

    kernel = Kernel()
    kernel.assess, kernel.carries_static, kernel.complete = assess, True, complete
    kernel.root_final, kernel.root_reduction = root_final, root_reduction
    kernel.root_state, kernel.successors, kernel.no_moves = root_state, successors, no_moves
    kernel.quiesce, kernel.null_move = quiesce, null_move
    kernel.max_ply, kernel.repeats, kernel.draw_from, kernel.drawn = MAX_PLY, True, FIFTY, drawn
    if not exact:
        kernel.reverse_margin, kernel.reverse_depth = TOO_GOOD, TOO_GOOD_DEPTH
        kernel.reduce_from, kernel.null_from = 4, 2
    return kernel
