"""A training session from its first game to its last, in one or several runs of the script."""

from __future__ import annotations

import pathlib
import random
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple

from games.base import Game
from games.data import DamagedError, read_numbers, write_numbers
from games.learned import weights
from games.learned.patterns import Layout
from scripts.command_line import counted
from scripts.jobs import signals
from scripts.jobs.files import FileError, WriteError, explained, replace
from scripts.jobs.run import Run
from scripts.learning import selfplay
from scripts.learning.learner import Learner
from scripts.learning.selfplay import Network
from scripts.learning.survey import Survey

NAME = b"plyglot learning 1\n"
SUFFIX = ".learning"
# Seconds between two progress lines, and between two saves.
_TELL, _SAVE = 5.0, 60.0
# Number of games per job of an executor.
_BATCH = 20
# Attributes of a Learner that are saved for later runs.
_COUNTS = ("games", "positions", "error")
# The network's value for a score of win_scale.  Such a score wins three games in four.  If a win
# counts 1 and a loss -1, the expected result is 0.5, the tanh of this value.
_WIN_SCALE = 0.5493


class TrainingSettings(NamedTuple):
    """The parameters of a game's training.

    minutes, games: limits of all runs together; None for no limit.
    patterns: kinds of patterns.  phases: number of phases.  None stands for the default.
    """

    game: Game
    plugins: list[str]
    seed: int = 1
    minutes: float | None = None
    games: int | None = None
    patterns: list[str] | None = None
    phases: int | None = None
    decay: float = 0.8
    exploring: float = 0.1
    opening: int = 8

    def terms(self) -> dict[str, Any]:
        """Return the parameters that can't change between runs, as JSON values."""
        names = ("patterns", "seed", "phases", "exploring", "opening")
        terms = {name: getattr(self, name) for name in names}
        return {"game": self.game.name, "lambda": self.decay, **terms}

    def play(self) -> dict[str, Any]:
        """Return the parameters of selfplay.play()."""
        return {"opening": self.opening, "exploring": self.exploring, "decay": self.decay}


@dataclass
class Learning:
    """The training of one game.

    path: path of the weights; the state for later runs is beside it.
    tell(text): shows a line.
    runner: the Run that plays the games, or None to play them in this process.
    seconds: training time so far.
    """

    settings: TrainingSettings
    path: str
    tell: Callable[[str], None]
    runner: Run | None = None

    def __post_init__(self) -> None:
        self.seconds = 0.0
        if not self._load():
            settings = self.settings
            survey = Survey(settings.game, settings.seed)
            layout = survey.layout(settings.patterns, settings.phases)
            self.learner = Learner(Network(layout, survey.scale))
        self.network = self.learner.network

    # ---- the games --------------------------------------------------------------------------

    def run(self) -> None:
        """Play and learn until a limit is reached; save everything, even if interrupted."""
        self._told = self._saved = time.monotonic()
        self._begun = self._told - self.seconds
        batches = self._batches()
        try:
            while self.share() < 1:
                games = next(batches)
                with signals.held():
                    for moves, returns in games:
                        self._learn(moves, returns)
        finally:
            with signals.held():
                self.save()

    def _batches(self) -> Iterator[list[tuple[list[int], list[float]]]]:
        settings = self.settings
        while self.runner is None:
            dice = random.Random(f"{settings.seed} {self.learner.games}")
            yield [selfplay.play(settings.game, self.network, dice, **settings.play())]
        for _, result in self.runner.results(self._jobs()):
            yield result["games"]

    def _jobs(self) -> Iterator[dict[str, Any]]:
        """Yield the jobs for an executor, each with the current weights."""
        settings, first = self.settings, self.learner.games
        while settings.games is None or first < settings.games:
            count = _BATCH if settings.games is None else min(_BATCH, settings.games - first)
            yield {
                "id": str(first),
                "game": settings.game.name,
                "plugins": settings.plugins,
                "layout": self.network.layout.data(),
                "scale": self.network.scale,
                "weights": [list(phase) for phase in self.network.phases],
                "seed": settings.seed,
                "first": first,
                "count": count,
                "play": settings.play(),
            }
            first += count

    def _learn(self, moves: list[int], returns: list[float]) -> None:
        learner = self.learner
        learner.learn(self.settings.game, moves, returns)
        now = time.monotonic()
        self.seconds = now - self._begun
        if now - self._told >= _TELL:
            self._told = now
            self.tell(self.progress())
        if now - self._saved >= _SAVE:
            self._saved = now
            self.save()

    def share(self) -> float:
        """Return the share of the training that is done, 0 to 1."""
        games, minutes = self.settings.games, self.settings.minutes
        of_games = self.learner.games / games if games else 0.0
        return max(of_games, self.seconds / (60 * minutes) if minutes else 0.0)

    def progress(self) -> str:
        """Return a progress line: games, positions, error, speed, time left."""
        learner = self.learner
        share = min(self.share(), 1.0)  # the limit may be lower than in earlier runs
        minutes, seconds = divmod(int(self.seconds * (1 - share) / share) if share else 0, 60)
        speed = f", {learner.games / self.seconds:.0f} games per second" if self.seconds else ""
        return (
            f"{counted(learner.games, 'game')}, {counted(learner.positions, 'position')}, "
            f"error {learner.error**0.5:.3f}{speed}, {minutes}:{seconds:02} left"
        )

    # ---- the weights and the saved state ----------------------------------------------------

    def weights(self) -> bytes:
        """Return the bytes of the weights file."""
        game, scale = self.settings.game, self.network.scale
        unit = game.scores.win_scale / _WIN_SCALE if scale is None else scale * game.margin_unit
        phases = [[weight * unit for weight in phase] for phase in self.network.phases]
        return weights.write(game.name, self.network.layout, phases)

    def save(self) -> None:
        """Save the state for later runs; raise WriteError if that fails."""
        learner, network = self.learner, self.network
        header = {
            "terms": self.settings.terms(),
            "layout": network.layout.data(),
            "scale": network.scale,
            **{name: getattr(learner, name) for name in _COUNTS},
            "seconds": self.seconds,
        }
        body = zlib.compress(b"".join(map(write_numbers, learner.arrays)), 1)
        path = self.path + SUFFIX
        with explained("write", path, WriteError):
            replace(path, [weights.pack(NAME, header, body)])

    def _load(self) -> bool:
        """Load the saved state; return False if there is none."""
        path = pathlib.Path(self.path + SUFFIX)
        if not path.exists():
            return False
        try:
            header, body = weights.unpack(NAME, path.read_bytes())
            problem = _difference(header["terms"], self.settings.terms())
            if not problem:
                self._restore(header, zlib.decompress(body))
        except (DamagedError, KeyError, ValueError, zlib.error) as error:
            problem = f"is damaged ({error})"
        if problem:
            raise FileError(f"{path} {problem}; delete it to start from scratch")
        return True

    def _restore(self, header: dict[str, Any], body: bytes) -> None:
        network = Network(Layout(**header["layout"]), header["scale"])
        self.learner = learner = Learner(network)
        numbers, size = read_numbers("d", body), network.size
        if len(numbers) != len(learner.arrays) * size:
            raise DamagedError("wrong number of weights")
        for index, values in enumerate(learner.arrays):
            values[:] = numbers[index * size : (index + 1) * size]
        for name in _COUNTS:
            setattr(learner, name, header[name])
        self.seconds = header["seconds"]


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Return a phrase with the settings of `one` that differ in `other`, "" if none do."""
    words = []
    for key in other:
        value = one.get(key)
        if value != other[key]:
            text = " ".join(value) if isinstance(value, list) else value
            words.append(f"{key} {'by default' if value is None else text}")
    return f"was begun with other settings ({', '.join(words)})" if words else ""
