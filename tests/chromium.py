"""A real browser for tests: headless Chromium over its debugging pipe, with the standard library only.

    with Browser(folder) as browser:
        page = browser.open("http://127.0.0.1:8000/")
        page.click("#new")
        page.wait("document.title == 'Done'")
        assert not page.errors

Commands are JSON objects that end with NUL, on file descriptor 3; answers and events come on 4
(https://chromedevtools.github.io/devtools-protocol/).
"""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import threading
import time

try:
    import fcntl
except ImportError:
    fcntl = None  # without it, no browser can be driven through a pipe

TIMEOUT = 60  # seconds; an event that hasn't come by then won't come

# The browser's errors if a page leaves its document before a script in the document ends.
LEFT = (
    "Inspected target navigated or closed",
    "Execution context was destroyed.",
    "Cannot find default execution context",
)
# The headless shell, the same browser without windows, takes less than two thirds of the CPU time.
COMMANDS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
COMMAND = fcntl and next(filter(None, map(shutil.which, COMMANDS)), None)
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
--disable-background-networking --disable-component-update --disable-extensions
--disable-dev-shm-usage --hide-scrollbars --force-color-profile=srgb --remote-debugging-pipe
""".split()
KEYS = {
    "Enter": ("\r", 13),
    " ": (" ", 32),
    "Tab": ("", 9),
    "Backspace": ("", 8),
    "Escape": ("", 27),
}
# The key codes of these keys are 33 to 40, in this order.
MOVING = "PageUp", "PageDown", "End", "Home", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"
KEYS.update((key, ("", code)) for code, key in enumerate(MOVING, 33))


class Refused(AssertionError):
    """Raised if the browser can't carry out a command.  reason: the browser's error message."""

    def __init__(self, method, reason):
        super().__init__(f"{method}: {reason}")
        self.reason = reason


class Browser:
    """A running Chromium.  folder: where the browser stores its profile."""

    def __init__(self, folder):
        read, self._write = os.pipe()
        self._read, write = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read, write)]

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self._process = subprocess.Popen(
            [COMMAND, *FLAGS, f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=place,
            pass_fds=(3, 4),
        )
        for end in (read, write, *ends):
            os.close(end)
        self._answers, self._last, self.pages, self._news = {}, 0, {}, threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """Close the browser."""
        self._process.terminate()
        try:
            self._process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._write)

    def _listen(self):
        rest = b""
        with os.fdopen(self._read, "rb", buffering=0) as stream:
            for data in iter(lambda: stream.read(1 << 16), b""):
                *whole, rest = (rest + data).split(b"\0")
                for text in whole:
                    self._take(json.loads(text))

    def _take(self, message):
        with self._news:
            if "id" in message:
                self._answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].take(message["method"], message["params"])
            self._news.notify_all()

    def call(self, method, session=None, **parameters):
        """Send a command; return its result, or raise Refused."""
        with self._news:
            self._last += 1
            number = self._last
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        with self._news:
            assert self._news.wait_for(lambda: number in self._answers, TIMEOUT), (
                f"no answer to {method}"
            )
            answer = self._answers.pop(number)
        if "error" in answer:
            raise Refused(method, answer["error"]["message"])
        return answer["result"]

    def wait(self, condition):
        """Wait until the browser's events have made condition() true."""
        with self._news:
            assert self._news.wait_for(condition, TIMEOUT)

    def save_to(self, folder):
        """Set the folder of downloads."""
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def open(self, address, width=1100, height=820, fresh=False, **media):
        """Return a Page at an address.  media: features such as prefers_color_scheme="dark".

        fresh: whether the page finds nothing stored, as on a first visit.
        """
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log"):
            page.call(f"{domain}.enable")
        page.resize(width, height)
        features = [
            {"name": name.replace("_", "-"), "value": value} for name, value in media.items()
        ]
        page.call("Emulation.setEmulatedMedia", features=features)
        if fresh:
            page.call(
                "Storage.clearDataForOrigin",
                origin="/".join(address.split("/")[:3]),
                storageTypes="local_storage",
            )
        page.call("Page.navigate", url=address)
        return page


@contextlib.contextmanager
def patient_browser(folder, seconds):
    """Yield a Browser that waits up to `seconds` for an event, since Python loads slowly in a page."""
    global TIMEOUT
    usual, TIMEOUT = TIMEOUT, seconds
    with Browser(folder) as running:
        yield running
    TIMEOUT = usual


class Page:
    """One tab.

    errors: errors on its console.
    workers: {version of a service worker: its status}, once the domain ServiceWorker is enabled.
    """

    def __init__(self, browser, session, target):
        self._browser, self._session, self._target = browser, session, target
        self.errors = []
        self.workers = {}

    def call(self, method, **parameters):
        """Send a command of the debugging protocol to this tab; return its result."""
        return self._browser.call(method, self._session, **parameters)

    def take(self, method, parameters):
        """Handle an event of the debugging protocol."""
        if method == "Runtime.exceptionThrown":
            self.errors.append(parameters["exceptionDetails"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(parameters["args"])
        elif method == "ServiceWorker.workerVersionUpdated":
            for version in parameters["versions"]:
                self.workers[version["versionId"]] = version["status"]

    def resize(self, width, height, mobile=False):
        """Resize the window."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def reload(self):
        """Reload the page; return when the new document has replaced it."""
        self.evaluate("window.former = true")
        self.call("Page.reload")
        self.wait("!window.former")

    def evaluate(self, expression):
        """Return the value of a JavaScript expression; await it if it is a promise."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, f"{expression}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    def wait(self, expression):
        """Wait until an expression is true, in this document or a later one; return the expression's value."""
        guarded = (
            f"(() => {{ try {{ const found = {expression}; return found instanceof Node || found }} "
            "catch { return null } })()"
        )
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            try:
                value = self.evaluate(guarded)
            except Refused as refused:
                if refused.reason not in LEFT:
                    raise
                value = None
            if value:
                return value
            time.sleep(0.01)
        raise AssertionError(
            f"still false: {expression}; status: {self.evaluate('document.body.innerText')[:600]}"
        )

    def text(self, selector):
        """Return the text of an element."""
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def texts(self, selector):
        """Return the texts of all elements that match a selector."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})]"
        return self.evaluate(f"{found}.map(each => each.textContent)")

    def count(self, selector):
        """Return the number of elements that match a selector."""
        return len(self.texts(selector))

    def wait_text(self, selector, text):
        """Wait until an element has this text."""
        found = f"document.querySelector({json.dumps(selector)}).textContent"
        self.wait(f"{found} === {json.dumps(text)}")

    def wait_part(self, selector, text):
        """Wait until an element's text contains this text."""
        found = f"document.querySelector({json.dumps(selector)}).textContent"
        self.wait(f"{found}.includes({json.dumps(text)})")

    def wait_count(self, selector, number):
        """Wait until this number of elements match a selector."""
        self.wait(f"document.querySelectorAll({json.dumps(selector)}).length === {number}")

    def _middle(self, selector):
        found = self.wait(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)}); "
            "if (!found) return null; found.scrollIntoView({block: 'nearest'}); "
            "const box = found.getBoundingClientRect(); "
            "return box.width && {x: box.x + box.width / 2, y: box.y + box.height / 2} })()"
        )
        return found["x"], found["y"]

    def _mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", **more)

    def click(self, selector):
        """Click in the middle of an element."""
        x, y = self._middle(selector)
        self._mouse("mousePressed", x, y, clickCount=1)
        self._mouse("mouseReleased", x, y, clickCount=1)

    def drag(self, start, end):
        """Drag from the middle of one element to the middle of another."""
        (x, y), (to_x, to_y) = self._middle(start), self._middle(end)
        self._mouse("mousePressed", x, y, clickCount=1)
        self._mouse("mouseMoved", (x + to_x) / 2, (y + to_y) / 2, buttons=1)
        self._mouse("mouseMoved", to_x, to_y, buttons=1)
        self._mouse("mouseReleased", to_x, to_y, clickCount=1)

    def give_file(self, selector, path, button):
        """Press a button that asks for a file, and choose the file at `path`.

        selector: the page's file input.
        """
        self.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.click(button)
        found = self.call(
            "Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})"
        )
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=found["result"]["objectId"])

    def press(self, key):
        """Press a key."""
        text, code = KEYS.get(key, (key, ord(key[0].upper())))
        self.call(
            "Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code
        )
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, selector, text):
        """Set the text of a field."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def choose(self, selector, value):
        """Select an option."""
        chosen = self.evaluate(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}); box.value = {json.dumps(str(value))}; "
            "box.dispatchEvent(new Event('change', {bubbles: true})); return box.value })()"
        )
        assert chosen == str(value)

    def frames(self):
        """Wait until the present state of the page has been drawn."""
        frame = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go)))"
        self.evaluate(f"new Promise((go) => {frame})")

    def picture(self, path):
        """Save a screenshot as PNG."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        """Close the tab; return when it is gone, and has released its locks and its service worker."""
        self._browser.call("Target.closeTarget", targetId=self._target)
        last = time.monotonic() + TIMEOUT
        while any(
            each["targetId"] == self._target
            for each in self._browser.call("Target.getTargets")["targetInfos"]
        ):
            assert time.monotonic() < last, "the tab never closes"
            time.sleep(0.02)
