"""CECP 2, the protocol of XBoard and WinBoard, for every game of the registry: one method a command.

https://www.gnu.org/software/xboard/engine-intf.html
"""
from __future__ import annotations

import signal
import threading

from games import registry
from games.base import PositionError
from protocol.base import CommandError, command, printable
from protocol.cecp_features import VARIANTS, feature_lines, option_value, variant_lines
from protocol.cecp_text import dress, read, seems_a_move, status_line, thinking_line
from protocol.cecp_time import TimeControl
from protocol.scores import result_of
from protocol.thinking import Thinker
from search.limits import Limits

# How long the engine looks for a hint where it has none at hand, in seconds.
_HINT_SECONDS = 0.3


class Cecp(Thinker):
    """An engine that owns a board and a side; player 0 is the protocol's White."""

    name = "cecp"

    def __init__(self, session, write):
        super().__init__(session, write)
        self._home = session.game.name      # what `new` comes back to
        self._force, self._side = False, 1
        self._post = self._analysing = False
        self._time = TimeControl()
        self._last, self._depth_reached = None, 0   # the last Report and the last finished depth, for `.`
        self._expected = None               # the reply that the engine expects to its move
        self._lock = threading.Lock()       # holds _moving and _pings together
        self._moving, self._pings = False, []
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle(self, line):
        self._line = printable(line.strip(), 80)
        super().handle(line)

    def dispatch(self, line):
        word, _, rest = line.replace("\t", " ").strip().partition(" ")
        if not word:
            return
        handler = self.table.get(word)
        if handler is not None:
            handler(rest.strip())
        elif not rest and self._reads(word):
            self._usermove(word)
        else:
            raise CommandError("unknown command")

    def _reads(self, word):
        """May a line of one word be a move?"""
        return seems_a_move(word) or (not self._moving and read(self.session.position, word) is not None)

    def error(self, text):
        self.write(f"Error ({text}): {self._line}")

    def notice(self, text):
        self.write(f"telluser {text}")

    # ---- hand-shake and options -------------------------------------------------------------------------

    @command("xboard", "speak CECP")
    def _xboard(self, rest):
        pass

    @command("protover", "protover N: tell the engine's features")
    def _protover(self, rest):
        self.write(*feature_lines(self.session.options()))

    @command("accepted", "the front end knows a feature or makes no use of it; so with all the words about the opponent"
             " and the front end", "rejected", "random", "computer", "name", "rating", "ics", "draw", "bk", "egtpath",
             "nps", "hard", "easy", "otim")
    def _accepted(self, rest):
        pass

    @command("option", "option NAME[=VALUE]: change an option")
    def _option(self, rest):
        name, _, value = rest.partition("=")
        option = next((known for known in self.session.options() if known.name.lower() == name.strip().lower()), None)
        if option in self.session.game.options:
            self._interrupt()
        self.session.set_option(name, option_value(option, value))
        self._analyse_again()

    @command("memory", "memory N: megabytes for everything")
    def _memory(self, rest):
        hash_option = next(option for option in self.session.options() if option.name == "Hash")
        megabytes = min(max(_count(rest, 0), hash_option.low), hash_option.high)
        self.session.set_option("Hash", str(megabytes))

    @command("cores", "cores N: accepted, the search runs in one thread")
    def _cores(self, rest):
        _count(rest, 1)

    @command("ping", "ping N: answer pong N when everything before is done")
    def _ping(self, rest):
        with self._lock:
            if self._moving:
                self._pings.append(rest)
                return
        self.write(f"pong {printable(rest)}".rstrip())

    @command("quit", "end the process")
    def _quit(self, rest):
        self.finished = True

    # ---- games ------------------------------------------------------------------------------------------

    @command("new", "a new game; the engine plays Black")
    def _new(self, rest):
        self._interrupt()
        self._choose(self._home)
        self._force, self._side = False, 1
        self._time.new_game()
        self.session.warm_up()
        self._analyse_again()

    @command("variant", "variant NAME: another game")
    def _variant(self, rest):
        self._interrupt()
        try:
            name = registry.canonical(VARIANTS.get(rest, rest))
        except KeyError:
            raise CommandError("unknown variant") from None
        self._choose(name, fischer=rest == "fischerandom")
        self.write(*variant_lines(self.session.position))
        self.session.warm_up()
        self._analyse_again()

    def _choose(self, game, fischer=False):
        self.session.set_option("UCI_Chess960", "true" if fischer else "false")
        self.session.choose_game(game)
        self._expected = None

    @command("setboard", "setboard TEXT: set the position")
    def _setboard(self, rest):
        self._interrupt()
        try:
            self.session.setup(rest)
        except PositionError:
            self.write("tellusererror Illegal position")
        self._expected = None
        self._analyse_again()

    @command("undo", "take one move back")
    def _undo(self, rest):
        self._take_back(1)

    @command("remove", "take back a move of each side")
    def _remove(self, rest):
        self._take_back(2)

    def _take_back(self, count):
        self._interrupt()
        try:
            self.session.undo(count)
        finally:
            self._analyse_again()

    @command("result", "result RESULT {REASON}: the game is over")
    def _result(self, rest):
        self._interrupt()
        self._force = True

    # ---- whose move it is -------------------------------------------------------------------------------

    @command("force", "play neither side")
    def _force_mode(self, rest):
        self._interrupt()
        self._force = True

    @command("go", "play the side to move, and move")
    def _go(self, rest):
        self._interrupt()
        self._analysing = False
        self._force, self._side = False, self.session.position.side
        self._move()

    @command("playother", "play the side that is not to move")
    def _playother(self, rest):
        self._interrupt()
        self._force, self._side = False, 1 - self.session.position.side

    @command("white", "play Black; the front end has White", "black")
    def _colour(self, rest):
        self._interrupt()
        self._side = 1 if self._line.startswith("white") else 0

    @command("usermove", "usermove MOVE: the opponent's move")
    def _usermove(self, rest):
        if self._moving:
            raise CommandError("it is not your turn")
        self._interrupt()
        position = self.session.position
        move = read(position, rest)
        if move is None:
            over = " (the game is over)" if position.outcome() else ""
            self.write(f"Illegal move{over}: {printable(rest, 60)}")
        else:
            self.session.play(move)
            if not self._analysing:
                self._reply()
        self._analyse_again()

    def _reply(self):
        """The opponent has moved.

        In `force` only the end that no rule leaves open is told: who replays a game may go on after a draw.
        """
        position = self.session.position
        if not position.playable_moves() if self._force else position.outcome():
            self.write(self._claim())
        elif not self._force and position.side == self._side:
            self._move()

    def _claim(self):
        outcome = self.session.position.outcome()
        return f"{result_of(outcome)} {{{outcome.reason}}}"

    # ---- time -------------------------------------------------------------------------------------------

    @command("level", "level MOVES TIME INCREMENT: the time control; TIME in minutes or MIN:SEC")
    def _level(self, rest):
        self._time.level(rest)

    @command("st", "st SECONDS: time for each move")
    def _st(self, rest):
        self._time.exact(rest)

    @command("sd", "sd PLIES: search no deeper")
    def _sd(self, rest):
        self._time.depth = _count(rest, 1)

    @command("time", "time N: hundredths of a second on the engine's clock")
    def _clock(self, rest):
        self._time.set_clock(_count(rest, None) / 100)

    # ---- thinking ---------------------------------------------------------------------------------------

    @command("post", "show what the engine thinks")
    def _show(self, rest):
        self._post = True

    @command("nopost", "don't show it")
    def _hide(self, rest):
        self._post = False

    @command("?", "move now")
    def _move_now(self, rest):
        if self._moving:
            self.session.stop()

    @command("hint", "suggest a move")
    def _hint(self, rest):
        if self._moving or self._analysing:
            return
        self._interrupt()
        position = self.session.position
        if self._expected is not None and self._expected in position.playable_moves():
            self.write(f"Hint: {dress(position, self._expected)}")
            return
        self.think(Limits(depth=self._time.depth, movetime=_HINT_SECONDS), self._keep, self._tell_hint)

    def _tell_hint(self, result):
        if result.move is not None:
            self.write(f"Hint: {dress(result.position, result.move)}")

    @command("analyze", "think about the position until told otherwise")
    def _analyze(self, rest):
        self._interrupt()
        self._analysing = True
        self._analyse_again()

    @command("exit", "leave the analysis")
    def _exit(self, rest):
        if self._analysing:
            self._interrupt()
            self._analysing, self._force = False, True

    @command(".", "how far the analysis is")
    def _status(self, rest):
        if self._analysing and self._last is not None:
            self.write(status_line(self._last, self._depth_reached, self.session.position))

    def _move(self):
        """Search, and play what is found; told to go on in a draw that nobody has to claim, the engine does."""
        if not self.session.position.playable_moves():
            self.write(self._claim())
            return
        self._moving = True
        limits = self._time.limits(self.session.position.side, self._own_moves())
        self.think(limits, self._on_report, self._on_move)

    def _own_moves(self):
        """How many moves the side to move has made."""
        session = self.session
        if session.game.alternates:
            return len(session.moves) // 2
        position, count = session.base_position(), 0
        for move in session.moves:
            count += position.side == session.position.side
            position.make(move)
        return count

    def _on_report(self, report, position):
        self._keep(report, position)
        if (self._post or self._analysing) and report.line is not None:
            self.write(thinking_line(report, position))

    def _keep(self, report, position):
        self._last = report
        if report.line is not None:
            self._depth_reached = report.line.depth

    def _on_move(self, result):
        """Play and tell the move; and think on where the rules give the engine another one."""
        self._expected = result.ponder
        self._time.move_made()
        lines = [f"move {dress(result.position, result.move)}"]
        with self._lock:
            self.session.play(result.move)
            position = self.session.position
            if position.outcome():
                lines.append(self._claim())
            elif position.side == self._side and not self.dropped():
                self.write(*lines)
                self._move()
                return
            self._moving = False
            self.write(*lines, *self._pongs())

    def _pongs(self):
        pongs = [f"pong {printable(word)}".rstrip() for word in self._pings]
        self._pings.clear()
        return pongs

    def _interrupt(self):
        """No search runs from here on, and the position may be changed."""
        with self._lock:        # nor does one follow on the engine's own move
            self.drop_task()
        self.drop()
        with self._lock:
            self._moving = False
            pongs = self._pongs()
        if pongs:
            self.write(*pongs)

    def _analyse_again(self):
        if self._analysing and not self.session.searching:
            self._last = None
            self.think(Limits(infinite=True), self._on_report, lambda result: None)

    def end_of_input(self):
        if self._analysing:
            self.drop()
        super().end_of_input()


def _count(text, least):
    """The whole number of a command; CommandError where it is none or below `least`."""
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise CommandError("not a whole number")
    if least is not None and int(text) < least:
        raise CommandError(f"less than {least}")
    return int(text)
