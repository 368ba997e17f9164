"""Recorded questions found, explained and exported."""
