"""Prompts: their words are files here; the builder renders them for one step."""
