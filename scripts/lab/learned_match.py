#!/usr/bin/env python3
"""Play a match between two evaluations of a game with the plain search, in one process.

    python3 scripts/lab/learned_match.py --game GAME [--plugin FILE] WEIGHTS OTHER [--rounds N]
                                         [--depth N | --nodes N | --movetime SECONDS]

WEIGHTS: a file that scripts/learn wrote.  OTHER: another such file, `own` for the game's own
evaluation, or `none` for no evaluation.  Neither the game's kernel nor its solver plays.  Each
random opening is played twice, with swapped colours.
"""

from __future__ import annotations

import copy
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.base import Game, Position  # noqa: E402
from games.learned.evaluation import WeightsFile, evaluation_of, unlearned  # noqa: E402
from protocol.records.record import Start  # noqa: E402
from scripts.command_line import Parser, add_limits, limits_of, limits_text, positive, tell  # noqa: E402
from scripts.learning import match  # noqa: E402
from search import context_of  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.think import think  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MEGABYTES = 16
OWN, NONE = "own", "none"
_DEPTH = 3


class Player:
    """The engine's search with an evaluation, without the game's kernel and solver.

    evaluation: OWN (the game's), NONE, or a weights file's bytes.
    limits: the limits of the search for each move.
    """

    def __init__(self, game: Game, evaluation: str | bytes, limits: Limits) -> None:
        self._game = copy.copy(game)
        self._evaluation, self._limits = evaluation, limits
        # Only this copy's methods are replaced, here and in start().
        self._game.kernel = lambda position, context, tree: None  # type: ignore[method-assign]
        if isinstance(evaluation, bytes):
            evaluation_of(game, evaluation, Start(game).position())  # raises DamagedError
            self._game.learned = WeightsFile(self._game, "the file", evaluation)
        self._options = {option.name: option.default for option in registry.options()}
        self._memory: dict[Any, Any] = {}

    def start(self) -> Position:
        """Return the start position, with this player's evaluation."""
        position = Start(self._game).position()
        position.game = self._game
        position.solve = lambda context: ()  # type: ignore[method-assign]
        if self._evaluation == NONE:
            position.evaluate = lambda: 0  # type: ignore[method-assign]
        return position

    def move(self, reached: Position, played: list[int]) -> int:
        """Return the move to play after `played`.

        reached: not used, since this position lacks the player's evaluation.
        """
        position, limits = self.start(), copy.copy(self._limits)
        for move in played:
            position.make(move)
        context = context_of(position, limits, self._options, self._memory, MEGABYTES)
        context.random = random.Random(len(played))
        return think(position, context, lambda report: None)[0].moves[0]


def player(game: Game, name: str, limits: Limits) -> Player:
    """Return a Player with an evaluation: OWN, NONE, or the path of a weights file."""
    known = name in (OWN, NONE)
    return Player(game, name if known else pathlib.Path(name).read_bytes(), limits)


def main() -> None:
    """Play the pairs of games, and print the score after every tenth pair."""
    parser = Parser("scripts/lab/learned_match.py", __doc__.splitlines()[0])
    parser.add_game_option(required=True)
    parser.add_plugin_option()
    parser.add("WEIGHTS", "weights that scripts/learn wrote")
    parser.add("OTHER", "other weights, own or none")
    parser.add("--rounds N", "pairs of games", 100, type=positive)
    parser.add("--seed N", "random seed", 1)
    add_limits(parser.alternatives(), "of a move", depth=_DEPTH)
    arguments = parser.read()
    game, limits = unlearned(registry.get(arguments.game)), limits_of(arguments, depth=_DEPTH)
    names = arguments.weights, arguments.other
    one, other = (player(game, name, limits).move for name in names)

    def show(score: match.Score) -> None:
        if score.games % 20 == 0:
            tell(str(score))

    score = match.play(game, one, other, arguments.rounds, arguments.seed, show)
    tell(f"{names[0]} against {names[1]}, {limits_text(limits)}: {score}")


if __name__ == "__main__":
    main()
