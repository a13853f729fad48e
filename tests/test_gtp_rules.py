"""GoGui's rules, analyze commands and live graphics."""

import pytest
from conftest import load_game
from front_end import InProcessEngine
from tables import rows

from games import registry

QUICK = ("plyglot-param Genmove_Depth 2",)


@pytest.mark.parametrize("game, name, size", rows("gtp_rules.rules_commands_answer_gogui"))
def test_rules_commands_answer_gogui(client, game, name, size):
    gtp = client(game, f"boardsize {size}", "clear_board")
    assert gtp.ask("gogui-rules_game_id") == name
    assert gtp.ask("gogui-rules_board_size") == str(size)
    rows = gtp.ask("gogui-rules_board").split("\n")
    assert rows[0] == "" and [len(row.split()) for row in rows[1:]] == [size] * size
    assert gtp.ask("gogui-rules_side_to_move") == ("white" if game == "chess" else "black")
    assert gtp.ask("gogui-rules_legal_moves")
    assert gtp.ask("gogui-rules_final_result") == "The game is not over"


def test_the_board_shows_flipped_discs_in_othello(client):
    gtp = client("othello", "play b d3")
    assert gtp.ask("gogui-rules_board").split("\n")[4:7] == [
        ". . . X O . . .",
        ". . . X X . . .",
        ". . . X . . . .",
    ]
    assert sorted(gtp.ask("gogui-rules_legal_moves").split()) == ["C3", "C5", "E3"]


def test_connect_four_has_an_unusable_top_row(client):
    gtp = client("connect4", "play b D1", "play w D2")
    rows = gtp.ask("gogui-rules_board").split("\n")[1:]
    assert rows[0] == "? ? ? ? ? ? ?" and rows[1:] == [". . . . . . ."] * 4 + [
        ". . . O . . .",
        ". . . X . . .",
    ]
    assert sorted(gtp.ask("gogui-rules_legal_moves").split()) == "A1 B1 C1 D3 E1 F1 G1".split()
    gtp.all("play_sequence b D3 w D4 b D5 w D6")
    assert gtp.fail("play b D7") == "illegal move"


def test_legal_moves_of_renju_omit_forbidden_points(client):
    gtp = client("renju", "play_sequence b h8 w a1 b j8 w a3 b k10 w a5 b k9 w a7")
    legal = gtp.ask("gogui-rules_legal_moves").split()
    assert "K8" not in legal and "H9" in legal  # two open threes
    assert gtp.fail("play b K8") == "illegal move"
    gtp.all("play b H9", "play w K8")


def test_a_finished_game_has_a_result_and_no_legal_moves(client):
    gtp = client("tictactoe", "play_sequence b a1 w a3 b b1 w b3 b c1")
    assert gtp.ask("gogui-rules_legal_moves") == ""
    assert gtp.ask("gogui-rules_final_result") == "Black wins: three in a row"
    gtp.all("set_game othello", "play_sequence b e6 w f4 b e3 w f6 b g5 w d6 b e7 w f5 b c5")
    assert gtp.ask("gogui-rules_legal_moves") == ""
    assert gtp.ask("gogui-rules_final_result") == "Black wins by 64"


def test_chess_pieces_are_labelled_with_letters(client):
    gtp = client("chess")
    assert gtp.ask("gogui-rules_board").split("\n")[1] == "X X X X X X X X"
    assert gtp.ask("gogui-rules_board_gfx").startswith("LABEL A1 R B1 N C1 B D1 Q E1 K ")
    assert client("othello").ask("gogui-rules_board_gfx") == ""


def test_every_analyze_command_answers_in_the_form_of_its_type(client):
    gtp = client("gomoku", *QUICK, "play b h8")
    known, forms = gtp.ask("list_commands").split("\n"), {}
    for line in gtp.ask("gogui-analyze_commands").split("\n"):
        form, _, call = line.split("/")
        assert call.split()[0] in known
        if call != "final_score":
            forms.setdefault(form, []).append(gtp.ask(call))
    for text in forms["gfx"]:
        words = {line.split()[0] for line in text.split("\n")}
        assert words <= {"COLOR", "LABEL", "TEXT"}
    assert all(
        word[0] in "ABCDEFGHJKLMNOP" for word in (forms["var"][0] + " " + forms["plist"][0]).split()
    )
    assert all(line.startswith("[") for line in forms["param"][0].split("\n"))
    assert forms["none"] == [""]


def test_analyze_commands_find_the_win(client):
    gtp = client("tictactoe", "play_sequence b a1 w a3 b b1 w b3")
    assert gtp.ask("plyglot-score") == "black win in 1 with C1 at depth 1"
    assert gtp.ask("plyglot-pv") == "C1"
    best = gtp.ask("plyglot-best_moves").split("\n")
    assert best[0] == "COLOR green C1"
    assert best[2].startswith("LABEL C1 1 ")
    assert "C1 win in 1" in best[3]
    values = gtp.ask("plyglot-move_values")
    assert "LABEL C1 W1 C3 W2 B2 L1 " in values and "COLOR #ff0040 B2" in values
    gtp.all("play b c1")
    assert gtp.ask("plyglot-score") == "B+1"
    assert gtp.ask("plyglot-best_moves") == "TEXT the game is over"
    assert gtp.ask("plyglot-pv") == ""


def test_live_graphics_are_written_to_stderr_only_for_gogui(capfd):
    engine = InProcessEngine("gtp", "gomoku").send(*QUICK, "genmove b")
    engine.protocol.end_of_input()
    assert capfd.readouterr().err == ""
    engine = InProcessEngine("gtp", "gomoku").send(*QUICK, "gogui-version 1.6.0", "genmove b")
    engine.protocol.end_of_input()
    lines = capfd.readouterr().err.split("\n")
    assert lines[0] == "gogui-gfx:"
    assert lines[1].startswith("VAR b ")
    assert lines[2].startswith("TEXT depth ")
    assert lines[3] == "" and lines[-2:] == ["gogui-gfx: CLEAR", ""]


def test_the_board_shows_each_piece_in_its_owners_colour(monkeypatch):
    class Looks(type(registry.get("chess").looks)):
        def owner(self, piece):
            return {"K": 1, "k": 0}.get(piece)

    monkeypatch.setattr(type(registry.get("chess")), "looks", Looks())
    engine = InProcessEngine("gtp", "chess").send("gogui-rules_board")
    assert ". . . . O . . ." in engine.output and ". . . . X . . ." in engine.output
    monkeypatch.setattr(type(registry.get("tictactoe")), "colours", ("White", "Black"))
    engine = InProcessEngine("gtp", "tictactoe").send("play w a1", "gogui-rules_board")
    assert "\nO . .\n" in engine.output, "the first player's X is a white stone"


def test_holes_of_a_board_are_blank_and_unusable():
    load_game("yavalath")
    engine = InProcessEngine("gtp", "yavalath").send("showboard", "gogui-rules_board")
    lines = engine.output.splitlines()
    assert "9 . . . . ." in lines and "1         . . . . ." in lines and "*" not in engine.output
    assert ". . . . . ? ? ? ?" in lines and "? ? ? ? . . . . ." in lines
    engine = InProcessEngine("uci", "yavalath").send("d")
    assert "1         . . . . ." in engine.output.splitlines()
