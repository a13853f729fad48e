"""The start of the process: an interpreter that is too old, and Ctrl-C during the imports."""

import ast
import signal
import sys

import pexpect
import pytest
from conftest import NEEDS_TERMINAL, PATIENCE, ROOT, run_python

ENGINE = ROOT / "engine.py"


# Run each given file as if this Python were 3.8; print the exit statuses.
PRETEND_OLD = """
import runpy, sys
sys.version_info = (3, 8, 18, "final", 0)
for path in sys.argv[1:]:
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as leaving:
        print(leaving.code)
"""


def entries():
    """Return the Python files that users start, and the one that `python -m plyglot` runs."""
    scripts = sorted(
        path for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix
    )
    return [
        ROOT / "engine.py",
        ROOT / "plyglot" / "__main__.py",
        *(path for path in scripts if b"python" in path.read_bytes().split(b"\n")[0]),
    ]


def test_every_program_rejects_an_old_python_with_one_line():
    done = run_python("-c", PRETEND_OLD, *entries(), cwd=ROOT)
    assert done.stdout.split() == ["2"] * len(entries()) and len(entries()) > 10
    assert done.stderr == "Plyglot needs Python 3.9 or newer, this is 3.8.18\n" * len(entries())


def test_every_program_compiles_on_an_old_python():
    for path in [*entries(), ROOT / "plyglot" / "__init__.py", ROOT / "protocol" / "__init__.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))
        assert not any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
            for node in ast.walk(tree)
        ), path


STARTS = (
    [("engine.py", "protocol.wire", 130)]
    + [
        (f"scripts/{name}", "plyglot.__main__", 130)
        for name in ("analyse", "board", "learn", "new_game", "play", "tournament", "tree")
    ]
    + [("scripts/tree", "scripts.command_line", -signal.SIGINT)]
    + [("scripts/board --site x --pyodide https://x", "scripts.browser.site", 130)]
    + [
        (f"scripts/{name}", module, 130)
        for name, modules in {
            "lint": ("subprocess", "scripts.environment"),
            "package": ("zipapp", "scripts.jobs.files"),
            "test": ("subprocess", "scripts.environment"),
        }.items()
        for module in modules
    ]
)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("program, module, status", STARTS)
def test_an_interrupt_during_the_imports_prints_no_traceback(program, module, status):
    # A module of the program sends the signal itself, so the test needs no timing.
    path, *words = program.split()
    code = (
        "import os, runpy, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        f"runpy.run_path({str(ROOT / path)!r}, run_name='__main__')\n"
    )
    done = run_python("-c", code, *words, input="uci\n")
    assert done.returncode == status and not done.stderr


@NEEDS_TERMINAL
def test_the_engine_says_how_to_get_help_if_started_at_a_terminal():
    with pexpect.spawn(sys.executable, [str(ENGINE)], timeout=PATIENCE) as child:
        child.expect_exact("engine.py: waiting for commands, such as help, uci or quit")
        child.sendline("quit")
        child.expect(pexpect.EOF)


def test_the_engine_is_silent_if_started_on_a_pipe():
    done = run_python(ENGINE, cwd=ROOT, input="\n")
    assert (done.stdout, done.stderr) == ("", "")
