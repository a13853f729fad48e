"""GTP: setting up a game, playing its moves, showing where it stands."""
from __future__ import annotations

from math import isfinite

from games import registry
from games.grid import picture
from games.options import BOARD_SIZE
from protocol import moves
from protocol.base import CommandError, command
from protocol.gtp_game import SYNTAX
from search.session import SessionError

# Quarry knows the game by this name, to the letter.
_QUARRYS = "Othello"

_UNACCEPTABLE = "unacceptable size"


class Play:
    """The commands over a GtpGame that need no thinking."""

    def __init__(self, gtp):
        self._game, self._session = gtp.game, gtp.session

    # ---- the game ---------------------------------------------------------------------------------------

    @command("list_games", "the games that set_game accepts")
    def _list_games(self, words):
        return "\n".join([*registry.names(), _QUARRYS])

    @command("set_game", "set_game NAME: choose a game, at its start position")
    def _set_game(self, words):
        try:
            self._session.choose_game(" ".join(words))
        except SessionError:
            raise CommandError("unsupported game") from None
        self._game.began()

    @command("boardsize", "boardsize N: the start position on a board of this size (7 in connect four)")
    def _boardsize(self, words):
        size = integer(words, 0)
        self._resize(size, size)

    @command("rectangular_boardsize", "rectangular_boardsize COLUMNS ROWS: as boardsize")
    def _rectangular_boardsize(self, words):
        self._resize(integer(words, 0), integer(words, 1))

    def _resize(self, columns, rows):
        """Where a front end knows square boards alone, a smaller one lies in a corner of them."""
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

    @command("clear_board", "the start position")
    def _clear_board(self, words):
        self._game.restart()

    @command("komi", "komi NUMBER: accepted; these games have none")
    def _komi(self, words):
        number(words, 0)

    # ---- moves ------------------------------------------------------------------------------------------

    @command("play", "play COLOUR MOVE")
    def _play(self, words):
        if len(words) != 2:
            raise CommandError(SYNTAX)
        self._game.play(self._game.player(words[0]), words[1])

    @command("play_sequence", "play_sequence COLOUR MOVE ...: play all of these moves or none", "gogui-play_sequence")
    def _play_sequence(self, words):
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
    def _undo(self, words):
        self._game.undo()

    @command("gg-undo", "gg-undo [N]: take back N moves or none")
    def _undo_moves(self, words):
        self._game.undo(integer(words, 0) if words else 1)

    # ---- time -------------------------------------------------------------------------------------------

    @command("time_settings", "time_settings MAIN PERIOD STONES: seconds, then seconds for each STONES moves")
    def _time_settings(self, words):
        main, period, stones = number(words, 0, 0), number(words, 1, 0), integer(words, 2, 0)
        self._game.clock.set(main, period, stones)

    @command("time_left", "time_left COLOUR SECONDS STONES: what the front end's clock says")
    def _time_left(self, words):
        if not words:
            raise CommandError(SYNTAX)
        player = self._game.player(words[0])
        self._game.clock.left(player, max(number(words, 1), 0.0), integer(words, 2, 0))

    # ---- where the game stands --------------------------------------------------------------------------

    @command("final_score", "B+N, W+N or 0 when the game is over")
    def _final_score(self, words):
        score = self._game.score()
        if score is None:
            raise CommandError("cannot score")
        return score

    @command("showboard", "the board, row 1 at the bottom, and whose turn it is")
    def _showboard(self, words):
        position = self._session.position
        lines = picture(position, moves.VERTEX_LETTERS.upper(), rank_one_on_top=False)
        outcome = position.outcome()
        last = f"{self._game.colour(position.side)} to move" if outcome is None else f"game over: {outcome.reason}"
        return "\n".join(["", *lines, last])


def number(words, index, least=float("-inf")):
    """The finite number at `index`, at least `least`; CommandError `syntax error` else."""
    try:
        value = float(words[index])
    except (IndexError, ValueError):
        raise CommandError(SYNTAX) from None
    if not isfinite(value) or value < least:
        raise CommandError(SYNTAX)
    return value


def integer(words, index, least=float("-inf")):
    """The whole number at `index`, at least `least`; CommandError `syntax error` else."""
    value = number(words, index, least)
    if value != int(value) or abs(value) > 10**9:
        raise CommandError(SYNTAX)
    return int(value)
