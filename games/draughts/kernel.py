"""The kernel of draughts for search/pvs.py.

A state is

    (key, 0, plies that kings alone moved, False, colour to move (0 is White), its men, its kings,
     the other side's men, its kings, the lanes of patterns.py)

Captures are forced.  A node with a single move is searched a ply deeper, and a line ends only where
nothing can be captured.  If the side that is not to move threatens to capture there, quiet moves
are tried as well, since the evaluation can't see the loss.
"""

from __future__ import annotations

from functools import partial
from math import log

from games.base import INFINITY, MAX_SCORE, WIN
from games.data import Lazy
from games.draughts.draws import DRAWS, KINGS, drawn
from games.draughts.patterns import evaluation_of
from games.draughts.position import KING_KEYS, MAN_KEYS, SIDE_KEY
from games.draughts.rules import KING, LOSE, SQUARE, TO
from games.grid import count_bits
from games.kernel import ALPHA, BEST, BETA, MAX_PLY, TABLE_MOVE, Kernel
from games.ordering import History, Killers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.draughts.position import DraughtsPosition
    from games.draughts.rules import Capture
    from games.draughts.squares import Bits
    from games.types import Context, Move, NodeData, Score, State, Successor, Tree

    # What a quiet move changes: (men as bits, kings as bits, key, lanes).
    Effect = tuple[Bits, Bits, int, int]

_HISTORY_LIMIT = 1 << 14
_MOVES = 1 << 2 * TO
_MAX_PLY = MAX_PLY - 40  # captures may go on beyond it
_REVERSE_FUTILITY_DEPTH, _REVERSE_FUTILITY_MARGIN = 3, 60
# ProbCut: if a search of a share of the depth reaches beta by a margin, so will the whole search.
_PROBCUT_FROM, _PROBCUT_MARGIN = 4, 10
_IIR_FROM = 4
_FULL_MOVES, _REDUCE_FROM = 3, 3  # so many moves, and depths below, are not reduced
_REDUCTIONS = [
    [int(0.6 + log(max(depth, 1)) * log(max(number, 1)) / 2.4) for number in range(128)]
    for depth in range(64)
]


def build(position: DraughtsPosition, context: Context, tree: Tree) -> Kernel:
    """Return the Kernel of a search from `position`."""
    game, rules, board = position.game, position.rules, position.squares
    judge = evaluation_of(game)
    evaluate_lanes, man_lanes, king_lanes = judge.evaluate, judge.man_lanes, judge.king_lanes
    find, quiets, capturers = rules.captures, rules.quiets, rules.capturers
    full, left, right = board.full, board.left, board.right
    count, check, lines, evals = tree.count, tree.check, tree.lines, tree.evals
    players = (0, 1) if game.white_first else (1, 0)
    man_keys, king_keys = (
        [MAN_KEYS[side] for side in players],
        [KING_KEYS[side] for side in players],
    )
    histories = context.memory.setdefault(
        f"draughts.{game.columns}", [History(_HISTORY_LIMIT, _MOVES) for _ in players]
    )
    killers = Killers(MAX_PLY + 2)
    captures_at: list[list[Capture]] = [[] for _ in range(MAX_PLY + 2)]
    sign = -1 if game.goal == LOSE else 1
    blocked = WIN * -sign  # score of a side that can't move
    rules_of_draws = DRAWS[game.draws]
    tree.base = len(position.keys) + 3
    tree.path[:] = [-1] * 3 + position.keys + [position.key] + [0] * (MAX_PLY + 1)

    def man_effect(colour: int, move: Move) -> Effect:
        start, to = move & SQUARE, move >> TO
        gone = 1 << start, man_keys[colour][start] ^ SIDE_KEY, man_lanes[colour][start]
        if rules.crown[not colour] >> to & 1:
            return gone[0], 1 << to, gone[1] ^ king_keys[colour][to], king_lanes[to] - gone[2]
        return (
            gone[0] | 1 << to,
            0,
            gone[1] ^ man_keys[colour][to],
            man_lanes[colour][to] - gone[2],
        )

    def king_effect(colour: int, move: Move) -> Effect:
        start, to = move & SQUARE, move >> TO
        keys = king_keys[colour]
        return 0, 1 << start | 1 << to, keys[start] ^ keys[to] ^ SIDE_KEY, 0

    man_effects = [Lazy(partial(man_effect, colour)) for colour in (0, 1)]
    king_effects = [Lazy(partial(king_effect, colour)) for colour in (0, 1)]

    def after(state: State, capture: Capture) -> State:
        """Return the state after a capture."""
        key, _, _, _, colour, men, kings, other_men, other_kings, lanes = state
        move, captured, crowned, _ = capture
        start, to = move & SQUARE, move >> TO & SQUARE
        other = colour ^ 1
        key ^= SIDE_KEY
        if kings >> start & 1:
            kings ^= 1 << start
            kings |= 1 << to
            key ^= king_keys[colour][start] ^ king_keys[colour][to]
        else:
            men ^= 1 << start
            key ^= man_keys[colour][start]
            lanes -= man_lanes[colour][start]
            if crowned:
                kings |= 1 << to
                key ^= king_keys[colour][to]
                lanes += king_lanes[to]
            else:
                men |= 1 << to
                key ^= man_keys[colour][to]
                lanes += man_lanes[colour][to]
        while captured:
            piece = captured & -captured
            captured ^= piece
            square = piece.bit_length() - 1
            if other_kings & piece:
                other_kings ^= piece
                key ^= king_keys[other][square]
                lanes -= king_lanes[square]
            else:
                other_men ^= piece
                key ^= man_keys[other][square]
                lanes -= man_lanes[other][square]
        return key, 0, 0, False, other, other_men, other_kings, men, kings, lanes

    def static_of(state: State) -> Score:
        _, _, _, _, colour, _, kings, _, other_kings, lanes = state
        if colour:
            return evaluate_lanes(lanes, 1, other_kings, kings)
        return evaluate_lanes(lanes, 0, kings, other_kings)

    def quiesce(state: State, alpha: Score, beta: Score, ply: int, dodges: bool = True) -> Score:
        """Return the fail-soft score once nothing can be captured.

        dodges: if the other side threatens to capture, try quiet moves, too?
        """
        count[0] += 1
        if count[0] >= count[1]:
            count[1] = check(count[0])
        if beta - alpha > 1:
            lines[ply] = []
        _, _, _, _, colour, men, kings, other_men, other_kings, lanes = state
        if other_kings and game.goal == KING:
            return ply - WIN
        others, own = other_men | other_kings, men | kings
        empty = full ^ own ^ others
        up = not colour
        if kings or capturers(men, others, empty, up):
            captures = find(men, kings, other_men, other_kings, up)
            if captures and ply < MAX_PLY:
                if ply > count[3]:
                    count[3] = ply
                best = -INFINITY
                for capture in captures:
                    score = -quiesce(after(state, capture), -beta, -alpha, ply + 1)
                    if score > best:
                        best = score
                        if score > alpha:
                            alpha = score
                            if score >= beta:
                                break
                return best
        score = static_of(state)
        if not kings:
            if not (
                (men >> right | men >> left) & empty
                if up
                else men & (empty >> left | empty >> right)
            ):
                return blocked + ply * sign
        if (
            dodges
            and score > alpha
            and ply < _MAX_PLY
            and (
                capturers(other_men, own, empty, not up)
                or other_kings
                and find(other_men, other_kings, men, kings, not up)
            )
        ):
            best = -INFINITY
            man_effect, king_effect = man_effects[colour], king_effects[colour]
            key, clock, other = state[0], state[2], colour ^ 1
            for move in quiets(men, kings, empty, up):
                by_king = kings >> (move & SQUARE) & 1
                men_bits, king_bits, key_change, lanes_change = (
                    king_effect[move] if by_king else man_effect[move]
                )
                child = (
                    key ^ key_change,
                    0,
                    clock + 1 if by_king else 0,
                    False,
                    other,
                    other_men,
                    other_kings,
                    men ^ men_bits,
                    kings ^ king_bits,
                    lanes + lanes_change,
                )
                score = -quiesce(child, -beta, -alpha, ply + 1, False)
                if score > best:
                    best = score
                    if score > alpha:
                        alpha = score
                        if score >= beta:
                            break
            return best
        return score

    def evaluate(state: State, ply: int) -> tuple[Score, bool]:
        """Return (static evaluation, must the side to move capture?); keep its captures."""
        _, _, _, _, colour, men, kings, other_men, other_kings, _ = state
        others = other_men | other_kings
        if kings or capturers(men, others, full ^ men ^ kings ^ others, not colour):
            captures = captures_at[ply] = find(men, kings, other_men, other_kings, not colour)
        else:
            captures = captures_at[ply] = []
        return static_of(state), bool(captures)

    def successors(state: State, depth: int, ply: int, node: NodeData) -> Iterator[Successor]:
        """Yield moves as Kernel.successors of games/kernel.py describes."""
        captures, first = captures_at[ply], node[TABLE_MOVE]
        if captures:
            if len(captures) == 1:
                depth += 1
            elif first >= 0:
                captures = sorted(captures, key=lambda capture: capture[0] != first)
            for capture in captures:
                child = after(state, capture)
                if depth > 1:
                    yield capture[0], child, depth - 1, 0
                else:
                    score = -quiesce(child, -node[BETA], -node[ALPHA], ply + 1)
                    yield capture[0], None, score, 0
                if node[ALPHA] >= node[BETA]:
                    return
            return
        key, _, clock, _, colour, men, kings, other_men, other_kings, lanes = state
        moves = quiets(men, kings, full ^ men ^ kings ^ other_men ^ other_kings, not colour)
        if len(moves) == 1:
            depth += 1
        else:
            scores = histories[colour].scores
            moves = sorted(moves, key=scores.__getitem__, reverse=True)
            for killer in (*killers.at[ply][::-1], first):
                if killer in moves:
                    moves.remove(killer)
                    moves.insert(0, killer)
        man_effect, king_effect, other = man_effects[colour], king_effects[colour], colour ^ 1
        beta = node[BETA]
        reductions = _REDUCTIONS[min(depth, 63)] if depth >= _REDUCE_FROM else None
        reduced_less = beta - node[ALPHA] > 1
        number = 0
        for move in moves:
            number += 1
            by_king = kings >> (move & SQUARE) & 1
            men_bits, king_bits, key_change, lanes_change = (
                king_effect[move] if by_king else man_effect[move]
            )
            child = (
                key ^ key_change,
                0,
                clock + 1 if by_king else 0,
                False,
                other,
                other_men,
                other_kings,
                men ^ men_bits,
                kings ^ king_bits,
                lanes + lanes_change,
            )
            if depth > 1:
                reduction = 0
                if reductions is not None and number > _FULL_MOVES:
                    reduction = min(reductions[number] - reduced_less, depth - 2)
                    if reduction < 0:
                        reduction = 0
                yield move, child, depth - 1, reduction
            else:
                score = -quiesce(child, -beta, -node[ALPHA], ply + 1)
                if score > node[ALPHA]:
                    yield move, None, score, 0
                elif score > node[BEST]:
                    node[BEST] = score
            if node[ALPHA] >= beta:
                killers.reward(move, ply)
                histories[colour].reward(move, depth)
                return

    def probcut(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, table_depth: int
    ) -> Score | None:
        """Return a score if a shallower search is far above beta, else None."""
        if beta - alpha > 1 or captures_at[ply] or abs(beta) > MAX_SCORE:
            return None
        margin = _PROBCUT_MARGIN * depth
        score = tree.search(state, depth * 2 // 5, beta + margin - 1, beta + margin, ply, False)
        return score - margin if score >= beta + margin else None

    def early_return(
        state: State, depth: int, alpha: Score, beta: Score, ply: int, null_allowed: bool
    ) -> Score | None:
        """Return the score if the other side has won by a king, or if no depth is left."""
        if state[8] and game.goal == KING:
            return ply - WIN
        return quiesce(state, alpha, beta, ply) if depth <= 0 else None

    def root_state() -> State:
        colour = players[position.side]
        side, other = position.side, position.side ^ 1
        men, kings = position.men, position.kings
        white, black = players
        lanes = judge.lanes((men[white], men[black]), (kings[white], kings[black]))
        return (
            position.key,
            0,
            position.clocks[KINGS],
            False,
            colour,
            men[side],
            kings[side],
            men[other],
            kings[other],
            lanes,
        )

    def is_drawn(state: State) -> bool:
        pieces = [
            (count_bits(men), count_bits(kings), (men | kings) & board.diagonal != 0)
            for men, kings in (state[5:7], state[7:9])
        ]
        return bool(drawn(rules_of_draws, pieces[0], pieces[1], (state[2], 0)))

    def root_final(state: State, depth: int) -> Score | None:
        """Return 0 if the root move draws the game, else None."""
        return 0 if position.crowned() is None and position.draw_reason() else None

    kernel = Kernel(position)
    kernel.root_state, kernel.successors, kernel.evaluate = root_state, successors, evaluate
    kernel.quiesce, kernel.early_return, kernel.root_final = quiesce, early_return, root_final
    kernel.no_moves = lambda state, ply: blocked + ply * sign
    kernel.max_ply, kernel.repeats, kernel.drawn = _MAX_PLY, True, is_drawn
    counted = [plies for _, plies, kind, _ in rules_of_draws if kind == KINGS]
    if counted:
        kernel.draw_from = min(counted)
    kernel.root_reduction = lambda state, depth, number: int(depth > 3 and number > 3)
    kernel.reverse_futility_depth = _REVERSE_FUTILITY_DEPTH
    kernel.reverse_futility_margin = _REVERSE_FUTILITY_MARGIN
    kernel.iir_from = _IIR_FROM
    kernel.probcut, kernel.probcut_from = probcut, _PROBCUT_FROM
    evals[0] = evaluate(root_state(), 0)[0]
    return kernel
