"""GoGui's own commands: rules, analyze commands, parameters and live graphics.

With `gogui-rules_*` GoGui shows and plays any game whose rules an engine explains.  It only
draws square boards, so other boards fill the bottom left of a square, whose other cells are `?`.
GoGui sends the `gogui-rules_*` commands hundreds of times per move.  So they don't search: they
only read the session's position.
"""

from __future__ import annotations

import sys
from time import perf_counter

from games import notices
from games.grid import board_of
from games.looks import HOLE
from games.options import Option
from protocol import moves
from protocol.base import CommandError, command
from protocol.gtp.game import Group
from protocol.gtp.play import integer
from protocol.gtp.think import move_limits, usual_moves
from protocol.scores import is_proven, score_label, score_text, value_at_end, winrate
from protocol.wire import readiness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from protocol.gtp.protocol import Answer
    from search.report import Report, Result


# ---- rules ---------------------------------------------------------------------------


class GoguiRules(Group):
    """The commands that GoGui sends to a referee."""

    @command("gogui-rules_game_id")
    def _game_id(self, words: list[str]) -> str:
        """show the name of the game"""
        return self._session.game.name.capitalize()

    @command("gogui-rules_board_size")
    def _board_size(self, words: list[str]) -> str:
        """show the side length of the square that holds the board"""
        return str(self._side_length())

    def _side_length(self) -> int:
        shape = self._game.shape()
        if shape is None:
            raise CommandError("this game has no board")
        return max(shape)

    @command("gogui-rules_board")
    def _board(self, words: list[str]) -> str:
        """show the board from the top row: X black, O white, . empty, ? no cell"""
        size, looks = self._side_length(), self._session.game.looks

        def mark(cell: str) -> str:
            """Return a piece as a stone of its owner's colour."""
            owner = looks.owner(cell)
            if owner is None:
                return "?" if cell == HOLE else "."
            return "X" if self._game.colour(owner) == "black" else "O"

        board = board_of(self._session.position)
        rows = ["".join(map(mark, row)).ljust(size, "?") for row in board]
        rows += ["?" * size] * (size - len(rows))
        return "\n" + "\n".join(" ".join(row) for row in rows[::-1])

    @command("gogui-rules_board_gfx")
    def _board_gfx(self, words: list[str]) -> str | None:
        """show letters on the pieces, in games with several kinds of pieces"""
        board = self._session.position.board() or [""]
        vertices = moves.Vertices(len(board[0]), len(board))
        labels = [
            f"{vertices.name((column, row))} {cell}"
            for row, cells in enumerate(board)
            for column, cell in enumerate(cells)
            if cell not in ("X", "O", ".", HOLE)
        ]
        return "LABEL " + " ".join(labels) if labels else None

    @command("gogui-rules_side_to_move")
    def _side_to_move(self, words: list[str]) -> str:
        """show the side to move: black or white"""
        return self._game.colour(self._session.position.side)

    @command("gogui-rules_legal_moves")
    def _legal_moves(self, words: list[str]) -> str:
        """show the legal moves; empty if the game is over"""
        position = self._session.position
        return " ".join([moves.vertex(position, move) for move in position.legal_moves()])

    @command("gogui-rules_final_result")
    def _final_result(self, words: list[str]) -> str:
        """show the result as text"""
        outcome = self._session.position.outcome()
        names = [self._game.colour(player).capitalize() for player in (0, 1)]
        return "The game is not over" if outcome is None else outcome.words(names)


# ---- analyze commands ----------------------------------------------------------------

# The form that GoGui reads is type/label/command.
_COMMANDS = (
    "gfx/Best Moves/plyglot-best_moves",
    "gfx/Value of Each Move/plyglot-move_values",
    "var/Principal Variation/plyglot-pv",
    "string/Score/plyglot-score",
    "string/Static Evaluation/plyglot-eval",
    "plist/Legal Moves/gogui-rules_legal_moves",
    "string/Final Score/final_score",
    "string/Position Text/plyglot-position",
    "string/Show Board/showboard",
    "string/SGF/printsgf",
    "param/Parameters/plyglot-param",
    "none/Clear Hash/plyglot-param Clear_Hash",
)

# The maximum of MultiPV.  If a position has more moves, only the best ones are shown.
_ALL_MOVES = 256
_OVER = "TEXT the game is over"


class Suggestions(Group):
    """Commands that search as long as a genmove without a clock does; the answers suit GoGui."""

    @command("gogui-analyze_commands")
    def _analyze_commands(self, words: list[str]) -> str:
        """list the commands for GoGui's menu of analyze commands"""
        return "\n".join(_COMMANDS)

    @command("plyglot-best_moves")
    def _best_moves(self, words: list[str]) -> None:
        """show the best moves with rank and score, as graphics for GoGui"""
        self._search(usual_moves(self._session), _best_moves, _OVER)

    @command("plyglot-move_values")
    def _move_values(self, words: list[str]) -> None:
        """show every move with its score, red for a loss and green for a win, for GoGui"""
        self._search(_ALL_MOVES, _move_values, _OVER)

    @command("plyglot-pv")
    def _pv(self, words: list[str]) -> None:
        """show the principal variation"""
        self._search(1, _principal_variation)

    @command("plyglot-score")
    def _score(self, words: list[str]) -> None:
        """show the score for the side to move, and the best move"""
        self._search(1, self._best_score, self._game.score())

    def _search(self, wanted: int, answer: Answer, over: str | None = None) -> None:
        """Search for `wanted` lines and reply with answer(Result).

        over: the reply if the game is over.
        """

        def reply(result: Result) -> str | None:
            return answer(result) if result.lines else over

        self._gtp.search(move_limits(self._gtp), reply, wanted=wanted)

    def _best_score(self, result: Result) -> str:
        line, position = result.lines[0], result.position
        return (
            f"{self._game.colour(position.side)} {score_text(line.score, position, line.moves)}"
            f" with {moves.vertex(position, line.moves[0])} at depth {line.depth}"
        )

    @command("plyglot-eval")
    def _eval(self, words: list[str]) -> str:
        """show the static evaluation for the side to move, and its terms"""
        position = self._session.position
        value = value_at_end(position)
        if value is not None:
            won = "win" if value > 0 else "loss"
            return f"game over: {won if is_proven(value) else score_text(value, position)}"
        judge = position.judge()
        terms = [*judge.evaluation_terms(), ("evaluation", judge.evaluate())]
        return "\n".join(f"{name}: {score_text(score, position)}" for name, score in terms)

    @command("plyglot-position")
    def _position(self, words: list[str]) -> str:
        """show the position as text"""
        return str(self._session.position.text())


def _best_moves(result: Result) -> str:
    position, names = result.position, _first_moves(result)
    labels = [f"{name} {rank}" for rank, name in enumerate(names, 1)]
    texts = [score_text(line.score, position, line.moves) for line in result.lines]
    scores = [f"{name} {text}" for name, text in zip(names, texts)]
    colours = [f"COLOR green {names[0]}"]
    if names[1:]:
        colours.append(f"COLOR yellow {' '.join(names[1:])}")
    text = f"TEXT depth {result.lines[0].depth}: {', '.join(scores)}"
    return "\n".join([*colours, f"LABEL {' '.join(labels)}", text])


def _move_values(result: Result) -> str:
    position = result.position
    lines = [*zip(_first_moves(result), result.lines)]
    colours = [f"COLOR {_shade(winrate(line.score, position))} {name}" for name, line in lines]
    labels = [f"{name} {score_label(line.score, position, line.moves)}" for name, line in lines]
    return "\n".join([*colours, f"LABEL {' '.join(labels)}", f"TEXT depth {result.lines[0].depth}"])


def _principal_variation(result: Result) -> str:
    return " ".join(moves.variation(result.position, result.lines[0].moves, moves.vertex))


def _first_moves(result: Result) -> list[str]:
    return [moves.vertex(result.position, line.moves[0]) for line in result.lines]


def _shade(rate: float) -> str:
    """Return a colour for a win rate: red at 0, yellow at a half, green at 1."""
    red, green = min(1.0, 2 - 2 * rate), min(1.0, 2 * rate)
    return f"#{round(255 * red):02x}{round(255 * green):02x}40"


# ---- parameters ----------------------------------------------------------------------

# Options for GTP alone, whose front ends can limit a search only by a clock and often set none.
OPTIONS = (
    Option("Genmove Time", "spin", 1000, 1, 3_600_000, help="milliseconds per move without clock"),
    Option("Genmove Depth", "spin", 0, 0, 200, help="depth limit in plies; 0 for none"),
    Option("Genmove Nodes", "spin", 0, 0, 10**12, help="node limit; 0 for none"),
    Option("Analysis Moves", "spin", 5, 1, 256, help="minimum number of moves in an analysis"),
    Option("Live Graphics", "check", False, help="draw the search in GoGui"),
)


class Parameters(Group):
    """The options of the session and of GTP, set in the form of GoGui's `param` commands.

        plyglot-param               show all parameters, one per line: [type] NAME VALUE
        plyglot-param NAME          show the value of one, or press a button
        plyglot-param NAME VALUE    set one

    Blanks in a name are written as underscores, true and false as 1 and 0.
    """

    @command("plyglot-param")
    def _param(self, words: list[str]) -> str | None:
        """plyglot-param [NAME [VALUE]]: show or change the parameters"""
        if not words:
            options = sorted(self._session.options(), key=lambda option: option not in OPTIONS)
            return "\n".join(self._line(option) for option in options if option.kind != "button")
        option = self._session.find_option(words[0])
        text = " ".join(words[1:])
        if not text and option.kind not in ("string", "button"):
            return self._shown(option)
        self._session.set_option(option.name, text)
        return None

    @command("cores")
    def _cores(self, words: list[str]) -> None:
        """cores N: number of processor cores for the search (the parameter Threads)"""
        self._session.set_within("Threads", integer(words, 0))

    def _shown(self, option: Option) -> str:
        value = self._session.values.get(option.name, option.default)
        return str(int(bool(value)) if option.kind == "check" else value)

    def _line(self, option: Option) -> str:
        kind = {"check": "bool", "combo": "/".join(["list", *option.choices])}
        name = option.name.replace(" ", "_")
        return f"[{kind.get(option.kind, 'string')}] {name} {self._shown(option)}"


# ---- live graphics -------------------------------------------------------------------

# Seconds between two drawings.
_INTERVAL = 0.2
# Maximum number of moves of a variation to draw: more would hide the board.
_SHOWN = 8


class Graphics(Group):
    """Live graphics: the principal variation of a search, drawn on GoGui's board.

    GoGui reads them from stderr.  They are written once GoGui has sent `gogui-version` or
    the parameter `Live Graphics` is on.
    """

    _next = 0.0  # the earliest time of the next drawing (perf_counter seconds)
    _drawn = False  # has the current search drawn anything?

    @command("gogui-version")
    def _gogui_version(self, words: list[str]) -> None:
        """gogui-version VERSION: GoGui's version; turns on live graphics"""
        if words and words[0].replace(".", "").isdigit() and "." in words[0]:
            self._session.values["Live Graphics"] = True

    def draw(self, report: Report, position: Position) -> None:
        """Draw a search's report if drawing is on and the last drawing is _INTERVAL seconds old."""
        line = report.line
        due = self._session.values["Live Graphics"] and perf_counter() >= self._next
        if line is None or line.multipv != 1 or not due:
            return
        self._drawn = True
        self._next = perf_counter() + _INTERVAL
        names = moves.variation(position, line.moves[:_SHOWN], moves.vertex)
        letters = [self._game.colour(position.side ^ ply)[0] for ply in (0, 1)]
        shown = [f"{letters[ply % 2]} {name}" for ply, name in enumerate(names)]
        score = score_text(line.score, position, line.moves)
        _write(
            f"gogui-gfx:\nVAR {' '.join(shown)}\n"
            f"TEXT depth {line.depth} {score} nodes {report.nodes}\n"
        )

    def clear(self) -> None:
        """Remove the drawing of a search that is over."""
        if self._drawn:
            self._drawn = False
            _write("gogui-gfx: CLEAR")


def _write(text: str) -> None:
    """Write to stderr, unless its pipe is full, since the move must not wait for a reader."""
    ready = readiness(sys.stderr)[0]
    if ready is None or ready(0):
        notices.on_stderr(text)
