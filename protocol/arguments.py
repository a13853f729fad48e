"""The command line, and the environment variable for front ends that can't pass arguments.

Imported only if there are arguments to read: importing argparse takes longer than everything else
at the start.
"""

from __future__ import annotations

import argparse
import os

from games import notices, registry
from protocol.base import commands_of, printable
from protocol.table import TABLE, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn

PLUGINS_VARIABLE = "PLYGLOT_PLUGINS"

_EPILOG = """Front ends start it without arguments and speak {protocols};
the first line of input decides which.
Words on the command line are one UCI command, run and then left, for example:
  {program} bench
  {program} --game othello go depth 6
The environment variable {variable} names plugins, separated by '{separator}'."""


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, without the usage text."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parse(
    program: str, arguments: Sequence[str], version: str, scripts: Mapping[str, str]
) -> argparse.Namespace:
    """Return the parsed command line; exit with a message if it is wrong.

    program: name of the file that was started: engine.py or an archive made of it.
    scripts: {name: help} of the scripts that the program can run.
    """
    parser = _parser(program, version, scripts)
    parsed = parser.parse_args(arguments)
    words = " ".join(parsed.command).split()
    begins = [row.name for row in TABLE if row.is_argument]
    if words and words[0] not in begins and parsed.protocol in (None, "uci"):
        known = [*commands_of(find("uci").load()), *scripts, *begins]
        if words[0].lower() not in known:
            hint = registry.hint(words[0], known)
            parser.error(f"unknown command: {printable(words[0], 60)}{hint}")
    return parsed


def load_plugins(program: str, found: argparse.Namespace) -> None:
    """Load the plugins for the engine, and write each error as one line to stderr."""
    fail = _Parser(prog=program).error
    load_games(found, lambda error: notices.on_stderr(f"{program}: {error}"), fail)


def load_games(
    found: argparse.Namespace,
    complain: Callable[[str], object],
    fail: Callable[[str], NoReturn],
) -> None:
    """Load the plugins that the environment and the command line name, and check `game`.

    found: a parsed command line; its `plugin` becomes the list of all plugins.
    complain: reports a plugin of the environment that can't be loaded.  The program then goes on,
        since front ends for other games share the environment.
    fail: reports any other error and ends the program.
    """
    loaded = []
    for where in filter(None, os.environ.get(PLUGINS_VARIABLE, "").split(os.pathsep)):
        try:
            registry.load_plugin(where)
            loaded.append(where)
        except registry.PluginError as error:
            complain(str(error))
    try:
        for where in found.plugin:
            registry.load_plugin(where)
        if getattr(found, "game", None) is not None:
            registry.canonical(found.game)
    except (registry.PluginError, registry.UnknownGame) as error:
        fail(str(error))
    found.plugin = list(dict.fromkeys([*loaded, *found.plugin]))


def _parser(program: str, version: str, scripts: Mapping[str, str]) -> argparse.ArgumentParser:
    *titles, last = (row.title for row in TABLE)
    epilog = _EPILOG.format(
        program=program,
        protocols=f"{', '.join(titles)} or {last}",
        variable=PLUGINS_VARIABLE,
        separator=os.pathsep,
    )
    if scripts:
        lines = [f"  {program} {name:<15} {help}" for name, help in scripts.items()]
        epilog = "\n".join([epilog, "", "Scripts, each with a --help of its own:", *lines])
    parser = _Parser(
        prog=program,
        description="Plyglot, a board-game engine.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--game", metavar="NAME", help="start with this game (default: chess)")
    add(
        "--protocol",
        choices=sorted(row.name for row in TABLE),
        help="speak this protocol instead of detecting it",
    )
    add(
        "--plugin",
        metavar="FILE-OR-MODULE",
        action="append",
        default=[],
        help="add the games of a plugin",
    )
    add("--log", metavar="FILE", help="append a time-stamped transcript of both directions to FILE")
    add(
        "--no-threads",
        dest="threads",
        action="store_false",
        help="search in the thread that reads the input, as on a system without threads",
    )
    add("--version", action="version", version=f"Plyglot {version}")
    add("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="one UCI command to run")
    return parser
