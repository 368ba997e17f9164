"""Evals as the doors run them: a case made, a run, what is done with its results."""
