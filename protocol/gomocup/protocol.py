"""The protocol of Gomocup and Piskvork, one method per command.

https://plastovicka.github.io/protocl2en.htm, with the additions of Yixin and its relatives.
"""

from __future__ import annotations

from time import perf_counter

from games.base import PASSES, GameError, MoveError
from games.grid import board_of, cell_of
from protocol import moves
from protocol.base import (
    AUTHOR,
    MAX_LINES,
    PRODUCT,
    VERSION,
    CommandError,
    command,
    first_word,
    printable,
    whole_number,
)
from protocol.gomocup.settings import FREESTYLE, Settings, game_of, process_age
from protocol.gomocup.yixin import Yixin, opening, swaps
from protocol.thinking import ThinkingProtocol, less_overhead, lost_time
from search.wdl import mate_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.base import Position
    from protocol.wire import Writer
    from search.report import Report, Result
    from search.session import Session

    Stones = list[tuple[str, str]]  # (text of a cell, who)

_ABOUT = f'name="{PRODUCT}", version="{VERSION}", author="{AUTHOR}", country="-"'
_OWN, _OPPONENT, _MARK = "1", "2", "3"


class Gomocup(ThinkingProtocol):
    """A Gomocup brain.  The manager's row 0 is at the top."""

    name = "gomocup"
    error_prefix, notice_prefix = "ERROR ", "MESSAGE "

    def __init__(self, session: Session, write: Writer) -> None:
        super().__init__(session, write)
        self._born = perf_counter() - process_age()
        self._settings = Settings()
        self._moved = False  # has this process made a move?
        self._yixin = Yixin(self)
        self.add_commands(self._yixin)
        self.table["end"] = self.table["quit"]
        if session.game.name not in (game_of(rule) for rule in (0, 1, 4)):
            session.choose_game(FREESTYLE)
        else:
            self._settings.game = session.game.name

    def dispatch(self, line: str) -> None:
        word = first_word(line)[0].lower()
        if word.startswith("yx") and word in self.table and word != "yxstop":
            self._settings.speaks_yixin()
            self._obey_rule()
        super().dispatch(line)

    def unknown(self, line: str) -> None:
        self.write(f"UNKNOWN {printable(line, 80)}")

    # ---- the game --------------------------------------------------------------------

    @command("ABOUT")
    def _about(self, rest: str) -> None:
        """show the engine's name"""
        self.write(_ABOUT)

    @command("START")
    def _start(self, rest: str) -> None:
        """START SIZE, or START WIDTH HEIGHT: start a new game"""
        self.session.refuse()  # until the game has begun
        width, *height = rest.split() or [""]
        if height:  # Yixin's board sends both
            self._settings.speaks_yixin()
            self._rectstart(",".join([width, *height]))
        else:
            self._begin_game(whole_number(width, "START", 0))

    @command("RECTSTART")
    def _rectstart(self, rest: str) -> None:
        """RECTSTART WIDTH,HEIGHT: start a new game; square boards only"""
        self.session.refuse()
        words = rest.split(",")
        if len(words) != 2:
            raise CommandError(f"RECTSTART needs WIDTH,HEIGHT, not: {printable(rest, 40)}")
        width, height = (whole_number(word, "RECTSTART", 0) for word in words)
        if width != height:
            raise CommandError("rectangular board is not supported")
        self._begin_game(width)

    @command("RESTART")
    def _restart(self, rest: str) -> None:
        """start a new game on a board of the same size"""
        self._begin_game(self.session.values["BoardSize"])

    def _begin_game(self, size: int) -> None:
        self.drop()
        self.session.set_option("BoardSize", str(size))
        self.session.choose_game(self._settings.game)
        self._settings.begin_game()
        self.session.warm_up()
        self.write("OK")

    @command("INFO")
    def _info(self, rest: str) -> None:
        """INFO KEY VALUE: change a setting; never answered"""
        key, _, value = rest.partition(" ")
        understood = self._settings.read(key.lower(), value.strip())
        self._obey_rule()
        if not understood:
            return
        threads = self._settings.threads()
        if threads is not None:
            self.session.set_within("Threads", threads)
        megabytes = self._settings.hash_megabytes(self.session.values["Threads"])
        if megabytes is not None and megabytes != self.session.values["Hash"]:
            self.session.set_option("Hash", str(megabytes))

    def _obey_rule(self) -> None:
        if self._settings.game != self.session.game.name:
            self.stop_and_wait()
            self._change_game(self._settings.game)

    def _change_game(self, name: str) -> None:
        """Go on with the same stones under another rule; a refused board stays refused.

        Stay with the old rule if the stones are not a legal position of the new one.
        """
        session, refused = self.session, self.session.refused
        before, text, start = session.game.name, session.position.text(), session.base_position()
        base, words = start.text(), moves.variation(start, session.moves, moves.canonical)
        for game, setup in ((name, (base, words)), (name, (text, ())), (before, (base, words))):
            session.choose_game(game)
            try:
                session.setup(*setup)
                session.refuse(refused)
                return
            except GameError:
                continue

    # ---- moves -----------------------------------------------------------------------

    @command("BEGIN")
    def _begin(self, rest: str) -> None:
        """make the first move"""
        self.stop_on_board()
        self.move()

    @command("TURN")
    def _turn(self, rest: str) -> None:
        """TURN X,Y: play the opponent's move and answer it"""
        self.stop_on_board()
        self.session.play(moves.read(self.session.position, _square(rest, "TURN")))
        self.move()

    @command("PLAY")
    def _play(self, rest: str) -> None:
        """PLAY X,Y: play this move as the engine's own"""
        self.stop_on_board()
        move = moves.read(self.session.position, _square(rest, "PLAY"))
        text = _coordinates(self.session.position, move)
        self.session.play(move)
        self.write(text)

    @command("TAKEBACK")
    def _takeback(self, rest: str) -> None:
        """TAKEBACK X,Y: take the last move back"""
        self.stop_on_board()
        session, square = self.session, _square(rest, "TAKEBACK")
        last = session.position.placement(session.moves[-1]) if session.moves else None
        if last is None or moves.read_coordinates(session.position, square) != last:
            raise CommandError(f"the last move was not {printable(rest, 40)}")
        self.session.undo()
        self.write("OK")

    def require_board(self) -> None:
        """Raise CommandError if the manager's board was refused."""
        if self.session.refused:
            raise CommandError("there is no board to play on: the last one was refused")

    def stop_on_board(self) -> None:
        """Stop the running search, and require a board as require_board() does."""
        self.stop_and_wait()
        self.require_board()

    @command("YXSTOP", "STOP")
    def _stop(self, rest: str) -> None:
        """move now"""
        self.session.stop()

    # ---- positions -------------------------------------------------------------------

    @command("BOARD")
    def _board(self, rest: str) -> None:
        """BOARD, lines X,Y,WHO (1 own, 2 opponent), DONE: set the position and move"""
        self.stop_and_wait()
        self.read_block("done", self._on_board)

    @command("YXBOARD")
    def _yxboard(self, rest: str) -> None:
        """as BOARD, without a move"""
        self.stop_and_wait()
        self.read_block("done", self._set_stones)

    @command("SWAP2BOARD")
    def _swap2board(self, rest: str) -> None:
        """SWAP2BOARD, lines X,Y, DONE: open by Swap2, or answer its stones"""
        self.stop_and_wait()
        self.read_block("done", self._on_opening)

    @command("DONE")
    def _done(self, rest: str) -> None:
        """the end of BOARD"""
        raise CommandError("DONE without BOARD")

    def _on_board(self, lines: list[str]) -> None:
        self._set_stones(lines)
        self.move()

    def _on_opening(self, lines: list[str]) -> None:
        """Write an opening of three stones, or answer the other player's with a move or SWAP."""
        self.session.refuse()  # until the stones are set up
        cells = self.stones_of(lines, "SWAP2BOARD")
        if len(cells) not in (0, 3, 5):
            raise CommandError(f"SWAP2BOARD needs 0, 3 or 5 stones, not {len(cells)}")
        if cells:
            self.put(cells)
            self.move(self._on_choice)
        else:
            stones = opening(self.session.values["Seed"] or None)
            self.put(stones)
            self.write(" ".join(stones))

    @staticmethod
    def stones_of(lines: Sequence[str], name: str) -> list[str]:
        """Return the cells of lines X,Y after a command; raise CommandError at a malformed one."""
        return [cell for cell, _ in _read_stones(lines, name, "X,Y")]

    def put(self, cells: Sequence[str]) -> None:
        """Set up stones that the players placed in turn."""
        self.session.setup(None, cells, moves.read)

    def spend(self) -> None:
        """Stop the engine's clock: it has answered."""
        self._settings.spend(perf_counter() + lost_time(self.session))

    def _on_choice(self, result: Result) -> None:
        if swaps(result):
            self.spend()
            self.write("SWAP")
        else:
            self._on_done(result)

    def _set_stones(self, lines: list[str]) -> None:
        """Set up stones, if possible as moves in this order; the engine is to move."""
        self.session.refuse()  # until the board is set up
        stones = _read_stones(lines, "BOARD", "X,Y,WHO")
        own = [cell for cell, who in stones if who == _OWN]
        theirs = [cell for cell, who in stones if who == _OPPONENT]
        first, second = (theirs, own) if len(theirs) > len(own) else (own, theirs)
        in_turn = [cell for pair in zip(first, second + first[-1:]) for cell in pair][: len(stones)]
        given = [cell for cell, _ in stones]
        alternating = given[::2] == first and given[1::2] == second
        try:
            if len(first) - len(second) > (first is theirs):
                raise MoveError("BOARD", "has too many stones of one colour to be played in turn")
            self.session.setup(None, given if alternating else in_turn, moves.read)
        except MoveError:  # no such order of play is legal: set up the stones alone
            self.session.setup(self._text(first, second, first is theirs))

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
        """Search the position, then call on_done(Result); by default it plays the best move.

        count: number of best moves to search and show.
        """
        position = self.session.position
        outcome = position.outcome()
        if outcome is not None:
            raise CommandError(f"the game is over: {outcome.reason}")
        spent = 0.0 if self._moved else perf_counter() - self._born
        self._moved = True
        limits = less_overhead(self.session, self._settings.limits(spent))
        limits.moves = self._yixin.allowed(position)
        options = {"MultiPV": count, "UCI_AnalyseMode": True} if count > 1 else None
        self.think(limits, self._on_report, on_done or self._on_done, options)

    def _on_done(self, result: Result) -> None:
        self.play_and_write([result.best_move])

    def play_and_write(self, line: Sequence[int]) -> None:
        """Play the moves of a search's answer, and write them."""
        self.spend()
        words = moves.variation(self.session.position, line, _coordinates)
        for move in line:
            self.session.play(move)
        self.write(" ".join(words))

    def _on_report(self, report: Report, position: Position) -> None:
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


def _read_stones(lines: Sequence[str], name: str, form: str) -> Stones:
    """Return the stones of the lines after a command; raise CommandError at a malformed one.

    form: X,Y,WHO, or X,Y if the players placed the stones in turn; the owners that some managers
    add are then ignored.
    """
    stones: Stones = []
    for number, line in enumerate(filter(None, lines)):
        words = [word.strip() for word in line.split(",")]
        if form == "X,Y" and len(words) == 2:
            words.append(_OWN)
        if len(words) != 3 or words[2] not in (_OWN, _OPPONENT, _MARK) or number == MAX_LINES:
            raise CommandError(f"{name} has a line that is not {form}: {printable(line, 40)}")
        if words[2] != _MARK:
            stones.append((f"{words[0]},{words[1]}", words[2]))
    return stones


def _square(rest: str, name: str) -> str:
    if not rest:
        raise CommandError(f"{name} needs X,Y")
    if rest.lower() in PASSES:  # Renju's pass has no square to answer
        raise CommandError(f"{name} needs X,Y, not: {rest}")
    return rest


def _coordinates(position: Position, move: int) -> str:
    """Return a move as `7,7`: column and row from 0, row 0 at the top."""
    return "{},{}".format(*moves.coordinates(position, cell_of(position, move)))


def _point(position: Position, move: int) -> str:
    """Return a move as `h8`, the form of managers for variations, with row 1 at the top."""
    column, row = moves.coordinates(position, cell_of(position, move))
    return f"{chr(ord('a') + column)}{row + 1}"
