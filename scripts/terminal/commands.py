"""The conversation of scripts/play with a person: it carries out typed lines, and engines move.

A typed line is a move or a command.  Each method `do_NAME` carries out the command NAME.
"""

from __future__ import annotations

import cmd
import sys
import threading
from typing import TYPE_CHECKING

from games import registry
from games.base import GameError
from games.data import Lazy
from plyglot.errors import EngineError
from protocol.moves import read_any_move
from protocol.records.formats import named_format
from protocol.records.record import Evaluation, Start, Step
from protocol.scores import note_text
from scripts.arena.client import evaluation_of
from scripts.command_line import clean, command_text, counted, tell, translated
from scripts.jobs import signals
from scripts.jobs.files import FileError, Output
from scripts.terminal.match import PERSON, Match, MatchError, keep, load
from scripts.terminal.opponent import HINT, Opponent
from scripts.terminal.screen import LineView

if TYPE_CHECKING:
    from scripts.terminal.play import PlayRequest

# At the end of the input, `cmd` reads EOF.
_ALIASES = {**dict.fromkeys(("q", "exit", "bye", "eof"), "quit"), "u": "undo"}
# {answer to the question _WHO_BEGINS: does the person begin?}
_ANSWERS = {"yes": True, "y": True, "no": False, "n": False}
_WHO_BEGINS, _OVER = "Do you want to begin? [yes/no] ", "Game over (new, undo, save, quit)> "


class Commands(cmd.Cmd):
    """A PlayRequest in progress; the docstrings of its commands are the help.

    match: the game on the board.
    opponents: the engine that plays each side, None for a person.
    view: shows the board, the moves and the messages.
    """

    doc_header = "A move, or one of these commands (type help and a command to have it explained):"
    nohelp = 'there is no help on "%s": type help for a list'
    ruler = ""

    def __init__(self, request: PlayRequest, view: LineView) -> None:
        super().__init__("tab" if sys.stdin.isatty() else "")  # "" disables readline
        self.request, self.view = request, view
        self.stdout = view  # type: ignore[assignment]  # `cmd` only writes help there
        self.match = request.match
        self.opponents = list(request.opponents)
        self._tell = view.tell
        # Must the person say who begins?  Do engines wait until the person types go or a move?
        self._asking = self._waiting = False
        self._files = Lazy(Output)  # files that `save` wrote and may replace

    def run(self) -> None:
        """Play until the person quits or, with --watch, the game ends."""
        try:
            with signals.interrupts_to(self._move_now):
                self._begin(self.request.match, self.request.asks)
                self._let_engines_move()
                if not (self.request.watch and self.match.over):
                    self.cmdloop()
        except signals.Interrupted:
            tell("\n" + self._farewell())
            raise
        tell(self._farewell())

    def _farewell(self) -> str:
        """Return the last line to show, with the command that resumes an unfinished game."""
        if not self._kept:
            return "Goodbye."
        words = ["scripts/play", "--resume"]
        if self.match.start.game.name not in registry.built_in():
            words += [word for where in self.request.plugins for word in ("--plugin", where)]
        return f"Goodbye. To resume the game: {command_text(words)}"

    # ---- between commands -----------------------------------------------------------------

    def preloop(self) -> None:
        """Make moves such as O-O one word for the Tab key."""
        if not self.completekey:
            return
        try:
            import readline
        except ImportError:  # Windows has no readline
            return
        readline.set_completer_delims(" ")
        # On macOS, `cmd` doesn't bind Tab before Python 3.13.
        if "libedit" in (readline.__doc__ or ""):
            readline.parse_and_bind("bind ^I rl_complete")

    def precmd(self, line: str) -> str:
        """Return a typed line with its command's name as `cmd` knows it: lower case, no alias."""
        if line == "EOF":  # the end of the input, which leaves the cursor after the question
            tell("")
        word, _, argument = line.strip().partition(" ")
        name = word.lower() if argument else _ALIASES.get(word.lower(), word.lower())
        return f"{name} {argument}" if hasattr(self, f"do_{name}") else line.strip()

    def onecmd(self, line: str) -> bool:
        """Carry out a line; return whether the person wants to leave."""
        try:
            return bool(super().onecmd(line))
        except (MatchError, GameError, EngineError) as error:
            self._tell(clean(str(error)))
            return False

    def postcmd(self, stop: bool, line: str) -> bool:
        """Let engines move until a person is to move; return whether the person wants to leave."""
        if not stop:
            self._let_engines_move()
        return stop

    def emptyline(self) -> bool:
        """Answer yes if the person is asked whether to begin; else only repeat the prompt."""
        if self._asking:
            self._answer(True)
        return False

    def completenames(self, text: str, *ignored: object) -> list[str]:
        """Return the moves and commands that begin with a text, for the Tab key."""
        known = super().completenames(text.lower())
        if not self.match.over:
            words = map(self.match.words, self.match.position.legal_moves())
            known += [word for word in words if word.lower().startswith(text.lower())]
        return sorted(known)

    def default(self, line: str) -> None:
        """Carry out a line that isn't a command: a move, or the answer to the question who begins.

        Raises GameError if the line is neither.
        """
        if self.match.over:
            raise GameError(line, "is not understood: the game is over")
        if self._asking and line.lower() in _ANSWERS:
            self._answer(_ANSWERS[line.lower()])
            return
        position = self.match.position
        try:
            # blanks may separate squares: d2 d4
            move = read_any_move(position, "".join(line.split()), typed=True)
        except GameError as error:
            if self._asking:
                raise GameError(line, "is not understood: type yes or no") from None
            check = ", the king is in check" if position.in_check() else ""
            some = ", ".join(self.match.words(move) for move in position.legal_moves()[:3])
            hint = f'type a move (for example {some}) or "help"'
            raise GameError(line, f"{error.reason}{check}: {hint}") from None
        self._asking = self._waiting = False
        self._play(move)

    def _begin(self, match: Match, asks: bool = False) -> None:
        """Replace the game on the board.

        asks: ask the person, who is the first player until then, whether to begin.
        """
        match.style = self.match.style
        self.match, self.prompt = match, ""
        self._asking = self._waiting = asks
        self._kept = False  # is the current state saved for --resume?
        for engine in self.request.engines:
            if engine.client is not None:
                engine.client.new_game()
        # Turn the board if the only person sits at its top; never turn one of discs or marks.
        persons = [side for side, opponent in enumerate(self.opponents) if opponent is None]
        looks = match.start.game.looks
        self.view.flipped = persons == [1 - looks.bottom] and bool(looks.symbols)
        if not asks:
            self._tell(match.problem)
            if not self.request.watch:
                self._tell("Type a move or help.")
            self.view.show(match)

    def _answer(self, begins: bool) -> None:
        """Start the game once the person has said whether to begin."""
        if not begins:
            self.opponents.reverse()
        self._begin(self.match)

    # ---- turns ----------------------------------------------------------------------------

    def _let_engines_move(self) -> None:
        """Let engines move until a person must act; then set the prompt."""
        while not (self.match.over or self._waiting) and (engine := self._opponent()):
            self._let_engine_move(engine)
        if self.match.over:
            if self.prompt != _OVER:
                self._tell("{}  {}".format(*self.match.ending()))
            self.prompt = _OVER
        else:
            self.prompt = _WHO_BEGINS if self._asking else f"{self._colour_name()} to move> "
        self.view.refresh(self.match, self.prompt)

    def _let_engine_move(self, engine: Opponent) -> None:
        side = self.match.position.side
        try:
            self.view.refresh(self.match)
            answer = engine.think(self.match, engine.level)
        except EngineError as error:
            self._waiting = True
            advice = "Type go to start it again, or another command."
            self._tell(f"The engine failed ({error.kind}: {error}). {advice}")
            return
        if answer.move is None:
            self.do_resign("")
        else:
            shown = self.request.hints
            self._play(answer.move, evaluation_of(answer.best, side) if shown else None)

    def _play(self, move: int, evaluation: Evaluation | None = None) -> None:
        """Play a move.  evaluation: the engine's evaluation if it should be shown."""
        step = Step(move)
        if evaluation is not None:
            step.evaluation = evaluation
        remark = self._opinion(evaluation)
        self._tell(f"{self._colour_name()}: {self.match.words(move)}{remark}")
        self.match.add(step)
        self._keep()
        self.view.show(self.match)

    def _keep(self) -> None:
        """Save the game for --resume; delete the saved game if there is nothing to resume.

        Do nothing with --watch.
        """
        if self.request.watch:
            return
        self._kept = False
        try:
            self._kept = keep(self.match, self._player_names())
        except MatchError as error:
            self._tell(str(error))

    def _player_names(self) -> list[str]:
        return [PERSON if opponent is None else opponent.name for opponent in self.opponents]

    def _move_now(self) -> bool:
        """Make the engine move now if this is the first Ctrl-C of its turn; else return False."""
        engine = None if self.match.over or self._waiting else self._opponent()
        if engine is None or engine.hurried or self.request.watch:
            return False  # with --watch, Ctrl-C leaves at once
        engine.hurried = True

        def say(engine: Opponent = engine) -> None:
            tell("\nThe engine was told to move now. Press Ctrl-C again to leave.")
            if engine.client is not None:
                engine.client.move_now()

        # The signal may have interrupted a write, and a second write inside it would fail.
        threading.Thread(target=say, daemon=True).start()
        return True

    def _opponent(self) -> Opponent | None:
        return self.opponents[self.match.position.side]

    def _colour_name(self) -> str:
        return self.match.start.game.colours[self.match.position.side]

    def _opinion(self, evaluation: Evaluation | None) -> str:
        """Return an evaluation in parentheses, to write after a move; "" for None."""
        if evaluation is None:
            return ""
        depth = "" if evaluation.depth is None else f", depth {evaluation.depth}"
        score = note_text(evaluation.score, evaluation.mate, self.match.start.game)
        return f"  ({score}{depth})"

    def _check_not_over(self) -> None:
        if self.match.over:
            raise MatchError("the game is over")

    # ---- commands -------------------------------------------------------------------------

    def do_moves(self, argument: str) -> None:
        """moves [SQUARE]: show all legal moves, or those from and to a square"""
        position = self.match.position
        legal, square = position.legal_moves(), argument.lower()
        moves = [move for move in legal if square in position.move_text(move).lower()]
        self._tell(" ".join(map(self.match.words, moves)) or "No such moves.")

    def do_board(self, argument: str) -> None:
        """board: show the board and the position's text"""
        self.view.show(self.match)
        self._tell(self.match.position.text())

    def do_notation(self, argument: str) -> None:
        """notation [NAME]: show or choose how moves are written, e.g. kif in shogi"""
        names = list(self.match.position.notations())
        if argument and argument not in names:
            raise MatchError(f"notation must be one of {', '.join(names)}, not {argument}")
        self.match.style = argument or self.match.style
        self._tell(f"Notation: {self.match.style or names[0]} (of {', '.join(names)}).")

    def do_undo(self, argument: str) -> None:
        """undo: take back your last move and the engine's reply (also u)"""
        count = len(self.match.line)
        self.match.undo()
        while self._opponent() is not None and self.match.moves and None in self.opponents:
            self.match.undo()
        # The engine made the first move, so there is no move of the person to take back.
        if self._opponent() is not None:
            self._waiting = True
        self.prompt = ""  # so that the next end of the game is reported, even if it comes at once
        self._keep()
        count -= len(self.match.line)
        undone = counted(count, "move") if count else "the end of the game"
        go = " Type go to let the engine move." if self._waiting else ""
        self._tell(f"Taken back: {undone}.{go}")
        self.view.show(self.match)

    def do_flip(self, argument: str) -> None:
        """flip: turn the board round"""
        self.view.flipped = not self.view.flipped
        self.view.show(self.match)

    def do_hint(self, argument: str) -> None:
        """hint: let the engine suggest a move"""
        self._check_not_over()
        answer = self.request.engines[0].think(self.match, HINT)
        if answer.move is None:
            raise MatchError("the engine would resign")
        opinion = self._opinion(evaluation_of(answer.best, self.match.position.side))
        self._tell(f"Hint: {self.match.words(answer.move)}{opinion}")

    def do_save(self, argument: str) -> None:
        """save FILE: save the game; without a suffix, in its usual format"""
        if not argument:
            raise MatchError("save needs a file name, such as my-game")
        path = self.match.path(argument)
        text = self.match.text(named_format(path), self._player_names())
        with translated(MatchError, FileError):
            self._files[path].write([text])
        self._tell(f"Saved in {clean(path)}.")

    def do_load(self, argument: str) -> None:
        """load FILE: continue a game from a file"""
        if not argument:
            raise MatchError("load needs a file name")
        self._begin(load(argument, self.match.start.game.name))

    def do_resign(self, argument: str) -> None:
        """resign: resign the game"""
        self._check_not_over()
        self.match.resigned = self.match.position.side
        self._keep()

    def do_new(self, argument: str) -> None:
        """new [GAME]: start a new game, of the same kind unless GAME says otherwise"""
        with translated(MatchError, registry.UnknownGame):
            same = Start(self.match.start.game, None, self.match.start.options)
            match = Match(Start(registry.get(argument)) if argument else same)
        self.opponents.sort(key=bool)  # the person is the first player when asked who begins
        self._begin(match, self.opponents.count(None) == 1)

    def do_go(self, argument: str) -> None:
        """go: let the engine play this side from now on"""
        self._check_not_over()
        if self._opponent() is None:
            self.opponents[self.match.position.side] = self.request.engines[0]
            self.opponents[1 - self.match.position.side] = None
        self._asking = self._waiting = False

    def do_level(self, argument: str) -> None:
        """level [depth N | time SECONDS | nodes N | skill -5..20]: show or set the strength"""
        for engine in self.request.engines if argument else ():
            level = engine.level.changed(argument.split())
            engine.check(level)
            engine.level = level
        self._tell(f"Level: {self.request.engines[0].level}.")

    def do_quit(self, argument: str) -> bool:
        """quit: leave (also q and exit)"""
        return True
