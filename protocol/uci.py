"""UCI, one method per command: the standard's, and `d`, `eval`, `bench`, `help`, `go perft`."""

from __future__ import annotations

from games import registry
from games.base import Option
from games.grid import board_of, cell_width, picture
from games.texts import squares_of
from protocol import moves
from protocol.base import OTHER_NAMES, CommandError, command, printable, whole_number
from protocol.go import clock_words
from protocol.scores import result_of, value_at_end
from protocol.universal import Universal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Game, Position
    from search.context import Context

# An option that only UCI has.
_SHOW_WDL = Option("UCI_ShowWDL", "check", False, help="show win, draw and loss in permille")


class Uci(Universal):
    """The Universal Chess Interface, for every game of the registry."""

    own_options = (_SHOW_WDL,)
    # UCI's White is the player who moves first, as in Fairy-Stockfish.
    clock_words = clock_words("wb")

    def write_move(self, position: Position, move: int) -> str:
        return moves.drop(position, move)

    # ---- hand-shake ------------------------------------------------------------------

    @command("uci")
    def _uci(self, rest: str) -> None:
        """show the engine's name and options"""
        names = dict.fromkeys((*registry.names(), *OTHER_NAMES))
        self.identify([*names], "uciok")

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
            depth = whole_number(rest, "bench", 1)

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


# ---- positions as Stockfish shows them ------------------------------------------------


def boxed_board(position: Position) -> list[str]:
    """Return the board in Stockfish's drawing, from which its clients read the pieces."""
    rows, squares = board_of(position), squares_of(position)
    wide = cell_width(rows)
    rule, lines = " +" + ("-" * (wide + 2) + "+") * len(rows[0]), []
    for label, row in reversed(list(zip(squares.row_labels, rows))):
        cells = "".join(f" {'' if cell == '.' else cell:>{wide}} |" for cell in row)
        lines += [rule, f" |{cells} {label}"]
    columns = (f" {label:>{wide}}  " for label in squares.column_labels)
    return [*lines, rule, "  " + "".join(columns).rstrip()]


def evaluation_lines(value: int, position: Position) -> list[str]:
    """Return the last lines of the answer to `eval`; games with check get Stockfish's form.

    value: for the side to move.
    """
    line, checkers = f"Evaluation: {value}", position.checkers()
    if checkers is None:
        return [line]
    if checkers:
        return ["Final evaluation: none (in check)", line]
    shown = f"{(-value if position.side else value) / 100:+.2f}"
    return [f"Final evaluation       {shown} (white side)", line]


def flipped(fen: str) -> str:
    """Return the FEN of the same chess position with the colours exchanged."""
    rows, side, rights, square, *counters = fen.split()
    rows = "/".join(reversed(rows.split("/"))).swapcase()
    square = square.translate(str.maketrans("36", "63"))
    return " ".join([rows, "b" if side == "w" else "w", rights.swapcase(), square, *counters])


def display(position: Position) -> list[str]:
    """Return the lines of `d`."""
    legal = " ".join(moves.drop(position, move) for move in position.legal_moves())
    outcome = position.outcome()
    result = "*" if outcome is None else f"{result_of(outcome.winner)} {outcome.reason}"
    checkers = position.checkers()
    names = map(squares_of(position).name, checkers or ())
    texts = {"Fen": position.fairy_text(), position.text_name: position.text()}
    if len(set(texts.values())) == 1:
        texts.popitem()
    return [
        *(picture(position) if checkers is None else boxed_board(position)),
        *position.notes(),
        "",
        *[f"{name}: {text}" for name, text in texts.items()],
        f"Key: {position.key:016X}",
        f"Moves: {legal}".rstrip(),
        f"Result: {result}",
        *([] if checkers is None else [" ".join(["Checkers:", *names])]),
    ]
