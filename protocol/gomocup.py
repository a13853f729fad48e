"""The protocol of Gomocup and Piskvork, one method per command.

https://plastovicka.github.io/protocl2en.htm

`SWAP2BOARD` plays Swap2, a rule for a fair opening of Gomoku: one player places three stones; the
other chooses a colour, or places two more stones and lets the first player choose.
"""

from __future__ import annotations

import random
from contextlib import suppress

from games.base import PASSES, GameError, MoveError
from games.grid import board_of, cell_of, square_name
from games.options import is_whole
from protocol import moves
from protocol.base import (
    AUTHOR,
    MAX_LINES,
    PRODUCT,
    VERSION,
    CommandError,
    ThinkingProtocol,
    command,
    first_word,
    lost_time,
    malformed,
    printable,
    whole_number,
)
from search.clock import Clock
from search.report import mate_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.base import Position
    from games.types import Cell, Move
    from protocol.wire import Write
    from search.report import Report, Result
    from search.session import Session

FREESTYLE = "gomokufreestyle"
STANDARD = "gomoku"
RENJU = "renju"

_OWN = "1"
_OPPONENT = "2"
_MARK = "3"

# Keys that only Yixin's board sends.
_YIXIN_KEYS = frozenset(
    "caution_factor checkmate hash_size max_depth max_node nbest_sym pondering show_detail"
    " thread_num thread_split_depth time_increment usedatabase".split()
)
_YIXIN_RENJU = 2
# Times of this many milliseconds or more mean no limit: managers without a clock send 2147483647.
_UNLIMITED = 10**9

# Seconds per move if the manager sets no limit at all.
_DEFAULT_TURN = 1.0

# Of the megabytes that the manager allows, each process needs _OWN_MEGABYTES for the interpreter
# and for the game without its tables.  The tables get the share _TABLE_SHARE of the rest, at most
# _LARGEST_HASH.
_OWN_MEGABYTES = 50
_TABLE_SHARE = 0.6
_LARGEST_HASH = 64


class Gomocup(ThinkingProtocol):
    """A brain, as Gomocup calls an engine.  Its manager, the front end, has row 0 at the top."""

    error_prefix, notice_prefix = "ERROR ", "MESSAGE "
    games = (FREESTYLE, STANDARD, RENJU)

    def __init__(self, session: Session, write: Write) -> None:
        super().__init__(session, write)
        self.blocked: set[Cell] = set()  # points on which the engine must not play
        self.clock = Clock()
        # yixin: does the manager speak like Yixin's board, which numbers the rules in its own way?
        # _rule: the manager's number of the rule; -1 until it chooses one.
        # _counts: {key: number} of max_depth, max_node and max_memory; None for no limit.
        self.yixin = False
        self._rule = -1
        self._counts: dict[str, int | None] = {}
        self.table["end"] = self.table["quit"]

    def unknown(self, line: str) -> None:
        self.write(f"UNKNOWN {printable(line, 80)}")

    # ---- the game --------------------------------------------------------------------

    @command("ABOUT")
    def _about(self, rest: str) -> None:
        """show the engine's name"""
        self.write(f'name="{PRODUCT}", version="{VERSION}", author="{AUTHOR}", country="-"')

    @command("START", "RECTSTART")
    def _start(self, rest: str) -> None:
        """START SIZE, START WIDTH HEIGHT or RECTSTART WIDTH,HEIGHT: start a new game; square
        boards only
        """
        self.session.refuse()  # the old position no longer counts, even if this command fails
        name, words = self.word.upper(), rest.replace(",", " ").split(None, 2) or [""]
        sizes = [whole_number(word, name, 0) for word in words]
        if len(sizes) > 2 or len(sizes) < 2 and name == "RECTSTART":
            raise malformed(name, "the size of a board", rest)
        if sizes[0] != sizes[-1]:
            raise CommandError("rectangular board is not supported")
        if "," not in rest and len(sizes) > 1:  # Yixin's board sends width and height
            self.yixin = True
        self._begin_game(sizes[0])

    @command("RESTART")
    def _restart(self, rest: str) -> None:
        """start a new game on a board of the same size"""
        self._begin_game(self.session.values["BoardSize"])

    def _begin_game(self, size: int) -> None:
        self.drop()
        self.session.set_option("BoardSize", str(size))
        self.session.choose_game(self._wanted_game())
        self.clock.reset()
        self.session.warm_up()
        self.write("OK")

    # ---- settings --------------------------------------------------------------------

    @command("INFO")
    def _info(self, rest: str) -> None:
        """INFO KEY VALUE: change a setting; never answered"""
        key, text = first_word(rest.lower())
        if not is_whole(text):
            return
        value = int(text[:20])
        seconds = None if value >= _UNLIMITED else max(value, 0) / 1000
        self.yixin = self.yixin or key in _YIXIN_KEYS
        if key == "rule":
            self._rule = max(value, 0)
        elif key == "time_left":
            self.clock.seconds = seconds
        elif key == "timeout_turn":
            self.clock.control.turn = seconds
        elif key == "timeout_match":
            self.clock.control.main = seconds or None
            self.clock.reset()
        elif key == "thread_num" and value > 0:
            self.session.set_within("Threads", value)
        elif key.startswith("max_"):
            self._counts[key] = value if value > 0 else None
        self.obey_rule()
        memory = self._counts.get("max_memory")
        if memory is not None:
            megabytes = memory / 2**20 - _OWN_MEGABYTES * self.session.values["Threads"]
            self.session.set_within("Hash", min(_LARGEST_HASH, int(megabytes * _TABLE_SHARE)))

    def _wanted_game(self) -> str:
        """Return the game that the manager's rule selects.

        The rule is a sum: 1 means exactly five, 4 means Renju; with neither it is freestyle Gomoku.
        A 2 in the sum (a continuous game) is ignored.  But from Yixin's board, the rule 2 alone
        means Renju.
        """
        if self._rule < 0:
            return self.session.game.name
        if self._rule & 4 or self.yixin and self._rule == _YIXIN_RENJU:
            return RENJU
        return STANDARD if self._rule & 1 else FREESTYLE

    def obey_rule(self) -> None:
        """Switch to the manager's rule, if it has changed, and keep the stones.

        If the stones are not legal moves under the new rule, refuse the board.  A board that was
        refused stays refused.
        """
        session, name = self.session, self._wanted_game()
        if name == session.game.name:
            return
        self.stop_and_wait()
        refused = session.refused
        start = self.session.base_position()
        words = moves.variation(start, session.moves, coordinates)
        session.choose_game(name)
        with suppress(GameError):
            session.setup(start.text(), words, moves.read)
        session.refuse(refused or session.refused)

    # ---- moves -----------------------------------------------------------------------

    @command("BEGIN")
    def _begin(self, rest: str) -> None:
        """make the first move"""
        self.move()

    @command("TURN")
    def _turn(self, rest: str) -> None:
        """TURN X,Y: play the opponent's move and answer it"""
        self.session.play(self._read_move(rest))
        self.move()

    @command("PLAY")
    def _play(self, rest: str) -> None:
        """PLAY X,Y: play this move as the engine's own"""
        self.play_and_write([self._read_move(rest)])

    def _read_move(self, text: str) -> Move:
        """Stop the running search, if any; return the legal move X,Y."""
        square = self._square(text)
        return moves.read(self.session.position, square)

    def _square(self, text: str) -> str:
        """Stop the running search, if any; return the argument X,Y of the current command."""
        self.stop_on_board()
        if not text or text.lower() in PASSES:  # Renju has passes, but a pass has no X,Y
            raise CommandError(f"{self.word.upper()} needs X,Y")
        return text

    @command("TAKEBACK")
    def _takeback(self, rest: str) -> None:
        """TAKEBACK X,Y: take the last move back"""
        session, square = self.session, self._square(rest)
        last = session.position.placement(session.moves[-1]) if session.moves else None
        if last is None or moves.read_coordinates(session.position, square) != last:
            raise CommandError(f"the last move was not {printable(rest, 40)}")
        self.session.undo()
        self.write("OK")

    def stop_on_board(self) -> None:
        """Stop the running search; raise CommandError if the manager's board was refused."""
        self.stop_and_wait()
        self.require_position()

    @command("YXSTOP", "STOP")
    def _stop(self, rest: str) -> None:
        """move now"""
        self.session.stop()

    # ---- positions -------------------------------------------------------------------

    @command("BOARD", end="done")
    def _board(self, lines: list[str]) -> None:
        """BOARD, lines X,Y,WHO (1 own, 2 opponent), DONE: set the position and move"""
        self._set_stones(lines)
        self.move()

    @command("SWAP2BOARD", end="done")
    def _swap2board(self, lines: list[str]) -> None:
        """SWAP2BOARD, lines X,Y, DONE: place Swap2's first stones, or answer the given stones"""
        self.stop_and_wait()
        self.session.refuse()  # the old position no longer counts, even if this command fails
        cells = [cell for cell, _ in read_stones(lines, "SWAP2BOARD", "X,Y")]
        if len(cells) not in (0, 3, 5):
            raise CommandError(f"SWAP2BOARD needs 0, 3 or 5 stones, not {len(cells)}")
        if cells:
            self.session.setup(None, cells, moves.read)
            self.move(self._on_choice)
        else:
            self.write(" ".join(self.open()))

    def open(self) -> tuple[str, str, str]:
        """Set up an opening, random unless the option Seed is set; return its three stones."""
        stones = random.Random(self.session.values["Seed"] or None).choice(_OPENINGS)
        self.session.setup(None, stones, moves.read)
        return stones

    def _on_choice(self, result: Result) -> None:
        if swaps(result):
            self.write("SWAP")
        else:
            self._on_done(result)

    @command("YXBOARD", end="done")
    def _set_stones(self, lines: list[str]) -> None:
        """set the position like BOARD, but don't answer with a move"""
        self.stop_and_wait()
        self.session.refuse()  # the old position no longer counts, even if this command fails
        stones = read_stones(lines, "BOARD", "X,Y,WHO")
        # Play the stones alternately if that is legal; otherwise set up the board as a whole.
        own = [cell for cell, who in stones if who == _OWN]
        theirs = [cell for cell, who in stones if who == _OPPONENT]
        side = int(len(theirs) > len(own))
        first, second = (theirs, own) if side else (own, theirs)
        in_turn = [cell for pair in zip(first, [*second, ""]) for cell in pair if cell]
        if len(first) - len(second) == side:
            with suppress(MoveError):  # the stones can't be played as moves
                self.session.setup(None, in_turn, moves.read)
                return
        self.session.setup(self._text(first, second, side))

    def _text(self, first: Sequence[str], second: Sequence[str], side: int) -> str:
        """Return the text of the position with these stones."""
        empty = self.session.game.start(self.session.values)
        rows = [["."] * len(row) for row in board_of(empty)]
        for cells, mark in ((first, "X"), (second, "O")):
            for cell in cells:
                column, row = moves.read_coordinates(empty, cell)
                if rows[row][column] != ".":
                    raise MoveError(cell, "is occupied")
                rows[row][column] = mark
        return self.session.game.arrange(["".join(row) for row in rows], side)

    # ---- thinking --------------------------------------------------------------------

    def move(self, on_done: Callable[[Result], None] | None = None, count: int = 1) -> None:
        """Search the position, then call on_done(Result); by default on_done plays the best move.

        A search that is running is stopped first.
        count: number of best moves to search and show.
        """
        self.stop_on_board()
        position = self.session.position
        outcome = position.outcome()
        if outcome is not None:
            raise CommandError(f"the game is over: {outcome.reason}")
        depth, nodes = self._counts.get("max_depth"), self._counts.get("max_node")
        limits = self.clock.limits(depth=depth, nodes=nodes)
        if not limits.bounded():
            limits.turn = _DEFAULT_TURN
        if self.blocked:
            legal = position.playable_moves()
            limits.moves = [m for m in legal if position.placement(m) not in self.blocked] or None
        options = {"MultiPV": count, "UCI_AnalyseMode": True} if count > 1 else None

        def done(result: Result) -> None:
            self.clock.end(lost_time(self.session))
            (on_done or self._on_done)(result)

        self.think(limits, done, options)

    def _on_done(self, result: Result) -> None:
        self.play_and_write([result.best_move])

    def play_and_write(self, line: Sequence[int]) -> None:
        """Play the moves of a search's answer, and write them."""
        words = moves.variation(self.session.position, line, coordinates)
        for move in line:
            self.session.play(move)
        self.write(" ".join(words))

    def on_report(self, report: Report, position: Position) -> None:
        line = report.line
        if line is None:
            return
        mate = mate_moves(line.score, position)
        value = str(line.score) if mate is None else f"{'-' if line.score < 0 else '+'}M{abs(mate)}"
        milliseconds = round(report.seconds * 1000)
        speed = round(report.nodes / max(milliseconds, 1))
        rank = f" multipv {line.multipv}" if line.multipv > 1 else ""
        pv = " ".join(moves.variation(position, line.moves, _point))
        self.write(
            f"MESSAGE depth {line.depth}-{report.seldepth}{rank} ev {value}"
            f" n {report.nodes} n/ms {speed} tm {milliseconds} pv {pv}"
        )


# Three stones (first player, second player, first player) as column and row from a corner.
# Rapfi scores them within 25 points of even, both in freestyle and with exactly five.
_OPENINGS = (
    ("2,3", "0,4", "0,0"),
    ("1,3", "2,0", "0,3"),
    ("0,2", "4,1", "2,4"),
    ("4,3", "4,2", "1,3"),
    ("4,0", "1,3", "2,4"),
)


def swaps(result: Result) -> bool:
    """Does the search score the side to move below zero, so that the engine should swap?

    In an even position it doesn't swap: having the move is an advantage.
    """
    return bool(result.lines) and result.lines[0].score < 0


def read_stones(lines: Sequence[str], name: str, form: str) -> list[tuple[str, str]]:
    """Parse the lines after a command as stones: (text of a cell, _OWN or _OPPONENT).

    Raise CommandError if a line is malformed, or if there are more than MAX_LINES lines.

    form: X,Y,WHO, or X,Y if the players placed the stones in turn.  Some managers send WHO even in
    the second case; it is then ignored.
    """
    stones: list[tuple[str, str]] = []
    if len(lines) > MAX_LINES:
        raise CommandError(f"{name} has more than {MAX_LINES} lines")
    for line in filter(None, lines):
        words = [word.strip() for word in line.split(",", 3)]
        if form == "X,Y" and len(words) == 2:
            words.append(_OWN)
        if len(words) != 3 or words[2] not in (_OWN, _OPPONENT, _MARK):
            raise CommandError(f"{name} has a line that is not {form}: {printable(line, 40)}")
        if words[2] != _MARK:
            stones.append((f"{words[0]},{words[1]}", words[2]))
    return stones


def coordinates(position: Position, move: int) -> str:
    """Return a move as `7,7`: column and row from 0, row 0 at the top."""
    return "{},{}".format(*moves.coordinates(position, cell_of(position, move)))


def _point(position: Position, move: int) -> str:
    """Return a move as `h8`, with row 1 at the top: managers expect this form in variations."""
    return square_name(*moves.coordinates(position, cell_of(position, move)))
