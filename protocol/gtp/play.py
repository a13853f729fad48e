"""GTP's commands that set up a game, play its moves, show and record it."""

from __future__ import annotations

from games import registry
from games.grid import picture
from games.options import BOARD_SIZE
from protocol import moves
from protocol.base import PRODUCT, VERSION, CommandError, command, finite_number
from protocol.gtp.game import SYNTAX, Group
from search.game import SessionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.records.record import Record

# Quarry's name of the game, which must match exactly.
_QUARRYS = "Othello"

# The clocks of KGS and KataGo, and what follows their names: seconds, stones or periods.
CLOCKS = {
    "none": "",
    "absolute": "main",
    "byoyomi": "main period stones",
    "canadian": "main period stones",
    "fischer": "main increment",
}

_UNACCEPTABLE = "unacceptable size"
_CANNOT_LOAD = "cannot load file"


class Play(Group):
    """The commands that need no search."""

    # ---- the game --------------------------------------------------------------------

    @command("list_games", "list the games that set_game accepts")
    def _list_games(self, words: list[str]) -> str:
        return "\n".join([*registry.names(), _QUARRYS])

    @command("set_game", "set_game NAME: choose a game and return to its start position")
    def _set_game(self, words: list[str]) -> None:
        name = " ".join(words)
        try:
            self._session.choose_game(name)
        except SessionError:
            raise CommandError(f"unsupported game{registry.hint(name)}") from None
        self._game.was_set_up()

    @command("boardsize", "boardsize N: set the size of the board (7 in connect four) and restart")
    def _boardsize(self, words: list[str]) -> None:
        size = integer(words, 0)
        self._resize(size, size)

    @command("rectangular_boardsize", "rectangular_boardsize COLUMNS ROWS: as boardsize")
    def _rectangular_boardsize(self, words: list[str]) -> None:
        self._resize(integer(words, 0), integer(words, 1))

    def _resize(self, columns: int, rows: int) -> None:
        """Set the board's size.

        For a board that isn't square, accept the square around it as well.
        """
        shape = self._game.shape()
        if shape is None:
            raise CommandError(_UNACCEPTABLE)
        if BOARD_SIZE in self._session.game.options:
            if columns != rows:
                raise CommandError(_UNACCEPTABLE)
            try:
                self._session.set_option(BOARD_SIZE.name, str(columns))
            except SessionError:
                raise CommandError(_UNACCEPTABLE) from None
        elif (columns, rows) not in (shape, (max(shape), max(shape))):
            raise CommandError(_UNACCEPTABLE)
        self._game.restart()

    @command("clear_board", "return to the start position")
    def _clear_board(self, words: list[str]) -> None:
        self._game.restart()

    @command("komi", "komi NUMBER: accepted without effect")
    def _komi(self, words: list[str]) -> None:
        number(words, 0)

    # ---- moves -----------------------------------------------------------------------

    @command("play", "play COLOUR MOVE: play a move")
    def _play(self, words: list[str]) -> None:
        if len(words) != 2:
            raise CommandError(SYNTAX)
        self._game.play(self._game.player(words[0]), words[1])

    @command(
        "play_sequence",
        "play_sequence COLOUR MOVE ...: play all of these moves or none",
        "gogui-play_sequence",
    )
    def _play_sequence(self, words: list[str]) -> None:
        if len(words) % 2:
            raise CommandError(SYNTAX)
        played = 0
        try:
            for index in range(0, len(words), 2):
                self._game.play(self._game.player(words[index]), words[index + 1])
                played += 1
        except CommandError:
            self._game.undo(played)
            raise

    @command("undo", "take back the last move")
    def _undo(self, words: list[str]) -> None:
        self._game.undo()

    @command("gg-undo", "gg-undo [N]: take back N moves or none")
    def _undo_moves(self, words: list[str]) -> None:
        self._game.undo(integer(words, 0) if words else 1)

    # ---- time ------------------------------------------------------------------------

    @command(
        "time_settings",
        "time_settings MAIN PERIOD STONES: seconds, then seconds for each STONES moves",
    )
    def _time_settings(self, words: list[str]) -> None:
        main, period, stones = number(words, 0, 0), number(words, 1, 0), integer(words, 2, 0)
        self._game.clock.set(main, period, stones)

    @command(
        "kata-time_settings",
        "kata-time_settings KIND NUMBERS: set the clock of a kind",
        "kgs-time_settings",
    )
    def _named_settings(self, words: list[str]) -> None:
        kind = words[0].lower() if words else ""
        names = CLOCKS.get(kind)
        if names is None or len(words) != len(names.split()) + 1:
            raise CommandError(SYNTAX)
        clock = self._game.clock
        main, extra = (number(words, place, 0) if place < len(words) else 0.0 for place in (1, 2))
        if kind == "none":
            clock.lift()
        elif kind == "fischer":
            clock.set(main, increment=extra)
        elif kind == "absolute":
            clock.set(main)
        else:
            stones, byoyomi = integer(words, 3, 1), kind == "byoyomi"
            clock.set(main, extra, 1 if byoyomi else stones, counts_periods=byoyomi)

    @command("kata-list_time_settings", "list the kinds of clocks of kata-time_settings")
    def _list_settings(self, words: list[str]) -> str:
        return " ".join(CLOCKS)

    @command("time_left", "time_left COLOUR SECONDS STONES: set a player's clock")
    def _time_left(self, words: list[str]) -> None:
        if not words:
            raise CommandError(SYNTAX)
        player = self._game.player(words[0])
        self._game.clock.left(player, max(number(words, 1), 0.0), integer(words, 2, 0))

    # ---- the state of the game -------------------------------------------------------

    @command("final_score", "show the result of a finished game: B+N, W+N or 0")
    def _final_score(self, words: list[str]) -> str:
        score = self._game.score()
        if score is None:
            raise CommandError("cannot score")
        return score

    @command("showboard", "show the board, row 1 at the bottom, and whose turn it is")
    def _showboard(self, words: list[str]) -> str:
        position = self._session.position
        lines = picture(position, moves.VERTEX_LETTERS.upper(), rank_one_on_top=False)
        outcome = position.outcome()
        last = (
            f"{self._game.colour(position.side)} to move"
            if outcome is None
            else f"game over: {outcome.reason}"
        )
        return "\n".join(["", *lines, last])


class Records(Group):
    """The commands that load and write SGF."""

    @command(
        "loadsgf", "loadsgf FILE [N]: load a record up to its end, or to the position before move N"
    )
    def _loadsgf(self, words: list[str]) -> None:
        # imported here since few sessions need them
        from protocol.records import sgf
        from protocol.records.record import RecordError
        from protocol.records.text import decode, read_file

        count = None
        if len(words) > 1 and words[-1].isascii() and words[-1].isdigit():
            count = integer([words.pop()], 0, 1) - 1
        try:
            text = decode(read_file(" ".join(words).strip('"')))
            game = next((part for _, part in sgf.split(text)), "")
            record = sgf.read(game, self._session.game.name, self._session.values)
        except (RecordError, ValueError):
            raise CommandError(_CANNOT_LOAD) from None
        if record.fault is not None:
            raise CommandError(_CANNOT_LOAD)
        self._game.adopt(record, count)

    @command("printsgf", "show the game as SGF")
    def _printsgf(self, words: list[str]) -> str:
        from protocol.records import sgf, sgf_board

        session = self._session
        if not sgf_board.is_recordable(session.game.start(session.values)):
            raise CommandError("there is no SGF for this game")
        return sgf.write(self._record())

    def _record(self) -> Record:
        from protocol.records.record import Record, Start

        session = self._session
        game, text, values = session.game, session.base_position().text(), session.base_options()
        start = Start(game, text, {option.name: values[option.name] for option in game.options})
        if text == game.start(values).text():
            start.text = None
        tags = {"AP": f"{PRODUCT}:{VERSION}", "GN": game.name}
        return Record(start, session.moves, tags=tags)


def number(words: Sequence[str], index: int, least: float = float("-inf")) -> float:
    """Return the finite number at `index`; raise `syntax error` if missing or below `least`."""
    value = finite_number(words[index]) if index < len(words) else None
    if value is None or value < least:
        raise CommandError(SYNTAX)
    return value


def integer(words: Sequence[str], index: int, least: float = float("-inf")) -> int:
    """Return the whole number at `index`; raise `syntax error` if missing or below `least`."""
    value = number(words, index, least)
    if value != int(value) or abs(value) > 10**9:
        raise CommandError(SYNTAX)
    return int(value)
