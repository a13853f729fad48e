"""Lessons of search: one technique each, with pictures of real searches.

The page offers the lessons, and docs/how-it-thinks.md shows the same pictures.  Tests check the
numbers in the texts.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from scripts.drawing.svg import text_of


class Lesson(NamedTuple):
    """A lesson on one technique.

    text: what its pictures show.  pictures: [(caption, body of the page's command `lesson`)].
    """

    name: str
    text: str
    pictures: list[tuple[str, dict[str, Any]]]


LESSONS = [Lesson(**each) for each in json.loads(text_of("lessons.json"))]
