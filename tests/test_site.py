"""The page as static files, in a real browser with the real Pyodide; the only server serves files.

PLYGLOT_PYODIDE names the folder of the npm package `pyodide`; without it only the files are tested.
"""
# Started early by scripts/test, since it is slow.

import functools
import gzip
import hashlib
import http.server
import itertools
import json
import os
import re
import shutil
import subprocess
import threading
import time
import zipfile

import chromium
import pytest
import warm
from board_server import PGN, check_phone_layout, new_game, play, ply, state
from conftest import PATIENCE, ROOT
from tables import rows

from scripts.browser import site
from scripts.pages import embed
from scripts.pages.embed import page_file

PYODIDE = os.environ.get("PLYGLOT_PYODIDE")
in_browser = pytest.mark.skipif(
    not PYODIDE or chromium.COMMAND is None,
    reason="PLYGLOT_PYODIDE names no folder of Pyodide, or there is no Chromium here",
)
LIMIT = 14_000_000  # maximum total size of the compressed files, in bytes
DEPTH = "/depth (\\d+)/.exec(document.querySelector('#analyse').textContent)[1]"
LOADING = r"/^Python is loading: [\d.]+ of [\d.]+ MB\. Your move is played/"
STATUS = "document.querySelector('#status').textContent"


def write(folder, pyodide, *words):
    """Run scripts/board --site; return (exit status, text on stderr)."""
    status, _, notes = warm.run("scripts/board", "--site", folder, "--pyodide", pyodide, *words)
    return status, notes


# ---- the files --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def empty_site(tmp_path_factory):
    """Return the folder of a site without Python."""
    place = tmp_path_factory.mktemp("small") / "site"
    status, notes = write(place, "https://files.example/pyodide")
    assert status == 0 and "not compiled" in notes
    return place


def test_a_site_may_have_its_interpreter_elsewhere(empty_site):
    page = (empty_site / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' https://files.example 'wasm-unsafe-eval'" in page
    assert not (empty_site / "pyodide").exists()
    known = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert known["starts"].keys() == {game["name"] for game in known["games"]["games"]}
    assert len(known["starts"]["chess"]["moves"]) == 20
    assert known["pyodide"] == "https://files.example/pyodide/"


def test_a_page_with_another_title_keeps_its_styles(monkeypatch):
    def changed(name):
        return page_file(name).replace(b"<title>Plyglot</title>", b"<title>Chess club</title>")

    monkeypatch.setattr(embed, "page_file", changed)
    for text, style in (
        (site._page()["index.html"].decode(), '<link rel="stylesheet" href="page.css">'),
        (embed.page([]), "<style>"),
    ):
        head = text.partition("</head>")[0]
        assert style in head and 'http-equiv="Content-Security-Policy"' in head
    assert "<title>Chess club</title>" in site._page()["index.html"].decode()
    assert "<title>0 games</title>" in text


def test_unfit_folders_are_refused(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    status, wrong = write(tmp_path / "mine", "https://files.example/pyodide")
    assert status == 2 and "not an empty folder" in wrong
    status, wrong = write(tmp_path / "mine" / "letter.txt", "https://files.example/pyodide")
    assert status == 2 and "can't write" in wrong and "--force" not in wrong
    status, wrong = write(tmp_path / "new", tmp_path)
    assert status == 2 and f"--pyodide {tmp_path}: not a folder of the npm package pyodide" in wrong
    assert not (tmp_path / "new").exists()
    status, _, wrong = warm.run("scripts/board", "--site", tmp_path / "new")
    assert status == 2 and "--site needs --pyodide" in wrong


# ---- the browser ------------------------------------------------------------------------------------------


class Files:
    """A server of a folder's files.  asked: the requested paths; types: {suffix: its MIME type}."""

    def __init__(self, folder, **types):
        self.asked = asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {
                **http.server.SimpleHTTPRequestHandler.extensions_map,
                **{f".{suffix}": name for suffix, name in types.items()},
            }

            def log_request(self, *words):
                asked.append(self.path)

        self._handler, self._port = functools.partial(Handler, directory=str(folder)), 0
        self.start()
        self.address = f"http://127.0.0.1:{self._port}/"

    def start(self):
        """Start the server, always on the same port."""
        address = "127.0.0.1", self._port
        self._server = http.server.ThreadingHTTPServer(address, self._handler)
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("site") / "plyglot"
    assert write(place, PYODIDE) == (0, "")
    text = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
    example = re.search(r"```html\n(.*?)```", text, re.DOTALL)[1]
    (place / "tictactoe.html").write_text(example, encoding="utf-8")
    (place / "empty.html").write_text(
        "<!doctype html><title>Empty</title><link rel=icon href=data:,>"
    )
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
def opened(browser, files):
    """Return (the tab that all tests share, the files that its first move needed).

    They share it, since Python loads slowly.  The first move is made before Python has loaded.
    """
    tab = browser.open(files.address, width=1280, height=720)
    state(tab, "yours")
    tab.click("[data-cell=e2]")
    tab.click("[data-cell=e4]")
    tab.wait(f"{LOADING}.test({STATUS}) && document.querySelector('.arrow')")
    ply(tab, 2)
    return tab, list(files.asked)


@pytest.fixture(scope="module")
def tab(opened):
    return opened[0]


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
        len(gzip.compress(path.read_bytes(), 6)) for path in folder.rglob("*") if path.is_file()
    )
    assert size < LIMIT
    names = zipfile.ZipFile(folder / "pyodide" / "python_stdlib.zip").namelist()
    compiled = shutil.which("node") is not None
    assert ("enum.pyc" in names, "enum.py" in names) == (compiled, not compiled)


@in_browser
def test_page_is_shown_at_once_and_the_first_move_is_played_later(opened):
    tab, asked = opened
    assert "/games/chess/network.bin" in asked
    assert not any("othello" in path or "connect4" in path for path in asked)
    assert tab.errors == []


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
    page.wait(f"{DEPTH} > 2")
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
    page.click("#ask-choices [value=html]")
    page.wait_text("#status", "Saved as chess.html")


@in_browser
def test_lesson_shows_its_tree(page):
    page.click("#tab-learn")
    page.wait("document.querySelectorAll('#tree-picture .node').length > 5")


@in_browser
def test_phone_layout_fits_and_is_legible(page):
    page.click("#tab-play")
    check_phone_layout(page, ("play", "analyse", "learn"))
    whole = "(box => { box.textContent = 'Python is loading. '.repeat(5); return box.scrollWidth <= box.clientWidth; })"
    assert page.evaluate(f"{whole}(document.querySelector('#status'))")
    page.resize(1280, 720)
    assert page.errors == []


LINKS = dict(rows("site.links"))


@in_browser
def test_damaged_link_is_reported(page):
    for link, words in LINKS.items():
        page.evaluate(f"location.hash = {json.dumps(link)}")
        page.wait(f"document.body.innerText.includes({json.dumps(words)})")
    page.evaluate("history.replaceState(null, '', location.pathname)")


@in_browser
def test_chess960_starts_from_a_random_position(page):
    page.click("#new")
    page.click("[data-option=UCI_Chess960]")
    page.click("#begin")
    page.wait("!document.querySelector('#setup').open")


HIDDEN = "delete WebAssembly.Suspending;"


@in_browser
def test_browser_that_can_neither_suspend_python_nor_share_memory_plays_too(browser, plain):
    page = browser.open("about:blank")
    hidden = HIDDEN + "Object.defineProperty(navigator, 'serviceWorker', { value: null });"
    page.call("Page.addScriptToEvaluateOnNewDocument", source=hidden)
    page.call("Page.navigate", url=plain)
    page.wait("document.body.dataset.state === 'yours'")
    page.click("#tab-analyse")
    page.wait(f"{DEPTH} > 2")
    page.type("#typed", "e4")
    page.press("Enter")
    page.wait(f"document.body.dataset.ply === '1' && {DEPTH} > 2")
    assert page.errors == [] and not page.evaluate("crossOriginIsolated")
    page.close()


def move(page, start, end, plies):
    """Move a piece; press the button `now`, since the engine may think for ten minutes."""
    page.click(f"[data-cell={start}]")
    page.click(f"[data-cell={end}]")
    page.wait_text("#status", "Black is thinking…")
    page.click("#now")
    ply(page, plies)


@in_browser
def test_game_goes_on_after_a_reload_without_network_and_without_suspending_python(page, files):
    new_game(page, "chess", time="move 600")
    move(page, "d2", "d4", 2)
    hidden = page.call("Page.addScriptToEvaluateOnNewDocument", source=HIDDEN)
    files.stop()
    try:
        page.reload()
        page.wait("crossOriginIsolated && document.querySelectorAll('#moves button').length === 2")
        assert page.evaluate("'Suspending' in WebAssembly") is False
        page.click("#hint")  # its messages and the move's are queued until Python is loaded
        move(page, "c2", "c4", 4)
    finally:
        files.start()  # later tests need the server
        page.call("Page.removeScriptToEvaluateOnNewDocument", **hidden)


def new_version(place):
    """Change files of a site, and its list of them, as another version of the project would."""
    service = (place / "service.js").read_text()
    for name in ("page.js", "plyglot.js", "games/othello/weights.bin"):
        content = (place / name).read_bytes()
        (place / name).write_bytes(content + b"// new\n")
        service = service.replace(hashlib.sha256(content).hexdigest()[:16], "new")
    (place / "service.js").write_text(service)


@in_browser
def test_a_game_missing_offline_is_reported_and_all_games_can_be_stored(page, files):
    missing = "document.querySelector('#ask').open && document.querySelector('#ask').innerText"
    files.stop()
    try:
        new_game(page, "connect4")
        page.click("[data-cell=d1]")
        page.wait(f"({missing} || '').includes('games/connect4/book.bin')")
        page.evaluate("document.querySelector('#ask').close()")
        ply(page, 2)
    finally:
        files.start()
    page.errors.clear()  # the browser reports the failed fetch
    page.click("#open-settings")
    page.click("#keep-all")
    page.wait_text("#kept", "All games are kept.")
    assert {"/games/connect4/book.bin", "/games/draughts/weights10.bin"} <= set(files.asked)


@pytest.fixture
def small(empty_site, tmp_path, browser):
    """Yield (folder, server, page) of a site without Python, once its service worker answers."""
    place = shutil.copytree(empty_site, tmp_path / "site")
    for path in place.rglob("*"):
        # A browser may take such an old file from its cache without asking the server.
        os.utime(path, (0, 0))
    files = Files(place)
    page = browser.open(files.address)
    page.wait("Boolean(navigator.serviceWorker.controller)")
    yield place, files, page
    page.close()
    files.stop()


in_any_browser = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")


@in_any_browser
def test_browser_that_cannot_suspend_python_reloads_the_page_to_share_memory(empty_site, browser):
    files = Files(empty_site)
    page = browser.open("about:blank")
    page.call("Page.addScriptToEvaluateOnNewDocument", source=HIDDEN)
    page.call("Page.navigate", url=files.address)
    page.wait("crossOriginIsolated && document.body.dataset.state === 'yours'")
    page.close()
    files.stop()


ENDS = (
    "Promise.all({}.map(async (name) => (await (await fetch(name)).text()).endsWith('// new\\n')))"
)


@in_any_browser
def test_page_and_workers_are_of_one_version_and_work_offline_after_an_update(small, browser):
    place, files, page = small
    versions = ENDS.format(["page.js", "plyglot.js"])
    kept = ENDS.format(["games/othello/weights.bin"] * 2)
    assert page.evaluate(kept) == [False, False]
    assert files.asked.count("/games/othello/weights.bin") == 1, "both requests share one fetch"
    new_version(place)
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    page.evaluate("navigator.serviceWorker.ready.then((found) => window.registration = found)")
    page.wait("registration.waiting !== null && !document.querySelector('#update').hidden")
    assert page.evaluate(versions) == [False, False]
    files.stop()
    try:
        page.call("ServiceWorker.enable")
        browser.wait(lambda: "installed" in page.workers.values())
        page.call("Page.navigate", url="about:blank")
        browser.wait(lambda: "installed" not in page.workers.values())
        page.call("Page.navigate", url=files.address)
        state(page, "yours")
        assert page.evaluate(versions) == [True, True] and page.evaluate(kept) == [True, True]
    finally:
        files.start()


@in_any_browser
def test_the_new_version_is_used_when_the_user_asks_for_it(small):
    place, files, page = small
    page.reload()
    page.wait("!document.querySelector('header').inert")
    page.evaluate("window.old = true")
    new_version(place)
    page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    page.wait("!document.querySelector('#update').hidden")
    page.click("#update")
    page.wait("!window.old && document.querySelector('#update')?.hidden")
    assert page.evaluate(ENDS.format(["page.js", "plyglot.js"])) == [True, True]
    manifest = page.call("Page.getAppManifest")
    assert manifest["errors"] == [] and json.loads(manifest["data"])["display"] == "standalone"


@in_any_browser
def test_files_that_are_not_the_sites_own_are_left_to_the_server(small, browser):
    place, files, page = small
    for later, title in enumerate(("One", "Two")):
        text = (
            f"<!doctype html><link rel=icon href=data:,><script>document.title = '{title}'</script>"
        )
        (place / "own.html").write_text(text)
        # A browser caches older files for longer, and doesn't cache a file dated in the future.
        changed = time.time() + 3600 * (1 + later)
        os.utime(place / "own.html", (changed, changed))
        page.call("Page.navigate", url=f"{files.address}own.html")
        page.wait(f"document.title === '{title}'")


PACKAGE = """
import { Plyglot } from "plyglot";
import { Worker } from "node:worker_threads";
import { createRequire } from "node:module";
const engine = new Plyglot({ mode: "share" }), lines = [];
engine.onLine((line) => lines.push(line));
engine.send("setoption name UCI_Variant value tictactoe");
const found = await engine.go("depth 9"), endless = engine.go("infinite");
engine.send("stop");
const stopped = await endless, left = engine.go("infinite").catch((error) => error.message);
engine.terminate();
const missing = await new Plyglot({ pyodide: "/nothing" }).go().catch((error) => error.message);
const thread = new Worker(createRequire(import.meta.url).resolve("plyglot/plyglot.js"));
const ended = new Promise((resolve) => thread.on("exit", resolve));
const told = new Promise((resolve) => thread.on("message", (line) => line === "uciok" && resolve(line)));
thread.postMessage("uci");
const answer = [found.move, lines.includes(found.lines.at(-1)), stopped.move !== null,
  await left, missing, await told];
thread.postMessage("quit");
console.log(JSON.stringify([...answer, await ended]));
"""


@in_browser
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_the_folder_is_a_package_of_npm(folder, tmp_path):
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "plyglot").symlink_to(folder)  # as `npm install FOLDER` does
    (tmp_path / "program.mjs").write_text(PACKAGE)
    command = ["node", tmp_path / "program.mjs"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    *found, missing, told, status = json.loads(done.stdout)
    assert found == ["P@b2", True, True, "the engine was terminated"]
    assert "Cannot find module" in missing and told == "uciok" and status == 0


@in_browser
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_an_infinite_search_ends_at_once_if_nothing_can_interrupt_python(folder):
    command, pipe = ["node", folder / "plyglot.js", "--mode", "block"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as engine:
        engine.stdin.write("go infinite\nisready\n")
        lines = list(itertools.takewhile(lambda line: line != "readyok\n", engine.stdout))
        assert any("can't interrupt Python" in line for line in lines)
        engine.stdin.write("go depth 2\ngo infinite\n")
        engine.stdin.close()
        lines += engine.stdout
    assert engine.returncode == 0 and sum(line.startswith("bestmove") for line in lines) == 3


# ---- the engine as a worker of another page -----------------------------------------------------


@pytest.fixture(scope="module")
def plain(folder):
    """Yield the address of a plain file server, without a service worker that adds headers."""
    server = Files(folder)
    yield server.address
    server.stop()


@in_browser
def test_the_example_of_the_document_plays_a_game(browser, plain):
    page = browser.open(f"{plain}tictactoe.html")
    page.wait_text("#status", "Your move.")
    assert page.errors == []
    for cell in ("a3", "c3", "b1", "a1", "c1", "b3", "a2", "c2", "b2"):
        if not page.text(f"#{cell}"):
            before = sum(map(bool, page.texts("button")))
            page.click(f"#{cell}")
            page.wait(
                "document.querySelector('#status').textContent === 'The game is over.'"
                f" || [...document.querySelectorAll('button')].filter(each => each.textContent).length > {before + 1}"
            )
    assert page.text("#status") == "The game is over."
    shown = "".join(page.texts("button"))
    assert 5 <= len(shown) <= 9 and 0 <= shown.count("x") - shown.count("o") <= 1
    page.close()


def engine_on(page, name, query="", program="plyglot.js"):
    """Start a worker in a page; its lines are in the list window.NAME.lines."""
    page.evaluate(
        f"window.{name} = new Worker('{program}{query}'), {name}.lines = [],"
        f" {name}.onmessage = (event) => {name}.lines.push(event.data), {name}.onerror ="
        f" (event) => {{ event.preventDefault(); {name}.lines.push('error ' + event.message) }}, 1"
    )


def ask(page, name, lines, begin):
    """Send lines to a worker; return its lines up to the first that begins with `begin`."""
    page.evaluate(f"{name}.lines.length = 0, {lines!r}.forEach((line) => {name}.postMessage(line))")
    page.wait(f"{name}.lines.some((line) => line.startsWith({begin!r}))")
    return page.evaluate(f"{name}.lines")


@pytest.fixture
def empty(browser, plain):
    """Yield an empty page, on which workers can be started; fail if it reports errors."""
    page = browser.open(f"{plain}empty.html")
    page.wait("document.title === 'Empty'")
    yield page
    assert not page.errors
    page.close()


@in_browser
def test_an_engine_of_the_module_and_one_from_a_blob_speak_different_protocols(empty, plain):
    empty.evaluate(
        "import('./plyglot.mjs').then(({ Plyglot }) => { window.first = new Plyglot(), first.lines = [],"
        " first.postMessage = first.send, first.onLine((line) => first.lines.push(line)) })"
    )
    blob = "fetch('plyglot.js').then((answer) => answer.blob()).then((blob) => URL.createObjectURL(blob))"
    for name, query in (("second", f"#files={plain}&mode=block"), ("third", "")):
        engine_on(empty, name, query, empty.evaluate(blob))
    assert "a worker from a blob needs #files=ADDRESS" in empty.wait("third.lines[0]")
    empty.evaluate("first.postMessage(5), first.postMessage({ go: 1 }), 1")
    lines = ask(empty, "first", ["uci"], "uciok")
    assert "info string error: unknown command: 5" in lines
    (threads,) = (line for line in lines if line.startswith("option name Threads "))
    assert threads.endswith(" max 1"), "no other thread or process can search there"
    ask(empty, "first", ["go infinite"], "info depth 3 ")
    assert "=1 D3" in ask(
        empty, "second", ["set_game othello", "plyglot-param Genmove_Depth 2", "1 genmove b"], "=1"
    )
    ask(empty, "first", ["isready"], "readyok")
    ask(empty, "first", ["stop"], "bestmove ")
    found = "first.go('depth 2').then(({ move }) => move)"
    assert re.fullmatch(r"[a-h]\d[a-h]\d", empty.evaluate(found))
    empty.evaluate("first.terminate(), second.postMessage('quit'), 1")


@in_browser
def test_a_missing_file_is_an_error_of_the_worker(browser, plain):
    page = browser.open(f"{plain}empty.html")
    page.wait("document.title === 'Empty'")
    engine_on(page, "engine", "?pyodide=nothing/")
    (line,) = ask(page, "engine", [], "error ")
    assert "nothing/pyodide.mjs" in line
    page.close()


@in_browser
def test_a_wrong_media_type_of_the_interpreter_is_reported(browser, folder):
    server = Files(folder, mjs="text/plain")
    page = browser.open(f"{server.address}empty.html")
    page.wait("document.title === 'Empty'")
    engine_on(page, "engine")
    (line,) = ask(page, "engine", [], "error ")
    assert "pyodide/pyodide.mjs is served as text/plain: the server must send .mjs" in line
    page.close()
    server.stop()
