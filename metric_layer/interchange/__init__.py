"""Definitions of other tools read into ours, and ours written for others."""
