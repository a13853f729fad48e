"""The rules of chess: leaf counts, castling, en passant, promotion, draws, FEN and move text."""

import re

import pytest
from conftest import play_on
from front_end import InProcessEngine
from tables import rows

from games import registry
from games.base import MoveError, PositionError
from search.bench import perft

CHESS = registry.get("chess")


def position(fen=None, chess960=False):
    options = {"UCI_Chess960": chess960}
    return CHESS.parse(fen, options) if fen else CHESS.start(options)


def texts(place):
    return {place.move_text(move) for move in place.legal_moves()}


@pytest.mark.parametrize("fen, depth, leaves", rows("chess_rules.leaves"))
def test_leaf_counts_are_right(fen, depth, leaves):
    place = position(fen)
    before = place.text(), place.key
    assert perft(place, depth) == leaves
    assert (place.text(), place.key) == before


@pytest.mark.parametrize(
    "fen, move, after", rows("chess_rules.rights_en_passant_and_counters_after_a_move")
)
def test_a_move_updates_rights_en_passant_and_counters(fen, move, after):
    assert play_on(position(fen), move).text().split(" ", 2)[2] == after


def test_x_fen_and_shredder_fen_are_read():
    assert position("4k3/8/8/8/8/8/8/4K2R w K -").text() == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert position("4k3/8/8/8/8/8/8/4K2R w H - 0 1").text() == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    inner = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"
    assert position(inner).text() == inner
    assert position("4k3/8/8/8/8/8/8/4K3 w - e6 0 1").text().split()[3] == "-"


@pytest.mark.parametrize("fen, offender", rows("chess_rules.a_bad_fen_is_refused_with_the_reason"))
def test_a_bad_fen_is_refused_with_the_reason(fen, offender):
    with pytest.raises(PositionError) as caught:
        position(fen)
    assert offender in str(caught.value)


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize(
    "fen, read",
    rows("chess_rules.impossible_fields_of_a_fen_are_dropped_and_missing_ones_filled_in"),
)
def test_impossible_fields_of_a_fen_are_dropped_and_missing_ones_filled_in(fen, read, chess960):
    assert position(fen, chess960).text() == read


@pytest.mark.parametrize(
    "fen",
    [
        "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1",  # The king stands on d1.
        "4k3/8/8/8/8/8/8/4KR2 w K - 0 1",  # The rook stands on f1.
    ],
)
def test_standard_chess_castles_only_from_the_standard_squares(fen):
    place = position(fen)
    assert not place.rights & 3 and not {"d1a1", "d1h1", "e1h1"} & texts(place)
    assert position(fen, chess960=True).rights & 3
    # Castling rights named by file survive writing and reading.
    named = position(fen.replace("KQkq", "HAkq").replace(" K ", " F "))
    assert named.rights & 3 and position(named.text()).rights == named.rights


def test_castling_is_written_and_read():
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert {"e1g1", "e1c1"} <= texts(position(fen))
    assert {"e1h1", "e1a1"} <= texts(position(fen, chess960=True))
    for chess960 in (False, True):
        for text in ("e1g1", "E1H1", "O-O", "0-0"):
            place = play_on(position(fen, chess960), text)
            assert place.text() == "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"
        assert (
            play_on(position(fen, chess960), "O-O-O").text() == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"
        )


@pytest.mark.parametrize(
    "fen, allowed", rows("chess_rules.castling_needs_rights_free_squares_and_no_check")
)
def test_castling_needs_rights_free_squares_and_no_check(fen, allowed):
    assert sorted(texts(position(fen)) & {"e1g1", "e1c1"}) == allowed


@pytest.mark.parametrize("fen, move, after", rows("chess_rules.chess960_castles_from_any_setup"))
def test_chess960_castles_from_any_setup(fen, move, after):
    place = position(fen, chess960=True)
    before = place.text(), place.key, place.board()
    assert move in texts(place)
    play_on(place, move)
    assert place.text() == after
    assert place.key == position(after).key
    place.undo()
    assert (place.text(), place.key, place.board()) == before


@pytest.mark.parametrize("fen, move", rows("chess_rules.illegal_castling_of_chess960_is_refused"))
def test_illegal_castling_of_chess960_is_refused(fen, move):
    assert move not in texts(position(fen, chess960=True))


def test_a_chess960_setup_is_played_without_the_option():
    place = position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    assert "f1g1" in texts(place)
    assert play_on(place, "f1g1").text() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


def test_en_passant_captures_the_passing_pawn():
    place = play_on(position(), "e2e4 a7a6 e4e5 d7d5")
    assert place.text().split()[3] == "d6"
    before = place.text(), place.key
    play_on(place, "e5d6")
    assert place.text() == "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"
    place.undo()
    assert (place.text(), place.key) == before
    play_on(place, "h2h3 h7h6")
    assert "e5d6" not in texts(place)


@pytest.mark.parametrize("fen, move", rows("chess_rules.en_passant_must_leave_the_king_safe"))
def test_en_passant_must_leave_the_king_safe(fen, move):
    place = position(fen)
    if move:
        assert move not in texts(place)
        assert place.text().split()[3] == "-"
    else:
        assert any(text[2:] == fen.split()[3] for text in texts(place))


def test_a_pawn_promotes_to_four_kinds():
    place = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q", "a7b8r", "a7b8b", "a7b8n"} <= texts(place)
    assert "a7a8" not in texts(place)
    before = place.text(), place.key
    play_on(place, "a7b8Q")
    assert place.text() == "1Q2k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert place.in_check()
    place.undo()
    assert (place.text(), place.key) == before
    assert play_on(place, "a7b8n").text().startswith("1N2k3")


def test_checkmate_wins_and_stalemate_draws():
    mate = play_on(position(), "f2f3 e7e5 g2g4 d8h4")
    assert mate.outcome().winner == 1 and mate.outcome().reason == "checkmate"
    assert mate.legal_moves() == []
    stale = position("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    assert stale.outcome().winner is None and stale.outcome().reason == "stalemate"


def test_the_third_occurrence_is_a_draw():
    place = play_on(position(), "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    assert place.outcome() is None
    play_on(place, "f6g8")
    assert place.outcome().reason == "threefold repetition"
    assert place.legal_moves() == []
    place.undo()
    assert place.outcome() is None


def test_repetition_needs_the_same_rights():
    # When the position first occurred, Black could still castle, so that occurrence doesn't count.
    place = play_on(
        position("r3k3/8/8/8/8/8/8/4K3 w q - 0 1"), "e1d1 a8b8 d1e1 b8a8 e1d1 a8b8 d1e1 b8a8"
    )
    assert place.outcome() is None
    assert play_on(place, "e1d1 a8b8").outcome().reason == "threefold repetition"


def test_fifty_moves_without_progress_are_a_draw():
    place = position("4k3/8/8/8/8/8/4P3/4K2R w - - 98 90")
    assert play_on(place, "h1h2").outcome() is None
    assert play_on(place, "e8e7").outcome().reason == "fifty moves"
    place.undo()
    assert play_on(position("4k3/8/8/8/8/8/4P3/4K2R w - - 99 90"), "e2e3").outcome() is None


def test_mate_takes_precedence_over_fifty_moves():
    place = play_on(position("7k/8/6K1/8/8/8/8/R7 w - - 99 90"), "a1a8")
    assert place.outcome().reason == "checkmate"


@pytest.mark.parametrize(
    "fen, drawn", rows("chess_rules.draws_by_insufficient_material_are_recognised")
)
def test_draws_by_insufficient_material_are_recognised(fen, drawn):
    outcome = position(fen).outcome()
    assert (outcome is not None) == drawn
    if drawn:
        assert outcome.reason == "insufficient material"


def test_transposed_positions_have_the_same_key():
    one = play_on(position(), "e2e4 e7e5 g1f3 b8c6")
    other = play_on(position(), "g1f3 b8c6 e2e3 e7e6 e3e4 e6e5")
    assert one.key == other.key
    assert one.key == position(one.text()).key


@pytest.mark.parametrize("text", ["e2e5", "e7e5", "x", "", "e2e4q", "a1a1"])
def test_illegal_moves_are_refused(text):
    with pytest.raises(MoveError):
        position().parse_move(text)


# ---- draws that nobody has claimed ---------------------------------------------------------------


THREEFOLD = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"
FIFTY = "4k3/8/8/8/8/8/4P3/4K2R w - - 100 90"
FEW_MEN = "8/8/4k3/8/8/4K3/8/6N1 w - - 0 1"

# Positions with lines that end in draws by insufficient material.
LEAVES = rows("chess_rules.unclaimed_leaves")


def test_moves_after_the_third_occurrence_are_read():
    engine = InProcessEngine("uci").send(f"position startpos moves {THREEFOLD}", "d")
    assert "Moves:\nResult: 1/2-1/2 threefold repetition" in engine.output
    engine.send(f"position startpos moves {THREEFOLD} e2e4 e7e5")
    assert "error" not in engine.output and len(engine.session.moves) == 10


def test_a_move_is_found_if_the_draw_was_not_claimed():
    for position in (f"startpos moves {THREEFOLD}", f"fen {FIFTY}", f"fen {FEW_MEN}"):
        for limit in ("depth 4", "nodes 1", "mate 2", "depth 3 searchmoves"):
            engine = InProcessEngine("uci").send(
                "setoption name MultiPV value 2", f"position {position}", f"go {limit}"
            )
            engine.session.wait()
            assert re.search(r"^bestmove [a-h][1-8][a-h][1-8]", engine.output, re.M)
            assert set(re.findall(r" score (\w+ -?\d+)", engine.output)) == {"cp 0"}
        engine = InProcessEngine("uci").send(f"position {position}", "d")
        assert "\nMoves:\nResult: 1/2-1/2 " in engine.output


@pytest.mark.parametrize("fen, depth, leaves", LEAVES)
def test_perft_counts_moves_after_unclaimed_draws(fen, depth, leaves):
    engine = InProcessEngine("uci").send(f"position fen {fen}", f"go perft {depth}")
    engine.session.wait()
    assert engine.output.splitlines()[-2:] == [f"Nodes searched: {leaves}", ""]
    position = registry.get("chess").parse(fen, {})
    assert perft(position, depth) == leaves


def test_perft_ignores_draws_by_rule():
    for position in (f"startpos moves {THREEFOLD}", f"fen {FIFTY}", f"fen {FEW_MEN}"):
        engine = InProcessEngine("uci").send(f"position {position}", "go perft 1")
        engine.session.wait()
        assert "Nodes searched: 0\n" not in engine.output
    position = registry.get("chess").parse(LEAVES[3][0], {})
    assert perft(position, 4, lambda nodes: None) == 19174  # counted by make and undo


def test_a_check_that_draws_by_repetition_is_not_mate():
    place = position("4k3/8/8/8/8/3Q4/8/4K3 w - - 0 1")
    play_on(place, "d3e2 e8d8 e2d1 d8e8 d1e2 e8d8 e2d1 d8e8")
    draws, goes_on = place.order_moves([place.parse_move("d1e2"), place.parse_move("d1d5")])
    assert goes_on > draws


def test_cecp_claims_the_draw_and_plays_on_after_go():
    engine = InProcessEngine("cecp").send("force", *THREEFOLD.split()[:-1], "playother")
    engine.send("white", "force", THREEFOLD.split()[-1], "sd 1", "go")
    engine.session.wait()
    # The engine may repeat the position once more, which is also a draw.
    assert re.match(r"move [a-h][1-8][a-h][1-8]\n", engine.output)
    engine = InProcessEngine("cecp").send(
        "force", *THREEFOLD.split()[:-1], "playother", THREEFOLD.split()[-1]
    )
    engine.session.wait()
    assert engine.output == "1/2-1/2 {threefold repetition}\n"
