"""A tournament from its first game to its last, over any number of runs.

The way of a game: Tournament.jobs() makes its job, a Run hands it to a worker, play() (job.py)
plays it there by a Referee, and Tournament.count() records its result.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from plyglot.command import own_command
from plyglot.errors import EngineError, Refusal
from scripts.arena import arguments, live, standings
from scripts.arena.display import BETWEEN, Display
from scripts.arena.elo import Sprt
from scripts.arena.export import Export
from scripts.arena.job import CORES, version
from scripts.arena.openings import OpeningError
from scripts.arena.pool import ENGINES
from scripts.arena.record import TournamentRecord, open_record, wrong_part
from scripts.arena.referee import read_moves
from scripts.arena.schedule import pairings, schedule
from scripts.arena.terms import words
from scripts.command_line import reason, tell, translated
from scripts.jobs import command as jobs
from scripts.jobs import signals
from scripts.jobs.command import open_run
from scripts.jobs.files import FileError, WriteError
from scripts.jobs.run import Run, RunError
from scripts.jobs.worker import JobData, ResultData

RECENT = 50  # games from which the remaining time is estimated
EVERY = 20  # games between two lines with the Elo so far
READ = 5000  # games of a record between two progress lines while it is read


class Tournament:
    """The games of a TournamentRequest (arguments.py), their record and their standings.

    display: the Display that shows its lines.
    """

    def __init__(
        self, request: arguments.TournamentRequest, display: Display | None = None
    ) -> None:
        self.request = request
        self._display = display or Display()
        self.note = self._display.tell
        self.names = [player["name"] for player in request.players]
        self.total = 2 * request.rounds * len(pairings(len(self.names), request.kind))
        self._players = {player["name"]: player for player in request.players}
        self._told: set[str] = set()  # subjects of messages that are shown only once
        # when the latest games ended
        self._times: collections.deque[float] = collections.deque([time.monotonic()], RECENT)
        self.record = TournamentRecord(request.record, request.terms, request.force)
        self._live = live.Folder(request.record)  # after the record: it is ours now
        try:
            self._read()
            terms = {player["name"]: player["terms"] for player in request.players}
            self._export = Export(self.record, request.game, terms, request.force)
            self.record.begin()
            self._begin_test()
        except BaseException:
            self.close()
            raise

    # ---- before the first game -------------------------------------------------------

    def _read(self) -> None:
        """Count the games that are in the record."""
        try:
            self._count_record()
        except FileError:
            if not self.request.force:
                raise
            self.record.restart()
            self._count_record()

    def _count_record(self) -> None:
        self.standings = standings.Standings(self.names)
        for number, result in enumerate(self.record.read(), 1):
            self.standings.add(result)
            if number % READ == 0:
                self._display.progress(f"{self.record.path}: {number} games read", True)

    def _begin_test(self) -> None:
        """Continue the sequential test of the record, or begin one."""
        sprt = self.request.sprt
        if sprt:
            self.record.begin_test(sprt.terms)
        elif self.record.sprt:
            sprt = Sprt(**self.record.sprt)
        self.standings.begin_test(sprt, self.record.verdict)
        verdict = self.standings.decide()
        if verdict:
            self.record.add({"verdict": verdict})

    def check_engines(self) -> None:
        """Start each engine once and find its protocol; raise EngineError if it can't take part."""
        request = self.request
        start, opening = request.openings[0]
        moves = read_moves(start, opening)
        for name, player in self._players.items():
            command = player["command"] or own_command(request.plugins)
            with translated(Refusal, EngineError, before=f"{name}: "):
                described = dict(player, command=command)
                engine = ENGINES.try_out(described, start, moves, request.patience)
            shown = engine.name or player["command"] or "Plyglot"
            self.note(f"{name}: {shown} by {engine.protocol}, {words(player['terms'])}")
            self._players[name] = dict(player, protocol=engine.protocol)
        clocked = any(
            player["terms"].get("tc", "inf") != "inf" or player["terms"].get("movetime")
            for player in request.players
        )
        if clocked and request.concurrency > (CORES or request.concurrency):
            self.note(
                f"{request.concurrency} games at a time on {CORES} cores: clocks run while an "
                "engine waits for a core (play fewer at a time, or without a clock)"
            )

    # ---- games -----------------------------------------------------------------------

    def jobs(self) -> Iterator[JobData]:
        """Yield the jobs of the games that are not in the record, in the order of play."""
        request = self.request
        how = {
            "game": request.game.name,
            "plugins": request.plugins,
            "adjudication": request.adjudication,
            "patience": request.patience,
            "longest_move": request.longest_move,
            "live": str(self._live.path),
            "version": version() if request.executor else None,
        }
        for identity, number, players in schedule(self.names, request.rounds, request.kind):
            if identity in self.record.played:
                continue
            start, opening = request.openings[number]
            end = request.openings.end
            if end is not None and number >= end:
                repeated = f"from round {number + 1} on they are repeated"
                self._tell_once(f"all {end} distinct openings have been played", repeated)
            yield {
                "id": identity,
                "players": [self._players[name] for name in players],
                "options": start.options,
                "start": start.text,
                "opening": opening,
                **how,
            }

    def fits(self, job: JobData, result: ResultData) -> str | None:
        """Return what is wrong with the result of a job (job.py), or None."""
        wrong = wrong_part(result)
        if wrong is not None:
            return f"invalid result: its {wrong}"
        begun = result["id"], result["game"], result["start"], result["players"]
        names = [player["name"] for player in job["players"]]
        opening = result["moves"][: result["opening"]]
        if (*begun, opening) != (job["id"], job["game"], job["start"], names, job["opening"]):
            return "invalid result: another game"
        return None

    def play(self, runner: Run) -> None:
        """Play the remaining games."""
        if self.record.results:
            self.note(f"{self.state()} already")
        if self.decided():
            return
        self._times.append(time.monotonic())
        batches = runner.batches(self.jobs())
        for batch in batches:
            self.count([result for _, result in batch])
            if self.decided():
                batches.close()
                for _, late in runner.rest():
                    self.count([late])
                break

    def count(self, games: Sequence[ResultData]) -> None:
        """Record results in one step and show them."""
        lines: list[ResultData] = []
        for game in games:
            lines.append({name: value for name, value in game.items() if name != "export"})
            verdict = self.standings.decide() if self.standings.add(game) else None
            if verdict:
                lines.append({"verdict": verdict})
            self._export.note(game)
        done = len(self.record.results)
        with signals.held():
            self.record.add(*lines)
        for game in games:
            self._show(game, done := done + 1)

    def _show(self, game: ResultData, done: int) -> None:
        """Show a finished game; done: number of games including it."""
        self._times.append(time.monotonic())
        self._display.progress(self.progress(game, done))
        twin = self.standings.twin(game)
        if twin != game["id"]:
            self._tell_once(
                "identical games add no information (--openings or --random-plies make games "
                "different)",
                f"game {game['id']} is identical to {twin}",
            )
        if done % EVERY == 0:
            rating = standings.rating_line(self.standings)
            if rating:
                self.note(rating)

    def _tell_once(self, subject: str, instance: str) -> None:
        """Show a message with its first instance."""
        if subject not in self._told:
            self._told.add(subject)
            self.note(f"{subject}: {instance}")

    # ---- the end ---------------------------------------------------------------------

    def end(self) -> None:
        """Show the table and write the games beside the record."""
        lines = standings.table(self.standings) + standings.last_lines(self.standings)
        self.note("\n".join(lines))
        try:
            self._export.write()
        except WriteError as error:
            self.note(f"{error}; its games are in the record, and the same command adds them")

    def close(self) -> None:
        """Close the record, so that others can use it."""
        self._display.finish()
        self._live.close()
        self.record.close()

    # ---- output ----------------------------------------------------------------------

    def state(self) -> str:
        """Return a line with the number of finished games."""
        done = len(self.record.results)
        of = f"{done} of {self.total} games"
        if done > self.total:  # an earlier run had more rounds
            of = f"{done} games, more than the {self.total} requested,"
        return f"{of} are in {self.record.path}"

    def progress(self, game: ResultData, done: int) -> str:
        """Return the line about a finished game."""
        how = game["reason"]
        if game["termination"] != "normal":
            how = f"{game['termination']}: {how}"
        one, other = game["players"]
        finished = f"{done}/{self.total}  {one} - {other}  {game['result']}  {how}"
        return BETWEEN.join((finished, self.score(), f"{clock(self._left(done))} left"))

    def _left(self, done: int) -> float:
        """Estimate the seconds until the last game from the pace of the latest ones."""
        pace = (self._times[-1] - self._times[0]) / max(len(self._times) - 1, 1)
        return pace * float(max(self.total - done, 0))

    def score(self) -> str:
        """Return the state as a short text."""
        if len(self.names) > 2:
            return " ".join(
                f"{name} {standings.points(self.standings.tally(name)):g}" for name in self.names
            )
        wins, draws, losses = self.standings.tally(self.names[0])
        text = f"{self.names[0]} +{wins} ={draws} -{losses}"
        test = self.standings.test
        if test:
            text += f", LLR {self.standings.ratio():.2f} ({test.low:.2f}..{test.high:.2f})"
        return text

    def decided(self) -> bool:
        """Is the requested test decided?"""
        return self.request.sprt is not None and self.standings.verdict is not None


def clock(seconds: float) -> str:
    """Return seconds as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def show_table(path: str) -> None:
    """Print the table of a record."""
    state, _ = standings.read(open_record(path), 1)
    tell("\n".join(standings.table(state) + standings.last_lines(state)))


def main() -> None:
    """Carry out the command line."""
    request, table = arguments.parse()
    if request is None:
        show_table(table)
        return
    with translated(FileError, WriteError):  # nothing was played yet: the command line is wrong
        tournament = Tournament(request)
    how: dict[str, Any] = {"note": tournament.note, "fits": tournament.fits}
    runner = open_run(request, "scripts.arena.job:play", ("game", "played"), **how)
    try:
        if not request.executor:
            tournament.check_engines()
        tournament.play(runner)
        tournament.end()
    except signals.Interrupted as signalled:  # the games in progress will be played again
        signals.ignore()
        ENGINES.close()
        tournament.end()
        done = f"{len(tournament.record.results)} of {tournament.total} games"
        signalled.words = f"interrupted after {done}; repeat the command to continue"
        raise
    except (WriteError, RunError, OSError) as error:
        words = f"{reason(error)}; {tournament.state()}; repeat the command to continue"
        raise RunError(words) from None
    finally:
        signals.ignore()  # everything is reported, and only the engines are left to end
        tournament.close()
        ENGINES.close()
        runner.close()


def run_script() -> NoReturn:
    """Run scripts/tournament."""
    jobs.run_script("scripts/tournament", main, OpeningError, EngineError)
