#!/usr/bin/env python3
"""Plyglot: the process that a front end starts.  Lines in, lines out."""
from __future__ import annotations

import os
import sys

from games.registry import PluginError
from protocol.base import VERSION, Writer, log_to, watch
from protocol.detect import create, detect
from search.session import Session


class Arguments:
    """What a bare command line says."""

    game, protocol, log, command = None, None, None, ()


def leave(status=0):
    """End the process at once, whatever the search's thread is doing."""
    os._exit(status)


def main():
    """Carry out the command line's words, or each line until the end of input or `quit`."""
    arguments = Arguments
    if len(sys.argv) > 1 or "PLYGLOT_PLUGINS" in os.environ:
        from protocol.arguments import parse

        arguments = parse(sys.argv[1:], VERSION)
    log = log_to(arguments.log) if arguments.log else None
    write = Writer(sys.stdout.buffer, log, leave)
    watch(sys.stdout, leave)
    session = Session(arguments.game or "chess")
    words = " ".join(arguments.command)
    name = arguments.protocol or ("uci" if words else None)
    protocol = create(name, session, write) if name else None
    for raw in [words.encode()] if words else iter(sys.stdin.buffer.readline, b""):
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if log:
            log(">", line)
        protocol = protocol or (create(detect(line), session, write) if line.strip() else None)
        if protocol:
            protocol.handle(line)
            if protocol.finished:
                leave()
    if protocol:
        protocol.end_of_input()
    leave()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        leave(130)
    except (OSError, PluginError) as error:
        print(f"engine.py: {error}", file=sys.stderr)
        leave(2)
