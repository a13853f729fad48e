"""The analysis of finished games: evaluations of all positions, and a page that shows them.

analyse     scripts/analyse, the command line
batch       the analysis of many games by an executor: jobs, progress, and resuming
analysis    the search of every position of a game, and the time for it
verdicts    evaluations of positions, and the loss by each move
page        analysed games as plain data, for the page that shows them
"""
