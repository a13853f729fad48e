"""The engine as one file: what scripts/package builds, and how that file starts.

archive.py      what goes into the file
bytecode.py     compiles the modules; run by each interpreter that is to start as fast as from
                a folder
start.py        becomes the file's __main__.py
"""
