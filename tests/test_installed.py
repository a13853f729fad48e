"""The command `plyglot`: installed by pip from a source distribution, from the archive, and in the project itself."""
# Not in the fast part of scripts/test.
# Started early by scripts/test, since it is slow.

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import venv

import pytest
from conftest import ROOT

from protocol.base import VERSION

NIM = ROOT / "tests" / "plugins" / "nim.py"
NOT_TAKEN = ("games", "search", "protocol", "scripts", "engine")


def run(command, *words, given="", status=0, cwd=None, **environment):
    """Run a command; return (output, errors)."""
    done = subprocess.run(
        [*map(str, command), *map(str, words)],
        input=given,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert done.returncode == status and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout, done.stderr


# Makes a source distribution of the project, and from that a wheel; both in the parent folder.
BUILD = """
import os, shutil
from setuptools.build_meta import build_sdist, build_wheel
name = build_sdist("..")
shutil.unpack_archive("../" + name, "..")
os.chdir("../" + name.replace(".tar.gz", ""))
build_wheel("..")
"""


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """Return the folder of commands of an environment in which only Plyglot is installed, from a wheel."""
    place = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    got = subprocess.run(
        [*pip, *"download --quiet --no-deps --dest".split(), place / "tools", "setuptools>=77"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if got.returncode:
        pytest.skip(f"pip can't fetch setuptools here: {got.stdout.strip()[-200:]}")
    for wheel in (place / "tools").glob("*.whl"):
        shutil.unpack_archive(wheel, place / "tools", "zip")
    left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")
    shutil.copytree(ROOT, place / "project", ignore=left_out)
    run(
        [sys.executable, "-W", "ignore", "-c", BUILD],
        cwd=place / "project",
        PYTHONPATH=str(place / "tools"),
    )
    venv.create(place / "clean", with_pip=False, symlinks=os.name != "nt")
    clean = place / "clean" / ("Scripts" if os.name == "nt" else "bin")
    installing = "install --quiet --no-compile --no-deps --no-index".split()
    run([*pip, "--python", clean / "python", *installing], *place.glob("*.whl"))
    return clean


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Return the archive that scripts/package makes."""
    file = tmp_path_factory.mktemp("archive") / "plyglot.pyz"
    run([sys.executable, ROOT / "scripts" / "package", "-o", file])
    return file


@pytest.fixture(params=["pip", "archive", "project"])
def plyglot(request):
    """Return the command line that starts `plyglot`, as a list of words."""
    if request.param == "pip":
        return [request.getfixturevalue("clean") / "plyglot"]
    if request.param == "archive":
        return [sys.executable, request.getfixturevalue("archive")]
    return [sys.executable, ROOT / "plyglot" / "__main__.py"]


def test_pip_installs_plyglot_as_the_only_top_level_name(clean, archive):
    code = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    place = pathlib.Path(run([clean / "python", "-c", code])[0].strip())
    assert sorted(path.name for path in place.iterdir()) == [
        "plyglot",
        f"plyglot-{VERSION}.dist-info",
    ]
    code = f"import importlib.util; print(*[n for n in {NOT_TAKEN} if importlib.util.find_spec(n)])"
    assert run([clean / "python", "-c", code], cwd=clean)[0].split() == []
    installed = {
        path.relative_to(place / "plyglot").as_posix(): path
        for path in (place / "plyglot").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    code = (
        "import sys, zipfile; print(*[name for name in zipfile.ZipFile(sys.argv[1]).namelist()"
        " if not name.endswith(('.pyc', '/', 'LICENSE')) and name != '__main__.py'])"
    )
    packed = {
        name.replace("plyglot/", "")
        for name in run([sys.executable, "-c", code, archive])[0].split()
    }
    assert installed.keys() >= packed, "the archive's files"
    for name, path in installed.items():
        source = ROOT / name if (ROOT / name).exists() else ROOT / "plyglot" / name
        assert path.read_bytes() == source.read_bytes()
    assert not [name for name in installed if name.startswith(("scripts/lab/", "tests"))]


def test_the_engine_works_next_to_modules_with_the_names_of_its_packages(plyglot, tmp_path):
    for name in NOT_TAKEN:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not this one')")
    lines = ["uci"]
    for game, place, asked in (
        ("othello", "startpos", "eval"),
        ("connect4", "startpos", "go depth 3"),
        ("chess", "fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "eval\r\ngo depth 3"),
    ):
        lines += [f"setoption name UCI_Variant value {game}", f"position {place}", asked]
    output, wrong = run(plyglot, given="\r\n".join(lines) + "\r\n", cwd=tmp_path)
    assert output.count("\nbestmove ") == 2 and output.count("Evaluation: ") == 2 and wrong == "", (
        "its data files are installed"
    )
    assert run(plyglot, "--version")[0] == f"Plyglot {VERSION}\n"
    output, wrong = run(plyglot, "--plugin", NIM, "--game", "nim", "go", "depth", "2", cwd=tmp_path)
    assert "bestmove 0-" in output and wrong == ""


@pytest.mark.parametrize("where", ["pip", "archive", "project"])
def test_programs_can_import_only_plyglot(where, tmp_path, request):
    code = (
        "import sys; before = list(sys.path)\nimport plyglot\n"
        "with plyglot.Engine(game='othello') as engine:\n"
        "    engine.position(moves=['d3'])\n    print(engine.go(depth=2))\n"
        f"print(sys.path == before, [name for name in sys.modules if name.split('.')[0] in {NOT_TAKEN}])"
    )
    (tmp_path / "games.py").write_text("raise SystemExit('not this one')")
    if where == "pip":
        output, _ = run([request.getfixturevalue("clean") / "python", "-c", code], cwd=tmp_path)
    else:
        place = request.getfixturevalue("archive") if where == "archive" else ROOT
        output, _ = run([sys.executable, "-c", code], cwd=tmp_path, PYTHONPATH=str(place))
    assert output.startswith("P@") and output.split("\n")[1] == "True []"


def test_the_scripts_are_subcommands(plyglot, tmp_path):
    assert run(plyglot, "tree", "((3 5) (6 9)) min", cwd=tmp_path) == run(
        [sys.executable, ROOT / "scripts" / "tree"], "((3 5) (6 9)) min"
    )
    output, _ = run(plyglot, "new_game", "hexapawn", cwd=tmp_path)
    assert " play hexapawn --plugin hexapawn.py" in output and "scripts/play" not in output
    if plyglot[-1].name == "__main__.py":
        return  # the other commands are the scripts themselves, which have their own tests
    output, _ = run(
        plyglot, *"play hexapawn --plugin hexapawn.py --watch --depth 1".split(), cwd=tmp_path
    )
    assert "Goodbye" in output
    output, _ = run(
        plyglot,
        *"tournament --game tictactoe --depth 1 --rounds 1 --engine name=A --engine name=B --record games.jsonl".split(),
        cwd=tmp_path,
    )
    assert "2/2" in output and "A is superior with" in output
    if plyglot[-1].name == "plyglot":
        return  # the archive has the same files
    output, _ = run(
        plyglot, "learn", "--game", "tictactoe", "--games", "20", "-o", "t.weights", cwd=tmp_path
    )
    assert "t.weights: 20 games" in output
    record = tmp_path / "games.jsonl"
    # Give the record the line ends that an editor on Windows writes.
    record.write_bytes(record.read_bytes().replace(b"\n", b"\r\n"))
    run(plyglot, *"analyse games.jsonl --number 1 --depth 1 -o report".split(), cwd=tmp_path)
    assert '"view"' in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_messages_name_the_installed_command(plyglot, tmp_path):
    name = plyglot[-1].name if plyglot[-1].name != "__main__.py" else "plyglot"
    output, _ = run(plyglot, "--help")
    assert output.startswith(f"usage: {name} ")
    assert f"{name} tournament" in output
    assert "engine.py" not in output
    output, _ = run(plyglot, "play", "--help")
    assert f"{name} play othello" in output and "scripts/" not in output
    for words in (["analyse", "no-such-file.pgn"], ["tournament"], ["play", "halma"]):
        _, wrong = run(plyglot, *words, status=2, cwd=tmp_path)
        assert wrong.startswith(f"{name} {words[0]}: ")
        assert wrong.endswith(f"(see {name} {words[0]} --help)\n")
    assert run(plyglot, "--nonsense", status=2)[1].startswith(f"{name}: ")


def test_python_m_plyglot_starts_the_engine(clean, tmp_path):
    assert (
        run([clean / "python", "-m", "plyglot"], "--version", cwd=tmp_path)[0]
        == f"Plyglot {VERSION}\n"
    )


def test_refusal_of_an_unknown_word_names_the_nearest_one(plyglot):
    name = plyglot[-1].name if plyglot[-1].name != "__main__.py" else "plyglot"
    hints = [("playy", " (did you mean play?)")]
    if name == "plyglot":
        hints += [("foo", ""), ("goo", " (did you mean go?)")]
    for word, hint in hints:
        output, wrong = run(plyglot, word, "depth", "1", status=2)
        assert (output, wrong) == (
            "",
            f"{name}: unknown command: {word}{hint} (see {name} --help)\n",
        )
    assert run(plyglot, "help") == run(plyglot, "--help")


def test_no_message_names_a_file_that_is_not_installed(plyglot, tmp_path):
    here = plyglot[-1].name == "__main__.py"
    output = run(plyglot, "new_game", "hexapawn", cwd=tmp_path)[0] + (
        tmp_path / "hexapawn.py"
    ).read_text(encoding="utf-8")
    if plyglot[-1].name == "plyglot":  # the archive's help is the same
        output += "".join(
            run(plyglot, word, "--help")[0]
            for word in ("learn", "tournament", "play", "analyse", "board", "tree")
        )
    assert ("docs/" in output) == here and ("scripts/test" in output) == here
