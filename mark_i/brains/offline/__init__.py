"""The offline brain: it follows plain instructions, without a model."""
