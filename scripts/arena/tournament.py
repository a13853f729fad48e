"""A tournament from its first game to its last, over any number of runs.

Tournament.jobs() makes a job for each game, a Run hands the job to a worker, play() (game.py) plays
the game there, and Tournament.count() records the result.
"""

from __future__ import annotations

import collections
import datetime
import itertools
import time
from collections.abc import Callable, Iterator
from typing import NoReturn

from scripts.arena import arguments, live, standings
from scripts.arena.arguments import TournamentRequest
from scripts.arena.clock import words
from scripts.arena.engines import ENGINES
from scripts.arena.export import Export
from scripts.arena.game import checked, play
from scripts.arena.openings import OpeningError, pairings, schedule
from scripts.arena.record import Reading, TournamentRecord, is_result
from scripts.command_line import counted, reason, tell, translated
from scripts.jobs import command as jobs
from scripts.jobs import signals
from scripts.jobs.files import FileError, WriteError
from scripts.jobs.run import Run, RunError
from scripts.jobs.worker import JobData, ResultData, Unfit

EVERY = 20  # number of games after which the table is shown again


class Tournament:
    """The games of a TournamentRequest (arguments.py), their record and their standings.

    note: called with lines to show to the user.
    """

    def __init__(self, request: TournamentRequest, note: Callable[[str], None] = tell) -> None:
        self.request, self.note = request, note
        self._players = {player["name"]: player for player in request.players}
        self.total = 2 * request.rounds * len(pairings([*self._players], request.kind))
        self.record = TournamentRecord(request.record, {"tournament": request.terms}, request.force)
        try:
            # the record's lock protects the folder, too
            self._live = str(live.make_folder(request.record))
            self._export = Export(self.record, request.force)
            if request.sprt:
                self.record.begin_test(request.sprt)
        except BaseException:
            self.close()
            raise

    def check_engines(self) -> None:
        """Start each engine once, as for the next game; raise Unfit if an engine can't play it."""
        for job in itertools.islice(self.jobs(), 1):
            for player in self._players.values():
                with checked(job, player) as engine:
                    shown = engine.name or player["command"] or "Plyglot"
                    terms = words(player["terms"])
                    self.note(f"{player['name']}: {shown} by {engine.protocol}, {terms}")

    # ---- games -----------------------------------------------------------------------

    def jobs(self) -> Iterator[JobData]:
        """Yield the jobs of the games that are not in the record, in the order of play."""
        request = self.request
        games = schedule([*self._players], request.rounds, request.kind, self.record.ids)
        for identity, number, names in games:
            start, opening = request.openings[number]
            yield {
                "id": identity,
                "players": [self._players[name] for name in names],
                "options": start.options,
                "start": start.text,
                "opening": opening,
                "game": request.game.name,
                "plugins": request.plugins,
                "adjudication": request.adjudication,
                "patience": request.patience,
                "longest_move": request.longest_move,
                "live": self._live,
            }

    def check(self, job: JobData, result: ResultData) -> None:
        """Raise Unfit if the result of a job (game.py) must be rejected."""
        names = [player["name"] for player in job["players"]]
        wanted = job["game"], job["options"], job["start"], names, job["opening"]
        if not is_result(result):
            raise Unfit("invalid result")
        opening = result["moves"][: result["opening"]]
        if (*map(result.get, ("game", "options", "start", "players")), opening) != wanted:
            raise Unfit("invalid result: another game")
        with translated(Unfit, FileError, before="invalid result: "):
            self._export.note(result)

    def play(self, runner: Run) -> None:
        """Play the remaining games."""
        done = len(self.record.ids)
        if done:
            self.note(f"{self.state()} already")
        if self.decided():
            return
        self._begun, self._before = time.monotonic(), done
        for _, result in runner.results(self.jobs()):
            self.count(result)
            if self.decided():
                break

    def count(self, game: ResultData) -> None:
        """Record and show a result; show the table after every EVERY games."""
        with signals.held():
            self.record.count(game)
        done = len(self.record.ids)
        self.note(self._progress(game, done))
        if done % EVERY == 0:
            self.note(standings.report(self.record.standings))

    def _progress(self, game: ResultData, done: int) -> str:
        """Return a line about a finished game, with the estimated time for the remaining games."""
        how = game["reason"]
        if game["termination"] != "normal":
            how = f"{game['termination']}: {how}"
        pace = (time.monotonic() - self._begun) / (done - self._before)
        time_left = datetime.timedelta(seconds=round(pace * max(self.total - done, 0)))
        players = " - ".join(game["players"])
        return f"{done}/{self.total}  {players}  {game['result']}  {how}  |  {time_left} left"

    def decided(self) -> bool:
        """Is the requested test decided?"""
        return self.request.sprt is not None and self.record.standings.verdict is not None

    # ---- the end ---------------------------------------------------------------------

    def end(self) -> None:
        """Show the table and write the games beside the record."""
        self.note(standings.report(self.record.standings))
        try:
            self._export.write()
        except WriteError as error:
            self.note(f"{error}; the games are in the record: repeat the command to write the file")

    def state(self) -> str:
        """Return a line with the number of finished games."""
        done = len(self.record.ids)
        of = f"{done} of {counted(self.total, 'game')}"
        if done > self.total:  # an earlier run had more rounds
            of = f"{counted(done, 'game')}, more than the {self.total} requested,"
        return f"{of} are in {self.record.path}"

    def close(self) -> None:
        """Close the record, so that others can use it."""
        live.remove_folder(self.request.record)
        self.record.close()


def main() -> None:
    """Carry out the command line."""
    request = arguments.parse()
    if request.table:
        record = Reading(request.table)
        collections.deque(record, maxlen=0)  # reading all results fills record.standings
        tell(standings.report(record.standings))
        return
    with translated(FileError, WriteError):  # errors before any game mean a wrong command line
        tournament = Tournament(request)
    runner = jobs.open_run(request, play, ("game", "played"), check=tournament.check)
    try:
        if not request.executor:
            tournament.check_engines()
        tournament.play(runner)
        tournament.end()
    except signals.Interrupted as signalled:  # the next run plays the games in progress again
        ENGINES.close()
        tournament.end()
        signalled.words = f"interrupted; {tournament.state()}; repeat the command to continue"
        raise
    except (WriteError, RunError, OSError) as error:
        words = f"{reason(error)}; {tournament.state()}; repeat the command to continue"
        raise RunError(words) from None
    finally:
        signals.ignore()  # everything is reported, so nothing may interrupt the clean-up
        tournament.close()
        ENGINES.close()
        runner.close()


def run_script() -> NoReturn:
    """Run scripts/tournament."""
    jobs.run_script("scripts/tournament", main, OpeningError, Unfit)
