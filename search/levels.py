"""Choices other than the best move: weaker play, and variety in the opening.

An analysis (the option UCI_AnalyseMode) uses neither.

A level from 0 on searches fewer nodes, and chooses among the best moves after noise is added to
their scores.  A level below 0 is a Novice: one who overlooks what people overlook.  It scores each
move twice: by the evaluation right after the move, and by the evaluation after the best reply.
With a certain chance it overlooks the reply and believes the first score; a reply far from the move
is overlooked more often than a reply next to it.  So a Novice captures what is undefended and
defends pieces that it sees attacked.  But it may lose a piece to a bishop at the other end of the
board.
"""

from __future__ import annotations

import math

from games.base import INFINITY, MAX_SCORE, WIN
from games.solver import Line
from search.limits import Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from games.base import Game, Position
    from games.types import Cell, Move, Options, Score
    from search.context import Context
    from search.think import Search, SearchAnswer

# The levels.  Those below 0 are played by a Novice.
WEAKEST, STRONGEST = -5, 20
# The range of UCI_Elo.
LOWEST_ELO, HIGHEST_ELO = 400, 2200
# The ratings of the levels from 0 on, in games whose ratings have not been measured.
_EVEN_RATINGS = tuple(range(800, HIGHEST_ELO + 1, 70))

# _CANDIDATES: number of moves to choose among.  _NOISE: noise of scores at level 0, as a fraction
# of the game's win_scale; it falls with the square root of the distance to full strength.
# More noise can't replace fewer nodes: in Three-check and Crazyhouse, twice the noise with equal
# nodes didn't weaken the play (docs/lab/variants.md).
_CANDIDATES = 5
_NOISE = 0.5
# The noise of the option Variety, as a fraction of the position's win_scale: one disc in Othello.
_VARIETY = 0.07


def varies(position: Position, options: Options) -> bool:
    """Do the options ask for a choice among good moves in this position?"""
    if options.get("UCI_AnalyseMode"):
        return False
    return level_of(position.game, options) < STRONGEST or _is_opening(position, options)


def _is_opening(position: Position, options: Options) -> bool:
    """Does the option Variety apply: is one line requested, and are few stones on the board?"""
    board = position.board()
    if not (options.get("Variety") and board) or options.get("MultiPV", 1) > 1:
        return False
    stones = sum(cell != "." for row in board for cell in row)
    return stones <= position.game.strength.varied_stones


def level_of(game: Game, options: Options) -> float:
    """Return the level that the options ask for; UCI_Elo may lie between two whole levels."""
    level: float = options.get("Skill Level", STRONGEST)
    if options.get("UCI_LimitStrength"):
        elo, ratings = options["UCI_Elo"], ratings_of(game)
        steps = [(elo - low) / (high - low) for low, high in zip(ratings, ratings[1:])]
        level = min(level, WEAKEST + sum(min(max(step, 0.0), 1.0) for step in steps))
    return level


def ratings_of(game: Game) -> list[float]:
    """Return the Elo rating of each level from WEAKEST on.

    The ratings of levels below 0 spread evenly from the lowest UCI_Elo to the rating of level 0.
    """
    ratings = game.strength.ratings or _EVEN_RATINGS
    step = (ratings[0] - LOWEST_ELO) / -WEAKEST
    return [*(LOWEST_ELO + step * place for place in range(-WEAKEST)), *ratings]


def choose_among(
    search: Search, position: Position, context: Context, answer: SearchAnswer
) -> None:
    """Run `search`, add noise to the scores of its lines, and answer with the best line.

    A weak player also searches fewer nodes.
    """
    game = position.game
    watch = context.watch
    level = level_of(position.game, context.options)
    noise = _VARIETY * position.win_scale()
    if level < STRONGEST:
        lowest, highest = game.strength.nodes
        nodes = round(lowest * (highest / lowest) ** (level / (STRONGEST - 1)))
        watch.node_limit = min(watch.node_limit, nodes)
        noise = _NOISE * game.scores.win_scale * ((STRONGEST - level) / STRONGEST) ** 0.5
    answer.is_choice, answer.candidates = True, max(answer.line_count, _CANDIDATES)
    search(position, context, answer)
    best = answer.lines[0]
    if best.score <= MAX_SCORE:  # a proven win is always chosen

        def noisy(line: Line) -> float:
            score = max(min(line.score, MAX_SCORE), -MAX_SCORE)
            return score + context.random.gauss(0, noise)

        best = max(answer.lines, key=noisy)
    answer.set([best])


# ---- the levels below 0 --------------------------------------------------------------

# _NEAR_SHARE: the chance to overlook a reply on a neighbouring square, relative to the chance for a
# distant square; it grows with the distance up to _FAR squares.
_NEAR_SHARE, _FAR = 0.5, 4
# The chance to overlook a move that wins at once, relative to the chance for a distant reply.
_WIN_SHARE = 0.4
# The chance to overlook any move or reply is at most this.
_MAX_CHANCE = 0.9
# Before noise is added, all scores, even those of proven wins and losses, are clamped to this
# number of win_scales.
_WIN_SCALES = 12


def overlook(position: Position, context: Context, answer: SearchAnswer) -> None:
    """Choose a move as a player of the lowest levels does; answer with its true score."""
    novice = Novice(position, context, carelessness_of(position.game, context.options))
    answer.is_choice, answer.counters = True, novice.search.counters
    answer.set([novice.line()])


def carelessness_of(game: Game, options: Options) -> float:
    """Return the carelessness of the options' level, interpolated between whole levels."""
    place = min(level_of(game, options) - WEAKEST, len(game.strength.carelessness) - 1)
    index = min(int(place), len(game.strength.carelessness) - 2)
    low, high = game.strength.carelessness[index : index + 2]
    return low + (high - low) * (place - index)


class Novice:
    """A player of a certain carelessness.

    carelessness: the noise of scores as a fraction of the game's win_scale; its square is the
        chance to overlook a distant reply.
    search: the TreeSearch of the replies.
    """

    def __init__(self, position: Position, context: Context, carelessness: float) -> None:
        self._position, self._context = position, context
        self.search = context.tree_search(position)
        self._overlooks = carelessness**2
        self._noise = carelessness * position.game.scores.win_scale
        self._decisive = _WIN_SCALES * position.game.scores.win_scale
        self._random: Random = context.random

    def line(self) -> Line:
        """Return the Line of the chosen move, with its true score."""
        search = self.search
        search.begin(1)
        most = -math.inf
        chosen = Line(0, self._context.root_moves[:1], 1)
        for promise, noise, attention, move in self._in_order():
            careless = attention < self._overlooks
            enough = most - noise  # for moves that can't be chosen, a bound on the score is enough
            exact = careless and promise > most or enough < -self._decisive
            alpha = -INFINITY if exact else math.floor(enough)
            try:
                score = search.try_move(move, 1, 1, alpha, INFINITY)
            except Stopped:  # the time is up: choose among the moves searched so far
                break
            line = Line(score, [move, *search.reply_line], 1)
            value = self._clamped(score) + noise
            if careless and attention < self._chance(line):
                value = promise
            if value > most:
                most, chosen = value, line
        return chosen

    def _in_order(self) -> list[tuple[float, float, float, Move]]:
        """Return each root move as (promise, noise, attention, move), the most promising first.

        promise: the noisy evaluation after the move.  attention: 0 to 1, see _chance().
        """
        moves = []
        for move in self._context.root_moves:
            noise = self._random.gauss(0, self._noise)
            promise = self._clamped(self._at_first_sight(move)) + noise
            moves.append((promise, noise, self._random.random(), move))
        return sorted(moves, reverse=True)

    def _chance(self, line: Line) -> float:
        """Return the probability (0 to 1) of overlooking the reply to a line's first move.

        If this first move wins, return the probability of overlooking the win.
        """
        if line.score >= WIN - 1:
            return min(self._overlooks * _WIN_SHARE, _MAX_CHANCE)
        if len(line.moves) < 2:
            return 0.0
        return min(self._overlooks * self._share(*line.moves[:2]), _MAX_CHANCE)

    def _clamped(self, score: Score) -> Score:
        return max(min(score, self._decisive), -self._decisive)

    def _at_first_sight(self, move: Move) -> Score:
        """Return the static evaluation after a move, for its mover."""
        position = self._position
        side = position.side
        position.make(move)
        value = position.judge().evaluate()
        value = value if position.side == side else -value
        position.undo()
        return value

    def _share(self, move: Move, reply: Move) -> float:
        """Return the factor (_NEAR_SHARE to 1) for the probability of overlooking a reply.

        It is small for a reply close to the move before it.
        """
        position = self._position
        played = position.touched(move)
        position.make(move)
        answered = position.touched(reply)
        position.undo()
        steps = [_distance(one, other) for one in played[-1:] for other in answered[:1]]
        distance = min(min(steps, default=_FAR), _FAR)
        return _NEAR_SHARE + (1 - _NEAR_SHARE) * distance / _FAR


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
