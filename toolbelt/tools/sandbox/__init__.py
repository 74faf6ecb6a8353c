"""Processes with limits, and the folders that may be used."""
