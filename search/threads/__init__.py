"""Threads: several processes that search the same position (parallel search, lazy SMP).

    team.py         the helpers, as the main search sees them
    helper.py       a helper, in its own process
    abdada.py       marks on the moves that are being searched
    shared.py       what the processes share: memory and messages

None of these is imported until `Threads` is more than 1.
"""
