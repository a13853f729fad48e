"""The page as static files, in a real browser with the real Pyodide; the only server serves files.

PLYGLOT_PYODIDE names the folder of the npm package `pyodide`; without it only the files are tested.
"""

import functools
import gzip
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import chromium
import pytest
from board_server import PGN, check_phone_layout, new_game, play, ply, state
from conftest import PATIENCE, ROOT, run_python

import plyglot

PYODIDE = os.environ.get("PLYGLOT_PYODIDE")
in_browser = pytest.mark.skipif(
    not PYODIDE or chromium.COMMAND is None,
    reason="PLYGLOT_PYODIDE names no folder of Pyodide, or there is no Chromium here",
)
LIMIT = 13_000_000  # bytes of everything, compressed
DEPTH = "/depth (\\d+)/.exec(document.querySelector('#analyse').textContent)[1]"
STATUS = "document.querySelector('#status').textContent"


def write(folder, pyodide, *words):
    """Run scripts/board --site; return (exit status, text on stderr)."""
    command = [sys.executable, str(ROOT / "scripts" / "board"), "--site", str(folder)]
    done = subprocess.run(
        [*command, "--pyodide", str(pyodide), *words], capture_output=True, text=True
    )
    return done.returncode, done.stderr


# ---- the files --------------------------------------------------------------------------------------------


def test_a_site_may_have_its_interpreter_elsewhere(tmp_path):
    address = "https://files.example/pyodide"
    status, notes = write(tmp_path / "site", address)
    assert status == 0 and "not compiled" in notes
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' https://files.example 'wasm-unsafe-eval'" in page
    assert not (tmp_path / "site" / "pyodide").exists()
    known = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert known["starts"].keys() == {game["name"] for game in known["games"]["games"]}
    assert len(known["starts"]["chess"]["moves"]) == 20 and known["pyodide"] == f"{address}/"


def test_unfit_folders_are_refused(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    status, wrong = write(tmp_path / "mine", "https://files.example/pyodide")
    assert status == 2 and "not an empty folder" in wrong
    status, wrong = write(tmp_path / "new", tmp_path)
    assert status == 2 and f"--pyodide {tmp_path}: not a folder of the npm package pyodide" in wrong
    assert not (tmp_path / "new").exists()
    done = run_python(ROOT / "scripts" / "board", "--site", tmp_path / "new")
    assert done.returncode == 2 and "--site needs --pyodide" in done.stderr


# ---- the browser ------------------------------------------------------------------------------------------


class Files(http.server.ThreadingHTTPServer):
    """A server of a folder's files.  asked: the requested paths."""

    def __init__(self, folder):
        self.asked = asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_request(self, *words):
                asked.append(self.path)

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("site") / "plyglot"
    assert write(place, PYODIDE) == (0, "")
    return place


@pytest.fixture(scope="module")
def files(folder):
    server = Files(folder)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.patient_browser(tmp_path_factory.mktemp("profile"), PATIENCE) as running:
        yield running


@pytest.fixture(scope="module")
def tab(browser, files):
    """Return the tab that all tests share, since Python takes long to load in a new one."""
    opened = browser.open(files.address, width=1280, height=720)
    state(opened, "yours")
    return opened


@pytest.fixture
def page(tab):
    """Yield the page with a new game of chess on the tab Play; fail if it reports errors."""
    tab.evaluate("document.querySelectorAll('dialog[open]').forEach(each => each.close())")
    tab.click("#tab-play")
    new_game(tab, "chess", you=(True, True))
    ply(tab, 0)
    yield tab
    assert tab.errors == []


@in_browser
def test_the_site_stays_below_its_size_limit(folder):
    size = sum(
        len(gzip.compress(path.read_bytes())) for path in folder.rglob("*") if path.is_file()
    )
    assert size < LIMIT


@in_browser
def test_page_is_shown_at_once_and_the_first_move_is_played_later(browser, folder):
    files = Files(folder)
    page = browser.open(files.address, width=1280, height=720)
    state(page, "yours")
    page.click("[data-cell=e2]")
    page.click("[data-cell=e4]")
    page.wait(f"{STATUS}.startsWith('Python is loading') && document.querySelector('.arrow')")
    ply(page, 2)
    assert "/games/chess/network.bin" in files.asked
    assert not any("othello" in path or "connect4" in path for path in files.asked)
    assert page.errors == []
    page.close()
    files.stop()


@in_browser
def test_othello_loads_its_own_data(page, files):
    new_game(page, "othello")
    page.click("[data-cell=d3]")
    ply(page, 2)
    assert "/games/othello/weights.bin" in files.asked


@in_browser
def test_two_engines_play_each_other(page):
    new_game(page, "tictactoe", you=(False, False))
    assert state(page, "over") and page.text("#status") == "A draw: the board is full"


@in_browser
def test_endless_analysis_goes_on_and_stops(page):
    play(page, "e4", "e5")
    page.click("#tab-analyse")
    page.wait(f"{DEPTH} > 3")
    page.click("#previous")
    ply(page, 1)
    page.wait("document.querySelectorAll('#engine-lines li button').length > 1")
    page.click("#engine-on")
    page.press("End")
    ply(page, 2)


@in_browser
def test_file_is_opened_and_saved(page, browser, tmp_path):
    browser.save_to(tmp_path)
    (tmp_path / "game.pgn").write_text(PGN)
    page.give_file("#file", tmp_path / "game.pgn", "#open")
    page.wait_count("#moves button", 12)
    page.click("#save")
    page.click("[data-value=html]")
    page.wait_text("#status", "Saved as chess.html")


@in_browser
def test_lesson_is_stepped(page):
    page.click("#tab-learn")
    page.wait("document.querySelectorAll('#tree-picture .node').length > 5")


@in_browser
def test_phone_layout_fits_and_is_legible(page):
    page.click("#tab-play")
    check_phone_layout(page, ("play", "analyse", "learn"))
    page.resize(1280, 720)
    assert page.errors == []


@in_browser
@pytest.mark.parametrize(
    "link, words",
    [
        ("#game=chess&moves=e2e4 e2e4", 'move 2: "e2e4"'),
        ("#game=che%3Cb%3Ess", "no such game"),
        ("#game=chess&start=8/8", "a board has 8 rows, not 2"),
        ("#game=chess&moves=e2e4&at=-1", 'at must be a number of moves, 0 to 1, not "-1"'),
        ("#game=chess&moves=e2e4&at=2", 'at must be a number of moves, 0 to 1, not "2"'),
        ("#game=chess&option.Nonsense=3", 'chess has no option "Nonsense"'),
        ("#game=chess&mvoes=e2e4", 'unknown word "mvoes"'),
        ("#gmae=chess", 'unknown word "gmae"'),
        ("#moves=e2e4", "it names no game"),
        ("#tree=((3 5", "a bracket is not closed"),
    ],
)
def test_damaged_link_is_reported(page, link, words):
    page.evaluate(f"location.hash = {json.dumps(link)}")
    page.wait(f"document.body.innerText.includes({json.dumps(words)})")


@in_browser
def test_chess960_draws_a_position(page):
    page.click("#new")
    page.click("[data-option=UCI_Chess960]")
    page.click("#begin")
    page.wait("!document.querySelector('#setup').open")


@in_browser
@pytest.mark.parametrize("kept", [True, False], ids=["isolated", "in slices"])
def test_browser_that_can_not_suspend_python_plays_too(folder, browser, kept):
    files = Files(folder)
    page = browser.open("about:blank")
    hidden = "delete WebAssembly.Suspending;"
    if not kept:
        hidden += "Object.defineProperty(navigator, 'serviceWorker', { value: null });"
    page.call("Page.addScriptToEvaluateOnNewDocument", source=hidden)
    page.call("Page.navigate", url=files.address)
    page.wait(
        f"crossOriginIsolated === {json.dumps(kept)} && document.body.dataset.state === 'yours'"
    )
    page.click("#tab-analyse")
    page.wait(f"{DEPTH} > 3")
    page.type("#typed", "e4")
    page.press("Enter")
    page.wait(f"document.body.dataset.ply === '1' && {DEPTH} > 3")
    assert page.errors == []
    page.close()
    files.stop()


@in_browser
def test_game_goes_on_after_a_reload_without_network(page, folder, browser, tmp_path):
    files = Files(folder)
    away = browser.open(files.address, width=390, height=844)
    state(away, "yours")
    away.click("[data-cell=d2]")
    away.click("[data-cell=d4]")
    ply(away, 2)
    files.stop()
    away.evaluate("window.former = true, location.reload()")
    away.wait("!window.former && document.querySelectorAll('#moves button').length === 2")
    away.click("[data-cell=c2]")
    away.click("[data-cell=c4]")
    ply(away, 4)
    assert away.errors == []
    away.close()


@pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")
def test_page_and_workers_are_of_one_version(browser, tmp_path):
    place = tmp_path / "site"
    assert write(place, "https://files.example/pyodide")[0] == 0
    for path in place.iterdir():
        # A browser may take such an old file from its cache without asking the server.
        os.utime(path, (0, 0))
    files = Files(place)
    page = browser.open(files.address)
    page.wait("Boolean(navigator.serviceWorker.controller)")
    for name in ("page.js", "plyglot.js", "service.js"):
        (place / name).write_text(
            (place / name).read_text().replace('"plyglot-', '"plyglot-new') + "// new\n"
        )
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    page.evaluate("navigator.serviceWorker.ready.then((found) => window.registration = found)")
    page.wait("registration.waiting !== null")
    versions = "Promise.all(['page.js', 'plyglot.js'].map(async (name) => (await (await fetch(name)).text()).endsWith('// new\\n')))"
    assert page.evaluate(versions) == [False, False]
    page.close()
    page = browser.open(files.address)
    state(page, "yours")
    assert page.evaluate(versions) == [True, True]
    page.close()
    files.stop()


@in_browser
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_the_folder_s_engine_runs_under_node(folder):
    done = subprocess.run(
        ["node", "plyglot.js"],
        cwd=folder,
        input="go depth 3\n",
        capture_output=True,
        text=True,
    )
    native = run_python(ROOT / "engine.py", "go", "depth", "3")
    nodes = [line.split("nodes ")[1].split()[0] for line in done.stdout.splitlines()[:-1]]
    assert nodes == [line.split("nodes ")[1].split()[0] for line in native.stdout.splitlines()[:-1]]
    assert len(nodes) >= 3


NOTEBOOK = """
const [pyodide, project] = process.argv.slice(1);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.mountNodeFS("/project", project);
python.runPython(`
import json, sys
sys.path.insert(0, "/project")
import plyglot
with plyglot.Engine(game="othello") as engine:
    engine.position(moves=["d3"])
    result = engine.go(depth=5)
pictures = plyglot.Board("chess", moves=["e4"]), plyglot.Tree("((3 5) (6 9))")
print(json.dumps([result.move, result.best.nodes, *("<svg" in each._repr_svg_() for each in pictures)]))
`);
"""


@pytest.mark.skipif(
    not PYODIDE or shutil.which("node") is None, reason="no Pyodide, or no Node here"
)
def test_engine_and_pictures_work_in_a_notebook_of_pyodide():
    with plyglot.Engine(game="othello") as engine:
        engine.position(moves=["d3"])
        native = engine.go(depth=5)
    place = (pathlib.Path(PYODIDE) / "pyodide.mjs").resolve().as_uri()
    command = ["node", "--input-type=module", "-e", NOTEBOOK, place, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert json.loads(done.stdout) == [native.move, native.best.nodes, True, True], done.stderr
