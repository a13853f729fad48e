"""The first moments of the process: an interpreter that is too old, and Ctrl-C before it is ready."""
import ast
import subprocess
import sys

import pytest
from conftest import ROOT

ENGINE = ROOT / "engine.py"


def test_a_python_that_is_too_old_is_told_so():
    ast.parse(ENGINE.read_text(), feature_version=(3, 6))       # it is read at all ...
    assert "from __future__" not in ENGINE.read_text()          # ... and 3.6 has no such annotations
    code = f"import runpy, sys; sys.version_info = (3, 8, 18); runpy.run_path({str(ENGINE)!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, input="uci\n", timeout=60)
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.startswith("Plyglot needs Python 3.9 or newer, not ") and len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_while_it_imports_is_no_traceback():
    # A module of the engine that sends the signal itself: no moment has to be met.
    code = ("import os, runpy, signal, sys\n"
            "class Finder:\n"
            "    def find_spec(self, name, *rest):\n"
            "        if name == 'protocol.output':\n"
            "            os.kill(os.getpid(), signal.SIGINT)\n"
            "sys.meta_path.insert(0, Finder())\n"
            f"runpy.run_path({str(ENGINE)!r}, run_name='__main__')\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, input="uci\n", timeout=60)
    assert done.returncode == 130 and not done.stderr
