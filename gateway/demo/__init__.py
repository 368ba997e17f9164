"""The demo projects: their data, and the tour that shows every promise."""
