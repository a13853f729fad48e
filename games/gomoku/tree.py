"""The main search of Gomoku: alpha-beta on the threat maps, with forced replies and wins by fours.

It stands in for the general alpha-beta because that costs a multiple of its time here (docs/lab/gomoku.md has
the measurement): the packed value, the key and the side travel as arguments, so that nothing is undone but four
codes, and most nodes are answered from the maps before any move is made.

A node of `visit` goes through these steps:

    1. five, the other player's five, an open four or two fours at once: read from the maps
    2. the table may know the answer, or the move to try first
    3. near the horizon an evaluation high enough above beta is trusted, null move: if even passing keeps the score
       above beta, a move will; neither where the other player threatens to win
    4. a win by continuous fours, farther from the horizon by continuous threats
    5. at depth 0 the evaluation, unless that is above alpha though the other player threatens to win: then the
       defences are tried
    6. futility: just above the horizon a node far below alpha is given up; without a move from the table a
       ply is saved
    7. the moves: all defences, or the cells with the most charm, late ones reduced

Scores are as everywhere: a win n plies from the root is WIN - n.  Where the moves were narrowed to the most
promising a loss is not proven; then the score is no worse than -NEARLY_DECIDED.
"""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.entry import (
    DEPTH_MASK, DEPTH_SHIFT, EXACT, LOWER, MOVE_MASK, MOVE_SHIFT, SCORE_BIAS, SCORE_SHIFT, UPPER, from_node, from_root)
from games.gomoku import NEARLY_DECIDED
from games.gomoku.field import MOVER_WEIGHT, OTHER_WEIGHT, TEMPO, WEIGHT_BITS
from games.gomoku.fours import Fours
from games.gomoku.maps import LANE, SCORE_BITS, SCORE_MASK, first_cell
from games.gomoku.pick import Pick
from games.gomoku.threes import Threes

_INFINITY = WIN + 1
_MAX_PLY = 200

# How many fours a node may try, by its depth.  Those nearer to the horizon than _ALL_FOURS_FROM try linked ones.
_FOURS_AT_LEAF, _FOURS_INSIDE, _FOURS_DEEP = 12, 40, 60
_ALL_FOURS_FROM = 4
# What may be tried to show the end of a win.
_FOURS_AT_END, _THREES_AT_END = 500, 400
# From this depth on nodes look for a win by threats, with so many moves tried for each ply of depth.
_THREES_FROM = 7
_THREES_TRIED = 3
# A ply from the horizon, a node this far below alpha has no quiet move that would help.
_FUTILE = 40
# At most so many plies from the horizon an evaluation this far above beta for each of them is trusted.
_TRUSTED_TO, _TRUSTED = 2, 25
# Without a move to try first a node this deep is searched a ply less; the next iteration will have one.
_GUIDED_FROM = 3
# The first moves of a node are never reduced, nor is anything this close to the horizon.
_FULL_MOVES = 2
_REDUCE_FROM = 3
# Passing is tried this far from the horizon, and searched this much less deep.
_NULL_FROM, _NULL_LESS = 3, 4
_NULL_KEY = 0x155555555555555


class Tree:
    """The search below the root moves; search/context.py tells what is expected of it.

    Scores, windows and lines are as in the general search.  complete() is always False: moves are narrowed.
    """

    def __init__(self, field, context):
        self._field = field
        field.begin(context.check)
        self._fours, self._pick = Fours(field), Pick(field)
        self._threes = Threes(field, self._fours, self._pick)
        self._lines = [[] for _ in range(_MAX_PLY + 2)]
        self._deepest = [0]
        self._table = context.table("gomoku table")
        self._visit = self._build()
        self._proves_loss = bool(field.fives(1 - field.side, field.packed)
                                 or field.threats(1 - field.side, field.packed))
        self._line = []                 # the moves after the root move tried last

    def begin(self, depth):
        """A new iteration starts."""
        self._deepest[0] = 0

    def try_move(self, move, number, depth, alpha, beta):
        """The score of a root `move` for its mover, its reply searched `depth` plies deep (fail-soft).

        A win or loss inside the window is as many plies away as its line has moves.
        """
        field, side = self._field, self._field.side
        if move in field.fives(side, field.packed):
            self._line = []
            score = WIN - 1
        else:
            packed = field.play(side, move, field.packed)
            key = field.key ^ field.board.keys[side][move]
            score = -self._visit(depth, -beta, -alpha, 1, 1 - side, packed, key, True)
            field.take_back(side, move)
            self._line = self._lines[1][:]
            if score < -MAX_SCORE and not self._proves_loss:
                score = -NEARLY_DECIDED
            elif abs(score) > MAX_SCORE and alpha < score < beta:
                score = self._shown(move, score)
            elif score > MAX_SCORE and beta <= NEARLY_DECIDED:
                score = NEARLY_DECIDED              # its line is known when the window is open
        return score

    def reply_line(self):
        """The principal variation after the move tried last, if its score lay inside the window."""
        return self._line

    def complete(self):
        """Never: most nodes try their most promising moves alone."""
        return False

    def nodes(self):
        """Positions visited."""
        return self._field.count[0]

    def seldepth(self):
        """The deepest ply visited since begin()."""
        return self._deepest[0]

    def hashfull(self):
        """How full the table is, in permille."""
        return self._table.hashfull()

    def _shown(self, move, score):
        """The score of a game decided after `move`, as far as the line can be shown to its end."""
        ending = self._ending([move] + self._line, score > 0)
        if ending is not None:
            self._line += ending
            plies = len(self._line) + 1
            # A shorter line is not the longest that the loser can make it.
            if plies >= WIN - abs(score):
                return WIN - plies if score > 0 else plies - WIN
        return NEARLY_DECIDED if score > 0 else -NEARLY_DECIDED

    def _ending(self, line, wins):
        """The moves that finish a game after `line` that the root's side `wins`, or loses; None as in _finish."""
        field = self._field
        side, packed, key, ending = field.side, field.packed, field.key, []
        for move in line:
            packed, key = field.play(side, move, packed), key ^ field.board.keys[side][move]
            side = 1 - side
        if not field.won(packed):
            ending = self._finish(side, packed, key, wins == (side == field.side))
        for move in reversed(line):
            side = 1 - side
            field.take_back(side, move)
        return ending

    def _finish(self, side, packed, key, wins):
        """The rest of a decided game, the longest that the loser can make it; `wins`: does the side to move win?

        It is what the search knew without making the moves.  None where no short proof is found.
        """
        field = self._field
        if wins:
            return (self._fours.shortest(side, packed, key, _FOURS_AT_END)
                    or self._threes.win(side, packed, key, _THREES_FROM, _THREES_AT_END))
        threats = field.fives(1 - side, packed) or field.threats(1 - side, packed)
        if not threats:
            return None
        longest = None
        for move in self._pick.moves(side, packed) or [field.any_of(side, threats, packed)]:
            child = field.play(side, move, packed)
            rest = self._finish(1 - side, child, key ^ field.board.keys[side][move], True)
            field.take_back(side, move)
            if rest is None:
                return None
            if longest is None or len(rest) >= len(longest):
                longest = [move] + rest
        return longest

    def _build(self):
        """The search function, with everything it needs bound to locals."""
        field, deepest, lines = self._field, self._deepest, self._lines
        keys, data, mask = self._table.keys, self._table.data, self._table.mask
        maps, play, take_back, zobrist = field.maps, field.play, field.take_back, field.board.keys
        fives, fours, threes, lanes, twice, top = (maps.fives, maps.fours, maps.threes, maps.lanes, maps.twice,
                                                   maps.top)
        forbidden, threats_of, restricted = field.forbidden, field.threats, field.restricted
        win_by_fours, win_by_linked_fours, win_by_threes = self._fours.win, self._fours.linked, self._threes.win
        defences, quiet = self._pick.defences, self._pick.quiet
        count, check = field.count, field.check
        killers = [[-1, -1] for _ in range(_MAX_PLY + 2)]
        history = [[0] * maps.cells, [0] * maps.cells]

        def evaluate(side, packed):
            """Field.evaluate, without a call to it."""
            scores = packed >> top
            if side:
                own, other = scores & SCORE_MASK, scores >> SCORE_BITS
            else:
                own, other = scores >> SCORE_BITS, scores & SCORE_MASK
            return (own * MOVER_WEIGHT - other * OTHER_WEIGHT >> WEIGHT_BITS) + TEMPO

        def visit(depth, alpha, beta, ply, side, packed, key, pass_ok):
            """The fail-soft value for `side`, to move, `depth` plies deep."""
            count[0] += 1
            if count[0] >= count[1]:
                count[1] = check(count[0])
            if ply > deepest[0]:
                deepest[0] = ply
            lines[ply] = []
            if ply >= _MAX_PLY:
                return 0
            other = 1 - side

            # 1. What the maps tell.
            made = packed >> fives[side] & lanes
            if made:
                lines[ply] = [first_cell(made)]
                return WIN - ply - 1
            made = packed >> fives[other] & lanes
            if made:
                block = first_cell(made)
                if made >> LANE * (block + 1) or side == restricted and forbidden(side, block, packed):
                    return ply + 2 - WIN
                child = play(side, block, packed)
                score = -visit(depth, -beta, -alpha, ply + 1, other, child, key ^ zobrist[side][block], pass_ok)
                take_back(side, block)
                if score > alpha:
                    lines[ply] = [block] + lines[ply + 1]
                return score
            made = packed >> fours[side] & lanes
            if made & twice and (side != restricted or threats_of(side, packed)):
                return WIN - ply - 3
            # A shorter win is known already, or no loss here could be a longer one.
            if alpha >= WIN - ply - 5:
                return WIN - ply - 5
            if beta <= ply + 4 - WIN:
                return ply + 4 - WIN

            # 2. The table.
            slot = key & mask
            first, known, open_end = -1, -1, False
            if keys[slot] == key:
                entry = data[slot]
                first, known = (entry >> MOVE_SHIFT & MOVE_MASK) - 1, entry >> DEPTH_SHIFT & DEPTH_MASK
                score, bound = (entry >> SCORE_SHIFT) - SCORE_BIAS, entry & EXACT
                if not -MAX_SCORE <= score <= MAX_SCORE:
                    score = from_root(score, ply)
                open_end = beta - alpha > 1 and not -MAX_SCORE <= score <= MAX_SCORE
                if known >= depth and (beta - alpha == 1 or depth <= 0) and (
                        bound == EXACT or (score >= beta if bound == LOWER else score <= alpha)):
                    if not open_end:
                        return score
                # A decided game is searched again, as deep as it was decided, for the line that shows it.
                if open_end and known > depth:
                    depth = known

            # 3. Is the score above beta without a move?  At the horizon it is where the evaluation is.
            threats = threats_of(other, packed) if packed >> fours[other] & twice else ()
            value = evaluate(side, packed)
            if not threats and (depth <= 0 or beta - alpha == 1 and -MAX_SCORE < beta < MAX_SCORE):
                trusted = value - _TRUSTED * max(depth, 0)
                if depth <= _TRUSTED_TO and trusted >= beta:
                    return trusted
                if depth >= _NULL_FROM and pass_ok and value >= beta:
                    score = -visit(depth - _NULL_LESS, -beta, -alpha, ply + 1, other, packed, key ^ _NULL_KEY, False)
                    if score >= beta:
                        return min(score, MAX_SCORE)

            # 4. Continuous threats; a search no shallower has tried them where the table knows it.
            if made and (known < depth or open_end):
                if depth >= _ALL_FOURS_FROM:
                    chain = win_by_fours(side, packed, key, _FOURS_DEEP)
                else:
                    chain = win_by_linked_fours(side, packed, key, _FOURS_INSIDE if depth > 0 else _FOURS_AT_LEAF)
                if chain:
                    lines[ply] = chain
                    return WIN - ply - len(chain)
            if depth >= _THREES_FROM and (known < depth or open_end) and (made or packed >> threes[side] & lanes):
                chain = win_by_threes(side, packed, key, depth, _THREES_TRIED * depth)
                if chain:
                    lines[ply] = chain
                    return WIN - ply - len(chain)

            # 5. The horizon.
            if depth <= 0:
                if not threats or value <= alpha:
                    return value
                depth = 1

            # 6. Nodes that promise little are searched less.
            if not threats:
                if depth == 1 and beta - alpha == 1:
                    if value + _FUTILE <= alpha:
                        return value + _FUTILE
                if first < 0 and depth >= _GUIDED_FROM:
                    depth -= 1

            # 7. The moves.
            moves = defences(side, packed, threats) if threats else quiet(side, packed)
            if not moves:
                return ply + 4 - WIN if threats else 0
            if len(moves) > 1:
                seen, (killer_a, killer_b) = history[side], killers[ply]
                order = {move: seen[move] - 50 * index for index, move in enumerate(moves)}
                for move, bonus in ((killer_b, 1 << 30), (killer_a, 1 << 31), (first, 1 << 32)):
                    if move in order:
                        order[move] = bonus
                moves.sort(key=order.__getitem__, reverse=True)
            best, best_move, floor = -_INFINITY, -1, alpha
            for index, move in enumerate(moves):
                child, child_key = play(side, move, packed), key ^ zobrist[side][move]
                if index == 0:
                    score = -visit(depth - 1, -beta, -alpha, ply + 1, other, child, child_key, True)
                else:
                    less = 0
                    if index >= _FULL_MOVES and depth >= _REDUCE_FROM and not threats:
                        less = 1 + (index > 3) + (index > 6 and depth > 4) + (index > 4 and depth > 6)
                    score = -visit(depth - 1 - less, -alpha - 1, -alpha, ply + 1, other, child, child_key, True)
                    if less and score > alpha:
                        score = -visit(depth - 1, -alpha - 1, -alpha, ply + 1, other, child, child_key, True)
                    if alpha < score < beta and beta - alpha > 1:
                        score = -visit(depth - 1, -beta, -alpha, ply + 1, other, child, child_key, True)
                take_back(side, move)
                if score > best:
                    best, best_move = score, move
                    if score > alpha:
                        alpha = score
                        lines[ply] = [move] + lines[ply + 1]
                        if score >= beta:
                            history[side][move] += depth * depth
                            if killers[ply][0] != move:
                                killers[ply] = [move, killers[ply][0]]
                            break
            if best < -MAX_SCORE and not threats:
                best = max(best, ply - NEARLY_DECIDED)

            # The table again.
            bound = LOWER if best >= beta else EXACT if best > floor else UPPER
            keys[slot] = key
            score = best if -MAX_SCORE <= best <= MAX_SCORE else from_node(best, ply)
            data[slot] = (score + SCORE_BIAS << SCORE_SHIFT
                          | (best_move if best > floor else first) + 1 << MOVE_SHIFT | depth << DEPTH_SHIFT | bound)
            return best

        return visit
