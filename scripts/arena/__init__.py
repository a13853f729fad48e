"""Matches between engines.  A game passes through these modules, in this order:

arguments   reads the command line
tournament  makes the games, from their openings and pairings (openings)
game        plays a game on a worker: two engines and a referee
record      stores finished games; export writes other formats, live shows games in progress
standings   counts points and makes the cross table; elo has intervals and the sequential test

client defines one interface to all engines; uci (with USI), gtp, cecp, gomocup and hub implement
it, and protocol/table.py names their classes.  engines starts engines from their command lines and
reuses their processes.  clock keeps the time.  scripts.jobs runs the games on executors.
"""
