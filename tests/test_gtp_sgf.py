"""Game records in SGF, loaded and written by GTP commands."""

import pytest
from front_end import InProcessEngine
from samples import read_records
from tables import rows

from protocol.records.formats import Collection, write_record
from protocol.records.record import RecordError

MIRRORED = "(;FF[4]SZ[8];B[df];W[cf];B[ce];W[ef];B[fg])"  # As GoGui writes a game of Othello: d3 c3 c4 e3 f2.
UPRIGHT = "(;GM[2]FF[4]SZ[8];B[dc];W[cc];B[cd];W[ec];B[fb])"  # The same game with row 1 at the top.


def load(engine, tmp_path, text, *more):
    path = tmp_path / "record.sgf"
    path.write_text(text, encoding="utf-8")
    return engine.send(" ".join(["loadsgf", str(path), *more]))


def test_variations_are_written_up_to_a_depth_of_50():
    names = [column + row for column in "abcdefghijklmno" for row in "abcdefghijklmno"]
    # The points in an order in which nobody gets five in a row.
    points = [names[number * 37 % 225] for number in range(225)]
    text = (
        "(;GM[4]SZ[15]"
        + "".join(
            f"(;{'BW'[ply % 2]}[{points[2 * ply]}])(;{'BW'[ply % 2]}[{points[2 * ply + 1]}]"
            for ply in range(110)
        )
        + 111 * ")"
    )
    games = Collection(text)
    record = games.first()
    assert write_record(record, "sgf").count("(") == 101
    assert "more than 50 deep" in games.problems[0]
    deep = (
        "(;GM[4]SZ[5]"
        + "".join(
            f"(;{'BW'[ply % 2]}[{'abcde'[ply // 5]}{'abcde'[ply % 5]}]C[x]" for ply in range(12)
        )
        + 13 * ")"
    )
    (record,) = read_records(deep)[1]
    assert len(record.line) == 12 and write_record(record, "sgf").count("(") == 1


@pytest.mark.parametrize(
    "text", ["", "nonsense", "(", "()", "(;B[", "(;[aa])", "(;B[aa];W[bb", "(;B[aa]!)"]
)
def test_a_text_that_is_not_sgf_is_refused(text, tmp_path):
    with pytest.raises(RecordError):
        read_records(text, "sgf", "gomoku")
    engine = load(InProcessEngine("gtp", "gomoku").send("play b h8"), tmp_path, text)
    assert engine.output == "=\n\n? cannot load file\n\n" and len(engine.session.moves) == 1


@pytest.mark.parametrize("text", [MIRRORED, UPRIGHT])
def test_othello_is_read_in_either_orientation(text, tmp_path):
    engine = load(InProcessEngine("gtp", "othello"), tmp_path, text)
    session = engine.session
    assert engine.output == "=\n\n"
    assert (
        session.position.text()
        == InProcessEngine("gtp", "othello")
        .send("play_sequence b d3 w c3 b c4 w e3 b f2")
        .session.position.text()
    )
    engine.send("undo", "undo", "undo", "undo", "undo", "undo")
    assert engine.output.endswith("? cannot undo\n\n")


def test_loadsgf_stops_before_the_given_move(tmp_path):
    for number, plies in (("1", 0), ("3", 2), ("5", 4), ("6", 5), ("99", 5)):
        engine = load(InProcessEngine("gtp", "othello"), tmp_path, UPRIGHT, number)
        assert engine.output == "=\n\n" and len(engine.session.moves) == plies


def test_loadsgf_chooses_the_game_by_its_gm_number(tmp_path):
    engine = load(InProcessEngine("gtp", "tictactoe"), tmp_path, UPRIGHT)
    assert engine.session.game.name == "othello"
    engine = load(engine, tmp_path, "(;GM[4]SZ[9];B[ee];W[ai])")
    assert engine.session.game.name == "gomoku"
    assert engine.session.position.text() == "9/9/9/9/4x4/9/9/9/o8 x"
    engine = load(InProcessEngine("gtp", "renju"), tmp_path, "(;GM[4];B[hh])")
    assert engine.session.game.name == "renju"
    assert engine.session.position.text().startswith("15/15/15/15/15/15/15/7x7")


@pytest.mark.parametrize(
    "text", ["(;SZ[7];B[dg];W[df];B[cg])", "(;SZ[7:6];B[df];W[de];B[cf])", "(;B[d1];W[d2];B[c1])"]
)
def test_connect_four_is_recorded_without_a_gm_number(text, tmp_path):
    engine = load(InProcessEngine("gtp", "connect4"), tmp_path, text)
    assert engine.session.position.text() == "7/7/7/7/3o3/2xx3 o"


def test_setup_stones_are_read(tmp_path):
    engine = load(
        InProcessEngine("gtp", "gomoku"), tmp_path, "(;GM[4]SZ[9]AB[ee][ef]AW[dd]PL[W];W[dc])"
    )
    assert engine.session.position.text() == "9/9/3o5/3o5/4x4/4x4/9/9/9 x"
    discs = "AB[ed][de]AW[dd][ee]"
    engine = load(InProcessEngine("gtp", "othello"), tmp_path, f"(;GM[2]SZ[8]{discs}PL[B];B[dc])")
    assert engine.output == "=\n\n" and len(engine.session.moves) == 1


def test_passes_and_omitted_passes_are_read(tmp_path):
    moves = ";B[fe];W[ff];B[dc];W[ge];B[he];W[hd];B[fg];W[hf]"
    for rest, plies in ((";B[];W[ce]", 9), (";B[tt];W[ce]", 9), (";W[ce]", 8)):
        engine = load(InProcessEngine("gtp", "othello"), tmp_path, f"(;GM[2]SZ[8]{moves}{rest})")
        assert engine.output == "=\n\n" and len(engine.session.moves) == 10
        engine.send("undo")  # takes back a move together with an omitted pass before it
        assert len(engine.session.moves) == plies


@pytest.mark.parametrize("text", rows("gtp_sgf.loadsgf_of_an_illegal_record_changes_nothing"))
def test_loadsgf_of_an_illegal_record_changes_nothing(text, tmp_path):
    engine = InProcessEngine("gtp", "tictactoe").send("play b b2")
    load(engine, tmp_path, text)
    assert engine.output == "=\n\n? cannot load file\n\n"
    assert engine.session.game.name == "tictactoe" and len(engine.session.moves) == 1


def test_a_record_has_the_options_of_its_position_even_if_they_have_changed_since():
    engine = InProcessEngine("gtp", "gomokufreestyle")
    engine.send("boardsize 9", "play b A1", "plyglot-param BoardSize 7", "printsgf")
    assert "SZ[9]" in engine.output and "B[ai]" in engine.output


def test_printsgf_writes_no_file(tmp_path):
    engine = InProcessEngine("gtp", "gomoku").send(f"printsgf {tmp_path}/x.sgf")
    assert engine.output == "? printsgf takes no file name: it only shows the record\n\n"
    assert not list(tmp_path.iterdir())


def test_printsgf_is_an_error_for_games_without_sgf(tmp_path):
    for game in ("chess", "tree"):
        engine = load(InProcessEngine("gtp", game), tmp_path, "(;B[aa])").send("printsgf")
        assert engine.output == "? cannot load file\n\n? there is no SGF for this game\n\n"


@pytest.mark.parametrize("text, game", rows("gtp_sgf.gtp_and_the_scripts_read_a_record_alike"))
def test_gtp_and_the_scripts_read_a_record_alike(text, game, tmp_path):
    _, (record,) = read_records(text, "sgf", game)
    session = load(InProcessEngine("gtp", record.start.game.name), tmp_path, text).session
    assert session.moves == record.moves and record.moves
    assert session.position.text() == record.final().text()
