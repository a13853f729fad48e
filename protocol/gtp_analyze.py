"""Analysis that goes on until the next line comes: Leela Zero's and KataGo's commands, as Sabaki uses them.

    lz-analyze [COLOUR] [CENTISECONDS] [interval N] [maxmoves N] [avoid|allow COLOUR MOVE,MOVE,... DEPTH]
    info move D3 visits 5120 winrate 5310 order 0 pv D3 C5 info move C4 ...

`winrate` is 0 to 10000, for `kata-` 0 to 1.  `visits` are the nodes searched when the line was found: alpha-beta
does not visit moves in proportion to their worth.
"""
from __future__ import annotations

from time import perf_counter

from games.base import MAX_SCORE
from protocol.base import CommandError, command
from protocol.gtp_game import ILLEGAL, SYNTAX
from protocol.gtp_play import integer
from protocol.gtp_score import winrate
from protocol.gtp_think import thinks
from search.limits import Limits
from search.wdl import held_decided

# Between two lines, in hundredths of a second, where the front end does not say.
_INTERVAL = 100

_HELP = "[COLOUR] [CENTISECONDS] [KEY VALUE ...]"


class Lines:
    """The best lines that a search has told so far, best first: at most `wanted` of them."""

    def __init__(self, wanted):
        self._wanted = wanted
        self._found = {}            # first move -> (line, nodes)
        self._seen = 0              # how many there were at the last look
        self.changed = False

    def on_report(self, report, position):
        """Take note of a report; called in the search's thread."""
        line = report.line
        if line is not None and line.moves:
            self._found = {**self._found, line.moves[0]: (line, report.nodes)}
            self.changed = True

    def best(self):
        """[(line, nodes)], those of the greatest depth first, then by score."""
        self.changed = False
        found = sorted(self._found.values(), key=lambda pair: (-pair[0].depth, -pair[0].score))
        return found[:self._wanted]

    def complete(self):
        """Are all lines there?  Those of a depth are told one by one: a number that stays is taken for all."""
        before, self._seen = self._seen, len(self._found)
        return self._seen >= self._wanted or self._seen == before


class Request:
    """The arguments of an analysis."""

    def __init__(self, words, game):
        self.player, self.interval, self.wanted = game.session.position.side, _INTERVAL, 0
        self.allowed, self.avoided = [], []
        rest = list(words)
        if rest and rest[0].isalpha() and len(rest[0]) <= 5 and rest[0][0].lower() in "bw":
            self.player = game.player(rest.pop(0))
        if rest and rest[0].isascii() and rest[0].isdigit():
            self.interval = integer(rest, 0)
            del rest[0]
        while rest:
            self._read_pair(rest, game)

    def _read_pair(self, rest, game):
        key = rest.pop(0).lower()
        if not key.isalpha() or not rest:
            raise CommandError(SYNTAX)
        if key in ("avoid", "allow"):
            self._read_moves(self.avoided if key == "avoid" else self.allowed, rest, game)
        elif key == "interval":
            self.interval = integer(rest, 0, 0)
        elif key == "maxmoves":
            self.wanted = integer(rest, 0, 1)
        del rest[0]             # the value, also of keys that have no meaning here

    def _read_moves(self, found, rest, game):
        """COLOUR MOVES DEPTH; the depth is left to be skipped as the value."""
        if len(rest) < 3:
            raise CommandError(SYNTAX)
        player, words = game.player(rest.pop(0)), [word for word in rest.pop(0).split(",") if word]
        for word in words:
            game.check_letter(word)
        if player == game.session.position.side:
            found += [game.read(word) for word in words]

    def moves(self, legal):
        """The moves to consider, None for all."""
        if not self.allowed and not self.avoided:
            return None
        left = [move for move in self.allowed or legal if move not in self.avoided]
        if not left:
            raise CommandError(ILLEGAL)
        return left


class Analysis:
    """The commands that stream lines of analysis."""

    def __init__(self, gtp):
        self._gtp, self._game, self._session = gtp, gtp.game, gtp.session

    @command("lz-analyze", f"lz-analyze {_HELP}: analyse until the next line comes", "analyze")
    @thinks
    def _lz_analyze(self, words):
        self._analyse(words, _lz_numbers)

    @command("kata-analyze", f"kata-analyze {_HELP}: analyse until the next line comes")
    @thinks
    def _kata_analyze(self, words):
        self._analyse(words, _kata_numbers)

    @command("lz-genmove_analyze", f"lz-genmove_analyze {_HELP}: play the best move, with analysis", "genmove_analyze")
    @thinks
    def _lz_genmove(self, words):
        return self._genmove(words, _lz_numbers)

    @command("kata-genmove_analyze", f"kata-genmove_analyze {_HELP}: play the best move, with analysis")
    @thinks
    def _kata_genmove(self, words):
        return self._genmove(words, _kata_numbers)

    # ---- how they go about it ---------------------------------------------------------------------------

    def _analyse(self, words, numbers):
        request = Request(words, self._game)
        self._game.require_turn(request.player)
        moves = request.moves(self._session.position.playable_moves())
        self._gtp.thinker.analysing = True
        self._gtp.begin()
        try:
            self._stream(request, numbers, Limits(moves=moves, infinite=True))
        finally:
            self._gtp.thinker.analysing = False

    def _genmove(self, words, numbers):
        request = Request(words, self._game)
        if self._game.finished():
            self._gtp.begin()
            self._game.pass_after_end()
            return "play pass"
        started, implied = perf_counter(), self._game.imply_pass(request.player)
        try:
            limits = self._gtp.thinker.limits(request.player)
            limits.moves = request.moves(self._session.position.playable_moves())
            self._gtp.begin()
            result = self._stream(request, numbers, limits)
            answer = self._game.vertex(result.move)
        except Exception:
            self._session.undo(implied)
            raise
        self._game.make(result.move, implied)
        self._game.clock.spend(request.player, perf_counter() - started)
        return f"play {answer}"

    def _stream(self, request, numbers, limits):
        """Search and write lines of analysis on the way and, if there is something new, at the end."""
        wanted = request.wanted or max(self._session.values["MultiPV"], self._gtp.parameters.values["Analysis Moves"])
        lines, position = Lines(wanted), self._session.copy_position()

        def show(last=False):
            if lines.changed and (lines.complete() or last):
                text = self._text(lines.best(), position, numbers)
                if text:
                    self._gtp.write(text)

        options = {"MultiPV": wanted, "UCI_AnalyseMode": True}
        result = self._gtp.thinker.search(limits, options, lines.on_report, max(request.interval, 1) / 100, show)
        show(last=True)
        return result

    def _text(self, found, position, numbers):
        """One line of `info move ...` for all moves; a pass is none that front ends could show."""
        words = []
        for line, nodes in found:
            pv = self._game.variation(position, line.moves)
            if pv[0] != "pass":
                words.append(f"info move {pv[0]} visits {max(nodes, 1)} {numbers(line.score, position.game)}"
                             f" order {len(words)} pv {' '.join(pv)}")
        return " ".join(words)


def _lz_numbers(score, game):
    return f"winrate {round(winrate(score, game) * 10000)}"


def _kata_numbers(score, game):
    words = f"winrate {winrate(score, game):.4f}"
    if abs(score) > MAX_SCORE or held_decided(score, game):
        return words
    return f"{words} scoreLead {score / 100:.2f}"
