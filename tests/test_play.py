"""scripts/play in a terminal: moves, commands, levels, engines that fail, and clean exits."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import os
import pathlib
import re
import shlex
import signal
import sys

import pexpect
import pytest
import warm
from conftest import NEEDS_TERMINAL, signals, wait_until
from samples import read_records
from tables import rows
from tournaments import STUBS, processes

from games import registry
from games.grid import edge_labels
from protocol.records.record import Start
from scripts.terminal import board

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPT = str(ROOT / "scripts" / "play")
PATIENCE = 60
pytestmark = NEEDS_TERMINAL


class Terminal:
    """A scripted user at the terminal."""

    def __init__(self, tmp_path, *words, env=None):
        environment = {
            **os.environ,
            "NO_COLOR": "1",
            "TERM": "dumb",
            "XDG_STATE_HOME": str(tmp_path),
            **(env or {}),
        }
        self.process = pexpect.spawn(
            sys.executable,
            [SCRIPT, *words],
            cwd=str(tmp_path),
            env=environment,
            encoding="utf-8",
            timeout=PATIENCE,
            echo=False,
            dimensions=(60, 200),
        )

    def see(self, pattern):
        """Wait for a pattern; return the text before it."""
        self.process.expect(pattern)
        return self.process.before

    def say(self, text, pattern="to move> "):
        """Type a line; return the output up to `pattern`."""
        self.process.sendline(text)
        return self.see(pattern)

    def end(self, status=0):
        self.process.expect(pexpect.EOF)
        self.process.close()
        assert self.process.exitstatus == status, self.process.before
        return self.process.before


@pytest.fixture
def play(tmp_path):
    terminals = []

    def start(*words, **keywords):
        terminals.append(Terminal(tmp_path, *words, **keywords))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.process.kill(signal.SIGKILL)
        terminal.process.wait()
        terminal.process.close()


def stub(name, marker=""):
    return f"'{sys.executable}' '{STUBS / name}.py' '{marker}'"


def test_a_game_of_tictactoe_is_played_to_its_end(play):
    person = play("tictactoe", "--depth", "9")
    person.see("Do you want to begin")
    person.say("perhaps", '"perhaps" is not understood: type yes or no')
    person.see("Do you want to begin")
    assert "Level: depth 9" in person.say("level", "Do you want to begin")
    person.say("no", r"(?s)X: b2.*O to move> ")
    assert "[O]" in person.say("1")  # the person's first stone, in a corner
    shown = person.say("b2")
    assert '"b2": this cell is taken: type a move (for example ' in shown and shown.count("\n") == 1
    assert '"hello" is not a square: type a move' in person.say("hello")
    assert '"9 9" is not a square' in person.say("9 9")
    assert person.say("").strip() == "O"
    person.say("resign", "1-0  O resigned")
    person.say("a1", "the game is over")
    person.say("new", "Do you want to begin")
    assert "X: a1" in person.say("a1")
    person.say("resign", "0-1  X resigned")
    person.say("undo", "Taken back: the end")
    person.say("new", "Do you want to begin")
    person.say("q", "Goodbye")
    person.end()


def test_every_move_of_a_game_is_printed(play):
    person = play("tictactoe", "--two")
    person.see("X to move> ")
    for text, who in (("a1", "O"), ("b2", "X"), ("a2", "O"), ("b1", "X")):
        person.say(text, f"{who} to move> ")
    person.say("a3", "1-0  X wins: three in a row")
    person.say("undo", "Taken back: 1 move.")
    assert "X: c3" in person.say("c3", "O to move> ")
    assert "a3" in person.say("moves")
    person.process.sendeof()
    person.see("Goodbye")
    person.end()


def test_a_move_is_taken_back_and_a_hint_given(play):
    person = play("othello", "--begin", "me", "--depth", "1")
    first = person.see("Black to move> ")
    assert re.search(r"1  \.  \.", first) and first.index("a  b  c") < first.index("1  ."), first
    assert "[X]" in person.say("d3", "White: ")
    person.see("Black to move> ")
    shown = person.say("undo")
    assert "Taken back: 2 moves" in shown and "Black 2, White 2" in shown
    assert "there is no move to take back" in person.say("undo")
    assert re.search(r"Hint: (d3|c4|f5|e6)  \(.*, depth \d+\)", person.say("hint"))
    assert set(re.findall(r"\b[a-h][1-8]\b", person.say("moves"))) == {"d3", "c4", "f5", "e6"}
    shown = person.say("help")
    assert "A move, or one of these commands" in shown and "undo" in shown
    assert "save FILE: save the game" in person.say("help save")
    assert 'there is no help on "x"' in person.say("? x")


def test_undo_can_take_back_the_engines_first_move(play):
    person = play("connect4", "--begin", "engine", "--depth", "2")
    shown = person.see("O to move> ")
    assert "1  2  3  4  5  6  7" in shown and "[X]" in shown
    assert "[X]" in person.say("4")
    assert "Taken back: 2 moves" in person.say("undo")
    assert "Type go to let the engine move" in person.say("undo", "X to move> ")
    assert "[X]" in person.say("go", "O to move> ")


def test_undo_takes_back_the_move_after_which_the_engine_resigned(play):
    answers = "{'uci': 'uciok', 'go': 'bestmove resign'}.get(line.split()[0], 'readyok')"
    code = f"import sys; [print({answers}, flush=True) for line in sys.stdin]"
    person = play("chess", "--begin", "me", "--engine", f"'{sys.executable}' -c \"{code}\"")
    person.see("White to move> ")
    person.say("e4", "1-0  Black resigned")
    assert "Taken back: 1 move." in person.say("undo", "White to move> ")


def test_a_game_is_saved_and_loaded(play, tmp_path):
    person = play("chess", "--two")
    person.see("White to move> ")
    person.say("e4", "Black to move> ")
    assert '"Nf3" is not a legal move here: type a move (for example ' in person.say("Nf3")
    shown = person.say("g8f6", "White to move> ")
    assert "Black: Nf6" in shown and "[n]" in shown and "[.]" in shown
    assert "needs a file name" in person.say("save")
    assert "saved as .jsonl or .pgn" in person.say("save game.txt")
    assert "can't write" in person.say("save no-such-folder/game.pgn")
    assert "Saved" in person.say("save game.pgn")
    assert "Saved" in person.say("save game.jsonl")
    assert "Saved in by-default.pgn." in person.say("save by-default")
    (tmp_path / "others.pgn").write_text("1. e4 *\n")
    assert "others.pgn exists" in person.say("save others")
    assert (tmp_path / "others.pgn").read_text() == "1. e4 *\n"
    assert "can't read" in person.say("load other.pgn")
    person.say("d4", "Black to move> ")
    assert "load" in person.say("help")
    person.say("load game.jsonl", "White to move> ")
    person.say("quit", "Goodbye")
    again = play("chess")
    again.see("Do you want to begin")
    again.say("load game.jsonl", "White to move> ")
    for name in ("game.pgn", "game.jsonl", "by-default.pgn"):
        _, (record,) = read_records((tmp_path / name).read_text())
        assert len(record.moves) == 2 and record.result == "*"
        again = play("--load", name, "--begin", "me")
        assert "[n]" in again.see("White to move> ")
        again.process.sendeof()
        again.end()
    assert "2 moves" not in person.end()


def test_a_game_without_a_format_of_its_own_is_saved_as_json_lines(play, tmp_path):
    person = play("tictactoe", "--two")
    person.see("X to move> ")
    person.say("b2")
    assert "Saved in mine.jsonl." in person.say("save mine")
    _, (record,) = read_records((tmp_path / "mine.jsonl").read_text())
    assert record.start.game.name == "tictactoe" and len(record.moves) == 1


@pytest.mark.parametrize(
    "game, move, suffixes",
    [("othello", "d3", ".ggf .jsonl .sgf"), ("shogi", "7g7f", ".csa .jsonl .kif")],
)
def test_a_game_is_saved_in_each_format_that_holds_it(play, game, move, suffixes):
    person = play(game, "--two")
    person.see("Black to move> ")
    person.say(move, "White to move> ")
    assert f"saved as {suffixes.replace(' ', ' or ')}" in person.say("save game.txt")
    for path in (".", "..", "./"):
        assert f"{path} names a folder: add the name of the file" in person.say(f"save {path}")
    assert all("Saved" in person.say(f"save game{suffix}") for suffix in suffixes.split())


def test_moves_of_shogi_are_written_in_the_chosen_notation(play):
    game = play("shogi", "--two")
    game.see("to move> ")
    assert "Black: P-7f" in game.say("7g7f")
    assert "one of western, kif, usi, not old" in game.say("notation old")
    assert "Notation: kif (of western, kif, usi)." in game.say("notation kif")
    assert "White: △３四歩" in game.say("△３四歩")
    assert "▲２二角成" in game.say("moves 8h")
    assert "Black: ▲２六歩" in game.say("P-2f")
    game.say("new", "begin|to move> ")
    assert "▲７六歩" in game.say("moves 7g")


def test_a_game_of_the_engine_against_itself_is_watched(play):
    person = play("tictactoe", "--watch", "--depth", "9")
    assert "Type a move" not in person.see(r"X: b2")
    person.see(r"1/2-1/2  a draw: the board is full")
    person.end()


def test_two_engines_are_watched(play):
    person = play(
        *"connect4 --watch --engine".split(),
        stub("honest"),
        "--engine",
        f"'{sys.executable}' '{ROOT / 'engine.py'}'",
        *"--depth 3 --protocol uci".split(),
    )
    person.see("0-1  O wins: four in a row")
    person.end()


def test_the_level_is_shown_and_set(play):
    person = play(
        "tictactoe", "--engine", stub("honest"), "--begin", "me", "--skill", "3", "--hints"
    )
    person.see("X to move> ")
    # The stub's score is its Skill Level.
    assert "(+0.03" in person.say("b2").replace("-0.03", "+0.03")
    assert "Level: 1 s per move, skill 3" in person.say("level")
    assert "Level: 1 s per move, skill 5" in person.say("level skill 5")
    assert "0.05, depth 1" in person.say("c3")
    assert "Level: depth 2, skill 5" in person.say("level depth 2")
    assert "level needs" in person.say("level high")
    assert "level needs" in person.say("level depth -2")
    assert re.search(r"Hint: \S+  \(.0\.20", person.say("hint"))  # hints come at full strength


def test_a_foreign_engine_of_another_protocol_plays(play):
    person = play(
        "gomoku",
        "--engine",
        f"'{sys.executable}' '{ROOT / 'engine.py'}' --protocol gomocup",
        "--protocol",
        "gomocup",
        *"--begin engine --depth 1 --game-option BoardSize=7".split(),
    )
    assert "[X]" in person.see("White to move> ")
    assert "[X]" in person.say("a1")


# ---- the board drawn in place ---------------------------------------------------------------------------


SCREEN = {"TERM": "xterm-256color"}


def frame(shown):
    """Return the last board in the terminal's output, without colours."""
    return re.sub("\x1b\\[[0-9;]*m", "", shown.rpartition("\x1b[H\x1b[J")[2])


def test_the_board_of_chess_is_redrawn_in_place(play):
    person = play("chess", "--two", env=SCREEN)
    person.see("White to move> ")
    shown = frame(person.say("e4", "Black to move> "))
    assert "[P]" in shown and "8  r  n  b  q  k" in shown and "1. e4" in shown
    assert "  White   ▸ Black" in shown
    shown = frame(person.say("nf6", "White to move> "))
    assert re.search(r"1\. e4 +Nf6", shown)
    shown = frame(person.say("flip"))
    assert "1  R  N  B  K  Q" in shown and "h  g  f" in shown
    shown = frame(person.say("moves b1"))
    assert "\nNc3 Na3\r" in shown
    assert "Nf6" not in frame(person.say("undo", "Black to move> "))


def test_the_second_player_sees_the_board_from_their_side(play):
    person = play("chess", "--begin", "engine", "--depth", "1", env=SCREEN)
    assert "h  g  f  e  d  c  b  a" in frame(person.see("Black to move> "))


def test_discs_are_drawn_on_a_green_background(play):
    person = play("othello", "--two", env={**SCREEN, "NO_COLOR": ""})
    shown = person.see("Black to move> ")
    assert re.search("\x1b\\[1;38;5;16;48;5;28m ● ", shown)
    assert re.search("\x1b\\[1;38;5;231;48;5;28m ● ", shown)
    assert "●  Black" in frame(shown) and "X" not in frame(shown)


def test_scores_are_shown_only_with_hints(play):
    position = "7/7/7/7/ooo4/xxx4 x"
    person = play("connect4", "--begin", "engine", "--position", position, "--depth", "4")
    shown = person.see("X wins: four in a row")
    assert "wins" not in shown and "(" not in shown.partition("X: 4")[2]
    person = play(
        "connect4", "--begin", "engine", "--position", position, "--depth", "4", "--hints"
    )
    assert "X wins in 1" in person.see("X wins: four in a row")


def test_ctrl_c_makes_a_thinking_engine_move_now(play):
    person = play("chess", "--begin", "engine", "--time", "3600", "--hints")
    person.see("h  g  f  e  d  c  b  a")  # the engine thinks after the first board is shown
    person.process.sendintr()
    person.see(r"(?s)White: \S+  \(.*Black to move> ")


def test_an_unfinished_game_is_resumed(play):
    person = play("tictactoe", "--begin", "me", "--depth", "1")
    person.see("X to move> ")
    person.say("b2")
    # A Ctrl-C between the prompt and the program's read has no effect until a key is pressed.
    for _ in range(10):
        person.process.sendintr()
        if not person.process.expect(["To resume the game", pexpect.TIMEOUT], timeout=5):
            break
    person.end(130)
    again = play("--resume")
    shown = again.see("X to move> ")
    assert "X" in shown and "begin?" not in shown
    again.say("resign", "0-1  X resigned")
    again.say("quit", "Goodbye")
    again.end()


def test_a_game_of_a_plugin_is_resumed_by_the_command_that_is_shown(play, tmp_path):
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games" / "nim.py").write_text(
        (ROOT / "tests" / "plugins" / "nim.py").read_text()
    )
    person = play("nim", "--plugin", "my games/nim.py", "--begin", "engine", "--depth", "1")
    person.see("to move> ")
    person.say("quit", r"Goodbye. To resume the game: scripts/play (--resume [^\r\n]*)")
    again = play(*shlex.split(person.process.match[1]))
    again.see("to move> ")


def test_boards_of_all_games_are_drawn():
    for name in registry.built_in():
        position = Start(name).position()
        lines = board.Drawing().lines(position) + position.notes()
        if position.board():
            labels = bool(edge_labels(position)[0])
            assert len(lines) == len(position.board()) + labels + len(position.notes())
            move = position.legal_moves()[0]
            marked = position.touched(move)
            position.make(move)
            assert "[" in "".join(board.Drawing(marked=marked).lines(position))
        else:
            assert lines == [position.text()]


@pytest.mark.parametrize("flipped, first", [(False, ["1", "5", "9"]), (True, ["32", "28", "24"])])
def test_a_row_of_numbered_squares_is_labelled_with_the_number_of_its_first_square(flipped, first):
    lines = board.Drawing(flipped=flipped).lines(Start("checkers").position())
    assert [line.split()[0] for line in lines[:3]] == first


# ---- engines that fail, and leaving --------------------------------------------------------------------


@pytest.mark.parametrize("name, kind", [("crashing", "crash"), ("cheating", "illegal move")])
def test_a_failing_engine_is_reported_and_replaced(play, tmp_path, name, kind):
    person = play("tictactoe", "--begin", "me", "--engine", stub(name, tmp_path), "--depth", "1")
    person.see("X to move> ")
    person.say("b2")
    shown = person.say("c3", "O to move> ")
    assert f"The engine failed ({kind}" in shown and "Type go" in shown
    assert "O: " in person.say("go", "X to move> ")  # the first move of the new process is legal
    person.say("quit", "Goodbye")
    person.end()
    wait_until(lambda: not processes(tmp_path))


@pytest.mark.parametrize("number", signals("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"))
def test_a_person_can_leave_while_the_engine_stalls(play, tmp_path, number):
    person = play(
        "tictactoe", "--begin", "me", "--engine", stub("stalling", tmp_path), "--depth", "1"
    )
    person.see("X to move> ")
    person.say("b2")
    person.say("c3", r"\[X\]")
    assert processes(tmp_path)
    if number == signal.SIGINT:
        person.process.sendintr()
        person.see("was told to move now")  # this engine doesn't react
        person.process.sendintr()
    else:
        person.process.kill(number)
    person.process.expect(pexpect.EOF)
    person.process.close()
    if number == signal.SIGKILL:
        assert person.process.signalstatus == number
    else:
        assert person.process.exitstatus == 128 + number
    assert "Traceback" not in person.process.before
    wait_until(lambda: not processes(tmp_path))


@pytest.mark.parametrize("words, complaint", rows("play.bad_arguments_are_refused"))
def test_bad_arguments_are_refused(tmp_path, words, complaint):
    status, _, wrong = warm.run("scripts/play", *shlex.split(words), cwd=tmp_path)
    assert status == 2 and complaint in wrong and len(wrong.splitlines()) == 1
