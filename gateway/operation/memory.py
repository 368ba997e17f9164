"""Keeps what a project loaded once out of the way of Python's garbage collector."""

import gc

YOUNG = 20_000
"""Objects a question may make before the collector looks: a parsed statement alone makes thousands."""


def settle() -> None:
    """Call when everything is loaded, before the first question, and again after each reload."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
