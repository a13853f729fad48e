"""The __main__.py of the file that scripts/package makes: it starts the command.

Python recompiles an archive's modules at every start.  So the archive has them compiled for
some interpreters, for which this finder loads them; the sources are for all other interpreters
and for tracebacks.
"""

import marshal
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

_ZIP: "Any" = globals()["__loader__"]
_ARCHIVE: str = _ZIP.archive


class Compiled:
    """The finder and loader of the archive's modules; modules: as bytecode.py wrote them."""

    def __init__(self, modules: "dict[str, tuple[bool, bytes]]") -> None:
        self._modules = modules

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> "ModuleSpec | None":
        """Return the spec of one of our modules, None for any other."""
        if name not in self._modules:
            return None
        package = self._modules[name][0]
        folder = _ARCHIVE + "/" + name.replace(".", "/")
        origin = folder + ("/__init__.py" if package else ".py")
        make_spec: Any = type(__spec__)
        spec: ModuleSpec = make_spec(name, self, origin=origin, is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [folder]
        return spec

    def create_module(self, spec: "ModuleSpec") -> None:
        """Return None, for an ordinary module."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run a module's code."""
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name: str) -> "CodeType":
        """Return the code of one of our modules."""
        code: CodeType = marshal.loads(zlib.decompress(self._modules[name][1]))
        return code

    def get_source(self, name: str) -> str:
        """Return a module's source, for tracebacks."""
        spec = self.find_spec(name)
        if spec is None or spec.origin is None:
            raise ImportError(name)
        return self.get_data(spec.origin).decode("utf-8")

    def get_data(self, path: str) -> bytes:
        """Return the bytes of a file in the archive."""
        data: bytes = _ZIP.get_data(path)
        return data


def main() -> None:
    """Run the command `plyglot` from the archive."""
    try:
        data = _ZIP.get_data(_ARCHIVE + "/compiled/" + sys.implementation.cache_tag)
        compiled = Compiled(marshal.loads(data))
    except (OSError, ValueError, EOFError, TypeError):
        pass  # the archive has no code for this interpreter, which uses the sources
    else:
        sys.meta_path.insert(0, compiled)
    from plyglot.__main__ import main

    main()


if __name__ == "__main__":  # not if multiprocessing imports it in a worker process
    main()
