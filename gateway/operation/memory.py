"""Keeps what a project loaded once out of the collector's way, and within few pages."""

import gc

from gateway.operation.large_pages import take_large_pages

YOUNG = 20_000
"""Objects a question may make before the collector looks: a parsed statement alone makes thousands."""


def settle() -> None:
    """Call when everything is loaded, before the first question, and again after each reload."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    take_large_pages()
