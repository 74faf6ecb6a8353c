"""Processes with limits, and folders that may be used."""
