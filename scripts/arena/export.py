"""The games of a tournament in the format of their own field, beside the record.

The record is what counts.  The file is made again from it when a tournament goes on, so that it never lacks a game.
"""
from __future__ import annotations

import importlib
import os
import pathlib

from scripts.arena.sgf import NUMBERS

# game -> ending of the file, module with write(result)
_FORMATS = {"chess": ("pgn", "scripts.arena.pgn"), "othello": ("ggf", "scripts.arena.ggf"),
            **{name: ("sgf", "scripts.arena.sgf") for name in NUMBERS if name != "othello"}}


class Export:
    """The file beside the record at `path`; nothing is written for games without a format of their own."""

    def __init__(self, path, game, results=()):
        ending, module = _FORMATS.get(game, (None, None))
        self.path = ending and pathlib.Path(path).with_suffix("." + ending)
        self._write = module and importlib.import_module(module).write
        if self.path and (results or self.path.exists()):
            fresh = self.path.with_name(self.path.name + ".new")
            fresh.write_text("".join(map(self._write, results)), encoding="utf-8")
            os.replace(fresh, self.path)

    def add(self, result):
        """Append a game."""
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(self._write(result))
