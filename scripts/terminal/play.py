"""Play a game in the terminal, against an engine or another person, or watch two engines play.

[options]

Examples:
  scripts/play tictactoe                      you are asked whether you want to begin
  scripts/play othello --begin engine --depth 4
  scripts/play chess --engine /usr/games/stockfish --skill 3 --time 0.5
  scripts/play connect4 --two                 two people
  scripts/play gomoku --watch --time 0.2      engine against engine
  scripts/play --resume                       the last unfinished game
While the engine thinks, Ctrl-C makes it move now.  A second Ctrl-C leaves the game, and --resume
continues it.
In the game, `help` lists what you can type.  NO_COLOR=1 turns colours off,
TERM=dumb prints line after line.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import NoReturn

from games import registry
from games.base import GameError
from plyglot.command import own_command
from plyglot.errors import EngineError
from protocol.records.formats import KNOWN
from protocol.records.record import Start, read_options
from scripts.arena.engines import WITH_CLIENT, protocol_name
from scripts.command_line import (
    Parser,
    add_limits,
    between,
    limits_of,
    parsed_by,
    run_main,
    translated,
)
from scripts.jobs import signals
from scripts.terminal.commands import Commands
from scripts.terminal.match import PERSON, Match, MatchError, load, saved_path
from scripts.terminal.opponent import SECONDS, Level, Opponent
from scripts.terminal.screen import LineView, Screen, draws_in_place
from search.levels import STRONGEST, WEAKEST

_SCRIPT = "scripts/play"
ME, ENGINE = "me", "engine"


class PlayRequest:
    """The game that a command line asks for, and its players.

    match: the Match to begin with.
    opponents: for player 0 and player 1, the Opponent that plays, or None for a person.
    plugins: files and modules that define games.
    asks: whether to ask who begins.
    engines: all Opponents; the first one gives hints.
    """

    def __init__(self, arguments: Namespace) -> None:
        self.match = _match(arguments)
        level = Level(limits_of(arguments, SECONDS), arguments.skill)
        commands = arguments.engine or [own_command(arguments.plugin)]
        protocols = arguments.protocol or [None]
        # Two engines take the first and the last command, which may be the same.
        ends = (0, -1) if arguments.watch else (0,)
        if len(commands) > len(ends):
            raise ValueError("--engine can be given once, or twice with --watch")
        self.engines = [Opponent(commands[end], protocols[end], level) for end in ends]
        self.plugins, self.watch = arguments.plugin, arguments.watch
        self.hints = arguments.hints or arguments.watch
        self.asks = False
        self.opponents: list[Opponent | None]
        engine = self.engines[0]
        if arguments.watch:
            self.opponents = [*self.engines]
        elif arguments.two:
            self.opponents = [None, None]
        elif arguments.resume and PERSON in self.match.players:
            self.opponents = [None if name == PERSON else engine for name in self.match.players]
        else:
            self.opponents = [engine, None] if arguments.begin == ENGINE else [None, engine]
            self.asks = arguments.begin is None


def _parser() -> Parser:
    """Return the parser with its help texts."""
    parser = Parser(_SCRIPT, __doc__)
    add = parser.add
    add("[GAME]", "one of " + ", ".join(registry.names()))
    side = parser.alternatives()
    side("--begin", "who moves first (if left out, you are asked)", choices=(ME, ENGINE))
    side("--two", "two people play; the engine only gives hints")
    side("--watch", "watch the engine play against itself, or two engines (give --engine twice)")
    add("--engine COMMAND", "the engine that plays (default: Plyglot)", action="append")
    protocol = f"the engine's protocol: {', '.join(WITH_CLIENT)} (default uci)"
    add("--protocol NAME", protocol, action="append", type=parsed_by(protocol_name))
    add_limits(add, "of the engine's move", seconds=SECONDS, more="--time")
    skill = f"Skill Level of the engine: {WEAKEST} to {STRONGEST}, the strongest"
    add("--skill LEVEL", skill, type=between(WEAKEST, STRONGEST))
    add("--position TEXT", "start from this position (in chess a FEN)")
    add("--load FILE", f"continue a game from a file ({KNOWN})")
    add("--resume", "continue the last unfinished game")
    add("--hints", "show the score and depth of the engine's moves (always with --watch)")
    option = "set an option of the game, e.g. BoardSize=9"
    add("--game-option NAME=VALUE", option, [], action="append")
    parser.add_plugin_option()
    return parser


def _refuse(arguments: Namespace, option: str, *others: str) -> None:
    """Raise ValueError if `option`, which continues a game, is combined with any of `others`."""
    for name in others:
        if getattr(arguments, name.lstrip("-").replace("-", "_").lower()) not in (None, []):
            what = f"{option} continues a game as it is"
            raise ValueError(f"{what} and can't be combined with {name}")


def _match(arguments: Namespace) -> Match:
    if arguments.resume:
        _refuse(arguments, "--resume", "GAME", "--load", "--position", "--game-option", "--begin")
        if not saved_path().exists():
            raise ValueError("there is no unfinished game to resume")
        return load(str(saved_path()))
    if arguments.load:
        _refuse(arguments, "--load", "--position", "--game-option")
        return load(arguments.load, arguments.game)
    if arguments.game is None:
        raise ValueError(f"name a game: {', '.join(registry.names())}")
    game = registry.get(arguments.game)
    with translated(ValueError, GameError, before="--position: "):
        return Match(Start(game, arguments.position, read_options(game, arguments.game_option)))


def run_script() -> NoReturn:
    """Run scripts/play."""
    signals.listen()
    run_main(_SCRIPT, main, MatchError)


def main() -> None:
    """Play the game of the command line; raise MatchError if it can't begin."""
    with translated(MatchError, ValueError):
        request = PlayRequest(_parser().read())
    try:
        with translated(MatchError, EngineError, before="the engine: "):
            for engine in request.engines:
                if engine in request.opponents:
                    engine.open()
                engine.check(engine.level)
        Commands(request, Screen() if draws_in_place(sys.stdout) else LineView()).run()
    finally:
        for engine in request.engines:
            engine.close()
