"""The search: independent of every protocol and of every particular game.

In reading order:

    textbook            minimax and alpha-beta as in a first lecture
    limits, clock       what a search is asked for, and how long it thinks
    table               the transposition table
    pvs                 the one tree search, over a kernel; plain: that of games without one
    root, root_moves    iterative deepening, and its loop over the root moves
    variety, wdl        choices other than the best move; what a score means for the result
    context, watch      what a search is given; when it has to stop, shares of that for solvers
    helpers             who helps it: nobody, unless threads/ do
    exact               the root of exact searches
    session, worker     what front ends ask for, and the thread that does it
    warm_up             what is done before the first search of a game
    interpreter, faults     what Python should know of a search; own bugs, survived
    perft, bench        the leaf counts of the rules, the signature of the search
    threads/            several processes that search the same position
"""
