"""Thinking: knows no text and no particular game."""
