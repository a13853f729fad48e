"""How Gomoku is searched: its kernel for search/pvs.py.

A state is (key, -, 0, False, side, packed value of the threat maps); of the board only the codes of the lines change
in place.  Most nodes are answered from the maps before any move is made: five, the other player's five, an open four
or two fours at once.  Then wins by continuous fours are looked for, farther from the horizon by continuous threats.

A node is "in check" where the other player threatens an open four or two fours at once: then only the moves that stop
them all and own fours are tried.  Elsewhere the moves are narrowed to the most promising, which does not prove a loss:
then the score is no worse than -NEARLY_DECIDED.
"""
from __future__ import annotations

from games.base import MAX_SCORE, WIN
from games.gomoku.ending import Ending
from games.gomoku.facts import NEARLY_DECIDED
from games.gomoku.field import MOVER_WEIGHT, OTHER_WEIGHT, TEMPO, WEIGHT_BITS
from games.gomoku.fours import Fours
from games.gomoku.maps import LANE, SCORE_BITS, SCORE_MASK, first_cell
from games.gomoku.pick import Pick
from games.gomoku.threes import Threes
from games.kernel import ALPHA, BEST, BETA, TABLE_MOVE, Kernel
from games.ordering import History, Killers

# How many fours a node may try, by its depth.  Those nearer to the horizon than _ALL_FOURS_FROM try linked ones.
_FOURS_AT_LEAF, _FOURS_INSIDE, _FOURS_DEEP = 12, 40, 60
_ALL_FOURS_FROM = 4
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
_MAX_PLY = 200
# Order of the moves of a node, above history.
_TABLE_FIRST, _KILLER, _OLDER_KILLER = 1 << 52, 1 << 51, 1 << 50
_HISTORY_LIMIT = 1 << 40
_PLACE = 50                 # what a place in the order by charm counts in history


def build(position, tree):
    """The Kernel of a search from `position`."""
    field = position.field()
    field.begin(tree.check, tree.count)
    vcf, pick = Fours(field), Pick(field)
    vct = Threes(field, vcf, pick)
    plies = len(tree.lines)
    threats_at = [()] * plies       # the cells where the other player threatens to win, by ply

    kernel = Kernel(position)
    kernel.max_ply, kernel.shows_wins, kernel.cuts_open_to, kernel.corrects_static = _MAX_PLY, True, 0, False
    kernel.null_move_from, kernel.late_iir_from, kernel.horizon_to = _NULL_FROM, _GUIDED_FROM, _TRUSTED_TO
    kernel.shortcut_from = _TRUSTED_TO + 1
    kernel.settle, kernel.assess = _from_the_maps(field, tree, threats_at)
    kernel.shortcut, kernel.horizon = _wins_by_force(field, tree, vcf, vct, threats_at)
    kernel.successors = _successors(field, pick, plies, threats_at)
    kernel.make, kernel.undo, kernel.root_score = field.make, field.undo, Ending(field, vcf, vct, pick).score

    def null_move(state, depth, excess):
        """The state after a pass, and how deep it is searched: at a negative depth no fours are tried."""
        return (state[0] ^ _NULL_KEY, 0, 0, False, 1 - state[4], state[5]), depth - _NULL_LESS

    def no_moves(state, ply):
        """Without a defence the game is lost; without a promising cell nothing can come of it."""
        return ply + 4 - WIN if threats_at[ply] else 0

    def root_state():
        return field.key, 0, 0, False, field.side, field.packed

    def root_final(state, depth):
        """The root move made five."""
        return 1 - WIN if field.won(state[5]) else None

    kernel.null_move, kernel.no_moves = null_move, no_moves
    kernel.root_state, kernel.root_final = root_state, root_final
    return kernel


def _from_the_maps(field, tree, threats_at):
    """(settle, assess) of the kernel: what needs no move but a forced one.  `assess` fills `threats_at`."""
    play, take_back, zobrist, lines = field.play, field.take_back, field.board.keys, tree.lines
    maps, forbidden, threats_of, restricted = field.maps, field.forbidden, field.threats, field.restricted
    fives, fours, lanes, twice, top = maps.fives, maps.fours, maps.lanes, maps.twice, maps.top

    def settle(state, depth, alpha, beta, ply, null_ok):
        """What the maps tell, and how much faster or slower than what is known a decided game could be."""
        side, packed = state[4], state[5]
        other = 1 - side
        made = packed >> fives[side] & lanes
        if made:
            lines[ply] = [first_cell(made)]
            return WIN - ply - 1
        made = packed >> fives[other] & lanes
        if made:
            block = first_cell(made)
            if made >> LANE * (block + 1) or side == restricted and forbidden(side, block, packed):
                return ply + 2 - WIN
            if ply >= _MAX_PLY:         # the search would never see it: forced replies come first
                return 0
            child = state[0] ^ zobrist[side][block], 0, 0, False, other, play(side, block, packed)
            score = -tree.visit(child, depth, -beta, -alpha, ply + 1, null_ok)
            take_back(side, block)
            if alpha < score < beta:
                lines[ply] = [block] + lines[ply + 1]
            return score
        made = packed >> fours[side] & twice
        if made and (side != restricted or threats_of(side, packed)):
            return WIN - ply - 3
        # A shorter win is known already, or no loss here could be a longer one.
        if alpha >= WIN - ply - 5:
            return WIN - ply - 5
        if beta <= ply + 4 - WIN:
            return ply + 4 - WIN
        return None

    def assess(state, ply):
        """(Field.evaluate without a call to it, does the other player threaten an open four or two fours?)"""
        side, packed = state[4], state[5]
        other = 1 - side
        threats_at[ply] = threats = threats_of(other, packed) if packed >> fours[other] & twice else ()
        scores = packed >> top
        if side:
            own, foe = scores & SCORE_MASK, scores >> SCORE_BITS
        else:
            own, foe = scores >> SCORE_BITS, scores & SCORE_MASK
        return (own * MOVER_WEIGHT - foe * OTHER_WEIGHT >> WEIGHT_BITS) + TEMPO, bool(threats)

    return settle, assess


def _wins_by_force(field, tree, vcf, vct, threats_at):
    """(shortcut, horizon) of the kernel.  vcf, vct: what looks for continuous fours and threats.

    Where the table knows a node as deep as it is now, wins have been looked for in vain.
    """
    maps, lines = field.maps, tree.lines
    fours, threes, lanes = maps.fours, maps.threes, maps.lanes

    def shortcut(state, depth, alpha, beta, ply, known):
        """The score of a win by continuous fours, farther from the horizon by continuous threats."""
        if known >= depth:
            return None
        key, side, packed = state[0], state[4], state[5]
        chain, made = None, packed >> fours[side] & lanes
        if made:
            if depth >= _ALL_FOURS_FROM:
                chain = vcf.win(side, packed, key, _FOURS_DEEP)
            else:
                chain = vcf.linked(side, packed, key, _FOURS_INSIDE)
        if not chain and depth >= _THREES_FROM and (made or packed >> threes[side] & lanes):
            chain = vct.win(side, packed, key, depth, _THREES_TRIED * depth)
        if not chain:
            return None
        lines[ply] = chain
        return WIN - ply - len(chain)

    def horizon(state, depth, alpha, beta, ply, static, known):
        """The evaluation far above beta; a win by fours; the evaluation, a ply earlier if it is far below alpha.

        Where the other player threatens to win an evaluation above alpha is not believed: the defences are tried.
        """
        threats = threats_at[ply]
        if not threats and (depth <= 0 or beta - alpha == 1 and -MAX_SCORE < beta < MAX_SCORE):
            trusted = static - _TRUSTED * depth if depth > 0 else static
            if trusted >= beta:
                return trusted
        if known < depth:
            side, packed = state[4], state[5]
            if packed >> fours[side] & lanes:
                chain = vcf.linked(side, packed, state[0], _FOURS_INSIDE if depth > 0 else _FOURS_AT_LEAF)
                if chain:
                    lines[ply] = chain
                    return WIN - ply - len(chain)
        if depth <= 0:
            return None if threats and static > alpha else static
        if depth == 1 and not threats and beta - alpha == 1 and static + _FUTILE <= alpha:
            return static + _FUTILE
        return None

    return shortcut, horizon


def _successors(field, pick, plies, threats_at):
    """`successors` of the kernel, with what it learns: killers and history."""
    play, take_back, zobrist = field.play, field.take_back, field.board.keys
    defences, quiet = pick.defences, pick.quiet
    killers, histories = Killers(plies), [History(_HISTORY_LIMIT, field.maps.cells) for _ in range(2)]

    def successors(state, depth, ply, node):
        """All defences against a threat, or the cells with the most charm, late ones reduced."""
        key, side, packed = state[0], state[4], state[5]
        threats, other, first = threats_at[ply], 1 - side, node[TABLE_MOVE]
        moves = defences(side, packed, threats) if threats else quiet(side, packed)
        if len(moves) > 1:
            seen, (killer, older) = histories[side].scores, killers.at[ply]
            order = {move: seen[move] - _PLACE * index for index, move in enumerate(moves)}
            for move, bonus in ((older, _OLDER_KILLER), (killer, _KILLER), (first, _TABLE_FIRST)):
                if move in order:
                    order[move] = bonus
            moves.sort(key=order.__getitem__, reverse=True)
        reduce = depth >= _REDUCE_FROM and not threats
        for index, move in enumerate(moves):
            reduction = 0
            if reduce and index >= _FULL_MOVES:
                reduction = 1 + (index > 3) + (index > 6 and depth > 4) + (index > 4 and depth > 6)
            child = key ^ zobrist[side][move], 0, 0, False, other, play(side, move, packed)
            yield move, child, depth - 1, reduction
            take_back(side, move)
            if node[ALPHA] >= node[BETA]:
                histories[side].reward(move, depth)
                killers.reward(move, ply)
                break
        if moves and not threats and node[BEST] < -MAX_SCORE:
            node[BEST] = ply - NEARLY_DECIDED

    return successors
