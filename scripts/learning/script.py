"""scripts/learn: the command line."""

from __future__ import annotations

import argparse
import copy
import functools
import os
import pathlib
from typing import Callable, NoReturn

from games import registry
from games.base import Game, overrides
from games.data import DamagedError
from games.learned import weights
from plyglot.command import plugin_path
from scripts.command_line import (
    Parser,
    above_zero,
    add_limits,
    limits_of,
    limits_text,
    positive,
    see,
    tell,
)
from scripts.jobs import script
from scripts.jobs.files import XML, Output
from scripts.jobs.run import Run
from scripts.learning import match, pictures, rules
from scripts.learning.session import SUFFIX, Learning, Settings
from scripts.learning.survey import KINDS, SurveyError
from search.limits import Limits

_SCRIPT = "scripts/learn"
_DESCRIPTION = """A game learns an evaluation by playing against itself.

It is left in a file NAME.weights beside the game, and every front end's play uses it from then on.
""" + see("learning.md").strip()
_EPILOG = """examples:
  scripts/learn --plugin mygame.py --game mygame                    writes mygame.weights
  scripts/learn --plugin mygame.py --game mygame --minutes 60       goes on where that ended
  scripts/learn --plugin mygame.py --game mygame --match own --depth 3 --rounds 100
                                          games against what mygame.py evaluates by itself
PyPy learns several times as fast as CPython."""
_MINUTES, _ROUNDS, _DEPTH = 10.0, 100, 3
NOTHING = 1  # the exit status where nothing was learned, or where it can't go on


def run_script() -> NoReturn:
    """The whole script."""
    script.run_script(_SCRIPT, main)


def main() -> int:
    """Carry out the command line; the exit status."""
    parser = _parser()
    arguments = parser.read()
    game = rules.game_called(arguments.game)
    path = arguments.output or usual_path(game)
    try:
        if arguments.match is not None:
            return _match(game, path, arguments)
        return _learn(game, path, arguments)
    except (SurveyError, DamagedError) as error:
        parser.error(error)


def usual_path(game: Game) -> str:
    """Where the weights go: beside the game, but not where it would be worse off with them.

    That is where it has a kernel or a solver of its own, to which its play is fitted.
    """
    path = registry.weights_path(game)
    fitted = type(game).kernel is not Game.kernel or overrides(rules.start(game), "solve")
    return os.path.basename(path) if fitted else path


def _parser() -> Parser:
    parser = Parser(_SCRIPT, description=_DESCRIPTION, epilog=_EPILOG)
    add = parser.add_argument
    parser.add_game_option(required=True)
    parser.add_plugin_option()
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="the weights (default: NAME.weights beside the game; in this "
        "directory where the game has a kernel or a solver of its own, which play would miss)",
    )
    add(
        "--minutes",
        metavar="N",
        type=above_zero,
        help=f"how long, all runs together (default {_MINUTES:g}, where --games says nothing)",
    )
    add("--games", metavar="N", type=positive, help="how many games, all runs together")
    add("--seed", metavar="N", type=int, default=1, help="of all that is random (default 1)")
    add("--anew", action="store_true", help="begin again, whatever was learned before")
    parser.add_force_option()
    group = parser.add_argument_group("how it learns")
    group.add_argument(
        "--patterns",
        metavar="KIND",
        nargs="+",
        choices=KINDS,
        help=f"of cells, some of {', '.join(KINDS)} (default: all but cells)",
    )
    group.add_argument(
        "--phases",
        metavar="N",
        type=positive,
        help="weights for so many parts of the game (default: 3 "
        "where the board fills or empties, else 1)",
    )
    group.add_argument(
        "--lambda", dest="decay", metavar="X", type=_share, default=0.8, help="default 0.8"
    )
    group.add_argument("--rate", metavar="X", type=above_zero, default=1.0, help="default 1")
    group.add_argument(
        "--exploring",
        metavar="X",
        type=_share,
        default=0.1,
        help="share of moves drawn by lot (default 0.1)",
    )
    group.add_argument(
        "--opening",
        metavar="N",
        type=int,
        default=8,
        help="games begin with less than so many moves drawn by lot (default 8)",
    )
    group = parser.add_argument_group("many cores or machines")
    script.add_options(group)
    group = parser.add_argument_group("a match instead")
    group.add_argument(
        "--match",
        metavar="OTHER",
        help="let the weights play against those of a file, against the "
        "game's own evaluation (own) or against none (none)",
    )
    group.add_argument(
        "--rounds",
        metavar="N",
        type=positive,
        default=_ROUNDS,
        help="pairs of games (default 100)",
    )
    bounds = group.add_mutually_exclusive_group()
    add_limits(bounds, "of a move", depth=_DEPTH)
    return parser


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must lie between 0 and 1, not {text}")
    return value


# ---- learning -------------------------------------------------------------------------------


def _learn(game: Game, path: str, arguments: argparse.Namespace) -> int:
    files = _Files(path, _holds_weights_of(game), arguments.force)
    if arguments.anew:
        pathlib.Path(path + SUFFIX).unlink(missing_ok=True)
    minutes = arguments.minutes if arguments.minutes or arguments.games else _MINUTES
    settings = Settings(
        game,
        [plugin_path(where) for where in arguments.plugin],
        arguments.seed,
        minutes,
        arguments.games,
        kinds=arguments.patterns,
        phases=arguments.phases,
        decay=arguments.decay,
        rate=arguments.rate,
        exploring=arguments.exploring,
        opening=arguments.opening,
    )
    runner = _runner(arguments)
    learning = Learning(settings, path, tell, runner)
    tell(_greeting(learning))
    try:
        learning.run()
        tell(learning.progress())
    finally:
        if runner is not None:
            runner.close()
        if learning.learner.games:
            files.write(learning)
    return _tell_verdict(learning, path)


def _runner(arguments: argparse.Namespace) -> Run | None:
    """What plays the games elsewhere; None where they are played here."""
    if arguments.executor is None and arguments.concurrency == 1:
        return None
    return script.open_run(arguments, "scripts.learning.selfplay:carry_out", processes=True)


def _greeting(learning: Learning) -> str:
    """What is looked at, in words."""
    network = learning.network
    layout = network.layout
    size = (
        f"{layout.columns}x{layout.rows} cells" if layout.rows > 1 else f"{layout.columns} features"
    )
    aim = "results" if network.scale is None else "margins"
    return (
        f"{learning.settings.game.name}: {len(layout.patterns)} patterns of {size}, "
        f"{len(layout.symmetries) + 1} symmetries, {layout.phases} phases, "
        f"{network.size * layout.phases} weights, learning {aim}"
        + (f"; going on after {learning.learner.games} games" if learning.learner.games else "")
    )


class _Files:
    """The weights and the pictures.  Raises FileError if one of them would replace a user's file.

    ours: returns whether the file at a path holds weights of this game.
    """

    def __init__(self, path: str, ours: Callable[[pathlib.Path], bool], force: bool) -> None:
        base = os.path.splitext(path)[0]
        self._weights = Output(path, force=force, is_ours=ours)
        self._curve = Output(base + ".curve.svg", XML, force)
        self._picture = Output(base + ".picture.svg", XML, force)

    def write(self, learning: Learning) -> None:
        """Write them as they are by now."""
        title = f"{learning.settings.game.name} after {learning.learner.games} games"
        self._weights.write([learning.weights()])
        if learning.curve:
            self._curve.write([pictures.curve(learning.curve, title)])
        self._picture.write([pictures.weights(learning.learner, title)])


def _holds_weights_of(game: Game) -> Callable[[pathlib.Path], bool]:
    """What returns whether a file holds weights of a game."""

    def holds(path: pathlib.Path) -> bool:
        try:
            return weights.read(path.read_bytes()).game == game.name
        except DamagedError:
            return False

    return holds


def _tell_verdict(learning: Learning, path: str) -> int:
    """Say what was learned; weights that are worth nothing go."""
    learned, lines = learning.verdict()
    for line in lines:
        tell(line)
    if not learned:
        pathlib.Path(path).unlink(missing_ok=True)
        return NOTHING
    tell(f"{path}: {learning.learner.games} games, {learning.learner.positions} positions")
    return 0


# ---- a match --------------------------------------------------------------------------------


def _match(game: Game, path: str, arguments: argparse.Namespace) -> int:
    chosen = limits_of(arguments, depth=_DEPTH)
    limits = functools.partial(copy.copy, chosen)
    one, against = _player(game, path, limits), arguments.match
    if against in (match.OWN, match.NONE):
        other = match.Player(game, against, limits)
    else:
        other = _player(game, against, limits)
    score = match.play(
        game,
        one,
        other,
        arguments.rounds,
        arguments.seed,
        lambda score: tell(str(score)) if score.games % 20 == 0 else None,
    )
    speeds = " and ".join(f"{player.nodes / player.seconds:.0f}" for player in (one, other))
    tell(
        f"{os.path.basename(path)} against {arguments.match}, {limits_text(chosen)}: {score}; "
        f"{speeds} nodes a second of the processor's time"
    )
    return 0


def _player(game: Game, path: str, limits: Callable[[], Limits]) -> match.Player:
    """Who plays by the weights of a file; DamagedError names the file."""
    try:
        return match.Player(game, pathlib.Path(path).read_bytes(), limits)
    except DamagedError as error:
        raise DamagedError(f"{path}: {error}") from None
