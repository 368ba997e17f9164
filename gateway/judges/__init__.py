"""Judges over a network: typed questions out, probabilities back."""
