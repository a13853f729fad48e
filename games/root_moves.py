"""The one loop over root moves: principal variation search with a window, for the search and for the solvers."""
from __future__ import annotations


def best_of(moves, alpha, beta, ask, improved=None):
    """(score, move) of the best of `moves` within a window, fail-soft.

    ask(move, number, alpha, beta): the fail-soft score of a move, the number-th from 1, for its mover.
    improved(move, score, exact): called for each move that is better than those before, exact if the score lies inside
    the window; a search may be stopped after it.
    """
    best, choice = None, moves[0]
    for number, move in enumerate(list(moves), 1):
        if best is None or beta - alpha == 1:
            score = ask(move, number, alpha, beta)
        else:
            score = ask(move, number, alpha, alpha + 1)
            if alpha < score < beta:
                score = ask(move, number, alpha, beta)
        if best is None or score > best:
            best = score
            if improved is not None:
                improved(move, score, alpha < score < beta)
            if score > alpha:
                choice, alpha = move, score
                if score >= beta:
                    break
    return best, choice
