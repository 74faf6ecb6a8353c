"""What others add: tools from packages, files and MCP servers."""
