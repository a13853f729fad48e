"""UCI commands at any moment of a search; each `go` must get one legal answer."""

from __future__ import annotations

import re
import time

from scripts.stress.case import Case, Failure
from scripts.stress.sessions import Walk, listed
from scripts.stress.subject import PATIENCE

_STEPS = 40  # approximate number of commands per case
_REFUSAL = "info string error: a search without an end is running; stop it first"
_PERFT = "go perft 1"
_LONG = "go depth 30"  # it ends, but takes too long to wait for
_GO = [f"go {limit}" for limit in listed("searches of races")]
_IMPOSSIBLE = ("fen 8/8/8 w", "startpos moves z9", "fen", "nonsense")
_OPTIONS = listed("options of races")


def run(case: Case) -> None:
    """Play an ill-mannered front end that counts the answers due."""
    race = _Race(case)
    steps = [race.go] * 3 + [race.stop, race.position] * 2
    steps += [race.ponderhit, race.refused_position, race.option, race.ready]
    steps += [race.new_game, race.variant, race.state, race.settle]
    for _ in range(case.dice.randrange(_STEPS // 2, _STEPS)):
        case.dice.choice(steps)()
        race.wait()
    case.dice.choice((race.settle_and_quit, race.leave_searching, race.quit_searching))()
    case.count("searches", race.gos)
    case.count("of them refused", race.refused)
    race.subject.check()


class _Race:
    """One engine, and the answers due from it.

    gos: searches requested.  refused: those refused because an infinite one ran.
    """

    def __init__(self, case: Case) -> None:
        self._case, self._dice = case, case.dice
        self.subject = case.engine("--protocol", "uci")
        self._walk = Walk(self._dice, "chess")
        self._marks = 0
        # (mark after a `go`, its legal moves) that are not settled yet
        self._asked: list[tuple[str, set[str]]] = []
        self._settled = 0  # number of lines up to the last settling
        self._lost = False  # was the last position refused?
        self.gos = self.refused = 0

    # ---- steps -----------------------------------------------------------------------

    def go(self) -> None:
        """Request a search of any kind; the next lines show whether it was refused."""
        self._ask(self._dice.choice(_GO))

    def _ask(self, line: str) -> None:
        legal: set[str] = set() if self._lost else self._walk.legal()
        self._asked.append((self._mark(line), legal))
        self.gos += 1

    def stop(self) -> None:
        self.subject.send(*["stop"] * self._dice.choice((1, 1, 1, 2)))

    def ponderhit(self) -> None:
        self.subject.send("ponderhit")

    def position(self) -> None:
        """Continue the game, or start another of the same kind."""
        if self._dice.random() < 0.3:
            self._walk.restart()
        for _ in range(self._dice.choice((0, 1, 2, 9, 60))):
            self._walk.move()
        self._tell_position()

    def refused_position(self) -> None:
        """Send an invalid position, after which there is no move until a valid one."""
        self.subject.send(f"position {self._dice.choice(_IMPOSSIBLE)}")
        self._lost = True

    def option(self) -> None:
        self.subject.send("setoption name " + self._dice.choice(_OPTIONS))

    def ready(self) -> None:
        """Check that `isready` is answered at any time."""
        self.subject.ask("isready", answer="readyok")
        self._case.count("pings")

    def new_game(self) -> None:
        self.subject.send("ucinewgame")
        self._walk.restart()
        self._lost = False
        if self._dice.random() < 0.5:
            self._tell_position()

    def variant(self) -> None:
        """Choose another game, at its start position."""
        if self._dice.random() < 0.5:
            self.subject.send(f"setoption name UCI_Variant value {self._walk.game()}")
            self._lost = False

    def state(self) -> None:
        line = self._dice.choice(("d", "eval", "uci", "help", _PERFT, "nonsense", ""))
        if line != _PERFT or not self._asked:  # its refusal looks like that of a search
            self.subject.send(line)

    def wait(self) -> None:
        """Wait: not at all, a little, for a reported depth, or for the answer."""
        kind = self._dice.randrange(5)
        if kind == 1:
            time.sleep(self._dice.random() * 0.03)
        elif kind in (2, 3):
            wanted, seconds = ("info depth", 0.2) if kind == 2 else ("bestmove", 0.1)
            count = self.subject.count()
            self.subject.wait_for(lambda line: line.startswith(wanted), count, seconds)

    # ---- the account -----------------------------------------------------------------

    def settle(self) -> None:
        """Stop everything and check that each `go` was refused or got a legal answer, in order."""
        last = time.monotonic() + PATIENCE
        while True:
            mark = self._mark(*["stop"] * (len(self._asked) + 1))
            self.subject.expect(mark.__eq__, mark, self._settled)
            said = self.subject.said(self._settled)
            taken, answers = self._account(said)
            if len(answers) >= len(taken):
                break
            if time.monotonic() > last:
                raise Failure(f"{len(taken)} searches, but {len(answers)} answers")
            self.subject.wait_for(_is_answer, self._settled + len(said), 0.1)
        self.ready()  # nothing more may come
        self._check()

    def settle_and_quit(self) -> None:
        """Quit while nothing runs."""
        self.settle()
        self.subject.finish()

    def quit_searching(self) -> None:
        """Quit during a search: the engine must end at once, with all searches answered."""
        self.subject.send("quit")
        self.subject.leave()
        self._check()

    def leave_searching(self) -> None:
        """End the input during a search, which must be finished or stopped, and answered."""
        self.settle()
        self._ask(self._dice.choice([line for line in _GO if line != _LONG]))
        self.subject.close_input()
        self.subject.leave()
        if self._check() != 1:
            raise Failure("no answer to the last search after the end of input")

    def _check(self) -> int:
        """Compare the answers since the last time with the searches; return their number."""
        said = self.subject.said(self._settled)
        taken, answers = self._account(said)
        if len(taken) != len(answers):
            raise Failure(f"{len(taken)} searches, but {len(answers)} answers")
        for legal, answer in zip(taken, answers):
            found = re.fullmatch(r"bestmove (\S+)( ponder \S+)?", answer)
            if not found or found[1] not in (legal or {"(none)"}):
                raise Failure(f"'{answer}' where {' '.join(sorted(legal)) or 'no move'} is legal")
        self.refused += len(self._asked) - len(taken)
        self._settled, self._asked = self._settled + len(said), []
        return len(answers)

    def _account(self, said: list[str]) -> tuple[list[set[str]], list[str]]:
        """Return (legal moves of the searches that were not refused, the lines with answers).

        A refusal directly precedes the mark of its search.
        """
        marks, taken, refused = dict(self._asked), [], False
        for line in said:
            if line == _REFUSAL:
                refused = True
            elif line in marks:
                if not refused:
                    taken.append(marks[line])
                refused = False
        return taken, list(filter(_is_answer, said))

    def _mark(self, *lines: str) -> str:
        """Send lines and an unknown command; return its answer, which shows that they were read."""
        self._marks += 1
        self.subject.send(*lines, f"mark-{self._marks}")
        return f"info string error: unknown command: mark-{self._marks}"

    def _tell_position(self) -> None:
        self._lost = False
        self.subject.send(self._walk.line())


def _is_answer(line: str) -> bool:
    return line.startswith("bestmove")
