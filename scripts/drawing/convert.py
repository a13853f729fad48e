"""Pictures as PNG or PDF, made by an installed SVG converter."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from scripts.drawing.figure import FigureError
from scripts.jobs.files import Output

SUFFIXES = (".png", ".pdf")
_PATIENCE = 60.0
_ZOOM = 2  # PNG pixels per SVG pixel


def _rsvg(kind: str, source: str, target: str) -> list[str]:
    return ["-f", kind, "-o", target, *(["-z", str(_ZOOM)] if kind == "png" else []), source]


def _inkscape(kind: str, source: str, target: str) -> list[str]:
    return [f"--export-type={kind}", f"--export-filename={target}", source]


def _browser(kind: str, source: str, target: str) -> list[str]:
    """Return the arguments of Chromium or Chrome, which draws a page that holds only the SVG."""
    path = pathlib.Path(source)
    svg = path.read_text(encoding="utf-8")
    width, height = _size(svg)
    page = path.with_suffix(".html")
    style = (
        f"@page {{ size: {width}px {height}px; margin: 0 }} body {{ margin: 0 }} "
        "svg { display: block }"
    )
    page.write_bytes(f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>{svg}".encode())
    output = [f"--print-to-pdf={target}", "--no-pdf-header-footer"]
    if kind == "png":
        scale = f"--force-device-scale-factor={_ZOOM}"
        output = [f"--screenshot={target}", f"--window-size={width},{height}", scale]
    # its sandbox refuses to run as root
    as_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    return ["--headless", "--disable-gpu", "--hide-scrollbars", *as_root, *output, page.as_uri()]


def _magick(kind: str, source: str, target: str) -> list[str]:
    return ["-density", str(96 * _ZOOM), source, target]


# Programs, the best first, and functions that return their arguments for
# (kind, picture to read, file to write).
_CONVERTERS = {
    "rsvg-convert": _rsvg,
    "inkscape": _inkscape,
    **dict.fromkeys(("chromium", "chromium-browser", "google-chrome"), _browser),
    "magick": _magick,
}


def convert(svg: str, path: str, force: bool = False) -> None:
    """Write an SVG as the kind of picture that the path's suffix names.

    force: replace an existing file.
    Raise FigureError if no converter is installed or it fails, FileError if the file can't be
    written.
    """
    output = Output(path, force=force)
    kind = path.rpartition(".")[2].lower()
    program = next((name for name in _CONVERTERS if shutil.which(name)), None)
    if program is None:
        raise FigureError(
            f"{path}: a .{kind} needs an SVG converter: install librsvg (rsvg-convert), "
            f"Inkscape, Chromium or ImageMagick, or write an .svg"
        )
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "picture.svg"), os.path.join(folder, f"picture.{kind}")
        pathlib.Path(source).write_bytes(svg.encode())
        try:
            done = subprocess.run(
                [program, *_CONVERTERS[program](kind, source, made)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=_PATIENCE,
            )
        except subprocess.TimeoutExpired:
            raise FigureError(f"{path}: {program} did not finish within {_PATIENCE:g} s") from None
        if done.returncode or not os.path.exists(made):
            words = done.stderr.strip().splitlines()
            raise FigureError(f"{path}: {program} failed" + (f": {words[-1]}" if words else ""))
        output.write([pathlib.Path(made).read_bytes()])


def _size(svg: str) -> tuple[int, int]:
    """Return the width and height of an SVG in whole pixels."""
    found = re.search(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    assert found is not None, "pictures of figures have a size"
    width, height = (int(float(number)) + 1 for number in found.groups())
    return width, height
