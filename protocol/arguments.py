"""The command line, and the environment for front ends that can't pass arguments.

Imported only where there is something to read: argparse costs more than the rest of
the start.
"""
from __future__ import annotations

import argparse
import os

from games import registry
from protocol.detect import PROTOCOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

PLUGINS_VARIABLE = "PLYGLOT_PLUGINS"

_EPILOG = """Front ends start it without arguments and speak UCI, GTP, Gomocup, CECP or NBoard;
the first line tells which.
Words on the command line are one UCI command, run and then left, for example:
  {program} bench
  {program} --game othello go depth 6
The environment variable {variable} names plugins, separated by '{separator}'."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, as all that the engine says on stderr."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parse(program: str, arguments: Sequence[str], version: str) -> argparse.Namespace:
    """The namespace of a command line, its plugins loaded; exits with a message where it is wrong.

    program: the name of the file that was started, engine.py or an archive made of it.
    """
    parser = _parser(program, version)
    found = parser.parse_args(arguments)
    for where in plugins_of_environment() + found.plugin:
        try:
            registry.load_plugin(where)
        except registry.PluginError as error:
            parser.error(str(error))
    if found.game is not None:
        try:
            registry.canonical(found.game)
        except registry.UnknownGame as error:
            parser.error(str(error))
    return found


def plugins_of_environment() -> list[str]:
    """The files and modules that the environment variable names."""
    return [where for where in os.environ.get(PLUGINS_VARIABLE, "").split(os.pathsep) if where]


def _parser(program: str, version: str) -> argparse.ArgumentParser:
    epilog = _EPILOG.format(program=program, variable=PLUGINS_VARIABLE, separator=os.pathsep)
    parser = _Parser(prog=program, description="Plyglot, a board-game engine.", epilog=epilog,
                     formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = parser.add_argument
    add("--game", metavar="NAME", help="the first game (default: chess)")
    add("--protocol", choices=sorted(PROTOCOLS), help="the protocol, whatever the first line says")
    add("--plugin", metavar="FILE-OR-MODULE", action="append", default=[], help="add games from it")
    add("--log", metavar="FILE", help="append a time-stamped transcript of both directions to FILE")
    add("--version", action="version", version=f"Plyglot {version}")
    add("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="one UCI command to run")
    return parser
