"""scripts/tournament as a process, for its tests."""

import json
import pathlib
import subprocess
import sys

import warm

ROOT = pathlib.Path(__file__).resolve().parent.parent
STUBS = pathlib.Path(__file__).resolve().parent / "stubs"
# [(executor, minimum number of jobs that it loses)]
EXECUTORS = [
    ("concurrent.futures:ProcessPoolExecutor", 0),
    ("executors:Losing", 2),
    ("executors:dying", 1),
]
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
    found, said, _ = warm.run("scripts/tournament", *words, cwd=tmp_path, env=env, merged=True)
    assert found == status, said
    return said


def games(tmp_path, name="tournament.jsonl"):
    """Return the results in a record."""
    lines = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
    return [line for line in lines if "id" in line]


def processes(marker, scripts=False):
    """Return the command line of each running process that has `marker` in it.

    scripts: whether to include the processes of the project's scripts.
    """
    shown = subprocess.run(
        ["ps", "-A", "-ww", "-o", "args"], stdout=subprocess.PIPE, text=True
    ).stdout
    return [
        line
        for line in shown.splitlines()
        if str(marker) in line and (scripts or str(ROOT / "scripts") not in line)
    ]
