"""Options under the names that they have on the wire and in records.

Inside the engine an option has a name of no protocol.  Four are known to front ends
by UCI's name, and all protocols, records and command lines call them so.
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
    """What an option is called on the wire."""
    return _UCI_NAMES.get(name, name)


def own_name(name: str) -> str:
    """What an option of this name on the wire is called inside the engine."""
    return _OWN_NAMES.get(name, name)


def wire_options(options: Iterable[Option]) -> list[Option]:
    """The options under their names on the wire."""
    return [
        option.renamed(_UCI_NAMES[option.name]) if option.name in _UCI_NAMES else option
        for option in options
    ]


def set_option(session: Session, name: str, text: str) -> None:
    """Set an option of the session by its name on the wire, in any case; SessionError in words.

    Its name inside the engine will do, too.
    """
    option, value = read_setting(wire_options(session.options()), name, text, own_name)
    session.set_value(own_name(option.name), value)
