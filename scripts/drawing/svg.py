"""The few elements of SVG that the pictures need, as text."""

from __future__ import annotations

import functools
import html
import pkgutil
import unicodedata
from typing import Any

# Widths of characters in units of the font size.  They suffice for the usual serif and sans-serif
# fonts; the widest of those is DejaVu Serif.
_NARROW = 0.41
_USUAL = 0.65
_CAPITAL = 0.88
_WIDE = 1.13


def escape(text: object) -> str:
    """Escape a text for an element's content or an attribute's value."""
    return html.escape(str(text), quote=False).replace('"', "&quot;")


def element(name: str, content: str = "", **attributes: Any) -> str:
    """Return an element.

    stroke_width becomes the attribute `stroke-width`, and class_ becomes `class`.  An attribute
    that is None is omitted.
    """
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{words}>{content}</{name}>" if content else f"<{name}{words}/>"


def rect(x: float, y: float, width: float, height: float, **attributes: Any) -> str:
    """Return a rectangle with its top left corner at (x, y)."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def text(content: int | str, x: float, y: float, **attributes: Any) -> str:
    """Return a text whose baseline is at (x, y)."""
    return element("text", escape(content), x=x, y=y, **attributes)


def number(value: float) -> str:
    """Return a float as text with at most one decimal, and anything else unchanged."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


def text_width(content: int | str, size: float) -> float:
    """Estimate the width of a text at a font size."""
    return size * sum(map(_character_width, str(content)))


def _character_width(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF" or char in "mwMW@%":
        return _WIDE
    if char in "ijlft.,:;!|()[]' ":
        return _NARROW
    return _CAPITAL if char.isupper() or not char.isascii() else _USUAL


@functools.lru_cache
def text_of(name: str) -> str:
    """Return the text of a file of this folder, even if the folder is in an archive."""
    data = pkgutil.get_data(__name__, name)
    assert data is not None, "every loader of modules can load data"
    return data.decode()


def document(width: float, height: float, body: str, title: str, style: str = "") -> str:
    """Return a whole SVG picture with a title and a white background."""
    head = element("title", escape(title))
    head += element("style", style) if style else ""
    size = {"width": number(float(width)), "height": number(float(height))}
    box = "0 0 {width} {height}".format(**size)
    paper = element("rect", **size, fill="#ffffff")
    body = f"\n{head}{paper}\n{body}\n"
    xmlns = "http://www.w3.org/2000/svg"
    return element("svg", body, xmlns=xmlns, **size, viewBox=box, role="img") + "\n"
