"""Definitions proposed from a database's own catalogue."""

from gateway.proposal.write import Proposal, propose

__all__ = ["Proposal", "propose"]
