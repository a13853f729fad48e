"""Leaves with decimals.

The values of a tree are integers, so leaves are scaled for the search and drawn with their
decimal point.
"""

from __future__ import annotations

import re

from scripts.drawing.figure import FigureError

MOST_PLACES = 4
_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?")
_WORD = re.compile(r"[^\s()]+")


def read(text: str) -> tuple[str, int]:
    """Return (the tree's text with integers, number of decimal places); raise FigureError.

    >>> read("(A:3.5 -0.25 W)")
    ('(A:350 -25 W)', 2)
    """
    text = text.replace("\N{MINUS SIGN}", "-")
    leaves = [found for found in map(_leaf, _WORD.findall(text)) if found is not None]
    places = max((len(leaf.group(3) or "") for leaf in leaves), default=0)
    if places > MOST_PLACES:
        raise FigureError(f"leaves have at most {MOST_PLACES} decimal places, not {places}")
    return _WORD.sub(lambda word: _scaled(word.group(), places), text), places


def _leaf(word: str) -> re.Match[str] | None:
    """Return the match of a leaf's number, None if the word is not one."""
    found = _NUMBER.fullmatch(word.rpartition(":")[2])
    return found if found and (found.group(2) or found.group(3)) else None


def _scaled(word: str, places: int) -> str:
    leaf = _leaf(word)
    if leaf is None or not places:
        return word
    sign, whole, part = leaf.groups()
    value = int((whole or "0") + (part or "").ljust(places, "0"))
    return f"{word[: len(word) - len(leaf.group())]}{sign}{value}"
