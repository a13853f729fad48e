"""The rules of the games, behind a registry."""
