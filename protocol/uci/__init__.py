"""The Universal Chess Interface for every game of the registry, with Stockfish's extra commands.

protocol: one method per command.  text: reads the words of `go` and writes the lines about
searches.
"""
