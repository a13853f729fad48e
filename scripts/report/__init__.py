"""The analysis of a finished game: the engine's word on each position, an evaluation graph,
a page to read.

    script      scripts/analyse, the command line
    job         a game as plain data for an executor, and what came of it
    analysis    every position of a game through an engine
    verdicts    what an engine says of a position, and what a move gave away by it
    graph       the evaluation graph; scores: numbers as print has them
    data        boards, positions and moves as plain data for the page's script
    page        the page, with report.css and report.js
"""
