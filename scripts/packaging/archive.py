"""The file that is the whole engine: a zip archive that Python runs."""

from __future__ import annotations

import io
import pathlib
import subprocess
import tempfile
import zipfile

from scripts.command_line import reason
from scripts.jobs.files import Output

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("games", "search", "protocol", "scripts", "plyglot")
SHEBANG = b"#!/usr/bin/env python3\n"

# The earliest time of a zip archive, so that builds don't depend on the time.
_DATE = (1980, 1, 1, 0, 0, 0)
_SUFFIXES = (".py", ".bin", ".html", ".css", ".js", ".svg", ".tex")
# Files that only the engine's developers need.
_LEFT_OUT = ("scripts/lab/", "scripts/packaging/")


def is_archive(path: pathlib.Path) -> bool:
    """Was a file made by build()?"""
    try:
        with zipfile.ZipFile(path) as archive:
            return {"__main__.py", "engine.py", "plyglot/lifeline.py"} <= set(archive.namelist())
    except zipfile.BadZipFile:
        return False


class PackageError(Exception):
    """A file that can't be made; the message says why."""


def engine_files() -> list[tuple[str, pathlib.Path]]:
    """Return [(name in the archive, path)] of all files for the engine and the users' scripts."""
    found = [("engine.py", ROOT / "engine.py"), ("LICENSE", ROOT / "LICENSE")]
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in _SUFFIXES and path.is_file() and not name.startswith(_LEFT_OUT):
                found.append((name, path))
    return found


def compiled_by(interpreter: str) -> tuple[str, bytes]:
    """Return (name, bytes) of the modules that `interpreter` compiled; raise PackageError."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for name, path in engine_files():
            if name.endswith(".py"):
                (place / "all" / name).parent.mkdir(parents=True, exist_ok=True)
                (place / "all" / name).write_bytes(path.read_bytes())
        try:
            script = pathlib.Path(__file__).with_name("bytecode.py")
            words = [interpreter, "-I", str(script), str(place / "all"), str(place / "out")]
            done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            raise PackageError(f"{interpreter} can't compile the engine: {reason(error)}") from None
        if done.returncode:
            errors = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
            raise PackageError(f"{interpreter} can't compile the engine: {errors[-1]}")
        return done.stdout.strip(), (place / "out").read_bytes()


def build(output: Output, parts: dict[str, bytes]) -> None:
    """Write the archive; raise FileError if that fails.

    parts: {name: bytes} from compiled_by().
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, "__main__.py", (ROOT / "scripts" / "packaging" / "start.py").read_bytes())
        for name, data in sorted(parts.items()):
            _add(archive, "compiled/" + name, data, zipfile.ZIP_STORED)
        for name, path in engine_files():
            _add(archive, name, path.read_bytes())
    output.write([SHEBANG, buffer.getvalue()])
    output.path.chmod(0o755)


def _add(
    archive: zipfile.ZipFile, name: str, data: bytes, compression: int = zipfile.ZIP_DEFLATED
) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = compression
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)
