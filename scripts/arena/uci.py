"""Engines that speak UCI, with UCI_Variant for games other than chess."""
from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from games.grid import square_name
from protocol import moves
from protocol.options import wire_name
from scripts.arena.client import ROUND_TRIP, Client, Info, is_foreign
from scripts.arena.process import Refusal

if TYPE_CHECKING:
    from games.base import Game, Position
    from protocol.records.record import Start
    from search.limits import Limits

# How a pass is written: as UCI's null move, or as Fairy-Stockfish wants it, a square
# with a disc of the mover's twice.
NULL_MOVE, OWN_SQUARE = "0000", "own-square"
PASSES = (NULL_MOVE, OWN_SQUARE)
# Tokens that end a list of moves in an info line are of no use here: `pv` comes last
# in it.
_COUNTS = ("depth", "nodes", "multipv")


class UciClient(Client):
    """The Universal Chess Interface.

    bounds: {lower-case name of an option: (lowest, highest number)}.
    """

    protocol = "uci"
    _passing = NULL_MOVE

    def write_passes(self, passing: str) -> None:
        if passing not in PASSES:
            raise Refusal(f"writes passes as {' or '.join(PASSES)}, not as {passing}")
        self._passing = passing

    def _shake_hands(self, until: float) -> None:
        self._variant = "chess"
        self.bounds: dict[str, Any] = {}
        self._words: dict[str, list[str]] = {}      # by option: those that it takes
        self._process.write("uci")
        for line in self._expect(lambda line: line.strip() == "uciok" or is_foreign(line, "uci"),
                                 until):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            elif words[:2] == ["option", "name"] and "type" in words:
                self._read_option(words)
            elif is_foreign(line, "uci"):
                raise Refusal(f"speaks no UCI: it answered {line.strip()[:60]}")

    def _read_option(self, words: list[str]) -> None:
        name = " ".join(words[2:words.index("type")])
        self.options[name.lower()] = name
        given = dict(zip(words, words[1:]))
        if "min" in given and "max" in given:
            self.bounds[name.lower()] = _number(given["min"]), _number(given["max"])
        choices = " ".join(words).split(" var ")[1:]
        if given["type"] == "check":
            self._words[name.lower()] = ["true", "false"]
        elif choices:
            self._words[name.lower()] = choices

    def set_option(self, name: str, value: object) -> None:
        if name.lower() not in self.options:
            raise Refusal(f"has no option {name}")
        name, text = self.options[name.lower()], _option_text(value)
        self._check(name, text)
        self._process.write(f"setoption name {name} value {text}")

    def _check(self, name: str, text: str) -> None:
        """Refusal where an option takes no such value: few engines tell, and play all the same."""
        words = self._words.get(name.lower())
        if words is not None and text.lower() not in map(str.lower, words):
            raise Refusal(f"takes no {name}={text}, only {', '.join(words)}")
        if name.lower() in self.bounds:
            low, high = self.bounds[name.lower()]
            number = _number(text)
            if None not in (low, high) and (number is None or not low <= number <= high):
                raise Refusal(f"takes no {name}={text}, only a number from {low} to {high}")

    def _begin(self, start: Start, new: bool) -> None:
        self._texts: list[str] = []
        if not new:
            return
        self._choose(start.game)
        for own_name, value in start.values().items():
            name = wire_name(own_name)
            if name.lower() in self.options and (name in start.options or name == "UCI_Chess960"):
                self.set_option(name, value)
        self._process.write("ucinewgame")
        self._ready()

    def _choose(self, game: Game) -> None:
        names = (game.name,) + tuple(game.aliases)
        variants = self._words.get("uci_variant", ())
        variant = next((name for name in names if name in variants), None)
        if variant is None and game.name != "chess":
            raise Refusal(f"does not play {game.name} by UCI")
        variant = variant or "chess"
        if variant != self._variant:
            self.set_option("UCI_Variant", variant)
            self._variant = variant

    def _play(self, move: int) -> None:
        position = self._position
        if move == position.game.pass_move and self._passing == OWN_SQUARE:
            self._texts.append(2 * lowest_own_square(position))
        else:
            self._texts.append(moves.drop(position, move))

    def _synchronise(self) -> None:
        text = self._start and self._start.text
        where = "startpos" if text is None else f"fen {text}"
        played = " moves " + " ".join(self._texts) if self._texts else ""
        self._process.write(f"position {where}{played}")
        self._ready()

    def _ready(self) -> None:
        self._process.write("isready")
        self._expect(lambda line: line.strip() == "readyok", time.perf_counter() + ROUND_TRIP)

    def _go(self, limits: Limits) -> None:
        words = " ".join(["go"] + go_words(limits, self._position))
        self._wait.begin()
        self._process.write(words)

    def _move_now(self) -> None:
        self._process.write("stop")

    def _listen(self, line: str) -> str | None:
        words = line.split()
        if words[:1] == ["info"]:
            info = read_info(words)
            if info is not None:
                self._tell(info)
        elif words[:1] == ["bestmove"]:
            return words[1] if len(words) > 1 else ""
        return None

    def _read_move(self, text: str) -> int:
        return moves.read(self._position, text)


def lowest_own_square(position: Position) -> str:
    """The name of the first square, rank by rank from a1, that a disc of the side to move is on."""
    mark = "XO"[position.side]
    for rank, row in enumerate(position.board() or ()):
        if mark in row:
            return square_name(row.index(mark), rank)
    raise Refusal("has no disc on the board to write its pass with")


def go_words(limits: Limits, position: Position) -> list[str]:
    """The words after `go` for search.limits.Limits; times in milliseconds, at least one."""
    words = []
    if limits.infinite:
        words.append("infinite")
    if limits.movetime is not None:
        words += ["movetime", _milliseconds(limits.movetime)]
    for letter, clock, increment in zip("wb", limits.clocks, limits.increments):
        if clock is not None:
            words += [f"{letter}time", _milliseconds(clock)]
            if increment:
                words += [f"{letter}inc", _milliseconds(increment)]
    if limits.moves_to_go:
        words += ["movestogo", str(limits.moves_to_go)]
    for name, value in (("depth", limits.depth), ("nodes", limits.nodes), ("mate", limits.mate)):
        if value is not None:
            words += [name, str(value)]
    if limits.moves is not None:
        words += ["searchmoves"] + [moves.drop(position, move) for move in limits.moves]
    return words


def read_info(words: list[str]) -> Info | None:
    """The Info of the words of an info line; None where it tells no score."""
    info = Info()
    for index, word in enumerate(words[:-1]):
        if word == "string":
            break
        if word in _COUNTS:
            setattr(info, word, _number(words[index + 1]))
        elif word == "score" and index + 2 < len(words):
            setattr(info, "mate" if words[index + 1] == "mate" else "score",
                    _number(words[index + 2]))
        elif word in ("lowerbound", "upperbound"):
            info.bound = word[:5]
        elif word == "pv":
            info.moves = words[index + 1:]
            break
    if info.score is None and info.mate is None:
        return None
    info.multipv = info.multipv or 1
    return info


def _number(word: str) -> int | None:
    try:
        return int(float(word))
    except (ValueError, OverflowError):
        return None


def _milliseconds(seconds: float) -> str:
    return str(max(round(seconds * 1000), 1))


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
