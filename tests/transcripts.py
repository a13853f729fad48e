"""Transcripts in the documentation: the commands are run again, and their output is compared.

The output for a lecture's tree must be the same except for times.  For a search only the shape must be: the depths and
their fields, proven wins and losses, and legal moves.  Nodes, evaluations and the chosen moves change with the search;
tests/data/pinned.txt pins those.
"""

import re
import subprocess
import sys

from conftest import ROOT
from front_end import InProcessEngine

from protocol import moves

TIMES = re.compile(r"\b(nps|time) \d+")
SIGN_OF_LIFE = re.compile("info (currmove|nodes) ")
SEARCHED = re.compile(
    r"info depth (?P<depth>\d+) seldepth \d+ multipv 1 score (?P<score>(cp|mate) -?\d+)(?: \w+bound)?"
    r" nodes \d+ nps \d+ hashfull \d+ tbhits 0 time \d+ pv (?P<pv>.+)"
)
ANSWER = re.compile(r"bestmove (?P<best>\S+)( ponder (?P<ponder>\S+))?")


def transcripts(page):
    """Return [(command, the output shown)] of a page's console blocks."""
    return re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def output(command):
    """Return a command's output; it must exit with 0 and write nothing to stderr."""
    done = subprocess.run(
        command.replace("python3", f'"{sys.executable}"'),
        shell=True,
        cwd=ROOT,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0 and done.stderr == b"", done.stderr
    return "".join(
        line + "\n" for line in done.stdout.decode().splitlines() if not SIGN_OF_LIFE.match(line)
    )


def check(command, shown):
    """Assert that the command still prints the output shown."""
    actual = output(command)
    assert shown.strip()
    if "--game tree" in command or "bestmove" not in shown:
        assert TIMES.sub(r"\1 N", actual) == TIMES.sub(r"\1 N", shown)
        return
    assert shape(actual) == shape(shown)
    for text in (actual, shown):
        check_moves(position_of(command), text)


def shape(text):
    """Return the lines of a search without the parts that tuning may change."""
    lines = []
    for line in text.splitlines():
        found = SEARCHED.fullmatch(line)
        if found:
            score = found["score"] if found["score"].startswith("mate") else "cp"
            lines.append(f"depth {found['depth']} score {score}")
        else:
            lines.append("bestmove" if ANSWER.fullmatch(line) else line)
    return lines


def check_moves(position, text):
    """Assert that every line is legal, and that the last one begins with the answer."""
    for line in text.splitlines():
        found, answer = SEARCHED.fullmatch(line), ANSWER.fullmatch(line)
        if found:
            pv = found["pv"].split()
            for word in pv:
                position.make(moves.read(position, word))
            for _ in pv:
                position.undo()
        elif answer:
            assert pv[:2] == [word for word in (answer["best"], answer["ponder"]) if word]


def position_of(command):
    """Return the position that a command sets up for a search."""
    game = re.search(r"--game (\w+)", command)
    engine = InProcessEngine("uci", game.group(1) if game else "chess")
    for line in re.findall(r"(?:printf '|\\n)(position [^\\']*)", command):
        engine.send(line)
    return engine.session.position
