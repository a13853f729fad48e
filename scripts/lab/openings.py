#!/usr/bin/env python3
"""Make the file of a game's named openings, games/GAME/openings.bin, from tables.

    python3 scripts/lab/openings.py chess a.tsv b.tsv c.tsv d.tsv e.tsv
    python3 scripts/lab/openings.py othello scripts/lab/openings_othello.tsv
    python3 scripts/lab/openings.py renju scripts/lab/openings_renju.tsv

A line of a table has CODE, NAME and MOVES, with tabs between them; the first line is a heading.
Chess: the tables of https://github.com/lichess-org/chess-openings (public domain, CC0).  Othello:
the names that players gave to the usual lines, from the list that programs have used for decades.
Renju: the 26 openings of three stones of the Renju International Federation.
If a position has several names, the name of the line with the fewest moves counts.
"""

from __future__ import annotations

import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import data, registry  # noqa: E402
from games.base import Game, GameError  # noqa: E402
from games.openings import opening_key  # noqa: E402
from protocol.moves import read_any_move  # noqa: E402
from scripts.command_line import Parser, run_main, tell  # noqa: E402
from scripts.jobs.files import replace  # noqa: E402

SCRIPT = "scripts/lab/openings.py"


def entry(game: Game, moves: str) -> tuple[int, str]:
    """Return (plies, key) of a line of moves; raise GameError if one is illegal."""
    position, plies = game.start({}), 0
    for word in moves.split():
        if not word[0].isdigit():  # a move number
            for text in game.split_moves(word):
                position.make(read_any_move(position, text))
                plies += 1
    return plies, opening_key(position)


def main() -> None:
    """Write the openings of the game that the command line names."""
    parser = Parser(SCRIPT, __doc__)
    parser.add("GAME", "name of the game", type=registry.get)
    parser.add("TABLE", "files of openings", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    found: dict[str, tuple[int, str]] = {}
    for path in options.table:
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            code, name, moves = line.split("\t")
            plies, key = entry(options.game, moves)
            found[key] = min(found.get(key, (plies, f"{code}\t{name}")), (plies, f"{code}\t{name}"))
    lines = [f"{key}\t{words}" for key, (_, words) in found.items()]
    content = zlib.compress("\n".join(sorted(lines, key=lambda line: line[8:])).encode(), 9)
    path = pathlib.Path(data.path_of(options.game.openings))
    replace(path, [content])
    tell(f"{path}: {len(lines)} openings, {len(content)} bytes")


if __name__ == "__main__":
    run_main(SCRIPT, main, ValueError, GameError, OSError)
