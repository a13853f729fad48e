"""GTP's commands that search: `genmove` and analysis.

`genmove` and its variants play the best move.  The analysis commands of Leela Zero and
KataGo, which Sabaki uses, write lines during the search and go on until the next command:

    lz-analyze [COLOUR] [CENTISECONDS] [interval N] [maxmoves N] [avoid|allow COLOUR MOVE,... PLIES]
    info move D3 visits 5120 winrate 5310 order 0 pv D3 C5 info move C4 ...

`winrate` is 0 to 10000, in the `kata-` commands 0 to 1.  `visits` is the number of nodes searched
when the line was found, since alpha-beta doesn't visit moves in proportion to their value.
"""

from __future__ import annotations

from itertools import islice
from time import perf_counter

from protocol import moves
from protocol.base import CommandError, command, lost_time
from protocol.gtp.game import COLOURS, ILLEGAL, SYNTAX, Group
from protocol.gtp.play import integer
from protocol.scores import is_proven, winrate
from search.limits import FINAL_DEPTH, Limits
from search.report import seems_decided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from games.base import Position
    from games.solver import Line
    from protocol.gtp.protocol import Answer, Gtp
    from search.report import Report, Result
    from search.session import Session

# Keys of an analysis -> the number of their values, if it isn't 1.
_VALUES = {"avoid": 3, "allow": 3}


def move_limits(gtp: Gtp, player: int | None = None) -> Limits:
    """Return the Limits of a move, from the clock of `player` (None: no clock) and the options."""
    values = gtp.session.values
    limits = Limits() if player is None else gtp.game.clocks[player].limits()
    limits.depth, limits.nodes = values["Genmove Depth"] or None, values["Genmove Nodes"] or None
    if not limits.bounded():
        limits.movetime = values["Genmove Time"] / 1000
    return limits


def usual_moves(session: Session) -> int:
    """Return the number of moves to show if the front end doesn't ask for a number."""
    return int(max(session.values["MultiPV"], session.values["Analysis Moves"]))


class Think(Group):
    """The commands that choose a move or analyse."""

    @command("genmove", "reg_genmove")
    def _genmove(self, words: list[str]) -> str | None:
        """genmove COLOUR: answer the best move and play it; reg_genmove doesn't play it"""
        if len(words) != 1:
            raise CommandError(SYNTAX)
        return self._choose(self._game.player(words[0]), plays=self._gtp.current.name == "genmove")

    @command("lz-genmove_analyze", "genmove_analyze", "kata-genmove_analyze")
    def _genmove_analyze(self, words: list[str]) -> str | None:
        """lz-genmove_analyze [COLOUR] [CENTISECONDS] [KEY VALUE ...]: play the best move, with
        analysis
        """
        analysis = Analysis(self._gtp, words)
        return self._choose(analysis.player, analysis)

    @command("lz-analyze", "analyze", "kata-analyze")
    def _analyze(self, words: list[str]) -> None:
        """lz-analyze [COLOUR] [CENTISECONDS] [KEY VALUE ...]: analyse until the next line
        arrives
        """
        analysis = Analysis(self._gtp, words)
        self._game.require_turn(analysis.player)
        self._search(Limits(infinite=True), lambda result: None, analysis)

    def _choose(
        self, player: int, analysis: Analysis | None = None, plays: bool = True
    ) -> str | None:
        """Reply with the best move of `player`, or with `pass` if the game is over.

        analysis: shown during the search, unless it is None.  plays: also play the move?
        """
        game, clock = self._game, self._game.clocks[player]
        form = "{}" if analysis is None else "play {}"
        game.begin_move(player)
        if game.finished():
            if analysis is not None:
                self._gtp.begin()
            if not plays:
                game.undo()
            return form.format("pass")

        def answer(result: Result) -> str:
            if plays:
                self._session.play(result.best_move, known_legal=True)
                clock.end(lost_time(self._session))
            else:
                game.undo()
            return form.format(moves.vertex(result.position, result.best_move))

        try:
            game.require_turn(player)
            self._search(move_limits(self._gtp, player), answer, analysis)
        except Exception:
            game.undo()
            raise
        return None

    def _search(self, limits: Limits, answer: Answer, analysis: Analysis | None) -> None:
        """Search as Gtp.search() does; write the lines of the analysis, if any, meanwhile."""
        if analysis is None:
            self._gtp.search(limits, answer)
            return

        def done(result: Result) -> str | None:
            analysis.show(result.position)
            return answer(result)

        if analysis.chosen:
            limits.moves = analysis.root_moves(self._session.position)
        self._gtp.begin()
        self._gtp.search(limits, done, analysis.on_report, analysis.wanted)


class Analysis:
    """An analysis: its arguments, and its lines, which are written at intervals.

    player: the side to analyse for.  wanted: number of moves to show.
    chosen: {"avoid" or "allow": root moves of the player}.
    """

    def __init__(self, gtp: Gtp, words: list[str]) -> None:
        self._gtp = gtp
        self._interval = 1.0  # seconds between two lines
        self.player, self.wanted = gtp.session.position.side, usual_moves(gtp.session)
        if words and words[0].lower() in COLOURS:
            self.player = gtp.game.player(words.pop(0))
        if words and words[0].isdigit():
            words.insert(0, "interval")
        self.chosen: dict[str, set[int]] = {}
        following = iter(words)
        for key in map(str.lower, following):
            count = _VALUES.get(key, 1)
            values = [*islice(following, count)]
            if not key.isalpha() or len(values) < count:
                raise CommandError(SYNTAX)
            if key == "interval":
                self._interval = max(integer(values, 0, 0), 1) / 100
            elif key == "maxmoves":
                self.wanted = integer(values, 0, 1)
            elif key in _VALUES:
                self._choose(key, *values)
        self._next = perf_counter() + self._interval
        # (line, nodes), best first: the latest lines, then earlier ones with other first moves
        self._lines: list[tuple[Line, int]] = []
        self._changed = False  # have the lines changed since they were written?
        self._complete = False  # are all lines of the last depth reported?

    def _choose(self, key: str, colour: str, words: str, plies: str) -> None:
        """Read the moves that the analysis must avoid, or those to which it is restricted.

        key: "avoid" or "allow".  Only the player's first move is restricted, whatever `plies` is.
        """
        integer([plies], 0, 1)
        if self._gtp.game.player(colour) == self.player:
            chosen = self.chosen.setdefault(key, set())
            for word in filter(None, dict.fromkeys(words.split(","))):
                try:
                    chosen.add(self._gtp.game.read(word))
                except CommandError as error:
                    if str(error) != ILLEGAL:  # front ends also list vertices that are occupied
                        raise

    def root_moves(self, position: Position) -> list[int]:
        """Return the root moves that the engine may choose from."""
        legal, avoided = position.playable_moves(), self.chosen.get("avoid", ())
        allowed = self.chosen.get("allow", legal)
        return [move for move in legal if move in allowed and move not in avoided]

    def on_report(self, report: Report, position: Position) -> None:
        """Record the report's line, and write all lines if the interval is over.

        The lines are written only after the last line of a depth.  Those of the final depth don't
        wait for the interval: they are written when its best line arrives.
        """
        line = report.line
        is_last = line is not None and line.depth >= FINAL_DEPTH and line.multipv == 1
        if line is not None:
            others = [pair for pair in self._lines if pair[0].moves[:1] != line.moves[:1]]
            others.insert(line.multipv - 1, (line, report.nodes))
            self._lines, self._changed = others, True
            complete = min(self.wanted, len(self.root_moves(position)))
            self._complete = line.multipv == complete
        if is_last or self._complete and perf_counter() >= self._next:
            self.show(position)

    def show(self, position: Position) -> None:
        """Write `info move ...` for the best moves if a line is new; passes can't be shown."""
        words: list[str] = []
        for line, nodes in self._lines[: self.wanted] if self._changed else ():
            pv = moves.variation(position, line.moves, moves.vertex)
            if pv[0] != "pass":
                words.append(
                    f"info move {pv[0]} visits {max(nodes, 1)}"
                    f" {_numbers(line.score, position, self._gtp.current.name)}"
                    f" order {len(words)} pv {' '.join(pv)}"
                )
        if words:
            self._gtp.write(" ".join(words))
        self._changed, self._next = False, perf_counter() + self._interval


def _numbers(score: int, position: Position, command: str) -> str:
    rate = winrate(score, position)
    if not command.startswith("kata-"):
        return f"winrate {round(rate * 10000)}"
    decided = is_proven(score) or seems_decided(score, position.game)
    return f"winrate {rate:.4f}" + ("" if decided else f" scoreLead {score / 100:.2f}")
