"""Matches between engines.  The way of a game, from the command line to the table:

arguments   the command line
tournament  the run: schedule (pairings) and openings make the games
game        on a worker: one game, its two engines, its referee
record      the file of finished games, with export (in other formats) and live (in progress)
standings   points, the cross table, pairs; elo: intervals and the sequential test

client has one interface to all engines, which uci, gtp, cecp and gomocup implement.  engines starts
engines by their command lines and reuses their processes.  clock has time controls.  scripts.jobs
runs the games on executors.
"""
