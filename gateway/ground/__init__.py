"""Grounding for guests: the answer check and what it is asked by."""

from gateway.ground.check import ground
from gateway.ground.missing import missing
from gateway.ground.own import print_own
from gateway.ground.table.asked import GroundRules, Scope

__all__ = ["GroundRules", "Scope", "ground", "missing", "print_own"]
