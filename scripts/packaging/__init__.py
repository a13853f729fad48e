"""The engine as one file: how scripts/package builds it, and how it starts.

archive.py      the content of the file
bytecode.py     compiles the modules; run by each interpreter for which the file should start as
                fast as a folder
start.py        becomes the file's __main__.py
"""
