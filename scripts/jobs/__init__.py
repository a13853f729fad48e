"""Long work in pieces: jobs through an executor, results into a file, and the same command goes on.

    run         jobs through any executor of concurrent.futures; lost workers
    files       the door for writing files; lock: one writer at a time
    progress    results that are kept until the work is done
    games       such a file of positions from games, each game with its own seed
    signals     Ctrl-C and SIGTERM as an exception
    script      the frame of a script that works so: options, exit status, how it ends

scripts/tournament, scripts/analyse and the makers of data and books in scripts/lab
use it.
"""
