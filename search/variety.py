"""Choices other than the best move: opening variety, and weaker play if the options ask for it.

An analysis (the option UCI_AnalyseMode) uses neither, and with several lines (`MultiPV`) it
ranks all opening moves.
"""

from __future__ import annotations

from games.base import MAX_SCORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from games.solver import Line
    from games.types import Move, Options
    from search.context import Context

STRONGEST = 20
# The levels spread evenly between these Elo ratings.
LOWEST_ELO, HIGHEST_ELO = 800, 2200

# The lowest level searches this many nodes; each level multiplies them by this factor.
_MIN_NODES = 250
_MORE_NODES = 1.4
# The number of candidates, and the noise of scores at level 0 as a fraction of the game's
# win_scale; it falls with the square root of the distance to full strength.
_CANDIDATES = 5
_NOISE = 0.5


def opening_choice(position: Position, context: Context) -> Move | None:
    """Return one of the equally good opening moves if `Variety` is on; else None."""
    options = context.options
    if (
        not options.get("Variety")
        or options.get("UCI_AnalyseMode")
        or options.get("MultiPV", 1) > 1
    ):
        return None
    good = [move for move in position.opening_moves(context) if move in context.root_moves]
    return context.random.choice(good) if good else None


def plays_weaker(options: Options) -> bool:
    """Do the options ask for play below full strength?"""
    return _level(options) < STRONGEST and not options.get("UCI_AnalyseMode")


def _level(options: Options) -> int:
    level: int = options.get("Skill Level", STRONGEST)
    if options.get("UCI_LimitStrength"):
        share = (options["UCI_Elo"] - LOWEST_ELO) / (HIGHEST_ELO - LOWEST_ELO)
        level = min(level, round(share * STRONGEST))
    return level


class Weakness:
    """A weaker player: it searches fewer nodes, and may prefer a good move to the best one.

    nodes: the node limit.  candidates: the number of moves that it considers seriously.
    """

    def __init__(self, position: Position, context: Context) -> None:
        level = _level(context.options)
        self.nodes = round(_MIN_NODES * _MORE_NODES**level)
        self.candidates = _CANDIDATES
        self._noise = _NOISE * position.game.win_scale * ((STRONGEST - level) / STRONGEST) ** 0.5
        self._random = context.random

    def choose(self, lines: list[Line]) -> Line:
        """Return the Line that seems best to the player: the higher its score the likelier.

        A proven win is always chosen.
        """
        if lines[0].score > MAX_SCORE:
            return lines[0]
        return max(
            lines,
            key=lambda line: (
                max(min(line.score, MAX_SCORE), -MAX_SCORE) + self._random.gauss(0, self._noise)
            ),
        )
