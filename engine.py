#!/usr/bin/env python3
"""The program that a front end starts.  It reads commands from stdin and answers on stdout."""

import os
import sys
from time import perf_counter
from types import SimpleNamespace

# Isolated and embeddable interpreters don't look for modules in the folder of the program.
_FOLDER = os.path.dirname(os.path.abspath(__file__))
if _FOLDER not in sys.path:
    sys.path.insert(0, _FOLDER)

try:
    from protocol import require

    require()
    from games import notices
    from protocol.conversation import Conversation
    from protocol.table import find
    from protocol.wire import Lines, Log, Writer, given, reader, watch
    from search import interpreter
    from search.interpreter import claim_stdout
    from search.session import Session
except KeyboardInterrupt:  # Ctrl-C during the start
    os._exit(130)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping
    from typing import NoReturn

# Seconds after `quit` that the front end has to read the last output.
_GRACE = 0.17
# Even if a count (perft, bench) has used up _GRACE, the front end gets this many seconds to read.
_LAST = 0.02


def leave(status: int = 0) -> "NoReturn":
    """End the process at once, whatever the search's thread is doing."""
    os._exit(status)


def complain(text: object) -> None:
    """Write an error message to stderr, unless the process was started without stderr."""
    notices.on_stderr(f"{os.path.basename(sys.argv[0])}: {text}")


def main(scripts: "Mapping[str, str]") -> None:
    """Carry out the command on the command line, or else the commands on stdin up to `quit`.

    scripts: {name: help} of the scripts that the program can run.
    """
    interpreter.avoid_compiling()
    arguments: SimpleNamespace | Namespace = SimpleNamespace(
        game=None, protocol=None, log=None, no_threads=False, command=()
    )
    program = os.path.basename(sys.argv[0])
    if len(sys.argv) > 1 or "PLYGLOT_PLUGINS" in os.environ:
        from protocol.arguments import CommandParser, parse

        arguments = parse(program, sys.argv[1:], scripts)
        output = claim_stdout() or leave()
        CommandParser(program, None).load_games(arguments, complain)
        if arguments.no_threads:
            interpreter.do_without_threads()
    else:
        output = claim_stdout() or leave()
        if sys.stdin and sys.stdin.isatty():
            complain(f"waiting for commands, such as help, uci or quit (see {program} --help)")
    log = Log(arguments.log, complain) if arguments.log else None
    write = Writer(output, log, leave)
    watch(output, leave)
    session = Session(arguments.game or "chess")
    words = " ".join(arguments.command)
    protocol = arguments.protocol or ("uci" if words else "")
    row = find(protocol) if protocol else None
    read, can_look = reader(sys.stdin) if sys.stdin and not words else given(words)
    conversation = Conversation(session, write, Lines(read, log), row)
    if can_look:
        session.worker.look = conversation.look
    elif arguments.no_threads:
        complain("--no-threads is not supported on Windows: use the engine without it")
        leave(2)
    conversation.run()
    finished = conversation.protocol is not None and conversation.protocol.finished
    seconds_left = conversation.began + _GRACE - perf_counter()
    write.flush(max(seconds_left, _LAST) if finished else None)
    session.close()
    leave()


def run(scripts: "Mapping[str, str] | None" = None) -> None:
    """Run main(); if the system reports an error, print it and exit with status 2."""
    try:
        main(scripts or {})
    except KeyboardInterrupt:
        leave(130)
    except OSError as error:
        complain(error)
        leave(2)


if __name__ == "__main__":
    run()
