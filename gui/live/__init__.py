"""Watching and taking over the desktop on which the agent works."""
