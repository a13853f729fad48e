"""The command line, and the environment for front ends that can't pass arguments.

Imported only where there is something to read: argparse costs more than the rest of the start.
"""
from __future__ import annotations

import argparse
import os

from games import registry
from protocol.detect import PROTOCOLS

PLUGINS_VARIABLE = "PLYGLOT_PLUGINS"

_EPILOG = """Front ends start it without arguments and speak UCI, GTP, Gomocup, CECP or NBoard; the first line tells which.
Words on the command line are one UCI command, run and then left, for example:
  {program} bench
  {program} --game othello go depth 6
The environment variable {variable} names plugins, separated by '{separator}'."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, as all that the engine says on stderr."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parse(program, arguments, version):
    """The namespace of a command line, its plugins loaded; exits with a message where it is wrong.

    program: the name of the file that was started, engine.py or an archive made of it.
    """
    epilog = _EPILOG.format(program=program, variable=PLUGINS_VARIABLE, separator=os.pathsep)
    parser = _Parser(prog=program, description="Plyglot, a board-game engine.", epilog=epilog,
                     formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--game", metavar="NAME", help="the first game (default: chess)")
    parser.add_argument("--protocol", choices=sorted(PROTOCOLS), help="the protocol, whatever the first line says")
    parser.add_argument("--plugin", metavar="FILE-OR-MODULE", action="append", default=[], help="add games from it")
    parser.add_argument("--log", metavar="FILE", help="append a time-stamped transcript of both directions to FILE")
    parser.add_argument("--version", action="version", version=f"Plyglot {version}")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="one UCI command to run")
    found = parser.parse_args(arguments)
    for where in [path for path in os.environ.get(PLUGINS_VARIABLE, "").split(os.pathsep) if path] + found.plugin:
        try:
            registry.load_plugin(where)
        except registry.PluginError as error:
            parser.error(str(error))
    if found.game is not None:
        try:
            registry.canonical(found.game)
        except KeyError:
            parser.error(f"no such game: {found.game} (there are: {', '.join(registry.names())})")
    return found
