"""What the scripts' command lines share: a parser, how a mistake is told, text fit for a terminal.

Whatever is wrong is one line on stderr, and the exit status is 2:

    scripts/NAME: what is wrong (see scripts/NAME --help)
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import Any, NoReturn

from games import registry
from plyglot.command import WINDOWS
from protocol.arguments import plugins_of_environment
from protocol.base import printable
from search.limits import Limits

# The program that the scripts are words of, and these words.
_called: list[tuple[str, tuple[str, ...]]] = []
_COMMAND = re.compile(
    r"\bscripts/(analyse|bench|board|check|learn|lint|new_game|package|perft|"
    r"play|test|torture|tournament|tree)\b(?!/)"
)
LONGEST = 500  # characters of a line that tells what is wrong
WRONG = 2  # the exit status where something is wrong
# How typographic characters are written in encodings that lack them, and the handler that does it.
_PLAIN = {"–": "-", "—": "-", "−": "-", "½": "1/2", "…": "...", "×": "x", "’": "'", "•": "*"}
_PLAIN_ERRORS = "plyglot.plain"
UNREAD = 1  # ... where the reader of the output (head, less) has seen enough


def _in_plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace the first character that an encoding lacks."""
    if isinstance(error, UnicodeEncodeError) and error.object[error.start] in _PLAIN:
        return _PLAIN[error.object[error.start]], error.start + 1
    return codecs.backslashreplace_errors(error)


def _prepare_streams() -> None:
    """Have the standard streams open, and no character end a script.

    What an encoding lacks is written in plain characters or as an escape; undecodable input
    becomes surrogates, so that the name of a file still finds it.  Streams that were closed
    before we began lead nowhere, for child processes, too: Python has None in their place,
    and the next file that is opened would get their number.
    """
    for name, mode, errors in (
        ("stdin", "r", "surrogateescape"),
        ("stdout", "w", _PLAIN_ERRORS),
        ("stderr", "w", _PLAIN_ERRORS),
    ):
        stream = getattr(sys, name)
        if stream is None:
            stream = open(os.devnull, mode, encoding="utf-8")
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
        if isinstance(stream, TextIOWrapper):  # not what a test put in its place
            stream.reconfigure(errors=errors)
            if name == "stdin" and stream.encoding.lower() == "utf-8" and not stream.isatty():
                # .NET programs and PowerShell begin with a byte order mark
                stream.reconfigure(encoding="utf-8-sig", errors=errors)


codecs.register_error(_PLAIN_ERRORS, _in_plain)
_prepare_streams()  # by import: whatever a script does first may need them


class Parser(argparse.ArgumentParser):
    """A parser whose help keeps its lines, and whose complaints are one line without the usage."""

    def __init__(self, prog: str | None = None, **keywords: Any) -> None:
        keywords.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        prog = prog or "scripts/" + os.path.basename(sys.argv[0])
        super().__init__(prog, allow_abbrev=False, **keywords)

    def format_help(self) -> str:
        """The help, its commands as they are written here."""
        return as_called(super().format_help())

    def read(self, words: Sequence[str] | None = None) -> argparse.Namespace:
        """The arguments of a script that takes a game and plugins; exits if they are wrong.

        The plugins are loaded that --plugin and PLYGLOT_PLUGINS name: `plugin` is the list of
        both. `game`, if given, is known.
        """
        arguments = self.parse_args(words)
        arguments.plugin = self._load_plugins(arguments.plugin)
        if getattr(arguments, "game", None) is not None:
            try:
                registry.canonical(arguments.game)
            except registry.UnknownGame as error:
                self.error(error)
        return arguments

    def _load_plugins(self, named: Sequence[str]) -> list[str]:
        """Load plugins, and those of the environment, of which one that fails costs a line."""
        loaded = []
        for where in plugins_of_environment():
            try:
                registry.load_plugin(where)
                loaded.append(where)
            except registry.PluginError as error:
                complain(self.prog, error)
        for where in named:
            try:
                registry.load_plugin(where)
            except registry.PluginError as error:
                self.error(error)
        return list(dict.fromkeys([*loaded, *named]))

    def add_game_option(
        self, help: str = "a game of the registry", among: Sequence[str] = (), **more: Any
    ) -> None:
        """Add --game, as all scripts take it.  among: the only games that will do, if given."""

        def one_of(name: str) -> str:
            with contextlib.suppress(registry.UnknownGame):
                if registry.canonical(name) in among:
                    return registry.canonical(name)
            raise argparse.ArgumentTypeError(f"must be {' or '.join(among)}, not {name}")

        if among:
            more["type"] = one_of
        self.add_argument("--game", metavar="NAME", help=help, **more)

    def add_plugin_option(self) -> None:
        """Add --plugin, as all scripts take it: repeated, a list of the files or modules."""
        self.add_argument(
            "--plugin",
            metavar="FILE-OR-MODULE",
            action="append",
            default=[],
            help="add games from it",
        )

    def add_force_option(self) -> None:
        """Add --force, as all scripts that write files take it (scripts/jobs/files.py)."""
        self.add_argument(
            "--force", action="store_true", help="replace files that are there already and not ours"
        )

    def error(self, message: str | Exception) -> NoReturn:
        """Tell what is wrong, an exception or a text, and exit."""
        fail(self.prog, message)


def add_limits(
    group: Any,
    of: str,
    seconds: float | None = None,
    depth: int | None = None,
    time: Sequence[str] = ("--movetime",),
) -> None:
    """Add the limits of a search: --movetime, --depth and --nodes.

    group: a parser or a group of one.  of: what they are for.  seconds, depth: the default, for
    the help.  time: the names of the first.
    """
    add = group.add_argument
    add(
        *time,
        metavar="SECONDS",
        dest="movetime",
        type=above_zero,
        help=f"time {of}" + (f" (default {seconds:g})" if seconds else ""),
    )
    add(
        "--depth",
        metavar="PLIES",
        type=positive,
        help=f"search depth {of}" + (f" (default {depth})" if depth else ""),
    )
    add("--nodes", metavar="N", type=positive, help=f"nodes {of}")


def limits_of(
    arguments: argparse.Namespace, seconds: float | None = None, depth: int | None = None
) -> Limits:
    """The Limits that the options of add_limits() ask for, or else these."""
    if arguments.movetime is arguments.depth is arguments.nodes is None:
        return Limits(movetime=seconds, depth=depth)
    return Limits(movetime=arguments.movetime, depth=arguments.depth, nodes=arguments.nodes)


def limits_text(limits: Limits) -> str:
    """Limits in words."""
    parts = [
        f"depth {limits.depth}" if limits.depth else "",
        f"{limits.nodes} nodes a move" if limits.nodes else "",
        f"{limits.movetime:g} s a move" if limits.movetime else "",
    ]
    return ", ".join(part for part in parts if part)


def positive(text: str) -> int:
    """A whole number of an option, at least 1."""
    return _whole_number(text, 1)


def from_zero(text: str) -> int:
    """A whole number of an option, at least 0."""
    return _whole_number(text, 0)


def _whole_number(text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not '{text}'") from None
    if value < least:
        raise argparse.ArgumentTypeError(f"must be at least {least}, not {text}")
    return value


def above_zero(text: str) -> float:
    """A number of an option, above 0."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not '{text}'") from None
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"must be above 0, not {text}")
    return value


def called_as(program: str, words: Iterable[str]) -> None:
    """From here on the scripts are `words` of a command line of `program`, the engine's own."""
    _called[:] = [(program, tuple(words))]


def command_text(words: Sequence[str]) -> str:
    """A command as people type it here, with the system's quotes."""
    return as_called(subprocess.list2cmdline(words) if WINDOWS else shlex.join(words))


def as_called(text: str) -> str:
    """A text, its commands (`scripts/NAME`, `python3 engine.py`) as people type them here."""
    for program, words in _called:
        text = re.sub(rf"\bscripts/(?=({'|'.join(words)})\b)", program + " ", text)
        text = text.replace("python3 engine.py", program)
    if _called:
        return text
    names = ("py", "python") if WINDOWS else ("python3", "python")
    python = next(filter(shutil.which, names), names[-1])
    if WINDOWS:  # a file without a suffix is no program there
        text = _COMMAND.sub(rf"{python} \g<0>", text)
    return re.sub(r"\bpython3(?= \S*engine\.py)", python, text)


def fail(script: str, error: str | Exception) -> NoReturn:
    """Tell what is wrong and exit; silently where nobody reads our output any more."""
    if isinstance(error, BrokenPipeError):
        os._exit(UNREAD)  # an exit that flushes the output would complain of it
    complain(script, error)
    sys.exit(WRONG)


def complain(script: str, error: str | Exception) -> None:
    """Tell on stderr what is wrong: `error` is an exception or a text."""
    text = printable(reason(error) if isinstance(error, Exception) else error, LONGEST)
    with contextlib.suppress(OSError):  # a full disk: that may be what is to be told
        sys.stdout.flush()
    called = as_called(script)
    with contextlib.suppress(OSError):  # what is full or closed takes no message
        if sys.stderr.isatty() and sys.stdout.isatty():
            print(end="\r", file=sys.stderr)  # over a line that shows progress
        print(f"{called if _called else script}: {text} (see {called} --help)", file=sys.stderr)


def warn(script: str, text: str) -> None:
    """Tell on stderr what is wrong with a part of the work; the rest goes on."""
    with contextlib.suppress(OSError):
        print(f"{as_called(script)}: {printable(text, LONGEST)}", file=sys.stderr)


def reason(error: Exception) -> str:
    """An exception in words: of the system's errors the file and what happened, no number."""
    if isinstance(error, OSError) and error.strerror:
        name = getattr(error, "filename", None)
        return error.strerror if name is None else f"{name}: {error.strerror}"
    return str(error)


def see(page: str) -> str:
    """Return ` See docs/PAGE.`, or nothing if the docs are not here, as after pip install."""
    here = pathlib.Path(__file__).resolve().parent.parent / "docs" / page
    return f" See docs/{page}." if here.is_file() else ""


def clean(text: str) -> str:
    """A text of any lines, which may come from anywhere, with `?` for what can't be shown."""
    return "\n".join(printable(line, len(line)) for line in text.split("\n"))


def tell(text: str) -> None:
    """Show lines at once, also where the output goes to a file."""
    print(clean(text), flush=True)
