"""Where records are kept: files with a writer of their own, or PostgreSQL; one protocol for both."""
