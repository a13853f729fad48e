"""What UCI and protocols like it (USI) have in common: options, positions, `go`, its answers.

A protocol says what differs: its words for the clocks, for positions and for the end of a game,
the names of its options, and its texts of moves.
"""

from __future__ import annotations

from games.base import WIN
from games.options import Option
from protocol import moves
from protocol.base import (
    AUTHOR,
    PRODUCT,
    VERSION,
    Protocol,
    command,
    cut_at,
    each_word,
    first_word,
    malformed,
    printable,
    words_of,
)
from protocol.go import GoRequest
from protocol.scores import value_at_end
from search import interpreter
from search.game import SessionError
from search.report import mate_moves, wdl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from games.base import Position
    from games.types import Move
    from protocol.go import ClockWords
    from search.context import Context
    from search.limits import Limits
    from search.report import Report, Result

_BOUNDS = {"": "", "lower": " lowerbound", "upper": " upperbound"}


class Universal(Protocol):
    """The common base of UCI and of protocols like it.

    clock_words: the words of `go` for the clocks (protocol.go).
    no_bestmove: the last line of the answer to `go` if no move can be played.
    variant_option: name of the option that chooses the game.
    """

    error_prefix, notice_prefix = "info string error: ", "info string "
    clock_words: ClockWords = {}
    no_bestmove = "bestmove (none)"
    variant_option = "UCI_Variant"

    # ---- moves -----------------------------------------------------------------------

    def write_move(self, position: Position, move: Move) -> str:
        """Return a legal move as this protocol writes it; by default the canonical text."""
        return position.move_text(move)

    def read_move(self, position: Position, text: str) -> Move:
        """Return the legal move that a text means; raise MoveError if it means none."""
        return moves.read(position, text)

    # ---- options ---------------------------------------------------------------------

    def identify(self, games: Sequence[str], last: str) -> None:
        """Write the engine's name, its options and the line `last`.

        games: the choices of the option that chooses the game; the first is its default.
        """
        variants = Option(self.variant_option, "combo", games[0], choices=tuple(games))
        self.write(
            f"id name {PRODUCT} {VERSION}",
            f"id author {AUTHOR}",
            *map(self.option_line, [*self.session.options(), variants]),
            last,
        )

    @command("isready")
    def _isready(self, rest: str) -> None:
        """answer readyok as soon as all earlier commands are done"""
        self.session.warm_up()
        self.write("readyok")

    @command("setoption")
    def _setoption(self, rest: str) -> None:
        """setoption name NAME [value VALUE]: change an option"""
        keyword, text = first_word(rest)
        if keyword.lower() != "name" or not text:
            raise malformed("setoption", "name NAME [value VALUE]", rest)
        name, value = [" ".join(words_of(part)) for part in cut_at(text, "value")]
        if name.lower() == self.variant_option.lower():
            self.session.choose_game(value)
        else:
            self.session.set_option(self.own_name(name), value)

    def option_line(self, option: Option) -> str:
        """Return the line that declares an option."""
        name, kind = self.option_name(option.name), option.kind
        return f"option name {name} type {kind}{_DECLARED[kind](option)}"

    # ---- positions -------------------------------------------------------------------

    @command("position")
    def _position(self, rest: str) -> None:
        """position startpos|fen TEXT [moves MOVE ...]: set the position"""
        kind, text = first_word(rest)
        text, played = map(str.strip, cut_at(text, "moves"))
        kinds = ("fen", "sfen") if text else ("startpos",)  # sfen in USI
        if kind.lower() not in kinds:
            form = "startpos, fen TEXT or sfen TEXT, and then moves MOVE ..."
            fault = malformed("position", form, rest)
            self.session.refuse(str(fault))
            raise fault
        self.session.setup(text or None, each_word(played), self.read_move)

    # ---- thinking --------------------------------------------------------------------

    @command("go")
    def _go(self, rest: str) -> None:
        """go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo
        N] [mate N] [infinite] [ponder] [searchmoves MOVE ...] | go perft N: think
        """
        if self.session.refused:
            last = [] if first_word(rest)[0] == "perft" else [self.no_bestmove]
            self._answer_none(self.refusal(), *last)
            return
        try:
            request = GoRequest(rest, self)
            for complaint in request.complaints:
                self.error(complaint)
            if request.limits is not None:
                self._search(request.limits)
            elif request.perft is not None:
                self._perft(request.perft)
        except SessionError:
            raise
        except Exception as error:  # a bug in the game's rules
            interpreter.report_bug()
            self._answer_none(f"internal error: {printable(repr(error))}", self.no_bestmove)

    def _answer_none(self, fault: str, *last: str) -> None:
        """Once earlier searches have answered, answer `go` with an error and the lines `last`."""
        self.in_turn(lambda: self.write(self.error_prefix + fault, *last))

    def _search(self, limits: Limits) -> None:
        # read the option now, since it may change before a queued search reports
        show_wdl = bool(self.session.values.get("UCI_ShowWDL"))
        self.session.start(
            limits,
            lambda report, position: self.write(self.report_line(report, position, show_wdl)),
            self._on_done,
            lambda event: self.write(trace_line(event)),
        )

    def _on_done(self, result: Result) -> None:
        words = moves.variation(result.position, result.answer, self.write_move)
        if words:
            self.write("bestmove " + " ponder ".join(words))
        else:
            self.write(self.finished_line(result.position), self.no_bestmove)

    @command("stop")
    def _stop(self, rest: str) -> None:
        """stop the search and answer"""
        self.session.stop()

    @command("ponderhit")
    def _ponderhit(self, rest: str) -> None:
        """the expected move was played: go on searching by the clock, or by new clocks as in go"""
        self.session.worker.ponderhit(GoRequest(rest, self).limits if rest else None)

    def _perft(self, depth: int) -> None:
        from search.bench import divide

        position = self.session.copy_position()

        def work(context: Context) -> list[str]:
            counts = divide(position, depth, context.check) if depth else []
            lines = [f"{self.write_move(position, move)}: {count}" for move, count in counts]
            total = sum(count for _, count in counts) if depth else 1
            return [*lines, "", f"Nodes searched: {total}", ""]

        self.run_job("perft", work)

    def run_job(self, name: str, work: Callable[[Context], list[str]]) -> None:
        """Call work(context) in the search's thread, and write the lines that it returns."""
        stopped = [f"{self.error_prefix}{name} was stopped"]
        self.session.run(work, lambda lines: self.write(*(lines or stopped)))

    # ---- lines -----------------------------------------------------------------------

    def score_words(self, score: int, position: Position, line: Sequence[int] = ()) -> str:
        """Return `cp N`, or `mate N` for N moves of the winner, negative if the side to move loses.

        line: the principal variation with this score.
        """
        mate = mate_moves(score, position, line)
        return f"cp {score}" if mate is None else f"mate {mate}"

    def report_line(self, report: Report, position: Position, show_wdl: bool) -> str:
        """Return the info line of a Report."""
        counters = (
            f"nodes {report.nodes} nps {report.speed} hashfull {report.hashfull} tbhits 0"
            f" time {round(report.seconds * 1000)}"
        )
        line = report.line
        if line is None:
            if report.current is None:
                return f"info {counters}"
            move, number = report.current
            name = self.write_move(position, move)
            return f"info currmove {name} currmovenumber {number} {counters}"
        score = self.score_words(line.score, position, line.moves) + _BOUNDS[line.bound]
        if show_wdl:
            score += " wdl {} {} {}".format(*wdl(line.score, position.win_scale()))
        pv = " ".join(moves.variation(position, line.moves, self.write_move))
        return (
            f"info depth {line.depth} seldepth {report.seldepth}"
            f" multipv {line.multipv} score {score} {counters} pv {pv}"
        )

    def finished_line(self, position: Position) -> str:
        """Return the info line for `go` in a finished game."""
        value = value_at_end(position) or 0
        score = "mate 1" if value >= WIN else self.score_words(value, position)
        return f"info depth 0 score {score}"


# Kind of an option -> what follows the kind in its declaration.
_DECLARED: dict[str, Callable[[Option], str]] = {
    "button": lambda option: "",
    "check": lambda option: f" default {str(option.default).lower()}",
    "spin": lambda option: f" default {option.default} min {option.low} max {option.high}",
    "combo": lambda option: " var ".join([f" default {option.default}", *option.choices]),
    "string": lambda option: f" default {option.default or '<empty>'}",
}


def trace_line(event: tuple[Any, ...]) -> str:
    """Return the info string for an event in a traced tree search."""
    if event[0] == "pruned":
        return " ".join(["info string pruned", *event[1]])
    _, name, alpha, beta = event
    return f"info string visit {name} alpha {_bound(alpha, '-inf')} beta {_bound(beta, 'inf')}"


def _bound(value: int | None, open_end: str) -> str:
    return {None: open_end, WIN: "W", -WIN: "L"}.get(value, str(value))
