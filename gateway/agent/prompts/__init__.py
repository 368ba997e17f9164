"""What a model is told, one Markdown file per purpose; traces pin their hash."""
