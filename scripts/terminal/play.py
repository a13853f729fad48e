"""The entry point of scripts/play."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from plyglot.errors import EngineError
from scripts.command_line import WRONG, complain, tell
from scripts.jobs import signals
from scripts.terminal import arguments, board
from scripts.terminal.commands import Commands
from scripts.terminal.match import MatchError
from scripts.terminal.screen import LineView, Screen, draws_in_place


def run_script(words: Sequence[str] | None = None) -> int:
    """Carry out a command line and return the exit status."""
    signals.listen()
    try:
        return run(arguments.parse(words))
    except signals.Interrupted as signalled:
        signals.ignore()
        tell("")  # so that the shell's prompt begins a new line
        return signalled.status


def run(request: arguments.PlayRequest) -> int:
    """Play the game of a PlayRequest and return the exit status."""
    try:
        for engine in request.every_engine:
            if engine in request.opponents:
                engine.open()
            engine.check(engine.level)
        in_place = draws_in_place(sys.stdout)
        Commands(request, Screen(board.has_colour(sys.stdout)) if in_place else LineView()).run()
        return 0
    except (EngineError, MatchError) as error:
        # The game has not begun yet: later errors are shown in the game.
        subject = "the engine: " if isinstance(error, EngineError) else ""
        complain("scripts/play", f"{subject}{error}")
        return WRONG
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # nobody reads the output any more
        return 1
    finally:
        for engine in request.every_engine:
            engine.close()
