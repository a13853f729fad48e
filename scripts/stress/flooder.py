"""An engine that floods its output: python flooder.py PROTOCOL MOMENT WHAT.

MOMENT: greeting, ready or thinking.  WHAT: lines, blanks, an endless line, or errors (on stderr,
with nothing on stdout).  It imports nothing from the project.
"""

from __future__ import annotations

import sys

GREETINGS = {
    "uci": {"uci": "uciok"},
    "gtp": {"protocol_version": "= 2\n", "name": "= Flooder\n", "list_commands": "= set_game\n"},
    "cecp": {"protover": 'feature ping=1 setboard=1 variants="normal,gomoku" done=1'},
    "gomocup": {"ABOUT": 'name="Flooder"'},
}
READY = {
    "uci": ("isready", "readyok"),
    "gtp": ("clear_board", "=\n"),
    "cecp": ("ping", "pong 1"),
    "gomocup": ("START", "OK"),
}
THINKING = {"uci": ("go",), "gtp": ("genmove",), "cecp": ("go",), "gomocup": ("BEGIN", "TURN")}
FLOODS = {
    "lines": b"info depth 1 score cp 5 nodes 1 pv e2e4\n" * 500,
    "blanks": b"\n" * 10_000,
    "endless": b"x" * 60_000,
    "errors": b"a word\n" * 5_000,
}


def main(protocol: str, moment: str, what: str) -> None:
    """Answer like an engine of the protocol until the moment to flood."""
    greetings, (ready, answer) = GREETINGS[protocol], READY[protocol]
    thinking = dict.fromkeys(THINKING[protocol], "thinking")
    moments = {**thinking, ready: "ready", **dict.fromkeys(greetings, "greeting")}
    for line in sys.stdin:
        word = line.split()[0] if line.strip() else ""
        if moments.get(word) == moment:
            stream = sys.stderr.buffer if what == "errors" else sys.stdout.buffer
            while True:
                stream.write(FLOODS[what])
        known = {**greetings, ready: answer}
        if word in known or protocol == "gtp":
            print(known.get(word, "=\n"), flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError:  # the reader has gone
        pass
