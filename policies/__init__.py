"""Policy: who may ask what, budgets and limits, and the checks that decide."""
