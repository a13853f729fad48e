"""A script that compiles the engine's modules with its own interpreter, for start.py.

Arguments: FOLDER OUT.  It writes the marshalled result of compile_all() to OUT and prints the
name under which start.py looks for it.
"""

from __future__ import annotations

import marshal
import pathlib
import sys
import zlib


def compile_all(folder: str) -> dict[str, tuple[bool, bytes]]:
    """Return {module: (is a package, marshalled code)} of a folder.

    Each code is compressed separately, since a start needs only a few.
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
