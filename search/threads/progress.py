"""Progress counters shared by the helpers and the main search."""

from __future__ import annotations

from search.table import SharedWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap

# The words of each process: nodes visited, depth begun; for the last finished iteration, the
# depth with the best move, and the score.  Each includes the number of its job.
NODES, DEPTH, FINISHED, SCORE, _WORDS = 0, 1, 2, 3, 4
MOVE_BITS = 20
JOB_SHIFT = 44
_MOST_PROCESSES = 4096
# Size of the words of all processes, in bytes.
SIZE = _MOST_PROCESSES * _WORDS * 8


class Progress:
    """The progress of each process of a team with its job, in shared memory.

    memory: a function from a number of bytes to an mmap.
    """

    def __init__(self, memory: Callable[[int], mmap]) -> None:
        self._shared = SharedWords(memory, _MOST_PROCESSES * _WORDS)  # keeps the memory open
        self._words = self._shared.words

    def write(self, number: int, what: int, job: int, value: int) -> None:
        """Write a counter of a process.

        number: 0 for the main search, from 1 for helpers.  what: a counter like NODES.
        """
        self._words[number * _WORDS + what] = job << JOB_SHIFT | value

    def read(self, number: int, what: int, job: int) -> int:
        """Return the last value written; 0 if that was for another job."""
        word = self._words[number * _WORDS + what]
        return word & (1 << JOB_SHIFT) - 1 if word >> JOB_SHIFT == job else 0
