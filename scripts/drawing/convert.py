"""A picture as PNG or PDF, by a converter of SVG that the machine has."""
from __future__ import annotations

import shutil
import subprocess
import tempfile

from scripts.drawing.figure import FigureError

SUFFIXES = (".png", ".pdf")
# program -> its arguments for (kind, picture to read, file to write)
_CONVERTERS = {
    "rsvg-convert": lambda kind, source,
    target: ["-f", kind, "-o", target] + (["-z", "2"] if kind == "png" else [])
    + [source],
    "inkscape": lambda kind, source,
    target: [f"--export-type={kind}", f"--export-filename={target}", source],
}
_PATIENCE = 60.0


def convert(svg: str, path: str) -> None:
    """Write an SVG's text as the kind of picture that the path's suffix names.

    FigureError in words.
    """
    kind = path.rpartition(".")[2].lower()
    program = next((name for name in _CONVERTERS if shutil.which(name)), None)
    if program is None:
        raise FigureError(
            f"{path}: a .{kind} is made from the .svg by {' or '.join(_CONVERTERS)}, "
            "and neither is here")
    with tempfile.NamedTemporaryFile("w", suffix=".svg", encoding="utf-8") as source:
        source.write(svg)
        source.flush()
        done = subprocess.run([program] + _CONVERTERS[program](kind, source.name, path),
                              stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", errors="replace",
                              timeout=_PATIENCE)
    if done.returncode:
        words = done.stderr.strip().splitlines()
        raise FigureError(f"{path}: {program} failed" + (f": {words[-1]}" if words else ""))
