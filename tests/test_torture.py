"""scripts/torture: some cases of each kind, reproducible, and failures are detected."""

import platform
import subprocess
import sys

import pytest
from conftest import ROOT

from scripts.stress.script import run_script

# Number of cases of each kind.
CASES = {
    "fuzz": 8,
    "races": 5,
    "signals": 10,
    "disks": 14,
    "clocks": 3,
    "memory": 1,
    "helpers": 1,
    "plugins": 3,
    "floods": 2,
    "records": 4,
}
# Divisor of the number of cases: PyPy needs longer to start and to warm up.
SHARE = 2 if platform.python_implementation() == "PyPy" else 1


def run(*words):
    """Run the script to its end."""
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "torture"), *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )


def torture(*words):
    """Run the script; return (exit status, output)."""
    done = run(*words)
    assert not done.stderr
    return done.returncode, done.stdout


@pytest.mark.parametrize("kind, cases", CASES.items())
def test_the_engine_passes_a_sample_of_each_kind(kind, cases):
    status, output = torture("--kind", kind, "--cases", max(cases // SHARE, 1), "--seed", 18)
    assert status == 0 and output.startswith(f"{kind}: ") and "no failures" in output, output


@pytest.fixture
def broken(tmp_path):
    """Return the command of an interpreter with a faulty engine, which answers each search twice."""
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0] if line.split() else ''\n"
        "    if word == 'isready':\n        print('readyok')\n"
        "    elif word == 'go':\n        print('bestmove e2e4\\nbestmove e2e4')\n"
        "    elif word == 'quit':\n        break\n"
        "    elif word.startswith('mark'):\n"
        "        print('info string error: unknown command:', line.strip())\n"
        "    sys.stdout.flush()\n"
    )
    command = tmp_path / "python"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{engine}"\n')
    command.chmod(0o755)
    return command


def test_a_failure_is_shown_and_can_be_repeated(broken):
    words = ("--kind", "races", "--seed", 3, "--python", broken)
    status, output = torture(*words, "--cases", 1)
    assert status == 1 and "failures: 1" in output
    assert f"again: scripts/torture --kind races --seed 3 --case 0 --python {broken}" in output
    again = torture(*words, "--case", 0)
    sent = [
        [line for line in text.splitlines() if line.startswith("  > ")]
        for text in (output, again[1])
    ]
    assert (
        again[0] == 1 and sent[0][:5] == sent[1][:5] and any(" > go " in line for line in sent[0])
    )


@pytest.mark.parametrize(
    "words, wrong",
    [
        (["--cases", 0], "--cases: must be at least 1, not 0"),
        (["--cases=-3"], "--cases: must be at least 1, not -3"),
        (["--cases", "some"], "--cases: must be a whole number, not 'some'"),
        (["--case=-1"], "--case: must be at least 0, not -1"),
        (["--seconds", 0], "--seconds: must be above 0, not 0"),
        (["--seconds", "nan"], "--seconds: must be above 0, not nan"),
        (["--seconds", "long"], "--seconds: must be a number, not 'long'"),
    ],
)
def test_invalid_numbers_are_refused(words, wrong, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["torture", "--kind", "fuzz", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        run_script()
    output, complaint = capsys.readouterr()
    assert ended.value.code == 2 and not output
    assert complaint == f"scripts/torture: argument {wrong} (see scripts/torture --help)\n"
