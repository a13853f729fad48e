"""The marks of scripts/analyse, compared with the known mistakes of games."""

import functools
import random
import types

import pytest
from conftest import ROOT
from samples import read_records
from tables import rows

from plyglot.uci import Info
from protocol.records.record import Evaluation, Record, Start, Step
from protocol.scores import winrate
from scripts.arena.client import Answer
from scripts.arena.engines import open_engine
from scripts.lab.compare_verdicts import compare_judged, read_judged
from scripts.report.analysis import GameAnalysis, cost
from scripts.report.verdicts import Verdict, mark_of, notes
from search.limits import Limits


@pytest.fixture(scope="module")
def engine():
    with open_engine(protocol="uci") as client:
        yield client


def test_an_analysis_searches_even_the_positions_of_the_opening_book(engine):
    record = Record(Start("shogi"), [])
    assert record.start.position().book_moves({})
    verdicts, _ = GameAnalysis(record, engine, Limits(nodes=3000)).run()
    assert verdicts[0].depth > 2 and len(verdicts[0].line) > 1


def marks(record, engine, **limits):
    """Return {`12... Rd8`: mark} of the marked moves of a record."""
    _, notes = GameAnalysis(record, engine, Limits(**limits)).run()
    found = {}
    for (position, move), note, (number, side) in zip(record.positions(), notes, record.turns()):
        if note.mark:
            found[f"{number}{'.' if side == 0 else '...'} {position.notation(move)}"] = note.mark
    return found


def from_ply(record, ply, stop=None):
    """Return a record that has only the moves record.moves[ply:stop]."""
    start = Start(record.start.game, record.start.position(record.moves[:ply]).text())
    return Record(start, record.moves[ply:stop])


def read(text, game=None):
    return read_records(text, game_name=game)[1][0]


class ScriptedEngine:
    """An engine whose score for the first player is opinion(moves as text, limits).

    choice: the moves that it prefers.
    """

    has_option = {}.get

    def __init__(self, opinion, choice=()):
        self.opinion, self.choice = opinion, choice
        self.asked = []

    def new_game(self):
        pass

    def think(self, start, moves, limits, on_info=None):
        position, texts = start.position(), []
        for move in moves:
            texts.append(position.move_text(move))
            position.make(move)
        legal = [position.move_text(move) for move in position.legal_moves()]
        text = next((move for move in self.choice if move in legal), legal[0])
        self.asked.append((" ".join(texts), limits))
        score = self.opinion(" ".join(texts), limits)
        found = Info(
            limits.depth or 5, score if position.side == 0 else -score, None, limits.nodes, [text]
        )
        return Answer(position.parse_move(text), text, 0.1, [found])


def test_engines_own_choice_has_no_mark():
    def opinion(moves, limits):
        return 600 if moves == "e2e4 e7e5" else 0

    engine = ScriptedEngine(opinion, ["e2e4", "e7e5"])
    verdicts, notes = GameAnalysis(read("e2e4 e7e5"), engine, Limits(depth=5)).run()
    assert [note.mark for note in notes] == ["", ""] and notes[1].lost == 0
    assert verdicts[1].score == verdicts[2].score == 600, (
        "a position is worth as much as its best move"
    )


@pytest.mark.parametrize(
    "looks, checked, mark",
    rows("analysis_verdicts.a_mark_is_confirmed_by_deeper_searches_before_and_after_the_move"),
)
def test_a_mark_is_confirmed_by_deeper_searches_before_and_after_the_move(looks, checked, mark):
    def opinion(moves, limits):
        if not moves.startswith("e2e4"):
            return 0
        place = (1000, 4000, 16000).index(limits.nodes)
        return looks if place == 0 else checked[min(place, len(checked)) - 1]

    engine = ScriptedEngine(opinion, ["d2d4", "a7a5"])
    analysis = GameAnalysis(read("e2e4"), engine, Limits(nodes=3000))
    analysis.budget = 10**9
    _, (note,) = analysis.run()
    assert note.mark == mark
    deeper = {moves for moves, limits in engine.asked if limits.nodes > 1000}
    assert deeper - {"e2e4 a7a5"} == (set() if looks == -20 else {"", "e2e4"}), (
        "both positions are searched deeper"
    )
    assert bool(note.best) == bool(mark)


@pytest.mark.parametrize("after_reply, mark", [(-150, "?"), (-400, "?"), (0, "")])
def test_a_borderline_mark_is_confirmed_by_a_search_after_the_reply(after_reply, mark):
    def opinion(moves, limits):
        return {"e2e4": -150, "e2e4 a7a5": after_reply}.get(moves, 0)

    analysis = GameAnalysis(
        read("e2e4"), ScriptedEngine(opinion, ["d2d4", "a7a5"]), Limits(nodes=3000)
    )
    analysis.budget = 10**9
    _, (note,) = analysis.run()
    assert note.mark == mark


def test_move_that_keeps_the_win_has_no_mark():
    _, (note,) = GameAnalysis(
        read("e2e4"),
        ScriptedEngine(lambda moves, limits: 420 if moves == "e2e4" else 2000, ["d2d4"]),
        Limits(depth=5),
    ).run()
    assert note.lost < 0.1 and note.mark == ""


@pytest.mark.parametrize(
    "score, certain, mark",
    [(690, True, "??"), (710, True, "?"), (1100, True, "?!"), (690, False, "")],
)
def test_a_move_that_allows_an_avoidable_mate_is_marked(score, certain, mark):
    fen = "4kb1r/p2r1ppp/4qn2/1B2p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 15"
    record = Record(Start("chess", fen))
    position = record.start.position()
    for text in ("b5d7", "f6d7"):
        record.line.append(Step(position.parse_move(text)))
        position.make(record.line[-1].move)
    before = record.start.position(record.moves[:1])
    queen = before.parse_move("e6d7")
    held = Verdict.of(before, Evaluation(score), [queen])
    verdicts = [held, held, Verdict.of(position, Evaluation(mate=2))]
    losses = [0.0, 0.01 if certain else None]
    assert [note.mark for note in notes(record, verdicts, losses)] == ["", mark]
    # Now the move is the engine's own choice.
    verdicts[1] = Verdict.of(before, Evaluation(score), [record.moves[1]])
    assert notes(record, verdicts, losses)[1].mark == ""


def test_worst_move_is_checked_first_and_unchecked_moves_have_no_mark():
    def opinion(moves, limits):
        return {"": 0, "e2e4": -150, "e2e4 e7e5": 600}.get(moves, -150 if "e2e4" in moves else 0)

    engine = ScriptedEngine(opinion, ["d2d4", "c7c5"])
    analysis = GameAnalysis(read("e2e4 e7e5"), engine, Limits(nodes=3000))
    analysis.budget = 3 * 1000 + 2 * 4000
    _, notes = analysis.run()
    assert [note.mark for note in notes] == ["", "??"]


class TimedEngine(ScriptedEngine):
    """A ScriptedEngine that uses all the time it is given, on a simulated clock."""

    def __init__(self, opinion):
        super().__init__(opinion)
        self.given, self.clock = [], 0.0

    def think(self, start, moves, limits, on_info=None):
        self.given.append(limits.movetime)
        self.clock += limits.movetime
        return super().think(start, moves, limits, on_info)


@pytest.mark.parametrize("swing", [0, 100, 900])
def test_analysis_takes_at_most_the_announced_time(swing, monkeypatch):
    engine = TimedEngine(lambda moves, limits: swing * (len(moves.split()) % 3))
    monkeypatch.setattr(
        "scripts.report.analysis.time", types.SimpleNamespace(monotonic=lambda: engine.clock)
    )
    record = read("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d4 e5d4 c3d4 c5b4")
    limits = Limits(movetime=0.3)
    verdicts, _ = GameAnalysis(record, engine, limits).run()
    positions = len(record.moves) + 1
    assert len(verdicts) == positions and engine.clock <= cost(limits, positions) + 1e-9
    assert engine.given[:positions] == [pytest.approx(0.1)] * positions
    again = engine.given[positions:]
    assert bool(again) == bool(swing) and all(seconds > 0.39 for seconds in again)


def test_analysis_resumes_where_it_was_stopped():
    class Stop(Exception):
        pass

    def opinion(moves, limits):
        return 600 if moves == "e2e4 e7e5" else 0

    stops = iter([False, True, False, False, True, False, True, *[False] * 9])

    def progress(words):
        if next(stops):
            raise Stop

    engine = ScriptedEngine(opinion, ["e2e4", "c7c5"])
    analysis = GameAnalysis(read("e2e4 e7e5"), engine, Limits(depth=5), progress)
    for _ in range(3):
        with pytest.raises(Stop):
            analysis.run()
    asked = len(engine.asked)
    assert [note.mark for note in analysis.run()[1]] == ["", "??"] and analysis.share == 1
    assert len(engine.asked) > asked == 4, "it was stopped between the searches of a check"


def test_progress_advances_while_a_mark_is_checked():
    def opinion(moves, limits):
        return 600 if moves == "e2e4 e7e5" else 0

    shares, engine = [], ScriptedEngine(opinion, ["e2e4", "c7c5"])

    def progress(words):
        if words == "checking e5":
            shares.append(analysis.share)

    analysis = GameAnalysis(read("e2e4 e7e5"), engine, Limits(depth=5), progress)
    analysis.run()
    assert shares[0] == 0.5 < shares[1] < 1 and shares == sorted(set(shares))


def test_growing_certainty_of_a_lead_is_not_the_opponents_mistake():
    verdicts, found = GameAnalysis(
        read("f5d6c5f4e3c6f3g5", "othello"),
        ScriptedEngine(lambda moves, limits: -1000),
        Limits(nodes=9),
    ).run()
    assert verdicts[0].chance > verdicts[-1].chance and not any(note.lost for note in found)


class AlternatingEngine:
    """An engine that scores the side to move +3 points at depth 8 and +7 at depth 9.

    unused: number of nodes by which it stays below its limit.
    """

    has_option = {}.get

    def __init__(self, unused):
        self.unused = unused

    def new_game(self):
        pass

    def think(self, start, moves, limits, on_info):
        position = start.position(moves)
        text = position.move_text(position.legal_moves()[0])
        for depth, score in ((8, 300), (9, 700)):
            last = Info(depth, score, None, limits.nodes - self.unused, [text])
            on_info(last)
        return Answer(position.parse_move(text), text, 0.1, [last])


@pytest.mark.parametrize(
    "game, move, unused, score",
    [("othello", "f5", 0, 500), ("othello", "f5", 1, 700), ("chess", "e2e4", 0, 700)],
)
def test_a_score_in_points_is_averaged_over_an_odd_and_an_even_depth(game, move, unused, score):
    (_, after), _ = GameAnalysis(
        read(move, game), AlternatingEngine(unused), Limits(nodes=1000)
    ).run()
    assert after.score == -score


# ---- exact verdicts ------------------------------------------------------------------------------------


@functools.cache
def truth(name, text):
    """Return the first player's exact score: the margin if the game counts points, else 1, 0 or -1."""
    position = Start(name, text).position()
    outcome = position.outcome()
    if outcome is not None:
        if outcome.margin is not None:
            return outcome.margin
        return 0 if outcome.winner is None else 1 - 2 * outcome.winner
    values = []
    for move in position.legal_moves():
        position.make(move)
        values.append(truth(name, position.text()))
        position.undo()
    return max(values) if position.side == 0 else min(values)


def late_games(name, rng, count, left):
    """Yield `count` records of random games with only the last `left` moves; 0 means all moves."""
    while count:
        position, moves = Start(name).position(), []
        while position.outcome() is None:
            moves.append(rng.choice(position.legal_moves()))
            position.make(moves[-1])
        if len(moves) >= {"connect4": 36}.get(name, left):
            count -= 1
            yield from_ply(Record(Start(name), moves), len(moves) - left if left else 0)


def chance(value, position):
    """Return the first player's expected score in a position whose truth() is `value`."""
    game = position.game
    return (
        winrate(value * game.margin_unit, position) if game.name == "othello" else (1 + value) / 2
    )


@pytest.mark.parametrize(
    "name, left, limits",
    [
        ("tictactoe", 0, {"depth": 9}),
        ("connect4", 7, {"nodes": 20000}),
        ("othello", 5, {"nodes": 20000}),
    ],
)
def test_exactly_the_true_mistakes_are_marked_in_solvable_positions(engine, name, left, limits):
    rng, wrong = random.Random(22), 0
    for record in late_games(name, rng, 4, left):
        verdicts, notes = GameAnalysis(record, engine, Limits(**limits)).run()
        for (position, move), note, verdict in zip(record.positions(), notes, verdicts):
            game = position.game
            best = truth(name, position.text())
            before = chance(best, position)
            position.make(move)
            worth = truth(name, position.text())
            position.undo()
            lost = abs(before - chance(worth, position))
            assert verdict.chance == pytest.approx(before) and note.lost == pytest.approx(lost)
            assert note.mark == mark_of(lost, game)
            if note.mark:
                wrong += 1
                position.make(note.best[0])
                assert truth(name, position.text()) == best, "the better move is the best"
                position.undo()
    assert wrong >= 3


# ---- famous games --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moves, mistake",
    [
        ("h8 i9 i8 h7 j8 a3 k8 a4 l8", "3... a3"),  # an open three that is not stopped
        ("h8 i9 i8 h9 g8 j9 f8", "3... j9"),
    ],
)
def test_unstopped_three_in_gomoku_is_a_blunder(engine, moves, mistake):
    found = marks(read(moves, "gomoku"), engine, nodes=2000)
    assert found[mistake] == "??" and all("..." in name for name in found), "Black plays well"


NXE5 = (
    "1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 4. Qh5+ Ke7 5. Qxe5+ Kf7 6. Bc4+ d5 7. Bxd5+ Kg6 8. h4 h5 "
    "9. Bxb7 Bxb7 10. Qf5+ Kh6 11. d4+ g5 12. Qf7 Qe7 13. hxg5+ Qxg5 14. Rxh5# 1-0"
)
OPERA = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 "
    "9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 "
    "16. Qb8+ Nxb8 17. Rd8# 1-0"
)
IMMORTAL = (
    "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 "
    "10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 "
    "18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0"
)


@pytest.mark.parametrize(
    "game, first, good",
    [
        (NXE5, 3, "3. Nxe5;7. Bxd5+;9. Bxb7;10. Qf5+;11. d4+;12. Qf7;13. hxg5+;14. Rxh5#"),
        (OPERA, 10, "10. Nxb5;13. Rxd7;15. Bxd7+;16. Qb8+;17. Rd8#"),
        (IMMORTAL, 15, "15. Bxf4;21. Nxg7+;22. Qf6+;23. Be7#"),
    ],
)
def test_good_moves_of_famous_games_have_no_mark(engine, game, first, good):
    """The games are analysed from White's move number `first` on."""
    record = from_ply(read(game, "chess"), 2 * first - 2)
    assert not marks(record, engine, nodes=500).keys() & set(good.split(";"))


def test_marks_agree_with_stockfish(engine):
    """One of the judged games is analysed here; scripts/lab/compare_verdicts.py analyses all."""
    text = (ROOT / "tests" / "data" / "judged.txt").read_text(encoding="utf-8")
    games = [line for line in text.splitlines() if line[0] != "#"]
    short = sorted(games, key=lambda line: len(line.split("|")[1].split()))[2]
    tally = compare_judged(read_judged(short), engine, 500)
    assert tally.false["??"] + tally.false["?"] == 0
    assert tally.blunders == 5 and tally.severe >= 4
