"""The beginning of a new game: a template that plays, and scripts/new_game, which makes a copy under another name."""
