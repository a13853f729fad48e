"""The search: independent of every protocol and of every particular game.

README.md says in which order to read the code; docs/CONTRIBUTING.md describes the files.

`ask` searches in one call, for programs without a front end; `warm_up` loads what a game's
first search needs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.base import Game, Position
    from games.types import Options
    from search.context import Context
    from search.limits import Limits
    from search.report import Report, Result

# The node limit and the options of a warm-up.  The options rule out random choices, since the
# warm-up's Context has no source of random numbers.
_WARM_UP_NODES = 50
_WITHOUT_CHOICE = {"Variety": False, "MultiPV": 1, "Skill Level": 20, "UCI_LimitStrength": False}


def ask(
    position: Position,
    limits: Limits,
    options: Options | None = None,
    memory: dict[str, Any] | None = None,
    megabytes: float = 16.0,
) -> Result:
    """Return the Result of searching `position`, which is left unchanged and must have legal moves.

    memory: the dict that searches share (search/context.py); a new one by default.
    megabytes: size of all tables together.
    """
    from search.report import Result
    from search.think import think

    private = position.copy() or position.game.parse(position.text(), options or {})
    reports: list[Report] = []
    context = context_of(private, limits, options, memory, megabytes)
    lines = think(private, context, reports.append)
    return Result(lines, position, reports[-1].nodes)


def context_of(
    position: Position,
    limits: Limits,
    options: Options | None = None,
    memory: dict[str, Any] | None = None,
    megabytes: float = 16.0,
) -> Context:
    """Return the Context of a search of `position` within `limits`; its clock starts now."""
    from search.context import Context
    from search.limits import Deadlines

    deadlines, moves = Deadlines(limits, position.side), limits.choice(position.legal_moves())
    return Context(deadlines, options, memory, megabytes, moves)


def warm_up(game: Game, options: Options) -> None:
    """Load the code and data of a game's search now, so that the first move needn't wait for them.

    A search of a few nodes from the start position loads them.  It has tables of its own, so
    it doesn't change the results of later searches.
    """
    from search import interpreter
    from search.limits import Limits
    from search.table import release

    memory: dict[str, Any] = {}
    limits = Limits(depth=1, nodes=_WARM_UP_NODES)
    try:
        ask(game.start(options), limits, {**options, **_WITHOUT_CHOICE}, memory, 1)
    except Exception:  # a bug: report it and go on, as after a bug in a search
        interpreter.report_bug()
    finally:
        release(memory)
