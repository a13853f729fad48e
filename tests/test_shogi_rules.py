"""The rules and the notation of shogi and minishogi."""

import pathlib

import pytest

from games import registry
from games.base import MoveError, PositionError
from search.bench import perft

SHOGI, MINISHOGI = registry.get("shogi"), registry.get("minishogi")
GAMES = pathlib.Path(__file__).parent / "data" / "shogi_games.txt"
KINGS = "4k4/9/9/9/9/9/9/9/4K4"


def played(moves, text=None):
    """Return the position after moves from `text`, by default the start position of shogi."""
    position = SHOGI.start({}) if text is None else SHOGI.parse(text, {})
    for move in moves.split():
        assert position.outcome() is None
        position.make(position.parse_move(move))
    return position


@pytest.mark.parametrize(
    "game, text, leaves",
    [
        (SHOGI, None, (30, 900, 25470)),
        (SHOGI, "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", (593,)),
        (MINISHOGI, None, (14, 181, 2512, 35401)),
    ],
)
def test_leaf_counts_are_right(game, text, leaves):
    position = game.start({}) if text is None else game.parse(text, {})
    assert tuple(perft(position, depth) for depth in range(1, len(leaves) + 1)) == leaves


def test_random_games_have_the_legal_moves_that_cshogi_counts():
    drops = 0
    for line in GAMES.read_text(encoding="utf-8").splitlines()[1:]:
        words, end = line.split(" | ")
        position = SHOGI.start({})
        for word in words.split():
            move, count = word.split(":")
            assert len(position.legal_moves()) == int(count), position.text()
            position.make(position.parse_move(move))
            drops += "*" in move
        assert position.text() == end
    assert drops > 150


def test_the_fourth_occurrence_is_a_draw_unless_one_side_gave_every_check():
    shuffled = played("2h3h 8b7b 3h2h 7b8b " * 3)
    assert shuffled.outcome().winner is None and shuffled.legal_moves() == []
    assert len(shuffled.playable_moves()) == 30  # front ends may play on
    checked = played("5a4a 5h4h 4a5a 4h5h " * 3, "4k4/9/9/9/9/9/9/4R4/K8 w - 1")
    assert (checked.outcome().winner, checked.outcome().reason) == (1, "Black gave perpetual check")
    assert checked.playable_moves() == [] and checked.final_value() > 0
    # After two rounds of checks the position has occurred only three times.
    assert played("5a4a 5h4h 4a5a 4h5h " * 2, "4k4/9/9/9/9/9/9/4R4/K8 w - 1").outcome() is None


def test_a_side_without_a_legal_move_loses():
    mated = SHOGI.parse("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", {}).outcome()
    assert (mated.winner, mated.reason) == (0, "checkmate")
    blocked = SHOGI.parse("8k/9/7RG/9/9/9/9/9/4K4 w - 1", {})
    assert blocked.outcome().reason == "no legal move is left" and blocked.outcome().winner == 0


@pytest.mark.parametrize(
    "text, move, reason",
    [
        ("4k4/9/9/9/9/9/P8/9/4K4 b P 1", "P*9e", "two unpromoted pawns"),
        (f"{KINGS} b L 1", "L*1a", "would have no move"),
        (f"{KINGS} b N 1", "N*1b", "would have no move"),
        ("8k/9/8S/9/9/9/9/9/K6R1 b P 1", "P*1b", "must not give mate"),
        ("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h4h", "king would be in check"),
        ("4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*1h", "king would be in check"),
        (f"{KINGS} b - 1", "G*1h", "is not a legal move here"),
        (f"{KINGS} b P 1", "P*5e+", "is not a legal move here"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule_that_forbids_it(text, move, reason):
    position = SHOGI.parse(text, {})
    with pytest.raises(MoveError, match=reason):
        position.parse_move(move)
    rules = {position.move_text(barred): rule for barred, rule in position.barred_moves()}
    assert reason in rules.get(move, "is not a legal move here")


def test_a_pawn_that_is_pushed_may_give_mate():
    mated = played("1c1b", "8k/6G2/8P/9/9/9/9/9/K7R b - 1").outcome()
    assert (mated.winner, mated.reason) == (0, "checkmate")


def test_promotion_is_forced_only_if_the_piece_could_not_move_on():
    position = SHOGI.parse("4k4/P2L5/1N7/8S/9/9/9/9/4K4 b - 1", {})
    texts = {position.move_text(move) for move in position.legal_moves()}
    assert {"9b9a+", "6b6a+", "8c7a+", "1d1c", "1d1c+"} <= texts
    assert not {"9b9a", "6b6a", "8c7a"} & texts


@pytest.mark.parametrize(
    "text, wins",
    [
        ("1+R+B1K4/PPPPPPPP1/9/9/9/9/9/9/4k4 b RB 1", True),  # 10 pieces, 28 points: enough.
        ("1+R+B1K4/PPPPPPPP1/9/9/9/9/9/9/4k4 b R 1", False),  # 23 points are too few.
        ("1+R2K4/PPPPPPPP1/9/9/9/9/9/9/4k4 b RB2GP 1", False),  # 9 pieces are too few.
        ("1+R+B1K4/PPPPPPPP1/9/9/4r4/9/9/9/4k4 b B4G 1", False),  # The king is in check.
        ("4K4/9/9/9/9/9/9/pppppppp1/1+r+b1k4 w rb 1", True),
        ("1+R+B1K4/PPPPPPPP1/9/9/9/9/9/9/4k4 w RB 1", False),
    ],
)
def test_a_win_can_be_declared_with_an_entered_king_and_enough_pieces(text, wins):
    assert (SHOGI.parse(text, {}).claim() is not None) == wins


def test_the_names_of_handicaps_are_read_as_positions():
    pieces = {
        name: sum(map(str.islower, SHOGI.parse(name, {}).text().split()[0]))
        for name in SHOGI.handicaps
    }
    assert pieces["平手"] == 20 and SHOGI.parse("平手", {}).text() == SHOGI.start({}).text()
    assert (pieces["香落ち"], pieces["飛車落ち"], pieces["二枚落ち"]) == (19, 19, 18)
    assert (pieces["六枚落ち"], pieces["八枚落ち"], pieces["十枚落ち"]) == (14, 12, 10)
    assert all(SHOGI.parse(name, {}).side == 1 for name in SHOGI.handicaps if name != "平手")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("4k4/9/9/9/9/9/9/9/4K4/9 b - 1", "a board has 9 rows, not 10"),
        ("4k4/9/9/9/9/9/9/9/4K5 b - 1", "a row has 9 squares, not 10"),
        ("4k4/9/9/9/9/9/9/9/3KKK3 b - 1", "there are 3 K: a side has one king"),
        ("9/9/9/9/9/9/9/9/9 b - 1", "there is no king"),
        (f"{KINGS} b 99P 1", "there are 99 pawns, but a set has 18"),
        (f"{KINGS} b 3R 1", "there are 3 rooks, but a set has 2"),
        ("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "a pawn on 9a could never move"),
        ("4k4/9/9/9/9/9/9/N8/4K3n b - 1", "a knight on 1i could never move"),
        ("4k4/9/9/P8/9/P8/9/9/4K4 b - 1", "9d is the second pawn of a player on its file"),
        ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "not to move is in check"),
        (f"{KINGS} x - 1", "the side to move must be b or w"),
        (f"{KINGS} b K 1", "can't be in hand"),
        (f"{KINGS} b 0P 1", "is not a hand"),
        (f"{KINGS} b - one", "is not a number of moves"),
        ("4k4/9/9/9/9/9/9/9/4+K4 b - 1", "can't be promoted"),
    ],
)
def test_an_impossible_position_is_refused_with_a_reason(text, reason):
    with pytest.raises(PositionError, match=reason):
        SHOGI.parse(text, {})


def test_the_notation_of_fairy_stockfish_is_read_too():
    position = SHOGI.parse(f"{KINGS}[PPp] b - - 3 5", {})
    assert position.text() == f"{KINGS} w 2Pp 10"
    assert SHOGI.parse(f"{KINGS}[-] w 0 1", {}).text() == f"{KINGS} b - 1"
    start = SHOGI.start({})
    assert [start.move_text(start.parse_move(text)) for text in ("c3c4", "7g7f", "7g7f=")] == [
        "7g7f"
    ] * 3
    exchange = played("c3c4 g7g6 b2h8+")
    assert exchange.text().split()[2] == "B" and exchange.board()[7][7] == "+B"


def test_moves_are_written_and_read_in_western_and_japanese_notation():
    moves = "7g7f 3c3d 8h2b+ 3a2b B*5e 6a5b 5e2b+".split()
    western, japanese = [], []
    position = SHOGI.start({})
    for text in moves:
        move = position.parse_move(text)
        western.append(position.notation(move))
        japanese.append(position.notations()["kif"](move))
        assert {position.read_notation(each) for each in (western[-1], japanese[-1])} == {move}
        position.make(move)
    assert western == "P-7f P-3d Bx2b+ Sx2b B*5e G6a-5b Bx2b+".split()
    assert japanese == "▲７六歩 △３四歩 ▲２二角成 △同銀 ▲５五角 △５二金(61) ▲２二角成".split()
    board, *words = position.fairy_text().split()
    assert board.endswith("[Sb]") and words == "b - - 0 4".split()
    for move in position.legal_moves():
        assert position.parse_move(position.fairy_move(move)) == move
