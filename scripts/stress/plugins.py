"""A plugin that prints in every method; none of it may appear between the answers."""

from __future__ import annotations

from scripts.stress.case import Case, Failure

# A game whose methods print text that looks like an answer.
_SOURCE = """print({words!r} + " at import")
from games import registry

_quiet = registry.get("tictactoe")


class Loud(type(_quiet)):
    name, aliases = "loud", ()

    def start(self, options):
        return loud(super().start(options))

    def parse(self, text, options):
        return loud(super().parse(text, options))


def loud(position):
    kind = type(position)
    position.__class__ = type("LoudPosition", (kind,), {{
        name: printing(getattr(kind, name)) for name in {methods!r}}})
    return position


def printing(method):
    def call(*arguments):
        print({words!r})
        return method(*arguments)
    return call


GAMES = [Loud()]
"""
_WORDS = ("bestmove a1a1", "uciok", "readyok", "= b2\n", "move b2", "feature done=1", "")
_METHODS = ("make", "legal_moves", "evaluate", "outcome", "move_text")
_PROTOCOLS = {
    "uci": (
        ("uci", "isready", "position startpos moves b2", "go depth 2", "isready"),
        ("id ", "option ", "uciok", "readyok", "info ", "bestmove "),
    ),
    "gtp": (("name", "genmove b", "genmove w", "showboard"), ("",)),
    "cecp": (("xboard", "protover 2", "sd 2", "go", "ping 1"), ("",)),
}


def run(case: Case) -> None:
    """Run a short conversation in one protocol, sometimes with two processes."""
    dice = case.dice
    words, protocol = dice.choice(_WORDS), dice.choice(sorted(_PROTOCOLS))
    methods = dice.sample(_METHODS, dice.randint(1, len(_METHODS)))
    mark = f"{words} #{dice.randrange(10**6)}"
    (case.folder / "loud.py").write_bytes(_SOURCE.format(words=mark, methods=methods).encode())
    subject = case.engine("--protocol", protocol, "--plugin", "loud.py", "--game", "loud")
    lines, beginnings = _PROTOCOLS[protocol]
    if protocol == "uci" and dice.random() < 0.3:
        subject.send("setoption name Threads value 2")
    subject.send(*lines)
    subject.finish(quiet=False)
    for line in subject.said():
        if mark in line or mark.splitlines()[0] == line or not line.startswith(beginnings):
            raise Failure(f"a plugin's print reached the front end: {line[:200]!r}")
    if mark.splitlines()[-1] not in subject.errors():
        raise Failure("a plugin's print is lost")
    case.count(f"conversations in {protocol.upper()}")
