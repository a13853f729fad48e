"""What the scripts' command lines have in common: a parser, how a mistake is told, text that is fit for a terminal.

Whatever is wrong is one line on stderr, and the exit status is 2:

    scripts/NAME: what is wrong (see scripts/NAME --help)
"""
from __future__ import annotations

import argparse
import os
import re
import sys

from protocol.base import printable

# The program that the scripts are words of, and these words.
_called: list[tuple[str, tuple[str, ...]]] = []
LONGEST = 500       # characters of a line that tells what is wrong
WRONG = 2           # the exit status where something is wrong


class Parser(argparse.ArgumentParser):
    """A parser whose help keeps its lines and whose complaints are one line: the whole usage would hide them."""

    def __init__(self, prog=None, **keywords):
        keywords.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(prog or "scripts/" + os.path.basename(sys.argv[0]), allow_abbrev=False, **keywords)

    def format_help(self):
        """The help, its commands as they are written here."""
        return as_called(super().format_help())

    def error(self, message):
        """Tell what is wrong, an exception or a text, and exit."""
        fail(self.prog, message)


def called_as(program, words):
    """From here on the scripts are `words` of a command line of `program`, which is the engine itself without them."""
    _called[:] = [(program, tuple(words))]


def as_called(text):
    """A text with the commands in it, `scripts/NAME` and `python3 engine.py`, as they are written here."""
    for program, words in _called:
        text = re.sub(rf"\bscripts/(?=({'|'.join(words)})\b)", program + " ", text)
        text = text.replace("python3 engine.py", program)
    return text


def fail(script, error):
    """Tell what is wrong and exit."""
    complain(script, error)
    sys.exit(WRONG)


def complain(script, error):
    """Tell on stderr what is wrong: `error` is an exception or a text."""
    text = printable(reason(error) if isinstance(error, Exception) else error, LONGEST)
    try:
        sys.stdout.flush()
    except OSError:     # nobody reads it, or its disk is full: that may be what is to be told
        pass
    if sys.stderr.isatty() and sys.stdout.isatty():
        print(end="\r", file=sys.stderr)        # over a line that shows progress
    script = as_called(script)
    print(f"{script}: {text} (see {script} --help)", file=sys.stderr)


def reason(error):
    """An exception in words: of the system's errors the file and what happened, without their number."""
    if isinstance(error, OSError) and error.strerror:
        name = getattr(error, "filename", None)
        return error.strerror if name is None else f"{name}: {error.strerror}"
    return str(error)


def clean(text):
    """A text of any lines with `?` for what is no character to be shown: it may come from anywhere."""
    return "\n".join(printable(line, len(line)) for line in text.split("\n"))


def tell(text):
    """Show lines at once, also where the output goes to a file."""
    print(clean(text), flush=True)
