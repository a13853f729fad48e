"""The names of options on the wire and in records.

Inside the engine the names of options are protocol-neutral.  Front ends know four of them by
UCI's names, so all protocols, records and command lines use those.
"""

from __future__ import annotations

from search.session import read_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.options import Option
    from search.session import Session

_UCI_NAMES = {name: f"UCI_{name}" for name in ("LimitStrength", "Elo", "AnalyseMode", "Chess960")}
_OWN_NAMES = {wire: name for name, wire in _UCI_NAMES.items()}
CHECKS = {"1": "true", "0": "false"}  # the values of a check as CECP and GoGui write them


def wire_name(name: str) -> str:
    """Return the name on the wire of an option."""
    return _UCI_NAMES.get(name, name)


def own_name(name: str) -> str:
    """Return the name inside the engine of an option with this name on the wire."""
    return _OWN_NAMES.get(name, name)


def wire_options(options: Iterable[Option]) -> list[Option]:
    """Return the options under their names on the wire."""
    return [
        option.renamed(_UCI_NAMES[option.name]) if option.name in _UCI_NAMES else option
        for option in options
    ]


def set_option(session: Session, name: str, text: str) -> None:
    """Set an option of the session; raise SessionError if the name or the value is wrong.

    name: on the wire or inside the engine, in upper or lower case.
    """
    option, value = read_setting(wire_options(session.options()), name, text, own_name)
    session.set_value(own_name(option.name), value)
