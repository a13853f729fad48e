"""Commands, signals and closed streams at any moment of a search.

`pytest --seconds N --seed N` draws more or other cases.
"""

import os
import re
import signal

import pytest
from conftest import PATIENCE
from sessions import TABLES, WIRES, Walk, alternatives

REFUSAL = "info string error: an infinite search is running; stop it first"
GO = [f"go {limit}" for limit in alternatives(TABLES["searches of races"][0][1])]
OPTIONS = alternatives(TABLES["options of races"][0][1])
IMPOSSIBLE = ("fen 8/8/8 w", "startpos moves z9", "fen", "nonsense")
OTHERS = ("stop", "stop\nstop", "ponderhit", "isready", "d", "eval", "uci", "help", "nonsense", "")
LONG = "go depth 30"  # a bounded search, but too long to wait for
BUSY = {
    "uci": "go infinite",
    "gtp": "lz-analyze 5",
    "cecp": "post\nanalyze",
    "gomocup": "INFO timeout_turn 2000\nBEGIN",
    "nboard": "go",
    "hub": "level infinite\ngo analyze",
    "usi": "go infinite",
}


class Race:
    """An ill-mannered UCI front end, and the answers due to it.

    asked: {mark sent after a `go`: the legal answers to that `go`}.
    """

    def __init__(self, dice, engine):
        self.dice, self.engine, self.walk = dice, engine, Walk(dice, "chess")
        self.asked, self.lines, self.lost = {}, [], False

    def go(self, lines=GO):
        """Request a search, then send an unknown command; a refusal comes before its error."""
        mark = f"mark-{len(self.asked)}"
        self.asked[mark] = set() if self.lost else self.walk.legal()
        self.engine.send(self.dice.choice(lines), mark)

    def position(self):
        """Continue the game, begin another one, or send an impossible position."""
        kind = self.dice.randrange(6)
        self.lost = kind == 0
        if kind == 0:
            self.engine.send(f"position {self.dice.choice(IMPOSSIBLE)}")
        elif kind == 1:
            self.engine.send(f"setoption name UCI_Variant value {self.walk.game()}")
        else:
            if kind == 2:
                self.walk.restart()
                self.engine.send("ucinewgame")
            self.engine.send(f"position startpos moves {self.walk.walked()}")

    def option(self):
        """Set an option."""
        self.engine.send("setoption name " + self.dice.choice(OPTIONS))

    def other(self):
        """Send any other command, or wait until the engine has read everything."""
        self.engine.send(self.dice.choice(OTHERS))
        if self.dice.random() < 0.5:
            self.lines += self.engine.settle()

    def check(self, ends_by_itself):
        """End the engine; check that each `go` got exactly one legal answer or was refused.

        ends_by_itself: whether the last search ends without `stop`, so that an answer is due.
        """
        rest, status = self.engine.end()
        due, refused = [], False
        for line in self.lines + rest:
            mark = line.replace("info string error: unknown command: ", "")
            refused = refused or line == REFUSAL
            if mark in self.asked:
                due += [self.asked[mark]] * (not refused)
                refused = False
        answers = [line for line in self.lines + rest if line.startswith("bestmove")]
        assert status == 0 and len(answers) == len(due), (status, answers, due)
        for legal, answer in zip(due, answers):
            found = re.fullmatch(r"bestmove (\S+)( ponder \S+)?", answer)
            assert found and found[1] in (legal or {"(none)"}), (answer, legal)
        assert not ends_by_itself or answers


def test_each_go_gets_one_legal_answer(start, cases):
    for dice in cases:
        race = Race(dice, start("--protocol", "uci"))
        steps = [race.go] * 3 + [race.position] * 2 + [race.option] + [race.other] * 3
        for _ in range(dice.randrange(15, 30)):
            dice.choice(steps)()
        if dice.random() < 0.5:
            race.engine.send("quit")
            race.check(ends_by_itself=False)
            continue
        race.engine.send(*["stop"] * (len(race.asked) + 1))
        race.go([line for line in GO if line != LONG])
        race.check(ends_by_itself=True)


@pytest.mark.skipif(os.name == "nt", reason="the system has no such signals")
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_a_signal_or_a_closed_input_ends_the_process(start, wire, cases):
    for dice in cases:
        engine = start("--protocol", wire.name)
        engine.send(*wire.greeting.splitlines(), wire.question)
        engine.process.expect_exact(wire.answer.encode())
        if dice.random() < 0.7:
            engine.send(*BUSY[wire.name].splitlines())
        process = engine.process.proc
        name = dice.choice(("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGWINCH", "SIGSTOP", "end"))
        print(name)
        if name == "end":
            assert engine.end()[1] == 0
        elif name in ("SIGPIPE", "SIGWINCH", "SIGSTOP") or (wire.name, name) == ("cecp", "SIGINT"):
            process.send_signal(getattr(signal, name))
            process.send_signal(signal.SIGCONT)
            engine.send(*wire.stop.splitlines(), wire.question)
            engine.process.expect_exact(wire.answer.encode())
            engine.send(wire.farewell)
            assert engine.end()[1] == 0
        else:
            number = getattr(signal, name)
            process.send_signal(number)
            assert process.wait(PATIENCE) == (130 if number == signal.SIGINT else -number)
