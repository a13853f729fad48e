"""Transcripts in the documentation: the commands are run again, and their output is compared.

The output must be the same except for times, so a change of the search or of an evaluation also
has to change the transcripts.
"""

import re
import subprocess
import sys

from conftest import ROOT

TIMES = re.compile(r"\b(nps|time) \d+")
SIGN_OF_LIFE = re.compile("info (currmove|nodes) ")


def transcripts(page):
    """Return [(command, the output shown)] of a document's console blocks."""
    return re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def output(command):
    """Return a command's output; it must exit with 0 and write nothing to stderr."""
    done = subprocess.run(
        command.replace("python3", f'"{sys.executable}"'),
        shell=True,
        cwd=ROOT,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0 and done.stderr == b"", done.stderr
    return "".join(
        line + "\n" for line in done.stdout.decode().splitlines() if not SIGN_OF_LIFE.match(line)
    )


def check(command, shown):
    """Assert that the command still prints the output shown."""
    actual = output(command)
    assert shown.strip()
    assert TIMES.sub(r"\1 N", actual) == TIMES.sub(r"\1 N", shown)
