"""Self-play for the scripts that write files of labelled positions.

Each game has its own seed, and its last line is `# SEED`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from scripts.command_line import tell
from scripts.jobs.command import open_run
from scripts.jobs.files import GrowingFile, PathLike
from scripts.jobs.worker import Work

_END = re.compile(rb"# \d+(/\d+)?")


def _ends_game(line: bytes) -> bool:
    """Is this the last line of a game, `# SEED` or `# SEED/NUMBER`?"""
    return _END.fullmatch(line) is not None


def opened(path: PathLike) -> GrowingFile:
    """Open a file of games; drop the lines of a game that a killed writer left unfinished."""
    out = GrowingFile(path)
    lines = [*out.lines()]
    while lines and not _ends_game(lines[-1]):
        out.size -= len(lines.pop()) + 1
    return out


def make_positions(
    path: PathLike,
    arguments: Any,
    work: Work,
    seeds: Iterable[str],
    settings: dict[str, Any],
    at_once: int = 1,
) -> None:
    """Play the games of `seeds` that are missing from a file, and append them.

    arguments: the command line, parsed with add_options() of scripts/jobs/command.py.
    work: a function at the top level of a module.  It plays the games of a job {id, seeds,
    settings} and returns {id, texts: [the lines of each game]}.
    at_once: games per job.
    """
    words = "game" if at_once == 1 else "batch of games", "played"
    with (
        closing(opened(path)) as out,
        open_run(arguments, work, words, True) as run,
    ):
        done = {line[2:].decode() for line in out.lines() if _ends_game(line)}
        wanted = list(seeds)
        missing = [seed for seed in wanted if seed not in done]
        batches = [missing[first : first + at_once] for first in range(0, len(missing), at_once)]
        jobs = (
            {
                "id": "..".join(dict.fromkeys((some[0], some[-1]))),
                "seeds": some,
                "settings": settings,
            }
            for some in batches
        )
        begun = time.monotonic()
        games, positions = len(wanted) - len(missing), 0
        for job, result in run.results(jobs):
            for seed, text in zip(job["seeds"], result["texts"]):
                out.append(f"{text}# {seed}\n")
                positions += text.count("\n")
            games += len(job["seeds"])
            tell(
                f"{games} of {len(wanted)} games, {positions} new positions, "
                f"{positions / (time.monotonic() - begun):.0f} per second"
            )
