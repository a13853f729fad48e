"""The input that scripts/play understands: moves, and a command for each method `do_NAME`."""

from __future__ import annotations

from typing import Any

from games import registry
from games.base import GameError
from plyglot.errors import EngineError
from protocol.records.record import Start
from protocol.records.san import line_text, move_words
from protocol.scores import points
from scripts.command_line import clean, translated
from scripts.terminal import autosave
from scripts.terminal.conversation import QUITTING, Conversation, Quit
from scripts.terminal.match import Exists, Match, MatchError, load
from scripts.terminal.opponent import Level, read_level
from scripts.terminal.refusals import natural_moves, read_typed, why_not

_PERSON = "Player"  # a person's name in a saved game
# Alias -> command.
_ALIASES = {
    **dict.fromkeys(("?", "h"), "help"),
    **dict.fromkeys(QUITTING, "quit"),
    **dict.fromkeys(("u", "back"), "undo"),
    **dict.fromkeys(("fen", "b"), "board"),
    "r": "redo",
}


class Commands(Conversation):
    """A Conversation that understands moves and commands; their docstrings are the help."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._commands = {
            name[len("do_") :]: getattr(self, name) for name in dir(self) if name.startswith("do_")
        }
        self._files: set[str] = set()  # may be replaced: saved in this session, or requested twice

    def _obey(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        word = _ALIASES.get(word.lower(), word.lower())
        command = self._commands.get(word)
        try:
            if not word:
                pass  # the question is repeated
            elif command is not None:
                command(rest.strip())
            elif self.match.over:
                self._refuse(line.strip(), "a command or help: the game is over")
            else:
                self._move(line.strip())
        except (MatchError, EngineError) as error:
            self._tell(clean(str(error)))

    def _move(self, text: str) -> None:
        try:
            move = read_typed(self.match.position, text)
        except GameError:
            reason = why_not(self.match.position, text)
            self._tell(f"{reason}: type a move such as {self._some_moves()}, or help")
            return
        self._waiting, self._undone = False, []
        self._play(move)

    def _check_not_over(self) -> None:
        if self.match.over:
            raise MatchError("the game is over")

    def _some_moves(self) -> str:
        return ", ".join(natural_moves(self.match.position))

    def do_help(self, rest: str) -> None:
        """help: show this (also ? and h)"""
        if not self.match.over:
            self._tell(f"A move, as in {self._some_moves()}, or:")
        for name in sorted(self._commands):
            self._tell(f"  {self._commands[name].__doc__}")
        self._tell("Tab completes moves and commands if the terminal supports it.")

    def completions(self, text: str) -> list[str]:
        """Return the moves and commands that begin with a text, for the Tab key."""
        known, position = [*self._commands], self.match.position
        if not self.match.over:
            known += [move_words(position, move) for move in position.legal_moves()]
        return sorted(word for word in known if word.lower().startswith(text.lower()))

    def do_moves(self, rest: str) -> None:
        """moves [SQUARE]: show all legal moves, or those from and to a square, on the board too"""
        position = self.match.position
        legal, wanted = position.legal_moves(), rest.lower()
        moves = [move for move in legal if wanted in position.move_text(move).lower()]
        self.targets = [cell for move in moves for cell in position.touched(move)[-1:]]
        self._tell(" ".join(move_words(position, move) for move in moves) or "There are none.")

    def do_board(self, rest: str) -> None:
        """board: show the board and the position's text (also fen)"""
        self.show()
        self._tell(self.match.position.text())

    def do_undo(self, rest: str) -> None:
        """undo: take back your last move and the engine's reply (also u)"""
        before, count = list(self.match.line), len(self.match.line)
        if self.match.resigned is not None or self.match.agreed:
            self.match.rewind(self.match.line)
        else:
            self.match.undo()
            while self._opponent() is not None and self.match.moves and None in self.opponents:
                self.match.undo()
            # the engine began, so the person has no move to take back to
            if self._opponent() is not None:
                self._waiting = True
        self._end_shown = False
        self._undone += reversed(before[len(self.match.line) :])
        self._keep()
        number = count - len(self.match.line)
        words = {0: "The end is taken back.", 1: "One move taken back."}
        self._tell(
            words.get(number, f"{number} moves taken back.")
            + (" Type go to let the engine move." if self._waiting else "")
        )
        self.show()

    def do_redo(self, rest: str) -> None:
        """redo: replay the moves that undo took back, up to your turn"""
        if not self._undone:
            raise MatchError("there is no move to replay")
        self.match.add(self._undone.pop())
        while self._undone and self._opponent() is not None:
            self.match.add(self._undone.pop())
        self._waiting = self._opponent() is not None and not self.match.over
        self._keep()
        self.show()

    def do_flip(self, rest: str) -> None:
        """flip: turn the board round (if it is drawn in place)"""
        if not self._view.in_place:
            raise MatchError("the board can be turned round only when it is drawn in place")
        self.flipped = not self.flipped

    def do_hints(self, rest: str) -> None:
        """hints: show or hide the score and depth of the engine's moves"""
        self._hints = not self._hints
        on = "Hints are on: the engine's moves come with its score and depth."
        off = "Hints are off: the engine's moves come without a score."
        self._tell(on if self._hints else off)

    def do_resume(self, rest: str) -> None:
        """resume: continue the last unfinished game"""
        if not autosave.path().exists():
            raise MatchError("there is no unfinished game to resume")
        match = load(str(autosave.path()))
        settings = autosave.taken_settings(match)
        self._take_sides(match)
        self._begin(match)
        self._take_settings(settings)
        for engine in self.request.every_engine:
            engine.level = Level.from_data(settings.get("level"))

    def _take_sides(self, match: Match) -> None:
        """Give the person the side that they played in a saved game."""
        persons = [name == autosave.PERSON for name in match.players]
        if any(persons):
            self.opponents = [None if person else self.request.adviser for person in persons]

    def do_hint(self, rest: str) -> None:
        """hint: let the engine suggest a move"""
        self._check_not_over()
        answer = self.request.adviser.advise(self.match)
        if answer.move is None:
            raise MatchError("the engine would resign")
        words = move_words(self.match.position, answer.move)
        self._tell(f"Hint: {words}" + (f"  ({self._opinion(answer)})" if answer.infos else ""))

    def do_eval(self, rest: str) -> None:
        """eval: show the engine's evaluation, and the static one term by term"""
        position = self.match.position
        if self.match.over:
            raise MatchError("{}  {}".format(*self.match.result()))
        for name, score in position.evaluation_terms():
            self._tell(f"  {name}: {points(score, position.game)}")
        self._tell(
            f"Static evaluation for the side to move ({self._colour_name()}): "
            f"{points(position.evaluate(), position.game)}"
        )
        answer = self.request.adviser.advise(self.match)
        line = f"  {line_text(position, [answer.move])}" if answer.move is not None else ""
        self._tell(
            f"Searched: {self._opinion(answer)}{line}  (+ is good for {self._colour_name(0)})"
        )

    def do_save(self, rest: str) -> None:
        """save FILE: save the game; without a suffix, in its usual format"""
        if not rest:
            raise MatchError("save needs a file name, such as my-game")
        names = [_PERSON if opponent is None else opponent.name for opponent in self.opponents]
        try:
            path = self.match.save(rest, names, self._files)
        except Exists as exists:
            self._files.add(exists.path)
            raise
        self._files.add(path)
        self._tell(f"Saved in {clean(path)}.")

    def do_load(self, rest: str) -> None:
        """load FILE: continue a game from a file"""
        if not rest:
            raise MatchError("load needs a file name")
        self._begin(load(rest, self.match.start.game.name))

    def do_draw(self, rest: str) -> None:
        """draw: offer a draw; the engine accepts unless it is ahead"""
        self._check_not_over()
        engine = self.opponents[1 - self.match.position.side]
        if engine is not None:
            answer = engine.advise(self.match)  # scored for the person, who is to move
            ahead = answer.mate is not None and answer.mate < 0 or (answer.score or 0) < 0
            if ahead or not answer.infos:
                self._tell("The engine declines the draw.")
                return
        self.match.agreed = True
        self._keep()

    def do_resign(self, rest: str) -> None:
        """resign: resign the game"""
        self._check_not_over()
        self.match.resigned = self.match.position.side
        self._keep()

    def do_new(self, rest: str) -> None:
        """new [GAME]: start a new game, of the same kind unless GAME says otherwise"""
        with translated(MatchError, registry.UnknownGame):
            same = Start(self.match.start.game, None, self.match.start.options)
            start = Start(registry.get(rest)) if rest else same
        self._set_match(Match(start))
        if self.opponents.count(None) == 1:
            if self.opponents[0] is not None:
                self.opponents.reverse()
            self._ask_who_begins()
        self._begin(self.match)

    def _set_match(self, match: Match) -> None:
        """Replace the game on the board."""
        self.match, self._waiting, self._end_shown, self._undone = match, False, False, []
        self.seconds, self.flipped = [0.0, 0.0], False

    def _begin(self, match: Match) -> None:
        self._set_match(match)
        self._turn_board_to_person()
        for engine in self.request.every_engine:
            engine.new_game()
        if match.problem:
            self._tell(match.problem)
        self.show()

    def do_go(self, rest: str) -> None:
        """go: let the engine play this side from now on"""
        self._check_not_over()
        if self._opponent() is None:
            self.opponents[self.match.position.side] = self.request.adviser
            self.opponents[1 - self.match.position.side] = None
        self._waiting = False

    def do_level(self, rest: str) -> None:
        """level [depth N | time SECONDS | nodes N | skill 0..20]: show or set the strength"""
        words = rest.split()
        if not words:
            self._tell(
                f"Level: {self.request.adviser.level}. To change it, type level depth N, "
                "level time SECONDS, level nodes N or level skill 0..20."
            )
            return
        try:
            level = read_level(words)
        except ValueError:
            raise MatchError("level needs depth N, time SECONDS, nodes N or skill 0..20") from None
        for engine in self.request.every_engine:
            old = engine.level
            if level.skill is None:
                engine.level = level._replace(skill=old.skill)
            elif engine.has_skill():
                engine.level = old._replace(skill=level.skill)
            else:
                raise MatchError("this engine has no Skill Level")
        self._tell(f"Level: {self.request.adviser.level}.")

    def do_quit(self, rest: str) -> None:
        """quit: leave (also q and exit)"""
        raise Quit
