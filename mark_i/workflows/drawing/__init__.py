"""Workflows as pictures and as text."""
