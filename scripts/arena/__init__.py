"""Engines against engines: clients for the protocols, a referee, openings, schedules, records and statistics.

    process.py, guard.py    an engine as a process, and how none is left behind
    client.py               what can be asked of any engine; uci.py, gtp.py, cecp.py, gomocup.py: how
    engines.py              open_engine(): from a command line to a client
    start.py                where a game starts
"""
