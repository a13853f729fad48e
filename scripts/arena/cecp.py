"""Engines that speak CECP, the protocol of XBoard and WinBoard, version 2."""

from __future__ import annotations

import re
import time

from games.options import is_whole, plain_name
from plyglot.errors import Refusal, Stall
from plyglot.uci import LONGEST_GREETING, MAX_OPTIONS, Info, check_answer, read_number
from protocol.cecp_text import MATE, move_text
from protocol.moves import read_any_move
from protocol.records.record import Start
from scripts.arena.client import Client, IllegalMove
from search.limits import Limits

_FEATURE = re.compile(r'\b(\w+)\s*=\s*("[^"]*"|\S+)')
_DEFAULTS = {"ping": "0", "setboard": "0", "usermove": "0", "time": "1", "reuse": "1"}
# Seconds to wait for the next feature.  After this time without a line, the features count as
# complete; if none has come at all, the greeting is sent again.
_QUIET = 1.5
_MOVE = re.compile(r"\s*(?:move\s|My move is\s*:)\s*(\S+)")  # the second form is GNU Chess's
_RESULT = re.compile(r"(?:RESULT\s+|result\s+)?(1-0|0-1|1/2-1/2)\b\s*(.*)")


class CecpClient(Client):
    """The Chess Engine Communication Protocol.

    The client requests each move with `go`, and sends `force` after the move.
    """

    protocol = "cecp"
    urge = "?"

    def _shake_hands(self, until: float) -> str:
        self._features, self._pings = dict(_DEFAULTS), 0
        self._process.write("xboard", "protover 2")
        while self._features.get("done") != "1":
            quiet = time.perf_counter() + _QUIET
            try:
                waits = until if self._features.get("done") == "0" else min(quiet, until)
                self._read_greeting(self._process.read(waits)[1].strip())
            except Stall:
                if time.perf_counter() >= until:
                    raise
                if self._features != _DEFAULTS:
                    break
                self._process.write("protover 2")  # GNU Chess may lose input while it starts
        self.reusable = self._features["reuse"] != "0"
        self._process.write("easy", "post")
        return self._features.get("myname", "")

    def _read_greeting(self, line: str) -> None:
        check_answer(self.protocol, line, "xboard", "protover 2")
        if not line.startswith("feature "):
            return
        for name, value in _FEATURE.findall(line[:LONGEST_GREETING]):
            value = value.strip('"')
            if name == "option":
                option = value.split(" -")[0].strip()
                self.options[plain_name(option)] = option
            self._features[name] = value
            accepted = name != "san" or value == "0"
            self._process.write(f"{'accepted' if accepted else 'rejected'} {name}")
        if len(self.options) + len(self._features) > MAX_OPTIONS:
            raise Refusal(f"has more than {MAX_OPTIONS:,} features")

    def set_option(self, name: str, value: object) -> None:
        if name.lower() == "hash" and self._features.get("memory") == "1":
            self._process.write(f"memory {value}")
            return
        text = int(value) if isinstance(value, bool) else value
        self._process.write(f"option {self._declared_name(name)}={text}")

    def _begin(self, start: Start, new: bool) -> None:
        self._process.write("new")
        variant = self._variant(start)
        if variant != "normal":
            self._process.write(f"variant {variant}")
        self._set_rules(start)
        self._process.write("force")
        if start.text is not None:
            if self._features["setboard"] != "1":
                raise Refusal("does not support setboard, so it can't take a position")
            self._process.write(f"setboard {start.text}")
        self._level: list[str] | None = None  # the limits last sent in this game

    def _variant(self, start: Start) -> str:
        wanted = [start.game.name, *start.game.aliases]
        if start.game.name == "chess":
            wanted = ["fischerandom" if start.options.get("UCI_Chess960") else "normal"]
        known = self._features.get("variants", "normal").replace(" ", "").split(",")
        for name in wanted:
            if name in known or name == "normal":
                return name
        raise Refusal(f"does not support {wanted[0]} over CECP")

    def _text(self, move: int) -> str:
        return move_text(self._position, move)

    def _play(self, text: str) -> None:
        word = "usermove " if self._features["usermove"] == "1" else ""
        self._process.write(word + text)

    def _synchronise(self) -> None:
        for line in self._settle():
            if line.startswith(("Illegal move", "tellusererror Illegal", "Error (")):
                raise Refusal(line.strip()[:100])

    def _settle(self) -> list[str]:
        """Wait until the engine has carried out all commands; return the lines that it wrote.

        If the engine doesn't support ping, return [] at once.
        """
        if self._features["ping"] != "1":
            return []
        self._pings += 1
        self._process.write(f"ping {self._pings}")
        return self._expect(lambda line: line.split() == ["pong", str(self._pings)])

    def check_limits(self, limits: Limits) -> None:
        if limits.nodes is not None:
            raise Refusal("CECP can't limit nodes")

    def _go(self, limits: Limits) -> list[str]:
        side = self._position.side
        level = [] if limits.depth is None else [f"sd {limits.depth}"]
        own, theirs = limits.clocks[side], limits.clock_of(1 - side)
        turn = limits.movetime
        if turn is not None:
            level.append(f"st {turn:g}")
        elif own is not None:
            minutes, seconds = divmod(max(round(own), 1), 60)
            base = f"{minutes}:{seconds:02}" if seconds else f"{minutes}"
            level.append(f"level {limits.moves_to_go or 0} {base} {limits.increments[side]:g}")
        # `level` is sent only once, since engines take it as the start of a session
        known = level if turn is not None else [line.split()[0] for line in level]
        if self._level != known:
            self._process.write(*level)
            self._level = known
        if own is not None and theirs is not None and self._features["time"] == "1":
            self._process.write(f"time {round(100 * own)}", f"otim {round(100 * theirs)}")
        return ["go"]

    def _listen(self, line: str) -> str | Info | None:
        move, words = _MOVE.match(line), line.split()
        if move:
            return move[1]
        claim = _RESULT.match(line.strip())
        # An engine that claims its own loss resigns.
        if claim and claim[1] != ("0-1", "1-0")[self._position.side]:
            raise IllegalMove(f"claims {claim[0]} in a game that is not over")
        return "resign" if claim or words[:1] == ["resign"] else _info(words)

    def _read_move(self, text: str) -> int:
        move = read_any_move(self._position, text)
        self._process.write("force")
        if not self._position.game.alternates:
            # The engine may have played more moves before it read `force`: take them back.
            hasty = [line for line in self._settle() if line.split()[:1] == ["move"]]
            self._process.write(*["undo"] * len(hasty))
        return move


def _info(words: list[str]) -> Info | None:
    """Return the Info of the words of a line of thinking output, None if it is another line."""
    numbers = [word.rstrip(".+&*") for word in words[:4]]
    if len(numbers) < 4 or not all(map(is_whole, numbers)):
        return None
    depth, nodes = read_number("depth", numbers[0]), read_number("nodes", numbers[3])
    score, mate = read_number("score", numbers[1]), None
    if score is not None and abs(score) > MATE:
        mate = read_number("mate", str(score - MATE if score > 0 else score + MATE))
    return Info(depth=depth, score=None if mate else score, mate=mate, nodes=nodes)
