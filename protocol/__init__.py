"""The text on the wire: one file or folder a protocol, each a table of commands over the session.

base, thinking: what the protocols share.  moves, scores, options: notations, words and names.
records: games in PGN, SGF and GGF.  detect, arguments: which protocol is spoken.
output: what leaves the process.  python: the oldest Python that runs it.

`TYPE_CHECKING = False` stands for typing's constant of that name, which type checkers
know to be true: to import typing would cost a tenth of the engine's start.
"""
