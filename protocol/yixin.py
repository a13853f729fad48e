"""The commands that Yixin's board, and Rapfi after it, add to the protocol of Gomocup."""

from __future__ import annotations

from games.grid import board_of, cell_of
from protocol import moves
from protocol.base import CommandError, command, first_word, whole_number
from protocol.gomocup import Gomocup, read_stones, swaps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from search.report import Result


_ALL_MOVES = 256  # maximum number of moves that a search shows


class Yixin(Gomocup):
    """A brain that knows the commands of Yixin's board, which sets the position with YXBOARD."""

    def dispatch(self, line: str) -> None:
        word = first_word(line)[0].lower()
        if word.startswith("yx") and word in self.table and word != "yxstop":
            self.yixin = True
            self.obey_rule()
        super().dispatch(line)

    @command("YXSHOWINFO")
    def _show_info(self, rest: str) -> None:
        """accepted: the engine always shows its thinking"""

    @command("YXHASHCLEAR")
    def _hash_clear(self, rest: str) -> None:
        """clear the tables of earlier searches"""
        self.session.clear_memory()

    @command("YXSHOWFORBID")
    def _show_forbidden(self, rest: str) -> None:
        """show the points that are forbidden in Renju: FORBID XXYYXXYY."""
        self.require_position()
        # A request during a search is about the position after the engine's move.
        self.in_turn(lambda: self.write(forbidden_line(self.session.position)))

    # ---- searches --------------------------------------------------------------------

    @command("YXNBEST")
    def _best(self, rest: str) -> None:
        """YXNBEST N: show the best N moves, and play the best"""
        self.move(count=min(whole_number(rest, "YXNBEST", 1), _ALL_MOVES))

    @command("YXSEARCHDEFEND")
    def _every_move(self, rest: str) -> None:
        """show every move with its score, and play the best"""
        self.move(count=_ALL_MOVES)

    @command("YXBALANCEONE", "YXBALANCETWO")
    def _balance(self, rest: str) -> None:
        """YXBALANCEONE [SCORE]: play the move whose score is nearest to SCORE, or to 0;
        YXBALANCETWO [SCORE]: play that move and the reply to it
        """
        wanted = whole_number(rest or "0", self.word.upper())
        count = 2 if self.word == "yxbalancetwo" else 1

        def play(result: Result) -> None:
            line = min(result.lines, key=lambda line: abs(line.score - wanted))
            best = line.moves[:count]
            if len(best) < count:
                best = with_reply(result.position, best[0])
            self.play_and_write(best)

        self.move(play, _ALL_MOVES)

    # ---- blocked points --------------------------------------------------------------

    @command("YXBLOCK", "YXBLOCKUNDO", end="done")
    def _block(self, lines: list[str]) -> None:
        """YXBLOCK, lines X,Y, DONE: don't play on these points; YXBLOCKUNDO: allow them again"""
        position = self.session.game.start(self.session.values)
        cells = read_stones(lines, "YXBLOCK", "X,Y")
        points = {moves.read_coordinates(position, cell) for cell, _ in cells}
        undoes = self.word == "yxblockundo"
        self.blocked = self.blocked - points if undoes else self.blocked | points

    @command("YXBLOCKRESET")
    def _unblock_all(self, rest: str) -> None:
        """allow all blocked points again"""
        self.blocked.clear()

    # ---- Swap2 -----------------------------------------------------------------------

    @command("YXSWAP2STEP1")
    def _step_1(self, rest: str) -> None:
        """open a Swap2 game: choose the first three stones"""
        self.stop_and_wait()
        for number, stone in enumerate(self.open(), 1):
            self.write(f"MESSAGE SWAP2 MOVE{number} {stone.replace(',', ' ')}")

    @command("YXSWAP2STEP2", "YXSWAP2STEP3")
    def _choose(self, rest: str) -> None:
        """answer an opening of three stones, or of five at step 3: swap or play on"""
        name = self.word.upper()
        wanted, question = (3, "SWAP1") if name.endswith("2") else (5, "SWAP2")
        self.stop_on_board()
        count = sum(char != "." for row in board_of(self.session.position) for char in row)
        if count != wanted:
            raise CommandError(f"{name} needs a board with {wanted} stones, not {count}")

        def answer(result: Result) -> None:
            self.write(f"MESSAGE SWAP2 {question} {'YES' if swaps(result) else 'NO'}")

        self.move(answer)


def with_reply(position: Position, move: int) -> list[int]:
    """Return a move and, if there is one, the reply that the game's move ordering puts first."""
    position.make(move)
    replies = position.playable_moves()
    ranked = sorted(zip(position.order_moves(replies), replies))
    position.undo()
    return [move, *[reply for _, reply in ranked[-1:]]]


def forbidden_line(position: Position) -> str:
    """Return `FORBID XXYYXXYY.`, with the points that are forbidden to the side to move."""
    cells = [cell_of(position, move) for move, _ in position.barred_moves()]
    points = ["{:02d}{:02d}".format(*moves.coordinates(position, cell)) for cell in cells]
    return f"FORBID {''.join(points)}."
