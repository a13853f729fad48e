"""The engine that plays and gives hints; started when it is first needed."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, NamedTuple

from plyglot.errors import EngineError
from scripts.arena.client import STALL
from scripts.arena.engines import Slot
from scripts.command_line import above_zero, between, limits_text, positive
from scripts.terminal.match import MatchError
from search.levels import STRONGEST, WEAKEST
from search.limits import Limits

if TYPE_CHECKING:
    from plyglot.command import Command
    from scripts.arena.client import Answer, Client
    from scripts.terminal.match import Match

SKILL = "Skill Level"
SECONDS = 1.0  # default time per move
# {part of a level, as it is typed: the parser of its value}
_PARTS = {
    "depth": positive,
    "nodes": positive,
    "time": above_zero,
    "skill": between(WEAKEST, STRONGEST),
}


class Level(NamedTuple):
    """The strength of an engine.

    limits: the Limits for each move.  skill: Skill Level, -5 to 20; None for full strength.
    """

    limits: Limits
    skill: int | None = None

    def __str__(self) -> str:
        strength = f"skill {self.skill}" if self.skill is not None else "full strength"
        return f"{limits_text(self.limits)}, {strength}"

    def changed(self, words: list[str]) -> Level:
        """Return this Level, changed by `depth N`, `nodes N`, `time SECONDS` or `skill N`.

        Raise MatchError if the words are anything else.
        """
        try:
            name, text = words
            value = _PARTS[name](text)
        except (ValueError, KeyError, ArgumentTypeError):
            raise MatchError("level needs depth N, time SECONDS, nodes N or skill -5..20") from None
        if name == "skill":
            return self._replace(skill=value)
        return self._replace(limits=Limits(**{"movetime" if name == "time" else name: value}))


HINT = Level(Limits(movetime=0.5))  # for a hint, whatever the engine's own level


class Opponent(Slot):
    """The place of an engine, given by its command, that plays at a Level.

    hurried: whether to end the running search immediately or, if none is running, the next one.
    """

    def __init__(self, command: Command, protocol: str | None, level: Level) -> None:
        super().__init__()
        self._engine = {"command": command, "protocol": protocol}
        self.level = level
        self.hurried = False

    @property
    def name(self) -> str:
        """Return the engine's own name once it runs, else a placeholder."""
        return self.client.name if self.client else "the engine"

    def open(self, skill: int | None = None) -> Client:
        """Return the engine, at a Skill Level if it has any; raise EngineError if it can't start.

        skill: None for full strength.
        """
        if skill is None and self.level.skill is not None:
            skill = STRONGEST
        return self.ready(self._engine, {SKILL: skill}, optional=(SKILL,))

    def think(self, match: Match, level: Level) -> Answer:
        """Return the Answer to the match's position at a Level.

        If the engine fails, end it and raise EngineError.
        """
        try:
            engine = self.open(level.skill)
            due, patience = (0.0, STALL) if self.hurried else (None, None)
            return engine.think(match.start, match.moves, level.limits, due=due, patience=patience)
        except EngineError:
            self.close()
            raise
        finally:
            self.hurried = False

    def check(self, level: Level) -> None:
        """Raise MatchError if a level has a Skill Level that the engine can't set."""
        if level.skill is not None and not self.open().has_option(SKILL):
            raise MatchError(f"{self.name} has no option {SKILL}")
