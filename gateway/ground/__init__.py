"""Grounding for guests: the answer check and what it is asked by."""

from gateway.ground.asked import GroundRules, Scope
from gateway.ground.check import ground, holds_figures, no_rows_text

__all__ = ["GroundRules", "Scope", "ground", "holds_figures", "no_rows_text"]
