"""Prompts: the texts are files in this folder, and the builder renders them for one step."""
