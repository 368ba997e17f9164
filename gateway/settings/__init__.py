"""What a project and the environment say: read once, with the source of each value."""
