"""Starts the command out of the file that scripts/package made (there it is __main__.py).

Python compiles modules in an archive anew at every start.  So the archive holds them
compiled for some interpreters, and this finder serves those; the sources serve every
other interpreter, and tracebacks.
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
    """Finder and loader of the modules in the archive.  modules: as bytecode.py wrote them."""

    def __init__(self, modules: "dict[str, tuple[bool, bytes]]") -> None:
        self._modules = modules

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> "ModuleSpec | None":
        """The spec of one of our modules; None for any other."""
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
        """An ordinary module will do."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run a module's code."""
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name: str) -> "CodeType":
        """The code of one of our modules."""
        code: CodeType = marshal.loads(zlib.decompress(self._modules[name][1]))
        return code

    def get_source(self, name: str) -> str:
        """Its source, for tracebacks."""
        spec = self.find_spec(name)
        if spec is None or spec.origin is None:
            raise ImportError(name)
        return self.get_data(spec.origin).decode("utf-8")

    def get_data(self, path: str) -> bytes:
        """The bytes of a file in the archive."""
        data: bytes = _ZIP.get_data(path)
        return data


def main() -> None:
    """Run the command `plyglot` out of the archive."""
    try:
        data = _ZIP.get_data(_ARCHIVE + "/compiled/" + sys.implementation.cache_tag)
        compiled = Compiled(marshal.loads(data))
    except (OSError, ValueError, EOFError, TypeError):
        pass  # this interpreter was not at hand when we were packed: the sources serve it
    else:
        sys.meta_path.insert(0, compiled)
    from plyglot.__main__ import main

    main()


if __name__ == "__main__":  # and not where multiprocessing imports it in a process of its own
    main()
