"""The options of a game: its rules, as records and front ends give them.

The engine's own options (Hash, Threads, MultiPV, ...) are in search/options.py.
"""

from __future__ import annotations

from games.base import GameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from games.base import Game


def read_options(game: Game, words: Iterable[str]) -> dict[str, Any]:
    """Parse `NAME=VALUE` words; return {name: value}.

    Raises ValueError if the game declares no such option or the value is wrong.
    """
    declared = {option.name.lower(): option for option in game.options}
    found = {}
    for word in words:
        name, sign, text = word.partition("=")
        option = declared.get(name.strip().lower())
        if not sign:
            raise ValueError(f'an option of the game needs NAME=VALUE, not "{word}"')
        if option is None:
            known = ", ".join(option.name for option in declared.values()) or "none"
            raise ValueError(f'{game.name} has no option "{name}" (its options: {known})')
        found[option.name] = option.read(text)
    return found


def rules_of(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of `options` that are rules of the game; a record omits all others."""
    rules = [one for one in game.options if one.rule and not one.record_bytes]
    known = {name.lower(): value for name, value in options.items()}
    wanted = [option.name for option in rules if option.name.lower() in known]
    return read_options(game, [f"{name}={known[name.lower()]}" for name in wanted])


def needed_options(game: Game, text: str | None) -> dict[str, Any]:
    """Return the options that the position `text` requires, as {name: value}."""
    if text is None:
        return {}
    try:
        return dict(game.options_for(text))
    except GameError:
        return {}
