"""The command `plyglot`: the engine, or one of the scripts.

plyglot                     run the engine, as engine.py does
plyglot play chess          run scripts/play chess; likewise for every word of SCRIPTS
plyglot help                show the help
"""

import importlib
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# First word of the command line -> (module whose run_script() it runs, help).
SCRIPTS = {
    "board": ("scripts.browser.board", "a board in the browser"),
    "play": ("scripts.terminal.play", "play a game in the terminal"),
    "tournament": ("scripts.arena.tournament", "matches between engines"),
    "analyse": ("scripts.report.analyse", "a report on the record of a game"),
    "tree": ("scripts.drawing.tree", "draw what minimax and alpha-beta visit"),
    "new_game": ("scripts.starter.new_game", "start a game of your own from a template"),
    "learn": ("scripts.learning.learn", "train the evaluation of a game"),
}


def main() -> None:
    """Run the script that the command line names, or else the engine."""
    make_importable()
    if os.path.basename(sys.argv[0]) == "__main__.py":  # python -m plyglot
        sys.argv[0] = "plyglot"
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    if word in SCRIPTS:
        run_script(sys.argv.pop(1), os.path.basename(sys.argv[0]))
    if sys.argv[1:] == ["help"]:
        sys.argv[1] = "--help"
    import engine

    engine.run({word: help for word, (_, help) in SCRIPTS.items()})


def make_importable() -> None:
    """Add the project's root to sys.path, so that `games`, `search`, ... can be imported."""
    root = project_root()
    if root not in sys.path:
        sys.path.insert(0, root)


def project_root() -> str:
    """Return the folder of engine.py: this folder if pip installed Plyglot, else its parent.

    If Plyglot runs from an archive, return the path of the archive.
    """
    here = os.path.dirname(os.path.abspath(__file__))
    return here if os.path.exists(os.path.join(here, "engine.py")) else os.path.dirname(here)


def run_script(name: str, program: "str | None" = None) -> "NoReturn":
    """Run a script and exit; Ctrl-C during the start ends it without a traceback.

    program: the command before the script's name, as in `plyglot play`; None if there was none.
    """
    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the script handles signals itself
    except KeyboardInterrupt:
        os._exit(130)
    from protocol import require

    require()
    from scripts import command_line

    if program is not None:
        command_line.called_as(program, SCRIPTS)
    sys.exit(importlib.import_module(SCRIPTS[name][0]).run_script())


if __name__ == "__main__":
    main()
