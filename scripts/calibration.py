"""The calibration loop, by which speeds are compared across machines."""

from __future__ import annotations

import subprocess

TURNS = 10**7
# Run at module level, so that its variables are globals.
_LOOP = """import time; s = time.{clock}(); x = 0
for i in range({turns}): x += i
print(time.{clock}() - s)"""


def loop_seconds(python: str, clock: str, turns: int = TURNS) -> float:
    """Return the seconds that an interpreter takes for the loop.

    clock: name of a clock of the module `time`.  turns: number of turns of the loop.
    """
    code = _LOOP.format(clock=clock, turns=turns)
    return float(subprocess.run([python, "-c", code], check=True, stdout=subprocess.PIPE).stdout)
