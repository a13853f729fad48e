"""The common parts of the scripts' command lines: a parser, error messages, text for a terminal.

An error is one line on stderr, and the exit status is 2:

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
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from typing import Any, Callable, NoReturn

from plyglot.command import WINDOWS
from protocol.arguments import CommandParser
from protocol.base import printable
from search.limits import Limits

# [program, pattern of its subcommands] if a program runs the scripts as its subcommands, else [].
_called: list[str] = []
_COMMAND = re.compile(r"\bscripts/[a-z_]+\b(?![./])")
# Maximum number of characters of an error message.
LONGEST = 500
# Exit status after an error.
WRONG = 2
# If an encoding lacks a typographic character, the error handler named _PLAIN_ERRORS writes the
# replacement from this table.
_PLAIN = {"–": "-", "—": "-", "−": "-", "½": "1/2", "…": "...", "×": "x", "’": "'", "•": "*"}
_PLAIN.update(zip("─━│├└╳┄≥≤∞", "-=|++x.><~"))  # for drawings of trees
_PLAIN_ERRORS = "plyglot.plain"
UNREAD = 1  # exit status if the program that reads the output (head, less) has ended


def _in_plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return (replacement for the first character that can't be encoded, the index after it)."""
    if isinstance(error, UnicodeEncodeError) and error.object[error.start] in _PLAIN:
        return _PLAIN[error.object[error.start]], error.start + 1
    return codecs.backslashreplace_errors(error)


def _prepare_streams() -> None:
    """Make the standard streams safe to use: open, and able to take any character.

    Characters that an encoding lacks are written in plain form or as an escape.  Undecodable
    input becomes surrogates, so a file name in any encoding can still be opened.
    Python sets a stream to None if it was closed when Python started.  os.devnull replaces it here,
    also for child processes: otherwise the next opened file would get the stream's descriptor.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        is_input = name == "stdin"
        errors = "surrogateescape" if is_input else _PLAIN_ERRORS
        if stream is None:
            stream = open(os.devnull, "r" if is_input else "w", encoding="utf-8")
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
        if isinstance(stream, TextIOWrapper):  # a test may have replaced the stream
            stream.reconfigure(errors=errors)
            if is_input and stream.encoding.lower() == "utf-8" and not stream.isatty():
                # .NET programs and PowerShell write a byte order mark first
                stream.reconfigure(encoding="utf-8-sig", errors=errors)


codecs.register_error(_PLAIN_ERRORS, _in_plain)
_prepare_streams()  # done on import, since a script's first statement may need the streams


class Parser(CommandParser):
    """The parser of a script."""

    def format_help(self) -> str:
        """Return the help, with commands as they are typed on this system."""
        return as_called(super().format_help())

    def read(self, words: Sequence[str] | None = None) -> argparse.Namespace:
        """Return the arguments of a script that takes a game and plugins; exit if invalid.

        Load the plugins that --plugin and PLYGLOT_PLUGINS name, and list all of them in `plugin`.
        If a `game` is given, it must be known.
        """
        arguments = self.parse_args(words)
        self.load_games(arguments, lambda error: complain(self.prog, error))
        return arguments

    def add_game_option(self, help: str = "name of a game", **more: Any) -> None:
        """Add --game, the same in all scripts."""
        self.add("--game NAME", help, **more)

    def add_force_option(self) -> None:
        """Add --force, the same in all scripts that write files (scripts/jobs/files.py)."""
        self.add("--force", "replace existing files that this script did not write")

    def error(self, message: str | Exception) -> NoReturn:
        """Print an error, given as an exception or a text, and exit."""
        fail(self.prog, message)


def add_limits(
    add: Callable[..., None], of: str, seconds: float = 0, depth: int = 0, more: str = ""
) -> None:
    """Add the limits of a search: --movetime, --depth and --nodes.

    add: the method add() of a Parser, or of a group of options.  more: another name for --movetime.
    of: words for the help, such as `per position`.  seconds, depth: the defaults, for the help.
    """
    time = f"time {of}" + (f" (default {seconds:g})" if seconds else "")
    add(f"{more} --movetime SECONDS", time, dest="movetime", type=above_zero)
    plies = f"search depth {of}" + (f" (default {depth})" if depth else "")
    add("--depth PLIES", plies, type=positive)
    add("--nodes N", f"nodes {of}", type=positive)


def limits_of(
    arguments: argparse.Namespace, seconds: float | None = None, depth: int | None = None
) -> Limits:
    """Return the Limits that the options of add_limits() set; the defaults if none is given."""
    if arguments.movetime is arguments.depth is arguments.nodes is None:
        return Limits(movetime=seconds, depth=depth)
    return Limits(movetime=arguments.movetime, depth=arguments.depth, nodes=arguments.nodes)


def counted(count: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless it is 1: `1 game`, `2 games`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def limits_text(limits: Limits, of: str = "move") -> str:
    """Return Limits as text, such as `depth 4, 0.5 s per move`.  of: the noun after `per`."""
    parts = [
        f"depth {limits.depth}" if limits.depth else "",
        f"{counted(limits.nodes, 'node')} per {of}" if limits.nodes else "",
        f"{limits.movetime:g} s per {of}" if limits.movetime else "",
    ]
    return ", ".join(part for part in parts if part)


def between(low: int, high: int | None = None, kind: type[float] = int) -> Any:
    """Return a type for argparse that accepts numbers from `low` to `high`.

    high: None for no limit.  kind: int or float.
    """
    limits = f"at least {low}" if high is None else f"{low} to {high}"
    return _number(kind, limits, lambda value: low <= value and (high is None or value <= high))


def _number(kind: type[float], limits: str, accepts: Callable[[float], bool]) -> Any:
    """Return a type for argparse.  limits: the words for the numbers that it accepts."""

    def parse(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            noun = "a whole number" if kind is int else "a number"
            raise argparse.ArgumentTypeError(f'must be {noun}, not "{text}"') from None
        if not accepts(value):  # NaN is in no range
            raise argparse.ArgumentTypeError(f"must be {limits}, not {text}")
        return value

    return parse


positive = between(1)
above_zero = _number(float, "a finite number above 0", lambda value: 0 < value < math.inf)


@contextlib.contextmanager
def translated(
    kind: type[Exception], *errors: type[Exception], before: str = "", path: object = ""
) -> Iterator[None]:
    """Return a context manager that turns `errors` into a `kind` with the same message.

    before: text to put before the message.  path: a path to put before both, unless the message
    already contains this path.
    """
    try:
        yield
    except errors as error:
        where = "" if str(path) in str(error) else f"{path}: "
        raise kind(f"{where}{before}{error}") from None


def parsed_by(parse: Callable[[str], Any], error: type[Exception] = ValueError) -> Any:
    """Return parse() as a type for argparse.  error: exceptions whose messages argparse shows."""
    return translated(argparse.ArgumentTypeError, error)(parse)


def called_as(program: str, words: Iterable[str]) -> None:
    """Show scripts as subcommands of `program` in all later messages.

    program: the engine's own command.  words: the names of the subcommands.
    """
    _called[:] = [program, "|".join(words)]


def command_text(words: Sequence[str]) -> str:
    """Return a command as it is typed on this system, with its quoting."""
    return as_called(subprocess.list2cmdline(words) if WINDOWS else shlex.join(words))


def as_called(text: str) -> str:
    """Replace `scripts/NAME` and `python3 engine.py` in a text by what users type here."""
    if _called:
        program, words = _called
        text = re.sub(rf"\bscripts/(?=({words})\b)", program + " ", text)
        return text.replace("python3 engine.py", program)
    names = ("py", "python") if WINDOWS else ("python3", "python")
    python = next(filter(shutil.which, names), names[-1])
    if WINDOWS:  # Windows can't run a file without a suffix
        text = _COMMAND.sub(rf"{python} \g<0>", text)
    return re.sub(r"\bpython3(?= \S*engine\.py)", python, text)


def fail(script: str, error: str | Exception) -> NoReturn:
    """Print an error and exit; print nothing if nobody reads the output any more."""
    if isinstance(error, BrokenPipeError):
        os._exit(UNREAD)  # flushing the output at exit would fail again
    complain(script, error)
    sys.exit(WRONG)


def run_main(script: str, main: Callable[[], int | None], *errors: type[Exception]) -> NoReturn:
    """Call main() and exit with its status, with 130 after Ctrl-C (see scripts/jobs/signals.py).

    errors: the exceptions, besides OSError, for which fail() prints a message.
    """
    reported: tuple[type[Exception], ...] = (OSError, *errors)
    try:
        sys.exit(main())
    except reported as error:
        fail(script, error)
    except KeyboardInterrupt as signalled:
        sys.exit(getattr(signalled, "status", 130))


def complain(script: str, error: str | Exception) -> None:
    """Print an error, given as an exception or a text, on stderr."""
    text = printable(reason(error) if isinstance(error, Exception) else error, LONGEST)
    with contextlib.suppress(OSError):  # a full disk may be the error
        sys.stdout.flush()
    called = as_called(script)
    with contextlib.suppress(OSError):  # stderr may be full or closed
        if sys.stderr.isatty() and sys.stdout.isatty():
            print(end="\r", file=sys.stderr)  # overwrite a progress line
        print(f"{called if _called else script}: {text} (see {called} --help)", file=sys.stderr)


def warn(script: str, text: str) -> None:
    """Print an error on stderr; the script goes on, since the rest of its work can be done."""
    inform(f"{as_called(script)}: {printable(text, LONGEST)}")


def inform(text: str) -> None:
    """Print a progress message on stderr; ignore write errors."""
    with contextlib.suppress(OSError):
        print(clean(text), file=sys.stderr, flush=True)


def reason(error: Exception) -> str:
    """Return an exception's message; for system errors the file and the cause, without errno."""
    if isinstance(error, OSError) and error.strerror:
        name = getattr(error, "filename", None)
        return error.strerror if name is None else f"{name}: {error.strerror}"
    return str(error)


def see(page: str) -> str:
    """Return ` See docs/PAGE.`, or "" if the docs are not installed, as after pip install."""
    here = pathlib.Path(__file__).resolve().parent.parent / "docs" / page
    return f" See docs/{page}." if here.is_file() else ""


def clean(text: str) -> str:
    """Return an untrusted text with `?` for unprintable characters; line breaks stay."""
    return "\n".join(printable(line, len(line)) for line in text.split("\n"))


def tell(text: str) -> None:
    """Print lines at once, even if the output goes to a file."""
    print(clean(text), flush=True)
