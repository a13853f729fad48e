"""Matches between engines: protocol clients, a referee, openings, schedules, records, statistics.

client              the interface of any engine, over plyglot's processes
uci, gtp, cecp, gomocup     its implementations
engines             open_engine(): from a command line to a client
openings            start positions and first moves
terms               time controls and clocks
referee             one game, and ending it early
job, pool           a game as plain data, and the engines of this process
schedule            the pairings
record, export      the files of finished games
live                the files of games in progress, for spectators
scripts.jobs        runs of jobs, files and signals
standings, elo, page    results, statistics, and both as HTML
arguments, tournament   the script
"""
