"""Shapes of tables that change what a name means: totals among rows, merged headers, figures as keys."""
