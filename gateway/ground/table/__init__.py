"""A result laid out for look-ups, what was asked of it, and how its cells are addressed."""
