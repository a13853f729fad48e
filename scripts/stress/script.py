"""Stress the engine, as a real process, and see whether it fails.

  fuzz      hostile lines and mutilated sessions, in all five protocols
  races     UCI commands at any moment of a search: each `go` gets one legal answer
  signals   signals and closed streams: it ends soon and leaves no process behind
  disks     full disks, pipes and folders instead of files, damaged books and records
  clocks    tiny time controls, first searches included: how late the answers are
  memory    many games and table sizes: the peak stays within Hash and 60 MB
  helpers   many searches by two processes: each stays within Hash and 60 MB
  plugins   a game that prints in every method: none of it reaches the front end
  floods    other engines that write endlessly, from their greeting on or later: a tournament
            or an analysis soon reports them as stalled, in bounded memory
  records   damaged game records of all formats, and records with odd annotations: what is
            read of them survives writing and reading again

[options]

Cases are drawn by --seed: `--seed 7 --kind races --case 12` is always the same,
except for timing. A failure is shown with everything that was sent, and the exit status is 1.

examples:
  scripts/torture                                 a minute of everything
  scripts/torture --seconds 3600 --seed 5 --python pypy3
  scripts/torture --kind fuzz --cases 20
"""

from __future__ import annotations

import shutil
import sys
import time
from argparse import Namespace
from typing import NoReturn

from scripts.command_line import Parser, above_zero, clean, from_zero, positive, run_main, tell
from scripts.stress import (
    clocks,
    disks,
    floods,
    fuzz,
    memory,
    plugins,
    races,
    records,
    signals,
)
from scripts.stress.case import Case, Failure, Tally
from scripts.stress.subject import POSIX

KINDS = {
    "fuzz": fuzz.run,
    "races": races.run,
    "signals": signals.run,
    "disks": disks.run,
    "clocks": clocks.run,
    "memory": memory.run,
    "helpers": memory.run_helpers,
    "plugins": plugins.run,
    "floods": floods.run,
    "records": records.run,
}
_SIGNALLED = ("signals", "disks")  # kinds that need the signals and pipes of POSIX
FAILED = 1  # exit status if the engine failed
LONGEST = 400  # characters to show of a line that was sent


def run_script() -> NoReturn:
    """Run scripts/torture; exit with 1 if the engine failed, 2 on another error."""
    run_main("scripts/torture", main)


def main() -> int:
    """Run the requested cases; return FAILED if the engine failed."""
    parser = _parser()
    options = parser.parse_args()
    python = shutil.which(options.python)
    if python is None:
        parser.error(f"--python {options.python}: no such command")
    kinds = options.kind or [kind for kind in KINDS if POSIX or kind not in _SIGNALLED]
    for kind in kinds:
        if not POSIX and kind in _SIGNALLED:
            parser.error(f"--kind {kind}: this system lacks the signals and pipes for it")
    failures = [_torture(kind, python, options, options.seconds / len(kinds)) for kind in kinds]
    return FAILED if any(failures) else 0


def _parser() -> Parser:
    parser = Parser("scripts/torture", __doc__)
    add = parser.add
    add("--kind", "kind of cases; may be repeated (default: all)", choices=KINDS, action="append")
    add("--seconds N", "time for all kinds together", 60, type=above_zero)
    add("--cases N", "number of cases of each kind, however long they take", type=positive)
    add("--case NUMBER", "repeat this case alone", type=from_zero)
    add("--seed N", "random seed", 1)
    add("--python COMMAND", "the interpreter of the engine (default: this one)", sys.executable)
    return parser


def _torture(kind: str, python: str, options: Namespace, seconds: float) -> int:
    """Run the cases of a kind, report them and return the number of failures."""
    tally, failures, last = Tally(), 0, time.monotonic() + seconds
    number = options.case or 0
    while True:
        with Case(kind, options.seed, number, python, tally) as case:
            case.count("cases")
            try:
                KINDS[kind](case)
            except Failure as failure:
                failures += 1
                _show(case, failure, options)
        number += 1
        if options.case is not None or number == options.cases:
            break
        if options.cases is None and time.monotonic() > last:
            break
    first, *others = tally.lines()
    tell(f"{kind}: {first}: " + (f"failures: {failures}" if failures else "no failures"))
    for line in others:
        tell(f"  {line}")
    return failures


def _show(case: Case, failure: Failure, options: Namespace) -> None:
    """Print a case in which the engine failed, with the command that repeats it."""
    lines = [f"{case.kind}, case {case.number} of seed {case.seed}: {failure}"]
    for subject in case.subjects:
        lines.append("  " + " ".join(subject.command))
        lines += ["  > " + _shown(line) for line in subject.sent]
        lines += ["  < " + line[:LONGEST] for line in subject.said()[-10:]]
    lines.append(
        f"again: scripts/torture --kind {case.kind} --seed {case.seed}"
        f" --case {case.number} --python {options.python}"
    )
    tell(clean("\n".join(lines)))


def _shown(line: bytes) -> str:
    """Return sent bytes as one line: as they are if printable, else as a Python literal."""
    text = line.decode("ascii", "replace")
    shown = text if text.isprintable() and "\ufffd" not in text else repr(line)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}... ({len(line)} bytes)"
