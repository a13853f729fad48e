"""The options of the engine in every game: tables, processors, lines, strength.

A game's own options are in games/options.py and its folder, a protocol's in its protocol.py.
"""

from __future__ import annotations

import sys

from games.options import Option
from search.levels import HIGHEST_ELO, LOWEST_ELO, STRONGEST, WEAKEST

# Maximum of Hash in megabytes: the address space of a 32-bit interpreter has no room for more.
_MAX_HASH = 4096 if sys.maxsize > 1 << 32 else 1024

# Maximum of Threads.  Front ends refuse to send more than this, so it doesn't depend on the
# machine, which may have fewer processors.  In a browser no process can be started.
MAX_THREADS = 1 if sys.platform == "emscripten" else 1024

OPTIONS: tuple[Option, ...] = (
    Option("Hash", "spin", 64, 1, _MAX_HASH, help="megabytes of the search's tables",
           on_change=lambda session: session.start_helpers()),
    Option("Clear Hash", "button", help="forget what earlier searches found",
           on_change=lambda session: session.clear_memory()),
    Option("Threads", "spin", 1, 1, MAX_THREADS,
           help="number of processors that the search may use",
           on_change=lambda session: session.start_helpers()),
    Option("MultiPV", "spin", 1, 1, 256, help="number of best moves to search and show"),
    Option("Ponder", "check", False,
           help="the front end may let the engine think in the opponent's time"),
    Option("Move Overhead", "spin", 40, 0, 10000,
           help="milliseconds lost between engine and clock each move"),
    Option("Skill Level", "spin", STRONGEST, WEAKEST, STRONGEST,
           help="playing strength, in every game"),
    Option("UCI_LimitStrength", "check", False, help="limit the playing strength to UCI_Elo"),
    Option("UCI_Elo", "spin", 1500, LOWEST_ELO, HIGHEST_ELO,
           help="approximate playing strength, in chess"),
    Option("UCI_AnalyseMode", "check", False,
           help="the engine analyses and does not play: no variety, no weaker play"),
)  # fmt: skip
