"""A protocol for tests, like USI: other words for clocks, positions, options and the end of a game."""

from __future__ import annotations

from protocol.base import command
from protocol.go import clock_words
from protocol.universal import Universal


class Wire(Universal):
    clock_words = {**clock_words("bw"), "byoyomi": ("period", None)}
    no_bestmove = "bestmove resign"
    option_names = {"Hash": "USI_Hash", "Ponder": "USI_Ponder"}
    option_blank = "_"

    def write_move(self, position, move):
        return "@" + position.move_text(move)

    def read_move(self, position, text):
        return super().read_move(position, text.removeprefix("@"))

    @command("wire")
    def _wire(self, rest):
        """show the options"""
        self.write(*map(self.option_line, self.session.options()), "wireok")
