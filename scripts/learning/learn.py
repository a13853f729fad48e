"""Let a game learn an evaluation by self-play.

The evaluation is written to NAME.weights beside the game, and the engine uses it from then on.

[options]

examples:
  scripts/learn --plugin mygame.py --game mygame                    writes mygame.weights
  scripts/learn --plugin mygame.py --game mygame --minutes 60       continues it
PyPy learns several times as fast as CPython."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import pathlib
from typing import NoReturn

from games import registry
from games.base import Game, overrides
from games.data import DamagedError
from games.learned import weights
from games.learned.evaluation import unlearned
from plyglot.command import plugin_path
from protocol.records.record import Start
from scripts.command_line import Parser, above_zero, between, counted, positive, see, tell
from scripts.jobs import command
from scripts.jobs.files import GrowingFile, Output, check_distinct
from scripts.learning import match
from scripts.learning.selfplay import carry_out
from scripts.learning.session import Learning, TrainingSettings
from scripts.learning.survey import KINDS, SurveyError

_SCRIPT = "scripts/learn"
_MINUTES = 10.0
_PAIRS = 100  # pairs of games in the final comparison
NOTHING = 1  # exit status if nothing was learned or the training can't continue


def run_script() -> NoReturn:
    """Run scripts/learn."""
    command.run_script(_SCRIPT, main, SurveyError, DamagedError)


def main() -> int:
    """Carry out the command line and return the exit status."""
    parser = _parser()
    arguments = parser.read()
    game = unlearned(registry.get(arguments.game))
    path = arguments.output or usual_path(game)
    files = [("--plugin", plugin) for plugin in arguments.plugin if plugin.endswith(".py")]
    check_distinct(*files, ("--output", path))
    output = Output(path, force=arguments.force, is_ours=functools.partial(_holds_weights, game))
    # Lock a separate file, since the weights file itself is replaced at each save.
    with contextlib.closing(GrowingFile(f"{path}.lock")):
        return _train(game, path, output, arguments)


def usual_path(game: Game) -> str:
    """Return the default path of the weights: beside the game, or in the current directory.

    Weights beside a game would replace its own kernel or solver.  So if the game has either, the
    weights go to the current directory.
    """
    path, _ = registry.weights_file(game)
    fitted = type(game).kernel is not Game.kernel or overrides(Start(game).position(), "solve")
    return os.path.basename(path) if fitted else path


def _parser() -> Parser:
    parser = Parser(_SCRIPT, f"{__doc__}{see('learning.md')}")
    add = parser.add
    parser.add_game_option(required=True)
    parser.add_plugin_option()
    beside = "beside the game, or in this directory if the game has its own kernel or solver"
    add("-o --output FILE", f"the weights file (default: NAME.weights, {beside})")
    minutes = f"total training time of all runs (default {_MINUTES:g} without --games)"
    add("--minutes N", minutes, type=above_zero)
    add("--games N", "total number of games of all runs", type=positive)
    add("--seed N", "random seed", 1)
    parser.add_force_option()
    add = parser.group("training parameters")
    kinds = f"patterns of cells, some of {', '.join(KINDS)} (default: all but cells)"
    add("--patterns KIND", kinds, nargs="+", choices=KINDS)
    phases = "phases with separate weights (default: 3 if the board fills or empties, else 1)"
    add("--phases N", phases, type=positive)
    share = between(0, 1, float)
    add("--lambda X", "weight of later results, 0 to 1", 0.8, dest="decay", type=share)
    add("--exploring X", "share of random moves", 0.1, type=share)
    add("--opening N", "each game begins with fewer than N random moves", 8)
    command.add_options(parser.group("many cores or machines"))
    return parser


def _train(game: Game, path: str, output: Output, arguments: argparse.Namespace) -> int:
    """Begin or continue the training and return the exit status."""
    if arguments.minutes is arguments.games is None:
        arguments.minutes = _MINUTES
    plugins = [plugin_path(where) for where in arguments.plugin]
    given = {name: getattr(arguments, name) for name in TrainingSettings._fields[2:]}
    settings = TrainingSettings(game, plugins, **given)
    runner = None  # then this process plays the games
    if arguments.executor is not None or arguments.concurrency > 1:
        runner = command.open_run(arguments, carry_out, ("job", "done"), True)
    learning = Learning(settings, path, tell, runner)
    tell(_greeting(learning))
    try:
        learning.run()
        tell(learning.progress())
    finally:
        if runner is not None:
            runner.close()
        if learning.learner.games:
            output.write([learning.weights()])
    return _tell_verdict(learning, path)


def _greeting(learning: Learning) -> str:
    """Return the first line to show: the game, the size of its layout, the games played so far."""
    layout, earlier = learning.network.layout, counted(learning.learner.games, "game")
    size = f"{layout.columns}x{layout.rows} cells" if layout.rows > 1 else "features"
    state = f"; continuing after {earlier}" if learning.learner.games else ""
    if learning.share() >= 1:
        state = f"; finished after {earlier}: to continue, give a larger --minutes or --games"
    return (
        f"{learning.settings.game.name}: {len(layout.patterns)} patterns of {size}, "
        f"{len(layout.symmetries) + 1} symmetries, phases: {layout.phases}, "
        f"{learning.network.size * layout.phases} weights{state}"
    )


def _holds_weights(game: Game, path: pathlib.Path) -> bool:
    """Does a file hold weights of this game?

    Such a file may be replaced without --force, even after the user has deleted the saved state to
    start from scratch.
    """
    try:
        return weights.read(path.read_bytes()).game == game.name
    except DamagedError:
        return False


def _tell_verdict(learning: Learning, path: str) -> int:
    """Report what was learned, and return the exit status.

    The weights file is deleted if nothing was learned.
    """
    settings = learning.settings
    score = match.quick(settings.game, learning.network, _PAIRS, settings.seed)
    tell(f"the learned evaluation scores {score} against play without evaluation, at depth 1")
    if score.low <= 0.5:
        tell("nothing was learned: the results are random, or the patterns say nothing about them")
        pathlib.Path(path).unlink(missing_ok=True)
        return NOTHING
    learner = learning.learner
    tell(f"{path}: {counted(learner.games, 'game')}, {counted(learner.positions, 'position')}")
    return 0
