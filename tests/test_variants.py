"""The variants of chess: rules as python-chess has them, texts as Lichess writes them, and their search."""
# Started early by scripts/test, since it is slow.

import random
from zlib import crc32

import pytest
from conftest import ROOT, run_python
from front_end import InProcessEngine
from tables import rows

from games import registry
from games.base import INFINITY, WIN, MoveError, PositionError
from protocol import moves
from protocol.records import pgn
from protocol.records.formats import write_record
from protocol.records.record import Record, RecordError, Start, Step
from scripts.lab.variant_terms import report
from search import ask, context_of
from search.bench import perft
from search.limits import Limits
from search.pvs import Tree, bind_search
from search.think import think

NAMES = (
    "kingofthehill 3check antichess giveaway suicide atomic crazyhouse horde racingkings".split()
)
GAMES = [
    [field.strip() for field in line.split("|")]
    for line in (ROOT / "tests" / "data" / "variants.txt").read_text().splitlines()
    if line[:1] != "#"
]
# Leaf counts from the start: the first two games' are those of chess, the others come from Lichess.
PERFT = dict(rows("variants.perft"))


# Leaf counts from scalachess's atomic.perft, for positions of Atomic in which kings touch.  In the
# last rows castling is legal only if the rook shields its king.
ATOMIC = [
    ("rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", [40, 1238]),
    ("rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", [28, 833]),
    ("8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1", [18, 180, 4364]),
    ("r3k1rR/5K2/8/8/8/8/8/8 b kq - 0 1", [25, 282, 6753]),
    ("Rr2k1rR/3K4/3p4/8/8/8/7P/8 w kq - 0 1", [21, 465, 10631]),
]
CASTLING_IN_ATOMIC = rows("variants.castling_in_atomic")


def position(name, fen=None, words="", chess960=False):
    game, options = registry.get(name), {"UCI_Chess960": chess960}
    place = game.parse(fen, options) if fen else game.start(options)
    for word in words.split():
        place.make(place.read_notation(word))
    return place


def texts(place):
    return {place.move_text(move) for move in place.playable_moves()}


@pytest.mark.parametrize("name", NAMES)
def test_leaf_counts_are_right(name):
    counts = PERFT[name]
    assert [perft(position(name), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("fen, counts", ATOMIC)
def test_kings_that_touch_may_castle_in_atomic(fen, counts):
    place = position("atomic", fen, chess960=True)
    assert [perft(place, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("fen, move, legal", CASTLING_IN_ATOMIC)
def test_a_rook_shields_its_king_while_they_castle(fen, move, legal):
    assert (move in texts(position("atomic", fen, chess960=True))) == legal


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game[0]} {game[1][:1]}")
def test_games_are_played_and_ended_as_by_python_chess(game):
    name, start, words, fen, reason, checksum = game
    chess960, seen = start[0] == "*", 0
    place = registry.get(name).start({})
    if chess960:
        place = registry.get(name).parse(start[1:], {"UCI_Chess960": True})
    for word in [*words.split(), None]:
        check_san(place, seen)
        seen = crc32((place.text() + " ".join(sorted(texts(place)))).encode(), seen)
        if word is not None:
            place.make(place.parse_move(word))
    outcome = place.outcome()
    assert (place.text(), seen) == (fen, int(checksum))
    assert (outcome.reason if outcome else "-") == reason


def check_san(place, number):
    """Check that the notation of some of the playable moves is read back as the same move."""
    moves = place.playable_moves()
    step = max(7, len(moves) // 4)
    for move in moves[number % step :: step]:
        assert place.read_notation(place.notation(move)) == move, (place.text(), move)


@pytest.mark.parametrize(
    "name, fen, text, move", rows("variants.san_is_matched_with_the_legal_moves")
)
def test_san_is_matched_with_the_legal_moves(name, fen, text, move):
    place = position(name, fen)
    if move is None:
        with pytest.raises(MoveError, match="is not a legal move"):
            place.read_notation(text)
    else:
        found = place.read_notation(text)
        assert place.move_text(found) == move
        assert place.notation(found) == ("O-O" if place.castling.rights else text)


@pytest.mark.parametrize(
    "name, fen, move, winner, reason", rows("variants.ends_by_the_variants_own_rule")
)
def test_games_end_by_the_variants_own_rule(name, fen, move, winner, reason):
    place = position(name, fen)
    found = place.read_notation(move)
    place.make(found)
    outcome = place.outcome()
    assert (outcome.winner, outcome.reason) == (winner, reason)
    assert not place.legal_moves() and not place.playable_moves()
    place.undo()
    assert place.outcome() is None
    if winner == place.side:
        assert place.notation(found).endswith("#")
        line = ask(place, Limits(depth=3), {}, None, 1).lines[0]
        assert line.score == WIN - 1 and len(line.moves) == 1


@pytest.mark.parametrize("name, fen, winner", rows("variants.a_finished_position_is_finished"))
def test_a_finished_position_can_be_set_up(name, fen, winner):
    place = position(name, fen)
    assert place.outcome().winner == winner and not place.playable_moves()


@pytest.mark.parametrize("name, fen, move", rows("variants.an_unfinished_position_is_played_on"))
def test_an_unfinished_position_is_played_on(name, fen, move):
    place = position(name, fen)
    assert place.outcome() is None and move in texts(place)


@pytest.mark.parametrize("name, fen, white, black", rows("variants.who_can_win"))
def test_a_side_can_win_if_its_material_allows_it(name, fen, white, black):
    place = position(name, fen)
    assert [place.can_win(side) for side in (0, 1)] == [white, black]


@pytest.mark.parametrize("name, fen, read", rows("variants.a_fen_of_a_variant_reads_back_the_same"))
def test_a_fen_of_a_variant_reads_back_the_same(name, fen, read):
    place = position(name, fen)
    assert place.text() == (read or fen)
    assert position(name, place.text()).key == place.key


@pytest.mark.parametrize(
    "name, fen, fault", rows("variants.impossible_positions_of_variants_are_refused")
)
def test_impossible_positions_of_variants_are_refused(name, fen, fault):
    with pytest.raises(PositionError, match=fault):
        position(name, fen)


def test_drops_are_written_and_read():
    place = position("crazyhouse", "4k3/8/8/8/8/8/8/4K3[PNp] w - - 0 1")
    drop = place.parse_move("P@e4")
    assert (place.notation(drop), place.move_text(drop)) == ("@e4", "P@e4")
    assert place.read_notation("@e4") == drop
    for text in ("P@e4", "p@E4"):
        assert moves.read(place, text) == drop
    assert moves.drop(place, place.parse_move("N@f3")) == "N@f3"
    assert place.hands() == ("NP", "p") and place.touched(drop) == [(4, 3)]
    for text in ("P@e8", "P@e1", "Q@e4", "@@e4", "N@e1"):
        with pytest.raises(MoveError):
            moves.read(place, text)
    place.make(drop)
    assert place.text() == "4k3/8/8/8/4P3/8/8/4K3[Np] b - - 1 1"
    checked = position("crazyhouse", "4k3/8/8/8/8/8/8/r3K3[N] w - - 0 1")
    barred = {checked.move_text(move) for move, _ in checked.barred_moves()}
    assert "N@d1" in texts(checked) and "N@d2" in barred


def test_a_promoted_piece_is_captured_as_a_pawn():
    place = position("crazyhouse", "1r2k3/P7/8/8/8/8/8/4K3[] w - - 0 1", "axb8=Q Ke7")
    assert place.text().startswith("1Q~6/4k3/8/8/8/8/8/4K3[R]")
    place = position("crazyhouse", "1Q~2k3/8/8/8/8/8/1r6/4K3[] b - - 0 1", "Rxb8")
    assert place.hands() == ("", "p")


@pytest.mark.parametrize("name", NAMES)
def test_pgn_of_variants_reads_back_the_same(name):
    dice, record = random.Random(name), Record(Start(name))
    place = record.start.position()
    for _ in range(40):
        move = dice.choice(place.legal_moves())
        record.line.append(Step(move))
        place.make(move)
        if not place.legal_moves():
            break
    text = write_record(record, "pgn")
    assert f'[Variant "{registry.get(name).title}"]' in text
    again = pgn.FORMAT.read(text)
    assert again.start.game.name == name and not again.errors
    assert [step.move for step in again.line] == [step.move for step in record.line]


@pytest.mark.parametrize("tag, name", rows("variants.names_of_variants_in_pgn_are_read"))
def test_names_of_variants_in_pgn_are_read(tag, name):
    assert pgn.FORMAT.read(f'[Variant "{tag}"]\n\n*\n').start.game.name == name


@pytest.mark.parametrize("tag", ["Duck", "Losers", "Othello"])
def test_unknown_variants_in_pgn_are_refused(tag):
    with pytest.raises(RecordError, match=f"unsupported variant: {tag}"):
        pgn.FORMAT.read(f'[Variant "{tag}"]\n\n1. e4 *\n')


def test_a_variant_in_pgn_is_found_by_name_without_loading_other_games():
    code = (
        "import sys; from protocol.records import pgn\n"
        "for tag in ('Three-check', 'Bughouse'):\n"
        "    try: pgn.FORMAT.read(f'[Variant \"{tag}\"]\\n\\n1. e4 *')\n"
        "    except Exception: pass\n"
        "print(*sorted(name for name in sys.modules if name.startswith('games.')))"
    )
    loaded = run_python("-c", code, cwd=ROOT).stdout.split()
    assert "games.chess.variants.threecheck" in loaded
    others = ("games.chess.variants.atomic", "games.othello", "games.gomoku", "games.tree")
    assert not set(others) & set(loaded)


def test_every_title_of_a_built_in_game_finds_the_game():
    for game in map(registry.get, registry.built_in()):
        assert not game.san or registry.find(game.title) == game.name


@pytest.mark.parametrize("name", NAMES)
def test_variants_are_played_over_uci_and_cecp(name):
    uci = InProcessEngine("uci").send(
        "uci", f"setoption name UCI_Variant value {name}", "position startpos", "go depth 3"
    )
    uci.session.wait()
    assert f"var {name}" in uci.output
    best = uci.output.split("bestmove ")[1].split()[0]
    assert best in texts(position(name))
    cecp = InProcessEngine("cecp").send("protover 2", "new", f"variant {name}", "sd 3", "go")
    cecp.session.wait()
    assert f"move {best}" in cecp.output


@pytest.mark.parametrize("name", NAMES)
def test_the_kernels_successors_are_the_legal_moves(name):
    checked = 0
    for words in [game[2] for game in GAMES if game[:2] == [name, "start"]]:
        place = registry.get(name).start({})
        for ply, word in enumerate(words.split()):
            if ply % 5 == 0:
                checked += len(successors(place))
            place.make(place.parse_move(word))
    assert checked > 250


def kernel_of(place):
    """Return (a kernel that can search, the copy of the position on which it plays)."""
    here = place.copy()
    context = context_of(here, Limits(), {}, {}, 1)
    tree = Tree(context.table("moves"), lambda nodes: nodes + 1000)
    kernel = here.game.kernel(here, context, tree)
    bind_search(kernel, tree)
    return kernel, here


def successors(place):
    """Check that the kernel yields all legal moves in an open window; return them."""
    kernel, here = kernel_of(place)
    node = [-INFINITY, -INFINITY, INFINITY, -1, here.evaluate(), True]
    found = [move for move, *_ in kernel.successors(kernel.root_state(), 4, 1, node)]
    legal = place.playable_moves()
    assert sorted(found) == sorted(legal), (place.text(), set(found) ^ set(legal))
    assert here.text() == place.text()
    return legal


def test_cecp_sets_the_hands():
    cecp = InProcessEngine("cecp").send(
        "protover 2",
        "new",
        "variant crazyhouse",
        "force",
        "setboard 4k3/8/8/8/8/8/8/4K3[-] w - - 0 1",
    )
    cecp.send("holding [QN] [p]", "usermove N@f3")
    assert cecp.session.position.text() == "4k3/8/8/8/8/5N2/8/4K3[Qp] b - - 1 1"


@pytest.mark.parametrize(
    "name, fen, least",
    [
        ("kingofthehill", "7k/8/8/8/8/8/2K5/8 w - - 0 1", WIN - 3),
        ("3check", "4k3/8/8/8/8/8/3PPP2/R3K2R w - - 2+3 0 1", WIN - 3),
        ("antichess", "8/8/8/8/1p6/8/P7/8 w - - 0 1", WIN - 3),
        ("suicide", "8/7p/8/p6p/7P/P7/8/8 w - - 0 1", WIN - 2),
        ("atomic", "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2", 100),
        ("atomic", "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", WIN - 1),
        ("crazyhouse", "6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1", WIN - 1),
        ("horde", "6rk/6pp/8/4N3/8/8/8/8 w - - 0 1", WIN - 1),
        ("racingkings", "8/7K/8/8/8/8/k7/8 w - - 0 1", WIN - 1),
    ],
)
def test_the_search_finds_each_variants_own_way_to_win(name, fen, least):
    place = position(name, fen)
    line = ask(place, Limits(depth=5), {}, None, 1).lines[0]
    assert line.score >= least
    for move in line.moves:
        assert move in place.legal_moves()
        place.make(move)
    assert line.score < WIN - 10 or place.outcome().winner == 0


@pytest.mark.parametrize(
    "name, fen",
    [
        ("3check", "rnb2b1r/pp1ppk2/2p2n1p/1B5p/8/4q2P/PPPB1PP1/RN1Q1RK1 w - - 2+3 2 11"),
        ("kingofthehill", "rnb1qbnr/ppppkppp/8/4P3/8/BPN5/P1PKPPPP/R2Q1BNR b - - 2 6"),
    ],
)
def test_quiescence_ends_when_the_game_ends(name, fen):
    place = position(name, fen)
    for move in ask(place, Limits(depth=1), {}, None, 1).lines[0].moves:
        assert move in place.playable_moves(), place.text()
        place.make(move)


def test_a_capture_that_leaves_the_king_attacked_does_not_end_the_game():
    kernel, _ = kernel_of(position("3check", "4r1k1/7p/5p2/8/4N3/8/8/4K3 w - - 1+3 0 1"))
    assert kernel.quiesce(kernel.root_state(), -INFINITY, INFINITY, 1) < 1000


@pytest.mark.parametrize("name", NAMES)
def test_lines_consist_of_legal_moves(name):
    dice = random.Random(f"lines {name}")
    options = {option.name: option.default for option in registry.options()}
    place = position(name)
    for ply in range(60):
        if not place.legal_moves():
            break
        if ply % 8 == 7:
            searched, copy = place.copy(), place.copy()
            context = context_of(searched, Limits(nodes=600), options, {}, 4)
            for move in think(searched, context, lambda report: None)[0].moves:
                assert move in copy.playable_moves(), place.text()
                copy.make(move)
        place.make(dice.choice(place.legal_moves()))


def test_weights_of_evaluation_terms_are_learned_from_results(tmp_path, capsys):
    # The side that is a pawn ahead, or has one check left, wins three games in four.
    games = [
        "".join(f"{won} | 100 0 | 0 0 {side}\n{won} | 0 0 | 1 0 {side}\n" for side in (-1, 1))
        + "".join(f"{won} | 0 0 | 0 {sign} 1\n" for sign in (-1, 1))
        for won in [1, 1, 1, 0] * 250
    ]
    path = tmp_path / "positions.txt"
    path.write_text("".join(f"{game}# {seed}\n" for seed, game in enumerate(games)))
    report(path, "3check")
    said = capsys.readouterr()
    assert "one check left, two checks left: 100, " in said.out + said.err
