"""Engines that speak the Gomocup protocol (Piskvork): Gomoku and Renju on square boards."""

from __future__ import annotations

import re

from games.options import is_whole
from plyglot.errors import Refusal
from plyglot.uci import Info, read_number
from protocol.gomocup import coordinates
from protocol.records.record import Start
from scripts.arena.client import Client
from search.limits import Limits

# The bits of `INFO rule`.
_RULES = {"gomokufreestyle": 0, "gomoku": 1, "renju": 4}
_MOVE = re.compile(r"\d+\s*,\s*\d+$")
_SUGGEST = re.compile(r"suggest\s+(\d+)\s*,\s*(\d+)$", re.IGNORECASE)
_NAME = re.compile(r'name\s*=\s*"([^"]*)"')
_OK = re.compile(r"ok\b", re.IGNORECASE)  # Many programs add words after OK.
_ERROR = re.compile(r"error|unknown", re.IGNORECASE)
_REMARK = re.compile(r"message|debug|$", re.IGNORECASE)  # Such lines may precede any answer.
# Word in a MESSAGE -> UCI's name for the number after the word.
_NAMES = {"depth": "depth", "ev": "score", "n": "nodes"}
_MATE = re.compile(r"([+-])M([0-9]+)")  # Matches the score of a proven win or loss.
_UNBOUNDED = 10**9  # Milliseconds to send if there is no time limit.


class GomocupClient(Client):
    """The protocol of the Gomocup tournament."""

    protocol = "gomocup"
    farewell = ("END",)
    urge = "YXSTOP"

    def _shake_hands(self, until: float) -> str:
        self._process.write("ABOUT")
        about = self._expect(lambda line: "=" in line, until, "ABOUT")[-1]
        named = _NAME.search(about)
        return named[1] if named else ""

    def set_option(self, name: str, value: object) -> None:
        self._process.write(f"INFO {name} {value}")

    def _begin(self, start: Start, new: bool) -> None:
        if start.game.name not in _RULES:
            raise Refusal(f"the Gomocup protocol does not support {start.game.name}")
        rows = (self._position.board() or ())[::-1]
        self._process.write(f"START {len(rows)}")
        answer = self._expect(lambda line: not _REMARK.match(line.strip()))[-1].strip()
        if not _OK.match(answer):
            words = answer[:100] if _ERROR.match(answer) else f"answered {answer[:100]}, not OK"
            raise Refusal(f"START {len(rows)}: {words}")
        self._process.write(f"INFO rule {_RULES[start.game.name]}", "INFO game_type 1")
        # (coordinates, side) of each stone in the start position, sorted by square
        self._stones = [
            (f"{column},{row}", "XO".index(char))
            for row, line in enumerate(rows)
            for column, char in enumerate(line)
            if char in "XO"
        ]
        # Number of moves on the engine's board; None if it hasn't got the start position yet.
        self._told: int | None = None

    def _text(self, move: int) -> str:
        return coordinates(self._position, move)

    def _go(self, limits: Limits) -> list[str]:
        side = self._position.side
        self._process.write(*_time_lines(limits, side))
        texts, count = self._texts, len(self._texts)
        told, self._told = self._told, count + 1  # includes the engine's coming answer
        if not self._stones and not texts:
            return ["BEGIN"]
        if told == count - 1:
            return [f"TURN {texts[-1]}"]
        played = [(text, side ^ (count - ply) % 2) for ply, text in enumerate(texts)]
        stones = [f"{where},{1 if who == side else 2}" for where, who in self._stones + played]
        return ["BOARD", *stones, "DONE"]

    def _listen(self, line: str) -> str | Info | None:
        word = line.strip()
        if _MOVE.match(word):
            return word.replace(" ", "")
        if _ERROR.match(word):
            raise Refusal(word[:100])
        suggested = _SUGGEST.match(word)
        if suggested:  # the engine waits for PLAY, which may name another move
            self._process.write(f"PLAY {suggested[1]},{suggested[2]}")
        return _info(word.split()) if word.upper().startswith("MESSAGE") else None


def _info(words: list[str]) -> Info:
    """Return the Info of the words of a MESSAGE."""
    info = Info()
    for name, value in zip(words[1:], words[2:]):
        text = value.partition("-")[0] if name == "depth" else value
        mate = _MATE.fullmatch(value) if name == "ev" else None
        if mate:
            info.mate = read_number("mate", mate[1] + mate[2])
        elif name in _NAMES and is_whole(text):
            setattr(info, _NAMES[name], read_number(_NAMES[name], text))
    return info


def _time_lines(limits: Limits, side: int) -> list[str]:
    """Return the INFO lines for these limits."""
    clock, turn = limits.clocks[side], limits.movetime
    times = [seconds for seconds in (clock, turn) if seconds is not None]
    words = {
        "timeout_turn": _milliseconds(min(times, default=None)),
        "timeout_match": _milliseconds(clock),
        "time_left": _milliseconds(clock),
        "max_depth": limits.depth,
        "max_node": limits.nodes,
    }
    return [f"INFO {name} {value}" for name, value in words.items() if value is not None]


def _milliseconds(seconds: float | None) -> int:
    return _UNBOUNDED if seconds is None else max(round(1000 * seconds), 1)
