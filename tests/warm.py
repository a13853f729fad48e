"""Run scripts in forks of one process that has already loaded the project, to save their start-up.

run() gives a script its own working directory, environment, arguments and outputs, and returns the
exit status and the output, as subprocess would.  Without fork() it starts the script as a process.
"""

import atexit
import importlib
import json
import os
import pathlib
import random
import runpy
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOADED = (  # modules that scripts import late
    "games.registry games.chess.position games.othello.position protocol.records.formats "
    "scripts.arena.tournament scripts.arena.uci scripts.report.analyse scripts.drawing.tree "
    "scripts.pages.embed scripts.starter.new_game"
).split()
_server = None


def run(script, *words, input="", cwd=None, env=None, timeout=300, merged=False):
    """Run a script of the project; return (status, stdout, stderr).

    script: its path, relative to the project.  input: what it reads on stdin.
    merged: stderr goes to stdout, too.
    """
    command = [str(ROOT / script), *map(str, words)]
    env = dict(os.environ, **(env or {}))
    if not hasattr(os, "fork"):
        done = subprocess.run(
            [sys.executable, *command],
            input=input,
            cwd=cwd,
            env=env,
            timeout=timeout,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merged else subprocess.PIPE,
            encoding="utf-8",
        )
        return done.returncode, done.stdout, done.stderr or ""
    with tempfile.TemporaryDirectory() as folder:
        outputs = [os.path.join(folder, name) for name in ("stdout", "stderr")]
        pathlib.Path(outputs[1]).touch()
        given = pathlib.Path(folder, "stdin")
        given.write_text(input, encoding="utf-8")
        request = {"command": command, "cwd": str(cwd or "."), "env": env, "given": str(given)}
        request.update(outputs=outputs[:1] * 2 if merged else outputs, timeout=timeout)
        status = _ask(request)
        return status, *(pathlib.Path(name).read_text(encoding="utf-8") for name in outputs)


def _ask(request):
    global _server
    if _server is None:
        _server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(_server.stdin.close)
    print(json.dumps(request), file=_server.stdin, flush=True)
    return int(_server.stdout.readline())


def _serve():
    """Run each requested script in a fork, and print its exit status."""
    sys.path.insert(0, str(ROOT))
    for name in LOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            return _become(**request)
        status = os.waitpid(child, 0)[1]
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(command, cwd, env, given, outputs, timeout):
    """Run a script as the interpreter does; the alarm ends it if it hangs."""
    signal.alarm(timeout)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for number, file in enumerate(
        [os.open(given, os.O_RDONLY), *(os.open(name, flags) for name in outputs)]
    ):
        os.dup2(file, number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    random.seed()
    sys.argv[:] = command
    places = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:2] = [os.path.dirname(command[0]), *places]
    runpy.run_path(command[0], run_name="__main__")


if __name__ == "__main__":
    _serve()
