"""The log of a run: cards, their pictures, and the workflow."""
