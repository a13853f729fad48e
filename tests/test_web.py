"""The engine as a Web Worker and under Node: scripts/web/plyglot.js with the real Pyodide.

PLYGLOT_PYODIDE names the folder of the npm package `pyodide`; without it nothing is tested.
"""

import contextlib
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading

import chromium
import pytest
from conftest import PATIENCE, ROOT, Engine
from pexpect.popen_spawn import PopenSpawn
from test_no_threads import DIALOGUES, transcript

PYODIDE = os.environ.get("PLYGLOT_PYODIDE")
SCRIPT = ROOT / "scripts" / "web" / "plyglot.js"
NODE = shutil.which("node")
MODES = ["suspend", "share", "slice"]

pytestmark = pytest.mark.skipif(not PYODIDE, reason="PLYGLOT_PYODIDE names no folder of Pyodide")
in_browser = pytest.mark.skipif(chromium.COMMAND is None, reason="there is no Chromium here")
under_node = pytest.mark.skipif(NODE is None, reason="there is no Node here")


class NodeEngine(Engine):
    """The engine under Node."""

    def __init__(self, *arguments):
        command = [NODE, str(SCRIPT), "--pyodide", PYODIDE, *arguments]
        self.process = PopenSpawn(command, timeout=PATIENCE, maxread=1 << 16)


@pytest.fixture
def node():
    """Return start(*arguments), which starts the engine under Node until the test ends."""
    with contextlib.ExitStack() as stack:

        def starter(*arguments):
            engine = NodeEngine(*arguments)
            stack.callback(engine.close)
            return engine

        yield starter


@under_node
@pytest.mark.parametrize("name", DIALOGUES)
def test_answers_and_nodes_under_node_are_the_native_ones(start, node, name):
    def comparable(lines):  # the limits of Threads and Hash depend on the system
        return [line for line in lines if not re.match("option .*(Threads|Hash)|feature", line)]

    native, web = transcript(start(), DIALOGUES[name]), transcript(node(), DIALOGUES[name])
    assert comparable(web) == comparable(native)


@under_node
def test_the_bench_signature_under_node_is_the_native_one(start, node):
    pattern = r"Nodes searched: \d+\r?"
    assert node().ask("bench", pattern)[-1].rstrip() == start().ask("bench", pattern)[-1]


@under_node
@pytest.mark.parametrize("mode", ["share", "slice"])
def test_a_search_under_node_is_stopped(node, mode):
    engine = node("--mode", mode)
    engine.send("go infinite")
    engine.until("info depth 5 .*")
    engine.ask("isready", "readyok")
    engine.ask("stop", "bestmove .*")
    engine.send("go depth 60", "quit")
    engine.until("bestmove .*")
    assert engine.process.proc.wait(PATIENCE) == 0


@under_node
@pytest.mark.parametrize("mode", ["share", "slice"])
def test_the_end_of_the_input_under_node_ends_the_process(node, mode):
    engine = node("--mode", mode)
    engine.send("go depth 2", "go infinite")
    lines, status = engine.end()
    assert status == 0 and sum(line.startswith("bestmove") for line in lines) == 2


@under_node
def test_a_wrong_option_or_a_missing_folder_is_one_line(tmp_path):
    for words, expected in (
        (["--nonsense"], "Unknown option '--nonsense'"),
        (["--pyodide", str(tmp_path)], "Cannot find module"),
        (
            ["--pyodide", PYODIDE, "--mode", "x"],
            'mode must be one of suspend, share, slice, not "x"',
        ),
        (["--pyodide", PYODIDE, "--program", "x"], "no such program: x"),
    ):
        done = subprocess.run(
            [NODE, str(SCRIPT), *words], capture_output=True, text=True, timeout=PATIENCE, input=""
        )
        assert done.returncode in (1, 2) and expected in done.stderr


# ---- in a browser --------------------------------------------------------------------------------


class Handler(http.server.SimpleHTTPRequestHandler):
    """A server of files.  Pages below /isolated/ may share memory with workers."""

    def translate_path(self, path):
        return super().translate_path(path.replace("/isolated/", "/", 1))

    def end_headers(self):
        if self.path.startswith("/isolated/"):
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Return the address of a site made as docs/web.md says."""
    site = tmp_path_factory.mktemp("site") / "site"
    board = [sys.executable, str(ROOT / "scripts" / "board"), "--site", str(site)]
    subprocess.run([*board, "--pyodide", PYODIDE], check=True, capture_output=True)
    text = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
    (site / "tictactoe.html").write_text(re.search(r"```html\n(.*?)```", text, re.DOTALL)[1])
    (site / "empty.html").write_text(
        "<!doctype html><title>Empty</title><link rel=icon href=data:,>"
    )
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(site))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.patient_browser(tmp_path_factory.mktemp("profile"), PATIENCE) as running:
        yield running


@in_browser
def test_the_example_of_the_document_plays_a_game(browser, address):
    page = browser.open(f"{address}/tictactoe.html")
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


def engine_on(page, name, query=""):
    """Start a worker in a page; its lines are in the list window.NAME.lines."""
    page.evaluate(
        f"window.{name} = new Worker('plyglot.js{query}'), {name}.lines = [],"
        f" {name}.onmessage = (event) => {name}.lines.push(event.data),"
        f" {name}.onerror = (event) => {name}.lines.push('error ' + event.message), 1"
    )


def ask(page, name, lines, begin):
    """Send lines to a worker; return its lines up to the first that begins with `begin`."""
    page.evaluate(f"{name}.lines.length = 0, {lines!r}.forEach((line) => {name}.postMessage(line))")
    page.wait(f"{name}.lines.some((line) => line.startsWith({begin!r}))")
    return page.evaluate(f"{name}.lines")


@in_browser
@pytest.mark.parametrize("mode", MODES)
def test_a_worker_answers_while_it_searches(browser, address, mode):
    page = browser.open(f"{address}{'/isolated' if mode == 'share' else ''}/empty.html")
    page.wait("document.title === 'Empty'")
    engine_on(page, "engine", f"?mode={mode}")
    assert "readyok" in ask(page, "engine", ["isready"], "readyok")
    ask(page, "engine", ["go infinite"], "info depth 5 ")
    ask(page, "engine", ["isready"], "readyok")
    ask(page, "engine", ["stop"], "bestmove ")
    ask(page, "engine", ["setoption name UCI_Variant value othello", "go depth 4"], "bestmove P@")
    page.evaluate("engine.postMessage('quit')")
    assert not page.errors


@in_browser
def test_two_workers_are_two_engines_in_any_protocol(browser, address):
    page = browser.open(f"{address}/empty.html")
    page.wait("document.title === 'Empty'")
    engine_on(page, "first")
    engine_on(page, "second")
    page.evaluate("first.postMessage('go infinite')")
    assert "=1 D3" in ask(
        page, "second", ["set_game othello", "plyglot-param Genmove_Depth 2", "1 genmove b"], "=1"
    )
    ask(page, "first", ["stop"], "bestmove ")
    assert not page.errors


@in_browser
def test_a_message_that_is_no_text_is_an_unknown_command(browser, address):
    page = browser.open(f"{address}/empty.html")
    page.wait("document.title === 'Empty'")
    engine_on(page, "engine")
    page.evaluate("engine.postMessage(5), engine.postMessage({ go: 1 }), 1")
    lines = ask(page, "engine", ["uci"], "uciok")
    assert "info string error: unknown command: 5" in lines and not page.errors
    (threads,) = (line for line in lines if line.startswith("option name Threads "))
    assert threads.endswith(" max 1"), "no other thread or process can search there"


@in_browser
def test_a_missing_file_is_an_error_of_the_worker(browser, address):
    page = browser.open(f"{address}/empty.html")
    page.wait("document.title === 'Empty'")
    engine_on(page, "engine", "?pyodide=nothing/")
    (line,) = ask(page, "engine", [], "error ")
    assert "nothing/pyodide.mjs" in line
