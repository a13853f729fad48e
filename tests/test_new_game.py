"""scripts/new_game's template, and the code, transcripts and tests of docs/adding-a-game.md."""
# Not in the fast part of scripts/test.

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest
import warm
from conftest import run_python
from tables import rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def run(command, cwd, **environment):
    """Run a list of words or a shell command; return (exit status, standard output, standard error)."""
    done = subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, **environment},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def new_game(cwd, *arguments, status=0):
    """Run scripts/new_game; return its output."""
    returned, out, error = warm.run("scripts/new_game", *arguments, cwd=cwd)
    assert returned == status, error
    return out if status == 0 else error


def engine(cwd, plugin, game, *lines):
    """Return the engine's answers in a game loaded as a plugin."""
    words = "".join(line + "\n" for line in lines)
    done = run_python(ROOT / "engine.py", "--plugin", plugin, "--game", game, input=words, cwd=cwd)
    assert done.returncode == 0 and not done.stderr
    return done.stdout.splitlines()


def contract(cwd, plugins, wanted):
    """Run the contract's tests that `wanted` selects, with plugins; return (exit status, output)."""
    command = [sys.executable, *"-m pytest -p no:cacheprovider --rootdir".split(), str(ROOT)]
    tests = [str(ROOT / "tests" / "test_contract.py"), "-k", wanted]
    status, out, _ = run([*command, *tests], cwd, PLYGLOT_PLUGINS=plugins)
    return status, out


def check_contract(cwd, plugin, game):
    """Check that a plugin's game passes the contract's tests."""
    status, out = contract(cwd, plugin, game)
    assert status == 0, out
    assert out.count(".") > 20, out


def blocks(kind):
    """Return the fenced blocks of a kind, such as python, in docs/adding-a-game.md."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


# ---- the template -------------------------------------------------------------------------------------


def test_the_template_plays_and_passes_the_contract_on_any_board(tmp_path):
    output = new_game(tmp_path, "row_game")
    assert "--plugin row_game.py --game row_game" in output
    source = (tmp_path / "row_game.py").read_text()
    assert "class RowGame(Game)" in source
    assert "mygame" not in source.lower().replace("row_game", "")
    answers = engine(
        tmp_path, "row_game.py", "row_game", "position fen 5/2o2/xxx2/oo3 x", "go depth 4"
    )
    assert answers[-1].startswith("bestmove P@d2") and "score mate 1" in answers[-2]
    large = re.sub("= 5, 4\nIN_A_ROW = 4", "= 7, 6\nIN_A_ROW = 5", source).replace(
        '"row_game"', '"row_large"'
    )
    (tmp_path / "large.py").write_text(large)
    answers = engine(tmp_path, "large.py", "row_large", "go perft 2")
    assert answers[-2] == f"Nodes searched: {42 * 41}"
    check_contract(tmp_path, os.pathsep.join(("row_game.py", "large.py")), "row_")


def test_name_of_the_file_can_be_chosen(tmp_path):
    new_game(tmp_path, "other", "-o", "place.py")
    assert "class OtherPosition(Position)" in (tmp_path / "place.py").read_text()
    assert engine(tmp_path, "place.py", "other", "go depth 1")[-1].startswith("bestmove ")


@pytest.mark.parametrize("name", ["my_game", "class", "mygame"])
def test_names_that_only_seem_unusable_are_accepted(tmp_path, name):
    new_game(tmp_path, name)
    assert engine(tmp_path, f"{name}.py", name, "go depth 1")[-1].startswith("bestmove ")


@pytest.mark.parametrize("arguments, words", rows("new_game.bad_arguments_are_refused"))
def test_bad_arguments_are_refused(tmp_path, arguments, words):
    assert words in new_game(tmp_path, *shlex.split(arguments), status=2)
    assert not list(tmp_path.iterdir())


# ---- the page -----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the document's game, in which its commands work as in the project."""
    (tmp_path / "breakthrough.py").write_text("".join(blocks("python")))
    for name in ("engine.py", "scripts", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def steady(text):
    """Return output without the parts that differ between runs or that a better search may change."""
    text = re.sub(r"^(info depth \d+) .* (score \w+ \S+) .*$", r"\1 \2", text, flags=re.MULTILINE)
    return re.sub(r"^(bestmove \S+) .*$", r"\1", text, flags=re.MULTILINE).strip()


def test_the_documents_example_has_fewer_than_80_nonblank_lines(folder):
    lines = (folder / "breakthrough.py").read_text().splitlines()
    assert len([line for line in lines if line.strip()]) < 80


def test_the_documents_transcripts_are_up_to_date(folder):
    commands = 0
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            status, out, error = run(command.replace("python3", sys.executable), folder)
            assert status == 0 and steady(out.replace(sys.executable, "python3")) == steady(
                expected
            ), command + error
            commands += 1
    assert commands == 5


def another(folder, name, *changes):
    """Write NAME.py: the document's game under that name, with each `old` replaced by its `new`."""
    source = (folder / "breakthrough.py").read_text()
    for old, new in (('"breakthrough"', f'"{name}"'), *changes):
        assert old in source
        source = source.replace(old, new)
    (folder / f"{name}.py").write_text(source)


def test_the_game_of_the_guide_passes_the_contract_on_boards_of_any_size(folder):
    rules = (folder / "breakthrough.py").read_text()
    (more,) = blocks("python more")
    (folder / "breakthrough.py").write_text(rules.replace("\n\n\nGAMES", f"\n{more}\n\nGAMES"))
    for size in (4, 7):
        another(folder, f"breaking{size}", ("SIZE = 5 ", f"SIZE = {size} "))
    check_contract(
        folder, "breakthrough.py:breaking4.py:breaking7.py".replace(":", os.pathsep), "break"
    )
    # each piece of the second row has three moves, but two if it stands at an edge
    answers = engine(folder, "breaking7.py", "breaking7", "go perft 2")
    assert answers[-2] == f"Nodes searched: {(3 * 7 - 2) ** 2}"
    words = "--plugin breakthrough.py --game breakthrough --depth 1 --boards -o -"
    status, out, _ = run([sys.executable, "scripts/tree", *words.split()], folder)
    assert status == 0 and out.count('class="node leaf ') == 13
    answers = engine(
        folder, "breakthrough.py", "breakthrough", "position fen 5/x3o/5/5/5 x", "go depth 3"
    )
    assert answers[-1] == "bestmove a4a5"


_CLASS = "class BreakthroughPosition(Position):"
_KEY = _CLASS + "\n    key = property(lambda self: {}, lambda self, key: None)\n"

# {change: (texts to replace in the document's game, test that must fail, pattern of its message)}
WRONG = {
    "width": (
        [
            ("cell * len(CELLS) + to", "cell * 32 + to"),
            ("divmod(move, len(CELLS))", "divmod(move, 32)"),
        ],
        "texts_name",
        r"(starts from|ends on|moves . from) [a-f]\d, which is (empty|the opponent's)",
    ),
    "turned": (
        [("square_name(cell % SIZE, cell // SIZE)", "square_name(cell // SIZE, cell % SIZE)")],
        "texts_name",
        r"leaves [a-f]\d as it was",
    ),
    "overlap": (
        [(_CLASS, _KEY.format("self.pieces[0] | self.pieces[1] << 25 | self.side << 50"))],
        "keys",
        "have the same key",
    ),
    "blind": ([("zobrist(2, len(CELLS))", "[0] * len(CELLS)")], "keys", "have the same key"),
    "long": (
        [(_CLASS, _KEY.format("self.pieces[0] | self.pieces[1] << 36 | self.side << 72"))],
        "keys",
        r"is not below 2\*\*62",
    ),
    "third": (
        [("self.side = side\n", "self.side = side + 2\n")],
        "sides",
        "side is 2: it must be 0 or 1",
    ),
    "truth": (
        [("self.side = side\n", "self.side = bool(side)\n")],
        "sides",
        "side is False: it must be 0 or 1",
    ),
    "again": (
        [("self.side ^= 1\n        self.key ^= TURN", "self.key ^= TURN")],
        "sides",
        "alternates = True, but White moves twice",
    ),
}


def test_the_contract_detects_faulty_games(folder):
    for name, (changes, _, _) in WRONG.items():
        another(folder, f"wrong_{name}", ("SIZE = 5 ", "SIZE = 6 "), *changes)
    status, out = contract(
        folder,
        os.pathsep.join(f"wrong_{name}.py" for name in WRONG),
        "wrong and (texts_name or keys or sides)",
    )
    assert status == 1
    for name, (_, test, words) in WRONG.items():
        failures = re.findall(
            rf"^_+ (\w*{test}\w*)\[wrong_{name}\] _+$(.*?)^(?=[_=]{{5}})",
            out,
            re.MULTILINE | re.DOTALL,
        )
        assert any(re.search(words, failure) for _, failure in failures), name


def test_the_document_quotes_the_code_of_its_second_game(folder):
    source = (folder / "tests" / "plugins" / "kalah.py").read_text()
    quoted = blocks("python kalah")
    assert len(quoted) == 3 and all(block in source for block in quoted)
    assert len(source.splitlines()) < 95
