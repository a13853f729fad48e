"""The table of protocols: what the project knows of a protocol without loading it."""

from __future__ import annotations

import importlib

from games.data import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.base import Protocol


class Row(Fields):
    """A row of the table.

    title: its name in texts.  aliases: other names for the --protocol of scripts that run engines.
    place: "module:class" of the Protocol.
    client: "module:class" of the client that runs engines of the protocol (scripts/arena); empty
        if there is none.
    words: the first words by which it is recognised, in lower case, separated by blanks.
        prefixes: beginnings of further such words.
    greeting: the text to write as soon as it is recognised, before its module is loaded.
    is_argument: does the name, alone on the engine's command line, start the protocol?
    """

    title: str
    place: str
    words: str
    aliases: tuple[str, ...] = ()
    client: str = ""
    prefixes: tuple[str, ...] = ()
    greeting: tuple[str, ...] = ()
    is_argument: bool = False

    @property
    def name(self) -> str:
        """Return the protocol's name for --protocol."""
        return self.title.lower()

    def knows(self, word: str) -> bool:
        """Is `word`, in lower case, a first word of the protocol?"""
        return word in self.words.split() or word.startswith(self.prefixes)

    def load(self) -> type[Protocol]:
        """Import the protocol's module; return its subclass of Protocol."""
        module, _, attribute = self.place.partition(":")
        return getattr(importlib.import_module(module), attribute)  # type: ignore[no-any-return]


# A line belongs to the first row that knows its first word.
TABLE = (
    Row(
        "UCI",
        "protocol.uci:Uci",
        "uci isready setoption ucinewgame position go stop ponderhit quit debug register"
        " d eval flip bench help",
        client="scripts.arena.uci:UciClient",
    ),
    Row(
        "GTP",
        "protocol.gtp.protocol:Gtp",
        "protocol_version name version known_command list_commands boardsize clear_board komi"
        " fixed_handicap place_free_handicap set_free_handicap play genmove undo time_settings"
        " time_left final_score final_status_list loadsgf reg_genmove showboard list_games set_game"
        " rectangular_boardsize play_sequence analyze genmove_analyze gg-undo printsgf cputime"
        " cores",
        client="scripts.arena.gtp:GtpClient",
        prefixes=("#", "gogui-", "plyglot-", "lz-", "kata-", "kgs-"),
    ),
    Row(
        "Gomocup",
        "protocol.yixin:Yixin",
        "start rectstart about info board begin restart swap2board turn takeback end",
        aliases=("piskvork",),
        client="scripts.arena.gomocup:GomocupClient",
        prefixes=("yx",),
    ),
    Row(
        "CECP",
        "protocol.cecp:Cecp",
        "xboard protover",
        aliases=("xboard", "winboard"),
        client="scripts.arena.cecp:CecpClient",
        greeting=("feature done=0",),  # XBoard waits at most 2 seconds for the features
    ),
    Row("NBoard", "protocol.nboard:Nboard", "nboard"),
    Row("Hub", "protocol.hub:Hub", "hub", client="scripts.arena.hub:HubClient", is_argument=True),
    Row("USI", "protocol.usi:Usi", "usi", client="scripts.arena.uci:UsiClient", is_argument=True),
)


def find(name: str, rows: Sequence[Row] | None = None) -> Row:
    """Return the row of a protocol by its name or alias; raise ValueError if there is none.

    rows: those to choose from, by default all.
    """
    wanted, rows = name.lower(), rows or TABLE
    for row in rows:
        if wanted == row.name or wanted in row.aliases:
            return row
    known = ", ".join(row.name for row in rows)
    raise ValueError(f"unknown protocol: {name} (expected one of: {known})")


def detect(line: str) -> Row | None:
    """Return the row of the protocol that a first line belongs to; None if no row knows it."""
    word, *others = line.lower().split(None, 1) or [""]
    if others and word.isascii() and word.isdigit():
        word = "#"  # only GTP has numbers before its commands, and comments
    return next((row for row in TABLE if row.knows(word)), None)
