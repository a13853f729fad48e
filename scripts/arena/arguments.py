r"""Tournaments for any game of Plyglot between engines of any protocol that it speaks.

[options]

An engine is a list of KEY=VALUE words; without cmd it is Plyglot itself:
  name=TEXT       its name in the results       cmd=COMMAND     the command that starts it
  proto=NAME      uci (default) usi gtp ...     dir=DIRECTORY   its working directory
  tc=CONTROL      40/60+0.5, 10+0.1, 1:00, inf  movetime=SECONDS, depth=PLIES, nodes=N
  margin=SECONDS  allowed delay (0.1)           restart=yes     a new process for each game
  option.NAME=VALUE                             an option of the engine
In each round every pairing plays two games, from the same opening with colours swapped.

Examples:
  scripts/tournament --game othello --engine name=deep depth=3 --engine name=flat depth=1 \
      --rounds 10 --random-plies 6
  scripts/tournament --game othello --engine name=new --engine name=old \
      cmd="python3 ../old/engine.py" \
      --tc 5+0.05 --rounds 50 --random-plies 6 --concurrency 2 --record new-old.jsonl
  scripts/tournament --game chess --engine name=Plyglot \
      --engine cmd=/usr/games/fairymax proto=cecp --movetime 0.2 --rounds 10 --openings openings.epd
Repeat the command to continue an interrupted tournament."""

from __future__ import annotations

import pathlib
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from games import registry
from plyglot.command import plugin_path, split_command
from protocol.base import printable
from protocol.records.formats import KNOWN
from protocol.records.record import Start, read_options
from scripts.arena import openings
from scripts.arena.clock import LONGEST_MOVE, MARGIN, PATIENCE, read_control
from scripts.arena.elo import Sprt
from scripts.arena.engines import Participant, protocol_name
from scripts.arena.export import export_path
from scripts.command_line import Parser, above_zero, add_limits, positive, see, translated, warn
from scripts.jobs.command import add_options
from scripts.jobs.files import FileError, check_distinct

_USAGE = "scripts/tournament --game NAME --engine KEY=VALUE ... --engine KEY=VALUE ... [options]"


_TERMS = ("tc", "movetime", "depth", "nodes", "margin")
_LIMITS = {*_TERMS} - {"margin"}
_OPTION = "option."  # prefix of the keys that set an engine's options


class TournamentRequest(Namespace):
    """A parsed command line; its arguments are checked, and most are converted to objects.

    terms: plain data that identifies the tournament in its record.  The other attributes only
    say how to run the tournament.
    With --table nothing is run, so the arguments stay as they were typed.
    """

    def __init__(self, arguments: Namespace) -> None:
        super().__init__(**vars(arguments))
        if self.table:
            return
        if arguments.game is None:
            raise ValueError("--game is required")
        self.game = registry.get(arguments.game)
        self.options = read_options(self.game, arguments.game_option)
        self.players = _players(arguments)
        rules = {name: getattr(arguments, name) for name in ("resign", "draw", "max_plies")}
        self.adjudication = {name: numbers for name, numbers in rules.items() if numbers}
        self.openings = _openings(Start(self.game, None, self.options), arguments)
        if arguments.sprt:
            elo0, elo1 = arguments.sprt
            self.sprt = Sprt(elo0, elo1, self.alpha, self.beta)
            if not elo0 < elo1:
                raise ValueError("--sprt needs an ELO0 below ELO1")
            if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
                raise ValueError("--alpha and --beta must lie between 0 and 0.5")
            if len(self.players) != 2:
                raise ValueError(f"--sprt needs two engines, not {len(self.players)}")
        self.plugins = [plugin_path(where) for where in arguments.plugin]
        check_distinct(
            ("--openings", arguments.openings),
            *(("--plugin", where) for where in arguments.plugin if where.endswith(".py")),
            ("--record", self.record),
            ("the games beside the record", export_path(self.record, self.game)),
        )
        self.terms = {
            "game": self.game.name,
            "options": self.options,
            "players": self.players,
            "kind": self.kind,
            "openings": self.openings.terms,
            "adjudication": self.adjudication,
        }


def parse(words: Sequence[str] | None = None) -> TournamentRequest:
    """Return the TournamentRequest of a command line; exit with a message if it is invalid."""
    parser = build_parser()
    try:
        return TournamentRequest(parser.read(words))
    except (ValueError, openings.OpeningError, FileError) as error:
        parser.error(error)


def build_parser() -> Parser:
    """Return the parser with its help texts."""
    parser = Parser("scripts/tournament", f"{__doc__}{see('tournaments.md')}", _USAGE)
    add = parser.add
    parser.add_game_option()
    of_one = "an engine (see below); give this option once for each engine"
    add("--engine KEY=VALUE", of_one, [], nargs="*", action="append")
    add("--each KEY=VALUE", "KEY=VALUE words for every engine", [], nargs="+")
    gauntlet = "gauntlet: the first engine meets each of the others"
    add("--kind", gauntlet, openings.ROUND_ROBIN, choices=openings.KINDS)
    add("--rounds N", "pairs of games for each pairing", 1, type=positive)
    of_game = "set an option of the game, e.g. BoardSize=9"
    add("--game-option NAME=VALUE", of_game, [], action="append")
    parser.add_plugin_option()
    parser.add_force_option()
    add = parser.group("thinking time (for all engines; an engine's own words take precedence)")
    add("--tc CONTROL", "time control, such as 40/60+0.5, 10+0.1, 1:00, 600,3x30 or inf")
    add_limits(add, "of a move")
    add("--margin SECONDS", f"allowed delay (default {MARGIN:g})")
    _add_openings(parser.group("openings"))
    _add_ends(parser.group("ending games and tournaments early"))
    _add_running(parser.group("running"))
    return parser


def _add_openings(add: Callable[..., None]) -> None:
    add("--openings FILE", f"positions or moves, one per line, or games ({KNOWN})")
    add("--opening-plies N", "longest opening, in plies", type=positive)
    add("--shuffle", "shuffle the openings by --seed")
    add("--random-plies N", "begin with N random plies, different in each round", type=positive)
    add("--seed N", "random seed", 1)


def _add_ends(add: Callable[..., None]) -> None:
    resign = "a player loses after MOVES scores of -SCORE or lower, if the opponent's score agrees"
    add("--resign MOVES SCORE", resign, type=positive)
    draw = "a draw from ply PLIES on, if each player's last MOVES scores are -SCORE to SCORE"
    add("--draw PLIES MOVES SCORE", draw, type=positive)
    add("--max-plies N", "a draw after N plies", type=positive)
    add("--sprt ELO0 ELO1", "stop when the SPRT of ELO1 against ELO0 is decided", type=float)
    add("--alpha P", "probability of accepting ELO1 if ELO0 is true", 0.05)
    add("--beta P", "probability of accepting ELO0 if ELO1 is true", 0.05)


def _add_running(add: Callable[..., None]) -> None:
    add_options(add, "games")
    stall = "time after the clock's end until an engine counts as stalled"
    add("--patience SECONDS", stall, PATIENCE, type=above_zero)
    longest = "time for a move until an engine without a clock counts as stalled"
    add("--longest-move SECONDS", longest, LONGEST_MOVE, type=above_zero)
    record = "JSON lines of all games; a file in the game's usual format is written beside it"
    add("--record FILE", record, "tournament.jsonl")
    add("--table FILE", "show the table of a record and exit")


def _control(text: str) -> str:
    """Return the text of a time control; raise ValueError if it is invalid."""
    read_control(text)
    return text


def _margin(text: str) -> float:
    return 0.0 if text.strip() == "0" else above_zero(text)


def _yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f'must be yes or no, not "{text}"')
    return text == "yes"


# Key of an engine's KEY=VALUE words -> the function that reads its value.
_READ: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("name", "dir"), str),
    "proto": protocol_name,
    "movetime": above_zero,
    **dict.fromkeys(("depth", "nodes"), positive),
    "cmd": str.strip,
    "restart": _yes_or_no,
    "tc": _control,
    "margin": _margin,
}


def _players(arguments: Namespace) -> list[Participant]:
    """Return the engines; raise ValueError if an engine has no limit or two names are equal."""
    if len(arguments.engine) < 2:
        raise ValueError("at least two --engine options are required")
    given = {name: getattr(arguments, name) for name in _TERMS}
    common = [f"{name}={value}" for name, value in given.items() if value is not None]
    common += arguments.each
    players = [read_player(words, common) for words in arguments.engine]
    for player in players:
        if _LIMITS.isdisjoint(player["terms"]):
            limits = "--tc, --movetime, --depth or --nodes (--tc inf if the engine limits itself)"
            raise ValueError(f"{player['name']} has no limit: give {limits}")
    if len({player["name"] for player in players}) < len(players):
        raise ValueError("engines need different names: give name=")
    return players


def read_player(words: Sequence[str], common: Sequence[str] = ()) -> Participant:
    """Return an engine's plain data from KEY=VALUE words; raise ValueError if a word is invalid.

    common: words for all engines; the engine's own words take precedence.
    """
    values, own_words = _read_words(common), _read_words(words)
    if not _LIMITS.isdisjoint(own_words):  # the engine's own limit replaces all common limits
        values = {name: value for name, value in values.items() if name not in _LIMITS}
    values.update(own_words)
    command = values.get("cmd") or None
    of_whom = values.get("name") or "--engine"
    with translated(ValueError, ValueError, before=f"{of_whom}: can't start {command}: "):
        usual = pathlib.Path(split_command(command)[0]).name if command else "Plyglot"
    name = values.get("name") or printable(usual)
    if "/" in name or not name.isprintable():  # game ids are printed and have / as a separator
        raise ValueError(f"a name must be printable and without '/', not {ascii(name)}")
    return {
        "name": name,
        "command": command,
        "directory": values.get("dir"),
        "options": {key[len(_OPTION) :]: values[key] for key in values if key.startswith(_OPTION)},
        "protocol": values.get("proto", "uci"),
        "restart": values.get("restart", False),
        "terms": {name: values[name] for name in _TERMS if name in values},
    }


def _read_words(words: Iterable[str]) -> dict[str, Any]:
    """Return {KEY: value} of KEY=VALUE words."""
    values: dict[str, Any] = {}
    for word in words:
        key, sign, value = word.partition("=")
        read = str if key.startswith(_OPTION) else _READ.get(key)
        if not sign or read is None:
            keys = " ".join([*_READ, f"{_OPTION}NAME"])
            raise ValueError(f'--engine: "{word}" is not KEY=VALUE (keys: {keys})')
        with translated(ValueError, ArgumentTypeError, ValueError, before=f"{key} "):
            values[key] = read(value)
    return values


def _openings(start: Start, arguments: Namespace) -> openings.OpeningSource:
    path, seed = arguments.openings, arguments.seed
    plies = arguments.random_plies
    if path and plies:
        raise ValueError("--openings and --random-plies can't be combined")
    source = openings.OpeningSource([(start, [])])
    if path:
        order = seed if arguments.shuffle else None
        source = openings.file_openings(start, path, arguments.opening_plies, order)
    elif plies:
        source = openings.random_openings(start, plies, seed)
    source[0]  # raises OpeningError before the first game if there is no opening
    for problem in source.problems:
        warn("scripts/tournament", f"{path}: {problem}")
    return source
