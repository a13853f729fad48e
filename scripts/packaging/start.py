"""Starts the command out of the file that scripts/package made (there it is __main__.py).

Python compiles modules in an archive anew at every start.  So the archive holds them compiled for
some interpreters, and this finder serves those; the sources serve every other interpreter, and
tracebacks.
"""
import marshal
import sys
import zlib

_ARCHIVE = __loader__.archive
_ZIP = __loader__


class Compiled:
    """Finder and loader of the modules in the archive.  modules: as bytecode.py wrote them."""

    def __init__(self, modules):
        self._modules = modules

    def find_spec(self, name, path=None, target=None):
        """The spec of one of our modules; None for any other."""
        if name not in self._modules:
            return None
        package = self._modules[name][0]
        folder = _ARCHIVE + "/" + name.replace(".", "/")
        origin = folder + ("/__init__.py" if package else ".py")
        spec = type(__spec__)(name, self, origin=origin, is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [folder]
        return spec

    def create_module(self, spec):
        """An ordinary module will do."""

    def exec_module(self, module):
        """Run a module's code."""
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name):
        """The code of one of our modules."""
        return marshal.loads(zlib.decompress(self._modules[name][1]))

    def get_source(self, name):
        """Its source, for tracebacks."""
        return self.get_data(self.find_spec(name).origin).decode("utf-8")

    def get_data(self, path):
        """The bytes of a file in the archive."""
        return _ZIP.get_data(path)


def main():
    """Run the command `plyglot` out of the archive."""
    try:
        data = _ZIP.get_data(_ARCHIVE + "/compiled/" + sys.implementation.cache_tag)
        compiled = Compiled(marshal.loads(data))
    except (OSError, ValueError, EOFError, TypeError):
        pass        # this interpreter was not at hand when we were packed: the sources serve it
    else:
        sys.meta_path.insert(0, compiled)
    from plyglot.__main__ import main

    main()


if __name__ == "__main__":      # and not where multiprocessing imports it in a process of its own
    main()
