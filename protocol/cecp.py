"""CECP 2, the protocol of XBoard, one method per command.

https://www.gnu.org/software/xboard/engine-intf.html
"""

from __future__ import annotations

import re
import signal
import threading

from games import registry
from games.base import PositionError
from games.options import CHESS960
from protocol.base import (
    CommandError,
    ThinkingProtocol,
    command,
    lost_time,
    printable,
    seconds_of,
    whole_number,
)
from protocol.cecp_text import (
    VARIANTS,
    book_lines,
    edited,
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
from search.clock import Clock, TimeControl
from search.game import SessionError
from search.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.wire import Write
    from search.report import Report, Result
    from search.session import Session

_ILLEGAL = "tellusererror Illegal position"

# Seconds to search for a hint.
_HINT_SECONDS = 0.3
# If the clock exceeds the expected time by more than this share of the main time, main time was
# added.  So the moves to the next time control are counted from 0 again.
_JUMP = 0.5
# Minimum number of moves to plan for until the next time control.  Our count of moves may
# be wrong: front ends count from the start of the game, the end of the opening or `level`.
_MIN_TO_GO = 2


class Cecp(ThinkingProtocol):
    """An engine that keeps the board and plays one side; player 0 is the protocol's White."""

    notice_prefix = "telluser "

    def __init__(self, session: Session, write: Write) -> None:
        super().__init__(session, write)
        self._home = session.game.name  # the game that `new` returns to
        self._force, self._side = False, 1
        self._post = self._analysing = False
        self._depth: int | None = None  # limit in plies
        self._clock = Clock(TimeControl(300.0, moves=40))
        # for `.`: the last Report and the last finished depth
        self._last: Report | None = None
        self._depth_reached = 0
        self._moving = False  # is the engine choosing its own move?
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def dispatch(self, line: str) -> None:
        self._line = printable(line.strip(), 80)
        try:
            super().dispatch(line)
        finally:
            self._analyse_again()

    def unknown(self, line: str) -> None:
        """Play the line if it is a move."""
        is_legal = not self._moving and read_move(self.session.position, line) is not None
        if " " in line or not (is_legal or seems_a_move(self.session.position, line)):
            raise CommandError("unknown command")
        self._usermove(line)

    def error(self, text: str) -> None:
        self.write(f"Error ({text}): {self._line}")

    # ---- hand-shake and options ------------------------------------------------------

    @command("protover")
    def _protover(self, rest: str) -> None:
        """protover N: show the engine's features"""
        self.write(*feature_lines(shown_options(self.session.options())))

    @command(
        "accepted",
        *"xboard rejected random computer name rating ics draw egtpath nps hard easy otim".split(),
    )
    def _accepted(self, rest: str) -> None:
        """accepted without effect"""

    @command("option")
    def _option(self, rest: str) -> None:
        """option NAME[=VALUE]: change an option"""
        name, _, value = rest.partition("=")
        moving = False
        try:
            option = self.session.find_option(name)
            if not shown_options([option]):
                raise SessionError(f"no such option: {name.strip()}")
            moving = option in self.session.game.options and self._interrupt()
            self.session.set_option(name, value)
        except SessionError as error:  # XBoard shows its user only a tellusererror
            self.write(f"tellusererror {printable(str(error))}")
            raise
        finally:
            if moving:
                self._move()

    @command("memory")
    def _memory(self, rest: str) -> None:
        """memory N: megabytes for all tables"""
        self.session.set_within("Hash", whole_number(rest, "memory", 0))

    @command("cores")
    def _cores(self, rest: str) -> None:
        """cores N: number of processor cores for the search"""
        self.session.set_within("Threads", whole_number(rest, "cores", 1))

    @command("ping")
    def _ping(self, rest: str) -> None:
        """ping N: answer pong N when all earlier commands are done"""
        with self.lock:  # a search holds the lock while it writes its move
            waits = self._moving and self._task is not None
        if waits:
            self.in_turn(lambda: self._ping(rest))
        else:
            self.write(f"pong {printable(rest)}".rstrip())

    # ---- games -----------------------------------------------------------------------

    @command("new")
    def _new(self, rest: str) -> None:
        """start a new game; the engine plays Black"""
        self._interrupt()
        self._choose(self._home)
        self._force, self._side = False, 1
        self._depth = None
        self._clock.reset()

    @command("variant")
    def _variant(self, rest: str) -> None:
        """variant NAME: change the game"""
        try:
            name = registry.canonical(VARIANTS.get(rest, rest))
        except KeyError:
            near = registry.hint(rest, (*VARIANTS, *registry.names()))
            raise CommandError(f"unknown variant{near}") from None
        self._interrupt()
        self._choose(name, fischer=rest == "fischerandom")
        self.write(*variant_lines(self.session.position))

    def _choose(self, game: str, fischer: bool = False) -> None:
        self.session.set_value(CHESS960, fischer)
        self.session.choose_game(game)
        self.session.warm_up()

    @command("setboard")
    def _setboard(self, rest: str) -> None:
        """setboard TEXT: set the position"""
        self._interrupt()
        try:
            self.session.setup(rest)
        except PositionError:
            self.write(_ILLEGAL)

    @command("holding")
    def _holding(self, rest: str) -> None:
        """holding [WHITE] [BLACK]: the pieces in hand, in games that have hands"""
        position, words = self.session.position, re.findall(r"\[(\w*)\]", rest)
        hands = position.hands()
        if hands is None or len(words) < 2:
            return
        white, black = words[0].upper(), words[1].lower()
        if [*map(sorted, hands)] != [sorted(white), sorted(black)]:
            self._setboard(re.sub(r"\[.*\]", f"[{white}{black}]", position.text()))

    @command("edit", end=".")
    def _edit(self, lines: list[str]) -> None:
        """set up a position by lines: # clears, Pa4 puts, xa4 removes, c swaps sides, . ends"""
        self._interrupt()
        self.session.refuse()  # the old position no longer counts, even if this command fails
        if self.session.game.name != "chess":
            raise CommandError("edit is for chess only")
        self._setboard(edited(self.session.position, lines))

    @command("undo", "remove")
    def _take_back(self, rest: str) -> None:
        """take one move back; remove takes back a move of each side"""
        count = 2 if self.word == "remove" else 1
        if self.session.refused or len(self.session.moves) < count:
            raise CommandError("there are too few moves to take back")
        self._interrupt()
        self.session.undo(count)
        own = count // 2 or self.session.position.side == self._side
        self._clock.take_back(int(own))

    # ---- time ------------------------------------------------------------------------

    @command("level")
    def _level(self, rest: str) -> None:
        """level MOVES TIME INCREMENT: set the time control; TIME in minutes or MIN:SEC

        A negative TIME means that a clock has run out, and counts as 0.  (Front ends write -1
        second as -1:59.)
        """
        words = rest.split(None, 3)
        if len(words) != 3 or not (words[0].isascii() and words[0].isdigit() and len(words[0]) < 6):
            raise CommandError("level needs MOVES TIME INCREMENT")
        minutes, colon, seconds = words[1].partition(":")
        base = 60 * seconds_of(minutes, "a time")
        if colon:
            base += seconds_of(seconds, "a time")
        increment = max(seconds_of(words[2], "a time"), 0.0)
        self._clock.set(TimeControl(max(base, 0.0), int(words[0]) or None, increment))

    @command("st")
    def _exact(self, rest: str) -> None:
        """st SECONDS: set the time for each move"""
        self._clock.set(TimeControl(turn=max(seconds_of(rest, "a time"), 0.0)))

    @command("sd")
    def _limit_depth(self, rest: str) -> None:
        """sd PLIES: search no deeper"""
        self._depth = whole_number(rest, "sd", 1)

    @command("time")
    def _set_time(self, rest: str) -> None:
        """time N: set the engine's clock, in hundredths of a second

        If the clock has gained much time, a time control was reached.  Then the count of moves to
        the next time control begins anew.  With a fixed time per move, the clock doesn't matter.
        """
        seconds = whole_number(rest, "time") / 100
        clock = self._clock
        if clock.seconds is None:
            return
        if seconds > clock.seconds + (clock.control.main or 0.0) * _JUMP:
            clock.made = 0
        clock.show(seconds)

    def _limits(self) -> Limits:
        """Begin a move and return its Limits."""
        limits = self._clock.limits(depth=self._depth)
        if limits.moves_to_go is not None:
            limits.moves_to_go = max(limits.moves_to_go, _MIN_TO_GO)
        return limits

    # ---- whose move it is ------------------------------------------------------------

    @command("force", "result")
    def _force_mode(self, rest: str) -> None:
        """play neither side; `result RESULT {REASON}` has the same effect"""
        self._interrupt()
        self._force = True

    @command("go")
    def _go(self, rest: str) -> None:
        """play the side to move and search now"""
        self._interrupt()
        self._analysing = False
        self._force, self._side = False, self.session.position.side
        self._move()

    @command("playother")
    def _playother(self, rest: str) -> None:
        """play the side that is not to move now"""
        self._interrupt()
        self._force, self._side = False, 1 - self.session.position.side

    @command("white", "black")
    def _colour(self, rest: str) -> None:
        """white: play Black, the front end has White; black: the other way round"""
        self._interrupt()
        self._side = 1 if self.word == "white" else 0

    @command("usermove")
    def _usermove(self, rest: str) -> None:
        """usermove MOVE: play the opponent's move"""
        if self._moving:
            raise CommandError("it is not your turn")
        self._interrupt()
        position = self.session.position
        move = None if self.session.refused else read_move(position, rest)
        if move is None:
            why = " (the game is over)" if position.outcome() and not self.session.refused else ""
            self.write(f"Illegal move{why}: {printable(rest, 60)}")
            return
        self.session.play(move)
        if not self._analysing:
            self._go_on()

    def _go_on(self, *lines: str) -> None:
        """After a move, write `lines` and any result; move if it is the engine's turn.

        In force mode a draw doesn't end the game, since the front end may replay a game that went
        on after a draw.
        """
        position = self.session.position
        over = not position.playable_moves() if self._force else position.outcome() is not None
        self._moving = not (over or self._force) and position.side == self._side
        self.write(*lines, *([self._claim()] if over else []))
        if self._moving:
            self._move()

    def _claim(self) -> str:
        outcome = self.session.position.outcome()
        assert outcome is not None, "the game must be over"
        return f"{result_of(outcome.winner)} {{{outcome.reason}}}"

    # ---- thinking --------------------------------------------------------------------

    @command("post", "nopost")
    def _show(self, rest: str) -> None:
        """post: show the engine's thinking; nopost: hide it"""
        self._post = self.word == "post"

    @command("?")
    def _move_now(self, rest: str) -> None:
        """move now"""
        if self._moving:
            self.session.stop()

    @command("hint")
    def _hint(self, rest: str) -> None:
        """suggest a move"""
        if self._moving or self._analysing or self.session.refused:
            return
        self._interrupt()
        limits = Limits(depth=self._depth, movetime=_HINT_SECONDS)
        self.think(limits, self._write_hint)

    def _write_hint(self, result: Result) -> None:
        if result.lines:
            self.write(f"Hint: {move_text(result.position, result.best_move)}")

    @command("bk")
    def _book(self, rest: str) -> None:
        """show the moves of the opening book"""
        with self.lock:  # the search's thread may be playing the engine's move
            position = self.session.copy_position()
        book = [] if self.session.refused else position.book_moves(self.session.values)
        self.write(*book_lines(position, book))

    @command("analyze")
    def _analyze(self, rest: str) -> None:
        """search the position until another command ends it"""
        self._interrupt()
        self._analysing = True

    @command("exit")
    def _exit(self, rest: str) -> None:
        """leave the analysis"""
        if self._analysing:
            self._interrupt()
            self._analysing, self._force = False, True

    @command(".")
    def _status(self, rest: str) -> None:
        """show the progress of the analysis"""
        if self._analysing and self._last is not None and not self.session.refused:
            self.write(status_line(self._last, self._depth_reached, self.session.position))

    def _move(self) -> None:
        """Search and play the best move, even if a draw could be claimed."""
        if self.session.refused:
            self.write(_ILLEGAL)
            return
        if not self.session.position.playable_moves():
            self.write(self._claim())
            return
        self._moving = True
        self.think(self._limits(), self._on_move)

    def on_report(self, report: Report, position: Position) -> None:
        self._last = report
        if report.line is not None:
            self._depth_reached = report.line.depth
            if self._post and self._moving or self._analysing:  # not for a hint
                self.write(thinking_line(report, position))

    def _on_move(self, result: Result) -> None:
        """Play and send the move; search again if the engine is to move again."""
        self._clock.end(lost_time(self.session))
        text = move_text(result.position, result.best_move)
        self.session.play(result.best_move)
        self._go_on(f"move {text}")

    def _interrupt(self) -> bool:
        """Stop any search, so that the position may be changed.

        Return whether this interrupted the engine's own move.
        """
        self.drop()
        cut_off, self._moving = self._moving, False
        return cut_off

    def _analyse_again(self) -> None:
        if self._analysing and not (self.session.refused or self.session.worker.searching):
            self._last, self._depth_reached = None, 0
            position = self.session.position
            if not position.playable_moves():
                self.write(finished_line(position))
            options = {"UCI_AnalyseMode": True}
            self.think(Limits(infinite=True), lambda result: None, options)

    def end_of_input(self) -> None:
        if self._analysing:
            self.drop()
        super().end_of_input()
