"""The full-screen display of scripts/play: at three sizes, in every game, checked cell by cell."""
# Not in the fast part of scripts/test.

import os
import pathlib
import re
import signal
import sys
import time

import pytest
from emulator import Emulator

pexpect = pytest.importorskip("pexpect")
if not hasattr(pexpect, "spawn"):
    pytest.skip("the system has no pseudo-terminals", allow_module_level=True)

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 60
SIZES = [(40, 24), (80, 24), (120, 40)]


class Player:
    """A scripted user in front of a screen."""

    def __init__(self, folder, size, *words):
        columns, lines = size
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            "NO_COLOR": "1",
            "XDG_STATE_HOME": str(folder),
            "PYTHONIOENCODING": "utf-8",
            "INPUTRC": os.devnull,
        }
        for name in ("COLUMNS", "LINES"):
            environment.pop(name, None)
        self.process = pexpect.spawn(
            sys.executable,
            [str(ROOT / "scripts" / "play"), *words],
            cwd=str(folder),
            env=environment,
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=(lines, columns),
        )
        self.screen = Emulator(columns, lines)

    def until(self, condition):
        """Read until the screen meets a condition; return its lines."""
        last = time.monotonic() + PATIENCE
        while not condition(self.screen.text()):
            assert time.monotonic() < last, "\n".join(self.screen.text())
            try:
                self.screen.feed(self.process.read_nonblocking(4096, 0.1))
            except pexpect.TIMEOUT:
                pass
        return self.screen.text()

    def asked(self, question="to move>"):
        """Read until the last line of the screen ends with a match of the pattern `question`."""
        return self.until(
            lambda lines: (
                [line for line in lines if line][-1:]
                and re.search(question + "$", [line for line in lines if line][-1])
            )
        )

    def say(self, text, question="to move>"):
        """Type a line; return the screen when the question comes again."""
        before = self.screen.pictures
        self.process.sendline(text)
        self.until(lambda lines: self.screen.pictures > before)
        return self.asked(re.escape(question))

    def close(self):
        self.process.kill(signal.SIGKILL)
        self.process.wait()
        self.process.close()


@pytest.fixture
def play(tmp_path):
    players = []

    def start(*arguments):
        players.append(Player(tmp_path, *arguments))
        return players[-1]

    yield start
    for player in players:
        player.close()


GAMES = {
    "chess": ("e4", "d2 d4"),
    "othello": ("d3",),
    "connect4": ("4",),
    "gomoku": ("j 9", "h8"),
    "tictactoe": ("b2",),
}
LARGEST = ("gomokufreestyle", "--game-option", "BoardSize=20")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_the_board_fits_and_stays_in_place(play, size):
    player = play(size, "chess", "--two")
    player.asked()
    for game, moves in GAMES.items():
        stays(player, player.say(f"new {game}"), ["nonsense", *moves, "", "level"])
    player = play(size, *LARGEST, "--two")
    stays(player, player.asked(), ["t20", "a 1"])


def stays(player, lines, texts):
    """Type texts; check that the whole board stays in its place on the screen."""
    ranks = board_rows(lines)
    assert len(ranks) > 3
    for text in texts:
        lines = player.say(text)
        assert board_rows(lines) == ranks, "\n".join(lines)
    # On a full screen Enter scrolls everything up by a line until the screen is redrawn.
    assert player.screen.scrolled <= (len(texts) if lines[-1] else 0)
    assert sum("▸" in line for line in lines) == 1


def board_rows(lines):
    """Return the indices of the screen's rows that show a rank or the names of files."""
    rank, drops = r" ?\d+ [ \[(.XO]", r" (?:[ \[(][.XO][ \])]){2}"
    files = r"  ?1  ?2  ?3|  +a b c|   +a  b  c|   ?abc"
    return [row for row, line in enumerate(lines) if re.match(f"{rank}|{drops}|{files}", line)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_messages_that_do_not_fit_take_the_place_of_the_board(play, size):
    player = play(size, *LARGEST, "--two")
    player.asked()
    text = " ".join(" ".join(player.say("?")).split())
    for word in ("A move, or", "resign", "undo"):
        assert word in text
    assert len(board_rows(player.say(""))) == 21


def test_the_next_drawing_fits_a_resized_screen(play):
    player = play((80, 24), "gomoku", "--two")
    player.asked()
    player.say("h8")
    player.screen.resize(40, 24)
    player.process.setwinsize(24, 40)
    lines = player.say("")
    assert len(board_rows(lines)) == 16 and player.screen.scrolled == 0
    player.process.setwinsize(24, 2)
    player.process.sendline("level")
    player.process.sendline("quit")
    player.process.expect(pexpect.EOF)
    player.process.close()
    assert player.process.exitstatus == 0


def test_watching_leaves_the_board_in_place_and_one_ctrl_c_ends_it(play):
    player = play((80, 24), "othello", "--watch", "--depth", "1")
    player.until(lambda lines: sum("8 " in line[:3] for line in lines) == 1)
    ranks = board_rows(player.screen.text())
    for count in (12, 24):
        lines = player.until(
            lambda lines, count=count: (
                any(re.search(rf" {count}\. ", line) for line in lines) or "Goodbye." in lines
            )
        )
        assert board_rows(lines) == ranks and player.screen.scrolled == 0
    player = play((80, 24), "othello", "--watch", "--time", "30")
    player.until(lambda lines: any("White" in line for line in lines))
    player.process.sendintr()
    player.process.expect(pexpect.EOF)
    player.process.close()
    assert player.process.exitstatus == 130


@pytest.mark.parametrize("typed, shown", [("Nf", "Nf3"), ("resi", "resign")])
def test_tab_completes_moves_and_commands(play, typed, shown):
    readline = pytest.importorskip("readline")
    if isinstance(readline.get_line_buffer(), bytes):
        pytest.skip("the readline of PyPy 3.9 serves no program that uses cmd")
    player = play((80, 24), "chess", "--two")
    player.asked()
    player.process.send(typed + "\t")
    player.until(lambda lines: any(f"> {shown}" in line for line in lines))


def test_the_result_is_shown_in_one_sentence(play):
    player = play((40, 24), "othello", "--two", "--position", "X" * 62 + "O- X")
    player.asked()
    lines = player.say("h8", "quit)>")
    assert "Game over (new, undo, save, quit)>" in lines, "the question fits on one line"
    assert sum("Black wins by 64" in line for line in lines) == 1
    assert not any("wins: Black" in line for line in lines)


def test_the_first_move_does_not_shift_a_narrow_board(play):
    player = play((40, 24), "chess", "--two")
    ranks = board_rows(player.asked())
    player.process.sendline("e4")
    player.asked("Black to move>")
    assert "1. e4" in player.screen.text() and board_rows(player.screen.text()) == ranks


def test_the_last_moves_of_both_sides_fit_below_the_largest_board(play):
    player = play((40, 24), *LARGEST, "--begin", "me", "--depth", "1")
    ranks = board_rows(player.asked())
    player.process.sendline("j10")
    moves = r"Black: j10  White: \w+$"
    player.until(lambda lines: any(re.search(moves, line) for line in lines))
    assert board_rows(player.asked()) == ranks
