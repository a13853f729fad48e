"""Helpers for the tests of the board: its process, its commands, and games on its page."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

from conftest import wait_until

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 60
# A tournament that runs for some seconds.
SLOW = "--game chess --movetime 0.1 --margin 30 --max-plies 20 --concurrency 2".split()
PLUGINS = [
    ROOT / "tests" / "plugins" / name
    for name in ("kalah.py", "nim.py", "jumps.py", "yavalath.py", "hoppers.py")
]
PGN = """[Event "A <b>lesson</b>"]
[White "One"]
[Black "Two"]
[Result "1-0"]

1. e4 {the king's pawn} e5 2. Bc4 (2. Nf3 Nc6 {usual} (2... Nf6 3. Nxe5) 3. Bb5 $1) Nc6
3. Qh5 Nf6?? {[%eval #1] <i>oops</i>} 4. Qxf7# 1-0
"""
# The latest saved game.
LATEST = """Object.entries(localStorage).filter(([key]) => key.startsWith("plyglot/game/"))
  .map(([, text]) => JSON.parse(text)).reduce((a, b) => b.saved > a.saved ? b : a)"""
# A game analysed by another program: 2. g4 loses at once, 2. d4 was better.
ANALYSED = (
    "1. f3 { [%eval -0.30] } e5 { [%eval -0.40] } 2. g4 $4 { [%eval #-1] } ( 2. d4 ) Qh4# 0-1\n"
)
QUESTION = "Find a better move for White than 2. g4"


class BoardServer:
    """A running scripts/board.  address: URL of its page.  host: the Host header that it expects."""

    def __init__(self, *words, state=None):
        """Start scripts/board.  state: the folder where it stores its address for the next run."""
        state = state or tempfile.mkdtemp(prefix="plyglot-state-")
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "scripts" / "board"), "--no-browser", *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            env={**os.environ, "XDG_STATE_HOME": str(state)},
        )
        found = re.search(r"http://(127\.0\.0\.1:(\d+))/([\w-]+)/", self.process.stdout.readline())
        self.address, self.host, self.port, self.token = found[0], found[1], int(found[2]), found[3]

    def request(self, method, path, body=None, headers=None):
        """Send a request with exactly these headers; return (status, headers, body)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in (headers if headers is not None else {"Host": self.host}).items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def ask(self, command, **body):
        """Send a command; return (status, answer)."""
        data = json.dumps(body).encode()
        headers = {
            "Host": self.host,
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
            "Origin": f"http://{self.host}",
        }
        status, _, answer = self.request("POST", f"/{self.token}/api/{command}", data, headers)
        return status, json.loads(answer)

    def ask_about(self, command, text, game="chess", **more):
        """Upload a file and send a command about it; return (status, answer)."""
        data = base64.b64encode(text.encode()).decode()
        uploaded = self.ask("upload", file="file", at=0, data=data, last=True, game=game)
        return uploaded if uploaded[1] else self.ask(command, file="file", **more)

    def listen(self, page):
        """Return the Events of a page."""
        return Events(self, page)

    def stop(self, number=signal.SIGTERM):
        """Stop the server; return (exit status, text on stderr)."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        wrong = self.process.communicate(timeout=TIMEOUT)[1]
        return self.process.returncode, wrong


class Events:
    """The events of a page.  refused: why the server refused the page, None if it accepted it."""

    def __init__(self, server, page):
        self.connection = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT)
        self._stream = self.connection.makefile("rb")
        request = f"GET /{server.token}/events/{page} HTTP/1.1\r\nHost: {server.host}\r\n\r\n"
        self.connection.sendall(request.encode())
        head = list(iter(lambda: self._stream.readline().strip(), b""))
        assert b" 200 " in head[0] and b"Content-Type: text/event-stream" in head
        self.first = self._next()
        self.refused = self.first.get("error")

    def _next(self):
        """Return the next event; None at the end of the stream."""
        for line in self._stream:
            if line.startswith(b"data: "):
                return json.loads(line[len("data: ") :])
        return None

    def until(self, kind):
        """Return the next event of a type; None if the server ends the stream."""
        return next((event for event in iter(self._next, None) if event["type"] == kind), None)

    def close(self):
        """Disconnect, as a closed page does."""
        self._stream.close()
        self.connection.close()


def ended(pid):
    """Wait until a process has ended; return True."""
    status = pathlib.Path(f"/proc/{pid}/stat")

    def is_gone():
        try:
            os.kill(pid, 0)
            return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    wait_until(is_gone)
    return True


@contextlib.contextmanager
def board_with_plugins():
    """Yield a BoardServer with PLUGINS; check that it ends without errors."""
    running = BoardServer(*(word for plugin in PLUGINS for word in ("--plugin", plugin)))
    yield running
    status, wrong = running.stop()
    assert status == 128 + 15 and wrong == ""


def tournament(record, *words):
    """Start a tournament of two short games, recorded in the file `record`."""
    command = [sys.executable, str(ROOT / "scripts" / "tournament"), "--record", str(record)]
    command += ["--engine", "name=A", "--engine", "name=<i>B<i>", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def play_tournament(record):
    """Play a tournament of two short games to its end, recorded in the file `record`."""
    assert tournament(record, "--game", "tictactoe", "--depth", "2").wait(60) == 0


# ---- on the page -----------------------------------------------------------------------------------------


def new_game(page, game, start="", you=(True, False), time="move 0.05", options=()):
    """Start a game with the dialog.  you: which sides the person plays."""
    page.choose("#game", game)
    page.wait(f"document.body.dataset.game === '{game}' && document.body.dataset.tab === 'play'")
    page.frames()  # another button may appear and move #new
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    page.choose(
        "#you",
        {(True, True): "both", (True, False): "0", (False, True): "1", (False, False): "none"}[you],
    )
    page.evaluate(f"document.querySelector('#time').append(new Option('{time}', '{time}'))")
    page.choose("#time", time)
    for name, value in options:
        page.choose(f"[data-option={name}]", value)
    page.evaluate("document.querySelector('#start').value = ''")
    if start:
        page.type("#start", start)
    page.click("#begin")
    page.wait("!document.querySelector('#setup').open")


def ply(page, number):
    """Wait until the position after this number of plies is shown."""
    page.wait(f"document.body.dataset.ply === '{number}'")


def paste(page, text):
    """Open a pasted record or position; return when it is on the board or refused."""
    page.click("#paste")
    page.evaluate("document.querySelector('#pasted').value = ''")
    page.type("#pasted", text)
    page.click("#paste-open")  # clears the error of an earlier text
    page.wait(
        "!document.querySelector('#paste-box').open || document.querySelector('#paste-error').textContent"
    )


def hold(page, command):
    """Hold back the page's requests for a command until the test calls letGo() in the page."""
    page.evaluate(_HOLD % command)


def choose_nodes(page, nodes):
    """Let analyses search this number of nodes per position, fewer than the page's list offers."""
    page.evaluate(
        f"document.querySelector('#effort').append(new Option('{nodes}', 'nodes {nodes}'))"
    )
    page.choose("#effort", f"nodes {nodes}")


def enter(page, text):
    """Type a move and press Enter."""
    page.type("#typed", text)
    page.press("Enter")


def play(page, *texts):
    """Type moves in standard notation, one after the other."""
    for text in texts:
        enter(page, text)
        page.wait_text("#moves [aria-current]", text)


def state(page, *wanted):
    """Wait until the page's state is one of `wanted` (yours, theirs, over); return that state."""
    return page.wait(
        f"{list(wanted)}.includes(document.body.dataset.state) && document.body.dataset.state"
    )


def play_out(page):
    """Click legal moves until the game is over; return the text below the board."""
    while state(page, "yours", "over") == "yours":
        ply = page.evaluate("document.body.dataset.ply")
        if page.evaluate("!document.querySelector('#pass').hidden"):
            page.click("#pass")
        elif page.evaluate("!document.querySelector('#choices').hidden"):
            page.click("#choices button")
        else:
            page.click(f"[data-cell={page.evaluate(_CAN)}]")
            if page.evaluate("document.querySelector('.chosen') !== null"):
                page.click(f"[data-cell={page.evaluate(_TARGET)}]")
            if page.evaluate("document.querySelector('#ask').open"):
                page.click("#ask-choices button")
        page.wait(f"document.body.dataset.ply !== '{ply}'")
    return page.text("#status")


def check_phone_layout(page, tabs):
    """Check that the page fits a phone's window and is legible there, in all tabs."""
    page.resize(360, 700)
    heights = (
        "[...document.querySelectorAll('%s')].map(each => each.getBoundingClientRect().height)"
    )
    for game, title in (("chess", "Chess"), ("gomoku", "Gomoku, exactly five")):
        page.choose("#game", game)
        page.wait(f"document.querySelector('#board svg').ariaLabel.startsWith('{title},')")
        assert min(page.evaluate(heights % ".coordinate")) > 9
        page.resize(700, 360)
        assert 240 < page.evaluate(heights % ".board")[0] < 360, "the whole board is visible"
        page.resize(360, 700)
    for tab in tabs:
        page.click(f"#tab-{tab}")
        page.wait(f"!document.querySelector('#{tab}').hidden")
        assert page.evaluate("document.documentElement.scrollWidth") == 360, tab
        assert (
            page.evaluate(
                "[...document.querySelectorAll('button, select, input')].filter(each => "
                "each.getBoundingClientRect().right > 352).map(each => each.id)"
            )
            == []
        ), tab
    page.wait("document.querySelector('#tree-picture .node')")
    assert min(filter(None, page.evaluate(heights % ".node .value"))) > 9
    page.click("#tree-last")
    page.press("ArrowLeft")
    seen = page.evaluate("document.querySelector('.node.current').getBoundingClientRect().x")
    assert 0 < seen < 340, "the visited node is in the window"


_HOLD = """(() => {
  const usual = fetch, held = window.held = [];
  const late = (address) => address.endsWith("%s") && new Promise((go) => held.push(go));
  window.fetch = async (address, ...more) => (await late(address), usual(address, ...more));
  window.letGo = () => { window.fetch = usual; held.forEach((go) => go()) };
})()"""
_CAN = "document.querySelector('.cell.can').dataset.cell"
_TARGET = "document.querySelector('.cell .target, .cell .ring').parentNode.dataset.cell"
