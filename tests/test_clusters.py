"""Tournaments with those executors of docs/tournaments.md whose packages are installed."""
# Not in the fast part of scripts/test.

import contextlib
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys

import pytest
from tournaments import ROOT, SCRIPT, games, run

PAGE = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
WORDS = [
    *"--game tictactoe --engine name=a --engine name=b --depth 1 --rounds 2".split(),
    *"--random-plies 2 --concurrency 2".split(),
]
ENVIRONMENT = {"PYTHONPATH": str(ROOT)}


def needs(package):
    return pytest.mark.skipif(
        importlib.util.find_spec(package) is None, reason=f"{package} is not installed"
    )


def check(tmp_path, output):
    run(tmp_path, *WORDS, "--record", "here.jsonl")
    here, there = (
        {game["id"]: (game["moves"], game["nodes"]) for game in games(tmp_path, name)}
        for name in ("here.jsonl", "tournament.jsonl")
    )
    assert (
        here == there and len(there) == 4 and "was lost" not in output and "Traceback" not in output
    )
    assert {game["process"] for game in games(tmp_path)} != {os.getpid()}


@needs("loky")
def test_loky_plays_a_tournament(tmp_path):
    check(
        tmp_path, run(tmp_path, *WORDS, "--executor", "loky:get_reusable_executor", env=ENVIRONMENT)
    )


def free_port():
    with contextlib.closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@needs("distributed")
def test_dask_plays_a_tournament(tmp_path):
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    text = re.search(r"```python\n(from dask.*?)```", PAGE, re.S).group(1)
    (tmp_path / "cluster.py").write_text(text.replace("tcp://127.0.0.1:8786", address))
    command = [
        sys.executable,
        *"-m distributed.cli.dask_scheduler --port".split(),
        str(port),
        "--no-dashboard",
    ]
    worker = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        address,
        *"--nthreads 1 --nworkers 2 --no-dashboard".split(),
    ]
    (tmp_path / "away").mkdir()
    how = {
        "cwd": tmp_path / "away",
        "env": {**os.environ, **ENVIRONMENT},
        "stderr": subprocess.DEVNULL,
    }
    with subprocess.Popen(command, **how) as scheduler, subprocess.Popen(worker, **how) as workers:
        try:
            check(tmp_path, run(tmp_path, *WORDS, "--executor", "cluster:dask"))
        finally:
            workers.terminate()
            scheduler.terminate()


@needs("mpi4py")
@pytest.mark.skipif(shutil.which("mpiexec") is None, reason="mpiexec is not installed")
def test_mpi_plays_a_tournament(tmp_path):
    command = [
        *"mpiexec --oversubscribe -n 3".split(),
        sys.executable,
        "-m",
        "mpi4py.futures",
        *SCRIPT[1:],
        *WORDS,
        "--executor",
        "mpi4py.futures:MPIPoolExecutor",
    ]
    environment = {
        **os.environ,
        **ENVIRONMENT,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        timeout=200,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    check(tmp_path, done.stdout)


@needs("ray")
def test_ray_plays_a_tournament(tmp_path):
    text = re.search(r"```python\n(import ray.*?)```", PAGE, re.S).group(1)
    (tmp_path / "cluster.py").write_text(
        text.replace('"PYTHONPATH": "."', f'"PYTHONPATH": {json.dumps(str(ROOT))}')
    )
    check(tmp_path, run(tmp_path, *WORDS, "--executor", "cluster:Ray"))
