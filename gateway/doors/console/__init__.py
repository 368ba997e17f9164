"""The console: pages a server renders, for people who ask, review and watch."""
