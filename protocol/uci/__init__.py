"""The Universal Chess Interface for every game of the registry, with Stockfish's extra commands.

protocol: one method a command.  text: the words of `go` read, the lines about
searches written.
"""
