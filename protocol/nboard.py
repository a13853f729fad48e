"""NBoard's protocol for Othello, one method per command.

The front end owns the game; the engine only analyses it.  Square a1 is at the top left, as
in Othello's own notation.
"""

from __future__ import annotations

import re

from games.base import PositionError
from protocol import moves
from protocol.base import PRODUCT, ThinkingProtocol, command, printable, whole_number
from protocol.records import ggf
from protocol.records.ggf import parts_of
from protocol.records.record import RecordError, read_seconds
from search.clock import Clock, TimeControl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from games.base import Position
    from protocol.records.record import Record
    from protocol.wire import Write
    from search.report import Report, Result
    from search.session import Session

# Seconds per search while the front end has set no depth and the player has no clock.
_SECONDS = 2.0
_WHOLE = re.compile(r"\(\s*;.*\)", re.DOTALL)  # a GGF game from its start to its end


def read_game(text: str) -> Record:
    """Return the Record of a GGF game; raise PositionError if it is malformed."""
    if _WHOLE.fullmatch(text.strip()) is None:
        raise PositionError(text, "is not a GGF game: expected (; at the start and ;) at the end")
    try:
        return ggf.FORMAT.read(text).complete()
    except RecordError as error:
        raise PositionError("", str(error)) from None


def clocks_of(record: Record) -> list[Clock]:
    """Return the clocks of both players at the end of a record, Black's first."""
    clocks = [Clock(_control(record, name)) for name in ("TB", "TW")]
    for step, (position, _) in zip(record.line, record.positions()):
        if not step.implied:
            clocks[position.side].spend(step.seconds("emt") or 0.0)
    return clocks


def _control(record: Record, name: str) -> TimeControl:
    """Return a player's time control: the header `name` or else TI, which is for both players.

    The header's value is time/increment/extension; the extension is ignored.  If time and increment
    are 0, the player has no clock.
    """
    values = ["", *record.values("TI"), *record.values(name)]
    seconds, increment = (read_seconds(part) or 0.0 for part in parts_of(values[-1])[:2])
    return TimeControl(seconds or increment or None, increment=increment)


class Nboard(ThinkingProtocol):
    """An engine that answers questions about the front end's position."""

    error_prefix, notice_prefix = "status error: ", "status "
    games = ("othello",)

    def __init__(self, session: Session, write: Write) -> None:
        super().__init__(session, write)
        self._depth: int | None = None
        self._clocks = [Clock(), Clock()]

    def unknown(self, line: str) -> None:
        """Ignore the line, as the protocol demands."""

    # ---- settings --------------------------------------------------------------------

    @command("nboard")
    def _nboard(self, rest: str) -> None:
        """nboard VERSION: speak NBoard"""

    @command("set")
    def _set(self, rest: str) -> None:
        """set depth N | set game GGF | set contempt N: set depth or game; ignore contempt"""
        name, _, value = rest.partition(" ")
        if name == "depth":
            self._depth = whole_number(value, "set depth", 1)
            self.write(f"set myname {PRODUCT}{self._depth}")
        elif name == "game":
            self.drop()
            self.session.refuse()  # the old position no longer counts, even if this command fails
            record = read_game(value)
            self._clocks = clocks_of(record)
            words = moves.variation(record.start.position(), record.moves, _move_text)
            self.session.setup(record.start.text, words)

    # ---- moves -----------------------------------------------------------------------

    @command("move")
    def _move(self, rest: str) -> None:
        """move MOVE[/EVAL[/TIME]]: play a move"""
        self.drop()
        self.require_position()
        move, _, seconds = parts_of(rest)
        self.session.play_word(move, moves.read)
        self._clocks[1 - self.session.position.side].spend(read_seconds(seconds) or 0.0)

    # ---- thinking --------------------------------------------------------------------

    @command("go")
    def _go(self, rest: str) -> None:
        """report the move that the engine would play, within the depth limit and the clock"""
        self._think(1, self._write_move, self._clocks[self.session.position.side])

    @command("hint")
    def _hint(self, rest: str) -> None:
        """hint N: evaluate the best N moves, whatever the clock"""
        count = whole_number(rest, "hint", 1)
        self._think(count, lambda result: self.write("status"), Clock())

    def _think(self, count: int, on_done: Callable[[Result], None], clock: Clock) -> None:
        self.drop()
        self.require_position()
        outcome = self.session.position.outcome()
        if outcome:
            self.write(f"status The game is over: {outcome.reason}", "status")
            return
        limits = clock.limits(depth=self._depth)
        if not limits.bounded():
            limits.movetime = _SECONDS
        self.write(f"status {PRODUCT} is thinking")
        self.think(limits, on_done, {"MultiPV": count})

    def on_report(self, report: Report, position: Position) -> None:
        line = report.line
        if line is None or line.bound:  # a bound says who wins, but not by how many discs
            return
        depth = "100%" if line.exact else str(line.depth)
        pv = "-".join(moves.variation(position, line.moves, _move_text))
        self.write(
            f"search {pv} {_discs(line.score)} 0 {depth}",
            f"nodestats {report.nodes} {report.seconds:.3f}",
        )

    def _write_move(self, result: Result) -> None:
        best = result.lines[0]
        text = _move_text(result.position, best.moves[0])
        self.write("status", f"=== {text}" if best.bound else f"=== {text}/{_discs(best.score)}")

    @command("ping")
    def _ping(self, rest: str) -> None:
        """ping N: stop thinking and answer pong N"""
        self.drop()
        self.write(f"pong {printable(rest)}".rstrip())

    @command("learn")
    def _learn(self, rest: str) -> None:
        """accepted: this engine doesn't learn"""
        self.write("learned")


def _move_text(position: Position, move: int) -> str:
    return "PA" if move == position.game.pass_move else position.move_text(move).upper()


def _discs(score: int) -> str:
    """Return a score in discs, with two decimals."""
    return f"{score / 100:.2f}"
