"""Chess play: mates, elementary endgames, traps, draws, opening book."""

import pytest
from conftest import play_on
from tables import rows

from games import registry
from games.base import WIN
from games.chess.book import book_moves, polyglot_key
from games.chess.endgames import kpk_won
from games.chess.ordering import static_exchange
from search import ask, context_of
from search.limits import Limits
from search.pvs import Tree

CHESS = registry.get("chess")
PLAIN = {"MultiPV": 1, "OwnBook": False}


def position(fen, moves=""):
    return play_on(CHESS.parse(fen, {}), moves)


def search(place, memory=None, options=(), **limits):
    """Return (Lines, nodes) of a search; the position stays unchanged."""
    found = ask(place, Limits(**limits), dict(PLAIN, **dict(options)), memory, 4)
    return found.lines, found.nodes


def best(place, **limits):
    lines, _ = search(place, **limits)
    return place.move_text(lines[0].moves[0]), lines[0].score


def kernel_of(place):
    """Return the Kernel of a search from a position, and its Tree."""
    context = context_of(place, Limits(), PLAIN, {}, 1)
    tree = Tree(context.table("q"), lambda nodes: nodes + 1000)
    return CHESS.kernel(place, context, tree), tree


def play_out(fen, nodes):
    """Let the engine play a game against itself; return the final position."""
    place, memory = position(fen), {}
    while place.outcome() is None:
        lines, _ = search(place, memory, nodes=nodes)
        place.make(lines[0].moves[0])
    return place


MATES = rows("chess_search.mates")


@pytest.mark.parametrize("moves, fen, first", MATES)
def test_mates_are_found_and_proven(moves, fen, first):
    place = position(fen)
    lines, _ = search(place, mate=moves, nodes=400000)
    line = lines[0]
    assert WIN - line.score <= 2 * moves - 1
    assert first is None or place.move_text(line.moves[0]) == first
    assert len(line.moves) == WIN - line.score
    for move in line.moves:
        assert move in place.legal_moves()
        place.make(move)
    assert place.outcome().reason == "checkmate"


@pytest.mark.parametrize(
    "moves, fen",
    [
        (1, "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1"),
        (2, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ],
)
def test_a_search_for_a_mate_that_does_not_exist_ends_and_claims_none(moves, fen):
    lines, _ = search(position(fen), mate=moves)
    assert lines[0].score < WIN - 2 * moves + 1 and lines[0].depth <= 2 * moves - 1


def test_a_forced_loss_is_scored_as_being_mated():
    place = position("7k/8/5KQ1/8/8/8/8/8 b - - 0 1")
    assert place.outcome().reason == "stalemate"
    place = position("6k1/8/5K2/8/8/8/8/7R b - - 0 1")
    assert best(place, depth=6)[1] == -(WIN - 2)


@pytest.mark.parametrize("fen", rows("chess_search.elementary_mates_are_played_out"))
def test_elementary_mates_are_played_out(fen):
    place = play_out(fen, 700)
    assert place.outcome().reason == "checkmate"


@pytest.mark.parametrize(
    "fen", ["8/8/8/8/8/2k5/8/K3n1b1 b - - 0 1", "8/8/8/5K2/3N4/8/7B/k7 w - - 0 1"]
)
def test_bishop_and_knight_mate_in_the_corner(fen):
    assert play_out(fen, 3000).outcome().reason == "checkmate"


def test_bishop_and_knight_drive_the_king_to_the_right_corner():
    # The bare king can be mated only in a corner that the bishop attacks.
    right = position("7k/8/5K2/8/8/8/8/B5N1 w - - 0 1").evaluate()
    wrong = position("k7/8/2K5/8/8/8/8/B5N1 w - - 0 1").evaluate()
    assert right > wrong > 1000


@pytest.mark.parametrize(
    "fens", rows("chess_search.symmetric_boards_have_the_same_distance_to_mate")
)
def test_symmetric_boards_have_the_same_distance_to_mate(fens):
    assert len({position(fen).evaluate() for fen in fens}) == 1


@pytest.mark.parametrize(
    "fen, least, most", rows("chess_search.endgames_that_material_alone_misjudges_are_scored_right")
)
def test_endgames_that_material_alone_misjudges_are_scored_right(fen, least, most):
    assert least <= position(fen).evaluate() <= most


@pytest.mark.parametrize(
    "side, pawn, white, black, won",
    rows("chess_search.king_and_pawn_against_king_are_scored_exactly"),
)
def test_king_and_pawn_against_king_are_scored_exactly(side, pawn, white, black, won):
    squares = ["abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in (pawn, white, black)]
    assert kpk_won(side, *squares) == won
    assert kpk_won(side, *(square ^ 7 for square in squares)) == won


@pytest.mark.parametrize("fen", rows("chess_search.drawn_endgames_are_scored_as_draws"))
def test_drawn_endgames_are_scored_as_draws(fen):
    assert abs(position(fen).evaluate()) <= 60


def test_an_underpromotion_avoids_stalemate():
    assert best(position("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1"), depth=14)[0] == "c7c8r"


@pytest.mark.parametrize("nodes", (1, 40))
@pytest.mark.parametrize(
    "fen", rows("chess_search.a_won_game_does_not_end_in_stalemate_when_time_is_short")
)
def test_a_won_game_does_not_end_in_stalemate_when_time_is_short(fen, nodes):
    place = position(fen)
    place.make(search(place, nodes=nodes)[0][0].moves[0])
    assert place.legal_moves() or place.in_check()


def test_perpetual_check_saves_a_lost_game():
    text, score = best(position("7k/5p1p/8/6Q1/8/8/qr6/7K w - - 0 1"), depth=9)
    assert score == 0


def test_a_winner_avoids_repetition():
    place = position("8/8/8/8/8/4k3/8/R3K3 w - - 0 1", "a1b1 e3d3 b1a1 d3e3")
    text, score = best(place, depth=6)
    assert score > 500


def test_the_search_respects_the_fifty_move_rule():
    place = position("8/8/8/3k4/8/8/8/KQ6 w - - 98 90")
    assert abs(best(place, depth=5)[1]) <= 60
    # Here a pawn move resets the clock and keeps the win.
    place = position("8/8/8/3k4/8/8/P7/KQ6 w - - 98 90")
    assert best(place, depth=5)[0] in ("a2a3", "a2a4")


@pytest.mark.parametrize("clock, visited", [(98, False), (99, True)])
def test_a_move_that_draws_by_the_fifty_move_rule_is_not_judged_by_the_evaluation(clock, visited):
    """Black's moves are pruned as hopeless, except those that draw by the fifty-move rule."""
    place = position(f"4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/RR4K1 b - - {clock} 90")
    kernel, _ = kernel_of(place)
    found = kernel.successors(kernel.root_state(), 2, 1, [-1, -WIN, 0, -1, place.evaluate(), False])
    assert bool(list(found)) == visited


@pytest.mark.parametrize("clock", [97, 98, 99])
def test_a_mate_by_the_fiftieth_move_counts(clock):
    place = position(f"7k/8/6K1/8/8/8/8/R7 w - - {clock} 90")
    assert best(place, depth=4) == ("a1a8", WIN - 1)
    # The mate takes three plies (Kf7 Kh7 Rh2), too many if the clock is 98 or 99.
    place = position(f"7k/8/5K2/8/8/8/R7/8 w - - {clock} 90")
    assert (best(place, depth=5)[1] > 1000) == (clock == 97)


@pytest.mark.parametrize("moves", ["", "b1c3", "b1c3 b8c6"])
def test_a_halfmove_clock_without_earlier_moves_implies_no_repetition(moves):
    """The moves before a position set by its FEN are unknown, so nothing counts as a repetition."""
    fen, found = "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/8/PP1BPPPP/RN1QKBNR w KQkq - %d 40", []
    for clock in (0, 4, 60):
        place = position(fen % clock, moves)
        lines, nodes = search(place, depth=5, options={"MultiPV": 3})
        found.append((nodes, [(line.score, line.moves) for line in lines]))
    assert found[1:] == found[:-1] and found[0][1][0][0] != 0


def test_a_pruned_reply_still_counts_as_a_repetition():
    """A queen ahead, White gives a knight back rather than allow a reply that repeats the position."""
    place = position(
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3 b8c6 f3g1 c6b8 g1f3 b8c6"
    )
    repeats, gives = place.parse_move("f3g1"), place.parse_move("f3d4")
    for depth in (3, 4, 5, 6):
        for moves in ([repeats, gives], [gives, repeats]):
            lines, _ = search(place, moves=moves, depth=depth)
            assert lines[0].moves[0] == gives and lines[0].score > 300
        assert search(place, moves=[repeats], depth=depth)[0][0].score == 0


def test_a_position_reached_by_moves_is_searched_like_its_fen():
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    by_moves = position(start, "e2e4 e7e5 g1f3 b8c6 d2d4")
    by_text = position(by_moves.text())
    one, other = search(by_moves, depth=6), search(by_text, depth=6)
    assert one[1] == other[1] and one[0][0].moves == other[0][0].moves


@pytest.mark.parametrize(
    "fen, move, loses", rows("chess_search.an_exchange_is_played_out_by_the_least_valuable_pieces")
)
def test_an_exchange_is_played_out_by_the_least_valuable_pieces(fen, move, loses):
    place = position(fen)
    start, to = (
        int(square[1]) * 8 - 8 + "abcdefgh".index(square[0]) for square in (move[:2], move[2:])
    )
    loses_material = static_exchange(place)
    assert loses_material(start, to, place.side, place.occupancy()) == loses


@pytest.mark.parametrize("fen, move", rows("chess_search.combinations_are_found"))
def test_combinations_are_found(fen, move):
    assert best(position(fen), depth=11)[0] == move


# The weights depend on the number of pieces, so the table's rows range from many pieces to few.
@pytest.mark.parametrize("white, black", rows("chess_search.evaluation_is_symmetric"))
def test_evaluation_is_symmetric(white, black):
    one, other = position(f"{white} w - - 0 9"), position(f"{black} b - - 0 9")
    assert one.evaluate() == other.evaluate()
    for place in (one, other):
        assert sum(score for _, score in place.evaluation_terms()) == place.evaluate()


@pytest.mark.parametrize(
    "fen", rows("chess_search.the_largest_possible_material_does_not_overflow_the_evaluation")
)
def test_the_largest_possible_material_does_not_overflow_the_evaluation(fen):
    place = position(fen)
    white = place.evaluate() if place.side == 0 else -place.evaluate()
    assert white > 1500


# The keys are those in the description of the Polyglot format.
@pytest.mark.parametrize("moves, key", rows("chess_search.polyglot_keys_are_those_of_the_format"))
def test_polyglot_keys_are_those_of_the_format(moves, key):
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert f"{polyglot_key(position(start, moves)):016X}" == key


@pytest.mark.parametrize(
    "setup",
    [
        "startpos moves e2e4 e7e5 f2f4 e5f4 g1f3 d8e7 e4e5 d7d5",
        "fen rnb1kbnr/ppp1qppp/8/3pP3/5p2/5N2/PPPP2PP/RNBQKB1R w KQkq d6 0 5",
    ],
)
def test_a_double_push_that_cannot_be_captured_does_not_change_the_book_key(
    engine, setup, tmp_path
):
    book = tmp_path / "book.bin"
    book.write_bytes(bytes.fromhex("a4c90d354b02b4490210000500000000"))
    engine.send(f"setoption name BookFile value {book}", f"position {setup}")
    assert engine.ask("go depth 1", "bestmove .*")[-1].split()[1] == "a2a3"


def test_a_polyglot_book_is_played_from(tmp_path):
    from struct import pack

    start = CHESS.start({})
    key = polyglot_key(start)
    code = {text: start.parse_move(text) for text in ("d2d4", "c2c4")}
    entries = [
        (key - 1, 0, 1),
        (key, (code["d2d4"] & 63) << 6 | code["d2d4"] >> 6, 5),
        (key, (code["c2c4"] & 63) << 6 | code["c2c4"] >> 6, 9),
        (key, 0, 77),
        (key + 1, 0, 1),
    ]
    book = tmp_path / "book.bin"
    book.write_bytes(b"".join(pack(">QHHI", *entry, 0) for entry in entries))
    assert [(start.move_text(move), weight) for move, weight in book_moves(start, str(book))] == [
        ("c2c4", 9),
        ("d2d4", 5),
    ]
    options = {"OwnBook": True, "BookFile": str(book)}
    lines, _ = search(start, options=options, depth=5)
    assert start.move_text(lines[0].moves[0]) == "c2c4"
    lines, _ = search(start, options=dict(options, MultiPV=3), depth=2)
    assert [line.multipv for line in lines] == [1, 2, 3]
    lines, _ = search(start, options=dict(options, BookFile=str(tmp_path / "none.bin")), depth=2)
    assert lines[0].depth == 2


def test_castling_in_a_book_is_read_in_both_forms(tmp_path):
    from struct import pack

    place = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    book = tmp_path / "book.bin"
    for to in ("h1", "g1"):
        code = 4 << 6 | "abcdefgh".index(to[0])
        book.write_bytes(pack(">QHHI", polyglot_key(place), code, 1, 0))
        assert [place.move_text(move) for move, _ in book_moves(place, str(book))] == ["e1g1"]
    place = position("k7/8/8/8/8/8/8/5K1R w H - 0 1")
    book.write_bytes(pack(">QHHI", polyglot_key(place), 5 << 6 | 6, 1, 0))
    assert [place.move_text(move) for move, _ in book_moves(place, str(book))] == ["f1g1"], (
        "a plain king move"
    )
