"""What is kept of how people and programs come in: tokens issued to them, sessions that were ended."""
