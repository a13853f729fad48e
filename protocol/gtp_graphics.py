"""GoGui's live graphics: what is thought of, drawn on its board while a command thinks.

GoGui reads them from stderr.  They are written once it has named itself (`gogui-version`) or the parameter
`Live Graphics` asks for them.
"""
from __future__ import annotations

import sys
from time import perf_counter

from protocol.base import command
from protocol.gtp_score import score_text

# Seconds between two drawings.
_INTERVAL = 0.2

# Moves of a variation that are drawn: more would hide the board.
_SHOWN = 8


class Graphics:
    """Draws the principal variation of a search."""

    def __init__(self, gtp):
        self._game, self._values = gtp.game, gtp.parameters.values
        self._next = 0.0

    @command("gogui-version", "gogui-version VERSION: GoGui names itself, and gets live graphics")
    def _gogui_version(self, words):
        if words and words[0].replace(".", "").isdigit() and "." in words[0]:
            self._values["Live Graphics"] = True

    def for_search(self):
        """What a search should report to; None where nothing is to be drawn."""
        return self._draw if self._values["Live Graphics"] else None

    def _draw(self, report, position):
        line, now = report.line, perf_counter()
        if line is None or line.multipv != 1 or now < self._next:
            return
        self._next = now + _INTERVAL
        names, colour, moves = self._game.variation(position, line.moves[:_SHOWN]), position.side, []
        for name in names:
            moves.append(f"{self._game.colour(colour)[0]} {name}")
            colour ^= 1
        text = f"depth {line.depth} {score_text(line.score, position, line.moves)} nodes {report.nodes}"
        _write("gogui-gfx:", f"VAR {' '.join(moves)}", f"TEXT {text}", "")

    def clear(self, drawn):
        """The search that `for_search` was asked for is over: take its drawing away."""
        if drawn is not None:
            _write("gogui-gfx: CLEAR")


def _write(*lines):
    sys.stderr.write("".join(line + "\n" for line in lines))
    sys.stderr.flush()
