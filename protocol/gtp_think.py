"""GTP: commands that search, each until its answer is there."""
from __future__ import annotations

import threading
from time import perf_counter

from games.base import Line
from protocol.base import CommandError, command
from protocol.gtp_game import SYNTAX
from search.limits import Limits
from search.worker import Result


def thinks(method):
    """Mark a command that searches: it is carried out beside the reading of lines."""
    method.thinks = True
    return method


class Thinker:
    """Searches for commands, one after the other; `interrupt` may come from another thread.

    analysing: the search that runs has no end of its own.
    """

    def __init__(self, gtp):
        self._gtp, self._session = gtp, gtp.session
        self.analysing = False
        self._interrupted = False

    def begin(self):
        """Another command begins: what interrupted the one before is over."""
        self._interrupted = False

    def interrupt(self):
        """End the running search soon, or the one that is about to begin."""
        self._interrupted = True
        self._session.stop()

    def limits(self, player=None):
        """The Limits of a move: the clock of `player`, and what the parameters set; one of them bounds the search."""
        seconds = self._gtp.time_left()
        if seconds is not None:
            return Limits(movetime=seconds)
        clock = {} if player is None else self._gtp.game.clock.limits(player)
        return Limits(**{**self._gtp.parameters.limits(bounded=bool(clock)), **clock})

    def search(self, limits, options=None, on_report=None, every=None, show=None):
        """The Result of a search.

        on_report(Report, position) is called in the search's thread; show() every so many seconds in this one.
        """
        if self._gtp.time_left() == 0:
            return self._any_answer(limits)
        results, done = [], threading.Event()

        def on_done(result):
            results.append(result)
            done.set()

        self._session.start(limits, on_report or _ignore, on_done, options=options)
        if self._interrupted or limits.infinite and self._gtp.more_to_do():
            self._session.stop()
        while not done.wait(every):
            if show is not None:
                show()
        self._session.wait()
        return results[0]

    def _any_answer(self, limits):
        """A Result without a search: after `quit` there is no time for one, but the reply is still owed."""
        position = self._session.copy_position()
        moves = limits.moves or position.playable_moves()[:1]
        return Result([Line(0, [moves[0]], 0)] if moves else [], position)


def _ignore(report, position):
    """Reports are not wanted."""


class Think:
    """`genmove` and its like."""

    def __init__(self, gtp):
        self._gtp, self._game, self._session = gtp, gtp.game, gtp.session

    @command("genmove", "genmove COLOUR: play the best move and answer it")
    @thinks
    def _genmove(self, words):
        return self.best_move(words, play=True)

    @command("reg_genmove", "reg_genmove COLOUR: answer the best move without playing it")
    @thinks
    def _reg_genmove(self, words):
        return self.best_move(words, play=False)

    def best_move(self, words, play):
        """The vertex of the best move of the colour words[0]; `pass` in a finished game."""
        if len(words) != 1:
            raise CommandError(SYNTAX)
        player = self._game.player(words[0])
        if self._game.finished():
            if play:
                self._game.pass_after_end()
            return "pass"
        started = perf_counter()
        implied = self._imply_pass(player)
        graphics = self._gtp.graphics.for_search()
        try:
            move = self._gtp.thinker.search(self._gtp.thinker.limits(player), on_report=graphics).move
            answer = self._game.vertex(move)
        finally:
            self._gtp.graphics.clear(graphics)
            self._session.undo(implied)
        if play:
            if implied:
                self._game.imply_pass(player)
            self._game.make(move, implied)
            self._game.clock.spend(player, perf_counter() - started)
        return answer

    def _imply_pass(self, player):
        try:
            return self._game.imply_pass(player)
        except CommandError:
            self._game.require_turn(player)
            raise
