"""Kings and knights that leap differently than in chess: the tables of the rules for them."""

from __future__ import annotations

from games.chess.tables import BLACK, PieceTables, bitboard, check_squares

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Leaps = Mapping[int, Sequence[tuple[int, ...]]]  # {kind: target squares from each square}


def leaping(leaps: Leaps) -> PieceTables:
    """Return the tables of pieces that leap differently.

    leaps: {KNIGHT or KING: [the squares that it reaches from a square, for each square]}.
    """
    tables = PieceTables()
    for name in ("leaps", "leaper_attacks", "quiet_targets", "pseudo_attacks"):
        setattr(tables, name, list(getattr(tables, name)))
    for kind, targets in leaps.items():
        bits = [bitboard(squares) for squares in targets[:64]]
        flags = [tuple(found >> square & 1 == 1 for square in range(65)) for found in bits]
        for piece in (kind, kind + BLACK):
            tables.leaps[piece] = list(targets)
            tables.leaper_attacks[piece] = tables.quiet_targets[piece] = bits
            tables.pseudo_attacks[piece] = [*flags, (False,) * 65]
    squares = [check_squares(king, tables.quiet_targets) for king in range(64)]
    tables.check_squares = [*squares, [0] * 16]
    return tables
