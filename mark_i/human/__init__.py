"""The person at a run: answers, pointing, and taking over."""
