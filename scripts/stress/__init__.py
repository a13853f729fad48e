"""scripts/torture: stress tests of the real process.

They cover hostile lines, races, signals, full disks, tiny clocks and many games.  Each kind is a
module with a function `run(case)`, which raises Failure if the engine fails.  Everything it does
is drawn from `case.dice`, so that a case can be repeated by its number, except for timing.
"""
