"""USI, the protocol of shogi's front ends: UCI with other clocks, positions and ends of games."""

from __future__ import annotations

from games.base import MAX_SCORE, WIN
from protocol import moves
from protocol.base import command, first_word, malformed
from protocol.go import GoRequest, clock_words
from protocol.universal import Universal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from games.base import Position
    from games.types import Move


class Usi(Universal):
    """The Universal Shogi Interface."""

    games = ("shogi", "minishogi")
    # Black (sente) moves first.
    clock_words = {**clock_words("bw"), "byoyomi": ("period", None)}
    no_bestmove = "bestmove resign"
    variant_option = "USI_Variant"
    option_names = {"Hash": "USI_Hash", "Ponder": "USI_Ponder"}
    option_blank = "_"

    # ---- hand-shake ------------------------------------------------------------------

    @command("usi")
    def _usi(self, rest: str) -> None:
        """show the engine's name and options"""
        self.identify(self.games, "usiok")

    @command("usinewgame")
    def _usinewgame(self, rest: str) -> None:
        """start a new game and forget the last one"""
        self.session.worker.stop_endless()
        self.session.new_game()

    @command("gameover")
    def _gameover(self, rest: str) -> None:
        """gameover win|lose|draw: the game has ended"""
        self.session.stop()

    # ---- thinking --------------------------------------------------------------------

    @command("go")
    def _go(self, rest: str) -> None:
        """go [btime MS] [wtime MS] [binc MS] [winc MS] [byoyomi MS] [depth N] [nodes N]
        [movetime MS] [infinite] [ponder] | go mate MS|infinite: think, or look for a mate by checks
        """
        kind, text = first_word(rest)
        if kind == "mate":
            self._find_mate(first_word(text)[0])
        elif not self.session.refused and self.session.position.claim() is not None:
            self.in_turn(lambda: self.write("bestmove win"))
        else:
            super()._go(rest)

    def _find_mate(self, time: str) -> None:
        """Search for a mate by checks.  time: the milliseconds allowed, or `infinite`."""
        from search.limits import Limits

        # Beyond the contract of games, a position of shogi has mating_line(context), which returns
        # the moves of a mate by checks, [] if there is none, None if that is unknown.
        position: Any = self.session.copy_position()
        if self.session.refused:
            self._answer_none(self.refusal(), "checkmate timeout")
            return
        if self.session.game.name not in self.games:
            known = " and ".join(self.games)
            fault = f"go mate works in {known} only, not in {self.session.game.name}"
            self._answer_none(fault, "checkmate notimplemented")
            return
        request = GoRequest(time if time == "infinite" else f"movetime {time}", self)
        if request.complaints:
            self.error(str(malformed("go mate", "milliseconds or infinite", time)))

        def answer(line: list[Move] | None) -> None:
            if line is None:
                self.write("checkmate timeout")
            else:
                words = moves.variation(position, line, self.write_move)
                self.write(" ".join(["checkmate", *(words or ["nomate"])]))

        self.session.run(position.mating_line, answer, request.limits or Limits())

    def score_words(self, score: int, position: Position, line: Sequence[int] = ()) -> str:
        """Return `cp N`, or `mate N` for N plies, negative if the side to move loses."""
        if abs(score) <= MAX_SCORE:
            return f"cp {score}"
        return f"mate {WIN - score if score > 0 else -WIN - score}"
