"""The MCP server: its tools, prompts and resources, and its place under the HTTP application."""
