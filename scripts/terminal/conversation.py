"""The conversation of scripts/play: shows the board, asks the person, lets engines move."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from games import registry
from plyglot.errors import EngineError
from protocol.records.record import Evaluation, Step
from protocol.records.san import move_words
from protocol.scores import note_text
from scripts.arena.client import evaluation_of
from scripts.command_line import clean, command_text
from scripts.jobs import signals
from scripts.terminal import autosave
from scripts.terminal.board import look_of
from scripts.terminal.screen import Lines, Screen

if TYPE_CHECKING:
    from games.types import Cell
    from scripts.arena.client import Answer
    from scripts.terminal.arguments import PlayRequest
    from scripts.terminal.opponent import Opponent


QUITTING = ("quit", "q", "exit", "bye")  # words with which a person leaves


def tell(text: str) -> None:
    """Show a line at once."""
    print(text, flush=True)


def _say_move_now(engine: Opponent) -> None:
    """Tell the engine to move now, and report this to the person."""
    tell("\nThe engine was told to move now. Press Ctrl-C again to leave.")
    engine.move_now()


class Quit(Exception):
    """Raised when the person wants to leave."""


class Conversation:
    """A PlayRequest (arguments.py) in progress.

    ask(prompt): returns a line; raises EOFError at the end of input.
    view: the Lines or Screen that shows it (screen.py).
    seconds: thinking time of each player.
    targets: cells that `moves` shows on the board.
    flipped: whether the board is seen from the second player's side.
    """

    def __init__(
        self,
        request: PlayRequest,
        ask: Callable[[str], str] = input,
        view: Lines | Screen | None = None,
    ) -> None:
        self.request, self.match = request, request.match
        self.opponents = list(request.opponents)
        self._input, self._view = ask, view or Lines(print)
        self._tell, self._hints = self._view.tell, request.hints
        self.seconds, self.flipped = [0.0, 0.0], False
        # moves that redo replays, the next one last
        self._undone: list[Step] = []
        self.targets: list[Cell] = []
        self.question = ""  # the prompt that is waiting for an answer
        self._asked_to_move = False  # the engine whose turn it is was told to move now
        self._waiting = False  # an engine failed: the person decides what happens next
        self._end_shown = False
        self._kept = False  # the game as it stands is saved in a file

    def run(self) -> None:
        """Play until the person quits, or until two engines have finished."""
        try:
            if self.request.asks:
                self._ask_who_begins()
            self._turn_board_to_person()
            self._take_settings(self.request.settings)
            with signals.interrupts_to(self._move_now), self._view.resized(self):
                if self.match.problem:
                    self._tell(self.match.problem)
                if not self.request.watch:
                    self._tell("Type a move or help.")
                self.show()
                while True:
                    self._step()
        except (Quit, EOFError):
            tell(self.farewell())

    def farewell(self) -> str:
        """Return the last line to show: how to resume an unfinished game."""
        if not self._kept or not self.match.moves or self.match.over:
            return "Goodbye."
        words = ["scripts/play", "--resume"]
        if self.match.start.game.name not in registry.built_in():
            words += [word for where in self.request.plugins for word in ("--plugin", where)]
        return f"Goodbye. To resume the game: {command_text(words)}"

    def _keep(self) -> None:
        """Save the game in progress, or delete the saved one if there is nothing to resume.

        Games between two engines are not saved.
        """
        if self.request.watch:
            return
        if self.match.over or not self.match.moves:
            autosave.drop()
            self._kept = False
            return
        person = autosave.PERSON
        names = [person if opponent is None else opponent.name for opponent in self.opponents]
        settings = {
            "level": self.request.adviser.level._asdict(),
            "hints": self._hints,
            "flipped": self.flipped,
            "seconds": self.seconds,
        }
        failed = autosave.keep(self.match.text("json", names), settings)
        self._kept = not failed
        if failed:
            self._tell(failed)

    def _ask(self, prompt: str, turn: bool = False) -> str:
        """Show the board and ask for a line; turn: the person's clock runs meanwhile."""
        while self._view.refresh(self, asks=True):
            line = self._input("Press Enter for more> ").strip()
            if line:  # typed ahead: the answer, not a wish to read on
                self._view.asked()
                return line
        self.question = prompt
        with self._view.ticking(self) if turn else contextlib.nullcontext():
            line = self._input(prompt)
        self.question = ""
        self.targets = []
        self._view.asked()
        return line

    def _turn_board_to_person(self) -> None:
        """Turn the board if the only person plays second and this game's board may be turned."""
        sides = [side for side, opponent in enumerate(self.opponents) if opponent is None]
        self.flipped = self._view.in_place and sides == [1] and look_of(self.match.start.game).turns

    def _take_settings(self, settings: dict[str, Any]) -> None:
        """Restore the settings of a saved game; missing ones leave everything as it is."""
        seconds = settings.get("seconds")
        if (
            isinstance(seconds, list)
            and len(seconds) == 2
            and all(type(each) in (int, float) and each >= 0 for each in seconds)
        ):
            self.seconds = [float(each) for each in seconds]
        self._hints = settings.get("hints", self._hints) is True
        if self._view.in_place:
            self.flipped = settings.get("flipped", self.flipped) is True

    def _step(self) -> None:
        if self.match.over and not self._end_shown:
            self._end_shown = True
            self._tell("{}  {}".format(*self.match.result()))
            if self.request.watch:
                self._view.refresh(self)
                raise Quit
        engine = self._opponent()
        if self.match.over or self._waiting or engine is None:
            side, begun = self.match.position.side, time.perf_counter()
            line = self._ask(self._prompt(), not self.match.over)
            if not self.match.over:
                self.seconds[side] += time.perf_counter() - begun
            self._obey(line)
        else:
            self._let_engine_move(engine)
            self._asked_to_move = False

    def _opponent(self) -> Opponent | None:
        return self.opponents[self.match.position.side]

    def _prompt(self) -> str:
        if self.match.over:
            return "Game over (new, undo, save, quit)> "
        return f"{self._colour_name()} to move> "

    def _colour_name(self, side: int | None = None) -> str:
        return self.match.start.game.colours[self.match.position.side if side is None else side]

    def _ask_who_begins(self) -> None:
        """Ask whether the person wants to begin until the answer is valid."""
        while True:
            answer = self._ask("Do you want to begin? [yes/no] ").strip().lower()
            if answer in ("yes", "y", ""):
                return
            if answer in ("no", "n"):
                self.opponents.reverse()
                return
            if answer in QUITTING:
                raise Quit
            self._refuse(answer, "yes or no")

    def _refuse(self, text: str, wanted: str) -> None:
        typed = f'"{clean(text[:60])}" is not understood: ' if text else ""
        self._tell(f"{typed}type {wanted}")

    def show(self) -> None:
        """Show the board."""
        self._view.show(self)

    def _play(self, move: int, remark: str = "", evaluation: Evaluation | None = None) -> None:
        self._tell(f"{self._colour_name()}: {move_words(self.match.position, move)}{remark}")
        self.match.play(move, evaluation)
        self._keep()
        self.show()

    def _let_engine_move(self, engine: Opponent) -> None:
        side = self.match.position.side
        try:
            self._view.refresh(self)
            with self._view.ticking(self):
                answer = engine.move(self.match)
            self.seconds[side] += answer.seconds
        except EngineError as error:
            self._waiting = True
            self._tell(
                f"The engine failed ({error.kind}: {error}). "
                "Type go to start it again, or another command."
            )
            return
        if answer.move is None:
            self.match.resigned = self.match.position.side
            self._keep()
            return
        self._undone = []
        if self._hints and answer.infos:
            self._play(answer.move, f"  ({self._opinion(answer)})", evaluation_of(answer, side))
        else:
            self._play(answer.move)

    def _move_now(self) -> bool:
        """Make the engine move now, on the first Ctrl-C of its turn; return False otherwise."""
        engine = None if self.match.over or self._waiting else self._opponent()
        if engine is None or self._asked_to_move or self.request.watch:
            return False  # a spectator wants to leave
        self._asked_to_move = True
        # The signal may have interrupted a write, and a second write inside it would fail.
        threading.Thread(target=_say_move_now, args=(engine,), daemon=True).start()
        return True

    def _opinion(self, answer: Answer) -> str:
        """Return the score and depth of an Answer as text; the position is before its move."""
        evaluation = evaluation_of(answer, self.match.position.side)
        if evaluation is None:
            return "no score"
        depth = "" if answer.depth is None else f", depth {answer.depth}"
        return note_text(evaluation.score, evaluation.mate, self.match.start.game) + depth

    def _obey(self, line: str) -> None:
        """Carry out a typed line: a move or a command (commands.py)."""
        raise NotImplementedError
