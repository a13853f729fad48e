"""The Go Text Protocol for every game of the registry, and the additions of GoGui and others.

protocol: lines, replies and the queue of commands.  game: colours, vertices and moves.
play: set-up, moves and records.  think: searches and analyses.  gogui: GoGui's own commands.
"""
