"""Kings and knights that leap differently than in chess: the tables of the rules for them."""

from __future__ import annotations

from types import FunctionType

from games.chess import tables
from games.chess.tables import BLACK, KING, KNIGHT, bitboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Leaps = Mapping[int, Sequence[tuple[int, ...]]]  # {kind: target squares from each square}


def leaping(leaps: Leaps) -> dict[str, Any]:
    """Return {name: table} for the tables of games/chess/tables.py that depend on the leaps.

    leaps: {KNIGHT or KING: [the squares that it reaches from a square, for each square]}.
    """
    names = "LEAPS", "LEAPER_ATTACKS", "QUIET_TARGETS", "PSEUDO_ATTACKS"
    made = {name: list(getattr(tables, name)) for name in names}
    for kind, targets in leaps.items():
        bits = [bitboard(squares) for squares in targets[:64]]
        flags = [tuple(found >> square & 1 == 1 for square in range(65)) for found in bits]
        rows: tuple[Any, ...] = targets, bits, bits, flags + [(False,) * 65]
        for name, row in zip(names, rows):
            made[name][kind] = made[name][kind + BLACK] = row
    return {
        **made,
        "KNIGHT_LEAPS": made["LEAPS"][KNIGHT],
        "KING_LEAPS": made["LEAPS"][KING],
    }


def with_tables(functions: Any, made: dict[str, Any]) -> Any:
    """Return a subclass of `functions` whose functions use the tables in `made`.

    functions: Attacks or Generator, or a subclass.  made: what leaping() returned.
    """
    build = functions.__init__
    same = FunctionType(build.__code__, {**build.__globals__, **made})
    return type(functions.__name__, (functions,), {"__slots__": (), "__init__": same})
