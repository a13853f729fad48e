"""Where a game starts: the game, its options and the first position, as plain data."""
from __future__ import annotations

from games import registry


class Start:
    """The start of a game.

    game: the Game.  text: the canonical text of the position, None for the game's own start.
    options: {name: value} of the game's options that differ from their defaults.
    """

    def __init__(self, game, text=None, options=None):
        self.game = registry.get(game) if isinstance(game, str) else game
        self.text, self.options = text, dict(options or {})

    def __eq__(self, other):
        return (isinstance(other, Start) and self.game.name == other.game.name and self.text == other.text
                and self.options == other.options)

    __hash__ = None

    def values(self):
        """{name: value} of all of the game's options."""
        return {**{option.name: option.default for option in self.game.options}, **self.options}

    def position(self, moves=()):
        """A new position: the start, then `moves` played.  PositionError where the text is none."""
        values = self.values()
        position = self.game.start(values) if self.text is None else self.game.parse(self.text, values)
        for move in moves:
            position.make(move)
        return position


def read_options(game, words):
    """{name: value} of `NAME=VALUE` words by the game's declared options; ValueError in words."""
    found = {}
    for word in words:
        name, sign, text = word.partition("=")
        option = next((option for option in game.options if option.name.lower() == name.strip().lower()), None)
        if option is None or not sign:
            known = ", ".join(option.name for option in game.options) or "none"
            raise ValueError(f"{game.name} has no option '{name}' (NAME=VALUE is wanted; its options: {known})")
        found[option.name] = option.read(text)
    return found
