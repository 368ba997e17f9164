"""What is put on record while a question runs, and who may read it later."""
