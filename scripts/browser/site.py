"""The page as static files that any web server serves: `scripts/board --site FOLDER`.

The page's transport.js starts workers (plyglot.js) in the server's place: each is a Python of its
own (Pyodide), with the project from one archive.  The games' data is fetched when a game needs it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from modulefinder import ModuleFinder
from typing import Any

from games import registry
from plyglot.__main__ import project_root
from scripts.browser.interface import Interface, PageSettings
from scripts.jobs.files import FileError, explained
from scripts.pages.embed import STYLES, bundle, page_file
from scripts.pages.fields import line
from scripts.pages.view import view

# What a worker needs of the project: folders, and the modules that it imports from scripts/.
FOLDERS = ("games", "plyglot", "protocol", "search")
PROGRAMS = ("scripts.browser.worker", "scripts.arena.uci")
SUFFIXES = (".bin", ".css", ".html", ".js", ".py", ".pyc", ".svg", ".tex")
PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
POLICY = (
    "default-src 'none'; script-src 'self'{origin} 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'{origin}; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
# Run by Node: compiles all modules below a folder by the Python that will import them.
COMPILE = """
const [pyodide, root] = process.argv.slice(1);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.FS.mkdirTree(root);
python.FS.mount(python.FS.filesystems.NODEFS, { root }, root);
python.globals.set("root", root);
python.runPython(`
import compileall, py_compile
compileall.compile_dir(
    root, quiet=1, legacy=True, stripdir=root, optimize=2,
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
)
`);
"""


def write_site(folder: pathlib.Path, pyodide: str, force: bool) -> list[str]:
    """Write the page to a folder; return messages about what it lacks.

    pyodide: a folder with the files of the npm package, or the address of one.
    force: write to a folder that is not empty.
    Raise FileError if that can't be done.
    """
    root, address = pathlib.Path(project_root()), re.match(r"(https?://[^/\s]+)/", pyodide)
    if not root.is_dir():
        raise FileError("--site needs the project as a folder, not as an archive")
    if folder.exists() and not force and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError(f"{folder}: not an empty folder (--force writes to it nevertheless)")
    interpreter = None if address else _interpreter(pathlib.Path(pyodide))
    with explained("write", folder):
        modules, data = _project(root)
        compiled = _compiled(root, modules, interpreter)
        files = {name: (root / name).read_bytes() for name in data}
        files.update(_page(f" {address[1]}" if address else ""))
        files["plyglot.tar.gz"] = _archive(
            compiled or {n: (root / n).read_bytes() for n in modules}
        )
        place = pyodide.rstrip("/") + "/" if address else "pyodide/"
        files["plyglot.json"] = json.dumps({"pyodide": place, "data": data}).encode()
        if interpreter is not None:
            files.update({f"pyodide/{name}": (interpreter / name).read_bytes() for name in PYODIDE})
        digest = hashlib.sha256(b"".join(files[name] for name in sorted(files))).hexdigest()
        files["service.js"] = files["service.js"].replace(b"VERSION", digest[:16].encode())
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    return [] if compiled else ["the modules are not compiled, for want of Node: it starts slower"]


def _interpreter(folder: pathlib.Path) -> pathlib.Path:
    """Return the folder of Pyodide's files: the given one, or that of an unpacked npm package."""
    for place in (folder, folder / "package"):
        if all((place / name).is_file() for name in PYODIDE):
            return place.resolve()
    raise FileError(f"--pyodide {folder}: no folder of the npm package pyodide")


def _project(root: pathlib.Path) -> tuple[list[str], list[str]]:
    """Return the names of the files (for the archive, of the games' data) that a worker needs."""
    finder = ModuleFinder([str(root)])
    for program in PROGRAMS:
        finder.import_hook(program)
    needed = {module.replace(".", "/") for module in finder.modules}
    found, data = [], []
    for name in (name for folder in (*FOLDERS, "scripts") for name in _files(root, folder)):
        if name.endswith(".bin"):
            data.append(name)
        elif name.endswith(".py"):
            if not name.startswith("scripts/") or name[:-3].removesuffix("/__init__") in needed:
                found.append(name)
        elif name.startswith(("scripts/browser/", "scripts/drawing/")):
            found.append(name)
    return found, data


def _files(root: pathlib.Path, folder: str = ".") -> Iterator[str]:
    for path in sorted((root / folder).rglob("*")):
        if path.is_file() and path.suffix in SUFFIXES:
            yield path.relative_to(root).as_posix()


def _compiled(
    root: pathlib.Path, names: list[str], interpreter: pathlib.Path | None
) -> dict[str, bytes] | None:
    """Return the files with compiled modules, as Pyodide's Python loads them; None without Node."""
    node = shutil.which("node")
    if interpreter is None or node is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder).resolve()
        for name in names:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, place / name)
        script = (interpreter / "pyodide.mjs").as_uri()
        command = [node, "--input-type=module", "-e", COMPILE, script, str(place)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode:
            raise FileError(f"Node can't compile: {done.stderr.decode(errors='replace').strip()}")
        return {
            name: (place / name).read_bytes() for name in _files(place) if not name.endswith(".py")
        }


def _archive(files: Mapping[str, bytes]) -> bytes:
    """Return a compressed tar archive of files, which depends on their contents only."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), mtime=0)


def _page(origin: str) -> dict[str, bytes]:
    """Return the files of the page.  origin: that of Pyodide, after a space, if it is another."""
    known = json.dumps(_known(), separators=(",", ":")).replace("<", "\\u003c")
    policy = POLICY.format(origin=origin)
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<title>'
    text = re.sub(r'<link rel="stylesheet".*>\n', "", page_file("index.html").decode())
    text = text.replace('<script type="module" src="main.js"></script>\n', "")
    text = text.replace("<title>", '<link rel="stylesheet" href="page.css">\n' + head, 1)
    data = f'<script type="application/json" id="data">{known}</script>\n'
    text = text.replace("</body>", f'{data}<script src="page.js"></script>\n</body>')
    return {
        "index.html": text.encode(),
        "page.css": b"\n".join(map(page_file, STYLES)),
        "page.js": bundle("main").encode(),
        "icon.svg": page_file("icon.svg"),
        "plyglot.js": page_file("plyglot.js"),
        "service.js": page_file("service.js").replace(b"POLICY", policy.encode()),
    }


def _known() -> dict[str, Any]:
    """Return what the page shows before Python runs: the games and their starting positions."""
    interface = Interface(PageSettings())
    starts = {name: view(line({"game": name})) for name in registry.names()}
    return {"games": {**interface.games({}), "site": True}, "starts": starts}
