"""Long work, split into jobs that an executor runs; a file keeps their results for a rerun.

    run         runs jobs on any executor of concurrent.futures; repeats lost jobs
    worker      what a worker process does
    files       writing files safely, one writer at a time; results that last until the work is done
    signals     Ctrl-C and SIGTERM as an exception
    command     the command line of such work: options, executors, termination, exit status

Used by scripts/tournament, scripts/analyse and the makers of data and books in scripts/lab.
"""
