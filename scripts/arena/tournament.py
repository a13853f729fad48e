"""A tournament from its first game to its last one, over as many runs as it takes."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from plyglot.errors import EngineError, Refusal
from protocol.records.record import Start
from scripts.arena import arguments, live, standings
from scripts.arena.export import Export
from scripts.arena.job import read_moves
from scripts.arena.openings import OpeningError
from scripts.arena.page import page
from scripts.arena.pool import ENGINES
from scripts.arena.record import Record, read_results
from scripts.arena.schedule import pairings, schedule
from scripts.arena.terms import Clock, limits, words
from scripts.command_line import WRONG, complain, reason, tell
from scripts.jobs import signals
from scripts.jobs.files import XML, FileError, Output, WriteError
from scripts.jobs.run import ExecutorError, RunError
from scripts.jobs.script import STUCK, leave, open_run

if TYPE_CHECKING:
    from scripts.jobs.run import Job, Result, Run


class Tournament:
    """The games of a Configuration (arguments.py), their record and their standings.

    tell(text) shows a line.
    """

    def __init__(self, configuration: arguments.Configuration,
                 tell: Callable[[str], None] = print) -> None:
        self.configuration, self._tell = configuration, tell
        self.names = [player["name"] for player in configuration.players]
        self.record = Record(configuration.record, configuration.terms, configuration.force)
        self._live = live.Folder(configuration.record)      # after the record: it is ours now
        terms = {player["name"]: player["terms"] for player in configuration.players}
        self._page = None
        try:
            self._export = Export(configuration.record, configuration.game, self.record.results,
                                  terms, configuration.force)
            if configuration.html:
                self._page = Output(configuration.html, XML, configuration.force)
            self.record.begin()
        except BaseException:
            self.close()
            raise
        self._players = list(configuration.players)
        self.standings = standings.Standings(self.names)
        for result in self.record.results:
            self.standings.add(result)
        self.total = 2 * configuration.rounds * len(pairings(len(self.names), configuration.kind))
        self._begun, self._new = time.monotonic(), 0
        self._warned = False        # of games that repeat others

    def check_engines(self) -> None:
        """Start each engine once and learn its protocol.

        EngineError where it can't take part at all.
        """
        configuration = self.configuration
        start_text, opening = configuration.openings[0]
        start = Start(configuration.game, start_text, configuration.options)
        for index, player in enumerate(configuration.players):
            try:
                engine = ENGINES.borrow(player)
            except EngineError as error:
                raise Refusal(f"{player['name']}: {error}") from None
            self._tell(
                f"{player['name']}: {engine.name or player['command']} by {engine.protocol}, "
                f"{words(player['terms'])}")
            player = self._players[index] = dict(player, protocol=engine.protocol)
            try:
                engine.check_limits(limits([Clock(player["terms"])] * 2, 0))
                engine.prepare(start, read_moves(start, opening))
            except Refusal as error:
                ENGINES.discard(engine)
                raise Refusal(f"{player['name']}: {error}") from None
            except EngineError:     # a matter for the games, which will record it
                ENGINES.discard(engine)
                continue
            ENGINES.give_back(player, engine)

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs of the games that are not in the record, in the order of play."""
        configuration = self.configuration
        played = {result["id"] for result in self.record.results}
        for identity, number, players in schedule(self.names, configuration.rounds,
                                                  configuration.kind):
            if identity in played:
                continue
            start, opening = configuration.openings[number]
            yield {"id": identity, "game": configuration.game.name,
                   "options": configuration.options,
                   "start": start, "opening": opening, "plugins": configuration.plugins,
                   "players": [self._players[index] for index in players],
                   "adjudication": configuration.adjudication, "patience": configuration.patience,
                   "longest_move": configuration.longest_move, "live": str(self._live.path)}

    def close(self) -> None:
        """Let others have the record."""
        self._live.close()
        self.record.close()

    def play(self, runner: Run) -> None:
        """Play what is left to play."""
        if self.record.results:
            self._tell(f"{self.state()} already")
        self._export.add(*self.record.results[self._export.missing:])
        self.write_page()
        if not self.decided():
            results = runner.results(self.jobs())
            for _, result in results:
                self.count(result)
                if self.decided():
                    results.close()
                    for _, late in runner.rest():
                        self.count(late)
                    break

    def count(self, result: Result) -> None:
        """Record a result and show it."""
        with signals.held():
            if not self.record.add(result):
                return
            self._export.add(result)
            self.standings.add(result)
            self._new += 1
        self._tell(self.progress(result))
        if not self._warned and self.standings.twin(result) != result["id"]:
            self._warned = True
            self._tell(
                f"game {result['id']} went as {self.standings.twin(result)} did, move by move: "
                "such games tell nothing new (--openings or --random-plies make games different)")
        if len(self.record.results) % self.configuration.every == 0:
            self.show_rating()

    def show_rating(self) -> None:
        """The Elo so far, and the page where one is wanted."""
        rating = standings.rating_line(self.standings)
        if rating:
            self._tell(rating)
        self.write_page()

    def write_page(self) -> None:
        """Write the table as a page, where that is wanted; a failure is told once."""
        if not self._page:
            return
        try:
            self._page.write([page(self.standings, self.heading())])
        except FileError as error:      # the games are worth more
            self._tell(f"{error}; the tournament goes on without its page")
            self._page = None

    def heading(self) -> str:
        """What is played, in words."""
        shown = [f"{player['name']} ({words(player['terms'])})"
                 for player in self.configuration.players]
        return f"{self.configuration.game.name}: {', '.join(shown)}"

    def state(self) -> str:
        """How much of it is done, in words."""
        done = len(self.record.results)
        of = f"{done} of {self.total} games"
        if done > self.total:       # more rounds were wanted before
            of = f"{done} games, more than the {self.total} wanted,"
        return f"{of} are in {self.record.path}"

    def progress(self, result: Result) -> str:
        """The line about a finished game."""
        done = len(self.record.results)
        how = result["reason"]
        if result["termination"] != "normal":
            how = f"{result['termination']}: {how}"
        left = (time.monotonic() - self._begun) / max(self._new, 1) * max(self.total - done, 0)
        one, other = result["players"]
        return (f"{done}/{self.total}  {one} - {other}  {result['result']}  {how}"
                f"  |  {self.score()}  |  {clock(left)} left")

    def score(self) -> str:
        """The state in a few words."""
        if len(self.names) > 2:
            return " ".join(f"{name} {standings.points(self.standings.tally(name)):g}"
                            for name in self.names)
        wins, draws, losses = self.standings.tally(self.names[0])
        text = f"{self.names[0]} +{wins} ={draws} -{losses}"
        sprt = self.configuration.sprt
        if sprt:
            ratio = sprt.ratio(self.standings.evidence(self.names[0]))
            text += f", LLR {ratio:.2f} ({sprt.low:.2f}..{sprt.high:.2f})"
        return text

    def decided(self) -> str | None:
        """The hypothesis that the SPRT has accepted; None while it is open or not asked for."""
        sprt = self.configuration.sprt
        return sprt.decision(self.standings.evidence(self.names[0])) if sprt else None

    def summary(self) -> list[str]:
        """The lines at the end."""
        lines = standings.table(self.standings) + standings.last_lines(self.standings)
        sprt = self.configuration.sprt
        if sprt:
            words = {"H1": f"at least {sprt.elo1:g} Elo", "H0": f"at most {sprt.elo0:g} Elo",
                     None: "undecided"}
            lines.append(
                f"SPRT {sprt.elo0:g}..{sprt.elo1:g}: {words[self.decided()]} ({self.score()})")
        return lines


def clock(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def show_table(path: str, html: Output | None = None) -> None:
    """Print the table of a record; html: the page to write as well."""
    results = read_results(path)
    state = standings.Standings(sorted({name for result in results for name in result["players"]}))
    for result in results:
        state.add(result)
    tell("\n".join(standings.table(state) + standings.last_lines(state)))
    if html:
        html.write([page(state, path)])


def main(words: Sequence[str] | None = None) -> int:
    """Carry out a command line; the exit status."""
    configuration, table, html = arguments.parse(words)
    signals.listen()
    tournament = runner = None
    try:
        if configuration is None:
            show_table(table, html)
            return 0
        runner = open_run(configuration, "scripts.arena.job:play", ("game", "played"))
        tournament = Tournament(configuration, tell)
        if not configuration.executor:
            tournament.check_engines()
        tournament.play(runner)
        tell("\n".join(tournament.summary()))
        tournament.write_page()
        return 0
    except signals.Interrupted as signalled:
        signals.ignore()
        _abandon(tournament, runner)
        return signalled.status
    except (WriteError, RunError, OSError) as error:
        if tournament is None:
            complain("scripts/tournament", error)
            return WRONG
        complain("scripts/tournament", f"{reason(error)}; {tournament.state()}, "
                                       "and the same command goes on from there")
        return STUCK
    except (FileError, OpeningError, EngineError, ExecutorError) as error:
        complain("scripts/tournament", error)
        return WRONG
    finally:
        signals.ignore()        # all is told, and the engines are to be ended
        if tournament is not None:
            tournament.close()
        ENGINES.close()
        if runner is not None:
            runner.close()


def _abandon(tournament: Tournament | None, runner: Run | None) -> None:
    """Stop where we are: the games in progress are given up and will be played again."""
    ENGINES.close()
    if tournament is not None:
        tell("\n".join(tournament.summary()))
        tell(f"interrupted after {len(tournament.record.results)} of {tournament.total} games; "
             "the same command goes on from there")


def run_script() -> NoReturn:
    """Entry of scripts/tournament."""
    leave(main())
