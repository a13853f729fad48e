"""How far each process of a team is: what the helpers and the search itself tell each other."""

from __future__ import annotations

from search.table import SharedWords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap

# Words for each process: nodes visited, depth begun; of the last iteration it finished the depth
# with the best move, and the score.  Each has the number of the job that it belongs to.
NODES, DEPTH, FINISHED, SCORE, _WORDS = 0, 1, 2, 3, 4
MOVE_BITS = 20
JOB_SHIFT = 44
_MOST_PROCESSES = 4096
# Bytes of the words of all processes.
SIZE = _MOST_PROCESSES * _WORDS * 8


class Progress:
    """How far each process of a team is with its job, in shared memory.

    memory: a function from a number of bytes to an mmap.
    """

    def __init__(self, memory: Callable[[int], mmap]) -> None:
        self._shared = SharedWords(memory, _MOST_PROCESSES * _WORDS)  # keeps the memory open
        self._words = self._shared.words

    def write(self, number: int, what: int, job: int, value: int) -> None:
        """what: NODES or DEPTH of the process `number`: 0 is the search itself, 1 a helper."""
        self._words[number * _WORDS + what] = job << JOB_SHIFT | value

    def read(self, number: int, what: int, job: int) -> int:
        """What was written last; 0 where that was for another job."""
        word = self._words[number * _WORDS + what]
        return word & (1 << JOB_SHIFT) - 1 if word >> JOB_SHIFT == job else 0
