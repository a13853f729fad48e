"""Gomoku's search: forced wins are found and hold against every reply, none is missed."""
# Not in the fast part of scripts/test.

import re
from random import Random

import pytest
from conftest import play_on
from front_end import InProcessEngine
from gtp_client import Client
from tables import rows

from games import registry
from games.base import MAX_SCORE, WIN
from games.gomoku import NEARLY_DECIDED
from games.gomoku.board import ThreatBoard
from games.gomoku.threats import VCF
from protocol.moves import Vertices
from protocol.records.formats import write_record
from protocol.records.record import Evaluation, Record, Start, Step
from protocol.scores import score_label, score_text
from scripts.report.verdicts import Note, annotate
from search import ask, context_of
from search.limits import Limits
from search.pvs import Tree
from search.table import Table
from search.think import think

PUZZLES = rows("gomoku_threats.puzzles")


def search(position, **limits):
    """Return the best Line of a search of a copy of `position`."""
    return ask(position, Limits(**limits), megabytes=1).lines[0]


def freestyle_after(moves):
    return play_on(registry.get("gomokufreestyle").start({"BoardSize": 15}), moves)


def solved(position):
    """Return the solver's proven line, or None if it finds none."""
    limits = Limits(depth=1)
    context = context_of(position, limits, {}, {}, 1)
    lines = list(position.game.parse(position.text(), {}).solve(context))
    return lines[0] if lines else None


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_an_open_four_wins_in_three_plies_by_the_tree_search_alone(depth):
    position = freestyle_after("h8 a1 i8 c1 j8 e1")
    # A search for several lines leaves out the solver.
    lines = ask(position, Limits(depth=depth), {"MultiPV": 2}, megabytes=1).lines
    assert [line.score for line in lines] == [WIN - 3] * 2


def test_a_search_of_fours_gives_up_when_its_budget_is_spent_and_not_earlier():
    cut = 0
    for name, text, _ in PUZZLES:
        position = registry.get(name).parse(text, {})
        board = ThreatBoard(position)
        board.begin(lambda nodes: nodes + 1000)
        chain = VCF(board).win(board.side, board.packed, board.key, 5000)
        if chain is None:
            continue
        vcf = VCF(board)
        for budget in (0, 1, 2, 4, 8, 16, 5000):
            before = board.count[0]
            found = vcf.win(board.side, board.packed, board.key, budget)
            assert board.count[0] - before <= 2 * budget
            assert found or vcf.budget < 0, "it gives up only if fours were left untried"
            cut += not found
        assert found and len(found) % 2 and len(found) <= 2 * 24 + 1
    assert cut > 20


def winning_cells(position):
    """Return the moves that win immediately.  Only the rules are used to find them."""
    found = set()
    for move in position.legal_moves():
        position.make(move)
        if position.winner is not None:
            found.add(move)
        position.undo()
    return found


def threatened_cells(position):
    """Return the cells where the player not to move could win.

    Only the rules are used to find them.  The side to move tries two moves.  Each blocks only one
    cell, so together they show all cells.
    """
    found = set()
    for reply in position.legal_moves()[-2:]:
        position.make(reply)
        found |= winning_cells(position)
        position.undo()
    return found


def holds_against_everything(position, moves):
    """Does the solver win with at most `moves` moves of its own, whatever the legal replies?"""
    line = solved(position)
    if line is None or moves == 0 or line.score != WIN - len(line.moves):
        return False
    position.make(line.moves[0])
    answer = position.winner is not None or (
        not winning_cells(position) and all_replies_lose(position, moves - 1)
    )
    position.undo()
    return answer


def all_replies_lose(position, moves):
    """Does every legal reply lose?  Only for positions in which no reply wins at once."""
    fives = threatened_cells(position)
    if len(fives) > 1:
        return moves > 0
    for reply in fives & set(position.legal_moves()) if fives else replies_to_try(position):
        position.make(reply)
        lost = holds_against_everything(position, moves)
        position.undo()
        if not lost:
            return False
    return True


def replies_to_try(position):
    """Return the legal moves within two cells of a stone, and one of the others, which are all equivalent."""
    rows = expanded(position.text().split()[0])
    stones = [(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "."]
    near, far = [], []
    for move in position.legal_moves():
        column, rank = re.fullmatch(r"([a-z])(\d+)", position.move_text(move).lstrip("P@")).groups()
        x, y = ord(column) - ord("a"), len(rows) - int(rank)
        close = any(max(abs(x - x2), abs(y - y2)) <= 2 for x2, y2 in stones)
        (near if close else far).append(move)
    return near + far[:1]


def test_sixty_puzzles_cover_all_rules():
    assert len(PUZZLES) >= 60
    assert {name for name, _, _ in PUZZLES} == {"gomoku", "gomokufreestyle", "renju"}


@pytest.mark.parametrize("name, text, plies", PUZZLES[::2])
def test_a_puzzle_is_solved_with_its_shortest_win(name, text, plies):
    position = registry.get(name).parse(text, {})
    line = search(position, depth=2)
    assert (line.score, len(line.moves)) == (WIN - plies, plies)
    for move in line.moves:
        assert move in position.legal_moves()
        position.make(move)
    assert position.outcome().winner == registry.get(name).parse(text, {}).side
    # Against a reply that stops nothing, the winner's line may be slightly longer than the shortest.
    assert holds_against_everything(registry.get(name).parse(text, {}), plies // 2 + 6)


def positions_with_a_win_or_block(name, count, seed):
    """Yield (random position, moves that win at once, cells that must be blocked)."""
    game, random, found = registry.get(name), Random(seed), 0
    while found < count:
        position = game.start({"BoardSize": 9})
        while position.outcome() is None and position.stones < 45 and found < count:
            near = position.legal_moves()[:30]
            wins = winning_cells(position)
            blocks = threatened_cells(position)
            if wins or blocks:
                found += 1
                yield position, wins, blocks
            position.make(random.choice(sorted(wins) or sorted(blocks & set(near)) or near))


@pytest.mark.parametrize(
    "name, count, seed", [("gomoku", 15, 1), ("gomokufreestyle", 15, 2), ("renju", 15, 3)]
)
def test_no_win_and_no_block_is_missed(name, count, seed):
    for position, wins, blocks in positions_with_a_win_or_block(name, count, seed):
        move = search(position, depth=1).moves[0]
        if wins:
            assert move in wins, position.text()
        elif blocks & set(position.legal_moves()):
            assert move in blocks, position.text()


@pytest.mark.parametrize("name, seed", [("gomoku", 4), ("gomokufreestyle", 5), ("renju", 6)])
def test_an_updated_threat_board_agrees_with_the_rules_and_with_a_new_one(name, seed):
    game, random = registry.get(name), Random(seed)
    for _ in range(2):
        position = game.start({"BoardSize": 10})
        board = ThreatBoard(position)
        packed = board.packed
        while position.outcome() is None:
            assert set(board.fives(position.side, packed)) == winning_cells(position)
            move = random.choice(position.legal_moves()[:40])
            packed = board.play(position.side, move, packed)
            position.make(move)
            fresh = ThreatBoard(position)
            assert (packed, board.codes) == (fresh.packed, fresh.codes)
            assert board.won(packed) == (position.winner is not None)


@pytest.mark.parametrize(
    "name, size, seed", [("gomoku", 9, 1), ("gomokufreestyle", 20, 2), ("renju", 15, 3)]
)
def test_a_node_is_scored_by_the_evaluation_alone(name, size, seed):
    """The kernel's score equals the position's evaluation; turning the board doesn't change it."""
    game, random = registry.get(name), Random(seed)
    for _ in range(3):
        position = game.start({"BoardSize": size})
        moves = position.legal_moves()[:60]
        random.shuffle(moves)
        for move in moves[:30]:
            if position.outcome() or move not in position.legal_moves():
                continue
            position.make(move)
            kernel = game.kernel(position, None, Tree(Table(1), lambda nodes: nodes + 1000))
            score, threatened = kernel.evaluate(kernel.root_state(), 0)
            board = position.search_board()
            assert (
                score
                == position.evaluate()
                == sum(score for _, score in position.evaluation_terms())
            )
            assert threatened == bool(board.threats(1 - position.side, board.packed))
            rows, side = position.text().split()
            turned = game.parse("/".join(expanded(rows)[::-1]) + " " + side, {})
            assert turned.evaluate() == score


def expanded(rows):
    """Return the rows of a position's text with a dot for each empty cell."""
    return [re.sub(r"\d+", lambda found: "." * int(found[0]), row) for row in rows.split("/")]


def test_a_loss_is_reported_only_if_every_defence_was_tried():
    """x has two open threes, and o can't stop both, so the score is a proven mate."""
    position = freestyle_after("h8 a1 i8 a3 j8 a5 h9 c15 h10")
    line = search(position, depth=6)
    assert line.score < -WIN + 12
    for move in line.moves:
        position.make(move)
    assert position.outcome().winner == 0


@pytest.mark.parametrize(
    "moves",
    [
        "f9 j11 h7 i11 k6 h11 g11 i12 g8 e10 g10 g9 i8 k10 l9 k11",
        "f10 i8 i6 f7 e10 h7 g6 g8 h8 g9 e6 g7 i7 g10",
    ],
)
def test_a_side_under_threat_tries_fours_if_no_other_move_helps(moves):
    score = search(freestyle_after(moves), depth=3).score
    assert abs(score) < registry.get("gomokufreestyle").scores.decided


@pytest.mark.parametrize(
    "moves",
    [
        "j6 h5 e10 e9 f5 f10 g11 h6 g9 h7 h4 i7 i5 k7 g7 j8 g8",
        "e5 j5 k9 i9 i7 j8 k7 l7 j6 l8 k8 k6 m8 l9 l10 k11 h8 l5 l6 k5 i5 j7 m4 k4 i4 i6 l3 g9 h9 h10 g8 j11 i11 j10 "
        "j9 j3 i2 g3 n5 k2 k3 f8 e7 i10 g10 e6 g7 h5 g4 m6 n7 g11",
    ],
)
def test_a_win_is_not_reported_while_an_unlikely_reply_refutes_it(moves):
    score = search(freestyle_after(moves), depth=5).score
    assert abs(score) < registry.get("gomokufreestyle").scores.decided


def reported_lines(position, memory, **limits):
    """Search a copy of `position`; return all reported Lines, the best move's last."""
    reports = []
    think(position.copy(), context_of(position, Limits(**limits), {}, memory, 1), reports.append)
    return [report.line for report in reports if report.line]


@pytest.mark.parametrize("name, seed", [("gomoku", 7), ("gomokufreestyle", 8), ("renju", 9)])
def test_the_score_of_a_win_or_loss_agrees_with_the_length_of_its_line(name, seed):
    game, random, decided = registry.get(name), Random(seed), 0
    position, memory = game.start({"BoardSize": 15}), {}
    for move in random.sample(position.legal_moves()[:49], 7):
        position.make(move)
    while position.outcome() is None:
        lines = reported_lines(position, memory, nodes=1500)
        for line in lines:
            if abs(line.score) > MAX_SCORE:
                decided += 1
                assert len(line.moves) == WIN - abs(line.score)
                assert winner_after(position, line.moves) == (
                    position.side if line.score > 0 else 1 - position.side
                )
        position.make(lines[-1].moves[0])
    assert decided > 20


def winner_after(position, moves):
    """Return the player who has won after the legal `moves`."""
    copy = position.game.parse(position.text(), {})
    for move in moves:
        assert move in copy.legal_moves()
        copy.make(move)
    return copy.winner


# Positions with very long sequences of fours that don't win.
CROWDED = [
    "7o7/4xo3xo4/4x1oxo1x4/2oxxxox1oxo3/o1xoooxxxoxx1o1/3oxx1ooxoxo2/o1xooxoox1oxxo1/3xoxxxxoooxo1/4xooo1xoxxx1/"
    "5ox1xoxoo2/2o2oxooxxxxo1/3x1x1xoxoxo2/4x5ox3/3o6o4/15 x",
    "4x10/5ox8/4x1ox1oox3/6oox1x1o2/4oxooooxx1o1/3xox1xoxxoxx1/4xox1oxo2x1/4o1xxxoxx2o/6ooxoo4/7x1o5/8ox5/"
    "15/15/15/15 o",
]


@pytest.mark.parametrize("text", CROWDED)
def test_the_solver_leaves_most_nodes_to_the_search_on_a_crowded_board(text):
    position = registry.get("gomokufreestyle").parse(text, {})
    limits = Limits(nodes=20_000)
    context = context_of(position, limits, {}, {}, 1)
    assert not list(position.solve(context))
    assert context.watch.nodes < 20_000 // 3
    assert search(position, nodes=20_000).depth > 3


# Black has one threat after another, so the search scores the game as decided long before it sees a
# five.
HELD = "h8 f13 g13 e12 j10 f11 i9 g7 i11 f14 f12 d11 g14 d13 g10 g11 e11 c10 b9 d10".split()


def test_a_decided_game_is_reported_in_points_and_not_as_a_mate():
    engine = InProcessEngine("uci", "gomoku").send(
        f"position startpos moves {' '.join(HELD)}", "go depth 5"
    )
    engine.session.wait()
    scores = [int(score) for score in re.findall(r" score cp (-?\d+) ", engine.output)]
    assert 5000 < scores[-1] <= NEARLY_DECIDED and max(scores[:3]) < 5000
    engine = InProcessEngine("gomocup").send(
        "START 15",
        "INFO rule 1",
        "INFO max_depth 6",
        "BOARD",
        *(
            f"{'abcdefghijklmno'.index(move[0])},{15 - int(move[1:])},{ply % 2 + 1}"
            for ply, move in enumerate(HELD)
        ),
        "DONE",
    )
    engine.session.wait()
    assert (
        5000
        < int(re.findall(r"^MESSAGE depth 6.* ev (\S+) ", engine.output, re.M)[-1])
        <= NEARLY_DECIDED
    )


def test_a_decided_game_is_shown_as_text(start):
    vertices = [
        Vertices.letters.lower()["abcdefghijklmno".index(move[0])] + move[1:] for move in HELD
    ]
    gtp = Client(
        start("--game", "gomoku"),
        "plyglot-param Genmove_Depth 6",
        *(f"play {'bw'[ply % 2]} {vertex}" for ply, vertex in enumerate(vertices)),
    )
    assert gtp.ask("plyglot-score") == "black winning with D12 at depth 6"
    record = Record(Start("gomoku"))
    position = record.start.position()
    for score, words in (
        (NEARLY_DECIDED - 4, "Black is winning"),
        (4 - NEARLY_DECIDED, "White is winning"),
    ):
        record.line = [Step(position.parse_move("h8"))]
        annotate(record, [Note(Evaluation(score))], "", in_words=True)
        assert f"C[{words}]" in write_record(record, "sgf")
        assert score_text(score, position) == ("winning" if score > 0 else "losing")
        assert score_label(score, position) == ("W" if score > 0 else "L")
