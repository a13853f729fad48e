"""Long work, split into jobs that an executor runs.  A file keeps the results for a rerun.

    run         runs jobs on any executor of concurrent.futures; repeats lost jobs
    worker      what a worker process does
    files       safe writing of files, by one process at a time; files of results
    signals     Ctrl-C and SIGTERM as an exception
    command     the command line of such work: options, executors, termination, exit status

Used by scripts/tournament, scripts/analyse and the makers of data and books in scripts/lab.
"""
