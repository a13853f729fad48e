"""Engines that write endlessly in a tournament or an analysis.

They must soon be reported as stalled, and the memory must stay bounded.
"""

from __future__ import annotations

import json
import time

from scripts.stress.case import Case, Failure
from scripts.stress.flooder import FLOODS, GREETINGS
from scripts.stress.subject import PATIENCE, ROOT, Subject

_FLOODER = ROOT / "scripts" / "stress" / "flooder.py"
_MOMENTS = ("greeting", "ready", "thinking")
_LIMITS = (["--depth", "3"], ["--movetime", "0.1"])  # of an analysis
_MOST = 200  # MB that the script may need beyond its start


def run(case: Case) -> None:
    """Run a game, or an analysis, with an engine that floods."""
    protocol = case.dice.choice(list(GREETINGS))
    moment, what = case.dice.choice(_MOMENTS), case.dice.choice(list(FLOODS))
    if moment == "greeting" and what == "errors":  # the same as silence
        what = "lines"
    command = f"'{case.python}' '{_FLOODER}' {protocol} {moment} {what}"
    if protocol == "uci" and case.dice.random() < 0.4:
        # Whoever asks for a depth waits for an engine that is silent, however long it thinks.
        _analyse(case, command, timed=(moment, what) == ("thinking", "errors"))
    else:
        _play(case, protocol, command)


def _play(case: Case, protocol: str, command: str) -> None:
    flooder = ["--engine", "name=flooder", f"cmd={command}", f"proto={protocol}"]
    game = ["--engine", "name=other", "--movetime", "0.1", "--patience", "1", "--rounds", "1"]
    subject = case.engine(
        "--game", "gomoku", *flooder, *game, script=ROOT / "scripts" / "tournament"
    )
    _follow(case, subject, (0, 2))
    record = case.folder / "tournament.jsonl"
    lines = record.read_text(encoding="utf-8").splitlines()[1:] if record.exists() else []
    for result in map(json.loads, lines):
        if result["termination"] != "stall" or result["players"][result["fault"]] != "flooder":
            raise Failure(f"the game ended by {result['termination']}: {result['reason']}")
    case.count("games", len(lines))


def _analyse(case: Case, command: str, timed: bool) -> None:
    (case.folder / "game.pgn").write_bytes(b"1. e4 e5 2. Nf3 *\n")
    limit = ["--movetime", "0.1"] if timed else case.dice.choice(_LIMITS)
    words = ["game.pgn", "--engine", command, "--protocol", "uci", *limit]
    _follow(case, case.engine(*words, script=ROOT / "scripts" / "analyse"), (1, 2))
    case.count("analyses")


def _follow(case: Case, subject: Subject, statuses: tuple[int, ...]) -> None:
    """Wait for the end and check the memory."""
    begun, peak = time.monotonic(), 0.0
    while subject.wait(0.1) is None and time.monotonic() < begun + PATIENCE:
        peak = max(peak, subject.peak() or 0.0)
    subject.leave(statuses)
    subject.check(quiet=False)
    case.measure("seconds until the report", time.monotonic() - begun)
    case.measure("MB at most", peak)
    if peak > _MOST:
        raise Failure(f"it took {peak:.0f} MB")
