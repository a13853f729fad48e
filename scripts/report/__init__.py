"""The analysis of finished games: evaluations of all positions, and a page that shows them.

script      scripts/analyse, the command line
job         a game and its analysis as plain data for an executor
batch       the analysis of many games by an executor: progress, and resuming
analysis    the search of every position of a game
budget      the time for the analysis of one game
verdicts    evaluations of positions, and the loss by each move
page        the page of scripts/board as a file that holds the games
"""
