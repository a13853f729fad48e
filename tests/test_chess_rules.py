"""The rules of chess: leaf counts, castling, en passant, promotion, draws, FEN and move text."""

import pytest

from games import registry
from games.base import MoveError, PositionError

CHESS = registry.get("chess")


def position(fen=None, chess960=False):
    options = {"UCI_Chess960": chess960}
    return CHESS.parse(fen, options) if fen else CHESS.start(options)


def play(place, moves):
    for move in moves.split():
        place.make(place.parse_move(move))
    return place


def texts(place):
    return {place.move_text(move) for move in place.legal_moves()}


# FEN, depth, leaves: the published counts of the usual positions, of positions that
# generators often get wrong, and of Chess960 set-ups (Andrew Grant's list).
LEAVES = [
    (None, 3, 8902),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89890),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 4, 10138),
    ("8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 4, 10375),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 4, 6399),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 4, 7418),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 3, 50509),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 4, 19174),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3, 9483),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3, 12189),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 3, 18002),
]


@pytest.mark.parametrize("fen, depth, leaves", LEAVES)
def test_leaf_counts(fen, depth, leaves):
    place = position(fen)
    before = place.text(), place.key
    assert place.perft(depth) == leaves
    assert (place.text(), place.key) == before


@pytest.mark.parametrize(
    "fen, move, after",
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "e1g1", "kq - 6 9"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "a1a8", "Kk - 0 9"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 9", "e8e7", "KQ - 6 10"),
        ("8/P6k/8/8/8/8/8/K7 w - - 5 9", "a7a8n", "- - 0 9"),
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 5 9", "d2d4", "- d3 0 9"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 9", "e4d3", "- - 0 10"),
    ],
)
def test_rights_en_passant_and_counters_after_a_move(fen, move, after):
    assert play(position(fen), move).text().split(" ", 2)[2] == after


def test_fen_forms():
    assert position("4k3/8/8/8/8/8/8/4K2R w K -").text() == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert position("4k3/8/8/8/8/8/8/4K2R w H - 0 1").text() == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    inner = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"
    assert position(inner).text() == inner
    assert position("4k3/8/8/8/8/8/8/4K3 w - e6 0 1").text().split()[3] == "-"


@pytest.mark.parametrize(
    "fen, offender",
    [
        (" ", "empty"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "x"),
        ("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8 rows"),
        ("rnbqkbnr/pppppppp/8/7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8 squares"),
        ("rnbqkbnr/pppppppp/8/z7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "z"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "one king"),
        ("kk6/8/8/8/8/8/8/4K3 w - - 0 1", "one king"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn"),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "in check"),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "e9"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "x"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 9", "fields"),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "hand"),
        ("qqqqkqqq/qqqqqqqq/8/8/8/8/8/q3K3 w - - 0 1", "16"),
    ],
)
def test_bad_fen(fen, offender):
    with pytest.raises(PositionError) as caught:
        position(fen)
    assert offender in str(caught.value)


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize(
    "fen, read",
    [
        # Rights without their king or rook, as board editors send them.
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1"),
        ("4k3/8/8/8/8/8/8/5RK1 w H - 0 1", "4k3/8/8/8/8/8/8/5RK1 w - - 0 1"),
        ("r3k2r/8/8/8/8/8/8/4K2R w KQq - - -", "r3k2r/8/8/8/8/8/8/4K2R w Kq - 0 1"),
        (
            "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/3Q2K1 b KQkq - 0 1",
            "2r5/5p1k/p4b2/2Rp1pr1/1Pn1q3/2P3PP/P4P2/3Q2K1 b - - 0 1",
        ),
        # En passant squares of a wrong rank, without a pawn, or the pawn's own.
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"),
        # The pawn can't have passed it: the square, or the one behind it, is occupied.
        ("4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/4N3/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/4N3/4K3 b - - 0 1"),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1"),
        # Fields that are missing.
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kq",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kq - 0 1",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 1",
        ),
    ],
)
def test_impossible_fields_of_a_fen_are_dropped_and_missing_ones_filled_in(fen, read, chess960):
    assert position(fen, chess960).text() == read


@pytest.mark.parametrize(
    "fen",
    [
        "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1",  # the king stands on d1
        "4k3/8/8/8/8/8/8/4KR2 w K - 0 1",  # the rook on f1
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
            place = play(position(fen, chess960), text)
            assert place.text() == "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"
        assert play(position(fen, chess960), "O-O-O").text() == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"


@pytest.mark.parametrize(
    "fen, allowed",
    [
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", set()),  # out of check
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", {"e1c1"}),  # through check
        ("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", {"e1c1"}),  # into check
        ("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", {"e1g1", "e1c1"}),  # only the rook crosses b1
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", set()),  # pieces between
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", set()),
    ],
)
def test_castling_needs_rights_a_free_way_and_no_check(fen, allowed):
    assert texts(position(fen)) & {"e1g1", "e1c1"} == allowed


@pytest.mark.parametrize(
    "fen, move, after",
    [
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        # Each stands on the other's target square.
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        # The king goes past its rook, far to the other side.
        ("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "c8b8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"),
    ],
)
def test_castling_of_chess960(fen, move, after):
    place = position(fen, chess960=True)
    before = place.text(), place.key, place.board()
    assert move in texts(place)
    play(place, move)
    assert place.text() == after
    assert place.key == position(after).key
    place.undo()
    assert (place.text(), place.key, place.board()) == before


@pytest.mark.parametrize(
    "fen, move",
    [
        ("4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", "e1b1"),  # the rook no longer shields the target
        ("4k3/8/8/8/8/8/8/1R1NK3 w B - 0 1", "e1b1"),  # a knight in the way
        ("3rk3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1"),  # through check
    ],
)
def test_illegal_castling_of_chess960(fen, move):
    assert move not in texts(position(fen, chess960=True))


def test_a_chess960_setup_is_played_without_the_option():
    place = position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    assert "f1g1" in texts(place)
    assert play(place, "f1g1").text() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


def test_en_passant():
    place = play(position(), "e2e4 a7a6 e4e5 d7d5")
    assert place.text().split()[3] == "d6"
    before = place.text(), place.key
    play(place, "e5d6")
    assert place.text() == "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"
    place.undo()
    assert (place.text(), place.key) == before
    play(place, "h2h3 h7h6")
    assert "e5d6" not in texts(place)


@pytest.mark.parametrize(
    "fen, move",
    [
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6"),  # both pawns leave the rank
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),  # pinned on the file
        ("6k1/8/8/3pP3/7b/8/8/2K5 w - d6 0 1", None),  # no pin at all
        ("6k1/8/8/2pP4/3K4/8/8/8 w - c6 0 1", None),  # takes a pawn that gives check
    ],
)
def test_pins_and_en_passant(fen, move):
    place = position(fen)
    if move:
        assert move not in texts(place)
        assert place.text().split()[3] == "-"
    else:
        assert any(text[2:] == fen.split()[3] for text in texts(place))


def test_promotions():
    place = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q", "a7b8r", "a7b8b", "a7b8n"} <= texts(place)
    assert "a7a8" not in texts(place)
    before = place.text(), place.key
    play(place, "a7b8Q")
    assert place.text() == "1Q2k3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert place.in_check()
    place.undo()
    assert (place.text(), place.key) == before
    assert play(place, "a7b8n").text().startswith("1N2k3")


def test_checkmate_and_stalemate():
    mate = play(position(), "f2f3 e7e5 g2g4 d8h4")
    assert mate.outcome().winner == 1 and mate.outcome().reason == "checkmate"
    assert mate.legal_moves() == []
    stale = position("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    assert stale.outcome().winner is None and stale.outcome().reason == "stalemate"


def test_threefold_repetition():
    place = play(position(), "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    assert place.outcome() is None
    play(place, "f6g8")
    assert place.outcome().reason == "threefold repetition"
    assert place.legal_moves() == []
    place.undo()
    assert place.outcome() is None


def test_repetition_needs_the_same_rights():
    # At first Black could still castle, so that occurrence doesn't count.
    place = play(
        position("r3k3/8/8/8/8/8/8/4K3 w q - 0 1"), "e1d1 a8b8 d1e1 b8a8 e1d1 a8b8 d1e1 b8a8"
    )
    assert place.outcome() is None
    assert play(place, "e1d1 a8b8").outcome().reason == "threefold repetition"


def test_fifty_moves():
    place = position("4k3/8/8/8/8/8/4P3/4K2R w - - 98 90")
    assert play(place, "h1h2").outcome() is None
    assert play(place, "e8e7").outcome().reason == "fifty moves"
    place.undo()
    assert play(position("4k3/8/8/8/8/8/4P3/4K2R w - - 99 90"), "e2e3").outcome() is None


def test_mate_takes_precedence_over_fifty_moves():
    place = play(position("7k/8/6K1/8/8/8/8/R7 w - - 99 90"), "a1a8")
    assert place.outcome().reason == "checkmate"


@pytest.mark.parametrize(
    "fen, drawn",
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", True),
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", True),  # bishops on the same colour
        ("5bk1/8/8/8/8/8/8/4KB2 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", False),
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", False),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", False),
    ],
)
def test_insufficient_material(fen, drawn):
    outcome = position(fen).outcome()
    assert (outcome is not None) == drawn
    if drawn:
        assert outcome.reason == "insufficient material"


def test_transposed_positions_have_the_same_key():
    one = play(position(), "e2e4 e7e5 g1f3 b8c6")
    other = play(position(), "g1f3 b8c6 e2e3 e7e6 e3e4 e6e5")
    assert one.key == other.key
    assert one.key == position(one.text()).key


@pytest.mark.parametrize("text", ["e2e5", "e7e5", "x", "", "e2e4q", "a1a1"])
def test_illegal_moves(text):
    with pytest.raises(MoveError):
        position().parse_move(text)
