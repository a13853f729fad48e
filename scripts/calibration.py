"""The calibration loop, by which speeds are compared across machines."""

from __future__ import annotations

import subprocess

TURNS = 10**7
# At module level, where its variables are global ones.
_LOOP = """import time; s = time.{clock}(); x = 0
for i in range({turns}): x += i
print(time.{clock}() - s)"""


def loop_seconds(python: str, clock: str, turns: int = TURNS) -> float:
    """Seconds that an interpreter takes for so many turns.

    clock: the name of a clock of the module `time`.
    """
    code = _LOOP.format(clock=clock, turns=turns)
    return float(subprocess.run([python, "-c", code], check=True, stdout=subprocess.PIPE).stdout)
