"""The engine under Node: scripts/web/plyglot.js with the real Pyodide.  In a browser: test_site.py.

PLYGLOT_PYODIDE names the folder of the npm package `pyodide`; if it isn't set, the tests are
skipped.
"""
# Started early by scripts/test, since it is slow.

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import PATIENCE, ROOT, Engine, closed_afterwards
from pexpect.popen_spawn import PopenSpawn
from test_no_threads import DIALOGUES, transcript, without_times

import plyglot
from protocol import messages

PYODIDE = os.environ.get("PLYGLOT_PYODIDE")
SCRIPT = ROOT / "scripts" / "web" / "plyglot.js"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    not PYODIDE or NODE is None,
    reason="PLYGLOT_PYODIDE names no folder of Pyodide, or there is no Node here",
)


class NodeEngine(Engine):
    """The engine under Node."""

    def __init__(self, *arguments):
        command = [NODE, str(SCRIPT), "--pyodide", PYODIDE, *arguments]
        self.process = PopenSpawn(command, timeout=PATIENCE, maxread=1 << 16)


@pytest.fixture
def node():
    """Return start(*arguments), which starts the engine under Node; the test's end stops it."""
    yield from closed_afterwards(NodeEngine)


def comparable(lines):
    """Return the lines without the limits of Threads and Hash, which depend on the system."""
    return [line for line in lines if not re.match("option .*(Threads|Hash)|feature", line)]


def stop_endless_search(engine):
    engine.send("go infinite")
    engine.until("info depth 5 .*")
    engine.ask("isready", "readyok")
    engine.ask("stop", "bestmove .*")


def test_answers_and_node_counts_in_nodejs_equal_the_native_ones(start, node):
    """One process runs the whole dialogue, since a start takes seconds."""
    native, web = start(), node("--mode", "share")
    dialogue = [*DIALOGUES["uci"], (["setoption name UCI_Variant value chess", "bench 1"], BENCH)]
    assert comparable(transcript(web, dialogue)) == comparable(transcript(native, dialogue))
    stop_endless_search(web)
    web.send("go depth 60", "quit")
    web.until("bestmove .*")
    assert web.process.proc.wait(PATIENCE) == 0


BENCH = r"Nodes searched: \d+\r?"


def test_a_wrong_option_or_a_missing_folder_is_reported(tmp_path):
    for words, expected in (
        (["--nonsense"], "Unknown option '--nonsense'"),
        (["--pyodide", str(tmp_path)], "Cannot find module"),
        (
            ["--pyodide", PYODIDE, "--mode", "x"],
            'mode must be one of suspend, share, block, not "x"',
        ),
    ):
        done = subprocess.run(
            [NODE, str(SCRIPT), *words], capture_output=True, text=True, timeout=PATIENCE, input=""
        )
        assert done.returncode in (1, 2) and expected in done.stderr
    assert messages.find("x") is None  # plyglot.js reports an unknown program


# ---- Python in Pyodide, without plyglot.js -------------------------------------------------------

ANSWERS = """
from protocol.messages import Program, engine

def answers(dialogue):
    lines, posted = [line for sent, _ in dialogue for line in sent], []

    def take(seconds):
        if seconds == 0:
            return None  # no line arrives during a search
        return lines.pop(0) if lines else ""

    Program(engine, posted.append, take, None, False).run()
    return posted
"""
NOTEBOOK = """
const [pyodide, project, answers, dialogues] = process.argv.slice(1);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.mountNodeFS("/project", project);
python.globals.set("dialogues", dialogues);
python.runPython(`import json, sys; sys.path.insert(0, "/project")` + answers);
python.runPython(`
import plyglot
with plyglot.Engine(game="othello") as engine_of_api:
    engine_of_api.position(moves=["d3"])
    result = engine_of_api.go(depth=5)
pictures = plyglot.Board("chess", moves=["e4"]), plyglot.Tree("((3 5) (6 9))")
found = [result.move, result.best.nodes, *("<svg" in each._repr_svg_() for each in pictures)]
told = {name: answers(dialogue) for name, dialogue in json.loads(dialogues).items()}
print(json.dumps([found, told]))
`);
"""


@pytest.fixture(scope="module")
def from_pyodide():
    """Return Pyodide's answers: [results of a notebook's calls, {protocol: lines}]."""
    place = (pathlib.Path(PYODIDE) / "pyodide.mjs").resolve().as_uri()
    command = [NODE, "--input-type=module", "-e", NOTEBOOK, place, str(ROOT), ANSWERS]
    done = subprocess.run([*command, json.dumps(DIALOGUES)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_engine_and_pictures_work_in_a_notebook_of_pyodide(from_pyodide):
    with plyglot.Engine(game="othello") as engine:
        engine.position(moves=["d3"])
        native = engine.go(depth=5)
    assert from_pyodide[0] == [native.move, native.best.nodes, True, True]


@pytest.mark.parametrize("name", DIALOGUES)
def test_answers_in_pyodide_are_the_native_ones(from_pyodide, name, monkeypatch):
    monkeypatch.setattr("search.interpreter._threads", False)
    exec(ANSWERS, native := {})
    lines = [from_pyodide[1][name], native["answers"](DIALOGUES[name])]
    # In this process other tests may have loaded plugins.
    lines = [[line for line in each if " name UCI_Variant " not in line] for each in lines]
    web, here = (comparable(without_times("\n".join(each))) for each in lines)
    assert web == here and len(here) > 3
