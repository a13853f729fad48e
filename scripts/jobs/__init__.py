"""Long work in jobs, which an executor runs; results go to a file, so that a rerun continues.

    run         jobs through any executor of concurrent.futures, with recovery of lost ones
    worker      what a worker process does
    files       writing files safely, one writer at a time
    results_file    a file of results that lasts until the work is done
    signals     Ctrl-C and SIGTERM as an exception
    command     the command line of such work: options, executors, termination, exit status

Used by scripts/tournament, scripts/analyse and the makers of data and books in scripts/lab.
"""
