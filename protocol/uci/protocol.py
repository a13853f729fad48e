"""UCI, one method per command: the standard's, and `d`, `eval`, `bench`, `help`, `go perft`."""

from __future__ import annotations

from games import registry
from games.base import Option
from protocol import moves
from protocol.base import (
    AUTHOR,
    PRODUCT,
    VERSION,
    CommandError,
    Protocol,
    command,
    printable,
    whole_number,
)
from protocol.scores import value_at_end
from protocol.uci.text import (
    GoRequest,
    display,
    evaluation_lines,
    finished_line,
    flipped,
    option_line,
    report_line,
    score_words,
    trace_line,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from games.base import Game, Position
    from search.context import Context
    from search.limits import Limits
    from search.report import Report, Result

# Names of variants that front ends know besides the canonical ones.
_EXTRA_VARIANTS = ("cfour",)
_DEEPEST_BENCH = 100

# An option that only UCI has.
_SHOW_WDL = Option(
    "UCI_ShowWDL", "check", False, help="show win, draw and loss in permille with each score"
)


class Uci(Protocol):
    """The Universal Chess Interface, for every game of the registry."""

    error_prefix, notice_prefix = "info string error: ", "info string "
    own_options = (_SHOW_WDL,)

    # ---- hand-shake and options ------------------------------------------------------

    @command("uci")
    def _uci(self, rest: str) -> None:
        """show the engine's name and options"""
        names = dict.fromkeys((*registry.names(), *_EXTRA_VARIANTS))
        variants = Option("UCI_Variant", "combo", "chess", choices=tuple(names))
        self.write(
            f"id name {PRODUCT} {VERSION}",
            f"id author {AUTHOR}",
            *map(option_line, [*self.session.options(), variants]),
            "uciok",
        )

    @command("isready")
    def _isready(self, rest: str) -> None:
        """answer readyok as soon as all earlier commands are done"""
        self.session.warm_up()
        self.write("readyok")

    @command("setoption")
    def _setoption(self, rest: str) -> None:
        """setoption name NAME [value VALUE]: change an option"""
        words = rest.split()
        if len(words) < 2 or words[0].lower() != "name":
            raise CommandError(
                f'setoption needs: name NAME [value VALUE], not "{printable(rest, 60)}"'
            )
        lower = [word.lower() for word in words]
        end = lower.index("value", 1) if "value" in lower[1:] else len(words)
        name, value = " ".join(words[1:end]), " ".join(words[end + 1 :])
        if name.lower() == "uci_variant":
            self.session.choose_game(value)
        else:
            self.session.set_option(name, value)

    @command("debug")
    def _debug(self, rest: str) -> None:
        """debug on|off: accepted without effect"""
        if rest.lower() not in ("on", "off", ""):
            raise CommandError(f'debug must be on or off, not "{printable(rest, 40)}"')

    @command("register")
    def _register(self, rest: str) -> None:
        """accepted: the engine needs no registration"""

    @command("ucinewgame")
    def _ucinewgame(self, rest: str) -> None:
        """start a new game and forget the last one"""
        self.session.stop_endless()
        self.session.new_game()

    # ---- positions -------------------------------------------------------------------

    @command("position")
    def _position(self, rest: str) -> None:
        """position startpos|fen TEXT [moves MOVE ...]: set the position"""
        words = rest.split()
        kind = words[0].lower() if words else ""
        lower = [word.lower() for word in words]
        end = lower.index("moves") if "moves" in lower else len(words)
        if kind == "startpos" and end == 1:
            text = None
        elif kind == "fen" and end > 1:
            text = " ".join(words[1:end])
        else:
            fault = (
                "position needs: startpos or fen TEXT, then moves MOVE ..., "
                f'not "{printable(rest, 60)}"'
            )
            self.session.refuse(fault)
            raise CommandError(fault)
        self.session.setup(text, words[end + 1 :], moves.read)

    @command("d")
    def _d(self, rest: str) -> None:
        """show the position"""
        self.write(*display(self.session.position))

    @command("eval")
    def _eval(self, rest: str) -> None:
        """show the static evaluation and its terms"""
        position = self.session.position
        value = value_at_end(position)
        if value is not None:
            lines = [f"Result: {score_words(value, position)}"]
        else:
            lines = [f"{name}: {score}" for name, score in position.evaluation_terms()]
            value = position.evaluate()
        self.write(*lines, *evaluation_lines(value, position))

    @command("flip")
    def _flip(self, rest: str) -> None:
        """exchange the colours of a chess position"""
        if self.session.game.name != "chess":
            raise CommandError("flip is for chess only")
        self.session.setup(flipped(self.session.position.text()))

    # ---- thinking --------------------------------------------------------------------

    @command("go")
    def _go(self, rest: str) -> None:
        """go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo
        N] [mate N] [infinite] [ponder] [searchmoves MOVE ...] | go perft N: think
        """
        words = rest.split()
        if self.session.refused:
            self._answer_none(searches=words[:1] != ["perft"])
            return
        request = GoRequest(words, self.session.position)
        for complaint in request.complaints:
            self.error(complaint)
        if request.limits is not None:
            self._search(request.limits)
        elif request.perft is not None:
            self._perft(request.perft)

    def _answer_none(self, searches: bool) -> None:
        """Answer `go` without a search, since the front end's last position was refused."""
        why = printable(self.session.refused)
        fault = f"there is no position to search: the last one was refused: {why}"

        def answer(found: None) -> None:
            self.error(fault)
            if searches:
                self.write("bestmove (none)")

        self.session.run(lambda context: None, answer)

    def _search(self, limits: Limits) -> None:
        show_wdl = self.session.values[_SHOW_WDL.name]  # its value now, not when the search begins

        def on_report(report: Report, position: Position) -> None:
            self.write(report_line(report, position, show_wdl))

        def on_trace(event: tuple[Any, ...]) -> None:
            self.write(trace_line(event))

        self.session.start(limits, on_report, self._on_done, on_trace)

    def _on_done(self, result: Result) -> None:
        if result.move is None:
            self.write(finished_line(result.position), "bestmove (none)")
            return
        line = [result.move] if result.ponder is None else [result.move, result.ponder]
        words = moves.variation(result.position, line, moves.drop)
        self.write("bestmove " + " ponder ".join(words))

    @command("stop")
    def _stop(self, rest: str) -> None:
        """stop the search and answer"""
        self.session.stop()

    @command("ponderhit")
    def _ponderhit(self, rest: str) -> None:
        """the expected move was played: go on searching by the clock"""
        self.session.ponderhit()

    def _perft(self, depth: int) -> None:
        from search.bench import divide

        position = self.session.copy_position()

        def work(context: Context) -> list[str]:
            counts = divide(position, depth, context.check) if depth else []
            lines = [f"{moves.drop(position, move)}: {count}" for move, count in counts]
            total = sum(count for _, count in counts) if depth else 1
            return [*lines, "", f"Nodes searched: {total}", ""]

        self._run("perft", work)

    @command("bench")
    def _bench(self, rest: str) -> None:
        """bench [DEPTH]: search a fixed set of positions of all games; the arguments of Stockfish's
        bench are ignored
        """
        from time import perf_counter

        from search.bench import bench

        depth = None  # each position's own depth; Stockfish's arguments are ignored
        if rest and " " not in rest:
            depth = whole_number(rest, "bench", 1, _DEEPEST_BENCH)

        def report(game: Game, text: str, nodes: int) -> None:
            self.write(f"{game.name} {nodes} {printable(text, 100)}")

        def work(context: Context) -> list[str]:
            started = perf_counter()
            nodes = bench(context, report, depth)
            seconds = max(perf_counter() - started, 0.001)
            return [f"Nodes searched: {nodes}", f"Nodes/second    : {round(nodes / seconds)}"]

        self._run("bench", work)

    def _run(self, name: str, work: Callable[[Context], list[str]]) -> None:
        """Call work(context) in the search's thread, and write the lines that it returns."""

        def report(lines: list[str] | None) -> None:
            if lines is None:
                self.error(f"{name} was stopped")
            else:
                self.write(*lines)

        self.session.run(work, report)

    # ---- the rest --------------------------------------------------------------------

    @command("help")
    def _help(self, rest: str) -> None:
        """show the commands"""
        self.write(*self.help_lines())
