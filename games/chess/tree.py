"""The tree of the chess search: principal variation search on the bare board.

The same algorithm as search/alphabeta.py with chess knowledge in every step, and with its position taken
apart: board and men change in place, everything else (key, accumulator of the evaluation, rights) is handed
down as arguments and so needs no undo.  Searching the same game, search/alphabeta.py visits 45 thousand nodes a
second on CPython 3.11 where this visits 114 thousand (PyPy: 79 and 116, hardly warm), without any of the
pruning that needs to know what a check or an exchange is.

Scores inside are centipawns, a mate `n` plies from the root is MATE - n; search.py turns them into WIN - n.

Table: two 64-bit words an entry.  keys: the position's key.  data: score + 2**15 (17 bits) | move (20 bits)
| depth (8 bits) | bound (2 bits), mate scores counted from the entry's own node.
"""
from __future__ import annotations

from games.chess import keys as zobrist
from games.chess.endings import MOST_MEN, known_score
from games.chess.evaluation import HALF, LANE, MODULUS, SIDE_BITS, UNIT, network
from games.chess.exchange import VALUE, exchanger
from games.chess.history import orderer
from games.chess.margins import (
    BAD_DEPTH, DELTA, EXCHANGED, FUTILE, FUTILE_DEPTH, FUTILE_STEP, LATE, REDUCTIONS, TOO_GOOD, TOO_GOOD_DEPTH)
from games.chess.position import FIFTY
from games.chess.rare import rare_moves
from games.chess.tables import CASTLING, EN_PASSANT, LINE, MOVE_MASK, PAWN_HITS, PINNERS, REACH

MATE = 32000
MATED_SOON = 31000              # scores beyond are mates
INFINITY = 32500
MAX_PLY = 120                   # of the inner search; deeper lines stand on their evaluation

UPPER, LOWER, EXACT = 1, 2, 3

_PIECES = (1 << SIDE_BITS) - 16         # of one side's material: all but the pawns


def build(position, context, tables, history):
    """(try_move, lines, counters, begin): the search with everything it needs bound to locals."""
    board, kings = position.board_squares, position.kings
    # Men in the order of their squares, so that a search does not depend on how its position arose.
    men = position.men
    for side_men in men:
        ordered = sorted(side_men.items())
        side_men.clear()
        side_men.update(ordered)
    captures, quiets, castlings, attacked, shields = (
        position.captures, position.quiets, position.castlings, position.attacked, position.shields)
    kept = position.kept
    white_men, black_men = men
    few = len(white_men) + len(black_men) <= MOST_MEN + EXCHANGED
    losing = exchanger(board)
    net = network()
    table, signs, top, squares, tempo = net.table, net.signs, net.top, net.squares, net.tempo
    sign, modulus, half, unit = LANE - 1, MODULUS, HALF, UNIT
    (wide, wide_mask), (narrow, narrow_mask) = net.folds
    pieces_of = (_PIECES, _PIECES << SIDE_BITS)
    numbers, turn, castle_key, passant_key = zobrist.PIECE, zobrist.BLACK_TO_MOVE, zobrist.CASTLE, zobrist.PASSANT
    table_keys, table_data = tables
    slots = len(table_keys) - 1
    special, restore, has_move = rare_moves(position, table, numbers, history)
    ordered_quiets, reward = orderer(quiets, history, MAX_PLY + 2)
    check = context.check
    exact = context.limits.mate is not None     # a proof is wanted: nothing is pruned
    lines = [[] for _ in range(MAX_PLY + 2)]
    evals = [0] * (MAX_PLY + 2)
    past = [entry[5] for entry in position.past]
    base = len(past)
    trail = past + [0] * (MAX_PLY + 2)
    line, pinners, reach, value, hits = LINE, PINNERS, REACH, VALUE, PAWN_HITS
    reductions = REDUCTIONS
    nodes = limit = deepest = tries = 0

    def quiesce(side, alpha, beta, ply, key, acc, ep):
        """The evaluation once captures and promotions are played out.

        The own king may be left in check: the reply that captures it says so.  key: without castling rights lost by
        captures, which is of no importance here.
        """
        nonlocal nodes, limit, deepest
        nodes += 1
        if nodes >= limit:
            limit = check(nodes)
        alive = acc & signs
        best = acc & alive - (alive >> sign)
        best = (best >> wide) + (best & wide_mask)
        best = ((best >> narrow) + (best & narrow_mask)) % modulus
        if best > half:
            best -= modulus
        best = (-best if side else best) // unit + tempo
        if few and len(white_men) + len(black_men) <= MOST_MEN:
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
            score = (entry >> 30) - 32768
            if -MATED_SOON < score < MATED_SOON:
                if score >= beta:
                    if entry & LOWER:
                        return score
                elif score <= alpha and entry & UPPER:
                    return score
        seen = acc >> squares
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
            start, to = move & 63, move >> 6 & 63
            piece, taken = board[start], board[to]
            if move < 4096:
                if standing + value[taken] + DELTA <= alpha:
                    if standing + value[taken] + DELTA > best:
                        best = standing + value[taken] + DELTA
                    continue
                if value[piece] > value[taken] and losing(start, to, side, seen):
                    continue
                del own[start], foes[to]
                own[to] = board[to] = piece
                board[start] = 0
                places, zobrists = table[piece], numbers[piece]
                after_key = key ^ turn ^ zobrists[start] ^ zobrists[to] ^ numbers[taken][to]
                if ep >= 0:
                    after_key ^= passant_key[ep]
                after = acc - places[start] + places[to] - table[taken][to]
                if piece & 7 == 6:
                    kings[side] = to
                score = -quiesce(side ^ 1, -beta, -alpha, ply + 1, after_key, after, -1)
                if piece & 7 == 6:
                    kings[side] = start
                del own[to]
                own[start] = board[start] = piece
                foes[to] = board[to] = taken
            else:
                after, after_key, taken, square, piece, _ = special(side, move, key ^ turn, acc)
                if ep >= 0:
                    after_key ^= passant_key[ep]
                score = -quiesce(side ^ 1, -beta, -alpha, ply + 1, after_key, after, -1)
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
        if -MATED_SOON < best < MATED_SOON and (table_keys[slot] == key or not table_data[slot] >> 2 & 255):
            table_keys[slot] = key
            table_data[slot] = best + 32768 << 30 | best_move << 10 | (
                LOWER if best >= beta else EXACT if best > floor else UPPER)
        return best

    def visit(side, depth, alpha, beta, ply, key, acc, rights, ep, fifty, in_check, prior, null_ok):
        """The fail-soft value of the board for `side`, `depth` plies deep.

        prior: piece << 6 | square of the move before (0: none).  null_ok: a null move may be tried.
        """
        nonlocal nodes, limit, deepest
        if depth <= 0:
            return quiesce(side, alpha, beta, ply, key, acc, ep)

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
            if fifty >= FIFTY and (not in_check or has_move(side, ep, acc >> squares)):
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
            first = entry >> 10 & MOVE_MASK
            known = entry & 3
            hint = score = (entry >> 30) - 32768
            if entry >> 2 & 255 >= depth and not open_window:
                if score > MATED_SOON:
                    score -= ply
                elif score < -MATED_SOON:
                    score += ply
                if score >= beta:
                    if entry & LOWER:
                        return score
                elif score <= alpha and entry & UPPER:
                    return score
        elif depth > 3 and not exact:
            depth -= 1              # internal iterative reduction: without a table move the order is poor

        # 3. The static evaluation, and what it decides alone.
        alive = acc & signs
        static = acc & alive - (alive >> sign)
        static = (static >> wide) + (static & wide_mask)
        static = ((static >> narrow) + (static & narrow_mask)) % modulus
        if static > half:
            static -= modulus
        static = (-static if side else static) // unit + tempo
        if few and len(white_men) + len(black_men) <= MOST_MEN:
            static = known_score(men, kings, side, static)
        if ply >= MAX_PLY:
            return static
        evals[ply] = static
        futile = False
        # A search knows better than the evaluation, however shallow it was.
        if known and -MATED_SOON < hint < MATED_SOON and known & (LOWER if hint > static else UPPER):
            static = hint
        if not in_check:
            improving = ply < 2 or static > evals[ply - 2]
            if not open_window and not exact and -MATED_SOON < beta < MATED_SOON:
                if depth <= TOO_GOOD_DEPTH and static - TOO_GOOD * (depth - improving) >= beta:
                    return static
                # 4. Null move, if there is a piece left to avoid zugzwang with.
                if null_ok and depth > 1 and static >= beta and acc >> top & pieces_of[side]:
                    score = -visit(side ^ 1, depth - 3 - depth // 3 - (static - beta > 150), -beta, 1 - beta, ply + 1,
                                   key ^ turn ^ (passant_key[ep] if ep >= 0 else 0), acc, rights, -1, 0,
                                   False, 0, False)
                    if score >= beta:
                        return score if score < MATED_SOON else beta
                if depth <= FUTILE_DEPTH and static + FUTILE + FUTILE_STEP * depth <= alpha:
                    futile = True
        else:
            improving = True

        # 5. The moves in stages: table move, captures, quiet moves, losing captures.
        own, foes = men[side], men[side ^ 1]
        other = side ^ 1
        king, foe_king = kings[side], kings[other]
        own_line, foe_line = line[king], line[foe_king]
        best, best_move, floor = -INFINITY, 0, alpha
        number, stage = 0, 0
        tried, postponed = [], []
        whole = open_window or in_check or exact        # no move is left out
        late = LATE[depth] if depth < 7 and not whole else 999
        if not improving and late < 999:
            late = late * 2 // 3
        queue = (first,) if first else ()
        while True:
            for move in queue:
                move &= MOVE_MASK
                if move == first and stage:
                    continue
                start, to = move & 63, move >> 6 & 63
                piece, taken = board[start], board[to]
                quiet = not taken and move < 4096
                saved = best > -MATED_SOON      # while every move is mated none is left out
                if stage == 3 and depth <= BAD_DEPTH and saved and not whole and not reach[piece][to][foe_king]:
                    continue
                if quiet:
                    if saved and number >= late or futile and number:
                        if not reach[piece][to][foe_king]:
                            if futile and best < static:
                                best = static
                            continue
                elif stage == 1 and taken and move < 4096 and value[piece] > value[taken] and losing(
                        start, to, side, seen):
                    postponed.append(move)
                    continue

                # 6. Make the move.
                if move < 4096:
                    del own[start]
                    board[start] = 0
                    own[to] = board[to] = piece
                    places, zobrists = table[piece], numbers[piece]
                    after = acc - places[start] + places[to]
                    after_key = key ^ turn ^ zobrists[start] ^ zobrists[to]
                    arrived = piece
                    if taken:
                        del foes[to]
                        after -= table[taken][to]
                        after_key ^= numbers[taken][to]
                    if piece & 7 == 6:
                        kings[side] = to
                        illegal = attacked(to, other)
                    elif in_check:
                        illegal = attacked(king, other)
                    else:
                        illegal = False
                        for square in own_line[start]:
                            if board[square]:
                                illegal = pinners[side][king][start][board[square]]
                                break
                else:
                    after, after_key, taken, taken_at, piece, arrived = special(side, move, key ^ turn, acc)
                    illegal = not move & CASTLING and attacked(king, other)
                if illegal:
                    if move >= 4096:
                        restore(side, move, taken, taken_at, piece)
                        continue
                    if piece & 7 == 6:
                        kings[side] = start
                    del own[to]
                    own[start] = board[start] = piece
                    board[to] = taken
                    if taken:
                        foes[to] = taken
                    continue
                number += 1
                if quiet:
                    tried.append(piece << 6 | to)

                # 7. Does it give check?
                if move >= EN_PASSANT:
                    gives = attacked(foe_king, side)
                else:
                    gives = False
                    if reach[arrived][to][foe_king]:
                        gives = True
                        for square in line[to][foe_king]:
                            if board[square]:
                                gives = square == foe_king
                                break
                    if not gives:
                        for square in foe_line[start]:
                            if board[square]:
                                gives = pinners[other][foe_king][start][board[square]]
                                break

                # 8. What goes down: rights, en passant, counters.
                after_rights = rights & kept[start] & kept[to]
                if ep >= 0:
                    after_key ^= passant_key[ep]
                if after_rights != rights:
                    after_key ^= castle_key[rights] ^ castle_key[after_rights]
                after_ep, after_fifty = -1, fifty + 1
                if piece & 7 == 1:
                    after_fifty = 0
                    if to - start == 16 or start - to == 16:
                        pawn = 1 if side else 9
                        for square in hits[side][start + to >> 1]:
                            if board[square] == pawn:
                                after_ep = start + to >> 1
                                after_key ^= passant_key[after_ep]
                                break
                elif taken and not move & CASTLING:
                    after_fifty = 0

                # 9. Principal variation search with late move reductions.
                deeper = depth if gives else depth - 1
                now = arrived << 6 | to
                if deeper <= 0:
                    score = -quiesce(other, -beta, -alpha, ply + 1, after_key, after, after_ep)
                elif number == 1:
                    score = -visit(other, deeper, -beta, -alpha, ply + 1, after_key, after, after_rights, after_ep,
                                   after_fifty, gives, now, True)
                else:
                    less = 0
                    if depth > 2 and number > 2 and stage > 1 and not gives and not exact:
                        less = reductions[depth if depth < 64 else 63][number if number < 64 else 63]
                        if quiet:
                            less -= (history[piece][to] >> 20) // 3000
                            if not improving:
                                less += 1
                        if open_window or in_check:
                            less -= 1
                        if less < 0:
                            less = 0
                        elif less >= deeper:
                            less = deeper - 1
                    score = -visit(other, deeper - less, -alpha - 1, -alpha, ply + 1, after_key, after, after_rights,
                                   after_ep, after_fifty, gives, now, True)
                    if less and score > alpha:
                        score = -visit(other, deeper, -alpha - 1, -alpha, ply + 1, after_key, after, after_rights,
                                       after_ep, after_fifty, gives, now, True)
                    if open_window and score > alpha:
                        score = -visit(other, deeper, -beta, -alpha, ply + 1, after_key, after, after_rights,
                                       after_ep, after_fifty, gives, now, True)

                # 10. Take it back.
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

                # 11. What it was worth.
                if score > best:
                    best = score
                    if score > alpha:
                        alpha, best_move = score, move
                        if open_window:
                            lines[ply] = [move] + lines[ply + 1]
                        if score >= beta:
                            if quiet:
                                reward(side, depth, ply, piece << 6 | to, prior, tried)
                            stage = 9
                            break
            stage += 1
            if stage == 1:
                seen = acc >> squares
                queue = captures(side, ep, seen)
                if in_check:
                    shield = shields(king, side)
                    queue = [move for move in queue if move & 63 == king or move & EN_PASSANT
                             or shield >> (move >> 6 & 63) & 1]
                queue.sort(reverse=True)
            elif stage == 2:
                queue = ordered_quiets(side, ply, prior, seen)
                if in_check:
                    queue = [move for move in queue if move & 63 == king or shield >> (move >> 6 & 63) & 1]
                elif rights:
                    queue += castlings(side, rights)
            elif stage == 3 and postponed:
                queue = postponed
            else:
                break
        if not number:
            return ply - MATE if in_check else 0

        # 12. What was found goes to the table.
        score = best
        if score > MATED_SOON:
            score += ply
        elif score < -MATED_SOON:
            score -= ply
        bound = LOWER if best >= beta else EXACT if best > floor else UPPER
        table_keys[slot] = key
        table_data[slot] = score + 32768 << 30 | (best_move or first) << 10 | depth << 2 | bound
        return best

    def begin():
        nonlocal deepest, tries
        deepest = tries = 0

    def counters():
        return nodes, deepest

    def try_move(move, depth, alpha, beta):
        """Search a root move; the position stands at the root before and after."""
        nonlocal tries
        trail[base] = position.key
        position.make(move)
        gives = position.in_check()
        deeper = depth + gives
        less = 0
        if beta - alpha == 1:
            tries += 1
            if deeper > 2 and tries > 3 and not gives and not exact and not position.past[-1][1]:
                less = reductions[min(deeper + 1, 63)][min(tries, 63)] // 2
        acc = net.accumulate(board)
        now = board[move >> 6 & 63] << 6 | move >> 6 & 63
        lines[1] = []
        while True:
            if position.fifty >= 8 and position.repetitions() >= 2 or not deeper and not (
                    has_move(position.side, position.ep, acc >> squares) or position.legal_moves()):
                score = 0
            else:
                score = -visit(position.side, max(deeper - less, 0), -beta, -alpha, 1, position.key, acc,
                               position.rights, position.ep, position.fifty, gives, now, True)
            if not less or score <= alpha:
                break
            less = 0
        position.undo()
        return score

    return try_move, lines, counters, begin
