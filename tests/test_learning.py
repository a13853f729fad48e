"""scripts/learn and its weights: learning, symmetry, resuming, files, play."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

import functools
import math
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
from unittest import mock

import pytest
from conftest import run_python
from tables import rows

from games import registry
from games.base import Position
from games.learned import weights
from games.learned.evaluation import LearnedEvaluation, LearnedJudge
from games.learned.patterns import Layout
from protocol.records.record import Start
from scripts.jobs.files import FileError
from scripts.lab import learned_match
from scripts.learning import rules, selfplay
from scripts.learning.learn import usual_path
from scripts.learning.learner import Learner, slope
from scripts.learning.session import Learning, TrainingSettings
from scripts.learning.survey import Survey, SurveyError
from search import context_of
from search.limits import Limits
from search.think import think

try:
    import resource
except ImportError:
    resource = None  # Windows has no module `resource`

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = {
    kind: re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    for kind in ("python", "python more")
}
OPTIONS = {option.name: option.default for option in registry.options()}
if "kalah" not in registry.names():
    registry.load_plugin(str(ROOT / "tests" / "plugins" / "kalah.py"))


def breakthrough(folder, size=5, name="breakthrough"):
    """Write the game of docs/adding-a-game.md, with quiescence, to a file; return its path."""
    text = "".join(BLOCKS["python"]).replace(
        "\n\n\nGAMES", f"\n{BLOCKS['python more'][0]}\n\nGAMES"
    )
    text = text.replace("SIZE = 5 ", f"SIZE = {size} ").replace('"breakthrough"', f'"{name}"')
    (folder / f"{name}.py").write_text(text)
    return str(folder / f"{name}.py")


def learn(folder, *arguments, status=0, **more):
    """Run scripts/learn; return its output."""
    done = run_python(ROOT / "scripts" / "learn", *arguments, cwd=folder, **more)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def engine(folder, *lines):
    """Send lines to an engine that plays breakthrough; return (its answers, its stderr)."""
    done = run_python(
        ROOT / "engine.py",
        *"--plugin breakthrough.py --game breakthrough".split(),
        input="".join(line + "\n" for line in lines),
        cwd=folder,
    )
    assert done.returncode == 0
    return done.stdout.splitlines(), done.stderr


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Return a folder with breakthrough.py and its weights, learned from some games."""
    folder = tmp_path_factory.mktemp("learned")
    breakthrough(folder)
    output = learn(folder, "--plugin", "breakthrough.py", "--game", "breakthrough", "--games", "80")
    assert float(re.search(r"the learned evaluation scores ([\d.]+) %", output)[1]) > 75
    assert "80 games" in output
    return folder


@pytest.fixture(scope="module")
def game(learned):
    """Return the game of `learned` under another name, so that it has no weights."""
    registry.load_plugin(breakthrough(learned, name="pagegame"))
    return registry.get("pagegame")


def after(game, plies, seed=1):
    """Return a position after random moves."""
    position, dice = Start(game).position(), random.Random(seed)
    for _ in range(plies):
        if position.legal_moves():
            position.make(dice.choice(position.legal_moves()))
    return position


@functools.cache
def survey_of(game):
    """Return a Survey of a game, which all tests share; it has fewer positions than usual."""
    with mock.patch("scripts.learning.survey._POSITIONS", 800):
        return Survey(game)


def network_of(game, **keywords):
    """Return a Network with random weights."""
    survey = survey_of(game)
    network = selfplay.Network(survey.layout(**keywords), survey.scale)
    dice = random.Random(3)
    for phase in network.phases:
        for number in range(network.size):
            phase[number] = dice.uniform(-0.1, 0.1)
    return network


def file_of(name, network):
    """Return the bytes of a file of the Network's weights."""
    phases = [[100 * weight for weight in phase] for phase in network.phases]
    return weights.write(name, network.layout, phases)


# ---- learning -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tictactoe", "kalah"])
def test_an_update_follows_the_negative_gradient(name):
    game = registry.get(name)
    network = network_of(game)
    position = after(game, 4)
    numbers, target, tiny = network.follow(position)[0](), 0.7, 1e-6

    def loss():
        return (target - network.expected(network.value(numbers, position.side))) ** 2 / 2

    weights, before = network.phases[network.phase_of[numbers[-1]]], loss()
    gradient = {}
    for table, content in zip(network.tables[position.side], numbers):
        number = table[content]
        weights[number] += tiny
        gradient[number] = (loss() - before) / tiny
        weights[number] -= tiny
    expected = network.expected(network.value(numbers, position.side))
    assert slope(network, expected) > 0
    old = weights[:]
    Learner(network, rate=0.01).update(numbers, position.side, target)
    share = 0.01 / len(network.tables[0])
    for number, value in enumerate(old):
        step = weights[number] - value
        wanted = -share * gradient.get(number, 0.0)
        assert math.isclose(step, wanted, rel_tol=1e-3, abs_tol=1e-12)
    assert loss() < before


def test_training_targets_are_the_result_of_the_game():
    game = registry.get("tictactoe")
    network = network_of(game)
    moves, returns = selfplay.play(
        game, network, random.Random(5), opening=0, exploring=0.0, decay=1.0
    )
    position = after(game, 0)
    for move in moves:
        position.make(move)
    assert returns == [rules.result(position)] * len(moves), (
        "with lambda 1 the target is the result"
    )


def value_of(position):
    """Return the result of perfect play for the side to move."""
    final = position.final_value()
    if final is not None:
        return (final > 0) - (final < 0)
    best = -1
    for move in position.legal_moves():
        position.make(move)
        best = max(best, -value_of(position))
        position.undo()
        if best == 1:
            break
    return best


def test_a_small_game_is_learned_perfectly(tmp_path):
    game = registry.get("tictactoe")
    settings = TrainingSettings(game, [], games=3000, exploring=0.3)
    learning = Learning(settings, str(tmp_path / "tictactoe.weights"), lambda text: None)
    learning.run()
    evaluation = LearnedEvaluation(weights.read(learning.weights()))
    position = Start(game).position()
    judge = LearnedJudge(evaluation, position)
    values, seen = {}, set()

    def value():
        if position.key not in values:
            values[position.key] = value_of(position)
        return values[position.key]

    def worth(move):
        judge.make(move)
        final = position.final_value()
        score = -(judge.evaluate() if final is None else final)
        judge.undo()
        return score

    def walk():
        if position.key in seen or position.outcome():
            return
        seen.add(position.key)
        moves, wanted = position.legal_moves(), value()
        judge.make(max(moves, key=worth))
        assert -value() == wanted, "the best move at depth 1 preserves the result"
        judge.undo()
        for move in moves:
            judge.make(move)
            walk()
            judge.undo()

    walk()
    assert len(seen) > 4000


def test_weights_that_do_not_win_are_reported_as_not_learned(tmp_path):
    words = ["--game", "tictactoe", "-o", "x.weights", "--games", "1"]
    assert "nothing was learned" in learn(tmp_path, *words, status=1)
    assert not (tmp_path / "x.weights").exists()


def test_game_without_board_and_features_is_refused():
    registry.load_plugin(
        str(ROOT / "tests" / "plugins" / "nim.py")
    ) if "nim" not in registry.names() else None
    with pytest.raises(SurveyError, match="neither a board"):
        Survey(registry.get("nim"))


# ---- patterns and features ----------------------------------------------------------------------------


def test_symmetries_follow_from_those_that_a_game_declares(game):
    kinds = [(cells[:2], swap) for cells, swap in survey_of(game).symmetries()]
    assert kinds == [((4, 3), False), ((20, 21), True), ((24, 23), True)], (
        "left-right, and up-down with the players exchanged"
    )
    counts = {"tictactoe": 15, "othello": 7, "chess": 1, "horde": 0, "checkers": 1, "connect4": 1}
    for name, count in counts.items():
        assert len(survey_of(registry.get(name)).symmetries()) == count, name
    assert survey_of(registry.get("connect4")).symmetries()[0][0][:2] == (6, 5)
    assert survey_of(registry.get("kalah")).symmetries() == [
        (tuple((pit + 7) % 14 for pit in range(14)), True)
    ]


@pytest.mark.parametrize("name", ["turned", "", "mirror flip", "swapswap", "swap mirror"])
def test_an_unknown_symmetry_is_refused(name):
    class Wrong(type(registry.get("tictactoe"))):
        symmetries = ("mirror", name)

    with pytest.raises(SurveyError, match=f'tictactoe: unknown symmetry "{name}"'):
        Survey(Wrong()).symmetries()


def test_only_a_square_board_can_be_transposed():
    class Wrong(type(registry.get("connect4"))):
        symmetries = ("transpose",)

    with pytest.raises(SurveyError, match="expected one of mirror, flip, turn, optionally"):
        Survey(Wrong()).symmetries()


def test_symmetric_positions_have_the_same_value(game):
    network = network_of(game)
    layout = network.layout
    evaluation = LearnedEvaluation(
        weights.read(weights.write(game.name, layout, [list(phase) for phase in network.phases]))
    )
    sides = {0: "x", 1: "o"}
    for seed in range(20):
        position = after(game, 6 + seed % 5, seed)
        if position.outcome():
            continue
        cells = "".join(position.board())
        seen = set()
        for turned, swap in [(tuple(range(25)), False), *layout.symmetries]:
            moved = [""] * 25
            for cell, mark in enumerate(cells):
                moved[turned[cell]] = {"X": "O", "O": "X"}.get(mark, mark) if swap else mark
            rows = ["".join(moved[row : row + 5]) for row in range(0, 25, 5)]
            text = "/".join(
                "".join("1" if mark == "." else mark.lower() for mark in row) for row in rows[::-1]
            )
            text = re.sub("1+", lambda run: str(len(run[0])), text)
            twin = game.parse(f"{text} {sides[position.side ^ swap]}", OPTIONS)
            seen.add(LearnedJudge(evaluation, twin).evaluate())
        assert len(seen) == 1


def test_features_are_used_alone_and_in_pairs():
    patterns = survey_of(registry.get("kalah")).layout().patterns
    assert len(patterns) == 14 + 14 * 13 // 2 and (3,) in patterns and (2, 10) in patterns


def test_a_feature_value_never_seen_counts_as_the_largest_seen():
    layout = Layout("features", 2, 1, ["0", "1", "2", "3"], [(0,), (0, 1)])
    numbers = list(range(layout.tables()[1]))
    evaluation = LearnedEvaluation(weights.read(weights.write("some", layout, [numbers])))

    class Features(Position):
        codes = (3, 3)

        def features(self):
            return self.codes

        make = undo = None

    position = Features()
    judge = LearnedJudge(evaluation, position)
    most = judge.evaluate()
    position.codes = (3, 60)
    assert judge.evaluate() == most
    position.codes = (3, 2)
    assert judge.evaluate() == most - 1


def test_features_out_of_range_are_refused():
    class Position(type(Start("kalah").position())):
        def features(self):
            return [64, *self.pits[1:]]

    class Game(type(registry.get("kalah"))):
        def start(self, options):
            return Position(self, 2 * (6 * [4] + [0]), 0)

    with pytest.raises(SurveyError, match="numbers from 0 to 63, not .64"):
        Survey(Game())


@pytest.mark.parametrize("name, kinds", rows("learning.make_and_undo_update_the_evaluation"))
def test_make_and_undo_update_the_evaluation(name, kinds, game):
    game = registry.get(name)
    network = network_of(game, phases=2, kinds=kinds)
    dice = random.Random(name)
    evaluation = LearnedEvaluation(weights.read(file_of(name, network)))
    position = Start(game).position()
    judge = LearnedJudge(evaluation, position)
    seen = set()

    def check():
        fresh = LearnedJudge(evaluation, game.parse(position.text(), OPTIONS))
        terms = judge.evaluation_terms()
        assert judge.evaluate() == fresh.evaluate() == sum(score for _, score in terms)
        seen.add(fresh.evaluate())
        assert name != "minishogi" or all(re.match("[1-5][a-e]=", words) for words, _ in terms)

    for _ in range(15):
        moves = position.legal_moves()
        if not moves:
            break
        for move in moves[:4]:
            judge.make(move)
            check()
            judge.undo()
        check()
        judge.make(dice.choice(moves))
    assert len(seen) > 5


@pytest.mark.parametrize("name", ["othello", "connect4", "kalah", "pagegame"])
def test_self_play_reads_the_content_of_each_pattern(name, game):
    network = network_of(registry.get(name), kinds=["cells", "rows"])
    layout, dice = network.layout, random.Random(name)
    for _ in range(2):
        position = Start(name).position()
        numbers, make, _ = network.follow(position)
        while position.legal_moves():
            codes, expected = layout.reader()(position), []
            for pattern in layout.patterns:
                content = 0
                for cell in pattern:
                    content = content * layout.base + codes[cell]
                expected.append(content)
            assert list(numbers()) == [*expected, layout.cells - list(codes).count(0)]
            make(dice.choice(position.legal_moves()))


def test_a_survey_detects_keys_whose_changes_show_which_cells_changed(game):
    assert survey_of(game).follows and survey_of(registry.get("tictactoe")).follows
    # If a key mixes the whole board, the same move changes it differently each time.
    assert not survey_of(registry.get("connect4")).follows


# ---- files --------------------------------------------------------------------------------------------


def test_a_resumed_training_run_gives_the_same_weights(learned, tmp_path):
    breakthrough(tmp_path)
    words = ["--plugin", "breakthrough.py", "--game", "breakthrough", "--games", "80"]
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "scripts" / "learn"), *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    with process:
        assert "patterns of 5x5 cells" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130 and "repeat the command to continue" in rest
    learn(tmp_path, *words)
    assert (tmp_path / "breakthrough.weights").read_bytes() == (
        learned / "breakthrough.weights"
    ).read_bytes()
    assert "finished after 80 games: to continue, give a larger" in learn(tmp_path, *words)


def test_one_process_at_a_time_trains_a_file(tmp_path):
    """A second process would replace what the first one has learned."""
    words = ["--game", "tictactoe", "-o", "t.weights", "--games"]
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "scripts" / "learn"), *words, "100000000"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    with process:
        process.stdout.readline()
        wrong = learn(tmp_path, *words, "9", status=2)
        process.send_signal(signal.SIGINT)
    assert "t.weights.lock is being written by another process" in wrong
    learn(tmp_path, *words, "40")
    assert not list(tmp_path.glob("*.lock"))


@pytest.mark.skipif(resource is None, reason="the system can't limit the size of files")
def test_state_that_cannot_be_saved_is_reported(tmp_path):
    breakthrough(tmp_path)
    most = 30_000  # maximum bytes in a file: enough for the weights, not for the state
    wrong = learn(
        tmp_path,
        *("--plugin", "breakthrough.py", "--game", "breakthrough", "--games", "60"),
        status=1,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    assert re.search(r"can't write \S*breakthrough\.weights\.learning: ", wrong)


def test_plugin_is_not_replaced_by_its_weights(tmp_path):
    breakthrough(tmp_path)
    words = ["--plugin", "breakthrough.py", "--game", "breakthrough", "--games", "9", "--force"]
    wrong = learn(tmp_path, *words, "-o", tmp_path / "breakthrough.py", status=2)
    assert "--plugin and --output must be different files" in wrong
    assert os.listdir(tmp_path) == ["breakthrough.py"]


def test_a_training_run_resumes_only_with_its_own_settings(tmp_path):
    path = str(tmp_path / "tictactoe.weights")

    def learning(**how):
        return Learning(
            TrainingSettings(registry.get("tictactoe"), [], games=4, **how), path, lambda text: None
        )

    learning().run()
    assert learning().learner.games == 4
    for other, said in (
        ({"decay": 0.5}, "lambda 0.8"),
        ({"patterns": ["rows"], "phases": 2}, "patterns by default, phases by default"),
    ):
        with pytest.raises(FileError, match=f"other settings .{said}.;"):
            learning(**other)
    with open(path + ".learning", "r+b") as file:
        file.truncate(1000)
    with pytest.raises(FileError, match="damaged"):
        learning()
    os.remove(path + ".learning")
    learning(patterns=["rows", "columns"], exploring=0.0).run()
    with pytest.raises(FileError, match=".patterns rows columns, exploring 0.0.;"):
        learning()


def test_jobs_can_run_on_an_executor(tmp_path):
    output = learn(
        tmp_path,
        *"--game tictactoe --games 60 -o t.weights --concurrency 2 --executor concurrent.futures:ThreadPoolExecutor".split(),
    )
    assert "60 games" in output
    layout = weights.read((tmp_path / "t.weights").read_bytes()).layout
    assert layout.columns == 3
    assert any(map(any, weights.read((tmp_path / "t.weights").read_bytes()).phases))


def test_a_file_reads_back_as_it_was_written():
    layout = Layout(
        "board", 3, 1, [".", "O", "X"], [(0, 1), (1, 2)], [((2, 1, 0), False)], [2], True
    )
    _, size = layout.tables()
    phases = [[number / 7 - 1 for number in range(size)], [0.5] * size]
    again = weights.read(weights.write("some", layout, phases))
    assert again.game == "some" and again.layout.data() == layout.data()
    for one, other in zip(phases, again.phases):
        assert [number / weights.PARTS for number in other] == pytest.approx(one, abs=0.02)


def damages(whole):
    """Return {damage: (bytes of the file, expected message)}."""
    other = weights.read(whole)
    small = Layout("board", 4, 4, [".", "O", "X"], [(0, 1)])
    zeros = [[0.0] * small.tables()[1]]
    return {
        "cut": (whole[:-7], "bytes instead of"),
        "flipped": (whole[:-7] + bytes([whole[-7] ^ 1]) + whole[-6:], "checksum"),
        "stub": (whole[:25], "cut off"),
        "empty": (b"", "first line"),
        "foreign": (b"PNG" + whole, "first line"),
        "later": (whole.replace(b"weights 1\n", b"weights 2\n", 1), "its version is not 1"),
        "few": (weights.write("breakthrough", other.layout, [[0.0]]), "instead of"),
        "other game": (weights.write("halma", other.layout, [[0.0]]), "weights are those of halma"),
        "other board": (
            weights.write("breakthrough", small, zeros),
            "the weights are for 4x4 cells, the game has 5x5",
        ),
    }


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """Return the answer of an engine without weights."""
    folder = tmp_path_factory.mktemp("without")
    breakthrough(folder)
    return engine(folder, "eval", "go depth 2")[0]


@pytest.mark.parametrize(
    "kind",
    ["cut", "flipped", "stub", "empty", "foreign", "later", "few", "other game", "other board"],
)
def test_invalid_weights_file_is_reported_and_not_used(learned, without, tmp_path, kind):
    breakthrough(tmp_path)
    content, words = damages((learned / "breakthrough.weights").read_bytes())[kind]
    (tmp_path / "breakthrough.weights").write_bytes(content)
    message, *answers = engine(tmp_path, "eval", "go depth 2")[0]
    assert message.startswith("info string ")
    assert words in message
    assert "breakthrough is played without it" in message
    assert answers[0] == without[0] == "Evaluation: 0" and answers[-1] == without[-1]


# ---- play ---------------------------------------------------------------------------------------------


def test_every_protocol_plays_with_the_weights(learned, tmp_path):
    breakthrough(tmp_path)
    without, _ = engine(tmp_path, "eval")
    output, _ = engine(learned, "eval", "go depth 3")
    assert without == ["Evaluation: 0"]
    terms = [int(line.rsplit(": ", 1)[1]) for line in output if re.match(r"[a-e]\d=", line)]
    total = next(line for line in output if line.startswith("Evaluation"))
    assert len(terms) > 10 and total == f"Evaluation: {sum(terms)}"
    assert output[-1].startswith("bestmove ")
    answers, _ = engine(learned, "protocol_version", "plyglot-eval", "genmove white", "quit")
    assert [line for line in answers if re.match(r"= [a-e]\d", line)]


def test_quiescence_ends_with_learned_weights(learned):
    lines, _ = engine(learned, "position fen o1o1o/oxxoo/1o1xx/xxoox/x1x1x x", "go depth 3")
    reached = [
        int(re.search(r"seldepth (\d+)", line)[1])
        for line in lines
        if line.startswith("info depth")
    ]
    assert reached and max(reached) <= 3 + 4


def test_weights_are_written_beside_games_without_a_kernel_or_solver(game, learned):
    assert usual_path(game) == str(learned / "pagegame.weights")
    assert os.path.dirname(usual_path(registry.get("tictactoe"))) == str(ROOT / "games")
    for name in ("chess", "othello", "connect4", "gomoku"):
        assert usual_path(registry.get(name)) == f"{name}.weights"


def test_learned_weights_play_a_tournament_against_no_weights(learned, tmp_path):
    old = breakthrough(tmp_path)
    command = f"{shlex.quote(sys.executable)} {ROOT / 'engine.py'} --plugin"
    new = f"name=new cmd={shlex.quote(f'{command} breakthrough.py')}"
    words = "--plugin breakthrough.py --game breakthrough --depth 1 --rounds 1 --random-plies 6"
    done = run_python(
        ROOT / "scripts" / "tournament",
        *words.split(),
        *("--engine", *shlex.split(new)),
        *("--engine", "name=old", f"cmd={command} {old}"),
        cwd=learned,
    )
    assert done.returncode == 0, done.stderr
    assert "2 games" in done.stdout or "2/2" in done.stdout, done.stdout


def test_a_match_is_reported_with_its_error_margin(learned):
    words = "--plugin breakthrough.py --game breakthrough breakthrough.weights own --depth 1"
    script = ROOT / "scripts" / "lab" / "learned_match.py"
    done = run_python(script, *words.split(), "--rounds", "4", cwd=learned)
    assert re.search(
        r"breakthrough.weights against own, depth 1: [\d.]+ % . [\d.]+ .8 games.", done.stdout
    ), done.stderr


def test_a_match_uses_neither_solver_nor_kernel():
    game = registry.get("connect4")
    player = learned_match.Player(game, learned_match.NONE, Limits(depth=2))
    assert player.move(Start(game).position(), [3, 3]) in Start(game).position().legal_moves()
    position, reports = player.start(), []
    context = context_of(position, Limits(depth=2), OPTIONS, {}, learned_match.MEGABYTES)
    think(position, context, reports.append)
    assert 7 <= reports[-1].nodes <= 7 + 7 * 7, "two plies, without the solver"


def test_learned_weights_play_against_handmade_weights_of_othello(tmp_path):
    network = network_of(registry.get("othello"), kinds=["cells"])
    phases = [[100 * weight for weight in phase] for phase in network.phases]
    (tmp_path / "o.weights").write_bytes(weights.write("othello", network.layout, phases))
    lab = ROOT / "scripts" / "lab"
    for words in (
        ["othello_fit.py", "--handmade", "hand.bin"],
        ["othello_match.py", "o.weights", "hand.bin", "--plain", "--pairs", "1", "--depth", "1"],
    ):
        done = run_python(lab / words[0], *words[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"[\d.]+ % \S+ [\d.]+ \(2 games\)\n", done.stdout)


@pytest.mark.parametrize("arguments, words", rows("learning.bad_arguments_are_refused"))
def test_bad_arguments_are_refused(tmp_path, arguments, words):
    assert words in learn(tmp_path, *shlex.split(arguments), status=2)
    assert not os.listdir(tmp_path)


def test_unusable_files_are_reported(tmp_path):
    words = "--game tictactoe -o /no/such/folder/x.weights --games 1"
    assert "/no/such/folder" in learn(tmp_path, *words.split(), status=1)


def test_without_a_weights_file_a_position_evaluates_itself():
    for name in registry.built_in():
        position = registry.get(name).start(OPTIONS)
        assert position.judge() is position
