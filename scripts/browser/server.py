"""HTTP for one machine: who may ask, the page's files, the interface, and the events of a page.

All addresses begin with a token that only the person who started the server knows.  A
request has to name this server as its host, and may come from no other origin; the page may
load nothing from elsewhere.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import queue
import select
import socket
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scripts.browser import address
from scripts.browser.desk import Desk
from scripts.browser.interface import Interface
from scripts.browser.watching import Follower
from scripts.browser.websocket import (
    TRY_AGAIN_LATER,
    FrameReader,
    accept_key,
    close_frame,
    text_frame,
)
from scripts.pages.embed import page_file
from scripts.pages.fields import Wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scripts.browser.script import Configuration

# The page's files and what a browser takes them for.
FILES = {
    "index.html": "text/html",
    "icon.svg": "image/svg+xml",
    "style.css": "text/css",
    "board.css": "text/css",
    "tree.css": "text/css",
    **{
        f"{name}.js": "text/javascript"
        for name in (
            "analyse annotate app board dom editor facts game graph grid keeping learn "
            "levels main moves pieces play quiz records report review server setup sound "
            "store tree watch"
        ).split()
    },
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://127.0.0.1:* ws://localhost:*; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
LONGEST_BODY = 8_000_000  # bytes
MOST_PAGES = 16
MOST_STRANGERS = 100  # connections that have not shown the token yet
HEARTBEAT = 0.25  # seconds between two looks at whether the page is still there
SILENCE = 30.0  # seconds that a client may take for a whole request


class Server(ThreadingHTTPServer):
    """Serves a Configuration (script.py) on 127.0.0.1; port 0 chooses a free one.

    address: what a browser opens, its token included.
    """

    daemon_threads = True
    # On Windows it would let a second server have the port of the first one.
    allow_reuse_address = not hasattr(socket, "SO_EXCLUSIVEADDRUSE")
    request_queue_size = 500

    def __init__(self, configuration: Configuration, port: int = 0) -> None:
        usual, self.token = address.remembered()
        try:
            super().__init__(("127.0.0.1", port or usual), Handler)
        except OSError:  # another server has the usual port: this one is for once
            if port or not usual:
                raise
            self.token = address.new_token()
            super().__init__(("127.0.0.1", 0), Handler)
            usual = -1
        self.port = self.server_address[1]
        self.unkept = None if usual < 0 else address.remember(self.port, self.token)
        self.address = f"http://127.0.0.1:{self.port}/{self.token}/"
        self.interface = Interface(configuration)
        self.configuration = configuration
        self._lock = threading.Lock()
        self._strangers: dict[socket.socket, float] = {}  # connection -> since when

    def server_bind(self) -> None:
        """Take the port, for this server alone."""
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        if exclusive is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, exclusive, 1)
        super().server_bind()

    # ---- connections: those that have not shown the token are strangers ---------------

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread; too many strangers make room for the newest."""
        with self._lock:
            self._strangers[request] = time.monotonic()
            oldest = next(iter(self._strangers))
            crowded = len(self._strangers) > MOST_STRANGERS
        if crowded:
            self._turn_out(oldest)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """One connection, from its beginning to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.welcome(request)

    def welcome(self, request: socket.socket) -> None:
        """A connection has shown the token, or is over: it is no stranger any more."""
        with self._lock:
            self._strangers.pop(request, None)

    def wait_for(self, request: socket.socket) -> None:
        """The next request of a connection begins: until it has shown the token, a stranger."""
        with self._lock:
            self._strangers[request] = time.monotonic()

    def service_actions(self) -> None:
        """Turn out who takes too long for a request, be it a byte at a time."""
        now = time.monotonic()
        with self._lock:
            late = [each for each, since in self._strangers.items() if now - since > SILENCE]
        for request in late:
            self._turn_out(request)

    def _turn_out(self, request: socket.socket) -> None:
        self.welcome(request)
        with contextlib.suppress(OSError):  # it has gone by itself
            request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that broke is no news; anything else is our own fault and is told."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def open_desk(self, page: str) -> Desk | None:
        """The Desk of a page that begins to listen; None where there are too many."""
        desks, desk = self.interface.desks, Desk(self.configuration.engines)
        with self._lock:
            if page not in desks and len(desks) >= MOST_PAGES:
                return None
            former, desks[page] = desks.get(page), desk
        if former is not None:
            former.close()
        return desk

    def close_desk(self, page: str, desk: Desk) -> None:
        """The page has gone: so do its engines."""
        desk.close()
        with self._lock:
            if self.interface.desks.get(page) is desk:
                del self.interface.desks[page]

    def close_desks(self) -> None:
        """End the engines of all pages."""
        for desk in list(self.interface.desks.values()):
            desk.close()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    server_version, sys_version = "Plyglot", ""
    protocol_version = "HTTP/1.1"
    timeout = SILENCE

    def log_message(self, *words: Any) -> None:
        """Nothing: the terminal belongs to the person who started the server."""

    def handle_one_request(self) -> None:
        """A request, and then perhaps another one."""
        self.server.wait_for(self.connection)
        super().handle_one_request()

    # ---- who may ask -----------------------------------------------------------------

    def _path(self) -> str | None:
        """The address after the token.

        None (and the request is answered) where it may not be asked for.
        """
        hosts = [f"{name}:{self.server.port}" for name in ("127.0.0.1", "localhost")]
        token, _, rest = self.path.partition("?")[0].lstrip("/").partition("/")
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        if self.headers.get_all("Host", []) not in [[host] for host in hosts]:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "this server has another name")
        elif (
            origin is not None
            and origin not in [f"http://{host}" for host in hosts]
            or site not in ("none", "same-origin")
        ):
            self._refuse(HTTPStatus.FORBIDDEN, "another site may not ask")
        elif not hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            self._refuse(
                HTTPStatus.NOT_FOUND,
                "the address is the one that scripts/board has printed",
            )
        else:
            self.server.welcome(self.connection)
            return rest
        return None

    def _refuse(self, status: HTTPStatus, words: str) -> None:
        self.close_connection = True  # whatever else was sent is not read
        self._answer(status, json.dumps({"error": words}).encode(), "application/json")

    def _answer(self, status: HTTPStatus, data: bytes, kind: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(data)),
            "Cache-Control": "no-store",
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            **headers,
        }.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    # ---- what is asked for -----------------------------------------------------------

    def do_GET(self) -> None:
        """A file of the page, or its events."""
        path = self._path()
        if path is None:
            return
        if path.startswith("events/"):
            self._stream(path[len("events/") :][:100])
            return
        name = path or "index.html"
        if name not in FILES:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        self._answer(HTTPStatus.OK, page_file(name), f"{FILES[name]}; charset=utf-8")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """A command of the interface."""
        path = self._path()
        if path is None:
            return
        command = (
            self.server.interface.commands.get(path[len("api/") :])
            if path.startswith("api/")
            else None
        )
        if command is None:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such command")
            return
        body = self._body()
        if body is None:
            return
        try:
            answer = command(body)
        except Wrong as error:
            answer = {"error": str(error)}
        self._answer(
            HTTPStatus.OK,
            json.dumps(answer, separators=(",", ":")).encode(),
            "application/json",
        )

    def _body(self) -> dict[str, Any] | None:
        """The JSON object that was sent.

        None (and the request is answered) where it is none.
        """
        length = self.headers.get("Content-Length", "")
        if not (
            length.isascii()
            and length.isdigit()
            and len(length) < 12
            and int(length) <= LONGEST_BODY
        ) or self.headers.get("Transfer-Encoding"):
            self._refuse(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"a command has at most {LONGEST_BODY} bytes",
            )
            return None
        if self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a command is application/json")
            return None
        try:
            body = json.loads(self.rfile.read(int(length)).decode("utf-8"))
        except (ValueError, RecursionError):  # the latter where it is nested too deep
            body = None
        if not isinstance(body, dict):
            self._refuse(HTTPStatus.BAD_REQUEST, "a command is a JSON object")
            return None
        return body

    # ---- events ----------------------------------------------------------------------

    def _stream(self, page: str) -> None:
        """The events of one page until it goes.

        By a WebSocket, of which a browser opens as many as there are tabs; of plain HTTP
        streams it opens six, and then not a request goes through any more.
        """
        key = self.headers.get("Sec-WebSocket-Key")
        upgrade = self.headers.get("Upgrade", "").lower()
        if self.command != "GET" or upgrade != "websocket" or key is None:
            self._refuse(HTTPStatus.UPGRADE_REQUIRED, "events come by a WebSocket")
            return
        self.close_connection = True
        self.send_response(HTTPStatus.SWITCHING_PROTOCOLS)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", accept_key(key))
        self.end_headers()
        desk = self.server.open_desk(page)
        if desk is None:  # told so, since a page never sees with which status it is refused
            reason = f"There are {MOST_PAGES} pages open already: close one, then reload this one."
            self.wfile.write(close_frame(TRY_AGAIN_LATER, reason))
            return
        try:
            self._tell_events(desk)
        finally:
            self.server.close_desk(page, desk)

    def _tell_events(self, desk: Desk) -> None:
        self._send({"type": "hello"})
        record = self.server.configuration.tournament
        follower = None if record is None else Follower(record)
        reader = FrameReader()
        while not desk.closed and not self._has_left(reader):
            news = None if follower is None else follower.look()
            if news is not None:
                self._send(news)
            try:
                self._send(desk.events.get(timeout=HEARTBEAT))
            except queue.Empty:
                pass

    def _send(self, event: dict[str, Any]) -> None:
        self.wfile.write(text_frame(json.dumps(event, separators=(",", ":")).encode()))

    def _has_left(self, reader: FrameReader) -> bool:
        """Has the page closed its end?  A ping of it is answered meanwhile."""
        while select.select([self.connection], [], [], 0)[0]:
            data = self.connection.recv(65_536)
            if not data:
                return True
            for answer in reader.answers(data):
                self.wfile.write(answer)
            if reader.closed:
                return True
        return False
