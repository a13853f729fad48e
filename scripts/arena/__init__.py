"""Engines against engines: clients for the protocols, a referee, openings, schedules, records and
statistics.

    client              what can be asked of any engine, over plyglot's processes; uci, gtp, cecp,
                        gomocup: how
    engines             open_engine(): from a command line to a client
    openings            where a game starts
    terms               time controls and clocks
    referee             one game; adjudicate: ending it early; job, pool: as plain data, with
                        engines of this process
    schedule            who plays whom; record, export: into files; live: the games that are
                        being played, for those who watch
    scripts.jobs        the games through an executor, signals, locks
    standings, elo      what came of it; page: as HTML
    arguments, tournament   the script
"""
