"""Engines that speak GTP 2.

The first player is Black, but White in chess.  GTP can't set a position, only play moves.
"""

from __future__ import annotations

import re

from games.options import plain_name
from plyglot.errors import Refusal
from plyglot.uci import Info, check_answer
from protocol import moves
from protocol.records.record import Start
from scripts.arena.client import Client
from search.limits import Limits

# Plyglot's command for options, and the options for limits that GTP can't express.
_PARAMETERS = "plyglot-param"
_DEPTH, _NODES = "Genmove_Depth", "Genmove_Nodes"


class GtpClient(Client):
    """The Go Text Protocol, for games with a board."""

    protocol = "gtp"

    def _shake_hands(self, until: float) -> str:
        self._ask("protocol_version", until)
        name = self._ask("name", until)
        self._commands = set(self._ask("list_commands", until).split())
        if "gogui-interrupt" in self._commands:
            self.urge = "# interrupt"
        if _PARAMETERS in self._commands:
            names = re.findall(r"^\[\S+\] (\S+)", self._ask(_PARAMETERS, until), re.MULTILINE)
            self.options = {plain_name(known): known for known in names}
        return name

    def _ask(self, command: str, until: float | None = None) -> str:
        """Send a command and return the response's text; raise Refusal if the command fails."""
        # in the hand-shake, a program that only echoes the command doesn't speak GTP
        echo = () if until is None else (command,)
        self._process.write(command)

        def begins(line: str) -> bool:
            return line[:1] in ("=", "?") or not check_answer(self.protocol, line, *echo)

        begin = self._expect(begins, until)[-1]
        lines = [begin] + self._expect(lambda line: not line.strip(), until)[:-1]
        text = "\n".join(lines).lstrip("=?0123456789").strip()
        if begin[0] == "?":
            raise Refusal(f"{command}: {text or 'failed'}")
        return text

    def set_option(self, name: str, value: object) -> None:
        text = int(value) if isinstance(value, bool) else value
        self._ask(f"{_PARAMETERS} {self._declared_name(name)} {text}")

    def _begin(self, start: Start, new: bool) -> None:
        if start.text is not None:
            raise Refusal("GTP can't set a position, only play moves from the start of the game")
        if new:
            self._choose(start)
        self._ask("clear_board")
        self._settings: str | None = None

    def _choose(self, start: Start) -> None:
        game = start.game
        if "set_game" in self._commands:
            listed = self._ask("list_games") if "list_games" in self._commands else ""
            known = {name.lower(): name for name in listed.split("\n")}
            names = [known[name] for name in (game.name, *game.aliases) if name in known]
            self._ask(f"set_game {[*names, game.name][0]}")
        self._set_rules(start)
        board = self._position.board()
        if board is None:
            raise Refusal(f"GTP does not support {game.name}")
        if len(board) == len(board[0]):
            self._ask(f"boardsize {len(board)}")
        elif "rectangular_boardsize" in self._commands:
            self._ask(f"rectangular_boardsize {len(board[0])} {len(board)}")

    def _colour(self, side: int) -> str:
        return "bw"[side ^ (self._position.game.colours[0] == "White")]

    def _text(self, move: int) -> str:
        return moves.vertex(self._position, move)

    def _play(self, text: str) -> None:
        self._ask(f"play {self._colour(self._position.side)} {text}")

    def _go(self, limits: Limits) -> list[str]:
        side = self._position.side
        if _PARAMETERS in self._commands:
            self._ask(f"{_PARAMETERS} {_DEPTH} {limits.depth or 0}")
            self._ask(f"{_PARAMETERS} {_NODES} {limits.nodes or 0}")
        for settings in self._time_words(limits, side):
            self._ask(settings)
        return [f"genmove {self._colour(side)}"]

    def check_limits(self, limits: Limits) -> None:
        if (limits.depth or limits.nodes) and _PARAMETERS not in self._commands:
            raise Refusal(f"an engine without {_PARAMETERS} can't limit depth or nodes over GTP")

    def _time_words(self, limits: Limits, side: int) -> list[str]:
        """Return the commands that set the time.

        `time_settings` is sent once per game, and again if a fixed time per move changes.
        """
        seconds, turn = limits.clocks[side], limits.movetime
        # GTP can't express a clock together with a time per move, so send the shorter time.
        if turn is not None:
            turn = turn if seconds is None else min(turn, seconds)
            settings, left = f"time_settings 0 {turn:g} 1", f"{turn:g} 1"
        elif seconds is None:
            return []
        else:
            byoyomi = f"{limits.increments[side]:g} 1" if limits.increments[side] else "0 0"
            settings = f"time_settings {round(seconds, 3):g} {byoyomi}"
            left = f"{seconds:.2f} {limits.moves_to_go or 0}"
        known, self._settings = self._settings, settings
        words = [] if known == settings or known and turn is None else [settings]
        if "time_left" in self._commands:
            words.append(f"time_left {self._colour(side)} {left}")
        return words

    def _listen(self, line: str) -> str | Info | None:
        if line[:1] == "?":
            raise Refusal(f"genmove: {line[1:].strip()}")
        return line.lstrip("=0123456789").strip() if line[:1] == "=" else None

    def _read_move(self, text: str) -> int:
        return moves.read_vertex(self._position, text)
