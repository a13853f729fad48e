"""One stress test case: its dice, processes, folder and counts."""

from __future__ import annotations

import collections
import contextlib
import pathlib
import random
import shutil
import tempfile
from typing import Any

from scripts.stress.subject import Failure, Subject

__all__ = ["Case", "Failure", "Tally"]


class Tally:
    """The statistics of a kind of cases: counts {what: number}, measured {what: [values]}."""

    def __init__(self) -> None:
        self.counts: collections.Counter[str] = collections.Counter()
        self.measured: dict[str, list[float]] = collections.defaultdict(list)

    def lines(self) -> list[str]:
        """Return the statistics as texts: one for all counts, and one for each measurement."""
        lines = [", ".join(f"{count:,} {what}" for what, count in self.counts.items())]
        for what, numbers in self.measured.items():
            numbers = sorted(numbers)
            middle, most = numbers[len(numbers) // 2], numbers[(len(numbers) * 19) // 20]
            lines.append(
                f"{what}: median {middle:.1f}, 19 of 20 below {most:.1f}, worst {numbers[-1]:.1f}"
            )
        return lines


class Case:
    """A case, determined by its kind, seed and number.

    dice: random.Random.  python: the interpreter of the processes.
    folder: a Path for its files, removed afterwards.
    tally: the Tally of its kind.
    subjects: the processes that it started, which end with it.
    """

    def __init__(self, kind: str, seed: int, number: int, python: str, tally: Tally) -> None:
        self.kind, self.seed, self.number = kind, seed, number
        self.python, self.tally = python, tally
        self.dice = random.Random(f"{kind} {seed} {number}")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="torture-"))
        self.subjects: list[Subject] = []

    def __enter__(self) -> Case:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.ExitStack() as closing:
            closing.callback(shutil.rmtree, self.folder, ignore_errors=True)
            for subject in self.subjects:
                closing.callback(subject.kill)

    def count(self, what: str, many: int = 1) -> None:
        """Count something for the summary."""
        self.tally.counts[what] += many

    def measure(self, what: str, number: float) -> None:
        """Record a measurement for the summary."""
        self.tally.measured[what].append(number)

    def engine(self, *arguments: object, **more: Any) -> Subject:
        """Start a Subject: the engine with these arguments."""
        subject = Subject(self.python, self.folder, *arguments, **more)
        self.subjects.append(subject)
        self.count("starts")
        return subject
