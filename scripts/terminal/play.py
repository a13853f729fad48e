"""The conversation of scripts/play: shows the board, reads commands, lets engines move."""
from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from games import registry
from games.base import GameError
from protocol.records.record import Note, Start
from protocol.records.san import line_text, move_words
from protocol.scores import note_text, points
from scripts.arena.process import EngineError
from scripts.command_line import WRONG, clean, complain
from scripts.jobs import signals
from scripts.terminal import arguments, autosave, board
from scripts.terminal.match import Match, MatchError, load
from scripts.terminal.opponent import Level, read_level
from scripts.terminal.screen import Lines, Screen, draws_in_place, look_of

if TYPE_CHECKING:
    from games.types import Cell
    from scripts.arena.client import Answer
    from scripts.terminal.opponent import Opponent


class Quit(Exception):
    """The person has had enough."""


class Conversation:
    """A Configuration (arguments.py) in progress.

    ask(prompt): a line, EOFError at the end of input.  view: what shows it (screen.py).
    seconds: that each player has thought.  flipped: is the board seen from the second player's
    side?
    """

    def __init__(self, configuration: arguments.Configuration, ask: Callable[[str], str] = input,
                 view: Lines | Screen | None = None) -> None:
        self.configuration, self.match = configuration, configuration.match
        self.opponents = list(configuration.opponents)
        self._input, self._view = ask, view or Lines(print)
        self._tell, self._hints = self._view.tell, configuration.hints
        self.seconds, self.flipped = [0.0, 0.0], False
        # moves taken back that redo plays again, the next one last
        self._undone: list[int] = []
        self.targets: list[Cell] = []       # cells that `moves` shows on the board
        self._hurried = False       # the engine whose turn it is was told to move now
        self._waiting = False       # an engine failed: the person decides what happens next
        self._told = False          # the end of this game was shown
        self._commands = {name[len("do_"):]: getattr(self, name)
                          for name in dir(self) if name.startswith("do_")}

    # ---- the course of things --------------------------------------------------------------------

    def run(self) -> None:
        """Play until the person quits, or until two engines have finished."""
        try:
            if self.configuration.asks:
                self._ask_who_begins()
            self._look_from_the_persons_side()
            with signals.interrupts_to(self._move_now):
                self._tell("Type a move, or help.")
                self.show()
                while True:
                    self._step()
        except (Quit, EOFError):
            tell(self.farewell())

    def farewell(self) -> str:
        """What is said at the end: how to go on with a game that has begun."""
        kept = self._keeps() and self.match.moves and not self.match.over
        return "Goodbye." + (" scripts/play --resume goes on with the game." if kept else "")

    def _keeps(self) -> bool:
        """Is the game kept as it goes on?  Not where two engines play."""
        return not self.configuration.watch

    def _keep(self) -> None:
        """Keep the game, so that nothing loses it."""
        if not self._keeps():
            return
        if self.match.over or not self.match.moves:
            autosave.drop()
            return
        names = [autosave.PERSON if opponent is None else opponent.name
                 for opponent in self.opponents]
        failed = autosave.keep(self.match.text("json", names))
        if failed:
            self._tell(failed)

    def _ask(self, prompt: str, turn: bool = False) -> str:
        """A line of the person's, with the board before his eyes; turn: his clock goes on."""
        self._view.refresh(self)
        with self._view.ticking(self) if turn else contextlib.nullcontext():
            line = self._input(prompt)
        self.targets = []
        self._view.asked()
        return line

    def _look_from_the_persons_side(self) -> None:
        """Where boards are turned round for the second player, turn it where he is the only
        person.
        """
        sides = [side for side, opponent in enumerate(self.opponents) if opponent is None]
        self.flipped = self._view.in_place and sides == [1] and look_of(self.match.start.game).turns

    def _step(self) -> None:
        if self.match.over and not self._told:
            self._told = True
            self._tell("{}  {}".format(*self.match.result()))
            if self.configuration.watch:
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
            self._hurried = False

    def _opponent(self) -> Opponent | None:
        return self.opponents[self.match.position.side]

    def _prompt(self) -> str:
        if self.match.over:
            return "The game is over (new, undo, save, quit)> "
        return f"{self._colour_name()} to move> "

    def _colour_name(self, side: int | None = None) -> str:
        return self.match.start.game.colours[self.match.position.side if side is None else side]

    def _ask_who_begins(self) -> None:
        """`Do you want to begin?`, until the answer is clear."""
        while True:
            answer = self._ask("Do you want to begin? [yes/no] ").strip().lower()
            if answer in ("yes", "y", ""):
                return
            if answer in ("no", "n"):
                self.opponents.reverse()
                return
            self._not_clear(answer, "yes or no")

    def _not_clear(self, text: str, wanted: str) -> None:
        self._tell(f"That is not clear: {clean(text[:60]) or 'nothing'}. Please type {wanted}.")

    def show(self) -> None:
        """Show the board."""
        self._view.show(self)

    def _play(self, move: int, remark: str = "") -> None:
        words = move_words(self.match.position, move)
        self._tell(f"{self._colour_name()}: {words}{remark}")
        self.match.play(move)
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
            self._tell(f"The engine failed ({error.kind}: {error}). "
                       "Type go to start it again, or another command.")
            return
        if answer.move is None:
            self.match.resigned = self.match.position.side
            self._keep()
            return
        self._undone = []
        self._play(answer.move, f"  ({self._opinion(answer, self._hints)})" if answer.infos else "")

    def _move_now(self) -> bool:
        """A Ctrl-C in an engine's turn, the first one: it is to move now.  False in other turns."""
        engine = None if self.match.over or self._waiting else self._opponent()
        if engine is None or self._hurried:
            return False
        self._hurried = True
        tell("\nThe engine is told to move now. Ctrl-C again leaves.")
        engine.hurry()
        return True

    def _opinion(self, answer: Answer, tells_end: bool = True) -> str:
        """Score and depth of an Answer, in the position before its move.

        tells_end: say also that it has seen the end of the game.
        """
        if answer.mate is not None and not tells_end:
            depth = "" if answer.depth is None else f", depth {answer.depth}"
            return "it has thought" + depth
        sign = 1 if self.match.position.side == 0 else -1
        if answer.mate is not None:
            note = Note(mate=sign * answer.mate)
        elif answer.score is not None:
            note = Note(score=sign * answer.score)
        else:
            return "no score"
        depth = "" if answer.depth is None else f", depth {answer.depth}"
        return note_text(note, self.match.start.game) + depth

    # ---- what a person says ----------------------------------------------------------------------

    def _obey(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        command = self._commands.get(word.lower())
        try:
            if not word:
                self._not_clear("", "a move, or help")
            elif command is not None:
                command(rest.strip())
            elif self.match.over:
                self._not_clear(line.strip(), "a command, or help: the game is over")
            else:
                self._move(line.strip())
        except (MatchError, EngineError) as error:
            self._tell(clean(str(error)))

    def _move(self, text: str) -> None:
        try:
            move = self.match.read(text)
        except GameError as error:
            self._tell(f"That is no move: {clean(str(error))}. "
                       f"Please type one such as {self._some_moves()}, or help.")
            return
        self._waiting, self._undone = False, []
        self._play(move)

    def _some_moves(self) -> str:
        position = self.match.position
        return " ".join(move_words(position, move) for move in position.legal_moves()[:4])

    def do_help(self, rest: str) -> None:
        """help: show this"""
        if not self.match.over:
            self._tell(f"A move, as in {self._some_moves()}, or:")
        for name in sorted(self._commands):
            self._tell(f"  {self._commands[name].__doc__}")

    def do_moves(self, rest: str) -> None:
        """moves [SQUARE]: show all legal moves, or those from and to a square, on the board too"""
        position = self.match.position
        moves = [move for move in position.legal_moves()
                 if rest.lower() in position.move_text(move).lower()]
        cells = [board.target_cell(position, move) for move in moves]
        self.targets = [cell for cell in cells if cell is not None]
        self._tell(" ".join(move_words(position, move) for move in moves) or "There is none.")

    def do_board(self, rest: str) -> None:
        """board: show the board and the position's text"""
        self.show()
        self._tell(self.match.position.text())

    def do_undo(self, rest: str) -> None:
        """undo: take back your last move, and the engine's answer"""
        before, count = list(self.match.moves), len(self.match.moves)
        if self.match.resigned is not None:
            self.match.rewind(self.match.moves)
        else:
            self.match.undo()
            while self._opponent() is not None and self.match.moves and None in self.opponents:
                self.match.undo()
            # the engine began: there is no move of the person's own
            if self._opponent() is not None:
                self._waiting = True
        self._told = False
        self._undone += reversed(before[len(self.match.moves):])
        self._keep()
        self._tell(f"{count - len(self.match.moves)} moves taken back."
                   + (" Type go to let the engine move." if self._waiting else ""))
        self.show()

    def do_redo(self, rest: str) -> None:
        """redo: play again what undo took back last, up to your turn"""
        if not self._undone:
            raise MatchError("there is no move to play again")
        self.match.play(self._undone.pop())
        while self._undone and self._opponent() is not None:
            self.match.play(self._undone.pop())
        self._waiting = self._opponent() is not None and not self.match.over
        self._keep()
        self.show()

    def do_flip(self, rest: str) -> None:
        """flip: see the board from the other side (where it is drawn in place)"""
        if not self._view.in_place:
            raise MatchError("the board is turned round only where it is drawn in place")
        self.flipped = not self.flipped

    def do_hints(self, rest: str) -> None:
        """hints: tell, or no longer, when the engine has seen the end of the game"""
        self._hints = not self._hints
        self._tell(f"Hints are {'on' if self._hints else 'off'}.")

    def do_resume(self, rest: str) -> None:
        """resume: go on with the last game that was not finished"""
        if not autosave.path().exists():
            raise MatchError("there is no unfinished game to go on with")
        self._begin(load(str(autosave.path())))

    def do_hint(self, rest: str) -> None:
        """hint: let the engine suggest a move"""
        if self.match.over:
            raise MatchError("the game is over")
        answer = self.configuration.adviser.advise(self.match)
        if answer.move is None:
            raise MatchError("the engine would resign")
        words = move_words(self.match.position, answer.move)
        self._tell(f"Hint: {words}" + (f"  ({self._opinion(answer)})" if answer.infos else ""))

    def do_eval(self, rest: str) -> None:
        """eval: the engine's evaluation, and the static one term by term"""
        position = self.match.position
        if self.match.over:
            raise MatchError("{}  {}".format(*self.match.result()))
        for name, score in position.evaluation_terms():
            self._tell(f"  {name}: {points(score, position.game)}")
        self._tell(f"Static evaluation for {self._colour_name()}, who is to move: "
                   f"{points(position.evaluate(), position.game)}")
        answer = self.configuration.adviser.advise(self.match)
        line = f"  {line_text(position, [answer.move])}" if answer.move is not None else ""
        self._tell(
            f"Searched: {self._opinion(answer)}{line}  (+ is good for {self._colour_name(0)})")

    def do_save(self, rest: str) -> None:
        """save FILE: keep the game, in the format of its field (or .jsonl) where FILE names none"""
        if not rest:
            raise MatchError("save needs the name of a file, such as my-game")
        names = [self._colour_name(side) if opponent is None else opponent.name
                 for side, opponent in enumerate(self.opponents)]
        self._tell(f"Saved in {clean(self.match.save(rest, names))}.")

    def do_load(self, rest: str) -> None:
        """load FILE: go on with a game from a file"""
        if not rest:
            raise MatchError("load needs the name of a file")
        self._begin(load(rest, self.match.start.game.name))

    def do_resign(self, rest: str) -> None:
        """resign: give the game up"""
        if self.match.over:
            raise MatchError("the game is over already")
        self.match.resigned = self.match.position.side
        self._keep()

    def do_new(self, rest: str) -> None:
        """new [GAME]: a new game, perhaps of another kind"""
        try:
            start = Start(registry.get(rest)) if rest else Start(self.match.start.game, None,
                                                                 self.match.start.options)
        except KeyError:
            raise MatchError(
                f"no such game: {rest} (there are: {', '.join(registry.names())})") from None
        match = Match(start)
        if self.opponents.count(None) == 1:
            self._ask_who_begins_again()
        self._begin(match)

    def _ask_who_begins_again(self) -> None:
        if self.opponents[0] is not None:
            self.opponents.reverse()
        self._ask_who_begins()

    def _begin(self, match: Match) -> None:
        self.match, self._waiting, self._told, self._undone = match, False, False, []
        self.seconds = [0.0, 0.0]
        self._look_from_the_persons_side()
        for engine in self.configuration.every_engine:
            engine.new_game()
        self.show()

    def do_go(self, rest: str) -> None:
        """go: let the engine move now; it plays this side from here on"""
        if self.match.over:
            raise MatchError("the game is over")
        if self._opponent() is None:
            self.opponents[self.match.position.side] = self.configuration.adviser
            self.opponents[1 - self.match.position.side] = None
        self._waiting = False

    def do_level(self, rest: str) -> None:
        """level [depth N | time SECONDS | nodes N | skill 0..20]: show or set the strength"""
        words = rest.split()
        if not words:
            self._tell(f"Level: {self.configuration.adviser.level}. Type level and depth N, "
                       "time SECONDS, nodes N or skill 0..20 to change it.")
            return
        try:
            level = read_level(words)
        except ValueError:
            raise MatchError("level needs depth N, time SECONDS, nodes N or skill 0..20") from None
        for engine in self.configuration.every_engine:
            old = engine.level
            if level.skill is None:
                engine.level = Level(level.depth, level.nodes, level.seconds, old.skill)
            elif engine.has_skill():
                engine.level = Level(old.depth, old.nodes, old.seconds, level.skill)
            else:
                raise MatchError("this engine has no Skill Level")
        self._tell(f"Level: {self.configuration.adviser.level}.")

    def do_quit(self, rest: str) -> None:
        """quit: leave"""
        raise Quit


def tell(text: str) -> None:
    """Show a line at once."""
    print(text, flush=True)


def _edit_lines() -> None:
    """Arrow keys and history for what is typed, where Python has them."""
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401 (input() uses it from here on)
        except ImportError:
            pass


def ask_game(ask: Callable[[str], str] = input, tell: Callable[[str], None] = tell) -> str:
    """The name of a game of the registry, asked for until it is one."""
    tell(f"Which game? There are: {', '.join(registry.names())}")
    while True:
        name = ask("Game> ").strip()
        try:
            return registry.canonical(name)
        except KeyError:
            tell(f"There is no game of that name: {clean(name[:60]) or 'nothing'}.")


def main(words: Sequence[str] | None = None) -> int:
    """Carry out a command line; the exit status."""
    signals.listen()
    _edit_lines()
    try:
        return run(arguments.parse(words, ask_game if sys.stdin.isatty() else None))
    except signals.Interrupted as signalled:
        signals.ignore()
        tell("")        # the shell's prompt begins a line of its own
        return signalled.status
    except EOFError:
        tell("Goodbye.")
        return 0


def run(configuration: arguments.Configuration) -> int:
    """Play what a Configuration asks for; the exit status."""
    try:
        for engine in configuration.every_engine:
            if engine in configuration.opponents:
                engine.open()
            if engine.level.skill is not None and not engine.has_skill():
                raise MatchError("this engine has no Skill Level")
        colour = board.has_colour(sys.stdout)
        in_place = draws_in_place(sys.stdout) and not configuration.plain
        conversation = Conversation(configuration,
                                    view=(Screen if in_place else Lines)(tell, colour))
        try:
            conversation.run()
        except signals.Interrupted:
            tell("\n" + conversation.farewell())
            raise
        return 0
    except (EngineError, MatchError) as error:
        complain("scripts/play", error)
        return WRONG
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")      # nobody reads: there is nothing left to say
        return 1
    finally:
        for engine in configuration.every_engine:
            engine.close()
