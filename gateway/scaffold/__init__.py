"""New project folders."""
