"""Plyglot as pip installs it: one package, with the engine's own tree inside it.

`plyglot`, `python -m plyglot` and the archive that scripts/package makes all begin in
__main__.py.  The modules are imported by the names they have in the project (`games`,
`search`, ...), from this folder alone: nothing but `plyglot` is put where other
programs look for theirs.
"""
