"""The HTTP server: access checks, the page's files, commands, and events.

All addresses begin with a token that only the person who started the server knows.  A
request must name this server as its host and come from no other origin; the page may
load nothing from other servers.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import re
import secrets
import socket
import sys
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from scripts.browser import address
from scripts.browser.interface import Interface, PageSettings
from scripts.pages.embed import page_file
from scripts.pages.fields import Wrong

# The names that files of the page may have, and their media types by suffix.
_FILE = re.compile(r"[a-z]+\.(html|svg|css|js)")
_TYPES = {"html": "text/html", "svg": "image/svg+xml", "css": "text/css", "js": "text/javascript"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
# Maximum number of bytes of a command.
LONGEST_BODY = 8_000_000
# Maximum seconds between two messages to a page, since only sending one shows that a page is gone.
HEARTBEAT = 0.15
# Maximum seconds until the token arrives, and between two pieces of a request.
PATIENCE = 30.0
# Maximum number of connections that have yet to send the token.
MAX_STRANGERS = 64


class Server(ThreadingHTTPServer):
    """A server for PageSettings (interface.py) on 127.0.0.1.

    port: 0 means the last run's port, or a free port if that one is taken.
    address: the server's URL with the token.
    unkept: why the address could not be stored for the next run, or None.
    """

    # On Windows, address reuse would let a second server take the first one's port.
    allow_reuse_address = not hasattr(socket, "SO_EXCLUSIVEADDRUSE")
    request_queue_size = 500

    def __init__(self, settings: PageSettings, port: int = 0) -> None:
        usual, self.token = address.remembered()
        try:
            super().__init__(("127.0.0.1", port or usual), Handler)
        except OSError:  # the usual port is taken: use another one, for this run only
            if port or not usual:
                raise
            self.token = secrets.token_urlsafe()
            super().__init__(("127.0.0.1", 0), Handler)
            usual = -1
        self.unkept = None if usual < 0 else address.remember(self.server_port, self.token)
        self.address = f"http://127.0.0.1:{self.server_port}/{self.token}/"
        self.interface = Interface(settings)
        # {a connection that hasn't sent the token yet: when it began}, the oldest first.  A
        # connection's own thread removes its entry.
        self._strangers: dict[socket.socket, float] = {}

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept a connection; if there are too many without the token, end the oldest of these."""
        connection, peer = super().get_request()
        self._strangers[connection] = time.monotonic()
        for oldest in list(self._strangers)[:-MAX_STRANGERS]:
            self._end(oldest)
        return connection, peer

    def admit(self, connection: socket.socket) -> None:
        """Record that a connection has sent the token, or has ended."""
        self._strangers.pop(connection, None)

    def service_actions(self) -> None:
        """End connections that haven't sent the token in time; called several times per second."""
        late = time.monotonic() - PATIENCE
        for connection in list(self._strangers):
            if self._strangers.get(connection, late) < late:
                self._end(connection)

    def _end(self, connection: socket.socket) -> None:
        """Shut down a connection, so that the thread which reads from it ends."""
        self.admit(connection)
        with contextlib.suppress(OSError):  # the connection has ended already
            connection.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        self.admit(request)
        super().shutdown_request(request)

    def server_bind(self) -> None:
        """Bind the port exclusively."""
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        if exclusive is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, exclusive, 1)
        super().server_bind()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, unless it is a broken connection."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Refused(Exception):
    """Raised if a request is refused.  args: the HTTP status, and the reason."""


class Handler(BaseHTTPRequestHandler):
    """The handler of a connection, which carries one request."""

    server: Server
    server_version, sys_version = "Plyglot", ""
    timeout = PATIENCE

    def log_message(self, *words: Any) -> None:
        """Log nothing, since the terminal belongs to the person who started the server."""

    def handle_one_request(self) -> None:
        """Handle one request; answer a refused one with its status and the reason."""
        try:
            super().handle_one_request()
        except Refused as error:
            status, words = error.args
            self._answer_json(status, {"error": words})

    # ---- access ----------------------------------------------------------------------

    def _path(self) -> str:
        """Return the path after the token; raise Refused if the request must not be answered."""
        hosts = [f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")]
        token, _, rest = self.path.partition("?")[0].lstrip("/").partition("/")
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        if self.headers.get_all("Host", []) not in [[host] for host in hosts]:
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "the Host header must name this server")
        own = (None, *(f"http://{host}" for host in hosts))
        if origin not in own or site not in ("none", "same-origin"):
            raise Refused(HTTPStatus.FORBIDDEN, "requests from other sites are not allowed")
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            words = "unknown address: use the one that scripts/board printed"
            raise Refused(HTTPStatus.NOT_FOUND, words)
        self.server.admit(self.connection)
        return rest

    def _answer_json(self, status: HTTPStatus, answer: Any) -> None:
        self._answer(status, json.dumps(answer, separators=(",", ":")).encode(), "application/json")

    def _answer(self, status: HTTPStatus, data: bytes, kind: str) -> None:
        self._begin(status, {"Content-Type": kind, "Content-Length": str(len(data))})
        self.wfile.write(data)

    def _begin(self, status: HTTPStatus, headers: dict[str, str]) -> None:
        """Send the status and the headers of an answer."""
        self.send_response(status)
        for name, value in {**HEADERS, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    # ---- requests --------------------------------------------------------------------

    def do_GET(self) -> None:
        """Send a file of the page, or the stream of its events."""
        path = self._path()
        if path.startswith("events/"):
            self._stream(path[len("events/") :][:100])
            return
        named = _FILE.fullmatch(path or "index.html")
        try:
            data = page_file(named[0]) if named else b""
        except OSError:
            named = None
        if named is None:
            raise Refused(HTTPStatus.NOT_FOUND, "no such page")
        self._answer(HTTPStatus.OK, data, f"{_TYPES[named[1]]}; charset=utf-8")

    def do_POST(self) -> None:
        """Run a command of the interface."""
        folder, _, name = self._path().partition("/")
        interface = self.server.interface
        if folder != "api" or name not in interface.commands:
            raise Refused(HTTPStatus.NOT_FOUND, "no such command")
        self._answer_json(HTTPStatus.OK, interface.answer(name, self._body()))

    def _body(self) -> dict[str, Any]:
        """Return the request's body, a JSON object; raise Refused if it isn't one."""
        length = self.headers.get("Content-Length", "")
        proper = length.isascii() and length.isdigit() and len(length) < 12
        if not proper or int(length) > LONGEST_BODY or self.headers.get("Transfer-Encoding"):
            words = f"a command needs a Content-Length of at most {LONGEST_BODY} bytes"
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)
        if self.headers.get_content_type() != "application/json":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a command must be application/json")
        data = self.rfile.read(int(length))
        try:
            body = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):  # RecursionError if the JSON is nested too deeply
            body = None
        if not isinstance(body, dict):
            raise Refused(HTTPStatus.BAD_REQUEST, "a command must be a JSON object")
        return body

    # ---- events ----------------------------------------------------------------------

    def _stream(self, page: str) -> None:
        """Send server-sent events to a page until it disconnects."""
        self._begin(HTTPStatus.OK, {"Content-Type": "text/event-stream"})
        interface = self.server.interface
        try:
            engines = interface.open(page)
        except Wrong as error:  # tell the page by an event, since it can't read the HTTP status
            self._send({"type": "refused", "error": str(error)})
            return
        try:
            while not engines.closed:
                self._send(engines.next_event(HEARTBEAT))
        finally:
            interface.leave(page, engines)

    def _send(self, event: dict[str, Any] | None) -> None:
        """Send an event, or an empty comment; raise OSError if the page has disconnected."""
        text = ":" if event is None else f"data: {json.dumps(event, separators=(',', ':'))}"
        self.wfile.write(f"{text}\n\n".encode())
