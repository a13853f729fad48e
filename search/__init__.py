"""The search: independent of every protocol and of every particular game."""
