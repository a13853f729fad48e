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
    command,
    printable,
    whole_number,
)
from protocol.scores import value_at_end
from protocol.uci.text import display, evaluation_lines, flipped
from protocol.universal import Universal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Game, Position
    from search.context import Context

# Names of variants that front ends know besides the canonical ones.
_EXTRA_VARIANTS = ("cfour",)
_DEEPEST_BENCH = 100

# An option that only UCI has.
_SHOW_WDL = Option(
    "UCI_ShowWDL", "check", False, help="show win, draw and loss in permille with each score"
)


class Uci(Universal):
    """The Universal Chess Interface, for every game of the registry."""

    own_options = (_SHOW_WDL,)
    # UCI's White is the player who moves first, as in Fairy-Stockfish.
    clock_words = {
        "wtime": ("main", 0),
        "btime": ("main", 1),
        "winc": ("increment", 0),
        "binc": ("increment", 1),
    }

    def write_move(self, position: Position, move: int) -> str:
        return moves.drop(position, move)

    # ---- hand-shake ------------------------------------------------------------------

    @command("uci")
    def _uci(self, rest: str) -> None:
        """show the engine's name and options"""
        names = dict.fromkeys((*registry.names(), *_EXTRA_VARIANTS))
        variants = Option(self.variant_option, "combo", "chess", choices=tuple(names))
        self.write(
            f"id name {PRODUCT} {VERSION}",
            f"id author {AUTHOR}",
            *map(self.option_line, [*self.session.options(), variants]),
            "uciok",
        )

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
        self.session.worker.stop_endless()
        self.session.new_game()

    # ---- positions -------------------------------------------------------------------

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
            lines = [f"Result: {self.score_words(value, position)}"]
        else:
            judge = position.judge()
            lines = [f"{name}: {score}" for name, score in judge.evaluation_terms()]
            value = judge.evaluate()
        self.write(*lines, *evaluation_lines(value, position))

    @command("flip")
    def _flip(self, rest: str) -> None:
        """exchange the colours of a chess position"""
        if self.session.game.name != "chess":
            raise CommandError("flip is for chess only")
        self.session.setup(flipped(self.session.position.text()))

    # ---- the rest --------------------------------------------------------------------

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

        self.run_job("bench", work)

    @command("help")
    def _help(self, rest: str) -> None:
        """show the commands"""
        self.write(*self.help_lines())
