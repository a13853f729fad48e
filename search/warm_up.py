"""What a process does before the first search of a game, so that no move's time pays for it."""

from __future__ import annotations

from search import faults
from search.clock import Clock
from search.context import Context
from search.limits import Limits
from search.table import release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random
    from typing import Any

    from games.base import Game

_NODES = 50


def warm_up(game: Game, options: Mapping[str, Any], random: Random) -> None:
    """Load what the first search of a game needs.

    By a search of a few nodes from the start, in tables of its own: later searches
    find what they would have found without it.
    """
    limits = Limits(depth=1, nodes=_NODES)
    position = game.start(options)
    values = {**options, "Variety": False, "MultiPV": 1}
    context = Context(limits, Clock(limits, position.side), values, {}, 1, position.legal_moves())
    context.random = random
    try:
        from search.root import think

        think(position, context, lambda report: None)
    except Exception:  # an own bug, reported as in a search: the process lives on
        faults.report()
    finally:
        release(context.memory)
