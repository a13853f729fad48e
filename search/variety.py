"""Choices other than the best move: weaker play, and variety in the opening.

An analysis (the option UCI_AnalyseMode) uses neither.
"""

from __future__ import annotations

from games.base import MAX_SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Game, Position
    from games.solver import Line
    from games.types import Options
    from search.context import Context
    from search.think import Search, SearchAnswer

# The levels.  Those below 0 are played by novice.py.
WEAKEST, STRONGEST = -5, 20
# The range of UCI_Elo.
LOWEST_ELO, HIGHEST_ELO = 400, 2200
# The ratings of the levels from 0 on in games without measured ones.
_EVEN_RATINGS = tuple(range(800, HIGHEST_ELO + 1, 70))

# _CANDIDATES: number of candidates.  _NOISE: noise of scores at level 0, as a fraction of the
# game's win_scale; it falls with the square root of the distance to full strength.
# Twice this noise, in place of more nodes, didn't separate the levels of Three-check and of
# Crazyhouse (docs/lab/variants.md).
_CANDIDATES = 5
_NOISE = 0.5
# The noise of the option Variety, as a fraction of the position's win_scale: a disc at Othello.
_VARIETY = 0.07


def varies(position: Position, options: Options) -> bool:
    """Do the options ask for a choice among good moves in this position?"""
    if options.get("UCI_AnalyseMode"):
        return False
    return level_of(position.game, options) < STRONGEST or _is_opening(position, options)


def _is_opening(position: Position, options: Options) -> bool:
    """Does the option Variety apply: is one line requested, with few stones on the board?"""
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

    Those below 0 spread evenly from the lowest UCI_Elo to the rating of level 0.
    """
    ratings = game.strength.ratings or _EVEN_RATINGS
    step = (ratings[0] - LOWEST_ELO) / -WEAKEST
    return [*(LOWEST_ELO + step * place for place in range(-WEAKEST)), *ratings]


def choose_among(
    search: Search, position: Position, context: Context, answer: SearchAnswer
) -> None:
    """Search as `search` does, then answer with the best of its lines after noise is added.

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
