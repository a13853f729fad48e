"""Tiny time controls: the lateness of answers, first searches included.

Other programs on the machine delay answers, too.  So the processor time of the engine is
measured alongside the elapsed time, and only the delay that it explains is the engine's own.  A
delay counts as a fault only if it is gross and recurs in every repetition.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

from scripts.stress.case import Case, Failure
from scripts.stress.sessions import BOARDS, Walk

_GROSS = 0.15  # seconds of the engine's own delay that are tolerated
_TRIES = 3  # repetitions in which a gross delay must recur
_HASHES = (1, 16, 64, 256, 1024)


def run(case: Case) -> None:
    """Run a few searches of one game with one Hash, as a front end does."""
    dice = case.dice
    game, megabytes = dice.choice(BOARDS), dice.choice(_HASHES)
    walk = Walk(dice, game)
    for _ in range(dice.randrange(20)):
        walk.move()
    controls = [_control(dice) for _ in range(4)]
    worst = []
    for _ in range(_TRIES):
        late = _measure(case, game, megabytes, walk.line(), controls)
        worst.append(max(late))
        if worst[-1] <= _GROSS:
            return
    shown = ", ".join(f"{1000 * late:.0f}" for late in worst)
    raise Failure(
        f"{game} at Hash {megabytes} answers {shown} ms late,"
        f" and no other program was at fault ({'; '.join(line for line, _ in controls)})"
    )


def _control(dice: Random) -> Any:
    """Return (the words of `go`, seconds until the answer is due)."""
    if dice.random() < 0.5:
        milliseconds = dice.choice((1, 2, 5, 10, 20, 50))
        return f"movetime {milliseconds}", milliseconds / 1000
    left = dice.choice((50, 100, 200, 500, 1000))
    increment = dice.choice((0, 0, 10, 50))
    more = f" winc {increment} binc {increment}" if increment else ""
    return f"wtime {left} btime {left}{more}", left / 1000


def _measure(case: Case, game: str, megabytes: int, position: str, controls: Any) -> Any:
    """Return the seconds by which each search was late through its own fault."""
    subject = case.engine("--protocol", "uci")
    subject.send(
        "uci", f"setoption name Hash value {megabytes}", f"setoption name UCI_Variant value {game}"
    )
    late = []
    for number, (control, due) in enumerate(controls):
        first = number % 2 == 0
        subject.ask(*["ucinewgame"] * first, position, "isready", answer="readyok")
        begun, computed = time.perf_counter(), subject.computed()
        when, _ = subject.ask(f"go {control}", answer="bestmove")
        passed, own = when - begun, subject.computed() - computed
        kind = "movetime" if control.startswith("movetime") else "clock"
        what = f"ms late of a {kind}, {'first' if first else 'later'} searches"
        case.measure(what, 1000 * max(passed - due, 0))
        case.measure(what + ", by the engine itself", 1000 * max(min(passed, own) - due, 0))
        late.append(min(passed, own) - due)
    case.count("searches", len(controls))
    subject.finish()
    subject.kill()
    return late
