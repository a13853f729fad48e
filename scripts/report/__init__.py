"""The analysis of a finished game: the engine's word on each position, an evaluation graph,
a page to read.
"""
