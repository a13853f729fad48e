"""The command line, and the environment variable for front ends that can't pass arguments.

Imported only if there are arguments to read: importing argparse takes longer than everything else
at the start.
"""

from __future__ import annotations

import argparse
import os
from functools import partial

from games import registry
from protocol.base import PRODUCT, VERSION, commands_of, printable
from protocol.table import TABLE, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NoReturn

PLUGINS_VARIABLE = "PLYGLOT_PLUGINS"

_HELP = """Plyglot, a board-game engine.

[options]

Front ends start it without arguments and speak {protocols};
the first line of input decides which.
Words on the command line are one UCI command; the program ends after it, for example:
  {program} bench
  {program} --game othello go depth 6
The environment variable {variable} names plugins, separated by '{separator}'."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose help keeps its line breaks and whose errors are one line without the usage."""

    def __init__(self, prog: str, text: str | None, usage: str = "") -> None:
        """Make the parser of a program.

        text: the description and, after a line `[options]`, what follows the options in the help.
        """
        how: dict[str, Any] = {"formatter_class": argparse.RawDescriptionHelpFormatter}
        description, _, epilog = (text or "").partition("\n[options]\n")
        super().__init__(prog, usage or None, description, epilog, allow_abbrev=False, **how)

    def add(self, spec: str, help: str, default: Any = None, to: Any = None, **more: Any) -> None:
        """Add an option or argument, whose help names its default.

        spec: as it is typed: `-o --output FILE`, `--steps` (a flag), `GAME`, or `[GAME]` (may be
        left out).  If the default is a number, the value becomes a number of the same type.
        to: a group of this parser.  more: arguments of add_argument(), which override
        those that follow from `spec`.
        """
        names = [word for word in spec.split() if word.startswith("-")]
        values = [word.strip("[]") for word in spec.split() if not word.startswith("-")]
        how: dict[str, Any] = {"default": default}
        if len(values) == 1:
            how["metavar"] = values[0]
        elif values:
            how.update(metavar=tuple(values), nargs=len(values))
        elif not more:
            how = {"action": "store_true"}
        if spec.startswith("["):
            how["nargs"] = "?"
        if isinstance(default, (int, float)):
            how["type"] = type(default)
        if default is not None and default != [] and "(default" not in help:
            default_text = f"{default:g}" if isinstance(default, float) else default
            help += f" (default {default_text})"
        (to or self).add_argument(*names or [values[0].lower()], help=help, **{**how, **more})

    def add_plugin_option(self) -> None:
        """Add --plugin, which is the same in all programs.

        It can be repeated, and its value is a list.
        """
        help = "load games from a file or module (can be repeated)"
        self.add("--plugin FILE-OR-MODULE", help, [], action="append")

    def group(self, title: str) -> Callable[..., None]:
        """Return a function like add(), for options under a title of their own in the help."""
        return partial(self.add, to=self.add_argument_group(title))

    def alternatives(self, required: bool = False) -> Callable[..., None]:
        """Return a function like add(), for options that exclude each other."""
        return partial(self.add, to=self.add_mutually_exclusive_group(required=required))

    def load_games(self, parsed: argparse.Namespace, complain: Callable[[str], object]) -> None:
        """Load the plugins that the environment and the command line name, and check `game`.

        parsed: a parsed command line; its `plugin` becomes the list of all plugins.
        complain: reports a plugin of the environment that can't be loaded.  The program then goes
            on, since front ends for other games share the environment.  Any other error ends it.
        """
        loaded = []
        for where in filter(None, os.environ.get(PLUGINS_VARIABLE, "").split(os.pathsep)):
            try:
                registry.load_plugin(where)
                loaded.append(where)
            except registry.PluginError as error:
                complain(str(error))
        try:
            for where in parsed.plugin:
                registry.load_plugin(where)
            if getattr(parsed, "game", None) is not None:
                registry.canonical(parsed.game)
        except (registry.PluginError, registry.UnknownGame) as error:
            self.error(error)
        parsed.plugin = list(dict.fromkeys([*loaded, *parsed.plugin]))

    def error(self, message: str | Exception) -> NoReturn:
        """Print an error, given as an exception or a text, and exit."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parse(program: str, typed: Sequence[str], scripts: Mapping[str, str]) -> argparse.Namespace:
    """Return the parsed command line; exit with a message if it is wrong.

    A command that names a protocol becomes the option --protocol.

    program: name of the file that was started: engine.py or an archive made of it.
    scripts: {name: help} of the scripts that the program can run.
    """
    parser = _parser(program, scripts)
    parsed = parser.parse_args(typed)
    words = " ".join(parsed.command).split()
    begins = [row.name for row in TABLE if row.is_argument]
    if len(words) == 1 and words[0] in begins:
        parsed.protocol, parsed.command = parsed.protocol or words[0], []
    elif words and parsed.protocol in (None, "uci"):
        known = [*commands_of(find("uci").load()), *scripts, *begins]
        if words[0].lower() not in known:
            hint = registry.hint(words[0], known)
            parser.error(f"unknown command: {printable(words[0], 60)}{hint}")
    return parsed


def _parser(program: str, scripts: Mapping[str, str]) -> CommandParser:
    *titles, last = (row.title for row in TABLE)
    text = _HELP.format(
        program=program,
        protocols=f"{', '.join(titles)} or {last}",
        variable=PLUGINS_VARIABLE,
        separator=os.pathsep,
    )
    if scripts:
        lines = [f"  {program} {name:<15} {help}" for name, help in scripts.items()]
        text = "\n".join([text, "", "Scripts, each with a --help of its own:", *lines])
    parser = CommandParser(program, text)
    names = sorted(row.name for row in TABLE)
    in_place = "search in the thread that reads the input, as on a system without threads"
    parser.add("--game NAME", "start with this game (default: chess)")
    parser.add("--protocol", "speak this protocol instead of detecting it", choices=names)
    parser.add_plugin_option()
    parser.add("--log FILE", "append a time-stamped transcript of both directions to FILE")
    parser.add("--no-threads", in_place)
    parser.add_argument("--version", action="version", version=f"{PRODUCT} {VERSION}")
    parser.add("COMMAND", "one UCI command to run", nargs=argparse.REMAINDER)
    return parser
