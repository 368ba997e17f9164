"""Grounding for guests: the answer check and what it is asked by."""

from gateway.ground.asked import GroundRules, Scope
from gateway.ground.check import ground
from gateway.ground.missing import missing
from gateway.ground.own import print_own

__all__ = ["GroundRules", "Scope", "ground", "missing", "print_own"]
