"""The Model Context Protocol: the tools for other programs."""
