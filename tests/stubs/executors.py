"""Factories of executors that lose workers."""

import concurrent.futures
import os
import pathlib


class Losing(concurrent.futures.Executor):
    """An executor that loses the worker of its second job and breaks at its fourth; threads run all other jobs."""

    jobs = 0

    def __init__(self):
        self._threads = concurrent.futures.ThreadPoolExecutor(2)

    def submit(self, work, *arguments):
        Losing.jobs += 1
        if Losing.jobs == 4:
            raise concurrent.futures.BrokenExecutor("the executor is broken")
        return self._threads.submit(lost if Losing.jobs == 2 else work, *arguments)

    def shutdown(self, wait=True, cancel_futures=False):
        self._threads.shutdown(wait)


def lost(job):
    raise ConnectionError("the worker is gone")


class Dying(concurrent.futures.ProcessPoolExecutor):
    """A pool of processes whose first job kills its worker process.

    The pool then creates the file that the environment variable DYING names; once that file exists,
    all jobs are done as usual.
    """

    def submit(self, work, *arguments):
        mark = pathlib.Path(os.environ["DYING"])
        if mark.exists():
            return super().submit(work, *arguments)
        mark.touch()
        return super().submit(die, *arguments)


def dying():
    """Return a new Dying executor."""
    return Dying(2)


def die(job):
    os._exit(1)
