"""The build for pip: the whole project becomes one package, so it installs only one name.

plyglot/                            the Python files of the project's folder plyglot/
plyglot/engine.py, games/, protocol/, search/, scripts/
"""

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

FOLDERS = ("games", "protocol", "search", "scripts")
# The lab is only needed to work on the engine.
LEFT_OUT = ("scripts.lab",)


class BuildPy(build_py):
    """The build step that adds engine.py, which is in no folder, to the package."""

    def find_package_modules(self, package, package_dir):
        """Return [(package, module, file)] of a package."""
        modules = super().find_package_modules(package, package_dir)
        return [*modules, (package, "engine", "engine.py")] if package == "plyglot" else modules


patterns = [pattern for name in FOLDERS for pattern in (name, name + ".*")]
packages = find_packages(include=patterns, exclude=LEFT_OUT)
setup(
    packages=["plyglot", *("plyglot." + name for name in packages)],
    package_dir={"plyglot": "plyglot", **{"plyglot." + name: name for name in FOLDERS}},
    package_data={
        "": ["*.bin", "*.css", "*.js", "*.json", "*.svg", "*.tex", "page/*", "web/*", "py.typed"]
    },
    include_package_data=False,
    cmdclass={"build_py": BuildPy},
)
