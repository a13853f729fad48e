"""Engines that speak Hub, the protocol of draughts."""

from __future__ import annotations

from typing import Any

from games.base import MAX_SCORE
from games.options import plain_name
from plyglot.errors import Refusal
from plyglot.uci import LONGEST_NAME, Info, read_number
from protocol.base import finite_number
from protocol.hub import MEN_OF_WIN, NAMES, arguments_of, line_of
from protocol.records.record import Start
from scripts.arena.client import Client
from search.limits import Limits


class HubClient(Client):
    """Hub, version 2."""

    protocol = "hub"
    urge = "stop"
    _position: Any  # positions of draughts also have hub_text(), hub_move() and read_hub()

    def _shake_hands(self, until: float) -> str:
        self._variants = ["normal"]
        self._variant = ""  # the variant of the game being played
        name = ""
        self._process.write("hub")
        for line in self._expect(lambda line: line.strip() == "wait", until, "hub"):
            words = arguments_of(line.strip().partition(" ")[2])
            if line.startswith("id"):
                name = f"{words.get('name', '')} {words.get('version', '')}".strip()[:LONGEST_NAME]
            elif line.startswith("param"):
                self.options[plain_name(words.get("name", ""))] = words.get("name", "")
                if words.get("name") == "variant":
                    self._variants = words.get("values", "").split()
        return name

    def set_option(self, name: str, value: object) -> None:
        self._process.write(line_of("set-param", name=self._declared_name(name), value=value))

    def _begin(self, start: Start, new: bool) -> None:
        wanted = NAMES.get(start.game.name, "")
        if wanted not in self._variants:
            raise Refusal(f"does not play {start.game.name} over Hub")
        self._origin = self._position.hub_text()
        if not new:
            return
        if wanted == self._variant:
            self._process.write("new-game")
            return
        if wanted != "normal" or self._variant:  # a new process has the variant "normal"
            self.set_option("variant", wanted)
        self._process.write("init")
        self._expect(lambda line: line.strip() == "ready")
        self._variant = wanted

    def _text(self, move: int) -> str:
        return str(self._position.hub_move(move))

    def _go(self, limits: Limits) -> list[str]:
        played = {"moves": " ".join(self._texts)} if self._texts else {}
        return [
            line_of("pos", pos=self._origin, **played),
            line_of("level", **_level(limits, self._position.side)),
            "go think",
        ]

    def _listen(self, line: str) -> str | Info | None:
        word, _, rest = line.strip().partition(" ")
        words = arguments_of(rest)
        if word == "error":
            raise Refusal(words.get("message", "an error without a message")[:LONGEST_NAME])
        if word == "info":
            return _info(words)
        return words.get("move", "") if word == "done" else None

    def _read_move(self, text: str) -> int:
        return int(self._position.read_hub(text))


def _info(words: dict[str, str]) -> Info:
    """Return the Info of the arguments of `info`."""
    depth, nodes = (read_number(name, words.get(name, "")) for name in ("depth", "nodes"))
    info = Info(depth=depth, nodes=nodes, pv=words.get("pv", "").split())
    men = finite_number(words.get("score", ""))
    if men is None or abs(100 * men) > MAX_SCORE:
        return info
    if abs(men) > MEN_OF_WIN - 10:
        plies = round(100 * (MEN_OF_WIN - abs(men)))
        info.mate = (plies + 1) // 2 * (1 if men > 0 else -1)
    else:
        info.score = round(100 * men)
    return info


def _level(limits: Limits, side: int) -> dict[str, object]:
    """Return the arguments of `level`.  `time` excludes `inc`, which the engine adds itself."""
    words: dict[str, object] = {"depth": limits.depth, "nodes": limits.nodes}
    clock, increment = limits.clocks[side], limits.increments[side]
    if limits.movetime is not None:
        words["move-time"] = f"{limits.movetime:.3f}"
    if clock is not None:
        words["time"] = f"{max(clock - increment, 0.0):.3f}"
        words["moves"] = limits.moves_to_go or None
        words["inc"] = f"{increment:.3f}" if increment else None
    return {name: word for name, word in words.items() if word} or {"infinite": None}
