"""The page as static files that any web server serves: `scripts/board --site FOLDER`.

Instead of asking a server, the page starts workers (workers.js).  Each worker is a separate Python
interpreter (Pyodide).  scripts/web/plyglot.js starts it and loads the project from one archive.  A
game's data is fetched when it is first needed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from modulefinder import ModuleFinder
from urllib.parse import urlsplit

from games import registry
from plyglot.__main__ import project_root
from protocol.base import VERSION
from protocol.records.record import Start
from scripts.browser.interface import Interface, PageSettings
from scripts.jobs.files import FileError, explained
from scripts.pages.embed import bundle, page_file, styles, with_data
from scripts.pages.view import GameLine, view

# The parts of the project that a worker needs: all modules in FOLDERS; the modules of scripts/ that
# PROGRAMS import; and the files in the folders WITH_FILES whose suffix is in SHOWN.
FOLDERS = ("games", "plyglot", "protocol", "search")
PROGRAMS = ("scripts.browser.worker", "scripts.arena.uci")
SHOWN = (".css", ".html", ".js", ".json", ".svg")
WITH_FILES = ("scripts/browser/", "scripts/drawing/")
PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
# Modules of the standard library that no worker imports.
UNUSED = tuple(
    "_pyio _pyrepl/ doctest email/ ensurepip http/ imaplib mailbox pdb pickletools "
    "pydoc smtplib unittest/ wsgiref/ xml/ xmlrpc/".split()
)
POLICY = (
    "default-src 'none'; script-src 'self'{origin} 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'{origin}; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
# A program for Node.  It compiles modules with Pyodide's Python, which later imports them.  It
# compiles all modules in the folder project/, but in library/ (the standard library) only those
# that Python loads at its start, since compiling the whole library would add a megabyte.
COMPILE = """
const [pyodide, root] = process.argv.slice(1);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.mountNodeFS(root, root);
python.globals.set("root", root);
python.runPython(`
import compileall, py_compile, sys
how = {
    "quiet": 1, "legacy": True, "stripdir": root, "optimize": 2,
    "invalidation_mode": py_compile.PycInvalidationMode.UNCHECKED_HASH,
}
compileall.compile_dir(root + "/project", **how)
for module in [*sys.modules.values()]:
    name = (getattr(module, "__file__", None) or "").partition(".zip/")[2]
    compileall.compile_file(root + "/library/" + name, **how)
`);
"""

Files = Mapping[str, bytes]  # {name: contents}


def write_site(folder: pathlib.Path, pyodide: str, force: bool) -> list[str]:
    """Write the page to a folder; return warnings for the user.

    pyodide: a folder with the files of the npm package, or the URL of such a folder.
    force: write even if the folder isn't empty.
    Raise FileError if the page can't be written.
    """
    root, is_address = pathlib.Path(project_root()), pyodide.startswith(("http://", "https://"))
    if not root.is_dir():
        raise FileError("--site needs the project as a folder, not as an archive")
    if folder.is_dir() and not force and any(folder.iterdir()):
        raise FileError(f"{folder}: not an empty folder (--force writes to it anyway)")
    interpreter = None if is_address else _interpreter(pathlib.Path(pyodide))
    files = _page(pyodide.rstrip("/") + "/" if is_address else "")
    compiler = interpreter if shutil.which("node") else None
    library: Files = {} if interpreter is None else _library(interpreter / "python_stdlib.zip")
    project: Files = {name: (root / name).read_bytes() for name in _needed(root)}
    if compiler is not None:
        project, library = _compiled(compiler, project=project, library=library)
    files.update(_package(root, project))
    if interpreter is not None:
        files.update({f"pyodide/{name}": (interpreter / name).read_bytes() for name in PYODIDE})
        files["pyodide/python_stdlib.zip"] = _zip(library)
    files["service.js"] = _service(files)
    with explained("write", folder):
        _write(folder, files)
    note = "the page starts slower, since its modules are not compiled; compiling needs Node and"
    return [] if compiler else [f"{note} --pyodide FOLDER"]


def _service(files: Files) -> bytes:
    """Return the service worker, with the list of the files for which it answers."""
    listed = {
        name: [hashlib.sha256(content).hexdigest()[:16], len(content)]
        for name, content in files.items()
    }
    return page_file("service.js").replace(b"FILES = {}", f"FILES = {json.dumps(listed)}".encode())


def _interpreter(folder: pathlib.Path) -> pathlib.Path:
    """Return the folder of Pyodide's files: `folder`, or package/ in it (unpacked from npm)."""
    for place in (folder, folder / "package"):
        if all((place / name).is_file() for name in PYODIDE):
            return place.resolve()
    raise FileError(f"--pyodide {folder}: not a folder of the npm package pyodide")


def _library(path: pathlib.Path) -> Files:
    """Return the modules in the standard library's archive, without those that UNUSED names."""
    with zipfile.ZipFile(path) as given:
        names = [name for name in given.namelist() if not name.startswith(UNUSED)]
        return {name: given.read(name) for name in names if not name.endswith("/")}


def _zip(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


# ---- the project -----------------------------------------------------------------------


def _package(root: pathlib.Path, project: Files) -> Files:
    """Return the files of Plyglot's own npm package, with package.json and plyglot.tar.gz."""
    data = [name for name in project if name.endswith(".bin")]
    modules = {name: content for name, content in project.items() if name not in data}
    web = {path.name: path.read_bytes() for path in (root / "scripts" / "web").iterdir()}
    return {
        **{name: project[name] for name in data},
        **web,
        "package.json": web["package.json"].replace(b"0.0.0", VERSION.encode()),
        "plyglot.tar.gz": _archive({**modules, "data.json": json.dumps(data).encode()}),
    }


def _needed(root: pathlib.Path) -> Iterator[str]:
    """Yield the names of the project's files that a worker needs."""
    finder = ModuleFinder([str(root)])
    for program in PROGRAMS:
        finder.import_hook(program)
    modules = {module.replace(".", "/") for module in finder.modules}
    for folder in (*FOLDERS, "scripts"):
        for path in sorted((root / folder).rglob("*.*")):
            name = path.relative_to(root).as_posix()
            module = name.removesuffix(".py").removesuffix("/__init__")
            wanted = folder != "scripts" or module in modules
            if path.suffix in (".py", ".bin") and wanted:
                yield name
            elif name.startswith(WITH_FILES) and path.suffix in SHOWN:
                yield name


def _compiled(interpreter: pathlib.Path, **folders: Files) -> list[Files]:
    """Return the files of the folders, with modules compiled as Pyodide's Python loads them."""
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place).resolve()
        for folder, files in folders.items():
            _write(root / folder, files)
        script = (interpreter / "pyodide.mjs").as_uri()
        command = ["node", "--input-type=module", "-e", COMPILE, script, str(root)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode:
            raise FileError(f"Node can't compile: {done.stderr.decode(errors='replace').strip()}")
        return [dict(_contents(root / folder)) for folder in folders]


def _write(folder: pathlib.Path, files: Files) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _contents(folder: pathlib.Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of a folder's files, without the sources of compiled modules."""
    for path in folder.rglob("*.*"):
        compiled = path.suffix == ".py" and path.with_suffix(".pyc").exists()
        if path.is_file() and not compiled:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _archive(files: Files) -> bytes:
    """Return a compressed tar archive of files; the same files give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), mtime=0)


# ---- the page --------------------------------------------------------------------------


def _page(pyodide: str = "") -> dict[str, bytes]:
    """Return the files of the page.  pyodide: Pyodide's URL if it is on another server, else "".

    The page has data that it shows before Python runs: the games and their starting positions.
    """
    games = Interface(PageSettings()).games({})
    known = {
        "games": {**games, "site": True},
        "starts": {name: view(GameLine(Start(name))) for name in registry.names()},
        "pyodide": pyodide,
    }
    address = urlsplit(pyodide)
    policy = POLICY.format(origin=f" {address.scheme}://{address.netloc}" if pyodide else "")
    links = '<link rel="manifest" href="manifest.json">\n<link rel="stylesheet" href="page.css">\n'
    text = with_data(policy, links, known, '<script src="page.js"></script>')
    return {
        "index.html": text.encode(),
        "page.css": styles().encode(),
        "page.js": bundle("main").encode(),
        "icon.svg": page_file("icon.svg"),
    }
