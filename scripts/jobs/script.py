"""The frame of a script that does long work in jobs: its options, how it ends, its exit status."""

from __future__ import annotations

import concurrent.futures
import os
import sys
from argparse import ArgumentTypeError
from typing import Any, Callable, NoReturn

from plyglot.command import WINDOWS
from scripts.command_line import WRONG, above_zero, complain, positive, see, tell
from scripts.jobs import signals
from scripts.jobs.executors import ExecutorError, MakeExecutor, factory
from scripts.jobs.files import FileError, WriteError
from scripts.jobs.run import Run, RunError
from scripts.jobs.worker import Job, Result

MOST_PROCESSES = 61  # of one executor on Windows, which waits for no more at a time
STUCK = 1  # the exit status of a script that can't go on


def add_options(parser: Any, jobs: str = "jobs") -> None:
    """Add --concurrency, --executor and --lost-after; parser: or a group of one.

    jobs: what they are called, in the plural.
    """
    add = parser.add_argument
    add(
        "--concurrency", metavar="N", type=positive, default=1, help=f"{jobs} at a time (default 1)"
    )
    add(
        "--executor",
        metavar="MODULE:CALLABLE",
        type=_factory,
        help=f"makes the executor for the {jobs}.{see('tournaments.md')}",
    )
    add(
        "--lost-after",
        metavar="SECONDS",
        type=above_zero,
        help="time without a result after which a job counts as lost (default: never)",
    )


def _factory(where: str) -> MakeExecutor:
    try:
        return factory(where)
    except ExecutorError as error:
        raise ArgumentTypeError(str(error)) from None


def make_executor(arguments: Any, processes: bool = False) -> MakeExecutor:
    """What makes the executor that the command line asks for.

    processes: without --executor, jobs at the same time need processes, since they
    compute here; else threads will do, since engines compute for them.
    """
    if arguments.executor:
        make: MakeExecutor = arguments.executor
        return make
    if processes and arguments.concurrency > 1:
        if WINDOWS and arguments.concurrency > MOST_PROCESSES:
            raise ExecutorError(
                f"--concurrency must be 1 to {MOST_PROCESSES} on Windows, "
                f"not {arguments.concurrency}"
            )
        return lambda: concurrent.futures.ProcessPoolExecutor(arguments.concurrency)
    return lambda: concurrent.futures.ThreadPoolExecutor(arguments.concurrency)


def open_run(
    arguments: Any,
    work: str,
    words: tuple[str, str] = ("job", "done"),
    processes: bool = False,
    note: Callable[[str], None] = tell,
    fits: Callable[[Job, Result], str | None] | None = None,
) -> Run:
    """The Run that the options of add_options() ask for; work, words, note, fits as for Run."""
    return Run(
        work,
        make_executor(arguments, processes),
        arguments.concurrency,
        arguments.lost_after,
        note,
        words,
        fits,
        bool(arguments.executor),
    )


def run_script(name: str, main: Callable[[], int | None]) -> NoReturn:
    """Call main() and exit with its status, 0 for None.

    SIGINT, SIGTERM and SIGHUP end it with 130, 143 and 129: jobs that run are given
    up, finished ones are in the file.  1: it can't go on.  2: the command line or the
    file is wrong.
    """
    signals.listen()
    try:
        status = main() or 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else WRONG
    except signals.Interrupted as signalled:
        signals.ignore()
        print("interrupted; the same command goes on from there", file=sys.stderr)
        status = signalled.status
    except (WriteError, RunError, OSError) as error:
        complain(name, error)
        status = STUCK
    except (FileError, ExecutorError) as error:
        complain(name, error)
        status = WRONG
    leave(status)


def leave(status: int) -> NoReturn:
    """End the worker processes of an executor and exit: no thread of it keeps us from leaving.

    Under MPI every process has to take part in the end: then it is an ordinary exit.
    """
    from multiprocessing import active_children

    if "mpi4py.MPI" in sys.modules and status in (0, STUCK, WRONG):
        sys.exit(status)

    for child in active_children():
        child.terminate()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # told already, where there is anybody to tell
            status = status or STUCK
    os._exit(status)
