"""What Plyglot tells XBoard of itself: features, options, variants."""
from __future__ import annotations

from games import registry
from protocol.base import PRODUCT, VERSION

# The protocol's names of our games, where they are others.
VARIANTS = {"normal": "chess", "fischerandom": "chess"}
# What has no board to be shown on.
_WITHOUT_BOARD = ("tree",)

_FEATURES = ("ping=1 setboard=1 usermove=1 san=0 time=1 draw=0 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0"
             " name=1 playother=1 nps=0 memory=1 smp=0")


def feature_lines(options):
    """The answer to `protover`."""
    others = [name for name in registry.names() if name not in VARIANTS.values() and name not in _WITHOUT_BOARD]
    return ["feature done=0", f"feature {_FEATURES}", f'feature myname="{PRODUCT} {VERSION}"',
            f'feature variants="{",".join(list(VARIANTS) + others)}"',
            *[f'feature option="{_option_words(option)}"' for option in options], "feature done=1"]


def _option_words(option):
    words = f"{option.name} -{option.kind}"
    if option.kind == "button":
        return words
    if option.kind == "check":
        return f"{words} {int(option.default)}"
    if option.kind == "spin":
        return f"{words} {option.default} {option.low} {option.high}"
    if option.kind == "combo":
        marked = ["*" * (choice == option.default) + choice for choice in option.choices]
        return f"{words} {' /// '.join(marked)}"
    return f"{words} {option.default}"


def option_value(option, text):
    """The value as options are set in all protocols: CECP writes checks as 1 and 0."""
    if option is not None and option.kind == "check":
        return {"1": "true", "0": "false"}.get(text.strip(), text)
    return text


def variant_lines(name, position):
    """What tells XBoard the board and the men of a variant that it does not know."""
    return []
