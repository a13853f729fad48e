"""Games between evaluations with the same rules and the same search, in one process."""

from __future__ import annotations

import copy
import random
import time
from functools import partial
from typing import Any, Callable

from games import registry
from games.base import Game, Position
from games.learned.evaluation import evaluation_of
from scripts.arena.elo import score_interval
from scripts.learning import rules
from scripts.learning.selfplay import Network, best_move
from search import context_of
from search.context import Context
from search.limits import Limits
from search.report import Report
from search.root import think
from search.table import release

# Maximum number of random moves at the beginning of a pair of games.
_OPENING = 6
# A quick match ends after this many positions, but not before this many pairs.
_MOST_POSITIONS, _LEAST_PAIRS = 300_000, 10
_MEGABYTES = 16
OWN, NONE = "own", "none"


class Score:
    """The result of pairs of games with swapped colours.

    pairs: the points of each, 0 to 2.  margin: the mean margin of a game.
    """

    def __init__(self, pairs: list[float], margin: float = 0.0) -> None:
        self.margin, self.games = margin, 2 * len(pairs)
        counts = [pairs.count(points / 2) for points in range(5)]
        self.score, _, self.error = score_interval(counts)
        self.low = self.score - self.error

    def __str__(self) -> str:
        return f"{100 * self.score:.1f} % \u00b1 {100 * self.error:.1f} ({self.games} games)"


def quick(game: Game, one: Network, other: Network | None, pairs: int, seed: int) -> Score:
    """Return the Score of `one` in games at depth 1; other: None for no evaluation."""
    dice = random.Random(f"quick {seed}")
    players = _Greedy(game, one, dice), _Greedy(game, other or Network(one.layout, one.scale), dice)

    def enough(score: Score) -> bool:
        looked = sum(player.looked for player in players)
        return looked > _MOST_POSITIONS and score.games >= 2 * _LEAST_PAIRS

    return play(game, *players, pairs, seed, enough)


class _Greedy:
    """Plays the move with the best position; looked: number of positions compared.

    dice: decides between equally good moves.
    """

    def __init__(self, game: Game, network: Network, dice: random.Random) -> None:
        self._game, self._network, self._dice, self.looked = game, network, dice, 0

    def begin(self) -> None:
        """Begin a new game."""
        self._position, self._played = rules.start(self._game), 0
        self._numbers = self._network.attach(self._position)

    def move(self, played: list[int]) -> int:
        """Return the move to play after `played`."""
        for move in played[self._played :]:
            self._position.make(move)
        self._played = len(played)
        moves = self._position.legal_moves()
        self._dice.shuffle(moves)
        self.looked += len(moves)
        return best_move(self._position, self._network, self._numbers, moves)[0]


def _opening(game: Game, dice: random.Random, plies: int | None = None) -> list[int]:
    """Return random moves, by default a few, after which the game is not over."""
    while True:
        position, moves = rules.start(game), []  # type: Position, list[int]
        for _ in range(plies or dice.randrange(_OPENING) + 1):
            legal = position.legal_moves()
            if legal:
                moves.append(dice.choice(legal))
                position.make(moves[-1])
        if position.legal_moves():
            return moves


class Player:
    """The engine's search with an evaluation.

    evaluation: OWN (the game's), NONE, a weights file's bytes, or a function of the
    position.
    limits(): returns the Limits of a move.
    plain: whether the game's kernel and solver are not used.
    nodes, seconds: sums over all moves, in processor time.
    """

    plain = True

    def __init__(
        self,
        game: Game,
        evaluation: str | bytes | Callable[[Position], int],
        limits: Callable[[], Limits],
    ) -> None:
        self._game, self._evaluation, self._limits = copy.copy(game), evaluation, limits
        # Only this copy's methods are replaced, here and in move().
        if self.plain:
            self._game.kernel = lambda position, context, tree: None  # type: ignore[method-assign]
        self._learned = None
        if isinstance(evaluation, bytes):
            self._learned = evaluation_of(game, evaluation, rules.start(game))
        self._options = {option.name: option.default for option in registry.options()}
        self._memory: dict[Any, Any] = {}
        self.nodes, self.seconds = 0, 0.0

    def begin(self) -> None:
        """Begin a new game."""
        release(self._memory)

    def prepare(self, context: Context) -> None:
        """Prepare the context of a move's search."""

    def move(self, played: list[int]) -> int:
        """Return the move to play after `moves`."""
        position = rules.start(self._game)
        position.game = self._game
        if self.plain:
            position.solve = None  # type: ignore[assignment,method-assign]
        if self._learned is not None:
            self._learned.attach(position)
        elif self._evaluation == NONE:
            position.evaluate = lambda: 0  # type: ignore[method-assign]
        elif callable(self._evaluation):
            position.evaluate = partial(self._evaluation, position)  # type: ignore[method-assign]
        for move in played:
            position.make(move)
        context = context_of(position, self._limits(), self._options, self._memory, _MEGABYTES)
        context.random = random.Random(len(played))
        self.prepare(context)
        began = time.process_time()
        reports: list[Report] = []
        lines = think(position, context, reports.append)
        self.seconds += time.process_time() - began
        self.nodes += reports[-1].nodes
        return lines[0].moves[0]


def play(
    game: Game,
    one: Player | _Greedy,
    other: Player | _Greedy,
    pairs: int,
    seed: int,
    ends: Callable[[Score], bool | None],
    plies: int | None = None,
) -> Score:
    """Return the Score of `one` against `other` in games from random openings.

    ends: called with the Score after each pair; a true result ends the match.
    plies: length of the openings.
    """
    points: list[float] = []
    margins = 0.0
    for pair in range(pairs):
        opening = _opening(game, random.Random(f"opening {seed} {pair}"), plies)
        results = [_game(game, one, other, colour, opening) for colour in (0, 1)]
        points.append(sum(0.5 + 0.5 * ((result > 0) - (result < 0)) for result in results))
        margins += sum(results)
        score = Score(points, margins / (2 * len(points)))
        if ends(score):
            break
    return score


def _game(
    game: Game, one: Player | _Greedy, other: Player | _Greedy, colour: int, opening: list[int]
) -> float:
    """Play a game and return the result of `one`, who has `colour`."""
    position, moves = rules.start(game), list(opening)
    for move in opening:
        position.make(move)
    one.begin()
    other.begin()
    legal = position.legal_moves()
    while legal and len(moves) < rules.LONGEST:
        mover = one if position.side == colour else other
        moves.append(mover.move(moves) if len(legal) > 1 else legal[0])
        position.make(moves[-1])
        legal = position.legal_moves()
    return rules.result(position) * (1 - 2 * colour)
