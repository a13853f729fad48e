"""The commands that Yixin's board, and Rapfi after it, add to the protocol of Gomocup; Swap2.

Swap2 is the rule for a fair opening of Gomoku, for `SWAP2BOARD`: one player places three
stones; the other chooses a colour, or places two more stones and lets the first player choose.
"""

from __future__ import annotations

import random

from games.grid import board_of
from protocol import moves
from protocol.base import CommandError, command, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.base import Position
    from games.types import Cell
    from protocol.gomocup.protocol import Gomocup
    from search.report import Result


_ALL_MOVES = 256  # the most moves that a search shows

# Three stones (first player, second player, first player) as column and row from a corner.
# Rapfi finds them balanced: within 25 of its 200 points, freestyle and with exactly five.
_OPENINGS = (
    ("2,3", "0,4", "0,0"),
    ("1,3", "2,0", "0,3"),
    ("0,2", "4,1", "2,4"),
    ("4,3", "4,2", "1,3"),
    ("4,0", "1,3", "2,4"),
)


def opening(seed: int | None) -> tuple[str, str, str]:
    """Return a random opening of three stones, always the same for the same seed."""
    return random.Random(seed).choice(_OPENINGS)


def swaps(result: Result) -> bool:
    """Should the engine swap: does the search score the side to move below zero?

    In an even position the move is worth keeping.
    """
    return bool(result.lines) and result.lines[0].score < 0


class Yixin:
    """The commands of Yixin's board, which sets the position with YXBOARD first."""

    def __init__(self, gomocup: Gomocup) -> None:
        self._gomocup, self._session = gomocup, gomocup.session
        self._blocked: set[Cell] = set()  # points on which the engine must not play

    @command("YXSHOWINFO")
    def _show_info(self, rest: str) -> None:
        """accepted: the engine always shows its thinking"""

    @command("YXHASHCLEAR")
    def _hash_clear(self, rest: str) -> None:
        """forget what earlier searches found"""
        self._session.clear_memory()

    @command("YXSHOWFORBID")
    def _show_forbidden(self, rest: str) -> None:
        """show the points that are forbidden in Renju: FORBID XXYYXXYY."""
        self._gomocup.require("board to play on")
        # Queued: asked during a search, it is about the position after the engine's move.
        self._session.run(
            lambda context: None,
            lambda found: self._gomocup.write(
                f"FORBID {''.join(forbidden_points(self._session.position))}."
            ),
        )

    # ---- searches --------------------------------------------------------------------

    @command("YXNBEST")
    def _best(self, rest: str) -> None:
        """YXNBEST N: show the best N moves, and play the best"""
        self._search(whole_number(rest, "YXNBEST", 1))

    @command("YXSEARCHDEFEND")
    def _every_move(self, rest: str) -> None:
        """show what every move leads to, and play the best"""
        self._search(_ALL_MOVES)

    @command("YXBALANCEONE", "YXBALANCETWO")
    def _balance(self, rest: str) -> None:
        """SCORE: play the move, or a move of each player, whose score is nearest to SCORE"""
        wanted = whole_number(rest or "0", self._gomocup.word.upper())
        count = 2 if self._gomocup.word == "yxbalancetwo" else 1

        def play(result: Result) -> None:
            line = min(result.lines, key=lambda line: abs(line.score - wanted))
            best = line.moves[:count]
            self._gomocup.play_and_write(
                best if len(best) == count else with_reply(result.position, best[0])
            )

        self._search(_ALL_MOVES, play)

    def _search(self, count: int, on_done: Callable[[Result], None] | None = None) -> None:
        self._gomocup.stop_on_board()
        self._gomocup.move(on_done, min(count, _ALL_MOVES))

    # ---- blocked points --------------------------------------------------------------

    @command("YXBLOCK", "YXBLOCKUNDO", end="done")
    def _block(self, lines: list[str]) -> None:
        """lines X,Y, DONE: play on none of these points; YXBLOCKUNDO: play on them again"""
        position = self._session.game.start(self._session.values)
        cells = self._gomocup.stones_of(lines, "YXBLOCK")
        points = {moves.read_coordinates(position, cell) for cell in cells}
        undoes = self._gomocup.word == "yxblockundo"
        self._blocked = self._blocked - points if undoes else self._blocked | points

    @command("YXBLOCKRESET")
    def _unblock_all(self, rest: str) -> None:
        """play on all points again"""
        self._blocked.clear()

    def allowed(self, position: Position) -> list[int] | None:
        """Return the legal moves that are not blocked; None if there is no restriction."""
        if not self._blocked:
            return None
        legal = position.playable_moves()
        return [move for move in legal if position.placement(move) not in self._blocked] or None

    # ---- Swap2 -----------------------------------------------------------------------

    @command("YXSWAP2STEP1")
    def _step_1(self, rest: str) -> None:
        """open by Swap2: three stones"""
        self._gomocup.stop_and_wait()
        stones = opening(self._session.values["Seed"] or None)
        self._gomocup.put(stones)
        for number, stone in enumerate(stones, 1):
            self._gomocup.write(f"MESSAGE SWAP2 MOVE{number} {stone.replace(',', ' ')}")

    @command("YXSWAP2STEP2", "YXSWAP2STEP3")
    def _choose(self, rest: str) -> None:
        """answer an opening of three stones, or of five at step 3: swap or play on"""
        name = self._gomocup.word.upper()
        wanted, question = (3, "SWAP1") if name.endswith("2") else (5, "SWAP2")
        self._gomocup.stop_on_board()
        count = sum(char != "." for row in board_of(self._session.position) for char in row)
        if count != wanted:
            raise CommandError(f"{name} needs a board of {wanted} stones, not {count}")

        def answer(result: Result) -> None:
            self._gomocup.spend()
            self._gomocup.write(f"MESSAGE SWAP2 {question} {'YES' if swaps(result) else 'NO'}")

        self._gomocup.move(answer)


def with_reply(position: Position, move: int) -> list[int]:
    """Return a move and the reply that the game would search first, if there is one."""
    position.make(move)
    replies = position.playable_moves()
    ranked = sorted(zip(position.order_moves(replies), replies))
    position.undo()
    return [move, *[reply for _, reply in ranked[-1:]]]


def forbidden_points(position: Position) -> list[str]:
    """Return the empty points that the side to move must not take, each as `XXYY`."""
    outcome = position.outcome()
    if outcome is not None and outcome.winner is not None:
        return []
    allowed = {position.placement(move) for move in position.legal_moves()}
    return [
        "{:02d}{:02d}".format(*moves.coordinates(position, (column, row)))
        for row, line in enumerate(board_of(position))
        for column, char in enumerate(line)
        if char == "." and (column, row) not in allowed
    ]
