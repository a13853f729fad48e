"""One game between two engines, refereed by the rules of the registry.

A game ends early by the scores that the engines report on request only.  These rules are plain
data; a missing rule does not apply:

    resign      {"moves": N, "score": S}: a player who has reported -S or less for N of their
                own moves loses, unless the opponent's last score contradicts
    draw        {"after": PLIES, "moves": N, "score": S}: a draw after PLIES plies once both
                players have reported scores within -S..S for N moves each
    max_plies   N: a draw after N plies
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from games.base import WIN
from plyglot.errors import EngineError, Stall
from protocol.records.record import Start
from protocol.scores import result_of
from scripts.arena import terms

if TYPE_CHECKING:
    from scripts.arena.client import Answer, Client
    from scripts.jobs.worker import JobData, ResultData

Rules = dict[str, Any]
OnMove = Callable[[str, Union[int, str, None]], None]

PATIENCE = 10.0  # seconds after the clock's end until an engine counts as stalled
LONGEST_MOVE = 600.0  # seconds per move until an engine without a clock counts as stalled


class Verdict(NamedTuple):
    """The end of a game.

    winner: 0, 1 or None for a draw.  termination: its kind, for records.
    fault: the player at fault, or None.
    """

    winner: int | None
    termination: str
    reason: str
    fault: int | None = None
    margin: int | None = None

    @classmethod
    def against(cls, player: int, name: str, error: EngineError) -> Verdict:
        """Return the Verdict of a game that `player` loses by an EngineError."""
        return cls(1 - player, error.kind, f"{name}: {error}", fault=player)


class Referee:
    """The referee of one game.

    job: its job (job.py).
    engines: two Clients, player 0 first.
    """

    def __init__(self, job: JobData, engines: Sequence[Client]) -> None:
        self._job, self._engines = job, engines
        self._start = start_of(job)
        self._opening = list(job.get("opening") or ())
        self._moves = read_moves(self._start, self._opening)
        self._position = self._start.position(self._moves)
        self._names = [player["name"] for player in job["players"]]
        self._clocks = [terms.GameClock(player["terms"]) for player in job["players"]]
        self._adjudicator = Adjudicator(job.get("adjudication"))
        self._patience = job.get("patience", PATIENCE)
        # of each move after the opening
        self._answers: list[Answer] = []
        self._texts: list[str] = []

    def play(self, on_move: OnMove = lambda move, score: None) -> Verdict:
        """Play the game and return the Verdict.

        on_move(move's text, its score as in a result): called after each move.
        """
        for player, engine in enumerate(self._engines):
            engine.new_game()
            try:
                engine.prepare(self._start, self._moves, self._patience)
            except EngineError as error:
                return Verdict.against(player, self._names[player], error)
        verdict = self._outcome()
        while verdict is None:
            verdict = self._turn(on_move)
        return verdict

    def _outcome(self) -> Verdict | None:
        outcome = self._position.outcome()
        if outcome is None:
            return None
        return Verdict(outcome.winner, "normal", outcome.reason, margin=outcome.margin)

    def _on_time(self, verdict: Verdict, side: int) -> Verdict:
        """Return a loss of `side` on time, or a draw if the opponent has no possible win."""
        if self._position.can_win(1 - side):
            return verdict
        reason = f"{verdict.reason}; a draw, since {self._names[1 - side]} can't win any more"
        return verdict._replace(winner=None, reason=reason)

    def _turn(self, on_move: OnMove) -> Verdict | None:
        side = self._position.side
        clock = self._clocks[side]
        due = clock.due()
        longest = self._job.get("longest_move", LONGEST_MOVE)
        patience = self._patience if due is not None else longest
        try:
            answer = self._engines[side].think(
                self._start, self._moves, terms.limits(self._clocks, side), due, patience
            )
        except Stall:
            waited = f"{(due or 0.0) + patience:.1f} s"
            lost = Verdict.against(side, self._names[side], Stall(f"no move in {waited}"))
            return lost if due is None else self._on_time(lost, side)
        except EngineError as error:
            return Verdict.against(side, self._names[side], error)
        if clock.spend(answer.seconds):
            late = answer.seconds - (due or 0.0)
            reason = f"{self._names[side]}: {answer.seconds:.3f} s, {late:.3f} s too late"
            return self._on_time(Verdict(1 - side, "time forfeit", reason, fault=side), side)
        if answer.move is None:
            return Verdict(1 - side, "resignation", f"{self._names[side]} resigned")
        text = self._position.move_text(answer.move)
        self._position.make(answer.move)
        self._moves.append(answer.move)
        self._answers.append(answer)
        self._texts.append(text)
        on_move(text, _score(answer))
        verdict = self._outcome()
        if verdict is None:
            found = self._adjudicator.verdict(side, answer, len(self._moves))
            verdict = found and Verdict(found[0], "adjudication", found[1])
        return verdict

    def result(self, verdict: Verdict, begun: float) -> ResultData:
        """Return the result of the job (job.py), which was begun at this time.perf_counter()."""
        job, answers = self._job, self._answers
        return {
            "id": job["id"],
            "game": job["game"],
            "players": self._names,
            "result": result_of(verdict.winner),
            "termination": verdict.termination,
            "reason": verdict.reason,
            "fault": verdict.fault,
            "margin": verdict.margin,
            "start": job.get("start"),
            "options": job.get("options") or {},
            "opening": len(self._opening),
            "moves": self._opening + self._texts,
            "seconds": [round(answer.seconds, 4) for answer in answers],
            "scores": [_score(answer) for answer in answers],
            "depths": [answer.depth for answer in answers],
            "nodes": [answer.nodes for answer in answers],
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "elapsed": round(time.perf_counter() - begun, 3),
        }


def start_of(job: JobData) -> Start:
    """Return the Start of a job's game."""
    return Start(job["game"], job.get("start"), job.get("options"))


def read_moves(start: Start, texts: list[str] | tuple[Any, ...]) -> list[int]:
    """Return the moves of canonical texts from `start` on; raise MoveError for an invalid one."""
    position, moves = start.position(), []
    for text in texts:
        move = position.parse_move(text)
        position.make(move)
        moves.append(move)
    return moves


def _score(answer: Answer) -> int | str | None:
    """Return the mover's score reported with a move: an int, `M3` / `-M3`, or None."""
    if answer.mate is not None:
        return f"M{answer.mate}" if answer.mate > 0 else f"-M{-answer.mate}"
    return answer.score


class Adjudicator:
    """The scores of a game so far, and the rules that they are judged by."""

    def __init__(self, rules: Rules | None) -> None:
        self._rules = rules or {}
        self._scores: tuple[list[int | None], list[int | None]] = ([], [])

    def verdict(self, side: int, answer: Answer, plies: int) -> tuple[int | None, str] | None:
        """Return (winner or None for a draw, reason) after a move of `side`.

        Return None if the game goes on.
        """
        self._scores[side].append(_value(answer))
        resign, draw, most = map(self._rules.get, ("resign", "draw", "max_plies"))
        if resign and self._resigns(side, **resign):
            return 1 - side, f"a score of -{resign['score']} or worse for {resign['moves']} moves"
        if draw and plies >= draw["after"]:
            moves, score = draw["moves"], draw["score"]
            if all(self._stayed(player, moves, -score, score) for player in (0, 1)):
                return None, f"scores within {score} for {moves} moves of each"
        return (None, f"{plies} plies were played") if most and plies >= most else None

    def _resigns(self, side: int, moves: int, score: int) -> bool:
        other = self._scores[1 - side][-1:]
        agrees = not other or other[0] is None or other[0] >= score
        return agrees and self._stayed(side, moves, float("-inf"), -score)

    def _stayed(self, side: int, moves: int, low: float, high: float) -> bool:
        """Has a player reported scores from low to high for this number of moves?"""
        last = self._scores[side][-moves:]
        within = [score is not None and low <= score <= high for score in last]
        return len(last) == moves and all(within)


def _value(answer: Answer) -> int | None:
    if answer.mate is not None:
        return WIN if answer.mate > 0 else -WIN
    return answer.score
