"""Several processes that search together: equal answers, and lost processes."""
# Started early by scripts/test, since it is slow.

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import weakref
from contextlib import contextmanager
from mmap import mmap
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, children, run_python, wait_until
from front_end import InProcessEngine
from tables import rows

from games import registry
from games.solver import Line
from search import context_of
from search import session as session_module
from search.context import Iteration, kernel_of
from search.limits import Limits
from search.pvs import NODES, Tree, bind_search
from search.root_moves import better_moves
from search.session import Session
from search.table import MAKER, Table
from search.think import think
from search.threads import helper as helper_module
from search.threads.abdada import Marks
from search.threads.shared import COUNTS, SharedMemory

ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
PROVEN = [
    ("chess", "6k1/5ppp/8/8/8/8/1Q3PPP/6K1 w - - 0 1", Limits(depth=8)),
    ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Limits(mate=2)),
    ("othello", ENDGAME, Limits()),
    ("connect4", "4444443267222627", Limits()),
    ("tictactoe", None, Limits(depth=9)),
    ("gomoku", "h8 a1 h9 a3 h10 c1", Limits(depth=4)),
    ("tree", None, Limits()),
]
# Number of stopped searches per game; `PLYGLOT_STOPS=100` raises it.
STOPS = int(os.environ.get("PLYGLOT_STOPS", "8"))
LINUX = pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="the system has no /proc/self/fd"
)


@pytest.fixture(autouse=True)
def many_processors(monkeypatch):
    """Allow the option `Threads` to be as high as 8."""
    monkeypatch.setattr(session_module, "cpu_count", lambda: 8)


@pytest.fixture
def notices(monkeypatch):
    """Return (the messages to the user, an event that each message sets)."""
    words, event = [], threading.Event()
    monkeypatch.setattr("games.notices._listener", [lambda text: (words.append(text), event.set())])
    return words, event


@pytest.fixture
def make():
    """Return make(game, threads), which makes a Session whose processes end with the test."""
    made = []

    def maker(game, threads):
        made.append(Session(game))
        made[-1].set_option("Hash", "8")
        made[-1].set_option("Threads", str(threads))
        return made[-1]

    yield maker
    for session in made:
        session.stop()
        session.close()
        session.wait(PATIENCE)


def answer(session, limits, on_report=lambda report, position: None):
    """Return the Result of a search."""
    done = []
    session.start(limits, on_report, done.append)
    assert session.wait(PATIENCE)
    return done[0]


@contextmanager
def endless_search(session, on_report=lambda report, position: None):
    """Run a search without limits until the `with` block ends."""
    done = []
    session.start(Limits(infinite=True), on_report, done.append)
    yield
    session.stop()
    assert session.wait(PATIENCE) and done[0].best_move in session.position.legal_moves()


def setup(session, text):
    if session.game.name in ("connect4", "gomoku") and text:
        session.setup(None, text.split() if " " in text else list(text))
    else:
        session.setup(text)


def load_noughts(folder, name, more=""):
    """Load a plugin: tic-tac-toe under another name.  more: code to append."""
    source = (ROOT / "games" / "tictactoe.py").read_text(encoding="utf-8")
    source = source.replace('"tictactoe"', f'"{name}"').replace('("noughts",)', "()")
    (folder / f"{name}.py").write_text(source + more, encoding="utf-8")
    registry.load_plugin(str(folder / f"{name}.py"))


def test_several_processes_prove_what_one_process_proves(make):
    for name, text, limits in PROVEN:
        alone, together = make(name, 1), make(name, 3)
        for session in (alone, together):
            setup(session, text)
        expected, found = answer(alone, limits).lines[0], answer(together, limits).lines[0]
        assert found.score == expected.score, (name, text)
        position = together.copy_position()
        for move in found.moves:
            assert move in position.legal_moves()
            position.make(move)


def depths_behind_a_helper(session, depth):
    """Return the depths that the main search reports if a helper is always two plies ahead."""
    depths = []

    def wait(report, position):
        if report.line is not None:
            depths.append(report.line.depth)
            due = min(depths[-1] + 2, depth)
            wait_until(lambda: (session._team.best or report.line).depth >= due)

    result = answer(session, Limits(depth=depth), wait)
    assert result.best_move in session.position.legal_moves()
    return depths


def test_an_iteration_finished_by_a_helper_is_not_searched_again(make):
    depths = depths_behind_a_helper(make("chess", 2), 7)
    assert depths == sorted(depths) and set(depths) < set(range(1, 8))


@pytest.mark.parametrize(
    "name, text, limits", [proven for proven in PROVEN[2:] if proven[0] != "tree"] + PROVEN[:1]
)
def test_stopped_searches_leave_valid_tables(make, name, text, limits):
    """Each search gets one legal answer; afterwards the tables yield the value that one process proves."""
    dice, alone, session, done = random.Random(name), make(name, 1), make(name, 3), []
    for number in range(STOPS):
        if session.position.outcome() is not None or dice.random() < 0.5:
            setup(session, text)
        reported = threading.Event()
        session.start(Limits(infinite=True), lambda report, position: reported.set(), done.append)
        if dice.random() < 0.7:
            assert reported.wait(PATIENCE)
        session.stop()
        assert session.wait(PATIENCE) and len(done) == number + 1
        assert done[-1].best_move in session.position.legal_moves()
        session.play(done[-1].best_move)
        if dice.random() < 0.1:
            session.new_game()
    setup(session, text)
    setup(alone, text)
    assert answer(session, limits).lines[0].score == answer(alone, limits).lines[0].score


def test_the_node_limit_counts_all_processes_and_searchmoves_is_respected(make):
    session, last = make("chess", 3), []
    wanted = [session.position.parse_move(text) for text in ("a2a3", "h2h3")]
    result = answer(
        session,
        Limits(nodes=20_000, moves=wanted),
        lambda report, position: last.append(report.nodes),
    )
    assert result.best_move in wanted and last[-1] >= 20_000


@pytest.mark.parametrize("game, depth", [("othello", 6), ("gomoku", 3)])
def test_all_processes_search_a_random_opening_move_to_the_full_depth(make, game, depth):
    moves = []
    for threads in (1, 3):
        session = make(game, threads)
        session.set_option("Variety", "true")
        session.set_option("Seed", "7")
        results = [answer(session, Limits(depth=depth)) for _ in range(4)]
        assert [result.lines[0].depth for result in results] == [depth] * 4
        moves.append([result.best_move for result in results])
    assert moves[0] == moves[1], "a seed determines the moves with any number of processes"


def test_helpers_use_no_book_in_an_infinite_search(make):
    session = make("shogi", 2)
    session.set_option("ShogiBook", "true")
    with endless_search(session):
        wait_until(lambda: session._team.best)
        assert not session._team.best.final


def test_the_nodes_of_helpers_are_counted(make):
    session = make("chess", 2)
    with endless_search(session):
        wait_until(session._team.nodes)


def test_a_shallower_iteration_of_a_helper_is_not_the_answer():
    """A stopped search may take over a helper's iteration, but only a deeper one than its own."""
    position, limits = registry.get("chess").start({}), Limits(nodes=5000)
    behind = Iteration([Line(999, [position.parse_move("a2a3")], 2)], 2, False)
    context = context_of(position, limits, {}, {}, 4)
    context.helpers.best = behind
    best = think(position, context, lambda report: None)[0]
    assert best.depth > 2 and best.score != 999


def test_a_final_iteration_of_a_helper_is_reported_at_the_requested_depth():
    position, depths = registry.get("chess").start({}), []
    final = Iteration([Line(0, [position.parse_move("a2a3")], 7)], 7, True)
    context = context_of(position, Limits(depth=20), {}, {}, 4)
    context.helpers.nodes = lambda: setattr(context.helpers, "best", final) or 0
    think(position, context, lambda report: depths.append(report.line.depth))
    assert depths[-1] == 20


def test_shared_tables_are_cleared_for_a_new_game_and_limited_in_size(make):
    session = make("chess", 2)
    answer(session, Limits(nodes=30_000))
    assert session._memory["search"].hashfull()
    session.new_game()
    answer(session, Limits(nodes=1))
    assert not session._memory["search"].hashfull()
    tables = session._memory[MAKER]
    # This table is too large to share, so only this process has it.
    tables.table("too large", 64.0, False).release()
    assert "search" in tables.places and "too large" not in tables.places


def test_several_lines_are_reported_as_by_one_process(make):
    session = make("chess", 2)
    session.set_option("MultiPV", "3")
    lines = answer(session, Limits(depth=6)).lines
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert len({line.moves[0] for line in lines}) == 3
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)


def test_without_shared_memory_one_process_searches():
    most, resource = 1 << 12, pytest.importorskip("resource")
    done = run_python(
        ROOT / "engine.py",
        input="setoption name Threads value 2\nposition startpos\ngo depth 4\n",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    assert done.returncode == 0 and done.stderr == ""
    assert "no memory can be shared" in done.stdout and "info depth 4 " in done.stdout


def test_castling_mates_in_a_chess960_game():
    """The rook reaches the open file only by castling."""
    engine = InProcessEngine("uci")
    try:
        engine.send(
            "setoption name UCI_Chess960 value true",
            "setoption name Threads value 2",
            "position fen 4rkr1/4p1p1/8/8/8/8/8/5KR1 w G - 0 1",
            "go depth 5",
        )
        assert engine.session.wait(PATIENCE)
        assert "score mate 1 " in engine.output and "bestmove f1g1" in engine.output
    finally:
        engine.session.close()


def test_progress_reports_have_the_current_move_and_the_hash_usage(make):
    session, reports = make("chess", 2), []
    with endless_search(session, lambda report, position: reports.append(report)):
        wait_until(lambda: any(report.current and report.hashfull for report in reports))
    last = [report for report in reports if report.current][-1]
    move, number = last.current
    assert move in session.position.legal_moves() and number >= 1 and last.hashfull <= 1000


def test_a_helper_receives_the_time_left_when_pondering_ends(make, tmp_path):
    begun, left = (tmp_path / name for name in ("begun", "left"))
    load_noughts(
        tmp_path,
        "pondertoe",
        f"""
import os

def _solve(position, context):
    nodes = 0
    if context.helpers.number and context.seconds_left() is None:
        open({str(begun)!r}, "w").close()
    while context.seconds_left() is None or not context.helpers.number:
        if os.path.exists({str(left)!r}):
            return
        nodes += 1
        context.check(nodes)
    with open({str(left)!r}, "w") as file:
        file.write(f"{{context.watch.deadlines.pondering}} {{context.seconds_left()}}")
    return
    yield

TicTacToePosition.solve = _solve
""",
    )
    session, done = make("pondertoe", 2), []
    session.start(
        Limits(ponder=True, clocks=(600.0, 600.0)), lambda report, position: None, done.append
    )
    wait_until(begun.exists)
    session.worker.ponderhit()
    wait_until(lambda: left.exists() and left.read_text(encoding="utf-8"))
    pondering, seconds = left.read_text(encoding="utf-8").split()
    assert pondering == "False" and 0 < float(seconds) < 600
    assert session.wait(PATIENCE) and done[0].best_move in session.position.legal_moves()


def test_options_can_be_set_in_any_order_and_during_a_search(make):
    session, done = make("chess", 2), []
    dice = random.Random(2)
    for number in range(6):
        session.start(Limits(infinite=True), lambda report, position: None, done.append)
        for _ in range(dice.randrange(4)):
            name, values = dice.choice((("Threads", "1234"), ("Hash", "1248"), ("Clear Hash", " ")))
            session.set_option(name, dice.choice(values))
        session.stop()
        assert session.wait(PATIENCE) and len(done) == number + 1 and done[-1].best_move is not None


def test_a_game_of_a_plugin_is_searched_by_all_processes(make, tmp_path):
    load_noughts(tmp_path, "threadtoe")
    assert set(depths_behind_a_helper(make("threadtoe", 2), 9)) < set(range(1, 10))


def test_a_half_overwritten_slot_is_not_an_entry():
    """A slot is torn while another process has overwritten only one of its two words."""
    game, nodes = registry.get("othello"), []
    options = {option.name: option.default for option in registry.options()}
    table = Table(1, memory=lambda size: mmap(-1, size))
    for _ in range(3):
        position, limits = (
            game.parse(
                "---------------------OO---OXXO---OXXOO---XOXX----OOOX----X------ X", options
            ),
            Limits(),
        )
        context = context_of(position, limits, options, {}, 1)
        tree = Tree(table, context.check)
        kernel = kernel_of(position, context, tree)
        bind_search(kernel, tree)
        tree.search(kernel.root_state(), 6, -1 << 20, 1 << 20, 0, False)
        nodes.append(tree.count[NODES])
        if len(nodes) == 2:  # the table saved nodes in the second search; now damage it
            for slot in range(table.slots):
                if table.data[slot]:
                    table.data[slot] ^= 1 << 40
    assert nodes[1] < nodes[0] == nodes[2]
    del tree, kernel, context
    table.release()


def test_a_move_marked_by_another_process_is_searched_last():
    marks = Marks(Table(1 / 64, packed=True))
    states = [(1000 + move, 0, 0, False) for move in range(4)]

    def successors(state, depth, ply, node):
        for move, child in enumerate(states):
            yield move, child, depth - 1, 0

    def order(depth):
        found = []
        for move, child, _, _ in marks.deferring(successors)((7, 0, 0, False), depth, 1, [0, 0, 9]):
            found.append((move, marks.has(child[0], depth)))
        return found

    for move in (0, 1):
        marks.set(states[move][0], 6)
    assert order(5) == [(0, False), (1, True), (2, True), (3, True)], (
        "marks of another depth don't count"
    )
    assert order(6) == [(0, True), (2, True), (3, True), (1, True)], (
        "every process searches the first move"
    )
    assert not marks.has(states[3][0], 6), "all marks must be removed"
    searched = []
    search_move = lambda move, number, alpha, beta: searched.append((move, number)) or 0  # noqa: E731
    assert len([*better_moves([5, 6, 7], -9, 9, search_move, lambda move: move in (5, 6))]) == 1
    assert searched == [(5, 1), (7, 3), (6, 2)]


# ---- lost and stopped processes ------------------------------------------------------------------------------


def is_stopped(pid):
    """Are all threads of a process stopped?  Only then does the process count as stopped."""
    return all(
        status.read_text().rpartition(")")[2].split()[0] == "T"
        for status in Path(f"/proc/{pid}/task").glob("*/stat")
    )


@LINUX
def test_forty_starts_and_ends_leak_no_resources(make):
    others = set(children(os.getpid()))
    session = make("tictactoe", 2)
    answer(session, Limits(depth=9))
    session.set_option("Threads", "1")

    def kept():
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    before = kept()
    for number in range(40):
        session.set_option("Threads", str(2 + number % 2))
        if number % 10 == 0:
            answer(session, Limits(depth=9))
        session.set_option("Threads", "1")
    # For each process, a thread waits until the process ends, then closes its files.
    wait_until(lambda: kept() <= before and not set(children(os.getpid())) - others)


@LINUX
def test_the_process_list_shows_the_names_of_helpers(make):
    before = children(os.getpid())
    session = make("tictactoe", 2)
    helper = (set(children(os.getpid())) - set(before)).pop()
    words = Path(f"/proc/{helper}/cmdline").read_text().split("\0")
    assert "plyglot-helper" in words and len(" ".join(words[1:])) < 100
    assert answer(session, Limits(depth=2)).best_move is not None


@LINUX
def test_a_killed_helper_is_reported_and_the_search_continues(make, notices):
    words, event = notices
    before = children(os.getpid())
    session, nodes = make("chess", 3), []
    with endless_search(session, lambda report, position: nodes.append(report.nodes)):
        wait_until(lambda: nodes and nodes[-1] > 5_000)
        os.kill((set(children(os.getpid())) - set(before)).pop(), signal.SIGKILL)
        assert event.wait(PATIENCE)
    assert nodes == sorted(nodes), "the nodes of the lost helper still count"
    assert len(words) == 1 and words[0].endswith("is lost, searching as with Threads=2")
    assert answer(session, Limits(depth=4)).best_move is not None and len(words) == 1


@LINUX
def test_a_stopped_helper_delays_no_answer_and_is_dropped_at_the_next_game(make, notices):
    before = children(os.getpid())
    session = make("chess", 2)
    (helper,) = set(children(os.getpid())) - set(before)
    with endless_search(session):
        wait_until(session._team.nodes)
        os.kill(helper, signal.SIGSTOP)
    for _ in range(3):
        assert answer(session, Limits(depth=4)).best_move is not None
    assert not notices[0]
    session.new_game()
    assert answer(session, Limits(depth=4)).best_move is not None
    assert len(notices[0]) == 1 and "lost" in notices[0][0]


@LINUX
def test_a_helper_without_memory_is_dropped(make, notices):
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("this interpreter can't set the limits of another process")
    before = children(os.getpid())
    session = make("chess", 2)
    with endless_search(session):
        wait_until(session._team.nodes)  # now the helper's threads run
    (helper,) = set(children(os.getpid())) - set(before)
    resource.prlimit(helper, resource.RLIMIT_AS, (1 << 20, 1 << 20))
    session.clear_memory()  # makes the helper map new tables
    with endless_search(session):
        assert notices[1].wait(PATIENCE)
    assert len(notices[0]) == 1 and notices[0][0].endswith("searching as with Threads=1")


@LINUX
@pytest.mark.parametrize("name, values", [("Hash", "8 9 10"), ("Threads", "2 1 3")])
def test_options_may_change_while_searches_run_and_wait(make, capfd, name, values):
    """Searches keep using the tables shared with helpers that the change has ended."""
    session, done = make("chess", 2), []
    for value in 2 * values.split():
        for _ in range(2):
            session.start(Limits(depth=4), lambda report, position: None, done.append)
        session.set_option(name, value)
        assert session.wait(PATIENCE)
    assert [result.lines[0].depth for result in done] == 12 * [4]
    assert capfd.readouterr().err == ""


@LINUX
def test_a_stopped_helper_does_not_hold_up_searches(make):
    before = children(os.getpid())
    session = make("chess", 2)
    answer(session, Limits(depth=1))
    (helper,) = set(children(os.getpid())) - set(before)
    os.kill(helper, signal.SIGSTOP)
    for _ in range(3):
        answer(session, Limits(depth=2))
    for each in session._team._helpers.values():
        for _ in range(20_000):  # more than fits in the pipe
            each.send({"stop": True})
    assert answer(session, Limits(depth=2)).best_move is not None
    session.close()
    wait_until(lambda: helper not in children(os.getpid()))


def test_the_engine_searches_without_processes_that_fail_to_start(make, notices, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(ROOT / "no such interpreter"))
    session = make("chess", 2)
    assert answer(session, Limits(depth=4)).best_move is not None
    assert len(notices[0]) == 1 and notices[0][0].startswith("Threads: ")


@LINUX
@pytest.mark.parametrize(
    "way, stopped",
    [(way, False) for way in ("kill", "term", "quit", "end of input", "closed output")]
    # How a stopped helper ends depends on whether the engine is killed or exits by itself.
    + [("kill", True), ("quit", True)],
)
def test_no_helper_outlives_the_engine(way, stopped):
    """Helpers inherit the engine's stderr, so it closes only when the last helper has ended."""
    processors = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); from search import session\n"
        "session.cpu_count = lambda: 8\n"
        "import engine; engine.run()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", processors, str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b"uci\nsetoption name Threads value 3\ngo infinite\n")
    process.stdin.flush()
    while not process.stdout.readline().startswith(b"info depth"):
        pass
    helpers = children(process.pid)
    assert len(helpers) == 2
    if stopped:
        for helper in helpers:
            # A helper leads its own process group as soon as it runs Plyglot's code.
            wait_until(lambda helper=helper: os.getpgid(helper) == helper)
            os.kill(helper, signal.SIGSTOP)
            wait_until(lambda helper=helper: is_stopped(helper))
    if way == "kill":
        process.kill()
    elif way == "term":
        process.terminate()
    elif way == "quit":
        process.stdin.write(b"quit\n")
        process.stdin.flush()
    elif way == "end of input":
        process.stdin.close()
    else:
        process.stdout.close()
    ended = threading.Event()
    threading.Thread(target=lambda: (process.stderr.read(), ended.set()), daemon=True).start()
    process.wait(PATIENCE)
    assert ended.wait(PATIENCE)
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


@pytest.mark.parametrize("protocol, lines", rows("threads.every_protocol_can_set_threads"))
def test_every_protocol_can_set_threads(protocol, lines):
    engine = InProcessEngine(protocol, "gomoku")
    try:
        engine.send(*lines)
        assert engine.session.values["Threads"] == 3
        if protocol == "cecp":
            assert engine.send("cores 99").session.values["Threads"] == 8
            assert "smp=1" in engine.output
    finally:
        engine.session.close()


@pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="only CPython frees objects at a known time"
)
def test_a_helper_forgets_a_search_before_the_next_job(monkeypatch):
    class NoMoreJobsError(Exception):
        pass

    def think(position, context, report):
        searches.append(weakref.ref(context))

    def reply(message):
        if searches:
            raise NoMoreJobsError
        helper.messages.put(job)

    searches = []
    monkeypatch.setattr(helper_module, "think", think)
    helper = helper_module._Helper(None, 1, SharedMemory(1 << 20))
    helper._reply = reply
    game = dict(game="tictactoe", base="3/3/3 x", base_options={}, played=[], plugins=[])
    limits = dict(limits={}, seconds_left=None, pondering=False, hash=1, root_moves=[], options={})
    job = dict(game, **limits, job=1, tables=(0, {COUNTS: (0, 1 / 16, True)}))
    with pytest.raises(NoMoreJobsError):
        helper.work()
    assert [search() for search in searches] == [None]
