r"""A board in the browser: play and analyse any game, and see how minimax and alpha-beta search.

Starts a server for this machine only, prints its address and opens it in the browser.  Ctrl-C
stops the server and all engines.

[options]

An engine is a list of KEY=VALUE words, as for scripts/tournament: name=TEXT
cmd=COMMAND proto=NAME dir=DIRECTORY option.NAME=VALUE.  Plyglot itself is always available.

Examples:
  scripts/board
  scripts/board othello
  scripts/board --watch tournament.jsonl
  scripts/board --engine cmd=stockfish option.Threads=2 \
      --engine name=old cmd="python3 ../old/engine.py"
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import threading
import webbrowser
from typing import NoReturn

from games import registry
from plyglot.command import located, own_command, split_command
from scripts.arena.arguments import read_player
from scripts.arena.record import Reading
from scripts.browser.interface import PageSettings
from scripts.browser.server import Server
from scripts.command_line import Parser, between, complain, run_main, tell, warn
from scripts.jobs import signals
from scripts.jobs.files import FileError


def _settings(arguments: argparse.Namespace) -> PageSettings:
    """Return the page's settings; raise ValueError or FileError if they are wrong."""
    engines = [read_player([]), *map(read_player, arguments.engine)]
    pypy = shutil.which("pypy3")
    if pypy is not None and sys.implementation.name == "cpython":
        own = [pypy, *own_command(arguments.plugin)[1:]]
        engines.append({**engines[0], "name": "Plyglot on PyPy", "command": own})
    for player in engines:
        if player["command"] is not None:
            word = split_command(player["command"])[0]
            if shutil.which(located(word, player["directory"])) is None:
                raise ValueError(f"{player['name']}: can't start {word}: no such command")
    if arguments.watch is not None and os.path.exists(arguments.watch):
        list(Reading(arguments.watch))  # raises FileError if it isn't a record
    game = None if arguments.game is None else registry.canonical(arguments.game)
    return PageSettings(game, engines, arguments.watch)


def build_parser() -> Parser:
    """Return the parser of scripts/board's command line."""
    parser = Parser("scripts/board", __doc__)
    games = "game to start with (default: the last one): one of " + ", ".join(registry.names())
    parser.add("[GAME]", games)
    engine = "add an engine (see below; may be repeated)"
    parser.add("--engine KEY=VALUE", engine, [], nargs="+", action="append")
    parser.add("--watch FILE", "follow a record of scripts/tournament as it grows")
    parser.add("--no-browser", "print the address, but open no browser")
    site = "write the page and its engine to a folder for any web server; needs --pyodide"
    parser.add("--site FOLDER", site)
    parser.add("--pyodide FOLDER", "the unpacked npm package pyodide, or its URL")
    port = "port of the server (default: the last run's port, or a free port)"
    parser.add("--port N", port, 0, type=between(0, 65535))
    parser.add_plugin_option()
    parser.add_force_option()
    return parser


def run_script() -> NoReturn:
    """Run scripts/board."""
    signals.listen()
    run_main("scripts/board", main, ValueError, OverflowError, FileError)


def main() -> None:
    """Serve the page, or write it as static files, as the command line asks."""
    arguments = build_parser().read()
    (_serve if arguments.site is None else _write_site)(arguments)


def _serve(arguments: argparse.Namespace) -> None:
    server = Server(_settings(arguments), arguments.port)
    try:
        if server.unkept is not None:
            complain("scripts/board", server.unkept)
        if arguments.watch is not None and not os.path.exists(arguments.watch):
            warn("scripts/board", f"--watch {arguments.watch}: no such file yet; waiting for it")
        tell(f"The board is at {server.address} (Ctrl-C ends it)")
        if not arguments.no_browser:
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        # Serve in the main thread: on PyPy it would receive no signals if it only waited.
        server.serve_forever(0.2)
    finally:
        signals.ignore()
        server.interface.close()
        server.server_close()


def _write_site(arguments: argparse.Namespace) -> None:
    from scripts.browser.site import write_site

    if arguments.pyodide is None:
        raise ValueError("--site needs --pyodide")
    for note in write_site(pathlib.Path(arguments.site), arguments.pyodide, arguments.force):
        complain("scripts/board", note)
    tell(f"The page is in {arguments.site}: serve it with any web server")
