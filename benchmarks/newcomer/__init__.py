"""Somebody who has a shell, a PostgreSQL and docs/tutorial.md, and types what stands there."""
