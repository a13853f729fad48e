"""CECP 2, one method per command.

https://www.gnu.org/software/xboard/engine-intf.html
"""

from __future__ import annotations

import re
import signal
import threading

from games import registry
from games.base import PositionError
from games.options import CHESS960
from protocol.base import CommandError, command, printable, whole_number
from protocol.cecp.clock import TimeControl
from protocol.cecp.text import (
    VARIANTS,
    Editor,
    book_lines,
    feature_lines,
    finished_line,
    move_text,
    read_move,
    seems_a_move,
    shown_options,
    status_line,
    thinking_line,
    variant_lines,
)
from protocol.scores import result_of
from protocol.thinking import ThinkingProtocol, less_overhead, lost_time
from search.game import SessionError
from search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.wire import Writer
    from search.report import Report, Result
    from search.session import Session

_ILLEGAL = "tellusererror Illegal position"

# Seconds to search for a hint if the engine has no expected move.
_HINT_SECONDS = 0.3


class Cecp(ThinkingProtocol):
    """An engine that keeps the board and plays a side; player 0 is the protocol's White."""

    name = "cecp"
    notice_prefix = "telluser "

    def __init__(self, session: Session, write: Writer) -> None:
        super().__init__(session, write)
        self._home = session.game.name  # the game that `new` returns to
        self._force, self._side = False, 1
        self._post = self._analysing = False
        self._time = TimeControl()
        # the last Report and the last finished depth, for `.`
        self._last: Report | None = None
        self._depth_reached = 0
        self._expected: int | None = None  # the reply that the engine expects to its last move
        self._lock = threading.Lock()  # holds _moving and _pings together
        self._moving = False
        self._pings: list[str] = []
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle(self, line: str) -> None:
        self._line = printable(line.strip(), 80)
        super().handle(line)

    def unknown(self, line: str) -> None:
        """Play the line if it is a move."""
        if " " in line or not self._reads(line):
            raise CommandError("unknown command")
        self._usermove(line)

    def _reads(self, word: str) -> bool:
        """Could this word be a move?"""
        if seems_a_move(word):
            return True
        return not self._moving and read_move(self.session.position, word) is not None

    def error(self, text: str) -> None:
        self.write(f"Error ({text}): {self._line}")

    # ---- hand-shake and options ------------------------------------------------------

    @command("protover", "protover N: show the engine's features")
    def _protover(self, rest: str) -> None:
        self.write(*feature_lines(shown_options(self.session.options())))

    @command(
        "accepted",
        "accepted without effect, as are the commands about the opponent and the front end",
        *"xboard rejected random computer name rating ics draw egtpath nps hard easy otim".split(),
    )
    def _accepted(self, rest: str) -> None:
        pass

    @command("option", "option NAME[=VALUE]: change an option")
    def _option(self, rest: str) -> None:
        name, _, value = rest.partition("=")
        cut_off = False
        try:
            option = self.session.find_option(name)
            if not shown_options([option]):
                raise SessionError(f"no such option: {name.strip()}")
            if option in self.session.game.options:
                cut_off = self._interrupt()
            self.session.set_option(name, value)
        except SessionError as error:  # the only kind of error that XBoard shows to the user
            self.write(f"tellusererror {printable(str(error))}")
            raise
        finally:
            self._go_on(cut_off)

    @command("memory", "memory N: megabytes for all tables")
    def _memory(self, rest: str) -> None:
        self.session.set_within("Hash", whole_number(rest, "memory", 0))

    @command("cores", "cores N: number of processor cores for the search")
    def _cores(self, rest: str) -> None:
        self.session.set_within("Threads", whole_number(rest, "cores", 1))

    @command("ping", "ping N: answer pong N when all earlier commands are done")
    def _ping(self, rest: str) -> None:
        with self._lock:
            self._pings.append(rest)
            pongs = [] if self._moving else self._pongs()
        self.write(*pongs)

    # ---- games -----------------------------------------------------------------------

    @command("new", "start a new game; the engine plays Black")
    def _new(self, rest: str) -> None:
        self._interrupt()
        self._choose(self._home)
        self._force, self._side = False, 1
        self._time.new_game()
        self.session.warm_up()
        self._analyse_again()

    @command("variant", "variant NAME: change the game")
    def _variant(self, rest: str) -> None:
        try:
            name = registry.canonical(VARIANTS.get(rest, rest))
        except KeyError:
            near = registry.hint(rest, (*VARIANTS, *registry.names()))
            raise CommandError(f"unknown variant{near}") from None
        self._interrupt()
        self._choose(name, fischer=rest == "fischerandom")
        self.write(*variant_lines(self.session.position))
        self.session.warm_up()
        self._analyse_again()

    def _choose(self, game: str, fischer: bool = False) -> None:
        self.session.set_value(CHESS960.name, fischer)
        self.session.choose_game(game)
        self._expected = None

    @command("setboard", "setboard TEXT: set the position")
    def _setboard(self, rest: str) -> None:
        self._interrupt()
        try:
            self.session.setup(rest)
            self._expected = None
        except PositionError:
            self._last = None
            self.write(_ILLEGAL)
        self._analyse_again()

    @command("holding", "holding [WHITE] [BLACK]: the pieces in hand, in games that have hands")
    def _holding(self, rest: str) -> None:
        position = self.session.position
        words = re.findall(r"\[(\w*)\]", rest)
        if position.hands() is None or len(words) < 2:
            return
        white, black = words[0].upper(), words[1].lower()
        if ["".join(sorted(hand)) for hand in (white, black)] != [
            "".join(sorted(hand)) for hand in position.hands() or ()
        ]:
            self._setboard(re.sub(r"\[.*\]", f"[{white}{black}]", position.text()))

    @command("edit", "set up a chess position by the lines that follow: #, Pa4, xa4, c, then .")
    def _edit(self, rest: str) -> None:
        self.read_block(".", self._set_up)

    def _set_up(self, lines: list[str]) -> None:
        """Set up the position of an `edit`."""
        self._interrupt()
        self.session.refuse()  # until the position is set up
        self._last = None
        if self.session.game.name != "chess":
            raise CommandError("edit is for chess only")
        editor = Editor(self.session.position)
        for line in lines:
            editor.add(line)
        self._setboard(editor.text())

    @command("undo", "take one move back")
    def _undo(self, rest: str) -> None:
        self._take_back(1)

    @command("remove", "take back a move of each side")
    def _remove(self, rest: str) -> None:
        self._take_back(2)

    def _take_back(self, count: int) -> None:
        cut_off = self._interrupt()
        try:
            if self.session.refused:
                raise CommandError("there is no move to take back")
            self.session.undo(count)
            own = count // 2 or self.session.position.side == self._side
            self._time.taken_back(int(own))
            self._expected, cut_off = None, False
        finally:
            self._go_on(cut_off)

    # ---- whose move it is ------------------------------------------------------------

    @command("force", "play neither side, as after `result RESULT {REASON}`", "result")
    def _force_mode(self, rest: str) -> None:
        self._interrupt()
        self._force = True

    @command("go", "play the side to move and search now")
    def _go(self, rest: str) -> None:
        self._interrupt()
        self._analysing = False
        self._force, self._side = False, self.session.position.side
        self._move()

    @command("playother", "play the side that is not to move now")
    def _playother(self, rest: str) -> None:
        self._interrupt()
        self._force, self._side = False, 1 - self.session.position.side

    @command("white", "play Black; the front end has White")
    def _white(self, rest: str) -> None:
        self._interrupt()
        self._side = 1

    @command("black", "play White; the front end has Black")
    def _black(self, rest: str) -> None:
        self._interrupt()
        self._side = 0

    @command("usermove", "usermove MOVE: play the opponent's move")
    def _usermove(self, rest: str) -> None:
        if self._moving:
            raise CommandError("it is not your turn")
        self._interrupt()
        position = self.session.position
        move = None if self.session.refused else read_move(position, rest)
        if move is None:
            over = " (the game is over)" if position.outcome() and not self.session.refused else ""
            self.write(f"Illegal move{over}: {printable(rest, 60)}")
        else:
            self.session.play(move)
            self._expected = None
            if not self._analysing:
                self._reply()
        self._analyse_again()

    def _reply(self) -> None:
        """Claim the result or answer the opponent's move.

        In `force`, claim it only if no legal move is left: a game that is replayed may go on
        after a draw.
        """
        position = self.session.position
        over = not position.playable_moves() if self._force else position.outcome() is not None
        if over:
            self.write(self._claim())
        elif not self._force and position.side == self._side:
            self._move()

    def _claim(self) -> str:
        outcome = self.session.position.outcome()
        assert outcome is not None, "asked when the game is over"
        return f"{result_of(outcome.winner)} {{{outcome.reason}}}"

    # ---- time ------------------------------------------------------------------------

    @command(
        "level", "level MOVES TIME INCREMENT: set the time control; TIME in minutes or MIN:SEC"
    )
    def _level(self, rest: str) -> None:
        self._time.level(rest)

    @command("st", "st SECONDS: set the time for each move")
    def _st(self, rest: str) -> None:
        self._time.exact(rest)

    @command("sd", "sd PLIES: search no deeper")
    def _sd(self, rest: str) -> None:
        self._time.depth = whole_number(rest, "sd", 1)

    @command("time", "time N: set the engine's clock, in hundredths of a second")
    def _clock(self, rest: str) -> None:
        self._time.set_clock(whole_number(rest, "time") / 100)

    # ---- thinking --------------------------------------------------------------------

    @command("post", "show the engine's thinking")
    def _show(self, rest: str) -> None:
        self._post = True

    @command("nopost", "hide the engine's thinking")
    def _hide(self, rest: str) -> None:
        self._post = False

    @command("?", "move now")
    def _move_now(self, rest: str) -> None:
        if self._moving:
            self.session.stop()

    @command("hint", "suggest a move")
    def _hint(self, rest: str) -> None:
        if self._moving or self._analysing or self.session.refused:
            return
        self._interrupt()
        position = self.session.position
        if self._expected is not None and self._expected in position.playable_moves():
            self.write(f"Hint: {move_text(position, self._expected)}")
            return
        limits = Limits(depth=self._time.depth, movetime=_HINT_SECONDS)
        self.think(limits, self._keep, self._write_hint)

    def _write_hint(self, result: Result) -> None:
        if result.move is not None:
            self.write(f"Hint: {move_text(result.position, result.move)}")

    @command("bk", "show the moves of the opening book")
    def _book(self, rest: str) -> None:
        with self._lock:  # not while the engine plays its own move
            position = self.session.copy_position()
        found = [] if self.session.refused else position.book_moves(self.session.values)
        self.write(*book_lines(position, found))

    @command("analyze", "search the position until another command ends it")
    def _analyze(self, rest: str) -> None:
        self._interrupt()
        self._analysing = True
        self._analyse_again()

    @command("exit", "leave the analysis")
    def _exit(self, rest: str) -> None:
        if self._analysing:
            self._interrupt()
            self._analysing, self._force = False, True

    @command(".", "show the progress of the analysis")
    def _status(self, rest: str) -> None:
        if self._analysing and self._last is not None:
            self.write(status_line(self._last, self._depth_reached, self.session.position))

    def _move(self) -> None:
        """Search and play the best move, even in a draw that has to be claimed."""
        if self.session.refused:
            self.write(_ILLEGAL)
            return
        if not self.session.position.playable_moves():
            self.write(self._claim())
            return
        self._moving = True
        limits = less_overhead(self.session, self._time.limits())
        self.think(limits, self._on_report, self._on_move)

    def _on_report(self, report: Report, position: Position) -> None:
        self._keep(report, position)
        if (self._post or self._analysing) and report.line is not None:
            self.write(thinking_line(report, position))

    def _keep(self, report: Report, position: Position) -> None:
        self._last = report
        if report.line is not None:
            self._depth_reached = report.line.depth

    def _on_move(self, result: Result) -> None:
        """Play and send the move; search again if the rules give the engine another one."""
        self._expected = result.ponder
        self._time.move_made(lost_time(self.session))
        lines = [f"move {move_text(result.position, result.best_move)}"]
        with self._lock:
            self.session.play(result.best_move)
            position = self.session.position
            if position.outcome():
                lines.append(self._claim())
            elif position.side == self._side and not (self.dropped() or self.finished):
                self.write(*lines)
                self._move()
                return
            self._moving = False
            self.write(*lines, *self._pongs())

    def _pongs(self) -> list[str]:
        pongs = [f"pong {printable(word)}".rstrip() for word in self._pings]
        self._pings.clear()
        return pongs

    def _interrupt(self) -> bool:
        """Stop any search, so that the position may be changed.

        Return whether this interrupted the engine's own move.
        """
        with self._lock:  # so that no search follows the engine's own move
            cut_off = self._moving
            self.silence()
        self.drop()
        with self._lock:
            self._moving = False
            pongs = self._pongs()
        self.write(*pongs)
        return cut_off

    def _go_on(self, cut_off: bool) -> None:
        """Resume the interrupted move of the engine, or the analysis."""
        if cut_off and self.session.position.side == self._side:
            self._move()
        self._analyse_again()

    def _analyse_again(self) -> None:
        if self._analysing and not (self.session.refused or self.session.searching):
            self._last = None
            position = self.session.position
            if not position.playable_moves():
                self.write(finished_line(position))
            self.think(
                Limits(infinite=True),
                self._on_report,
                lambda result: None,
                {"UCI_AnalyseMode": True},
            )

    def end_of_input(self) -> None:
        if self._analysing:
            self.drop()
        super().end_of_input()
