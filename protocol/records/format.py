"""The contract of a format of records: what differs between formats is asked of it.

A format is one class with one instance, listed in formats.FORMATS.  It has facts, split() and
read(), or unpack() if it is an archive; write() and usual() or holds() if it can be written.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.base import Game
    from protocol.records.record import Record, Start

NEVER = re.compile("(?!)")


class Format:
    """A format of records."""

    name = ""  # in lower case, as programs name it
    title = ""  # as people name it
    games = ""  # the games that it is for, as people name them
    suffixes: tuple[str, ...] = ()  # of its files; the first one is written

    # Recognition.  sign: a pattern that only texts in this format have.  hint: a weaker one, which
    # is tried if no format's sign is in a text.
    sign: re.Pattern[str] = NEVER
    hint: re.Pattern[str] = NEVER
    # Encodings: a pattern whose group 1 is the one that a file declares, and those to try, in this
    # order, if a file declares none and is not in UTF-8.
    declared: re.Pattern[bytes] | None = None
    encodings: tuple[str, ...] = ()

    # What it can hold.
    writable = True
    variations = True
    evaluations = True  # does it have a field for them that other programs read?
    line_is_opening = False  # is each line an opening of its own?
    moves_are_answers = False  # are its moves the answers to a problem?
    names_game = True  # do its records name their game?
    unit = "game"  # what messages call one of its records
    between = False  # may other text stand between the games, since they have a clear end?

    # How it is written.
    separator = ""  # between games
    date = "-"  # the sign within dates

    def split(self, text: str, game_name: str | None = None) -> Iterator[tuple[int, str]]:
        """Yield (offset, text) of each game.  game_name: the game, if the caller names it."""
        raise NotImplementedError

    def read(self, text: str, game_name: str | None = None) -> Record:
        """Return the Record of a game; raise RecordError if no part of it is readable.

        game_name: the game, if the record doesn't name it.
        """
        raise NotImplementedError

    def head(self, text: str, game_name: str | None = None) -> Record:
        """Return a Record with the players, result and headers; its moves may be missing."""
        return self.read(text, game_name)

    def unpack(self, data: bytes, path: str | None = None) -> str | None:
        """Return an archive as text in another format; None if the data isn't such an archive.

        path: the archive's file, if it has one; other files of the archive are beside it.
        """
        return None

    def write(self, record: Record) -> str:
        """Return the text of a Record that the format holds."""
        raise NotImplementedError

    def usual(self, game: Game) -> bool:
        """Is this the usual format for records of the game?"""
        return False

    def holds(self, start: Start) -> bool:
        """Can the format record a game with this start?"""
        return self.usual(start.game)
