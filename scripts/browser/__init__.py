"""scripts/board: a board in the browser, served to this machine only.

    board         the command line
    server        HTTP: access checks, the page's files, commands and events
    interface     the table of the page's commands, JSON in and JSON out, and the pages' events
    page_engines  the engines of one page, which are closed with it
    review        the analysis of a whole game, reported to the page as it proceeds
    address       the port and token of the last run
    lesson        a tree and its search by minimax or alpha-beta, step by step
    watching      a tournament's record, followed as it grows
    site, worker  the page as static files, with Python in the browser instead of a server
    page/         HTML, CSS and JavaScript as the browser loads them, without a build

scripts/pages makes the data that the page shows.  The page knows no rules: it holds a game as a
starting position and moves, and asks the server for everything else.
"""
