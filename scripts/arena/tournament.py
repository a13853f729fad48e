"""A tournament from its first game to its last, over any number of runs."""

from __future__ import annotations

import collections
import time
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from games.looks import title_of
from plyglot.command import own_command
from plyglot.errors import EngineError, Refusal
from scripts.arena import arguments, fitness, live, standings
from scripts.arena.display import BETWEEN, Display
from scripts.arena.elo import Sprt
from scripts.arena.export import Export
from scripts.arena.openings import OpeningError
from scripts.arena.page import SHOWN, Page
from scripts.arena.pool import ENGINES
from scripts.arena.record import Record, open_record, wrong_part
from scripts.arena.referee import read_moves
from scripts.arena.schedule import pairings, round_of, schedule
from scripts.arena.terms import words
from scripts.command_line import reason, tell, translated
from scripts.jobs import script as jobs
from scripts.jobs import signals
from scripts.jobs.files import XML, FileError, Output, WriteError
from scripts.jobs.run import Run, RunError
from scripts.jobs.script import open_run
from scripts.jobs.worker import Job, Result, Unfit, listen

RECENT = 50  # games from which the remaining time is estimated
GLANCE = 5000  # games of a record between two progress lines while it is read
AT_ONCE = 500  # games that are exported at a time


class Tournament:
    """The games of a TournamentRequest (arguments.py), their record and their standings.

    display: the Display that shows its lines.
    """

    def __init__(
        self, request: arguments.TournamentRequest, display: Display | None = None
    ) -> None:
        self.request = request
        self._display = display or Display()
        self._tell = self.note = self._display.tell
        self.names = [player["name"] for player in request.players]
        self.total = 2 * request.rounds * len(pairings(len(self.names), request.kind))
        self.record = Record(request.record, request.terms, request.force)
        self._live = live.Folder(request.record)  # after the record: it is ours now
        try:
            self._read()
            terms = {player["name"]: player["terms"] for player in request.players}
            self._export = Export(
                request.record, request.game, self.record.results, terms, request.force
            )
            self._table = Page()
            self._page = Output(request.html, XML, request.force) if request.html else None
            self.record.begin()
            self._begin_test()
        except BaseException:
            self.close()
            raise
        self._players = {player["name"]: player for player in request.players}
        # the expected description of every worker; the first one supplies the engines
        self._expected: dict[str, Any] | None = None
        if request.executor:
            self._expected = {"plyglot": fitness.plyglot(), "engines": {}, "benches": {}}
        # when the latest games ended
        self._times: collections.deque[float] = collections.deque([time.monotonic()], RECENT)
        self._workers: dict[str, set[int]] = {}  # host -> processes that play there
        self._told: set[str] = set()  # subjects of messages that are shown only once
        self._listener: str | None = None

    # ---- earlier games ---------------------------------------------------------------

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
            key = result.get("opening_key")
            if isinstance(key, int):
                self.request.openings.remember(round_of(result["id"]), key)
            if number % GLANCE == 0:
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

    def _add_to_export(self, new: Sequence[Result] = ()) -> None:
        """Export the games that the file beside the record lacks, and continue if that fails.

        new: the latest results, with the texts that their workers made.
        """
        results, export = self.record.results, self._export
        try:
            while export.path and export.missing < len(results):
                first, left = export.missing, len(results) - export.missing
                export.add(*(new if left == len(new) else results[first : first + AT_ONCE]))
                if left > AT_ONCE:
                    self._display.progress(f"{export.path}: {export.missing} games written", True)
        except WriteError as error:
            self._tell_once(
                "export",
                f"{error}; its games are in the record, and will be added once it can "
                "be written, by the same command at the latest",
            )

    def _tell_once(self, subject: str, text: str) -> None:
        if subject not in self._told:
            self._told.add(subject)
            self._tell(text)

    # ---- engines and workers ---------------------------------------------------------

    def check_engines(self) -> None:
        """Start each engine once and find its protocol; raise EngineError if it can't take part."""
        request = self.request
        start, opening = request.openings[0]
        moves = read_moves(start, opening)
        for name, player in self._players.items():
            command = player["command"] or own_command(request.plugins)
            with translated(Refusal, EngineError, before=f"{name}: "):
                player = dict(player, command=command)
                engine = fitness.try_engine(player, start, moves, request.patience)
            self._introduce(name, engine.name, engine.protocol)
            self._players[name] = dict(self._players[name], protocol=engine.protocol)

    def _introduce(self, name: str, engine: str, protocol: str | None) -> None:
        player = self._players[name]
        by = f" by {protocol}" if protocol else ""
        self._tell(
            f"{name}: {engine or player['command'] or 'Plyglot'}{by}, {words(player['terms'])}"
        )

    def fits(self, task: Job, result: Result) -> str | None:
        """Return what is wrong with the result of a job (job.py), or None."""
        games = result.get("games")
        wanted = {game["id"]: list(game["players"]) for game in task["games"]}
        if not isinstance(games, list) or len(games) != len(wanted):
            return "invalid result: its games"
        for game in games:
            wrong = wrong_part(game) if isinstance(game, dict) else "form"
            if wrong:
                return f"invalid result: its {wrong}"
            begun = game["game"], game["start"], game["moves"][: game["opening"]]
            same = begun == (task["game"], task["start"], task["opening"])
            if not same or game["players"] != wanted.pop(game["id"], None):
                return "invalid result: another game"
        return self._meet(result.get("there"))

    def _meet(self, there: Any) -> str | None:
        """Take the engines' description from the first worker; return how another differs."""
        if self._expected is None or not isinstance(there, dict) or "plyglot" not in there:
            return None
        try:
            fitness.differ(there, self._expected)
        except Unfit as error:
            return str(error)
        if not self._expected["engines"]:
            self._expected.update(engines=there["engines"], benches=there["benches"])
            for name, engine in there["engines"].items():
                self._introduce(name, engine, None)
        return None

    def _notice_worker(self, result: Result) -> None:
        """Warn once if a host plays more games at a time than it has cores."""
        host, cores = result.get("host"), result.get("cores")
        clocked = any(
            player["terms"].get("tc", "inf") != "inf" or player["terms"].get("movetime")
            for player in self._players.values()
        )
        if not (clocked and host and cores):
            return
        workers = self._workers.setdefault(host, set())
        workers.add(result["process"])
        count = len(workers) if self.request.executor else self.request.concurrency
        if count > cores:
            self._tell_once(
                host,
                f"{host} plays {count} games at a time on {cores} cores: clocks run while an "
                "engine waits for a core (play fewer at a time, or without a clock)",
            )

    # ---- games -----------------------------------------------------------------------

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs of the pairs that are not in the record, in the order of play."""
        request = self.request
        loop = fitness.loop() if request.scale else None
        for identity, number, games in schedule(self.names, request.rounds, request.kind):
            missing = [
                {"id": game, "players": players}
                for game, players in games
                if game not in self.record.played
            ]
            if not missing:
                continue
            start, opening = request.openings[number]
            self._notice_repeats(number)
            yield {
                "id": identity,
                "games": missing,
                "game": request.game.name,
                "players": {name: self._players[name] for name in missing[0]["players"]},
                "options": start.options,
                "start": start.text,
                "opening": opening,
                "opening_key": request.openings.key(number),
                "plugins": request.plugins,
                "adjudication": request.adjudication,
                "patience": request.patience,
                "longest_move": request.longest_move,
                "live": str(self._live.path),
                "expected": self._expected and dict(self._expected),
                "loop": loop,
                "listener": self._listener,
            }

    def _notice_repeats(self, number: int) -> None:
        end = self.request.openings.end
        if end is not None and number >= end:
            repeated = f"from round {number + 1} on they are repeated"
            self._tell_once("openings", f"all {end} distinct openings have been played: {repeated}")

    def close(self) -> None:
        """Close the record, so that others can use it."""
        self._display.finish()
        self._live.close()
        self.record.close()

    def play(self, runner: Run) -> None:
        """Play the remaining games."""
        if self.record.results:
            self._tell(f"{self.state()} already")
        self._add_to_export()
        self.write_page()
        if self.decided():
            return
        self._listener = listen(runner.hand_in)
        self._times.append(time.monotonic())
        batches = runner.batches(self.jobs())
        for batch in batches:
            self.count([game for _, result in batch for game in result["games"]])
            if self.decided():
                batches.close()
                for _, late in runner.rest():
                    self.count(late["games"])
                break

    def count(self, games: Sequence[Result]) -> None:
        """Record results in one step and show them."""
        lines: list[Result] = []
        new: list[Result] = []
        for game in games:
            if game["id"] in self.record.played or any(game["id"] == each["id"] for each in new):
                continue
            new.append(game)
            lines.append({name: value for name, value in game.items() if name != "export"})
            verdict = self.standings.decide() if self.standings.add(game) else None
            if verdict:
                lines.append({"verdict": verdict})
        if not new:
            return
        done = len(self.record.results)
        with signals.held():
            self.record.add(*lines)
            self._add_to_export(new)
        for game in new:
            self._show(game, done := done + 1)

    def _show(self, game: Result, done: int) -> None:
        """Show a finished game; done: number of games including it."""
        self._times.append(time.monotonic())
        self._display.progress(self.progress(game, done))
        twin = self.standings.twin(game)
        if twin != game["id"]:
            self._tell_once(
                "twins",
                f"game {game['id']} is identical to {twin}: identical games add no information "
                "(--openings or --random-plies make games different)",
            )
        self._notice_worker(game)
        if done % self.request.every == 0:
            self.show_rating()

    def show_rating(self) -> None:
        """Show the Elo so far, and write the page if one is requested."""
        rating = standings.rating_line(self.standings)
        if rating:
            self._tell(rating)
        self.write_page()

    def write_page(self) -> None:
        """Write the table as a page if one is requested; report a failure once."""
        if not self._page:
            return
        try:
            results = self.record.results[-SHOWN:]
            self._page.write([self._table.text(self.standings, self.heading(), results)])
        except FileError as error:  # the games matter more
            self._tell(f"{error}; the tournament goes on without its page")
            self._page = None

    # ---- output ----------------------------------------------------------------------

    def heading(self) -> str:
        """Return a line that says what is played."""
        shown = [f"{player['name']} ({words(player['terms'])})" for player in self.request.players]
        return f"{title_of(self.request.game)}: {', '.join(shown)}"

    def state(self) -> str:
        """Return a line with the number of finished games."""
        done = len(self.record.results)
        of = f"{done} of {self.total} games"
        if done > self.total:  # an earlier run had more rounds
            of = f"{done} games, more than the {self.total} requested,"
        return f"{of} are in {self.record.path}"

    def progress(self, game: Result, done: int) -> str:
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

    def summary(self) -> list[str]:
        """Return the lines of the final report."""
        return standings.table(self.standings) + standings.last_lines(self.standings)


def clock(seconds: float) -> str:
    """Return seconds as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def show_table(path: str, html: Output | None = None) -> None:
    """Print the table of a record; html: the page to write as well."""
    state, newest = standings.read(open_record(path, lean=html is None), SHOWN)
    tell("\n".join(standings.table(state) + standings.last_lines(state)))
    if html:
        html.write([Page().text(state, path, newest)])


def main() -> None:
    """Carry out the command line."""
    request, table, html = arguments.parse()
    if request is None:
        show_table(table, html)
        return
    with translated(FileError, WriteError):  # nothing was played yet: the command line is wrong
        tournament = Tournament(request)
    how: dict[str, Any] = {"note": tournament.note, "fits": tournament.fits}
    runner = open_run(request, "scripts.arena.job:play", ("game", "played"), **how)
    try:
        if not request.executor:
            tournament.check_engines()
        tournament.play(runner)
        tournament.note("\n".join(tournament.summary()))
        tournament.write_page()
    except signals.Interrupted as signalled:  # the games in progress will be played again
        signals.ignore()
        ENGINES.close()
        tournament.note("\n".join(tournament.summary()))
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
