"""Hub, version 2: the protocol of draughts programs, one method per command.

Its specification is the file protocol.txt of Scan.  A line is a command with arguments `key=value`;
a value with blanks stands in double quotes.  A front end sets parameters, a position and a level,
and then asks for a search.
"""

from __future__ import annotations

import re
from math import copysign

from games import registry
from games.base import MAX_SCORE, WIN, Option
from protocol import moves
from protocol.base import (
    AUTHOR,
    PRODUCT,
    VERSION,
    CommandError,
    Protocol,
    command,
    each_word,
    first_word,
    malformed,
    seconds_of,
    whole_number,
)
from search.clock import Clock, TimeControl
from search.options import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from games.base import Position
    from games.types import Move
    from protocol.wire import Write
    from search.report import Report, Result
    from search.session import Session

# Hub's name of a game -> Plyglot's.  Plyglot knows all but "normal" as names or aliases.
_ALIASES = ("frisian", "frysk", "bt", "losing", "brazilian", "russian", "english")
VARIANTS = {"normal": "draughts", **{name: registry.canonical(name) for name in _ALIASES}}
NAMES = {game: name for name, game in VARIANTS.items()}

# Parameters that only Hub has.  `origin` is where the count of squares begins, in games whose
# squares have letters.
_OWN = (
    Option("variant", "combo", "normal", choices=tuple(VARIANTS),
           on_change=lambda session: session.choose_game(VARIANTS[session.values["variant"]])),
    Option("origin", "combo", "a1", choices=("a1", "top")),
)  # fmt: skip

# The score of a win in n plies is this many men, minus n hundredths of a man, as Scan writes it.
MEN_OF_WIN = 100

_ANALYSIS = "UCI_AnalyseMode"  # the option that `go analyze` sets

# Kind of an option -> the type of a parameter; a button isn't a parameter.
_TYPES = {"check": "bool", "spin": "int", "combo": "enum", "string": "string"}

_ARGUMENT = re.compile(r'([^\s="]+)(?:=(?:"([^"]*)"?|(\S*)))?')
_LEVELS = ("depth", "nodes", "moves", "move-time", "time", "inc")
_SECONDS = ("move-time", "time", "inc")  # arguments of `level` that are seconds


def arguments_of(text: str) -> dict[str, str]:
    """Return {key: value} of the arguments of a line; a flag's value is empty."""
    return {key: inner or plain for key, inner, plain in _ARGUMENT.findall(text)}


def quoted(value: object) -> str:
    """Return a value as Hub writes it, in quotes if it needs them."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    plain = text.replace('"', "'")
    return f'"{plain}"' if not plain or re.search(r"[\s=]", plain) else plain


def line_of(name: str, /, **arguments: object) -> str:
    """Return a line of Hub; an argument with the value None is a flag."""
    words = [name]
    for key, value in arguments.items():
        words.append(key if value is None else f"{key}={quoted(value)}")
    return " ".join(words)


class Hub(Protocol):
    """The engine as Hub's front ends drive it."""

    option_names = {
        "Hash": "tt-size",
        "OwnBook": "book",
        "UCI_LimitStrength": "limit-strength",
        "UCI_Elo": "elo",
    }
    option_blank = "-"
    own_options = _OWN
    games = tuple(VARIANTS.values())
    _level: Mapping[str, Any] = {}  # the last `level`

    def __init__(self, session: Session, write: Write) -> None:
        super().__init__(session, write)
        session.values["variant"] = NAMES[session.game.name]

    # ---- the protocol's texts --------------------------------------------------------

    def option_name(self, name: str) -> str:
        return super().option_name(name).lower()

    def error(self, text: str) -> None:
        self.write(line_of("error", message=text))

    def unknown(self, line: str) -> None:
        """Ignore the line, as the protocol demands."""

    # ---- hand-shake and parameters ---------------------------------------------------

    @command("hub")
    def _hub(self, rest: str) -> None:
        """show the engine's name and parameters"""
        self.write(line_of("id", name=PRODUCT, version=VERSION, author=AUTHOR))
        for option in (*_OWN, *OPTIONS, *self.session.game.options):
            if option.kind in _TYPES and option.name != _ANALYSIS:
                self.write(self._param_line(option))
        self.write("wait")

    def _param_line(self, option: Option) -> str:
        value = self.session.values[option.name]
        bounds: dict[str, object] = {}
        if option.kind == "spin":
            bounds = {"min": option.low, "max": option.high}
        elif option.kind == "combo":
            bounds = {"values": " ".join(option.choices)}
        name = self.option_name(option.name)
        return line_of("param", name=name, value=value, type=_TYPES[option.kind], **bounds)

    @command("set-param")
    def _set_param(self, rest: str) -> None:
        """set-param name=NAME value=VALUE: change a parameter"""
        words = arguments_of(rest)
        if not words.get("name") or "value" not in words:
            raise malformed("set-param", "name=NAME value=VALUE", rest)
        self.session.set_option(self.own_name(words["name"]), words["value"])

    @command("init")
    def _init(self, rest: str) -> None:
        """load what a search needs, and answer ready"""
        self.session.warm_up()
        self.write("ready")

    # ---- positions -------------------------------------------------------------------

    @command("pos")
    def _pos(self, rest: str) -> None:
        """pos pos=POSITION [moves="MOVE ..."]: set the position; pos start: the start position"""
        words = arguments_of(rest)
        if not ("pos" in words or "start" in words):
            fault = malformed("pos", "pos=POSITION", rest)
            self.session.refuse(str(fault))
            raise fault
        self.session.setup(words.get("pos"), each_word(words.get("moves", "")), self._read)

    # Positions of draughts have three more methods than the contract of games demands: hub_text()
    # writes the position, hub_move() writes a move, and read_hub() reads a move.

    def _read(self, position: Any, text: str) -> Move:
        return int(position.read_hub(text, self.session.values["origin"]))

    def _text(self, position: Any, move: Move) -> str:
        return str(position.hub_move(move, self.session.values["origin"]))

    @command("new-game")
    def _new_game(self, rest: str) -> None:
        """forget the last game"""
        self.session.worker.stop_endless()
        self.session.new_game()

    # ---- thinking --------------------------------------------------------------------

    @command("level")
    def _set_level(self, rest: str) -> None:
        """level depth=N | nodes=N | move-time=S | [moves=N] time=S [inc=S] | infinite: limit the
        next searches
        """
        words = arguments_of(rest)
        self._level = {
            name: _number(f"level {name}", words[name], name in _SECONDS)
            for name in _LEVELS
            if name in words
        }

    @command("go")
    def _go(self, rest: str) -> None:
        """go think | ponder | analyze: search the position"""
        mode = first_word(rest)[0] or "think"
        if mode not in ("think", "ponder", "analyze"):
            raise malformed("go", "think, ponder or analyze", mode)
        self.require_position()
        outcome = self.session.position.outcome()
        if outcome and not self.session.position.playable_moves():
            raise CommandError(f"there is no legal move in this position: {outcome.reason}")
        level = self._level
        seconds, increment = level.get("time"), level.get("inc", 0.0)
        control = TimeControl(seconds, level.get("moves"), increment, adds_before=True)
        limits = Clock(control).limits(depth=level.get("depth"), nodes=level.get("nodes"))
        limits.movetime = level.get("move-time")
        limits.ponder = mode == "ponder"
        limits.infinite = mode == "analyze" and not level
        options = {_ANALYSIS: True} if mode == "analyze" else {}
        self.session.start(limits, self._on_report, self._on_done, options=options)

    @command("stop")
    def _stop(self, rest: str) -> None:
        """stop the search and answer"""
        self.session.worker.stop()

    @command("ponder-hit")
    def _ponder_hit(self, rest: str) -> None:
        """the expected move was played: go on searching by the clock"""
        self.session.worker.ponderhit()

    @command("ping")
    def _ping(self, rest: str) -> None:
        """answer pong at once"""
        self.write("pong")

    def _on_report(self, report: Report, position: Position) -> None:
        line = report.line
        if line is None or line.bound or line.multipv > 1:
            return
        pv = quoted(" ".join(moves.variation(position, line.moves, self._text)))
        self.write(
            f"info depth={line.depth} mean-depth={line.depth:.1f} score={_men(line.score):.2f}"
            f" nodes={report.nodes} time={report.seconds:.3f} nps={report.speed / 1e6:.3f} pv={pv}"
        )

    def _on_done(self, result: Result) -> None:
        words = moves.variation(result.position, result.answer, self._text)
        self.write(line_of("done", **dict(zip(("move", "ponder"), words))))


def _number(name: str, text: str, in_seconds: bool) -> float:
    """Return the value of an argument of `level`; raise CommandError if it is not a number."""
    return max(seconds_of(text, name), 0.0) if in_seconds else whole_number(text, name, 1)


def _men(score: int) -> float:
    """Return a score in men; the score of a win is explained at MEN_OF_WIN."""
    if abs(score) <= MAX_SCORE:
        return score / 100
    return copysign(MEN_OF_WIN - (WIN - abs(score)) / 100, score)
