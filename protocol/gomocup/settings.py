"""The settings that INFO lines of a Gomocup manager change: rule, time, memory."""

from __future__ import annotations

from search.clock import Clock, TimeControl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from search.limits import Limits

FREESTYLE = "gomokufreestyle"
STANDARD = "gomoku"
RENJU = "renju"

_TIMES = ("timeout_turn", "timeout_match")
_KEYS = (*_TIMES, "max_memory", "max_depth", "max_node")
# Keys that only Yixin's board sends.
_YIXIN_KEYS = frozenset(
    "caution_factor checkmate hash_size max_depth max_node nbest_sym pondering show_detail"
    " thread_num thread_split_depth time_increment usedatabase".split()
)
_YIXIN_RENJU = 2
# Times of this many milliseconds or more mean no limit: managers without a clock send 2147483647.
_UNLIMITED = 10**9

# Seconds per move if the manager sets no limit at all.
_DEFAULT_TURN = 1.0

_OWN_MEGABYTES = 50  # for the interpreter and the game without its tables
_TABLE_SHARE = 0.6  # share of the remaining megabytes that the tables get
_LARGEST_HASH = 64


class Settings:
    """The current settings of the manager.

    clock: the engine's Clock.
    yixin: does the manager speak like Yixin's board, which numbers the rules in its own way?
    """

    def __init__(self, game: str) -> None:
        """Begin without limits.  game: the game until the manager chooses a rule."""
        self.yixin = False
        self._game, self._rule = game, -1
        self._values: dict[str, int] = {}
        self.clock = Clock()

    @property
    def game(self) -> str:
        """Return the game that the manager's rule selects.

        The rule is a sum: 1 means exactly five, 4 means Renju; without both the game is
        freestyle.  The 2
        for several games on one board is ignored.  From Yixin's board the rule 2 means Renju.
        """
        if self._rule < 0:
            return self._game
        if self._rule & 4 or self.yixin and self._rule == _YIXIN_RENJU:
            return RENJU
        return STANDARD if self._rule & 1 else FREESTYLE

    def change(self, key: str, value: int) -> None:
        """Change a setting; ignore an unknown key."""
        self.yixin = self.yixin or key in _YIXIN_KEYS
        if key == "rule":
            self._rule = max(value, 0)
        elif key == "time_left":
            self.clock.seconds = None if value >= _UNLIMITED else max(value, 0) / 1000
        elif key in _KEYS:
            self._values[key] = value
            if key in _TIMES and value >= _UNLIMITED:
                del self._values[key]
            if key == "timeout_match":
                self.begin_game()

    def begin_game(self) -> None:
        """Reset the clock to the time of a whole game."""
        match = self._positive("timeout_match")
        self.clock.set(TimeControl(None if match is None else match / 1000))

    def hash_megabytes(self, processes: int) -> int | None:
        """Return the megabytes that max_memory leaves for tables; None if it isn't set.

        processes: number of processes that share max_memory.
        """
        limit = self._positive("max_memory")
        if limit is None:
            return None
        return min(_LARGEST_HASH, int((limit / 2**20 - _OWN_MEGABYTES * processes) * _TABLE_SHARE))

    def limits(self) -> Limits:
        """Start the clock and return the Limits for a move."""
        depth, nodes = self._positive("max_depth"), self._positive("max_node")
        turn = self._values.get("timeout_turn")
        if turn is not None:
            self.clock.control.turn = max(turn, 0) / 1000
        else:
            unlimited = self.clock.seconds is None and not (depth or nodes)
            self.clock.control.turn = _DEFAULT_TURN if unlimited else None
        self.clock.begin()
        return self.clock.limits(depth=depth, nodes=nodes)

    def _positive(self, key: str) -> int | None:
        value = self._values.get(key, 0)
        return value if value > 0 else None
