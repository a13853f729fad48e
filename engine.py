#!/usr/bin/env python3
"""Plyglot: the process that a front end starts.  Lines in, lines out."""

import os
import sys
from time import perf_counter

# Isolated and embeddable interpreters don't look in the folder of the program they run.
_FOLDER = os.path.dirname(os.path.abspath(__file__))
if _FOLDER not in sys.path:
    sys.path.insert(0, _FOLDER)

try:
    from protocol.python import require

    require()
    from protocol.base import VERSION
    from protocol.detect import create, detect
    from protocol.input import decode, without_mark
    from protocol.output import Log, Writer, watch
    from search.session import Session
    from search.streams import claim_stdout
except KeyboardInterrupt:  # Ctrl-C while it starts
    os._exit(130)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import NoReturn

# Seconds after `quit` in which a slow reader can still take what was answered.
_GRACE = 0.17


class Arguments:
    """What a bare command line says."""

    game: "str | None" = None
    protocol: "str | None" = None
    log: "str | None" = None
    command: "Sequence[str]" = ()


def leave(status: int = 0) -> "NoReturn":
    """End the process at once, whatever the search's thread is doing."""
    os._exit(status)


def complain(text: object) -> None:
    """Tell the user of an error, where there is a stderr that takes it."""
    try:
        print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr or open(os.devnull, "w"))
    except OSError:
        pass  # what is full or closed takes no message


def main(other_words: "Sequence[str]" = ()) -> None:
    """Carry out the command line's words, or each line until the end of input or `quit`.

    other_words: those of the program that are not for the engine, to suggest them.
    """
    arguments: Arguments | Namespace = Arguments()
    if len(sys.argv) > 1 or "PLYGLOT_PLUGINS" in os.environ:
        from protocol.arguments import load_plugins, parse

        program = os.path.basename(sys.argv[0])
        arguments = parse(program, sys.argv[1:], VERSION, other_words)
        output = claim_stdout() or leave()
        load_plugins(program, arguments)
    else:
        output = claim_stdout() or leave()
    log = Log(arguments.log, complain) if arguments.log else None
    write = Writer(output, log, leave)
    watch(output, leave)
    session = Session(arguments.game or "chess")
    words = " ".join(arguments.command)
    name = arguments.protocol or ("uci" if words else None)
    protocol = create(name, session, write) if name else None
    lines = iter(sys.stdin.buffer.readline, b"") if sys.stdin else []
    for raw in [words.encode("utf-8", "surrogateescape")] if words else without_mark(lines):
        began, line = perf_counter(), decode(raw)
        if log:
            log(">", line)
        protocol = protocol or (create(detect(line), session, write) if line.strip() else None)
        if protocol:
            protocol.handle(line)
            if protocol.finished:
                protocol.answer_before_leaving()
                write.flush(began + _GRACE - perf_counter())
                session.close()
                leave()
    if protocol:
        protocol.end_of_input()
    write.flush()
    session.close()
    leave()


def run(other_words: "Sequence[str]" = ()) -> None:
    """The whole process: main(), and a message where it can't go on."""
    try:
        main(other_words)
    except KeyboardInterrupt:
        leave(130)
    except OSError as error:
        complain(error)
        leave(2)


if __name__ == "__main__":
    run()
