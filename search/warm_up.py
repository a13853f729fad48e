"""Preparations for the first search of a game, so that they cost no move's time."""

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

    It searches a few nodes from the start position in tables of its own, so it doesn't
    change the results of later searches.
    """
    limits = Limits(depth=1, nodes=_NODES)
    position = game.start(options)
    values = {**options, "Variety": False, "MultiPV": 1}
    context = Context(limits, Clock(limits, position.side), values, {}, 1, position.legal_moves())
    context.random = random
    try:
        from search.root import think

        think(position, context, lambda report: None)
    except Exception:  # a bug, reported as in a search: the process goes on
        faults.report()
    finally:
        release(context.memory)
