"""scripts/new_game: copies a template that plays under another name."""
