"""Drafts of a calling agent and the claims in them."""
