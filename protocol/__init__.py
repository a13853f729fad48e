"""The protocols: a file or folder for each, with a table of commands that drive the session.

base, thinking: what the protocols share.  moves, scores, options: how these are written.
records: games in files.  detect, arguments: the choice of the protocol.
input, output: the lines that enter and leave the process.  python: the oldest supported Python.

`TYPE_CHECKING = False` stands for typing's constant of that name, which type checkers
take to be true: importing typing would take a tenth of the engine's start-up time.
"""
