"""The logic of tournaments: schedule, clocks, openings, adjudication, standings and Elo."""

import math
import re

import pytest
from tables import rows

from games import registry
from plyglot.errors import Crash, Stall
from plyglot.uci import Info
from protocol.records import pgn
from protocol.records.record import Start
from scripts.arena import elo, live, openings
from scripts.arena.arguments import read_player
from scripts.arena.client import Answer, IllegalMove, evaluation_of, without_overtime
from scripts.arena.clock import GameClock, limits, pgn_time_control, read_control
from scripts.arena.export import text_of
from scripts.arena.game import Adjudicator, Referee
from scripts.arena.openings import OpeningError, file_openings, random_openings
from scripts.arena.standings import Standings, last_lines, report
from scripts.arena.standings import rows as rows_of
from scripts.jobs.files import FileError


def result(identity, players, score="1-0", moves=("e2e4",), **more):
    return {
        "id": identity,
        "players": list(players),
        "result": score,
        "fault": None,
        "termination": "normal",
        "start": None,
        "moves": list(moves),
        **more,
    }


# ---- schedule and standings ---------------------------------------------------------------------


def test_a_gauntlet_pairs_the_first_player_with_all_others():
    found = list(openings.schedule(["a", "b", "c"], 2, openings.GAUNTLET))
    assert [players for _, _, players in found] == 2 * [
        ("a", "b"),
        ("b", "a"),
        ("a", "c"),
        ("c", "a"),
    ]
    assert [number for _, number, _ in found] == [0] * 4 + [1] * 4
    assert [identity for identity, _, _ in found][:3] == ["1/a-b/1", "1/a-b/2", "1/a-c/1"]
    assert list(openings.schedule(["a", "b", "c"], 3, openings.GAUNTLET))[:8] == found
    played = {"1/a-b/2", "2/a-c/1"}
    remaining = list(openings.schedule(["a", "b", "c"], 2, openings.GAUNTLET, played))
    assert remaining == [game for game in found if game[0] not in played]
    assert openings.pairings("abc") == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_pair_counts_as_soon_as_both_its_games_are_finished():
    table = Standings(["a", "b"])
    for identity, players, score, completes in (
        ("1/a-b/1", "ab", "1-0", False),
        ("2/a-b/2", "ba", "1-0", False),
        ("1/a-b/2", "ba", "1/2-1/2", True),
    ):
        table.add(result(identity, players, score, [identity]))
        assert sum(table.players["a"].pairs) == completes
    pairs = [table.players[name].pairs for name in "ab"]
    assert pairs == [[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]]
    assert table.players["a"].tally() == [1, 1, 1]


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_pairing_of_games_does_not_depend_on_their_order(order):
    """The same two games form the same pair, whichever of them ends first."""
    table = Standings(["a", "b"])
    games = {
        1: result("1/a-b/1", "ab", "1-0", ["e2e4"]),
        2: result("1/a-b/2", "ba", "0-1", ["d2d4"]),
    }
    for number in order:
        table.add(games[number])
    for number in (1, 2):
        table.add({**games[number], "id": f"2/a-b/{number}"})
    pairs = [table.players[name].pairs for name in "ab"]
    assert pairs == [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0]]


def test_games_of_different_players_do_not_form_a_pair():
    """A game's id joins the names with a hyphen, so `a-b` and `c` look like `a` and `b-c`."""
    table = Standings(["a-b", "c", "a", "b-c"])
    table.add(result("1/a-b-c/1", ["a-b", "c"]))
    table.add(result("1/a-b-c/2", ["b-c", "a"]))
    assert sum(table.players["a"].pairs) == sum(table.players["c"].pairs) == 0


def test_identical_pairs_of_games_count_once():
    table = Standings(["a", "b"])
    for number, opening in enumerate(("e2e4", "e2e4", "d2d4", "e2e4"), 1):
        table.add(result(f"{number}/a-b/1", "ab", "1-0", [opening]))
        table.add(result(f"{number}/a-b/2", "ba", "1/2-1/2", [opening]))
    assert table.players["a"].pairs == [0, 0, 0, 2, 0] and table.players["a"].tally() == [4, 4, 0]
    assert len(table.games) == 4 and "4 of 8 games are distinct" in "\n".join(last_lines(table))


def test_the_cross_table_has_points_and_faults():
    table = Standings(["a", "b", "the third", "nobody"])
    lost = {"fault": 0, "termination": "crash"}, {"fault": 1, "termination": "time forfeit"}
    for number, first, second, score, more in (
        (1, "a", "b", "1-0", {}),
        (2, "b", "a", "1/2-1/2", {}),
        (1, "a", "the third", "0-1", {}),
        (2, "the third", "a", "0-1", lost[0]),
        (1, "b", "the third", "1-0", lost[1]),
        (2, "the third", "b", "0-1", lost[0]),
    ):
        pair = "-".join(sorted((first, second)))
        table.add(result(f"1/{pair}/{number}", [first, second], score, [first, second], **more))
    shown = rows_of(table)
    assert [row[:8] + row[10:] for row in shown] == [
        ["", "name", "games", "points", "score", "+", "=", "-", "faults", "1", "2", "3", "4"],
        ["1", "a", "4", "2.5", "62.5%", "2", "1", "1", "0", "x", "1.5/2", "1/2", "."],
        ["2", "b", "4", "2.5", "62.5%", "2", "1", "1", "0", "0.5/2", "x", "2/2", "."],
        ["3", "the third", "4", "1", "25.0%", "1", "0", "3", "3", "1/2", "0/2", "x", "."],
        ["4", "nobody", "0", "0", "0.0%", "0", "0", "0", "0", ".", ".", ".", "x"],
    ]
    assert shown[4][8:10] == ["-", "-"]
    head, first, *_ = report(table).splitlines()
    assert head.startswith("   name       games  points  score  +  =  -")
    assert first.startswith("1  a              4     2.5  62.5%")
    assert [*last_lines(table)] == ["the third: time forfeit 1, crash 2"]


# ---- Elo ----------------------------------------------------------------------------------------


def test_elo_interval_follows_from_the_standard_error_of_pairs():
    assert elo.elo_of(elo.expected_score(100)) == pytest.approx(100)
    assert elo.elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    middle, low, high = elo.elo_interval([0, 2500, 5000, 2500, 0])
    # The standard error of the mean of 10,000 pairs with variance 1/32.
    error = 1.959964 * (1 / 32 / 10000) ** 0.5
    assert middle == pytest.approx(0) and low == pytest.approx(-high)
    assert high == pytest.approx(elo.elo_of(0.5 + error), rel=0.01)
    # Even if all pairs are won, the interval has a lower bound.
    middle, low, high = elo.elo_interval([0, 0, 0, 0, 10])
    assert middle == high == float("inf") and 100 < low < 250
    _, low, high = elo.elo_interval([0, 0, 1, 0, 0])
    assert low < -200 and high > 200
    assert elo.superiority([0, 25, 50, 25, 0]) == 0.5 and elo.superiority([0, 10, 50, 40, 0]) > 0.99
    assert elo.elo_interval([0] * 5) is None


@pytest.mark.parametrize(
    "counts, mean, low, high", rows("arena.interval_of_a_score_is_right_with_few_games")
)
def test_interval_of_a_score_is_right_with_few_games(counts, mean, low, high):
    found, middle, error = elo.score_interval(counts)
    assert found == mean
    assert (middle - error, middle + error) == pytest.approx((low, high), abs=1e-4)
    assert 0 <= middle - error and middle + error <= 1 + 1e-12


def test_the_sequential_test_decides_at_its_bounds():
    counts, sprt = [100, 900, 2000, 1100, 120], elo.Sprt(0, 5)
    assert (sprt.low, sprt.high) == pytest.approx((-2.944, 2.944), abs=0.001)
    ratios = [sprt.ratio(each) for each in (counts, counts[::-1], [0] * 5)]
    assert [sprt.accepted(ratio) for ratio in ratios] == ["H1", "H0", None]


# ---- time, openings, adjudication ---------------------------------------------------------------


def test_clocks_are_refilled_and_a_move_may_be_late_by_the_margin():
    control = read_control("40/1:30+0.5")
    assert (control.moves, control.main, control.increment) == (40, 90.0, 0.5)
    assert read_control("inf").main is None
    clock = GameClock({"tc": "2/10+1", "margin": 0.5})
    assert not clock.charge(4) and clock.seconds == 7 and clock.limits().moves_to_go == 1
    assert not clock.charge(7.4) and clock.seconds == 11 and clock.limits().moves_to_go == 2
    assert clock.charge(11.6)
    found = limits([clock, GameClock({"movetime": 2})], 1)
    assert found.movetime == 2 and found.clocks == (None, None)
    found = limits([GameClock({"tc": "5+1"}), GameClock({"tc": "60"})], 0)
    assert (
        found.clocks == (5.0, 60.0) and found.increments == (1.0, 0.0) and found.moves_to_go is None
    )


def test_overtime_follows_the_main_time():
    control = read_control("1:00+1,3x30")
    assert (control.main, control.increment) == (60.0, 1.0)
    assert (control.period, control.periods, control.stones) == (30.0, 3, 1)
    control = read_control("600,25/300")
    assert (control.period, control.periods, control.stones) == (300.0, 1, 25)
    assert read_control("0,30").period == 30.0
    for text in ("0", "0,0", "10,x30", "10,0x30", "10,3x", "10,3x0", "10,3y30"):
        with pytest.raises(ValueError, match="time"):
            read_control(text)
    clocks = [GameClock({"tc": "10,2x30", "margin": 0.5}), GameClock({"tc": "600"})]
    found = limits(clocks, 0)
    assert (found.clocks, found.overtime, found.turn) == ((10.0, 600.0), 30.0, None)
    assert clocks[0].due() == 70.5
    told = without_overtime(found, 0)
    assert (told.clocks, told.movetime) == (
        (None, None),
        40.0,
    )  # the rest of the main time plus one period
    told = without_overtime(limits([GameClock({"tc": "30,30"})] * 2, 0), 0)
    assert (told.clocks, told.increments, told.movetime) == ((30.0, 30.0), (30.0, 30.0), None)
    assert not clocks[0].charge(45)  # 10 s of main time, 30 s of a period, 5 s of the last period
    found = limits(clocks, 0)
    assert (found.clocks, found.turn) == ((None, None), 30.0) and clocks[0].due() == 30.5
    assert without_overtime(found, 0).movetime == 30.0
    assert limits(clocks, 1).clocks == (None, 600.0)
    assert not clocks[0].charge(30.4) and clocks[0].charge(30.6)


def test_clock_counts_down_and_adds_the_increment():
    played = result(
        "1/a-b/1",
        "ab",
        moves=("e2e4", "e7e5", "g1f3", "b8c6"),
        game="chess",
        options={},
        opening=1,
        seconds=[3.25, 61.5, None],
        scores=[None, "M3", -20],
        depths=[None, 5, 6],
        date="2000-01-01T00:00:00Z",
    )
    terms = [{"tc": "120+1"}, {"tc": "120+1"}]
    text = re.sub(r"\s+", " ", text_of(played, pgn.FORMAT, terms))
    assert '[TimeControl "120+1"]' in text
    assert (
        "1. e4 e5 {[%emt 0:00:03.250] [%clk 0:01:57.750]} 2. Nf3 {[%eval #3] "
        "[%emt 0:01:01.500] [%clk 0:00:59.500]} 2... Nc6 {[%eval 0.20,6]} 1-0" in text
    )


@pytest.mark.parametrize("terms, text", rows("arena.time_controls_are_written_as_in_pgn"))
def test_time_controls_are_written_as_in_pgn(terms, text):
    assert pgn_time_control(terms) == text


def test_random_openings_are_distinct_and_repeatable():
    game = registry.get("othello")
    openings = random_openings(Start(game), 4, 7)
    found = [openings[number] for number in range(20)]
    assert found == [random_openings(Start(game), 4, 7)[number] for number in range(20)]
    assert len({tuple(played) for _, played in found}) == 20
    assert all(len(played) == 4 for _, played in found)
    assert found != [random_openings(Start(game), 4, 8)[number] for number in range(20)]


def test_openings_are_read_from_files(tmp_path):
    chess = registry.get("chess")
    path = tmp_path / "openings.epd"
    path.write_text(
        "# two positions and two lines\n"
        'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "a";\n'
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves e7e5 g1f3\n\n"
        "e2e4 c7c5\nstartpos moves d2d4\n"
    )
    found = file_openings(Start(chess), path)
    played = [found[number][1] for number in range(4)]
    assert played == [[], ["e7e5", "g1f3"], ["e2e4", "c7c5"], ["d2d4"]]
    assert found[0][0].text.startswith("r1bqkbnr/pppp1ppp/2n5/")
    assert found[2][0].text is None
    assert found[4] == found[0]
    assert file_openings(Start(chess), path, plies=1)[2] == (Start("chess"), ["e2e4"])
    shuffled = [file_openings(Start(chess), path, seed=3)[number] for number in range(4)]
    in_order = [found[number] for number in range(4)]
    assert all(shuffled.count(opening) == in_order.count(opening) for opening in in_order)
    (tmp_path / "lines.txt").write_text("f5d6c3\n")
    assert file_openings(Start("othello"), tmp_path / "lines.txt")[0] == (
        Start("othello"),
        ["f5", "d6", "c3"],
    )
    (tmp_path / "games.pgn").write_text(
        '[White "a"]\n\n1. e4 e5 2. Nf3 *\n\n[White "b"]\n\n1. d4 *\n'
    )
    assert file_openings(Start(chess), tmp_path / "games.pgn", plies=2)[0] == (
        Start("chess"),
        ["e2e4", "e7e5"],
    )
    path.write_text("1. e4 e5 2. Nf3\n")
    assert file_openings(Start(chess), path)[0] == (Start("chess"), ["e2e4", "e7e5", "g1f3"])
    for text, complaint in (
        ("e2e4 e2e5\n", "line 1: .*e2e5"),
        ("\n", "no opening"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "over"),
    ):
        path.write_text(text)
        with pytest.raises(OpeningError, match=complaint):
            file_openings(Start(chess), path)


def test_random_openings_repeat_only_after_all_have_occurred():
    game = registry.get("tictactoe")
    openings = random_openings(Start(game), 2, 1)
    found = [openings[number] for number in range(100)]
    assert found[72:] == found[:28]
    assert len({Start(game).position(map_moves(game, moves)).key for _, moves in found}) == 72
    assert (
        random_openings(Start(game), 2, 1)[60] == found[60]
        and random_openings(Start(game), 2, 2)[0] != found[0]
    )
    with pytest.raises(OpeningError, match="every game is over after 9 random plies"):
        random_openings(Start(game), 9, 1)[0]


def map_moves(game, texts):
    position, moves = Start(game).position(), []
    for text in texts:
        moves.append(position.parse_move(text))
        position.make(moves[-1])
    return moves


def answer(score=None, mate=None):
    return Answer(0, "", 0.0, [Info(score=score, mate=mate)])


def test_scores_adjudicate_losses_and_draws():
    judge = Adjudicator({"resign": [2, 500]})
    assert judge.ending(0, answer(-600), 1) is None and judge.ending(1, answer(700), 2) is None
    assert judge.ending(0, answer(mate=-3), 3).winner == 1
    judge = Adjudicator({"resign": [1, 500]})
    judge.ending(1, answer(20), 1)
    assert judge.ending(0, answer(-600), 2) is None  # the opponent's score doesn't agree
    judge = Adjudicator({"draw": [3, 1, 5]})
    ends = [judge.ending(ply % 2, answer(0), ply) is not None for ply in range(1, 5)]
    assert ends == [False, False, True, True]
    assert Adjudicator(None).ending(0, answer(-(10**6)), 999) is None
    assert Adjudicator({"max_plies": 4}).ending(0, answer(), 4).winner is None


def test_an_evaluation_is_for_the_first_player():
    notes = [evaluation_of(Info(score=5), side) for side in (0, 1)]
    assert [note.score for note in notes] == [5, -5]
    assert evaluation_of(Info(mate=3), 1).mate == -3 and evaluation_of(Info(), 0) is None


@pytest.mark.parametrize(
    "command, name",
    [("/nosuch/\udce4ngine --quick", "?ngine"), ("'/no such/engine' --quick", "engine")],
)
def test_a_command_gives_its_engine_a_printable_name(command, name):
    assert read_player(["depth=1", f"cmd={command}"])["name"] == name


# ---- the referee --------------------------------------------------------------------------------


class Scripted:
    """An engine with given answers: (move's text, seconds), None to resign, or an error."""

    def __init__(self, *answers):
        self._answers = list(answers)

    def new_game(self):
        """Do nothing."""

    def prepare(self, start, moves, patience):
        self.patience = patience

    def think(self, start, moves, limits, due, patience):
        self.limits, self.waits = limits, (due, patience)
        found = self._answers.pop(0)
        if isinstance(found, Exception):
            raise found
        if found is None:
            return Answer(None, "resign", 0.1)
        text, seconds = found
        return Answer(start.position(moves).parse_move(text), text, seconds, [Info(mate=-3)])


KING_AND_PAWN = "7k/8/8/8/8/8/P7/K7 w - - 0 1"
LATE = ("a2a4", 2.0)


@pytest.mark.parametrize(
    "first, second, winner, termination, fault",
    [
        ([("e2e4", 0.1)], [None], 0, "resignation", None),
        ([LATE], [], 1, "time forfeit", 0),
        ([("a2a4", 1.05)], [IllegalMove("a2a4")], 0, "illegal move", 1),
        ([Stall("no answer")], [], 1, "stall", 0),
        ([Crash("ended")], [], 1, "crash", 0),
        ([IllegalMove("e2e5")], [], 1, "illegal move", 0),
    ],
)
def test_a_fault_loses_the_game(first, second, winner, termination, fault):
    engines = [Scripted(*first), Scripted(*second)]
    players = [{"name": name, "terms": {"movetime": 1.0}} for name in "ab"]
    referee = Referee({"id": "1/a-b/1", "game": "chess", "players": players}, engines)
    verdict = referee.play()
    assert (verdict.winner, verdict.termination, verdict.fault) == (winner, termination, fault)
    assert engines[0].waits == (1.1, 10.0) and engines[0].limits.movetime == 1.0
    found = referee.result(verdict, 0.0)
    played = len(second)  # a late or illegal move is not part of the game
    assert len(found["moves"]) == len(found["seconds"]) == played
    assert found["scores"] == ["-M3"] * played and found["result"] == ("1-0", "0-1")[winner]


@pytest.mark.parametrize("error, termination", [(None, "time forfeit"), (Stall("x"), "stall")])
def test_a_flag_fall_against_a_bare_king_is_a_draw(error, termination):
    """FIDE's Laws, 6.9: a flag fall is a draw if the opponent, here a bare king, can never mate."""
    players = [{"name": name, "terms": {"movetime": 1.0}} for name in "ab"]
    task = {"id": "1/a-b/1", "game": "chess", "players": players, "start": KING_AND_PAWN}
    verdict = Referee(task, [Scripted(error or LATE), Scripted()]).play()
    assert (verdict.winner, verdict.termination, verdict.fault) == (None, termination, 0)
    assert "b can't win any more" in verdict.reason
    task["start"] = KING_AND_PAWN.replace(" w ", " b ")
    verdict = Referee(task, [Scripted(), Scripted(error or ("h8g8", 2.0))]).play()
    assert (verdict.winner, verdict.fault) == (0, 1)


def test_an_engine_with_an_empty_clock_is_given_a_millisecond():
    clock = GameClock({"tc": "1", "margin": 1.0})
    assert not clock.charge(1.5) and clock.seconds == 0.0
    assert limits([clock, clock], 0).clocks == (0.001, 0.001)


def test_a_link_in_place_of_the_live_folder_is_refused_and_left_alone(tmp_path):
    behind = tmp_path / "behind" / f"{'0' * 32}.jsonl"
    behind.parent.mkdir()
    behind.touch()
    (tmp_path / "x.jsonl.live").symlink_to(behind.parent)
    with pytest.raises(FileError, match=r"x.jsonl.live is a link"):
        live.make_folder(tmp_path / "x.jsonl")
    live.remove_folder(tmp_path / "x.jsonl")
    assert behind.exists()


def test_running_games_are_shown_without_a_line_that_is_half_written(tmp_path, monkeypatch):
    monkeypatch.setattr(live, "is_held", lambda path: True)
    folder = live.make_folder(tmp_path / "x.jsonl")
    players = [{"name": "a"}, {"name": "b"}]
    task = {"id": "1/a-b/1", "game": "tictactoe", "players": players, "opening": ["b2"]}
    with live.shown({**task, "live": str(folder)}) as on_move:
        on_move("a1", 5)
        (path,) = folder.iterdir()
        with open(path, "ab") as file:
            file.write(b'{"move":"c')
        (game,) = live.read_running(tmp_path / "x.jsonl")
        assert (game["moves"], game["scores"], game["opening"]) == (["b2", "a1"], [5], 1)
        assert game["players"] == ["a", "b"]
    assert live.read_running(tmp_path / "x.jsonl") == []
    live.remove_folder(tmp_path / "x.jsonl")
    assert list(tmp_path.iterdir()) == []


# ---- the sequential test, compared with independently computed figures ---------------------------


# Rows: (pentanomial counts, elo0, elo1, log-likelihood ratio).  A general solver (sequential
# quadratic programming) maximised each likelihood with the Elo fixed.
SOLVED = rows("arena.solved")
# Rows of the same form, from tests of Stockfish that fastchess publishes; two decimals per ratio.
PUBLISHED = rows("arena.published")


@pytest.mark.parametrize("counts, elo0, elo1, ratio", SOLVED)
def test_log_likelihood_ratio_equals_that_of_a_general_solver(counts, elo0, elo1, ratio):
    assert elo.Sprt(elo0, elo1).ratio(counts) == pytest.approx(ratio, abs=2e-4)
    mirrored = elo.Sprt(-elo1, -elo0).ratio(counts[::-1])
    assert mirrored == pytest.approx(-ratio, abs=2e-4)


@pytest.mark.parametrize("counts, elo0, elo1, ratio", PUBLISHED)
def test_log_likelihood_ratio_matches_other_programs(counts, elo0, elo1, ratio):
    assert elo.Sprt(elo0, elo1).ratio(counts) == pytest.approx(ratio, abs=0.005)


@pytest.mark.parametrize("counts", rows("arena.log_likelihood_ratio_exists_if_all_pairs_end_alike"))
def test_log_likelihood_ratio_exists_if_all_pairs_end_alike(counts):
    for elo0, elo1 in ((0, 2), (-300, 300), (200, 400)):
        assert math.isfinite(elo.Sprt(elo0, elo1).ratio(counts))
