"""scripts/board as a process, its interface, and games on its page, for the tests of the board."""

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
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 60
# a tournament that goes on for some seconds
SLOW = (
    "--game",
    "chess",
    "--movetime",
    "0.15",
    "--margin",
    "30",
    "--max-plies",
    "12",
    "--concurrency",
    "2",
)
PLUGINS = [ROOT / "tests" / "plugins" / name for name in ("kalah.py", "nim.py")]
PGN = """[Event "A <b>lesson</b>"]
[White "One"]
[Black "Two"]
[Result "1-0"]

1. e4 {the king's pawn} e5 2. Bc4 (2. Nf3 Nc6 {usual} (2... Nf6 3. Nxe5) 3. Bb5 $1) Nc6
3. Qh5 Nf6?? {[%eval #1] <i>oops</i>} 4. Qxf7# 1-0
"""


class BoardServer:
    """A running scripts/board.  address: of its page; host: what a request has to name."""

    def __init__(self, *words, state=None):
        """state: the folder where it keeps its address for the next time."""
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
        """(status, headers, body) of a request; its headers are exactly those given, Host and length included."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
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
        """(status, answer) of a command of the interface."""
        data = json.dumps(body).encode()
        headers = {
            "Host": self.host,
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
            "Origin": f"http://{self.host}",
        }
        status, _, answer = self.request("POST", f"/{self.token}/api/{command}", data, headers)
        return status, json.loads(answer)

    def listen(self, page):
        """The Events of a page."""
        return Events(self, page)

    def stop(self, number=signal.SIGTERM):
        """End it; (exit status, what it said on stderr)."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        wrong = self.process.communicate(timeout=PATIENCE)[1]
        return self.process.returncode, wrong


class Events:
    """The events of a page, as a browser gets them: by a WebSocket.  A page that is refused is told why: closed."""

    def __init__(self, server, page):
        self._connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self._stream = self._connection.makefile("rb")
        self._connection.sendall(
            f"GET /{server.token}/events/{page} HTTP/1.1\r\nHost: {server.host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        head = list(iter(lambda: self._stream.readline().strip(), b""))
        assert (
            b" 101 " in head[0] and b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head
        )  # RFC 6455's example
        self.closed = None
        assert self.until("hello") or self.closed

    def until(self, kind):
        """The next event of a type; None where the server closes."""
        while True:
            first, length = self._stream.read(2)
            if length > 125:
                length = int.from_bytes(self._stream.read({126: 2, 127: 8}[length]), "big")
            data = self._stream.read(length)
            if first == 0x88:
                self.closed = data[2:].decode()
                return None
            event = json.loads(data)
            if event["type"] == kind:
                return event

    def close(self):
        """Leave, as a page that is closed."""
        self._stream.close()
        self._connection.close()


def ended(pid):
    """Wait until a process has ended."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            status = pathlib.Path(f"/proc/{pid}/stat")
            if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        threading.Event().wait(0.02)
    return False


@contextlib.contextmanager
def board_with_plugins():
    """A BoardServer that knows PLUGINS; at its end it has said nothing wrong."""
    running = BoardServer(*(word for plugin in PLUGINS for word in ("--plugin", plugin)))
    yield running
    status, wrong = running.stop()
    assert status == 128 + 15 and wrong == ""


def tournament(record, *words):
    """A small tournament of two games, into a file."""
    command = [
        sys.executable,
        str(ROOT / "scripts" / "tournament"),
        "--engine",
        "name=A",
        "--engine",
        "name=<i>B<i>",
        "--record",
        str(record),
        *words,
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def play_tournament(record):
    """The same, to its end."""
    assert tournament(record, "--game", "tictactoe", "--depth", "2").wait(60) == 0


# ---- on the page -----------------------------------------------------------------------------------------


def new_game(page, game, start="", you=(True, False), time="move 0.2", options=()):
    """Begin a game by the dialogue; you: who is played by the person."""
    page.choose("#game", game)
    page.wait(
        f"document.querySelector('#game').value === '{game}' && document.body.dataset.tab === 'play'"
    )
    page.click("#new")
    page.wait("document.querySelector('#setup').open")
    page.choose(
        "#you",
        {(True, True): "both", (True, False): "0", (False, True): "1", (False, False): "none"}[you],
    )
    page.choose("#time", time)
    for name, value in options:
        page.choose(f"[data-option={name}]", value)
    page.evaluate("document.querySelector('#start').value = ''")
    if start:
        page.type("#start", start)
    page.click("#begin")
    page.wait("!document.querySelector('#setup').open")


def state(page, *wanted):
    """Wait until the game is in one of these states: yours, theirs, over."""
    return page.wait(
        f"{list(wanted)}.includes(document.body.dataset.state) && document.body.dataset.state"
    )


def play_out(page):
    """Click one legal move after the other until the game is over; the words below the board."""
    while state(page, "yours", "over") == "yours":
        ply = page.evaluate("document.body.dataset.ply")
        if page.evaluate("!document.querySelector('#pass').hidden"):
            page.click("#pass")
        elif page.evaluate("document.querySelector('.walked') !== null"):
            page.click(".node.can")
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


_CAN = "document.querySelector('.cell.can').dataset.cell"
_TARGET = "document.querySelector('.cell .target, .cell .ring').parentNode.dataset.cell"
