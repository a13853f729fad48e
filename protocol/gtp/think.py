"""GTP's commands that search: `genmove` and analysis.

`genmove` and its variants play the best move.  The analysis commands of Leela Zero and
KataGo, which Sabaki uses, write lines during the search and go on until the next command:

    lz-analyze [COLOUR] [CENTISECONDS] [interval N] [maxmoves N] [avoid|allow COLOUR MOVE,... DEPTH]
    info move D3 visits 5120 winrate 5310 order 0 pv D3 C5 info move C4 ...

`winrate` is 0 to 10000, for `kata-` 0 to 1.  `visits` is the number of nodes searched when
the line was found, since alpha-beta doesn't visit moves in proportion to their value.
"""

from __future__ import annotations

import threading
from time import perf_counter

from games.solver import Line
from protocol import moves
from protocol.base import CommandError, command
from protocol.gtp.game import ILLEGAL, SYNTAX, Group, searches
from protocol.gtp.play import integer
from protocol.scores import is_proven, winrate
from protocol.thinking import less_overhead
from search.interpreter import start_thread
from search.limits import Limits
from search.report import Result
from search.wdl import seems_decided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.base import Position
    from protocol.gtp.game import GtpGame
    from protocol.gtp.protocol import Gtp
    from search.report import Report
    from search.session import Session

    OnReport = Callable[[Report, Position], None]
    Numbers = Callable[[int, Position], str]  # an analysis's text for a score

# Default interval between two lines of an analysis, in hundredths of a second.
_INTERVAL = 100

_HELP = "[COLOUR] [CENTISECONDS] [KEY VALUE ...]"


# ---- searches ------------------------------------------------------------------------


def move_limits(gtp: Gtp, player: int | None = None) -> Limits:
    """Return the Limits of a move from the clock of `player` and the parameters."""
    seconds = gtp.time_left()
    if seconds is not None:
        return Limits(movetime=seconds)
    values, clock = gtp.session.values, gtp.game.clock
    limits = Limits() if player is None else clock.limits(player)
    less_overhead(gtp.session, limits)
    limits.depth, limits.nodes = values["Genmove Depth"] or None, values["Genmove Nodes"] or None
    if not (limits.depth or limits.nodes or limits.timed(0)):
        limits.movetime = values["Genmove Time"] / 1000
    return limits


def any_answer(session: Session, limits: Limits) -> Result:
    """Return a Result without a search, for a reply when `quit` leaves no time for one."""
    position = session.copy_position()
    choice = limits.moves or position.playable_moves()[:1]
    return Result([Line(0, [choice[0]], 0)] if choice else [], position)


class Think(Group):
    """The commands that choose a move."""

    @searches
    @command("genmove", "genmove COLOUR: play the best move and answer it")
    def _genmove(self, words: list[str]) -> str:
        return self._answer(words, plays=True)

    @searches
    @command("reg_genmove", "reg_genmove COLOUR: answer the best move without playing it")
    def _reg_genmove(self, words: list[str]) -> str:
        return self._answer(words, plays=False)

    def _answer(self, words: list[str], plays: bool) -> str:
        """Return the best move of the colour in `words`; `pass` if the game is over."""
        if len(words) != 1:
            raise CommandError(SYNTAX)
        player, started = self._game.player(words[0]), perf_counter()
        if self._game.finished():
            if plays:
                self._game.pass_after_end()
            return "pass"
        implied = self._imply_pass(player)
        with self._game.undoing(implied):
            result = self._gtp.search(move_limits(self._gtp, player))
            if plays:
                return self._game.play_best(result, player, implied, started)
        self._session.undo(implied)
        return moves.vertex(result.position, result.best_move)

    def _imply_pass(self, player: int) -> int:
        try:
            return self._game.imply_pass(player)
        except CommandError:
            self._game.require_turn(player)
            raise


# ---- analyses ------------------------------------------------------------------------


def usual_moves(session: Session) -> int:
    """Return the number of moves to show if the front end doesn't say."""
    return int(max(session.values["MultiPV"], session.values["Analysis Moves"]))


class BestLines:
    """The best lines that a search has reported, at most `wanted`.

    changed: were lines reported since the last call of best()?
    """

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        # first move -> (number of the set of lines, line, nodes)
        self._found: dict[int, tuple[int, Line, int]] = {}
        self._count = 0  # number of sets of lines; each begins with the best line
        self._seen = 0  # number of lines at the last call of complete()
        self.changed = False

    def on_report(self, report: Report, position: Position) -> None:
        """Record a report, in the search's thread."""
        line = report.line
        if line is not None and line.moves:
            self._count += line.multipv == 1
            self._found = {**self._found, line.moves[0]: (self._count, line, report.nodes)}
            self.changed = True

    def best(self) -> list[tuple[Line, int]]:
        """Return [(line, nodes)], best first: the latest set, then lines of earlier sets."""
        self.changed = False
        found = sorted(self._found.values(), key=lambda entry: (-entry[0], entry[1].multipv))
        return [(line, nodes) for _, line, nodes in found[: self._wanted]]

    def complete(self) -> bool:
        """Has the search reported all lines?

        It reports them one by one, so they count as complete once their number stays the same.
        """
        before, self._seen = self._seen, len(self._found)
        return self._seen >= self._wanted or self._seen == before


class AnalysisArguments:
    """The arguments of an analysis.

    player: the side to analyse for.
    interval: time between two lines, in hundredths of a second.
    wanted: number of moves to show.
    """

    def __init__(self, words: Sequence[str], game: GtpGame) -> None:
        self.player, self.interval = game.session.position.side, _INTERVAL
        self.wanted = usual_moves(game.session)
        self._allowed: list[int] = []
        self._avoided: list[int] = []
        rest = list(words)
        if rest and rest[0].isalpha() and len(rest[0]) <= 5 and rest[0][0].lower() in "bw":
            self.player = game.player(rest.pop(0))
        if rest and rest[0].isascii() and rest[0].isdigit():
            self.interval = integer(rest, 0)
            del rest[0]
        while rest:
            self._read_pair(rest, game)

    def _read_pair(self, rest: list[str], game: GtpGame) -> None:
        key = rest.pop(0).lower()
        if not key.isalpha() or not rest:
            raise CommandError(SYNTAX)
        if key in ("avoid", "allow"):
            self._read_moves(self._avoided if key == "avoid" else self._allowed, rest, game)
        elif key == "interval":
            self.interval = integer(rest, 0, 0)
        elif key == "maxmoves":
            self.wanted = integer(rest, 0, 1)
        del rest[0]  # the value, also that of unknown keys

    def _read_moves(self, found: list[int], rest: list[str], game: GtpGame) -> None:
        """Read COLOUR MOVES and leave DEPTH, which the caller skips."""
        if len(rest) < 3:
            raise CommandError(SYNTAX)
        player = game.player(rest.pop(0))
        words = [word for word in rest.pop(0).split(",") if word]
        for word in words:
            game.check_letter(word)
        if player == game.session.position.side:
            found += [game.read(word) for word in words]

    def moves(self, legal: Iterable[int]) -> list[int] | None:
        """Return the moves to consider, None for all."""
        if not self._allowed and not self._avoided:
            return None
        left = [move for move in self._allowed or legal if move not in self._avoided]
        if not left:
            raise CommandError(ILLEGAL)
        return left


class Analysis(Group):
    """The commands that write lines of analysis during a search."""

    @searches
    @command(
        "lz-analyze",
        f"lz-analyze {_HELP}: analyse until the next line arrives",
        "analyze",
        "kata-analyze",
    )
    def _analyze(self, words: list[str]) -> None:
        arguments = AnalysisArguments(words, self._game)
        self._game.require_turn(arguments.player)
        chosen = arguments.moves(self._session.position.playable_moves())
        self._search(arguments, Limits(moves=chosen, infinite=True))

    @searches
    @command(
        "lz-genmove_analyze",
        f"lz-genmove_analyze {_HELP}: play the best move, with analysis",
        "genmove_analyze",
        "kata-genmove_analyze",
    )
    def _genmove_analyze(self, words: list[str]) -> str:
        arguments = AnalysisArguments(words, self._game)
        player = arguments.player
        if self._game.finished():
            self._gtp.begin()
            self._game.pass_after_end()
            return "play pass"
        started, implied = perf_counter(), self._game.imply_pass(player)
        limits = move_limits(self._gtp, player)
        with self._game.undoing(implied):
            limits.moves = arguments.moves(self._session.position.playable_moves())
            result = self._search(arguments, limits)
            return f"play {self._game.play_best(result, player, implied, started)}"

    def _search(self, arguments: AnalysisArguments, limits: Limits) -> Result:
        """Search, and write the best lines at intervals, and at the end if they changed."""
        self._gtp.begin()
        numbers = _kata_numbers if self._gtp.word().startswith("kata-") else _lz_numbers
        lines, over, shown = BestLines(arguments.wanted), threading.Event(), threading.Event()
        position, interval = self._session.copy_position(), max(arguments.interval, 1) / 100
        last_shown = perf_counter()

        def show_often() -> None:
            while not over.wait(interval):
                show()
            shown.set()

        def show() -> None:
            if lines.changed and lines.complete():
                self._show(lines, position, numbers)

        def show_in_place() -> None:
            nonlocal last_shown
            if perf_counter() - last_shown >= interval:
                last_shown = perf_counter()
                show()

        def on_report(report: Report, searched: Position) -> None:
            lines.on_report(report, searched)
            if not clock:
                show_in_place()

        clock = start_thread(show_often)
        self._gtp.on_idle = None if clock else show_in_place
        try:
            options = {"MultiPV": arguments.wanted, "UCI_AnalyseMode": True}
            return self._gtp.search(limits, on_report, options)
        finally:
            over.set()
            self._gtp.on_idle = None
            if clock:
                shown.wait()
            if lines.changed:
                self._show(lines, position, numbers)

    def _show(self, lines: BestLines, position: Position, numbers: Numbers) -> None:
        """Write a line of `info move ...` for all moves except passes, which can't be shown."""
        words: list[str] = []
        for line, nodes in lines.best():
            pv = moves.variation(position, line.moves, moves.vertex)
            if pv[0] != "pass":
                words.append(
                    f"info move {pv[0]} visits {max(nodes, 1)}"
                    f" {numbers(line.score, position)}"
                    f" order {len(words)} pv {' '.join(pv)}"
                )
        if words:
            self._gtp.write(" ".join(words))


def _lz_numbers(score: int, position: Position) -> str:
    return f"winrate {round(winrate(score, position) * 10000)}"


def _kata_numbers(score: int, position: Position) -> str:
    words = f"winrate {winrate(score, position):.4f}"
    if is_proven(score) or seems_decided(score, position.game):
        return words
    return f"{words} scoreLead {score / 100:.2f}"
