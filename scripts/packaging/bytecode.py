"""Compile the engine's modules with the interpreter that runs this, for start.py: FOLDER OUT.

Run as a script by each interpreter in turn.  OUT gets what compile_all() finds,
marshalled; the name of the file that start.py looks for is printed.
"""

from __future__ import annotations

import marshal
import pathlib
import sys
import zlib


def compile_all(folder: str) -> dict[str, tuple[bool, bytes]]:
    """{module: (is a package, marshalled code)} of a folder.

    Each code is compressed by itself, as a start needs few of them.
    """
    modules = {}
    for path in sorted(pathlib.Path(folder).rglob("*.py")):
        words = list(path.relative_to(folder).with_suffix("").parts)
        package = words[-1] == "__init__"
        name = ".".join(words[:-1] if package else words)
        code = compile(path.read_bytes(), "/".join(words) + ".py", "exec", dont_inherit=True)
        modules[name] = package, zlib.compress(marshal.dumps(code), 9)
    return modules


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_bytes(marshal.dumps(compile_all(sys.argv[1])))
    print(sys.implementation.cache_tag)
