"""scripts/tournament as a process, for its tests."""

import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
STUBS = pathlib.Path(__file__).resolve().parent / "stubs"
SCRIPT = [sys.executable, str(ROOT / "scripts" / "tournament")]


def stub(name, marker=""):
    """Return the --engine text of a stub; `marker` identifies its processes."""
    return [
        "--engine",
        f"name={name}",
        f"cmd='{sys.executable}' '{STUBS / name}.py' '{marker}'",
        "proto=uci",
    ]


def run(tmp_path, *words, status=0, env=None):
    """Run a tournament and return its output."""
    done = subprocess.run(
        SCRIPT + list(words),
        cwd=tmp_path,
        env=dict(os.environ, **(env or {})),
        timeout=300,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def games(tmp_path, name="tournament.jsonl"):
    """Return the results in a record."""
    return [json.loads(line) for line in (tmp_path / name).read_text().splitlines()[1:]]


def processes(marker):
    """Return the command lines that contain `marker`."""
    shown = subprocess.run(
        ["ps", "-A", "-ww", "-o", "args"], stdout=subprocess.PIPE, text=True
    ).stdout
    return [
        line
        for line in shown.splitlines()
        if str(marker) in line and "scripts/tournament" not in line
    ]


def wait_until(condition):
    last = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.05)
