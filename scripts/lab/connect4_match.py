#!/usr/bin/env python3
"""Games of the Connect Four engine from random two-ply starts, each move judged by the solver.

    python3 scripts/lab/connect4_match.py --games 20 --seconds 1            play, then judge
    python3 scripts/lab/connect4_match.py --games 200 --record games.txt --play
    pypy3 scripts/lab/connect4_match.py --record games.txt --judge --judge-book

The engine plays half of the games against itself, half against random moves.  A move is a mistake
if it changes the value of the game: it gives away a win or loses a draw.  The judge has no book.
It begins with the last moves of all games, since their results help with earlier moves.  With
--judge-book it trusts the book's entries, which connect4_book.py proves, and need not solve the
first plies again.  With --judge-nodes a move gets no verdict if its proof takes more nodes.

A record has one line for each game: the sides that the engine played, and all moves.  A further
run appends to the record.
"""

from __future__ import annotations

import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from games import registry  # noqa: E402
from games.connect4.bits import COLUMNS, play  # noqa: E402
from games.connect4.book import PATH, canonical  # noqa: E402
from games.connect4.position import Connect4Position  # noqa: E402
from games.connect4.solver import UNLIMITED, Connect4Solver  # noqa: E402
from games.grid import count_bits  # noqa: E402
from scripts.command_line import Parser, tell  # noqa: E402
from scripts.lab.connect4_book import TooLong, near, nodes_budget, read_entries, remember  # noqa: E402
from search import ask  # noqa: E402
from search.limits import Limits  # noqa: E402
from search.table import Tables  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from games.connect4.bits import Cells
    from games.types import Move
    from scripts.lab.connect4_book import Entries

    Question = tuple[Cells, Cells, Move]  # (mine, mask, column)

GAME = registry.get("connect4")


class Judge:
    """A judge that says whether a move keeps the value of a position (win, draw or loss).

    entries: the entries of a book that the judge trusts.
    """

    def __init__(
        self, megabytes: float, max_nodes: int | None = None, entries: Entries | None = None
    ) -> None:
        self._solver = Connect4Solver(Tables(megabytes).table)
        self._budget = nodes_budget(UNLIMITED if max_nodes is None else max_nodes)
        self._entries = entries or {}
        self.judged = self.skipped = 0

    def is_mistake(self, mine: Cells, mask: Cells, column: Move) -> bool:
        """Does a stone in `column` give away the value of the position?

        False if the proof takes too many nodes.
        """
        try:
            mistake = self._loses_value(mine, mask, column)
        except TooLong:
            self.skipped += 1
            return False
        self.judged += 1
        return mistake

    def _loses_value(self, mine: Cells, mask: Cells, column: Move) -> bool:
        key, turned = canonical(mine, mask)
        if key in self._entries and self._entries[key][1] == (
            COLUMNS - 1 - column if turned else column
        ):
            return False
        self._solver.begin(self._budget)
        if key in self._entries:
            remember(self._solver, key, self._entries[key][0])
        for known, score in near(self._entries, self._entries, mine, mask):
            remember(self._solver, known, score)
        for alpha in (0, -1):
            if self._solver.move_bound(mine, mask, column, alpha) > alpha:
                return False
            if self._solver.bound(mine, mask, alpha) > alpha:
                return True
        return False


def play_game(number: int, seconds: float, seed: int) -> str:
    """Return the record of one game."""
    pos, rng = GAME.start({}), random.Random(1_000_000 * seed + number)
    memory: dict[str, Any] = {}
    moves: list[str] = []
    sides = (0, 1) if number % 2 == 0 else (number // 2 % 2,)
    while pos.legal_moves():
        if len(moves) >= 2 and pos.side in sides:
            move = ask(pos, Limits(movetime=seconds), {"OwnBook": True}, memory, 64).best_move
        else:
            move = rng.choice(pos.legal_moves())
        moves.append(pos.move_text(move))
        pos.make(move)
    return "".join("XO"[side] for side in sides) + " " + "".join(moves)


def questions(record: str) -> set[Question]:
    """Return the engine's moves in a recorded game as {(mine, mask, column)}."""
    sides, moves = record.split()
    mine = mask = 0
    found = set()
    for ply, text in enumerate(moves):
        column = int(text) - 1
        if ply >= 2 and "XO"[ply % 2] in sides:
            found.add((mine, mask, column))
        mine, mask = play(mine, mask, column)
    return found


def judge_games(records: list[str], judge: Judge) -> list[str]:
    """Judge every move once, the last ones first; return the texts of the mistakes."""
    asked = {question for record in records for question in questions(record)}
    in_order = sorted(asked, key=lambda move: (-count_bits(move[1]), move))
    mistakes = []
    for number, (mine, mask, column) in enumerate(in_order):
        if judge.is_mistake(mine, mask, column):
            mistakes.append(f"{Connect4Position(GAME, mine, mask).text()} move {column + 1}")
        if number % 100 == 99:
            tell(f"{number + 1} of {len(asked)} moves examined, {len(mistakes)} mistakes")
    moves = sum(len(questions(record)) for record in records)
    print(
        f"{len(records)} games, {moves} moves of the engine, {len(asked)} different ones: "
        f"{judge.judged} judged, {judge.skipped} skipped, {len(mistakes)} mistakes"
    )
    return mistakes


def main() -> None:
    """Play and judge; exit with status 1 if a mistake was found."""
    parser = Parser("scripts/lab/connect4_match.py", __doc__.splitlines()[0])
    parser.add("--games N", "total number of games in the record", 20)
    parser.add("--seconds N", "time for each move", 1.0)
    parser.add("--seed N", "random seed", 1)
    parser.add("--record FILE", "file for the games; without it they are not saved")
    parser.add("--play", "play and record only")
    parser.add("--judge", "judge recorded games only")
    parser.add("--judge-book", "trust the book's entries")
    parser.add("--judge-nodes N", "nodes after which a move gets no verdict", type=int)
    parser.add("--judge-megabytes N", "size of the judge's table", 256)
    arguments = parser.parse_args()
    if (arguments.play or arguments.judge) and not arguments.record:
        parser.error("--play and --judge need --record")
    path = pathlib.Path(arguments.record or os.devnull)
    records = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    if not arguments.judge:
        with open(path, "a", encoding="ascii", newline="\n") as file:
            for number in range(len(records), arguments.games):
                records.append(play_game(number, arguments.seconds, arguments.seed))
                print(records[-1], file=file, flush=True)
    mistakes = []
    if not arguments.play:
        entries = read_entries(PATH) if arguments.judge_book else {}
        judge = Judge(arguments.judge_megabytes, arguments.judge_nodes, entries)
        mistakes = judge_games(records, judge)
    print("\n".join(mistakes))
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
