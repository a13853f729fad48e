#!/usr/bin/env python3
"""Insert faults into the code, one at a time, and report those that the tests don't notice.

    scripts/lab/mutations.py                    all faults of mutations.txt (takes minutes)
    scripts/lab/mutations.py moves.py clock     faults whose file or text has one of these words

mutations.txt has three kinds of lines for each fault, then an empty one:

    games/chess/moves.py | tests/test_chess_rules.py -k counters
    - text that occurs once in the file
    + text to replace it

After the file come the arguments for pytest: the tests that should notice the fault.  The tests
run in a copy of the project.  The exit status is 1 if a fault survives.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from scripts.command_line import Parser, run_main  # noqa: E402
from scripts.environment import output_of  # noqa: E402

_FAULTS = pathlib.Path(__file__).with_name("mutations.txt")
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "dist", "build")
# In seconds; some faults make a test run forever.
_LONGEST_TEST = "60"
# -B: write no bytecode.  Python would run old bytecode if a file changed within a second and kept
# its length.
_PYTEST = "-B -m pytest -qx -p no:cacheprovider -o addopts="
# exit statuses of pytest
_PASSED = 0
_WRONG_WORDS = 4
_NO_TESTS = 5


class Fault:
    """A fault in a file.

    tests: arguments for pytest.  before: the right text.  after: the faulty text in its place.
    """

    def __init__(self, paragraph: str) -> None:
        head, *lines = paragraph.splitlines()
        self.file, _, tests = (part.strip() for part in head.partition("|"))
        self.tests = tests.split()
        self.before, self.after = (
            "\n".join(line[2:] for line in lines if line[:1] == sign) for sign in "-+"
        )

    def __str__(self) -> str:
        return f"{self.file}: {self.before.strip()} -> {self.after.strip()}"

    def put_into(self, text: str) -> str:
        """Return the file's text with the fault; raise ValueError unless `before` occurs once."""
        if text.count(self.before) != 1:
            raise ValueError(
                f"{self.file} must have this text once, not {text.count(self.before)} times: "
                f"{self.before}"
            )
        return text.replace(self.before, self.after)


def faults(text: str) -> list[Fault]:
    """Parse the faults in a text such as mutations.txt."""
    return [Fault(part) for part in text.strip().split("\n\n") if not part.startswith("#")]


def noticed(fault: Fault, project: pathlib.Path, python: str) -> str:
    """Return the test that fails with the fault in the copy `project`, or "" if all pass."""
    path = project / fault.file
    right = path.read_bytes()
    path.write_bytes(fault.put_into(right.decode()).encode())
    try:
        env = {**os.environ, "PLYGLOT_LONGEST_TEST": _LONGEST_TEST}
        status, said = output_of([python, *_PYTEST.split(), *fault.tests], cwd=project, env=env)
    finally:
        path.write_bytes(right)
    if status in (_WRONG_WORDS, _NO_TESTS):
        raise RuntimeError(f"{fault}: pytest could not run:\n{said}")
    if status == _PASSED:
        return ""
    failed = [line[7:] for line in said.splitlines() if line.startswith("FAILED ")]
    return failed[0].split(" - ")[0] if failed else "the end of pytest"


def main() -> int:
    """Insert the requested faults one by one; return 1 if one survives."""
    parser = Parser("scripts/lab/mutations.py", __doc__)
    parser.add("[WORDS]", "only faults that contain one of these words", nargs="*")
    parser.add(
        "--faults FILE", "file of faults (default: mutations.txt)", _FAULTS, type=pathlib.Path
    )
    parser.add("--python COMMAND", "interpreter for the tests (default: this one)", sys.executable)
    options = parser.parse_args()
    wanted = [
        fault
        for fault in faults(options.faults.read_text(encoding="utf-8"))
        if not options.words or any(word in str(fault) for word in options.words)
    ]
    for fault in wanted:
        fault.put_into((ROOT / fault.file).read_text(encoding="utf-8"))
    alive = 0
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder) / "plyglot"
        shutil.copytree(ROOT, project, ignore=_LEFT_OUT)
        for fault in wanted:
            test = noticed(fault, project, options.python)
            alive += not test
            print(f"{'dies ' if test else 'LIVES'} {fault}{'  by ' * bool(test)}{test}", flush=True)
    print(f"{len(wanted)} faults, {alive} of them survived")
    return 1 if alive else 0


if __name__ == "__main__":
    run_main("scripts/lab/mutations.py", main, ValueError, RuntimeError)
