"""The Model Context Protocol: MARK-I's tools for other programs."""
