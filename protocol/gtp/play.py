"""GTP's commands that set up a game, play its moves, show and record it."""

from __future__ import annotations

from games import registry
from games.grid import picture
from games.options import BOARD_SIZE
from protocol import moves
from protocol.base import PRODUCT, VERSION, CommandError, command, finite_number
from protocol.gtp.game import SYNTAX, Group
from search.clock import TimeControl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


# Kind of clock in KGS and KataGo -> the parameters of TimeControl that its numbers set.
CLOCKS = {
    "none": (),
    "absolute": ("main",),
    "byoyomi": ("main", "period", "periods"),
    "canadian": ("main", "period", "stones"),
    "fischer": ("main", "increment"),
    "fischer-capped": ("main", "increment", "cap", "turn"),
}


class Play(Group):
    """The commands that need no search."""

    # ---- the game --------------------------------------------------------------------

    @command("list_games")
    def _list_games(self, words: list[str]) -> str:
        """list the games that set_game accepts"""
        # Quarry looks for exactly this spelling of its game.
        return "\n".join([*registry.names(), "Othello"])

    @command("set_game")
    def _set_game(self, words: list[str]) -> None:
        """set_game NAME: choose a game and return to its start position"""
        name = " ".join(words)
        try:
            self._session.choose_game(name)
        except registry.UnknownGame:
            raise CommandError(f"unsupported game{registry.hint(name)}") from None
        self._game.was_set_up()

    @command("boardsize", "rectangular_boardsize")
    def _boardsize(self, words: list[str]) -> None:
        """boardsize COLUMNS [ROWS]: set the size of the board (for connect four: 7) and restart"""
        columns = integer(words, 0)
        rows = integer(words, 1) if words[1:] else columns
        shape = self._game.shape()
        if BOARD_SIZE in self._session.game.options:
            fits = columns == rows and BOARD_SIZE.low <= columns <= BOARD_SIZE.high
            if fits:
                self._session.set_value(BOARD_SIZE, columns)
        else:  # also accept the size of the square that GoGui draws around the board
            fits = shape is not None and (columns, rows) in (shape, (max(shape), max(shape)))
        if not fits:
            raise CommandError("unacceptable size")
        self._clear_board(words)

    @command("clear_board")
    def _clear_board(self, words: list[str]) -> None:
        """return to the start position"""
        self._session.new_game()
        self._game.was_set_up()

    @command("komi")
    def _komi(self, words: list[str]) -> None:
        """komi NUMBER: accepted without effect"""
        number(words, 0)

    # ---- moves -----------------------------------------------------------------------

    @command("play", "play_sequence", "gogui-play_sequence")
    def _play(self, words: list[str]) -> None:
        """play COLOUR MOVE ...: play the moves; if one is illegal, play none of them"""
        if not words or len(words) % 2:
            raise CommandError(SYNTAX)
        begun = 0
        try:
            for colour, move in zip(words[::2], words[1::2]):
                player = self._game.player(colour)
                begun += 1
                self._game.play(player, move)
        except CommandError:
            self._game.undo(begun)
            raise

    @command("undo", "gg-undo")
    def _undo(self, words: list[str]) -> None:
        """undo [N]: take back the last N moves (default 1); if there are fewer, take back none"""
        self._game.undo(integer(words, 0) if words else 1)

    # ---- time ------------------------------------------------------------------------

    @command("time_settings")
    def _time_settings(self, words: list[str]) -> None:
        """time_settings MAIN PERIOD STONES: MAIN seconds, then PERIOD seconds per STONES moves"""
        self._named_settings(["canadian", *words])

    @command("kata-time_settings", "kgs-time_settings")
    def _named_settings(self, words: list[str]) -> None:
        """kata-time_settings KIND NUMBERS: set a clock; kata-list_time_settings lists the kinds"""
        kind, *texts = words or [""]
        names = CLOCKS.get(kind.lower())
        if names is None or len(texts) != len(names):
            raise CommandError(SYNTAX)
        numbers: dict[str, Any] = {"main": 0.0}
        for place, name in enumerate(names):
            read = integer if name in ("periods", "stones") else number
            value = read(texts, place, float("-inf") if name in ("cap", "turn") else 0)
            numbers[name] = value if value >= 0 else None  # no limit
        control = TimeControl(**numbers)
        # Time is unlimited if all times are 0, or if a period has no moves.
        endless = control.period and not (control.stones and control.periods)
        if endless or not (control.main or control.period or control.increment):
            control = TimeControl(turn=control.turn)
        for clock in self._game.clocks:
            clock.set(control)

    @command("kata-list_time_settings")
    def _list_settings(self, words: list[str]) -> str:
        """list the kinds of clocks of kata-time_settings"""
        return " ".join(CLOCKS)

    @command("time_left")
    def _time_left(self, words: list[str]) -> None:
        """time_left COLOUR SECONDS STONES: set a player's clock"""
        seconds, stones = number(words, 1), integer(words, 2, 0)
        self._game.clocks[self._game.player(words[0])].show(seconds, stones)

    # ---- the state of the game -------------------------------------------------------

    @command("final_score")
    def _final_score(self, words: list[str]) -> str:
        """show the result of a finished game: B+N, W+N or 0"""
        score = self._game.score()
        if score is None:
            raise CommandError("cannot score")
        return score

    @command("showboard")
    def _showboard(self, words: list[str]) -> str:
        """show the board, row 1 at the bottom, and whose turn it is"""
        position = self._session.position
        lines = picture(position, moves.vertices_of(position), rank_one_on_top=False)
        outcome, colour = position.outcome(), self._game.colour(position.side)
        last = f"game over: {outcome.reason}" if outcome else f"{colour} to move"
        return "\n".join(["", *lines, last])

    # ---- records ---------------------------------------------------------------------

    @command("loadsgf")
    def _loadsgf(self, words: list[str]) -> None:
        """loadsgf FILE [N]: load a record up to its end, or to the position before move N"""
        # imported here since few sessions need them
        from protocol.records import sgf
        from protocol.records.record import RecordError
        from protocol.records.text import decode, read_file

        count = None
        if len(words) > 1 and words[-1].isascii() and words[-1].isdigit():
            count = integer([words.pop()], 0, 1) - 1
        try:
            text = decode(read_file(" ".join(words).strip('"')), sgf.FORMAT)
            game = next(part for _, part in sgf.FORMAT.split(text))
            record = sgf.FORMAT.read(game, self._session.game.name).complete()
        except (RecordError, ValueError, StopIteration):  # StopIteration: the file has no game
            raise CommandError("cannot load file") from None
        self._game.adopt(record, count)

    @command("printsgf")
    def _printsgf(self, words: list[str]) -> str:
        """show the game as SGF"""
        from protocol.records import sgf
        from protocol.records.record import Record, Start

        if words:
            raise CommandError("printsgf takes no file name: it only shows the record")
        session = self._session
        game = session.game
        text = session.base_position().text()
        values = session.base_options()
        start = Start(game, text, {option.name: values[option.name] for option in game.options})
        if text == game.start(values).text():
            start.text = None
        if not sgf.FORMAT.holds(start):
            raise CommandError("there is no SGF for this game")
        tags = {"AP": f"{PRODUCT}:{VERSION}", "GN": game.name}
        return sgf.FORMAT.write(Record(start, session.moves, tags=tags))


def number(words: Sequence[str], index: int, least: float = float("-inf")) -> float:
    """Return words[index] as a number; raise `syntax error` if it is missing or below `least`."""
    value = finite_number(words[index]) if index < len(words) else None
    if value is None or value < least:
        raise CommandError(SYNTAX)
    return value


def integer(words: Sequence[str], index: int, least: float = float("-inf")) -> int:
    """Return words[index], a whole number >= `least`; raise `syntax error` if it isn't one."""
    value = number(words, index, least)
    if value != int(value) or abs(value) > 10**9:
        raise CommandError(SYNTAX)
    return int(value)
