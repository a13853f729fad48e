"""The entry point of scripts/play."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from games import registry
from plyglot.errors import EngineError
from scripts.command_line import WRONG, clean, complain
from scripts.jobs import signals
from scripts.terminal import arguments, board
from scripts.terminal.commands import Commands
from scripts.terminal.conversation import QUITTING, tell
from scripts.terminal.match import MatchError
from scripts.terminal.screen import Lines, Screen, draws_in_place


def _edit_lines(completions: Callable[[str], list[str]] = lambda text: []) -> None:
    """Enable arrow keys, history and Tab completion if Python has readline.

    completions(text): returns the words that begin with a text.
    """
    if not sys.stdin.isatty():
        return
    try:
        import readline  # input() uses it from here on
    except ImportError:
        return

    def complete(text: str, number: int) -> str | None:
        return dict(enumerate(completions(text))).get(number)

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    libedit = "libedit" in (readline.__doc__ or "")  # macOS
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


def ask_game(ask: Callable[[str], str] = input, tell: Callable[[str], None] = tell) -> str:
    """Ask until the answer names a game, and return it; raise EOFError for `quit`."""
    from difflib import get_close_matches  # most games are named on the command line

    show = Lines(tell).tell
    show(f"Which game? One of: {', '.join(registry.names())}")
    while True:
        name = ask("Game> ").strip().lower()
        if name in QUITTING:
            raise EOFError
        try:
            return registry.canonical(name)
        except KeyError:
            near = get_close_matches(name, registry.names(), 1)
            hint = (
                f"did you mean {near[0]}?" if near else f"type one of {', '.join(registry.names())}"
            )
            show(f"unknown game: {clean(name[:60])}: {hint}" if name else "type the name of a game")


def main(words: Sequence[str] | None = None) -> int:
    """Carry out a command line and return the exit status."""
    signals.listen()
    _edit_lines()
    try:
        return run(arguments.parse(words, ask_game if sys.stdin.isatty() else None))
    except signals.Interrupted as signalled:
        signals.ignore()
        tell("")  # so that the shell's prompt begins a new line
        return signalled.status
    except EOFError:
        tell("Goodbye.")
        return 0


def run(request: arguments.PlayRequest) -> int:
    """Play the game of a PlayRequest and return the exit status."""
    try:
        for engine in request.every_engine:
            if engine in request.opponents:
                engine.open()
            if engine.level.skill is not None and not engine.has_skill():
                raise MatchError("this engine has no Skill Level")
        colour = board.has_colour(sys.stdout)
        in_place = draws_in_place(sys.stdout) and not request.plain
        conversation = Commands(request, view=(Screen if in_place else Lines)(tell, colour))
        _edit_lines(conversation.completions)
        try:
            conversation.run()
        except signals.Interrupted:
            tell("\n" + conversation.farewell())
            raise
        return 0
    except (EngineError, MatchError) as error:
        # Raised before the game began: later engine errors are shown in the conversation.
        subject = "the engine: " if isinstance(error, EngineError) else ""
        complain("scripts/play", f"{subject}{error}")
        return WRONG
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # nobody reads the output any more
        return 1
    finally:
        for engine in request.every_engine:
            engine.close()
