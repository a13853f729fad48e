"""Files of positions from games; each game has its own seed and ends with the line `# SEED`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any, Callable

from scripts.command_line import tell
from scripts.jobs.files import GrowingFile
from scripts.jobs.script import open_run
from scripts.jobs.worker import Job

_END = re.compile(rb"# \d+(/\d+)?")


def ends_game(line: bytes) -> bool:
    """Is this the last line of a game: `# SEED`, with one or two numbers?"""
    return _END.fullmatch(line) is not None


def play_missing(
    arguments: Any, work: str, words: tuple[str, str], jobs: Callable[[list[int]], Iterator[Job]]
) -> None:
    """Play those of the first `arguments.games` games that are missing from `arguments.out`.

    work, words: as for open_run(), whose options `arguments` has, too.
    jobs(seeds): returns the jobs for these games; a result has `texts`, the lines of each game.
    """
    out = GrowingFile(arguments.out, ends_game)
    run = open_run(arguments, work, words, True)
    try:
        done = {int(line[1:]) for line in out.lines() if ends_game(line)}
        seeds = [seed for seed in range(arguments.games) if seed not in done]
        begun, games, positions = time.monotonic(), len(done), 0
        for _, result in run.results(jobs(seeds)):
            for text in result["texts"]:
                out.add(text)
                positions += text.count("\n") - 1
            games += len(result["texts"])
            tell(
                f"{games} of {arguments.games} games, {positions} new positions, "
                f"{positions / (time.monotonic() - begun):.0f} a second"
            )
    finally:
        out.close()
        run.close()
