"""Threads: several processes that search the same position (parallel search, lazy SMP).

    team.py         the helpers, as the search itself sees them
    helper.py       one of them, in its own process
    progress.py     how far each of them is
    abdada.py       marks on the moves that are being searched
    shared.py       memory and sockets that processes share

Nothing of it is imported before `Threads` is more than 1.
"""
