"""Held questions as they are kept: what an accept is bound to, who decided, how often it counts."""
