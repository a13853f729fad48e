"""Gomocup's protocol, as managers speak it."""

import re

import pytest
from conftest import PATIENCE
from front_end import InProcessEngine, run_script
from tables import rows

from protocol.table import detect


def test_a_session_with_a_manager_is_answered(start):
    run_script(
        start(),
        """
        > ABOUT
        < name="Plyglot", version="[0-9.]+", author="[^"]+", country="[^"]*"
        > START 15
        < OK
        > INFO timeout_turn 1000
        > INFO timeout_match 100000
        > INFO max_memory 83886080
        > INFO game_type 1
        > INFO rule 0
        > INFO time_left 100000
        > INFO max_depth 2
        > BEGIN
        < MESSAGE depth 1-1 ev -?[0-9]+ n [0-9]+ n/ms [0-9]+ tm [0-9]+ pv h8
        ~ 7,7
        > INFO time_left 99000
        > TURN 7,6
        ~ [0-9]+,[0-9]+
        > RESTART
        < OK
        > BOARD
        > 7,7,2
        > DONE
        ~ [0-9]+,[0-9]+
        > END
    """,
    )


@pytest.mark.parametrize(
    "line",
    ["ABOUT", "start 15", "RECTSTART 9,9", "INFO rule 1", "BEGIN", "TURN 7,7", "BOARD", "END"],
)
def test_gomocup_is_detected_by_the_first_line(line):
    assert detect(line).name == "gomocup"


def test_messages_have_the_form_that_managers_parse(speak):
    engine = speak("gomocup")
    engine.ask("START 15", "OK")
    engine.send("INFO max_depth 3", "TURN 7,7")
    lines = engine.until(r"\d+,\d+")[:-1]
    assert lines
    form = r"MESSAGE depth \d+-\d+ ev [+-]?M?\d+ n \d+ n/ms \d+ tm \d+ pv( [a-o]([1-9]|1[0-5]))+"
    assert all(re.fullmatch(form, line) for line in lines)
    column, row = (
        lines[-1].split(" pv ")[1].split()[0][0],
        int(lines[-1].split(" pv ")[1].split()[0][1:]),
    )
    engine.send("TAKEBACK {},{}".format(ord(column) - ord("a"), row - 1))
    assert engine.line() == "OK"


def test_a_four_is_completed_to_a_win(speak):
    engine = speak("gomocup")
    engine.ask("START 15", "OK")
    stones = "3,3,1 0,0,2 4,3,1 0,2,2 5,3,1 0,4,2 6,3,1 0,6,2"
    engine.send("INFO max_depth 4", "BOARD", *stones.split(), "DONE")
    lines = engine.until(r"\d+,\d+")
    assert lines[-1] in ("2,3", "7,3")
    assert " ev +M1 " in lines[-2]
    engine.send("TURN 1,1")
    assert engine.line().endswith("the game is over")


@pytest.mark.parametrize(
    "line, answer",
    [
        ("FOO", "UNKNOWN FOO"),
        ("7,7,1", "UNKNOWN 7,7,1"),
        ("TURN", "ERROR TURN needs X,Y"),
        ("TURN 15,0", 'ERROR "15,0" .*'),
        ("PLAY", "ERROR PLAY needs X,Y"),
        ("TAKEBACK", "ERROR TAKEBACK needs X,Y"),
        ("PLAY 00015,00000", "ERROR .*"),
        ("PLAY 10000,10000", "ERROR .*"),
        (f"PLAY 1,{9 * '1000'}", "ERROR .*"),
        pytest.param(f"PLAY {6000 * '1'},1", "ERROR .*", id="PLAY of many digits"),
        ("TURN 0,-1", "ERROR .*"),
        ("TURN x,y", "ERROR .*"),
        ("START", "ERROR .*"),
        ("START 4", "ERROR .*"),
        ("START 21", "ERROR .*"),
        ("START ten", "ERROR .*"),
        ("RECTSTART 10,12", "ERROR .*"),
        ("TAKEBACK 3,3", "ERROR .*"),
        ("PLAY 40,40", "ERROR .*"),
        ("DONE", "UNKNOWN DONE"),
        ("START \u00b2", "ERROR .*"),
    ],
)
def test_bad_input_gets_one_line_and_changes_nothing(line, answer):
    engine = InProcessEngine("gomocup").send("START 15", "YXBOARD", "7,7,1", "8,8,2", "DONE")
    before, position = engine.output, engine.session.position.text()
    assert re.fullmatch(answer + r"\n", engine.send(line).output[len(before) :])
    assert engine.session.position.text() == position


@pytest.mark.parametrize("word", ["PLAY", "TURN", "TAKEBACK"])
def test_a_pass_is_refused_even_in_renju(word):
    engine = InProcessEngine("gomocup").send("INFO rule 4", "START 15", "PLAY 7,7", f"{word} pass")
    assert engine.output == f"OK\n7,7\nERROR {word} needs X,Y\n"


# In the only empty cell a black stone would make seven in a row.
FORBIDDEN_EVERYWHERE = "XXOOXXO/OOXXOOX/XXOOXXO/XXX.XXX/XXOOXXO/OOXXOOX/XXOOXXO"


def test_a_renju_board_without_a_legal_move_is_an_error_that_says_why():
    """The protocol has no word for a pass, so without an error a manager would wait forever."""
    engine = InProcessEngine("gomocup").send("INFO rule 4", "START 7")
    stones = [
        f"{column},{row},{1 if char == 'X' else 2}"
        for row, line in enumerate(FORBIDDEN_EVERYWHERE.split("/"))
        for column, char in enumerate(line)
        if char != "."
    ]
    engine.send("BOARD", *stones, "DONE", "BEGIN", "YXSHOWFORBID")
    engine.session.wait()
    over = "ERROR the game is over: every empty point is forbidden to Black"
    assert engine.output == f"OK\n{over}\n{over}\nFORBID 0303.\n"


def test_info_is_never_answered(speak):
    engine = speak("gomocup")
    known = "rule|rule x|timeout_turn much|folder /tmp|evaluate 3,3|thread_num 4|max_memory -1"
    engine.send(*[f"INFO {words}" for words in ("", *known.split("|"), "nonsense 7")], "ABOUT")
    assert engine.line().startswith("name=")


@pytest.mark.parametrize(
    "rule, game", [(0, "gomokufreestyle"), (1, "gomoku"), (4, "renju"), (5, "renju")]
)
def test_the_rule_chooses_the_game(rule, game):
    engine = InProcessEngine("gomocup").send("START 15", f"INFO rule {rule}")
    assert engine.session.game.name == game
    assert engine.send("START 10").session.game.name == game
    assert len(engine.session.position.board()) == 10


def test_info_rule_during_a_game_keeps_the_stones():
    engine = InProcessEngine("gomocup").send(
        "START 15", "YXBOARD", "7,7,1", "8,8,2", "DONE", "PLAY 7,8"
    )
    board = engine.session.position.board()
    engine.send("INFO rule 1")
    assert engine.session.game.name == "gomoku"
    assert engine.session.position.board() == board
    engine.send("TAKEBACK 7,8")
    assert engine.output.endswith("OK\n")


def test_only_the_last_move_can_be_taken_back():
    engine = InProcessEngine("gomocup").send(
        "START 15", "YXBOARD", "7,7,1", "8,8,2", "DONE", "TAKEBACK 7,7"
    )
    assert engine.output.splitlines()[-1].startswith("ERROR") and len(engine.session.moves) == 2
    engine.send("TAKEBACK 8,8", "TAKEBACK 7,7")
    assert engine.output.splitlines()[-2:] == ["OK", "OK"] and engine.session.moves == []


def test_row_zero_is_the_top_row_and_leading_zeros_are_ignored():
    engine = InProcessEngine("gomocup").send("START 15", "PLAY 00010,00003")
    assert engine.output.splitlines()[-1] == "10,3"
    assert engine.session.position.board()[11][10] == "X"


@pytest.mark.parametrize("stones, side", rows("gomocup.board_accepts_stones_in_any_order"))
def test_board_accepts_stones_in_any_order(stones, side):
    engine = InProcessEngine("gomocup").send("START 15", "YXBOARD", *stones.split(), "DONE")
    position = engine.session.position
    assert "ERROR" not in engine.output
    assert position.side == side
    for stone in stones.split():
        column, row, who = map(int, stone.split(","))
        if who < 3:
            assert position.board()[14 - row][column] == "XO"[side if who == 1 else 1 - side]


def test_swap2board_opens_with_three_stones(speak):
    engine = speak("gomocup")
    engine.send("START 15", "SWAP2BOARD", "DONE")
    stones = engine.until(r"\d+,\d+ \d+,\d+ \d+,\d+")[-1].split()
    assert len(set(stones)) == 3
    engine.send("INFO max_depth 2", "SWAP2BOARD", *stones, "DONE")
    engine.until(r"SWAP|\d+,\d+")


@pytest.mark.parametrize(
    "stones, answer",
    [
        ("7,7 0,0 8,8 0,14 9,9", "SWAP"),  # An open three against scattered stones.
        ("0,0 7,7 14,0 8,8 0,14", r"\d+,\d+"),  # Two central stones against scattered ones.
    ],
)
def test_swap2board_takes_the_better_colour(speak, stones, answer):
    engine = speak("gomocup")
    engine.send("START 15", "INFO max_depth 4", "SWAP2BOARD", *stones.split(), "DONE")
    assert re.fullmatch(answer, engine.until(r"SWAP|\d+,\d+")[-1])


def test_invalid_stones_of_swap2board_are_refused():
    engine = InProcessEngine("gomocup").send("START 15")
    for stones, error in (
        ("7,7", "SWAP2BOARD needs 0, 3 or 5 stones, not 1"),
        ("7,7 what 8,8", "SWAP2BOARD has a line that is not X,Y: what"),
        ("7,7 7,7 8,8", '"7,7" is not a legal move here'),
        ("7,7 " * 1001, "SWAP2BOARD has more than 1000 lines"),
    ):
        engine.send("SWAP2BOARD", *stones.split(), "DONE")
        assert engine.output.splitlines()[-1] == f"ERROR {error}"


def test_memory_stays_below_max_memory():
    engine = InProcessEngine("gomocup").send("START 15", "INFO max_memory 83886080")
    assert 1 <= engine.session.values["Hash"] <= 30
    assert engine.send("INFO max_memory 1000").session.values["Hash"] == 1
    assert engine.send("INFO max_memory 367001600").session.values["Hash"] == 64


def test_limits_of_nodes_and_depth_are_obeyed(speak):
    engine = speak("gomocup")
    engine.ask("START 15", "OK")
    engine.send("INFO max_node 300", "INFO timeout_turn 60000", "TURN 7,7")
    nodes = [int(re.search(r" n (\d+) ", line).group(1)) for line in engine.until(r"\d+,\d+")[:-1]]
    assert max(nodes) <= 300
    engine.send("INFO max_node 0", "INFO max_depth 2", "TURN 0,0")
    depths = [
        int(re.search(r"depth (\d+)-", line).group(1)) for line in engine.until(r"\d+,\d+")[:-1]
    ]
    assert max(depths) <= 2


@pytest.mark.parametrize("lines, movetime, clock", rows("gomocup.unlimited_times_are_ignored"))
def test_unlimited_times_are_ignored(lines, movetime, clock):
    engine = InProcessEngine("gomocup").send(
        "START 15", "option", *[f"INFO {line}" for line in lines]
    )
    (limits,) = engine.limits_of("BEGIN")
    assert limits.clocks == (clock, clock)
    assert limits.turn == movetime


@pytest.mark.parametrize(
    "anew", ["START 15", "RECTSTART 15,15", "RESTART", "INFO timeout_match 6000000"]
)
def test_a_new_game_has_a_new_clock(speak, anew):
    engine = speak("gomocup")
    engine.ask("START 15", "OK")
    engine.send("INFO timeout_match 6000000", "INFO max_depth 3", "INFO time_left 0")

    def depths():
        engine.send("BOARD", "7,7,2", "DONE")
        return [
            int(re.match(r"MESSAGE depth (\d+)-", line).group(1))
            for line in engine.until(r"\d+,\d+")[:-1]
        ]

    assert max(depths(), default=0) < 3
    assert max(depths(), default=0) < 3  # a second move adds no time to the clock
    engine.send(anew)
    if "START" in anew:
        engine.until("OK")
    assert max(depths()) == 3


@pytest.mark.parametrize("word", ["END", "quit"])
def test_a_new_game_drops_the_search_and_the_command_end_ends_the_process(start, word):
    engine = start()
    engine.ask("START 15", "OK")
    engine.send("INFO timeout_turn 1000000", "TURN 7,7")
    engine.until("MESSAGE .*")
    engine.send("START 10")
    assert not [line for line in engine.until("OK") if re.fullmatch(r"\d+,\d+", line)]
    engine.send("TURN 5,5")
    engine.until("MESSAGE .*")
    engine.send(word)
    assert engine.process.proc.wait(PATIENCE) == 0


# ---- Yixin's board --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines, game", rows("gomocup.rule_2_is_renju_only_for_yixins_board"))
def test_rule_2_is_renju_only_for_yixins_board(lines, game):
    engine = InProcessEngine("gomocup").send(*lines)
    assert engine.session.game.name == game
    assert "ERROR" not in engine.output
    assert "UNKNOWN" not in engine.output


@pytest.mark.parametrize(
    "line, answer", rows("gomocup.start_with_width_and_height_needs_a_square_board")
)
def test_start_with_width_and_height_needs_a_square_board(line, answer):
    assert re.fullmatch(answer + "\n", InProcessEngine("gomocup").send(line).output)


@pytest.mark.parametrize("lines, points", rows("gomocup.forbidden_points_are_shown"))
def test_forbidden_points_are_shown(lines, points):
    engine = InProcessEngine("gomocup").send("start 15 15", *lines, "yxshowforbid")
    engine.session.wait()
    assert engine.output == f"OK\nFORBID {points}.\n"


def test_forbidden_points_are_shown_after_the_running_search(speak):
    engine = speak("gomocup")
    engine.ask("start 15 15", "OK")
    engine.send("INFO rule 2", "INFO timeout_turn 100000", "BEGIN")
    engine.until("MESSAGE .*")
    engine.send("yxshowforbid", "yxstop")
    assert re.fullmatch(r"\d+,\d+", engine.until(r"FORBID \.")[-2])


BOARD = ["YXBOARD", "7,7,2", "8,8,1", "7,8,2", "DONE"]


@pytest.fixture
def yixin():
    """Return an engine that searches at depth 1, after YXBOARD has set three stones."""
    return InProcessEngine("gomocup").send("start 15 15", "INFO max_depth 1", *BOARD)


def answer(engine, *lines):
    """Send lines; return the moves in the engine's last line of output."""
    engine.send(*lines)
    engine.session.wait()
    return engine.output.splitlines()[-1].split()


def test_yxnbest_shows_the_best_moves(yixin):
    (best,) = answer(yixin, "YXNBEST 3")
    shown = re.findall(r"MESSAGE depth \S+( multipv \d+)? ev \S+ .* pv (\S+)", yixin.output)
    assert [rank for rank, _ in shown] == ["", " multipv 2", " multipv 3"]
    assert len({move for _, move in shown}) == 3 and re.fullmatch(r"\d+,\d+", best)
    assert len(yixin.session.moves) == 4, "the move is played, as after BEGIN"


def test_yxsearchdefend_shows_every_move(yixin):
    answer(yixin, "YXSEARCHDEFEND")
    assert yixin.output.count("MESSAGE depth") == 15 * 15 - 3


@pytest.mark.parametrize("wanted", [0, 100, -100])
def test_yxbalanceone_plays_the_move_with_the_score_nearest_to_the_given_one(yixin, wanted):
    (move,) = answer(yixin, f"YXBALANCEONE {wanted}")
    scores = [int(score) for score in re.findall(r"ev (-?\d+) ", yixin.output)]
    line = next(line for line in yixin.output.splitlines() if line.endswith(f"pv {point(move)}"))
    nearest = min(abs(score - wanted) for score in scores)
    assert abs(int(re.search(r"ev (-?\d+) ", line)[1]) - wanted) == nearest


def point(move):
    column, row = map(int, move.split(","))
    return f"{'abcdefghijklmno'[column]}{row + 1}"


@pytest.mark.parametrize("depth", [1, 2])
def test_yxbalancetwo_plays_a_move_of_each_player(yixin, depth):
    first, second = answer(yixin, f"INFO max_depth {depth}", "YXBALANCETWO")
    assert first != second and len(yixin.session.moves) == 5
    assert answer(yixin, "YXBALANCETWO x") == (
        'ERROR YXBALANCETWO must be a whole number, not "x"'.split()
    )


def test_yxblock_keeps_points_free(yixin):
    (best,) = answer(yixin, "YXNBEST 1")
    (other,) = answer(yixin, *BOARD, "YXBLOCK", best, "DONE", "YXNBEST 1")
    assert other != best
    blocked = answer(yixin, *BOARD, "YXBLOCK", "99,9", other, "DONE")
    assert blocked[:2] == ["ERROR", '"99,9"']
    assert answer(yixin, "YXNBEST 1") == [other], "nothing was blocked"
    assert answer(yixin, *BOARD, "YXBLOCKUNDO", best, "DONE", "YXNBEST 1") == [best]
    answer(yixin, *BOARD, "YXBLOCK", best, "DONE")
    assert answer(yixin, "YXBLOCKRESET", "YXNBEST 1") == [best]


def test_yxhashclear_is_not_answered():
    engine = InProcessEngine("gomocup").send("start 15 15", "INFO max_depth 4", "BEGIN")
    engine.session.wait()
    assert engine.session._memory
    before = engine.output
    engine.send("yxhashclear", "yxshowinfo")
    assert not engine.session._memory and engine.output == before


def test_swap2_opens_in_three_steps():
    engine = InProcessEngine("gomocup").send("start 15 15", "INFO max_depth 2", "yxswap2step1")
    output = engine.output.splitlines()[1:]
    stones = [
        tuple(map(int, re.fullmatch(rf"MESSAGE SWAP2 MOVE{number} (\d+) (\d+)", line).groups()))
        for number, line in enumerate(output, 1)
    ]
    assert len(set(stones)) == 3
    three = [f"{x},{y},{who}" for (x, y), who in zip(stones, (2, 1, 2))]
    engine.send("yxboard", *three, "done", "yxswap2step2")
    engine.session.wait()
    assert re.fullmatch("MESSAGE SWAP2 SWAP1 (YES|NO)", engine.output.splitlines()[-1])
    engine.send("yxswap2step3")
    assert engine.output.splitlines()[-1] == "ERROR YXSWAP2STEP3 needs a board with 5 stones, not 3"
    for board, answer in (
        (["0,0,2", "7,7,1", "0,4,2", "7,8,1", "14,0,2"], "NO"),
        (["7,6,2", "0,0,1", "7,7,2", "14,14,1", "7,8,2"], "YES"),
    ):
        engine.send("yxboard", *board, "done", "yxswap2step3")
        engine.session.wait()
        assert engine.output.splitlines()[-1] == f"MESSAGE SWAP2 SWAP2 {answer}"
