"""The two scripts that make Othello's weights, run in turn on a few games."""

from __future__ import annotations

from conftest import ROOT, run_python

from games.othello import patterns
from games.othello.lanes import spread


def run(script, *words):
    """Return what a script prints."""
    done = run_python(ROOT / "scripts" / "lab" / script, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def samples_of(path):
    """Return a file's samples [(own, opp, empties, label)]; spread() packed own and opp."""
    found = []
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        own, opp, label = line.split()
        own, opp = int(own, 16), int(opp, 16)
        assert not own & opp
        empties = 64 - bin(own | opp).count("1")
        lanes = [spread([s for s in range(64) if discs >> s & 1]) for discs in (own, opp)]
        found.append((*lanes, empties, int(label)))
    return found


def squared_error(evaluate, samples):
    return sum(
        (evaluate(own, opp, empties) / 100 - label) ** 2 for own, opp, empties, label in samples
    )


def test_games_are_labelled_and_the_fit_learns_from_them(tmp_path):
    games, weights = tmp_path / "games.txt", tmp_path / "weights.bin"
    words = "--games 3 --depth 1 --random-plies 30 --stray 0.5 --solved-from 8"
    run("othello_games.py", games, *words.split())
    samples = samples_of(games)
    assert all(abs(label) <= 64 for *_, label in samples)
    assert min(empties for *_, empties, _ in samples) < 8

    printed = run("othello_fit.py", games, weights, "--rounds", 2)
    assert f"{len(samples)} positions read" in printed
    assert weights.read_bytes().startswith(
        b"scripts/lab/othello_fit.py on %d positions" % len(samples)
    )
    fitted = patterns.evaluation(str(weights)).evaluate
    assert squared_error(fitted, samples) < squared_error(lambda *_: 0, samples)

    # A fit that starts from these weights improves them.
    run("othello_fit.py", games, tmp_path / "more.bin", "--rounds", 2, "--from", weights)
    assert squared_error(
        patterns.evaluation(str(tmp_path / "more.bin")).evaluate, samples
    ) < squared_error(fitted, samples)
