"""What a gateway keeps between questions: files of one machine, private to their asker."""
