"""Executors by name, and the interface that a run expects.

An executor has submit(callable, argument), which returns a future of concurrent.futures or
one like it (add_done_callback, result, cancel, done), and may have shutdown(wait).
"""

from __future__ import annotations

import concurrent.futures
import os
import pkgutil
import sys
from typing import Any, Callable

_SCRIPTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
MakeExecutor = Callable[[], concurrent.futures.Executor]


class ExecutorError(Exception):
    """A name that yields no executor; the message says why."""


def factory(where: str) -> MakeExecutor:
    """Return a function that makes the executor of MODULE:CALLABLE.

    Both raise ExecutorError.  Modules are found in the current directory, too.
    """
    found = _find(where)

    def make() -> concurrent.futures.Executor:
        try:
            executor: concurrent.futures.Executor = found()
        except (concurrent.futures.BrokenExecutor, RuntimeError, OSError):
            raise  # it may succeed another time
        except Exception as error:  # a foreign callable may raise anything
            raise ExecutorError(f"{where}: {type(error).__name__}: {error}") from error
        if not hasattr(executor, "submit"):
            raise ExecutorError(f"{where}: makes a {type(executor).__name__}, not an executor")
        return executor

    return make


def _find(where: str) -> Callable[[], Any]:
    module, colon, attribute = where.partition(":")
    if not (module and colon and attribute):
        raise ExecutorError(f"needs MODULE:CALLABLE, not '{where}'")
    # the folder of our scripts would hide packages of the same names (packaging)
    sys.path[:] = [place for place in sys.path if os.path.realpath(place or ".") != _SCRIPTS]
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Callable[[], Any] = pkgutil.resolve_name(where)
    except Exception as error:  # a foreign module may raise anything
        raise ExecutorError(f"{where}: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise ExecutorError(f"{where}: is not callable")
    return found
