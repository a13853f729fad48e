"""The command `plyglot`: the engine, or one of the scripts.

    plyglot                     the engine, as engine.py
    plyglot play chess          scripts/play chess, and so on for every word of SCRIPTS
"""
from __future__ import annotations

import importlib
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# The first word of a command line -> the module and the function that it means.
SCRIPTS = {
    "analyse": ("scripts.report.script", "run_script"),
    "board": ("scripts.browser.script", "main"),
    "learn": ("scripts.learning.script", "run_script"),
    "new_game": ("scripts.starter.script", "run_script"),
    "play": ("scripts.terminal.play", "main"),
    "tournament": ("scripts.arena.tournament", "run_script"),
    "tree": ("scripts.drawing.script", "run_script"),
}
_HELP = """
Scripts, each with a --help of its own:
  {program} board             a board in the browser
  {program} play              play a game in the terminal
  {program} tournament        matches between engines
  {program} analyse           a report on the record of a game
  {program} tree              draw what minimax and alpha-beta visit
  {program} new_game          start a game of your own from a template
  {program} learn             have a game learn to play well"""


def main() -> None:
    """Run what the command line asks for; does not return where that is the engine."""
    root = project_root()
    if root not in sys.path:
        sys.path.insert(0, root)
    if os.path.basename(sys.argv[0]) == "__main__.py":      # python -m plyglot
        sys.argv[0] = "plyglot"
    if len(sys.argv) > 1 and sys.argv[1] in SCRIPTS:
        run_script(sys.argv.pop(1), _program())
    else:
        _run_engine()


def project_root() -> str:
    """What holds engine.py and the packages: this folder where pip has put it, else the one above.

    In an archive that is the archive itself.
    """
    here = os.path.dirname(os.path.abspath(__file__))
    return here if os.path.exists(os.path.join(here, "engine.py")) else os.path.dirname(here)


def run_script(name: str, program: str | None = None) -> NoReturn:
    """Run a script, as a word of `program` if given; a Ctrl-C while it starts just ends it."""
    from scripts.jobs import signals

    signals.end_quietly()
    from scripts import command_line

    if program is not None:
        command_line.called_as(program, SCRIPTS)
    module, function = SCRIPTS[name]
    sys.exit(getattr(importlib.import_module(module), function)())


def _run_engine() -> None:
    import engine

    try:
        engine.run()
    finally:
        if sys.argv[1:2] in (["-h"], ["--help"]):       # the engine comes back after its help only
            try:
                print(_HELP.format(program=_program()), flush=True)
            except BrokenPipeError:     # the reader (head, less) has seen enough
                os._exit(0)


def _program() -> str:
    return os.path.basename(sys.argv[0])


if __name__ == "__main__":
    main()
