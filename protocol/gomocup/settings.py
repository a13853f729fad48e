"""The settings that INFO lines of a Gomocup manager change: rule, time, memory."""

from __future__ import annotations

import os
import time
from time import perf_counter

from games.options import is_whole
from search.limits import Limits

FREESTYLE, STANDARD, RENJU = "gomokufreestyle", "gomoku", "renju"

_KEYS = ("timeout_turn", "timeout_match", "max_memory", "max_depth", "max_node", "thread_num")
# Keys that only Yixin's board sends.
_YIXIN_KEYS = frozenset(
    "caution_factor checkmate hash_size max_depth max_node nbest_sym pondering show_detail"
    " thread_num thread_split_depth time_increment usedatabase".split()
)
_YIXIN_RENJU = 2
_LARGEST = 10**15
# This many milliseconds or more are no limit: managers without a clock send 2147483647.
_UNLIMITED = 10**9
_TIMES = ("timeout_turn", "timeout_match")

# Seconds per move if the manager sets no limit at all.
_DEFAULT_TURN = 1.0
# The manager may ask for the first move while the process still starts: at most this many
# seconds of the start count as thinking time.
_LONGEST_START = 1.0

# Megabytes that the interpreter and the game need besides the tables, and the tables' share
# of the rest.
_OWN_MEGABYTES = 50
_TABLE_SHARE = 0.6
_LARGEST_HASH = 64


def game_of(rule: int, yixin: bool = False) -> str:
    """Return the game of a rule: bit 0 is exactly five, bit 2 is Renju, all others are freestyle.

    yixin: read 2 as Renju, as Yixin's board does; Piskvork's 2 means several games on one board.
    """
    if yixin and rule == _YIXIN_RENJU:
        return RENJU
    return RENJU if rule & 4 else STANDARD if rule & 1 else FREESTYLE


class Settings:
    """The current settings of the manager."""

    def __init__(self) -> None:
        self.game = FREESTYLE
        self._rule: int | None = None
        self._yixin = False  # does the manager speak like Yixin's board?
        self._values: dict[str, int] = {}
        self._left: float | None = None  # seconds left on the game's clock, None without one
        self._started = 0.0

    def read(self, key: str, text: str) -> bool:
        """Read a setting; return False if it has no meaning here (INFO is never answered)."""
        if not is_whole(text):
            return False
        value = int(text[:20])
        if key in _YIXIN_KEYS:
            self.speaks_yixin()
        if key == "rule":
            self._rule = max(value, 0)
            self.game = game_of(self._rule, self._yixin)
        elif key == "time_left":
            self._left = None if value >= _UNLIMITED else max(value, 0) / 1000
        elif key in _KEYS:
            self._values[key] = min(value, _LARGEST)
            if key in _TIMES and value >= _UNLIMITED:
                del self._values[key]
            if key == "timeout_match":
                self.begin_game()
        else:
            return False
        return True

    def speaks_yixin(self) -> None:
        """Note that the manager speaks like Yixin's board, and apply its numbering of the rules."""
        self._yixin = True
        if self._rule is not None:
            self.game = game_of(self._rule, self._yixin)

    def begin_game(self) -> None:
        """Reset the clock to the time of a whole game."""
        match = self._positive("timeout_match")
        self._left = None if match is None else match / 1000

    def threads(self) -> int | None:
        """Return the number of threads the engine may use, None if not set."""
        return self._positive("thread_num")

    def hash_megabytes(self, processes: int) -> int | None:
        """Return the tables' megabytes under max_memory for `processes`; None if unlimited."""
        limit = self._values.get("max_memory", 0)
        if limit <= 0:
            return None
        spare = (limit / 2**20 - _OWN_MEGABYTES * processes) * _TABLE_SHARE
        return max(1, min(_LARGEST_HASH, int(spare)))

    def limits(self, spent: float) -> Limits:
        """Return the Limits for a move.

        spent: seconds of the move's time that may have passed already.
        """
        self._started = perf_counter()
        depth, nodes = self._positive("max_depth"), self._positive("max_node")
        clock, turn = self._left, None
        if "timeout_turn" in self._values:
            seconds = self._values["timeout_turn"] / 1000
            turn = max(seconds - min(spent, _LONGEST_START), 0.0)
        elif clock is None and not (depth or nodes):
            turn = _DEFAULT_TURN
        return Limits(depth=depth, nodes=nodes, movetime=turn, clocks=(clock, clock))

    def spend(self, now: float) -> None:
        """Subtract the move's time from the clock, for managers that don't send time_left."""
        if self._left is not None:
            self._left = max(self._left - (now - self._started), 0.0)

    def _positive(self, key: str) -> int | None:
        value = self._values.get(key, 0)
        return value if value > 0 else None


def process_age() -> float:
    """Return the seconds since this process started.

    Return its processor time if the system doesn't report that.
    """
    try:
        with open("/proc/self/stat", "rb") as file:
            started = int(file.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return max(time.clock_gettime(time.CLOCK_BOOTTIME) - started, 0.0)
    except (OSError, ValueError, IndexError, AttributeError):
        return time.process_time()
