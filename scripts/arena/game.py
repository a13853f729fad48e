"""A game on a worker: two engines play it, and a referee applies the rules.

A game and its result travel as plain data.  A job:

    id          identifies the game within its tournament (openings.py)
    players     two engines (engines.py), the first to move (player 0) first; each has name,
                command (None: Plyglot itself), protocol (None: UCI), directory, options, restart,
                terms (clock.py)
    game        name in the registry;  options: {name: value} of the game
    plugins     files or modules of games that are not built in
    start       text of the position, None for the game's own;  opening: canonical texts of the
                moves played already
    adjudication    {name: numbers} of the rules below, by which a game may end early
    patience, longest_move      seconds until an engine counts as stalled, with and without a clock
    live        a folder for the games in progress (live.py), which the worker need not see

Its result: id, game, options, start, opening (number of plies), moves (canonical texts,
the opening included), players (names), result (1-0: player 0 won), termination
(normal, adjudication, resignation, illegal move, time forfeit, crash, stall,
refusal), reason, fault (the player at fault or None), margin (points, if the game
counts them), seconds, scores, depths and nodes (a list with a value for each move after the
opening; scores are for the player who moves), date, elapsed, host and process of the worker.

`adjudication` can end a game early, by these keys:

    resign      [N, S]: a player loses if their last N scores were -S or less, unless the
                opponent's last score is below S
    draw        [PLIES, N, S]: a draw after PLIES plies if the last N scores of both players were
                within -S..S
    max_plies   N: a draw after N plies
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from games.base import WIN
from plyglot.errors import EngineError, Stall
from protocol.records.json_lines import from_plain
from protocol.records.record import Record
from protocol.scores import result_of
from scripts.arena.client import Answer, Client, IllegalMove
from scripts.arena.clock import LONGEST_MOVE, PATIENCE, GameClock, limits
from scripts.arena.engines import ENGINES, Participant, load_plugins
from scripts.arena.live import OnMove, shown
from scripts.command_line import translated
from scripts.jobs.worker import JobData, ResultData, Unfit

_fit: set[str] = set()  # the engines that this process has checked, as JSON


def play(job: JobData) -> ResultData:
    """Play the game of `job` with engines of this process and return its result.

    Raise Unfit if this worker can't play it.
    """
    begun = time.perf_counter()
    load_plugins(job.get("plugins") or ())
    with contextlib.ExitStack() as lent:
        engines = [lent.enter_context(checked(job, player)) for player in job["players"]]
        referee = Referee(job, engines)
        with shown(job) as on_move:
            ending = referee.play(on_move)
        if ending.fault is not None:
            engines[ending.fault].kill()  # a late answer must not reach the next game
    return referee.result(ending, begun)


# ---- the worker ----------------------------------------------------------------------


@contextlib.contextmanager
def checked(job: JobData, player: Participant) -> Iterator[Client]:
    """Return a context manager that lends an engine which can play `job`.

    Each engine is checked once per process.  Raise Unfit if it can't be started or rejects its
    limits or the game.
    """
    key = json.dumps(player, sort_keys=True)
    with contextlib.ExitStack() as lent:
        with translated(Unfit, EngineError, before=f"{player['name']}: "):
            engine = lent.enter_context(ENGINES.lent(player))
            if key not in _fit:
                engine.check_limits(limits([GameClock(player["terms"])] * 2, 0))
                opening = opening_of(job)
                engine.prepare(opening.start, opening.moves, job.get("patience", PATIENCE))
                _fit.add(key)
        yield engine


# ---- the referee ---------------------------------------------------------------------


class Ending(NamedTuple):
    """The end of a game.

    winner: 0, 1, or None for a draw.  termination: the kind of end, as in a result.
    fault: the player at fault, or None.  margin: in points, if the game counts them.
    """

    winner: int | None
    termination: str
    reason: str
    fault: int | None = None
    margin: int | None = None


class Referee:
    """The referee of one game.

    job: plain data, described at the top of this module.
    engines: two Clients, player 0 first.
    """

    def __init__(self, job: JobData, engines: Sequence[Client]) -> None:
        self._job, self._engines = job, engines
        opening = opening_of(job)
        self._start, self._moves = opening.start, opening.moves
        self._position = opening.final()
        self._texts = list(job.get("opening") or ())
        self._names = [player["name"] for player in job["players"]]
        self._clocks = [GameClock(player["terms"]) for player in job["players"]]
        self._adjudicator = Adjudicator(job.get("adjudication"))
        self._patience = job.get("patience", PATIENCE)
        self._answers: list[Answer] = []  # one for each move after the opening

    def play(self, on_move: OnMove = lambda move, score: None) -> Ending:
        """Play the game and return the Ending.

        on_move(text, score): called after each move, with text and score as in a result.
        """
        for player, engine in enumerate(self._engines):
            engine.new_game()
            try:
                engine.prepare(self._start, self._moves, self._patience)
            except EngineError as error:
                return self._loss(player, error)
        ending = self._outcome()
        while ending is None:
            ending = self._turn(on_move)
        return ending

    def _turn(self, on_move: OnMove) -> Ending | None:
        """Ask for a move and play it; return the Ending if the game is over."""
        side = self._position.side
        clock, name = self._clocks[side], self._names[side]
        due = clock.due()
        patience = self._job.get("longest_move", LONGEST_MOVE) if due is None else self._patience
        try:
            engine, wanted = self._engines[side], limits(self._clocks, side)
            answer = engine.think(self._start, self._moves, wanted, due=due, patience=patience)
        except Stall:
            lost = self._loss(side, Stall(f"no move in {(due or 0.0) + patience:.1f} s"))
            return lost if due is None else self._on_time(lost, side)
        except EngineError as error:
            return self._loss(side, error)
        late = clock.charge(answer.seconds)
        if late:
            reason = f"{name}: {answer.seconds:.3f} s, {late:.3f} s too late"
            return self._on_time(Ending(1 - side, "time forfeit", reason, side), side)
        if answer.move is None:
            return self._without_move(answer, side)
        text = self._position.move_text(answer.move)
        self._position.make(answer.move)
        self._moves.append(answer.move)
        self._answers.append(answer)
        self._texts.append(text)
        on_move(text, _score(answer))
        return self._outcome() or self._adjudicator.ending(side, answer, len(self._moves))

    def _without_move(self, answer: Answer, side: int) -> Ending:
        """Return the Ending after an engine has resigned or claimed a win instead of moving."""
        name, claim = self._names[side], self._position.claim()
        if answer.text == "resign":
            return Ending(1 - side, "resignation", f"{name} resigned")
        if claim is None:
            return Ending(1 - side, IllegalMove.kind, f"{name} claimed a win wrongly", side)
        return Ending(claim.winner, "normal", claim.reason)

    def _outcome(self) -> Ending | None:
        outcome = self._position.outcome()
        if outcome is None:
            return None
        return Ending(outcome.winner, "normal", outcome.reason, margin=outcome.margin)

    def _loss(self, player: int, error: EngineError) -> Ending:
        return Ending(1 - player, error.kind, f"{self._names[player]}: {error}", player)

    def _on_time(self, ending: Ending, side: int) -> Ending:
        """Return `ending`, the loss of `side` on time, or a draw if the opponent can't win."""
        if self._position.can_win(1 - side):
            return ending
        reason = f"{ending.reason}; a draw, since {self._names[1 - side]} can't win any more"
        return ending._replace(winner=None, reason=reason)

    def result(self, ending: Ending, begun: float) -> ResultData:
        """Return the result of the job.  begun: when the job began (perf_counter seconds)."""
        job, answers = self._job, self._answers
        return {
            "id": job["id"],
            "game": job["game"],
            "players": self._names,
            "result": result_of(ending.winner),
            **dict(zip(Ending._fields[1:], ending[1:])),
            "start": job.get("start"),
            "options": job.get("options") or {},
            "opening": len(self._texts) - len(answers),
            "moves": self._texts,
            "seconds": [round(answer.seconds, 4) for answer in answers],
            "scores": [_score(answer) for answer in answers],
            "depths": [answer.best.depth for answer in answers],
            "nodes": [answer.best.nodes for answer in answers],
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "elapsed": round(time.perf_counter() - begun, 3),
            "host": socket.gethostname(),
            "process": os.getpid(),
        }


def opening_of(job: JobData) -> Record:
    """Return the Record of a job's start and opening; raise RecordError if it is invalid."""
    setup = {name: job.get(name) for name in ("game", "options", "start")}
    return from_plain({**setup, "moves": job.get("opening")}).complete()


def _score(answer: Answer) -> int | str | None:
    """Return the score that the mover reported: an int, `M3`, `-M3`, or None."""
    mate = answer.best.mate
    return answer.best.score if mate is None else f"{'-' * (mate < 0)}M{abs(mate)}"


class Adjudicator:
    """The rules that end a game early, and the scores that they judge."""

    def __init__(self, rules: dict[str, Any] | None) -> None:
        self._rules = rules or {}
        self._scores: tuple[list[float | None], list[float | None]] = ([], [])

    def ending(self, side: int, answer: Answer, plies: int) -> Ending | None:
        """Return the Ending after a move of `side`, None if the game goes on."""
        score, mate = answer.best.score, answer.best.mate
        self._scores[side].append(score if mate is None else WIN if mate > 0 else -WIN)
        for winner, reason in self._ends(side, plies):
            return Ending(winner, "adjudication", reason)
        return None

    def _ends(self, side: int, plies: int) -> Iterator[tuple[int | None, str]]:
        """Yield (winner, reason) of each rule that ends the game now."""
        resign, draw, most = map(self._rules.get, ("resign", "draw", "max_plies"))
        if resign and self._resigns(side, *resign):
            yield 1 - side, f"a score of -{resign[1]} or worse for {resign[0]} moves"
        if draw and plies >= draw[0]:
            _, moves, score = draw
            if all(self._stayed(player, moves, -score, score) for player in (0, 1)):
                yield None, f"scores within {score} for {moves} moves of each"
        if most and plies >= most:
            yield None, f"{plies} plies were played"

    def _resigns(self, side: int, moves: int, score: int) -> bool:
        other = self._scores[1 - side][-1:]
        agrees = not other or other[0] is None or other[0] >= score
        return agrees and self._stayed(side, moves, float("-inf"), -score)

    def _stayed(self, side: int, moves: int, low: float, high: float) -> bool:
        """Were the scores of a player's last `moves` moves all reported and within low..high?"""
        last = self._scores[side][-moves:]
        within = [score is not None and low <= score <= high for score in last]
        return len(last) == moves and all(within)
