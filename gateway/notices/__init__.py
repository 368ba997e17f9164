"""Word to reviewers that something waits: webhook and e-mail, with a link and no data."""
