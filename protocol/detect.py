"""Which protocol a front end speaks: its first line tells."""
from __future__ import annotations

import importlib

# name -> module and class; the modules are imported when they are chosen
PROTOCOLS = {
    "uci": ("protocol.uci", "Uci"),
    "gtp": ("protocol.gtp", "Gtp"),
    "cecp": ("protocol.cecp", "Cecp"),
    "gomocup": ("protocol.gomocup", "Gomocup"),
    "nboard": ("protocol.nboard", "Nboard"),
}

_FIRST_WORDS = {
    "xboard": "cecp", "protover": "cecp",
    "nboard": "nboard",
    "start": "gomocup", "rectstart": "gomocup", "about": "gomocup", "info": "gomocup", "board": "gomocup",
    "begin": "gomocup", "restart": "gomocup", "yxboard": "gomocup", "swap2board": "gomocup",
    "turn": "gomocup", "takeback": "gomocup", "yxstop": "gomocup", "end": "gomocup",
}

_UCI_WORDS = ("uci", "isready", "ucinewgame", "position", "go", "setoption", "debug", "d", "eval", "bench",
              "stop", "ponderhit", "register")


def detect(line):
    """The name of the protocol of a first line."""
    words = line.split()
    word = words[0].lower() if words else ""
    if word in _UCI_WORDS:
        return "uci"
    if word in _FIRST_WORDS:
        return _FIRST_WORDS[word]
    # Commands with an id, and comments, are known to GTP alone.
    numbered = len(words) > 1 and word.isascii() and word.isdigit()
    return "gtp" if numbered or word.startswith("#") or _is_gtp(word) else "uci"


def create(name, session, write):
    """The protocol called `name` over a session."""
    module, attribute = PROTOCOLS[name]
    return getattr(importlib.import_module(module), attribute)(session, write)


_GTP_WORDS = frozenset((
    "protocol_version name version known_command list_commands boardsize clear_board komi fixed_handicap "
    "place_free_handicap set_free_handicap play genmove undo time_settings time_left final_score "
    "final_status_list loadsgf reg_genmove showboard list_games set_game rectangular_boardsize gg-undo "
    "play_sequence gogui-play_sequence analyze lz-analyze kata-analyze genmove_analyze lz-genmove_analyze "
    "kata-genmove_analyze printsgf cputime").split())


def _is_gtp(word):
    return word in _GTP_WORDS or word.startswith(("gogui-", "plyglot-"))
