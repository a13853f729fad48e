"""scripts/board: the command line, and the server's life."""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import threading
import webbrowser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from games import registry
from plyglot.command import plugin_path, split_command
from scripts.arena.arguments import read_player
from scripts.arena.record import read_results
from scripts.browser.server import Server
from scripts.command_line import Parser, complain, tell
from scripts.jobs import signals
from scripts.jobs.files import FileError

if TYPE_CHECKING:
    from scripts.arena.pool import Player

_DESCRIPTION = """A board in the browser: play and analyse any game, and see how minimax and
alpha-beta search.

A server for this machine alone prints an address and opens it.  Ctrl-C ends it, and all
engines with it."""
_EPILOG = """An engine is a list of KEY=VALUE words, as scripts/tournament has them:
name=TEXT cmd=COMMAND proto=NAME dir=DIRECTORY option.NAME=VALUE.  Plyglot itself is always
there.

Examples:
  scripts/board
  scripts/board othello
  scripts/board --watch tournament.jsonl
  scripts/board --engine cmd=stockfish option.Threads=2 \\
      --engine name=old cmd="python3 ../old/engine.py\""""


class Configuration:
    """What a command line asks for.

    game: the name of the game to begin with, if the page has none; asked: it was named.
    engines: what read_player says of each, Plyglot first.  tournament: the name of the
    record that is watched, or None.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.game = registry.canonical(arguments.game or "chess")
        self.asked = arguments.game is not None
        self.tournament = arguments.watch
        if self.tournament is not None:
            _check_record(pathlib.Path(self.tournament))
        plugins = [plugin_path(where) for where in arguments.plugin]
        self.engines = [{**read_player([], ["name=Plyglot"], {}, plugins), "protocol": "uci"}]
        self.engines += [read_player([], words, {}, plugins) for words in arguments.engine]
        for player in self.engines:
            _check_command(player)


def _check_record(path: pathlib.Path) -> None:
    """ValueError or FileError where there will be no record of a tournament.

    It may not be there yet, or have nothing in it yet.
    """
    if not path.parent.is_dir():
        raise ValueError(f"--watch {path}: there is no such folder")
    if path.exists() and not path.is_file():
        raise ValueError(f"--watch {path}: is no file")
    if path.exists() and path.stat().st_size:
        read_results(path)


def _check_command(player: Player) -> None:
    """ValueError where an engine's command is none: told now, and not when a page wants to play."""
    name, directory = player["name"], player["directory"] or ""
    try:
        word = split_command(player["command"])[0]
    except ValueError as error:
        raise ValueError(f"{name}: can't start {player['command']}: {error}") from None
    # A name alone is looked for on the path, whatever the directory.
    place = os.path.join(directory, word) if os.path.dirname(word) else word
    if shutil.which(place) is None:
        raise ValueError(f"{name}: can't start {place}: there is no such command")


def build_parser() -> Parser:
    """The parser, its help included."""
    parser = Parser("scripts/board", description=_DESCRIPTION, epilog=_EPILOG)
    add = parser.add_argument
    add(
        "game",
        metavar="GAME",
        nargs="?",
        help="to begin with (default: the last one): one of " + ", ".join(registry.names()),
    )
    add(
        "--engine",
        metavar="KEY=VALUE",
        nargs="+",
        action="append",
        default=[],
        help="an engine, see below; repeated",
    )
    add("--watch", metavar="FILE", help="follow the record of scripts/tournament, as it grows")
    add("--no-browser", action="store_true", help="only print the address")
    add("--port", metavar="N", type=int, default=0, help="of the server (default: a free one)")
    parser.add_plugin_option()
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Carry out a command line; the exit status."""
    signals.listen()
    parser = build_parser()
    arguments = parser.read(words)
    try:
        server = Server(Configuration(arguments), arguments.port)
    except (ValueError, OverflowError, OSError, FileError) as error:
        parser.error(error)
    try:
        tell(f"The board is at {server.address} (Ctrl-C ends it)")
        if server.unkept is not None:
            complain("scripts/board", server.unkept)
        if not arguments.no_browser:
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        server.serve_forever(
            0.2
        )  # here, where signals are: a thread that only waits hears none on PyPy
    except signals.Interrupted as signalled:
        signals.ignore()
        return signalled.status
    finally:
        server.close_desks()
        server.server_close()
    return 0
