"""scripts/new_game: copies a playable template under the name of a new game."""
