"""A guard process that ends our engines even if we are killed.

An engine may ignore the end of its input, and we may be killed before we can end it
(SIGKILL, a lost worker).  So each process that starts engines also starts one guard: a
small process that receives the engines' process groups through a pipe, and kills those
that are left when the pipe is closed.

    watch(pid)      from now on
    release(pid)    the engine has ended
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import Any

# The guard reads its program from the pipe (the file may lie in an archive), so that a list of
# processes shows its name instead of the source.
_PROGRAM = "exec(eval(input()))"
_NAME = "plyglot-guard"

_lock = threading.Lock()
# (our process id, the guard): a forked child must not use its parent's
_guard: tuple[int, subprocess.Popen[bytes]] | None = None


def watch(pid: int) -> None:
    """Have the process group `pid` killed if we end without release(pid)."""
    _send(f"+{pid}")


def release(pid: int) -> None:
    """Stop guarding the process group `pid`."""
    _send(f"-{pid}")


def _send(word: str) -> None:
    global _guard
    if not hasattr(os, "killpg") or getattr(sys, "frozen", False):  # no groups, no interpreter
        return
    with _lock:
        if _guard is None or _guard[0] != os.getpid():
            _guard = os.getpid(), _start()
        try:
            pipe: Any = _guard[1].stdin
            pipe.write(word.encode() + b"\n")
            pipe.flush()
        except OSError:  # the guard was killed: the next engine starts a new one
            _guard = None


def _start() -> subprocess.Popen[bytes]:
    started = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _PROGRAM, _NAME],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    pipe: Any = started.stdin
    source = globals()["__loader__"].get_source(__name__)
    pipe.write(ascii(source).encode() + b"\n")  # flushed with the first word
    return started


def main() -> None:
    """Run the guard: read until the end of input, then kill the groups that are left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        try:
            os.killpg(group, signal.SIGKILL)
        except OSError:  # the group has ended by itself
            pass


if __name__ == "__main__":
    main()
