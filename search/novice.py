"""A player below the lowest level of the search: one who overlooks what people overlook.

It scores each move twice: by the evaluation right after the move, and by the evaluation after the
best reply.  With a certain chance it overlooks that reply and believes the first score; a reply far
from the move is overlooked more often than one next to it.  So it captures what is undefended and
defends pieces that it sees attacked, but may lose one to a bishop at the other end of the board.
"""

from __future__ import annotations

from games.base import INFINITY, WIN
from games.solver import Line
from search.limits import Stopped
from search.variety import WEAKEST, level_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from games.base import Game, Position
    from games.types import Cell, Move, Options, Score
    from search.context import Context
    from search.think import SearchAnswer

# The chance to overlook a reply on a neighbouring square, as a share of that for a distant one; it
# grows with the distance up to _FAR squares.
_NEAR_SHARE, _FAR = 0.5, 4
# The chance to overlook a move that wins at once, as a share of that for a distant reply.
_WIN_SHARE = 0.4
# The chance to overlook any move or reply is at most this.
_MAX_CHANCE = 0.9
# Wins and losses count as this many win_scales beside noise.
_WIN_SCALES = 12


def overlook(position: Position, context: Context, answer: SearchAnswer) -> None:
    """Choose a move as a player of the lowest levels does; answer with its true score."""
    novice = Novice(position, context, carelessness_of(position.game, context.options))
    answer.is_choice = True
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
    """

    def __init__(self, position: Position, context: Context, carelessness: float) -> None:
        self._position, self._context = position, context
        self._overlooks = carelessness**2
        self._noise = carelessness * position.game.scores.win_scale
        self._decisive = _WIN_SCALES * position.game.scores.win_scale
        self._random: Random = context.random

    def line(self) -> Line:
        """Return the Line of the chosen move, with its true score."""
        search = self._context.tree_search(self._position)
        search.begin(1)
        best: tuple[float, Line] | None = None
        for move in self._context.root_moves:
            try:
                score = search.try_move(move, 1, 1, -INFINITY, INFINITY)
            except Stopped:  # the time is up: choose among the moves that were looked at
                return best[1] if best is not None else Line(0, [move], 1)
            line = Line(score, [move, *search.reply_line()], 1)
            value = self._value(line) + self._random.gauss(0, self._noise)
            if best is None or value > best[0]:
                best = value, line
        assert best is not None, "a search has at least one root move"
        return best[1]

    def _value(self, line: Line) -> Score:
        """Return the score that the player believes a move to have."""
        reply = line.moves[1] if len(line.moves) > 1 else None
        if line.score >= WIN - 1:
            chance = self._overlooks * _WIN_SHARE
        elif reply is None:
            chance = 0.0
        else:
            chance = self._overlooks * self._share(line.moves[0], reply)
        if self._random.random() >= min(chance, _MAX_CHANCE):
            return self._clamped(line.score)
        return self._clamped(self._at_first_sight(line.moves[0]))

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
        """Return the share of the chance to overlook a reply, by its distance from the move."""
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
