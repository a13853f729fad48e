"""scripts/torture: the real process under hostile lines, races, signals, full disks, tiny clocks
and many games.

A kind of torture is a module with a function `run(case)`, which raises Failure where
the engine fell.  All that it does is drawn from `case.dice`, so that a case can be
repeated by its number; only moments in time are never quite the same.
"""
