"""The analysis of a finished game: the engine's word on each position, and a page to read.

script      scripts/analyse, the command line
job         a game as plain data for an executor, and what came of it
batch       the games on their way through an executor: what is kept, what is shown
analysis    every position of a game through an engine
budget      the time for the analysis of one game
verdicts    what an engine says of a position, and what a move gave away by it
page        the page of scripts/board as a file, with the games in it
"""
