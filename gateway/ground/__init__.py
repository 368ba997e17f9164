"""Grounding for guests: the answer check and what it is asked by."""

from gateway.ground.asked import GroundRules, Scope
from gateway.ground.check import ground, holds_figures, no_rows_text
from gateway.ground.own import print_own

__all__ = ["GroundRules", "Scope", "ground", "holds_figures", "no_rows_text", "print_own"]
