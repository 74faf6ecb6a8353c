"""Putting a run together."""
