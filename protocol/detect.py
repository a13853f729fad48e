"""The choice of the protocol by the first line that a front end sends."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from protocol.base import Protocol
    from protocol.output import Writer
    from search.session import Session

# name -> module and class; the modules are imported when they are chosen
PROTOCOLS = {
    "uci": ("protocol.uci.protocol", "Uci"),
    "gtp": ("protocol.gtp.protocol", "Gtp"),
    "cecp": ("protocol.cecp.protocol", "Cecp"),
    "gomocup": ("protocol.gomocup.protocol", "Gomocup"),
    "nboard": ("protocol.nboard", "Nboard"),
}

# fmt: off
_FIRST_WORDS = {
    "xboard": "cecp", "protover": "cecp",
    "nboard": "nboard",
    **dict.fromkeys(("start", "rectstart", "about", "info", "board", "begin", "restart",
                     "swap2board", "turn", "takeback", "end"), "gomocup"),
    **dict.fromkeys(("uci", "isready", "ucinewgame", "position", "go", "setoption", "debug", "d",
                     "eval", "bench", "stop", "ponderhit", "register"), "uci"),
    **dict.fromkeys((
        "protocol_version", "name", "version", "known_command", "list_commands", "boardsize",
        "clear_board", "komi", "fixed_handicap", "place_free_handicap", "set_free_handicap", "play",
        "genmove", "undo", "time_settings", "time_left", "final_score", "final_status_list",
        "loadsgf", "reg_genmove", "showboard", "list_games", "set_game", "rectangular_boardsize",
        "gg-undo", "play_sequence", "gogui-play_sequence", "analyze", "lz-analyze", "kata-analyze",
        "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze", "printsgf", "cputime",
        "cores"),
        "gtp"),
}
# fmt: on


def detect(line: str) -> str:
    """Return the name of the protocol that a first line belongs to."""
    words = line.split()
    word = words[0].lower() if words else ""
    if word in _FIRST_WORDS:
        return _FIRST_WORDS[word]
    if word.startswith("yx"):
        return "gomocup"
    # Only GTP has comments, and ids in front of commands.
    numbered = len(words) > 1 and word.isascii() and word.isdigit()
    return "gtp" if numbered or word.startswith(("#", "gogui-", "plyglot-")) else "uci"


def create(name: str, session: Session, write: Writer) -> Protocol:
    """Return a new protocol called `name` that drives the session."""
    return protocol_class(name)(session, write)


def protocol_class(name: str) -> type[Protocol]:
    """Return the class of the protocol called `name`."""
    module, attribute = PROTOCOLS[name]
    found: type[Protocol] = getattr(importlib.import_module(module), attribute)
    return found
