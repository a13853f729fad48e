"""The command line of scripts that run jobs for hours: options, termination, exit status."""

from __future__ import annotations

import functools
import os
import pkgutil
import sys
from concurrent import futures
from multiprocessing import active_children
from typing import Any, Callable, NoReturn

from scripts.command_line import WRONG, above_zero, complain, parsed_by, positive, see
from scripts.jobs import signals
from scripts.jobs.files import FileError, WriteError
from scripts.jobs.run import MakeExecutor, Run, RunError
from scripts.jobs.worker import Work

# Exit status of a script that can't continue.
STUCK = 1
_SCRIPTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


class ExecutorError(Exception):
    """Raised if an --executor can't be made; the message says why."""


def add_options(add: Callable[..., None], jobs: str = "jobs") -> None:
    """Add --concurrency, --executor and --lost-after.

    add: the method add() of a Parser, or of a group of options.
    jobs: the plural noun for the help.
    """
    add("--concurrency N", f"{jobs} at a time", 1, type=positive)
    executor = f"callable that returns the executor for the {jobs}.{see('tournaments.md')}"
    add("--executor MODULE:CALLABLE", executor, type=parsed_by(factory, ExecutorError))
    lost = "time without a result after which a job counts as lost (default: never)"
    add("--lost-after SECONDS", lost, type=above_zero)


def open_run(
    arguments: Any, work: Work, words: tuple[str, str], processes: bool = False, **more: Any
) -> Run:
    """Return the Run that the options of add_options() describe.

    work, words, more: passed on to Run.
    processes: whether the jobs run in processes if --executor isn't given.  By default they run in
    threads, which is enough for jobs whose engines compute in processes of their own.
    """
    count = arguments.concurrency
    in_processes = processes and count > 1
    pool: Any = futures.ProcessPoolExecutor if in_processes else futures.ThreadPoolExecutor
    usual = functools.partial(_made, f"--concurrency {count}", functools.partial(pool, count))
    return Run(work, arguments.executor or usual, count, arguments.lost_after, words=words, **more)


def run_script(name: str, main: Callable[[], int | None], *wrong: type[Exception]) -> NoReturn:
    """Call main() and exit with its status, 0 for None.

    wrong: exceptions that mean an invalid command line, besides FileError and ExecutorError.

    The status is 1 if the work can't continue, and 2 if the command line or a file is invalid.
    SIGINT, SIGTERM and SIGHUP end the script with 130, 143 and 129.  They abandon running jobs;
    the results of finished jobs are in the file.  Except under MPI, the worker processes of an
    executor are ended, and its threads aren't awaited.
    """
    refused: tuple[type[Exception], ...] = (FileError, ExecutorError, RunError, OSError, *wrong)
    signals.listen()
    try:
        status = main() or 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else WRONG
    except signals.Interrupted as signalled:
        print(signalled.words, file=sys.stderr)
        status = signalled.status
    except refused as error:
        complain(name, error)
        status = STUCK if isinstance(error, (WriteError, RunError, OSError)) else WRONG
    # Under MPI all processes must end together.
    if "mpi4py.MPI" in sys.modules and status in (0, STUCK, WRONG):
        sys.exit(status)
    for child in active_children():
        child.terminate()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # this error has been reported already
            status = status or STUCK
    os._exit(status)


# ---- executors by name ----------------------------------------------------------------


def factory(where: str) -> MakeExecutor:
    """Return a function that makes an executor by calling MODULE:CALLABLE.

    factory() and the returned function raise ExecutorError.  Modules are also looked up in the
    current directory.
    """
    module, colon, attribute = where.partition(":")
    if not (module and colon and attribute):
        raise ExecutorError(f'needs MODULE:CALLABLE, not "{where}"')
    # while scripts/ is on the path, its folders hide installed packages with the same names
    sys.path[:] = [place for place in sys.path if os.path.realpath(place or ".") != _SCRIPTS]
    sys.path.append(os.getcwd())
    try:
        target: Callable[[], Any] = pkgutil.resolve_name(where)
    except Exception as error:  # a foreign module may raise anything
        raise ExecutorError(f"{where}: {type(error).__name__}: {error}") from error
    if not callable(target):
        raise ExecutorError(f'"{where}" is not callable')
    return functools.partial(_made, where, target)


def _made(where: str, create: Callable[[], Any]) -> futures.Executor:
    """Return the executor that create() makes.  where: what the user typed for it."""
    try:
        executor: futures.Executor = create()
    except (futures.BrokenExecutor, RuntimeError, OSError):
        # Raised unchanged, since another attempt to make the executor may succeed.
        raise
    except Exception as error:  # a foreign callable may raise anything
        raise ExecutorError(f"{where}: {type(error).__name__}: {error}") from error
    if not hasattr(executor, "submit"):
        raise ExecutorError(f"{where}: returned a {type(executor).__name__}, not an executor")
    return executor
