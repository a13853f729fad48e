"""The games by name.

Built-in games are imported when they are chosen.  Plugins add their games to the same registry.

A game module, built in or not, has a list `GAMES` of Game objects.
"""

from __future__ import annotations

import importlib
import os
import sys

from games import data
from games.base import Game
from games.data import open_data
from games.options import BUILT_IN, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from types import ModuleType

# {module: {name: other names}}
_BUILT_IN: dict[str, dict[str, tuple[str, ...]]] = {
    "games.chess": {"chess": ("standard", "normal")},
    "games.chess.variants.kingofthehill": {"kingofthehill": ("koth",)},
    "games.chess.variants.antichess": {"antichess": (), "giveaway": (), "suicide": ()},
    "games.chess.variants.atomic": {"atomic": ()},
    "games.chess.variants.crazyhouse": {"crazyhouse": ("zh",)},
    "games.chess.variants.horde": {"horde": ()},
    "games.chess.variants.racingkings": {"racingkings": ("racing",)},
    "games.chess.variants.threecheck": {"3check": ("threecheck", "three-check")},
    "games.othello": {"othello": ("reversi",), "flipello": ()},
    "games.connect4": {"connect4": ("cfour", "connectfour", "connect_four")},
    "games.tictactoe": {"tictactoe": ("noughts",)},
    "games.gomoku": {"gomoku": ("five",), "gomokufreestyle": ("gobang",), "renju": ()},
    "games.draughts": {
        "draughts": ("international",),
        "checkers": ("english",),
        "russian": (),
        "brazilian": (),
        "frisian": (),
        "frysk": (),
        "antidraughts": ("losing",),
        "breakthroughdraughts": ("bt",),
    },
    "games.shogi": {"shogi": (), "minishogi": ()},
    "games.tree": {"tree": ("gametree", "minimax")},
}

_aliases = {name: other for games in _BUILT_IN.values() for name, other in games.items()}
_modules = {name: module for module, games in _BUILT_IN.items() for name in games}
_canonical = {alias: name for name, other in _aliases.items() for alias in (name, *other)}
_games: dict[str, Game] = {}
_plugins: dict[str, str] = {}  # {real path, or name of a module: argument of load_plugin}


class PluginError(Exception):
    """Raised if a plugin can't be loaded; the message says why."""


class UnknownGame(KeyError, ValueError):
    """Raised if no game has the requested name; the message suggests the nearest, or lists all."""

    def __str__(self) -> str:
        name = str(self.args[0]).strip()[:80]
        all_names = f" (there are: {', '.join(names())})"
        return f"no such game: {name}{hint(name) or all_names}"


# A word is suggested if at least this share of its letters agrees: "3check" doesn't suggest
# "checkers".
_NEAR = 0.75
_BEGINNING = 3  # from this number of typed letters on, words that begin with them are suggested


def hint(word: str, known: Iterable[str] | None = None) -> str:
    """Return ` (did you mean X?)` with the known word nearest to `word`; "" if none is similar.

    known: by default the names of all games.
    """
    from difflib import get_close_matches  # imported here, since only unknown words need it

    known_names = {other.lower(): other for other in (_canonical if known is None else known)}
    typed = word.strip().lower()[:80]
    near = get_close_matches(typed, known_names, 1, _NEAR)
    if not near and len(typed) >= _BEGINNING:
        near = [name for name in known_names if name.startswith(typed)]
    return f" (did you mean {known_names[near[0]]}?)" if near else ""


def names() -> list[str]:
    """Return the canonical names of all games, built-in ones first."""
    return list(dict.fromkeys(_canonical.values()))


def built_in() -> list[str]:
    """Return the canonical names of the built-in games."""
    return list(_modules)


def canonical(name: str) -> str:
    """Return the canonical name of a game.  Raises UnknownGame.

    name: its name or an alias, in upper or lower case.
    """
    try:
        return _canonical[name.strip().lower()]
    except KeyError:
        raise UnknownGame(name) from None


def plain(text: str) -> str:
    """Return a game's name as find() compares it: without case, spaces, signs and "chess"."""
    return "".join(filter(str.isalnum, text.lower())).replace("chess", "")


def find(text: str) -> str | None:
    """Return the canonical name of the game that another program calls `text`; None if unknown.

    The titles of games that aren't loaded yet are unknown.  For these find() relies on names and
    aliases, which have the same letters as the titles.
    """
    wanted = plain(text)
    titles = {plain(game.title): game.name for game in _games.values()}
    known = {plain(name): canonical_name for name, canonical_name in _canonical.items()}
    return known.get(wanted) or titles.get(wanted)


def get(name: str) -> Game:
    """Return the Game called `name`; import it on first use.  Raises UnknownGame."""
    name = canonical(name)
    if name not in _games:
        for game in importlib.import_module(_modules[name]).GAMES:
            game.aliases = _aliases[game.name]
            _games[game.name] = _with_weights(game)
    return _games[name]


def options() -> list[Option]:
    """Return every option of every known game, each once."""
    by_name = {option.name.lower(): option for option in BUILT_IN}
    for game in _games.values():
        for option in game.options:
            by_name.setdefault(option.name.lower(), option)
    return list(by_name.values())


def _with_weights(game: Game) -> Game:
    """Make the game evaluate with its weights file if its folder has that file; return the game."""
    where, content = weights_file(game)
    if content is not None:
        from games.learned.evaluation import WeightsFile

        game.learned = WeightsFile(game, where, content)
    return game


def weights_file(game: Game) -> tuple[str, bytes | None]:
    """Return (path, bytes) of NAME.weights beside a game; bytes is None if it can't be read."""
    return data.beside(type(game), game.name + ".weights")


def load_plugin(where: str) -> None:
    """Import `where` (a path ending in .py, or a module's name) and register its games.

    The games are those in its list GAMES.  A file may import other files in its folder.

    Does nothing if the plugin is loaded already.
    Raises PluginError if loading fails; registers all of its games or none.
    """
    try:
        place = os.path.realpath(where) if where.endswith(".py") else where
        if place in _plugins:
            return
        games = _games_of(where)
    except (PluginError, ValueError) as error:  # the path may contain a null character
        raise PluginError(f"plugin {where}: {error}") from error
    for game in games:
        _canonical.update(dict.fromkeys([game.name, *game.aliases], game.name))
        _games[game.name] = _with_weights(game)
    _plugins[place] = where


def plugins() -> list[str]:
    """Return the arguments of all calls of load_plugin, to load the same games elsewhere."""
    return list(_plugins.values())


def _games_of(where: str) -> Sequence[Game]:
    """Import a plugin and return its games.  Raises PluginError."""
    is_file = where.endswith(".py")
    if not (is_file or all(map(str.isidentifier, where.split(".")))):
        raise PluginError("expected a file that ends in .py, or a module's name")
    try:
        module = _import_file(where) if is_file else importlib.import_module(where)
    except KeyboardInterrupt:
        raise
    except OSError as error:
        raise PluginError(error.strerror or str(error)) from error
    except BaseException as error:  # a foreign module may raise anything
        words = f"{_place_of(error)}{type(error).__name__}: {_printable(error)}"
        raise PluginError(words) from error
    games = getattr(module, "GAMES", None)
    if not isinstance(games, (list, tuple)) or not games:
        raise PluginError("defines no GAMES list")
    taken = set(_canonical)
    for game in games:
        _check(game, taken)
        taken.update((game.name, *game.aliases))
    return games


def _place_of(error: BaseException) -> str:
    """Return `FILE, line N: ` of the plugin's own code that raised an error; "" if none did."""
    from traceback import walk_tb  # imported here, since only faults need it

    place = ""
    others = ("<", os.path.dirname(os.__file__), os.path.dirname(__file__))
    for frame, line in walk_tb(error.__traceback__):
        if not frame.f_code.co_filename.startswith(others):
            place = f"{frame.f_code.co_filename}, line {line}: "
    return place


def _check(game: object, taken: Collection[str]) -> None:
    """Raise PluginError if a game can't be registered.  taken: the names of other games."""
    if not isinstance(game, Game):
        kind = f"{type(game).__name__} ({_printable(game)[:40]})"
        raise PluginError(f"GAMES contains a {kind}; expected an instance of Game")
    # A plugin's attributes may have any type, whatever the contract says.
    aliases: object = game.aliases
    all_names = (game.name, *aliases) if isinstance(aliases, (list, tuple)) else (None,)
    for name in all_names:
        if not (isinstance(name, str) and name.isprintable() and name.lower().split() == [name]):
            raise PluginError(
                f"{_printable(type(game).__name__)}: its name and its aliases (a tuple) "
                "must be printable lower-case strings without spaces"
            )
        if name in taken:
            raise PluginError(f"the name '{name}' is taken already")
    options: object = game.options
    if not isinstance(options, (list, tuple)) or not all(
        isinstance(option, Option) and option.name.isprintable() for option in options
    ):
        names = "a tuple of Option objects with printable names"
        raise PluginError(f"{game.name}: its options must be {names}")


def _printable(thing: object) -> str:
    """Return str() of a foreign object as one line that any stream can print."""
    try:
        text = " ".join(str(thing).split())
    except Exception:  # its __str__ may raise anything
        return ""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _import_file(path: str) -> ModuleType:
    from importlib import util

    name = "plyglot_plugin_" + "".join(c if c.isalnum() else "_" for c in path)
    spec = util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    open_data(path).close()  # raises an error for a pipe, since importing it would block
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that its files don't hide Plyglot's modules
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]  # a partly loaded module must not stay
        raise
    return module
